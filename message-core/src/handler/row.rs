//! The row that a macro writes for a handler.

use std::any::{Any, TypeId, type_name};

use crate::handler::run::{self, AnyRun, Call, Run, Walk};
use crate::handler::{Access, HandlerSpec, Receives};
use crate::message::{Facts, Message, Stored};

/// The facts about a handler that are known at compile time.
#[doc(hidden)]
#[derive(Debug)]
pub struct HandlerRow {
    pub(crate) component: fn() -> TypeId,
    pub(crate) component_name: fn() -> &'static str,
    pub(crate) message: &'static Facts,
    pub(crate) spec: HandlerSpec,
    /// `true` if it takes `&self`.
    pub(crate) shared: bool,
    /// `true` if it is given a context.
    pub(crate) takes_context: bool,
    #[cfg(feature = "rayon")]
    pub(crate) parallel: bool,
    pub(crate) run: AnyRun,
    pub(crate) call: Call,
    pub(crate) walk: Walk,
}

impl HandlerRow {
    #[must_use]
    pub const fn of<C: Receives<M>, M: Message>() -> &'static Self {
        const {
            &Self {
                component: TypeId::of::<C>,
                component_name: type_name::<C>,
                message: M::FACTS,
                spec: C::HANDLER,
                shared: C::Access::SHARED,
                takes_context: !C::ALONE,
                #[cfg(feature = "rayon")]
                parallel: C::PARALLEL.is_some(),
                run: &Run::<M>::of::<C>(),
                call: run::call::<C, M>,
                walk: run::walk::<C, M>(),
            }
        }
    }
}

impl HandlerRow {
    /// Returns the message type.
    pub(crate) fn message(&self) -> TypeId {
        self.message.message()
    }

    /// Returns the function for code that knows the message type.
    #[inline]
    pub(crate) fn run<S: Stored>(&self) -> Option<&'static Run<S>> {
        (self.run as &dyn Any).downcast_ref()
    }

    /// Returns the component type.
    pub(crate) fn component(&self) -> TypeId {
        (self.component)()
    }
}
