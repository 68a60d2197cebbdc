//! Cloning all components of a type at once, for [snapshots](crate::Snapshot). These functions are compiled for each
//! component type that is known to be `Clone`.

use std::any::{Any, TypeId};
use std::cell::{OnceCell, RefCell};

use crate::storage::values::{AnyValues, Values};

/// Clones of all values of a type `C`: a `Vec<C>`, once it is filled.
pub(crate) type Clones = Option<Box<dyn Any + Send>>;

/// The functions that clone the components of one type.
#[derive(Debug)]
pub struct Cloning {
    of: fn() -> TypeId,
    /// Clones the values, in the memory of earlier clones if these are of the same type.
    pub(crate) save: fn(&mut dyn AnyValues, &mut Clones),
    /// Makes values from clones of `save`. Each has a cell of its own if those in the first argument do.
    pub(crate) load: fn(&dyn AnyValues, &Clones) -> Box<dyn AnyValues>,
}

impl Cloning {
    /// Returns the functions for a type.
    #[must_use]
    pub const fn of<C: Clone + Send + 'static>() -> &'static Self {
        &Self {
            of: TypeId::of::<C>,
            save: |values, into| {
                let known = into.as_mut().and_then(|it| it.downcast_mut::<Vec<C>>());
                if let Some(into) = known {
                    Values::of_mut(values).save(into);
                } else {
                    let mut new = Vec::new();
                    Values::<C>::of_mut(values).save(&mut new);
                    *into = Some(Box::new(new));
                }
            },
            load: |like, clones| {
                let clones = clones.as_ref().and_then(|it| it.downcast_ref::<Vec<C>>());
                let clones = clones.map_or(&[][..], Vec::as_slice);
                Box::new(Values::<C>::of(like).load(clones))
            },
        }
    }

    /// Returns the type of the components.
    pub(crate) fn component(&self) -> TypeId {
        (self.of)()
    }
}

impl<C: Clone + Send + 'static> Values<C> {
    fn save(&mut self, into: &mut Vec<C>) {
        let Some(cells) = self.cells.get_mut() else {
            into.clone_from(self.packed.get_mut());
            return;
        };
        // Accesses the cells directly, because their guards may have been leaked.
        into.truncate(cells.len());
        let (known, new) = cells.split_at_mut(into.len());
        for (into, cell) in into.iter_mut().zip(known) {
            into.clone_from(cell.get_mut());
        }
        into.extend(new.iter_mut().map(|cell| cell.get_mut().clone()));
    }

    fn load(&self, clones: &[C]) -> Self {
        match self.cells.get() {
            None => Self {
                packed: clones.to_vec().into(),
                cells: OnceCell::new(),
            },
            Some(_) => Self {
                packed: RefCell::default(),
                cells: OnceCell::from(clones.iter().cloned().map(RefCell::new).collect::<Vec<_>>()),
            },
        }
    }
}
