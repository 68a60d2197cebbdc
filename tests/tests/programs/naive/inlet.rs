//! The inlet: messages posted through it are delivered when the next frame begins.

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
    /// Refuses at once what no manager would accept from outside.
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

    /// Delivers the messages in the inlet at the time of the call, each as an outermost send from outside.
    pub(super) fn drain(&mut self) {
        for _ in 0..self.inlet.len() {
            let InletLetter { message, to, head } = self.inlet.remove(0);
            self.outermost(|world| match world.post(message, None, to, head) {
                Ok(_) => {}
                Err("NotReceived") => {
                    world.too_few(message, |sent| sent.message.number == message.number);
                }
                Err("Gone") if head.tie == Tie::IfAlive => {}
                Err(why) => world.dead(message, why),
            });
        }
    }
}
