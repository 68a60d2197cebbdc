//! Draining the inlet: what other threads have posted or asked is sent or posted here, each message as an
//! outermost send of its own, so that what one leads to is settled before the next.

use crate::address::Sender;
use crate::caught::Unclaimed;
use crate::error::SendError;
use crate::inlet::{Inlet, Letter};
use crate::input::{Input, Way};
use crate::manager::MessageManager;
use crate::manager::entrance::Inside as _;
use crate::post::{Held, Posting};
use crate::send::{AnyReply, Extras, OnBusy, Sent, first_answer};
use crate::time::Stage;
use crate::trace::SentBy;

impl MessageManager {
    /// Returns a handle by which other threads post messages to this manager: they are delivered
    /// when the next frame begins, by [`tick`](Self::tick) or [`begin_frame`](Self::begin_frame).
    ///
    /// Every call gives a handle of the same inlet, with room for
    /// [`ManagerConfig::inlet_capacity`](crate::ManagerConfig::inlet_capacity) messages in all.
    /// Memory is taken for the messages that wait, not for the capacity.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::thread;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Loaded { percent: u32 }
    ///
    /// #[derive(Default)]
    /// struct Bar { percent: u32 }
    ///
    /// #[handlers]
    /// impl Bar {
    ///     #[on_receive]
    ///     fn loaded(&mut self, loaded: &Loaded) { self.percent = loaded.percent; }
    /// }
    ///
    /// let mut ui = MessageManager::new();
    /// let bar = ui.spawn((Bar::default(),));
    /// let (inlet, header) = (ui.inlet(), Header::to(bar).build()?);
    /// let loader = thread::spawn(move || {
    ///     let patience = Duration::from_secs(1);
    ///     inlet.post(&header, Loaded { percent: 100 }, patience)
    /// });
    /// loader.join().expect("no panic")?;
    /// ui.tick(Duration::from_millis(16));
    /// assert_eq!(ui.get::<Bar>(bar)?.percent, 100);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn inlet(&self) -> Inlet {
        self.world().outside.inlet(&self.world().common.config)
    }

    /// Takes in what lies in the inlet, and returns how many messages that were. What comes meanwhile waits
    /// for the next frame, so that this ends.
    ///
    /// Taken out one by one: a panic in a handler leaves the rest where it is.
    pub(super) fn drain_inlet(&mut self) -> usize {
        let waiting = self.world().outside.inlet.get().map_or(0, Inlet::begin);
        for _ in 0..waiting {
            let letter = self.world().outside.inlet.get().and_then(Inlet::take);
            // While a log is replayed, other threads are heard as the log has it, and what they post now is dropped.
            if let Some(letter) = letter.filter(|_| self.replayed.is_none()) {
                self.take_in(letter);
            }
        }
        let Some(letters) = self.replayed.as_mut().map(std::mem::take) else {
            return waiting;
        };
        let drained = letters.len();
        for letter in letters {
            self.take_in(letter);
        }
        drained
    }

    fn take_in(&mut self, mut letter: Letter) {
        let (header, place) = (letter.header, letter.place);
        let way = match letter.asker {
            None => Way::Drained(header),
            Some(_) => Way::DrainedQuestion(header.to),
        };
        if let Some(logged) = letter.logged.take() {
            self.repeat_call(Some((place, logged)));
        }
        let message = &*letter.message;
        let _ = self.input(|| Input::Arrived(way, Sender::Outside, message, place));
        let mut asker = Unclaimed(letter.asker.take());
        let mut answer = Unclaimed(None);
        match asker.0 {
            None => self.enter(letter),
            Some(_) => answer.0 = Some(self.answer(letter)),
        }
        self.no_input().settle_outermost();
        if let (Some(asker), Some(answer)) = (asker.0.take(), answer.0.take()) {
            asker(answer.map(|AnyReply(answer)| answer).map_err(Into::into));
        }
    }

    /// Delivers a question from another thread and returns its answer.
    fn answer(&mut self, letter: Letter) -> Result<AnyReply, SendError> {
        let (facts, to) = (letter.message.facts(), letter.header.to);
        self.with_cause(letter.cause, |manager| {
            let sent = Sent::of_type(facts, manager.world(), Sender::Outside, to, letter.place);
            let message = &mut Some(letter.message);
            first_answer(facts, to, |replies| {
                sent.deliver(replies, OnBusy::Refuse, message)
            })
        })
    }

    /// Sends or posts a message from another thread. A failure is reported as a dead letter.
    fn enter(&self, letter: Letter) {
        let world = self.world();
        let (header, place) = (&letter.header, letter.place);
        let held: &mut dyn Held = &mut Some(letter.message);
        let sent = &Sent::of_type(held.facts(), world, Sender::Outside, header.to, place);
        let mut posting = Posting {
            sent,
            header,
            number: None,
        };
        if world.trace.is_on() {
            posting.trace(SentBy::Inlet, letter.cause, held.get());
        }
        let refused = if header.stage == Stage::Immediate {
            None
        } else {
            match posting.enter(held) {
                Ok(_) => return,
                Err(error) => Some(error),
            }
        };
        let record = posting.record(world.schedule.borrow().next_number);
        let posted = record.posted(world.common.time.now());
        let extras = Extras::NONE.posted(&posted).numbered(posting.number);
        let sent = sent.with(&extras);
        match refused {
            None => sent.deliver_in_full(held),
            Some(error) => sent.bury_unless_received(Err(error), held),
        }
    }
}
