//! Broadcasts on all cores: the walk of a handler that is marked `parallel`.
//!
//! The packed values of a component type are cut into chunks of a fixed length, which rayon's threads
//! take. The result of a chunk is a [`Part`], and parts are joined in storage order. So nothing that
//! can be seen depends on how many threads there are, nor on which of them takes which chunk. A panic
//! ends no chunk: each component is called once, as if there were no others.

use std::cell::RefCell;
use std::ops::Range;

use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::{ParallelSlice, ParallelSliceMut};

use crate::caught::FirstPanic;
use crate::error::HandlerError;
use crate::handler::{Access, Exclusive, HandlerReturn, Outcome, Receives, Shared};
use crate::message::{Message, NoReply};

/// The number of components that one thread takes at a time. With the cheapest handlers a chunk takes
/// much longer to run than to hand out; with handlers of a microsecond it is short enough to share a
/// thousand components evenly.
const CHUNK: usize = 128;

/// The number of components from which on a broadcast runs in parallel, unless the handler says its own:
/// such that the cheapest handlers lose nothing. Measured by `parallel_cost` in the workspace's `benches`.
const LEAST: usize = 32_768;

/// Like [`LEAST`], but for a broadcast by a thread that is not in a pool. It hands over all of the work and
/// waits, so two threads have to be woken before it goes on.
const LEAST_FROM_OUTSIDE: usize = 131_072;

/// The function with which a broadcast runs a handler on all cores.
#[derive(Debug)]
pub struct Parallel<C, M> {
    /// The minimum number of components that the handler asks for.
    least: Option<usize>,
    walk: Walk<C, M>,
}

type Walk<C, M> = fn(&RefCell<Vec<C>>, Range<usize>, &M) -> Option<Part>;

impl<C: Receives<M, Access = Exclusive>, M: Message + Sync> Parallel<C, M> {
    /// Creates the walk of a handler that takes `&mut self`.
    #[must_use]
    pub const fn exclusive(least: Option<usize>) -> Self {
        let walk = walk_exclusive;
        Self { least, walk }
    }
}

impl<C: Receives<M, Access = Shared> + Sync, M: Message + Sync> Parallel<C, M> {
    /// Creates the walk of a handler that takes `&self`.
    #[must_use]
    pub const fn shared(least: Option<usize>) -> Self {
        let walk = walk_shared;
        Self { least, walk }
    }
}

impl<C: Receives<M>, M: Message> Parallel<C, M> {
    /// Returns `true` if this number of components is called in parallel.
    fn pays(&self, components: usize) -> bool {
        let is_in_pool = || rayon::current_thread_index().is_some();
        let by_default = || components >= LEAST_FROM_OUTSIDE || components >= LEAST && is_in_pool();
        self.least
            .map_or_else(by_default, |least| components >= least)
    }

    /// Calls the components in these slots: on all cores if there are enough of them, otherwise in turn. Calls
    /// none if the vector is busy.
    pub(crate) fn walk(
        &self,
        values: &RefCell<Vec<C>>,
        slots: Range<usize>,
        message: &M,
    ) -> Option<Part> {
        if self.pays(slots.len()) {
            return (self.walk)(values, slots, message);
        }
        let (first, mut values) = (slots.start, C::Access::guard(values)?);
        Some(Part::of::<C, M>(
            first,
            C::Access::each(&mut values, slots),
            message,
        ))
    }
}

fn walk_exclusive<C: Receives<M, Access = Exclusive>, M: Message + Sync>(
    values: &RefCell<Vec<C>>,
    slots: Range<usize>,
    message: &M,
) -> Option<Part> {
    let mut values = values.try_borrow_mut().ok()?;
    let (first, values) = (slots.start, &mut values[slots]);
    let chunks = values.par_chunks_mut(CHUNK).enumerate();
    let parts = chunks.map(|(at, chunk)| Part::of::<C, M>(first + at * CHUNK, chunk, message));
    Some(parts.reduce(Part::default, Part::then))
}

fn walk_shared<C: Receives<M, Access = Shared> + Sync, M: Message + Sync>(
    values: &RefCell<Vec<C>>,
    slots: Range<usize>,
    message: &M,
) -> Option<Part> {
    let values = values.try_borrow().ok()?;
    let (first, values) = (slots.start, &values[slots]);
    let chunks = values.par_chunks(CHUNK).enumerate();
    let parts = chunks.map(|(at, chunk)| Part::of::<C, M>(first + at * CHUNK, chunk, message));
    Some(parts.reduce(Part::default, Part::then))
}

/// The results of a message at some neighbouring components.
#[derive(Default)]
pub(crate) struct Part {
    /// The number of components that have not received it.
    pub(crate) declined: usize,
    /// Those that have failed, by their slots, in storage order.
    pub(crate) failures: Vec<(usize, HandlerError)>,
    pub(crate) panics: FirstPanic,
}

impl Part {
    /// Calls each of these components, of which the first is in a slot.
    fn of<'a, C: Receives<M> + 'a, M: Message>(
        first: usize,
        components: impl IntoIterator<Item = <C::Access as Access>::Borrow<'a, C>>,
        message: &M,
    ) -> Self {
        let mut part = Self::default();
        let mut components = (first..).zip(components);
        let mut any_left = true;
        while any_left {
            // Left early only by a panic.
            part.panics.catch(|| {
                for (slot, component) in components.by_ref() {
                    match C::receive_parallel(component, message) {
                        Ok(true) => {}
                        Ok(false) => part.declined += 1,
                        Err(error) => part.failures.push((slot, error)),
                    }
                }
                any_left = false;
            });
        }
        part
    }

    /// Joins it with the one of the components behind.
    fn then(mut self, mut behind: Self) -> Self {
        self.declined += behind.declined;
        self.failures.append(&mut behind.failures);
        self.panics.then(behind.panics);
        self
    }
}

/// Requires that a type can be shared by several threads. What a parallel handler shares is checked so.
///
/// ```
/// use message_core::handler::shared_by_threads;
/// use std::sync::atomic::AtomicU32;
///
/// // With `Cell<u32>` it does not compile.
/// assert_eq!(shared_by_threads::<AtomicU32>(), ());
/// ```
#[doc(hidden)]
pub fn shared_by_threads<T: Sync>() {}

/// The return types of a handler marked `#[on_receive(parallel)]`: nothing, `bool`, or a `Result` of one of
/// these.
///
/// It cannot consume the message, nor answer: both would decide who behind it is called at all.
///
/// ```
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// #[message(name = "docs.parallel_return.Advance")]
/// struct Advance { seconds: f32 }
///
/// struct Rocket { fuel: f32 }
///
/// #[handlers]
/// impl Rocket {
///     #[on_receive(parallel)]
///     fn burn(&mut self, advance: &Advance) -> Result<bool, HandlerError> {
///         if self.fuel < 0.0 {
///             return Err("the tank leaks".into());
///         }
///         let burns = self.fuel > 0.0;
///         self.fuel = (self.fuel - advance.seconds).max(0.0);
///         Ok(burns)
///     }
/// }
///
/// let mut manager = MessageManager::new();
/// for fuel in [2.0, 0.0, -1.0] {
///     manager.spawn((Rocket { fuel },));
/// }
/// let receipt = manager.send(Everyone, Advance { seconds: 1.0 })?;
/// assert_eq!((receipt.received, receipt.failed), (2, 1));
/// # Ok::<(), SendError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "a parallel handler of `{M}` cannot return `{Self}`",
    label = "not a valid return type for a parallel handler of `{M}`",
    note = "expected nothing, `bool`, or a `Result` of these whose error converts into `Box<dyn Error + Send + Sync>`",
    note = "a handler that answers or consumes decides who is called after it, so it cannot be `parallel`"
)]
pub trait ParallelReturn<M: Message>: HandlerReturn<M> + Sized {
    #[doc(hidden)]
    #[inline]
    fn into_received(self) -> Result<bool, HandlerError> {
        match self.into_outcome() {
            Outcome::Failed(error) => Err(error),
            outcome => Ok(!matches!(outcome, Outcome::NotReceived)),
        }
    }
}

#[diagnostic::do_not_recommend]
impl<M: Message<Reply = NoReply>> ParallelReturn<M> for () {}

#[diagnostic::do_not_recommend]
impl<M: Message<Reply = NoReply>> ParallelReturn<M> for bool {}

#[diagnostic::do_not_recommend]
impl<M, T, E> ParallelReturn<M> for Result<T, E>
where
    M: Message,
    T: ParallelReturn<M>,
    E: Into<HandlerError>,
{
}
