//! The manager: the outermost call, which alone may change the structure.
//!
//! Every method that takes `&mut self` first passes its [`Input`](crate::input::Input) to the sink, then settles what a
//! panic may have left, then acts, then settles what its handlers asked for. So between calls nothing is pending and
//! nothing is borrowed. The input comes first, so that it is also logged if settling panics. Frames, borrows of
//! components and publications begin with settling, since their sink reads the settled state.

mod actor;
mod carrier;
mod components;
mod creation;
mod desk;
pub(crate) mod entrance;
mod frame;
mod inlet;
mod inspect;
mod mail;
mod send;
mod speak_for;
mod tracing;
mod writer;

use std::ops::Deref;

pub use desk::Desk;
pub use entrance::MessageManager;
pub use frame::FrameReport;
pub use inspect::Inspect;
pub use speak_for::SpeakingFor;
pub use writer::MailWriter;

use crate::address::{MessageeId, Sender};
use crate::component::Bundle;
use crate::error::MessageeError;
use crate::input::Input;
use crate::structure::Structure;

impl Deref for MessageManager {
    type Target = Structure;

    fn deref(&self) -> &Structure {
        &self.world().structure
    }
}

impl MessageManager {
    /// Acts on behalf of a messagee: messages that are sent through the returned handle have that messagee as
    /// their sender, and may be addressed to `Me` and `EveryoneElse`. This needs the manager itself, so no
    /// handler can do it.
    ///
    /// ```
    /// use message_core::Recipient::EveryoneElse;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Scream;
    ///
    /// #[derive(Default)]
    /// struct Ears { heard: Vec<MessageeId> }
    ///
    /// #[handlers]
    /// impl Ears {
    ///     #[on_receive]
    ///     fn hear(&mut self, _: &Scream, cx: &mut Context<'_>) {
    ///         self.heard.extend(cx.sender().id());
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn((Ears::default(),));
    /// let elf = manager.spawn((Ears::default(),));
    /// manager.speak_for(orc)?.send(EveryoneElse, Scream)?;
    /// assert_eq!(manager.get::<Ears>(elf)?.heard, [orc]);
    /// assert!(manager.get::<Ears>(orc)?.heard.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Gone`](crate::Absence::Gone), [`OtherManager`](crate::Absence::OtherManager).
    ///
    /// # Panics
    ///
    /// Panics if a handler panics while this call settles what an earlier panic left pending; see
    /// [`settle`](Self::settle).
    #[inline]
    pub fn speak_for(&mut self, id: MessageeId) -> Result<SpeakingFor<'_>, MessageeError> {
        self.settle();
        if !self.world().structure.messagees.is_alive(id) {
            self.world().structure.check_alive(id)?;
        }
        Ok(SpeakingFor::new(self, Sender::Messagee(id)))
    }

    /// Delivers the messages and makes the changes that a panic in a handler has left pending. Every call
    /// that may change the manager begins with this. It does nothing if nothing is pending.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::panic::{AssertUnwindSafe, catch_unwind};
    ///
    /// #[derive(Message)]
    /// struct Ignite;
    ///
    /// struct Bomb;
    ///
    /// #[handlers]
    /// impl Bomb {
    ///     #[on_receive]
    ///     fn ignite(&mut self, _: &Ignite, cx: &mut Context<'_>) {
    ///         cx.spawn_named("crater", ());
    ///         panic!("the fuse is broken");
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let bomb = manager.spawn((Bomb,));
    /// assert!(catch_unwind(AssertUnwindSafe(|| manager.send(bomb, Ignite))).is_err());
    /// assert_eq!(manager.find("crater").count(), 0);
    /// manager.settle();
    /// assert_eq!(manager.find("crater").count(), 1);
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if a handler panics.
    #[inline]
    pub fn settle(&mut self) {
        if self.world().waiting.pending.is_unsettled() {
            // If it panics, it has changed something, and has to be repeated for itself.
            self.note(|| Input::Settle);
            self.settle_left();
        }
    }

    /// Makes the changes that an earlier panic has left.
    #[cold]
    fn settle_left(&mut self) {
        let world = self.no_input();
        world.waiting.kept.accepted.set(0);
        world.settle_outermost();
    }

    /// Reserves room for that many more messagees with the components of a bundle, like [`Vec::reserve`]: spawning them
    /// then moves none of those that are there.
    ///
    /// Posts and mail have no such call: posts lie in blocks that never move, and a frame writes its mail into the memory
    /// of an earlier one.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// struct Position(f32, f32);
    /// struct Health(u32);
    ///
    /// let mut manager = MessageManager::new();
    /// manager.reserve::<(Position, Health)>(10_000);
    /// for at in 0..10_000_u16 {
    ///     manager.spawn((Position(at.into(), 0.0), Health(3)));
    /// }
    /// ```
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`settle`](Self::settle), which is called first, if the capacity exceeds
    /// [`isize::MAX`] bytes, or if there are more than 2^16 types of components.
    pub fn reserve<B: Bundle>(&mut self, additional: usize) {
        self.settle();
        self.no_input().changes().reserve::<B>(additional);
    }

    /// Frees all memory that is not in use, like [`Vec::shrink_to_fit`]: the spare capacity of lists and
    /// tables for messagees, components, messages and changes.
    ///
    /// A manager frees little memory on its own: after a spike, it keeps the capacity for the next one. Call
    /// this when much less is needed from now on, such as after a level has been unloaded.
    ///
    /// Nothing else changes: deliveries and their order, the id that the next spawn returns, and the storage
    /// order stay the same. A few bytes remain for each place that messagees, components and subscriptions
    /// have taken, so that stale ids stay stale. The [names](Self::set_name) of messagees that are gone are
    /// forgotten.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let mut manager = MessageManager::new();
    /// let crowd: Vec<MessageeId> = (0..10_000).map(|_| manager.spawn(())).collect();
    /// for id in crowd {
    ///     manager.despawn(id)?;
    /// }
    /// manager.shrink_to_fit();
    /// # Ok::<(), MessageeError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`settle`](Self::settle), which is called first.
    pub fn shrink_to_fit(&mut self) {
        self.settle();
        self.input(|| Input::ShrinkToFit).0.shrink_to_fit();
    }
}
