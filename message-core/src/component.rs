//! Components, and tuples of components that are passed together.

use std::any::Any;
use std::cell::Ref;
use std::fmt;

use crate::caught::FirstPanic;
use crate::storage::{ComponentType, Pool, Pools, Shared};

/// A value that can be hooked to a messagee: every `Send + 'static` type is one.
///
/// The messages that it receives are written in its [`#[handlers]`](macro@crate::handlers) blocks; a
/// component without any can be accessed only by [`get`](crate::Structure::get).
///
/// ```
/// use message_core::prelude::*;
///
/// struct Name(&'static str); // Any `Send + 'static` type, with handlers or without.
///
/// let mut manager = MessageManager::new();
/// let orc = manager.spawn((Name("Grom"),));
/// assert_eq!(manager.get::<Name>(orc)?.0, "Grom");
/// # Ok::<(), MessageeError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be a component",
    label = "not a component",
    note = "a component is `Send + 'static`, so that its manager can move to another thread"
)]
pub trait Component: Send + 'static {}

impl<C: Send + 'static> Component for C {}

/// The components of a new messagee: a tuple of up to twelve.
///
/// They are hooked in the order of the tuple. One component is `(health,)`, none is `()`; more
/// than twelve are hooked one by one. A component alone is not a bundle: every `Send + 'static` type is a
/// [`Component`], tuples included, so the compiler could not tell a tuple of components from a component that is a tuple.
///
/// ```
/// use message_core::prelude::*;
///
/// struct Name(&'static str);
/// struct Hp(u32);
///
/// let mut manager = MessageManager::new();
/// let rock = manager.spawn(());
/// let orc = manager.spawn((Name("Grom"), Hp(10)));
/// assert_eq!(manager.hooks(rock).count(), 0);
/// assert_eq!(manager.hooks(orc).count(), 2);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a bundle of components",
    label = "not a bundle",
    note = "a bundle is a tuple of up to twelve components, each `Send + 'static`; a single one is \
            written `(component,)`"
)]
pub trait Bundle: Components + Send + 'static {
    #[doc(hidden)]
    fn attach(self, to: &mut impl Attach);

    #[doc(hidden)]
    fn types(visit: &mut dyn FnMut(ComponentType));

    /// Reserves room for that many more components of each type, in their pools.
    #[doc(hidden)]
    fn reserve(pools: &mut Pools, additional: usize);

    /// References to the components of one messagee, from [`iter_all`](crate::MessageManager::iter_all).
    type Refs<'a>;

    /// Mutable references, from [`iter_all_mut`](crate::MessageManager::iter_all_mut).
    type Muts<'a>;

    /// Borrows the components in these slots, unless one of them is mutably borrowed.
    #[doc(hidden)]
    fn borrow<'a>(pools: &[&'a Pool], slots: &[u32]) -> Option<Self::Refs<'a>>;

    /// Borrows all components in these pools. The function returns those in some slots, each once.
    #[doc(hidden)]
    fn borrow_all<'a>(pools: Vec<&'a mut Pool>) -> impl FnMut(&[u32]) -> Option<Self::Muts<'a>>;
}

/// Components that are looked at one after the other, in the order of hooking: every [`Bundle`].
///
/// ```
/// use message_core::input::Components;
///
/// let bundle = (3_u32, "a text");
/// let mut texts: Vec<&&str> = Vec::new();
/// bundle.each(&mut |component| texts.extend(component.downcast_ref::<&str>()));
/// assert_eq!(texts, [&"a text"]);
/// ```
pub trait Components {
    /// Calls a function with each component.
    fn each<'a>(&'a self, visit: &mut dyn FnMut(&'a dyn Any));
}

impl fmt::Debug for dyn Components + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Components").finish_non_exhaustive()
    }
}

/// A bundle that waits to be attached. If the manager is dropped first, its components are dropped one
/// by one.
pub(crate) struct Waiting<B: Bundle>(pub(crate) Option<B>);

impl<B: Bundle> Drop for Waiting<B> {
    fn drop(&mut self) {
        if let Some(bundle) = self.0.take() {
            let mut panics = FirstPanic::default();
            bundle.attach(&mut panics);
            panics.resume_from_drop();
        }
    }
}

/// Takes the components of a bundle, in their order.
#[doc(hidden)]
pub trait Attach {
    fn attach(&mut self, component: impl Component);
}

/// Drops the components.
impl Attach for FirstPanic {
    fn attach(&mut self, component: impl Component) {
        self.catch(|| drop(component));
    }
}

/// Implements `Bundle` for a tuple of these components, and for those without the first ones.
macro_rules! bundles {
    ($($component:ident)*) => {
        #[diagnostic::do_not_recommend]
        impl<$($component: Component),*> Bundle for ($($component,)*) {
            #[allow(non_snake_case, reason = "the values are named like their types")]
            fn attach(self, _to: &mut impl Attach) {
                let ($($component,)*) = self;
                $(_to.attach($component);)*
            }

            fn types(_visit: &mut dyn FnMut(ComponentType)) {
                $(_visit(ComponentType::of::<$component>());)*
            }

            fn reserve(_pools: &mut Pools, _additional: usize) {
                $(_pools.of_mut::<$component>().reserve::<$component>(_additional);)*
            }

            type Refs<'a> = ($(Ref<'a, $component>,)*);

            type Muts<'a> = ($(&'a mut $component,)*);

            fn borrow<'a>(pools: &[&'a Pool], slots: &[u32]) -> Option<Self::Refs<'a>> {
                let mut _slots = pools.iter().zip(slots);
                Some(($({
                    let (pool, slot) = _slots.next()?;
                    pool.values::<$component>().borrow::<Shared>(*slot as usize)?
                },)*))
            }

            #[allow(non_snake_case, reason = "the values are named like their types")]
            fn borrow_all<'a>(
                pools: Vec<&'a mut Pool>,
            ) -> impl FnMut(&[u32]) -> Option<Self::Muts<'a>> {
                let mut _pools = pools.into_iter();
                $(
                    let pool = _pools.next().into_iter();
                    let all = pool.flat_map(|pool| pool.values_mut::<$component>().iter_mut());
                    let mut $component: Vec<_> = all.map(Some).collect();
                )*
                move |slots| {
                    let mut _slots = slots.iter();
                    Some(($($component.get_mut(*_slots.next()? as usize)?.take()?,)*))
                }
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($component: Component),*> Components for ($($component,)*) {
            #[allow(non_snake_case, reason = "the values are named like their types")]
            fn each<'a>(&'a self, _visit: &mut dyn FnMut(&'a dyn Any)) {
                let ($($component,)*) = self;
                $(_visit($component);)*
            }
        }

        bundles! { @rest $($component)* }
    };
    (@rest) => {};
    (@rest $first:ident $($component:ident)*) => {
        bundles! { $($component)* }
    };
}

bundles! { A B C D E F G H I J K L }
