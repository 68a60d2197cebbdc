//! Panics that reach the caller: a panic is a panic here, too.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::world::World;

/// The payload of a panic that reaches the caller of the outermost send.
struct Escaped(String);

pub(super) fn escape(words: String) -> ! {
    resume_unwind(Box::new(Escaped(words)))
}

impl World {
    /// Does a step, and catches the panic that it may end in.
    pub(super) fn caught(&mut self, step: impl FnOnce(&mut Self) -> String) -> String {
        catch_unwind(AssertUnwindSafe(|| step(self))).unwrap_or_else(|panic| {
            let escaped = panic.downcast::<Escaped>();
            let escaped = escaped.unwrap_or_else(|panic| resume_unwind(panic));
            self.stop();
            format!("caught: {}", escaped.0)
        })
    }

    /// Stops everything: nothing runs any more, the messages in transit have ended, and queued ones stay.
    fn stop(&mut self) {
        self.overhearing.clear();
        self.in_hand.clear();
        self.is_fixed = false;
        self.window = None;
        let under_way = std::mem::take(&mut self.under_way);
        let is_queued = |at: u64| !under_way.contains(&at);
        for part in &mut self.parts {
            (part.running, part.alone) = (0, false);
            part.kept.retain(|kept| is_queued(kept.sent.at));
        }
        for it in &mut self.subscriptions {
            (it.is_running, it.hands_over, it.may_go_on) = (false, false, false);
            it.kept.retain(|kept| is_queued(kept.sent.at));
        }
        for messagee in &mut self.messagees {
            let waiting = &mut messagee.waiting;
            waiting.retain(|waiting| is_queued(waiting.sent().at));
        }
    }
}
