//! The way into a manager: the world can be read at any time, and is changed in exchange for an [`Input`].

use std::cell::RefCell;
use std::fmt;
use std::panic::Location;

use crate::address::{Recipient, Sender};
use crate::caught::Unclaimed;
use crate::inlet::Letter;
use crate::input::{ForeignInput, Input, InputSink};
use crate::manager::SpeakingFor;
use crate::message::AnyBox;
use crate::send::{Delivered, Lent, OnBusy, Replies, Speaker as _};
use crate::trace::SourcePlace;
use crate::world::World;

type Place = &'static Location<'static>;

/// One closed messaging system: messagees, their components, and the messages between them.
///
/// Several can live side by side (a world, its user interface, the hardware); they share nothing
/// but the types. A manager can be built on one thread and moved to another.
///
/// A manager that is dropped drops each component, message and closure that it holds. If some of these
/// panic when they are dropped, the others are dropped all the same, and the first panic goes on.
///
/// ```
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// struct Damage { amount: u32 }
///
/// #[derive(Message)]
/// #[message(reply = u32)]
/// struct GetHp;
///
/// struct Health { hp: u32 }
///
/// #[handlers]
/// impl Health {
///     #[on_receive]
///     fn take_damage(&mut self, damage: &Damage) {
///         self.hp = self.hp.saturating_sub(damage.amount);
///     }
///
///     #[on_receive]
///     fn hp(&self, _: &GetHp) -> u32 { self.hp }
/// }
///
/// let mut manager = MessageManager::new();
/// let orc = manager.spawn((Health { hp: 10 },));
/// manager.send(orc, Damage { amount: 3 })?;
/// assert_eq!(manager.request(orc, GetHp)?, 7);
/// # Ok::<(), SendError>(())
/// ```
// Only the methods below borrow the world mutably.
pub struct MessageManager {
    world: World,
    /// The sink that receives the inputs.
    sink: RefCell<Option<Box<dyn InputSink>>>,
    /// The letters of this frame while a log is replayed. They replace those from other threads.
    pub(crate) replayed: Option<Vec<Letter>>,
}

/// The way into a manager for `message-data`.
pub trait Inside {
    /// Returns a manager of a world.
    fn of_world(world: World) -> Self;

    /// Returns the world.
    fn world(&self) -> &World;

    /// Begins an outermost call: passes its input to the sink, if there is one, and settles what a panic has left.
    fn input<'i>(&mut self, input: impl FnOnce() -> Input<'i>) -> Outermost<'_>;

    /// Sends with any sender, as a replay does.
    fn speaking_as(&mut self, sender: Sender) -> SpeakingFor<'_>;

    /// Repeats a `send_mut` or, if it asks all, a `request_all`, whose answers are dropped.
    fn send_now(&mut self, sender: Sender, to: Recipient, message: AnyBox, asks_all: bool);

    /// Has the next frames take in these letters instead of those from other threads, or again the latter.
    fn replay_letters(&mut self, letters: Option<Vec<Letter>>);

    /// Sets the call that a replay makes, and the place of the call that it repeats.
    fn repeat_call(&mut self, repeated: Option<(Place, SourcePlace)>);
}

impl Inside for MessageManager {
    fn of_world(world: World) -> Self {
        Self {
            world,
            sink: RefCell::default(),
            replayed: None,
        }
    }

    fn world(&self) -> &World {
        &self.world
    }

    fn input<'i>(&mut self, input: impl FnOnce() -> Input<'i>) -> Outermost<'_> {
        self.input(input)
    }

    fn speaking_as(&mut self, sender: Sender) -> SpeakingFor<'_> {
        SpeakingFor::new(self, sender)
    }

    #[track_caller]
    fn send_now(&mut self, sender: Sender, to: Recipient, mut message: AnyBox, asks_all: bool) {
        let (facts, place) = (message.facts(), Location::caller());
        let mut from = SpeakingFor::new(self, sender);
        let _ = if asks_all {
            let (message, replies) = (&mut Some(message), &mut ());
            let replies = &mut Replies::All(replies);
            from.deliver(facts, to, place, message, replies, OnBusy::Refuse)
        } else {
            let (message, replies) = (&mut Lent(&mut *message), &mut Replies::Ignore);
            from.deliver(facts, to, place, message, replies, OnBusy::Refuse)
        };
    }

    fn replay_letters(&mut self, letters: Option<Vec<Letter>>) {
        self.world.common.is_replaying = letters.is_some();
        self.replayed = letters;
    }

    fn repeat_call(&mut self, repeated: Option<(Place, SourcePlace)>) {
        self.world.trace.repeated = repeated;
    }
}

impl fmt::Debug for MessageManager {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.world.fmt(f)
    }
}

/// An outermost call whose input has been passed on. Whatever an earlier panic has left is settled.
#[must_use]
pub struct Outermost<'m>(pub &'m mut World);

impl MessageManager {
    /// Passes each input of this manager to a sink from now on, before it runs: see [`input`](crate::input). Without
    /// one, nobody receives them. Returns the sink that has received them so far.
    ///
    /// This is for tools. While there is a sink, sends, posts and publications are slower. A log that is being written is
    /// the sink: call `Log::stop` before you set another.
    ///
    /// ```
    /// use message_core::input::{Input, InputSink};
    /// use message_core::prelude::*;
    ///
    /// struct Print;
    ///
    /// impl InputSink for Print {
    ///     fn input(&mut self, input: &Input<'_>, manager: &MessageManager) {
    ///         println!("frame {}: {input:?}", manager.clock().frame());
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// assert!(manager.set_input_sink(Some(Box::new(Print))).is_none());
    /// manager.spawn(()); // Is printed.
    /// assert!(manager.set_input_sink(None).is_some());
    /// ```
    pub fn set_input_sink(
        &mut self,
        sink: Option<Box<dyn InputSink>>,
    ) -> Option<Box<dyn InputSink>> {
        self.world.waiting.pending.set_observed(sink.is_some());
        // Each message that is published is an input of its own.
        self.world.mail.current.set(None);
        std::mem::replace(self.sink.get_mut(), sink)
    }

    /// Passes an input that another crate has defined, which changes the manager by other means. What an earlier panic
    /// left pending is settled. For an example see [`ForeignInput`].
    ///
    /// ```
    /// use message_core::input::ForeignInput;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Debug)]
    /// struct Rain;
    ///
    /// impl ForeignInput for Rain {
    ///     fn pass_to(&self, _: &mut dyn std::any::Any) {}
    /// }
    ///
    /// MessageManager::new().foreign_input(&Rain); // No sink is set.
    /// ```
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`settle`](Self::settle).
    pub fn foreign_input(&mut self, input: &dyn ForeignInput) {
        let _ = self.input(|| Input::Foreign(input));
    }

    /// Begins an outermost call: passes its input to the sink, if there is one, and settles what a panic has left.
    #[inline]
    pub(crate) fn input<'i>(&mut self, input: impl FnOnce() -> Input<'i>) -> Outermost<'_> {
        if !self.world.waiting.pending.is_quiet() {
            self.pass_and_settle(&input());
        }
        Outermost(&mut self.world)
    }

    /// Returns the world for the rest of a call whose input was passed on, or for a call that is not an input, because a
    /// replay need not repeat it.
    #[inline]
    pub(crate) fn no_input(&mut self) -> &mut World {
        &mut self.world
    }

    #[inline]
    pub(crate) fn world(&self) -> &World {
        &self.world
    }

    #[cold]
    fn pass_and_settle(&mut self, input: &Input<'_>) {
        // Before the rest is settled, so that an input is also logged if that panics.
        self.pass(input);
        if self.world.waiting.pending.is_unsettled() {
            self.settle_left();
        }
    }

    /// Passes the input of a call that may borrow the manager only to read it.
    #[inline]
    pub(super) fn note<'i>(&self, input: impl FnOnce() -> Input<'i>) {
        if self.world.waiting.pending.is_observed() {
            self.pass(&input());
        }
    }

    #[cold]
    fn pass(&self, input: &Input<'_>) {
        if let Some(sink) = &mut *self.sink.borrow_mut() {
            sink.input(input, self);
        }
    }
}

impl Outermost<'_> {
    /// Runs the call, then what its handlers have asked for.
    #[inline]
    pub fn change<T>(self, change: impl FnOnce(&mut World) -> T) -> T {
        let result = change(self.0);
        if self.0.waiting.pending.is_unsettled() {
            return self.settle_after(result);
        }
        result
    }

    /// Makes the changes that a call has asked for. If a handler panics meanwhile, the result of the call is
    /// dropped: nobody will have it.
    #[cold]
    fn settle_after<T>(self, result: T) -> T {
        let mut result = Unclaimed(Some(result));
        self.0.settle_outermost();
        result.0.take().expect("only a panic takes it away")
    }

    /// Runs a send, whose receipt counts all failures.
    #[inline]
    pub(super) fn send(self, run: impl FnOnce(&World) -> Delivered) -> Delivered {
        let delivered = run(self.0);
        if !self.0.waiting.pending.is_unsettled() {
            return delivered;
        }
        let mut delivered = Unclaimed(Some(delivered));
        let failed = settle_sent(self.0);
        let mut result = delivered.0.take().map(Delivered::result);
        if let Some(Ok(receipt)) = &mut result {
            receipt.set_failed(failed);
        }
        Delivered::of(result.expect("only a panic takes it away"))
    }
}

/// Makes the changes that a send has asked for. Returns how many messages have failed.
#[cold]
#[inline(never)]
pub(super) fn settle_sent(world: &mut World) -> usize {
    world.settle_outermost();
    world.waiting.failures.settled.take()
}
