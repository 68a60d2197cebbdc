//! Cloning field by field, in the memory of an earlier clone.

use std::cell::OnceCell;
use std::collections::VecDeque;

/// Implements `Clone` for a struct whose `clone_from` reuses the memory of each field. That of `#[derive(Clone)]` makes
/// a new value. The fields behind `each` are cloned [element by element](Elements). The fields behind `new` are not cloned:
/// they get their default.
macro_rules! clone_by_field {
    (
        $type:ident $(<$name:ident>)? { $($field:ident),+ } $(each { $each:ident })? $(new { $($new:ident),+ })?
    ) => {
        impl $(<$name: Clone>)? Clone for $type $(<$name>)? {
            fn clone(&self) -> Self {
                Self {
                    $($field: self.$field.clone(),)+
                    $($each: self.$each.clone(),)?
                    $($($new: Default::default(),)+)?
                }
            }

            fn clone_from(&mut self, from: &Self) {
                $(self.$field.clone_from(&from.$field);)+
                $($crate::by_field::Elements::clone_each(&mut self.$each, &from.$each);)?
                $($(self.$new = Default::default();)+)?
            }
        }
    };
}
pub(crate) use clone_by_field;

/// A collection whose `clone_from` would drop the elements, and with them their memory.
pub(crate) trait Elements {
    /// Clones each element into the memory of the one at the same place.
    fn clone_each(&mut self, from: &Self);
}

impl<T: Clone> Elements for VecDeque<T> {
    fn clone_each(&mut self, from: &Self) {
        self.truncate(from.len());
        for (into, from) in self.iter_mut().zip(from) {
            into.clone_from(from);
        }
        self.extend(from.range(self.len()..).cloned());
    }
}

impl<T: Clone> Elements for Vec<OnceCell<T>> {
    fn clone_each(&mut self, from: &Self) {
        self.resize_with(from.len(), OnceCell::new);
        for (into, from) in self.iter_mut().zip(from) {
            match (into.get_mut(), from.get()) {
                (Some(into), Some(from)) => into.clone_from(from),
                _ => *into = from.clone(),
            }
        }
    }
}
