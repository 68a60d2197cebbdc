//! The inlet: what is posted through it is delivered when the next frame begins.

use super::clock::contradicts_itself;
use super::world::{Message, World};
use crate::program::{Head, Tie, To};

#[derive(Clone, Debug)]
pub(super) struct InletLetter {
    message: Message,
    to: To,
    head: Head,
}

impl World {
    /// What no manager would take from outside is refused at once.
    pub(super) fn post_through_inlet(
        &mut self,
        message: Message,
        to: To,
        head: Head,
    ) -> Result<(), &'static str> {
        let needs_sender = matches!(to, To::Myself | To::AllButMe) || head.tie == Tie::Bound;
        if needs_sender || contradicts_itself(head) {
            return Err("Refused");
        }
        self.inlet.push(InletLetter { message, to, head });
        Ok(())
    }

    /// As much as lies in the inlet when this begins, each an outermost send from outside.
    pub(super) fn drain(&mut self) {
        for _ in 0..self.inlet.len() {
            let InletLetter { message, to, head } = self.inlet.remove(0);
            self.outermost(|world| match world.post(message, None, to, head) {
                Ok(_) => {}
                Err("NotReceived") => world.too_few(message, false),
                Err("Gone" | "HookGone") if head.tie == Tie::IfAlive => {}
                Err(why) => world.dead(message, why),
            });
        }
    }
}
