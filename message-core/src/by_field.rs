//! Cloning field by field, in the memory of an earlier clone.

/// Implements `Clone` for a struct whose `clone_from` reuses the memory of each field. That of `#[derive(Clone)]` makes
/// a new value. The fields behind `new` are not cloned: they get their default.
macro_rules! clone_by_field {
    ($type:ident $(<$name:ident>)? { $($field:ident),+ } $(new { $($new:ident),+ })?) => {
        impl $(<$name: Clone>)? Clone for $type $(<$name>)? {
            fn clone(&self) -> Self {
                Self {
                    $($field: self.$field.clone(),)+
                    $($($new: Default::default(),)+)?
                }
            }

            fn clone_from(&mut self, from: &Self) {
                $(self.$field.clone_from(&from.$field);)+
                $($(self.$new = Default::default();)+)?
            }
        }
    };
}
pub(crate) use clone_by_field;
