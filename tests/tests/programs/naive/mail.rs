//! Mail that is published in one frame and read in the next, or in the next pass of `FixedUpdate`.

use super::world::{Id, World};
use crate::program::To;

#[derive(Clone, Debug)]
pub(super) struct Letter {
    pub(super) number: u32,
    pub(super) frame: u64,
    sender: Option<Id>,
    to: To,
    /// The one messagee that it is for.
    alone: Option<Id>,
    /// Its frame is over, and no pass of `FixedUpdate` waits for it.
    is_gone: bool,
}

impl World {
    pub(super) fn publish(
        &mut self,
        number: u32,
        me: Option<Id>,
        to: To,
    ) -> Result<(), &'static str> {
        let to = self.resolve(to, me)?;
        // Mail to a group or a family reaches those members that read it here.
        if matches!(to, To::Id(id) if self.messagees[id].is_far) {
            return Err("Elsewhere");
        }
        let alone = match to {
            To::Id(id) => Some(id),
            To::Part(part) => Some(self.parts[part].owner),
            _ => None,
        };
        self.mail.push(Letter {
            number,
            frame: self.frame_number,
            sender: me,
            to,
            alone,
            is_gone: false,
        });
        Ok(())
    }

    /// Begins a frame. Mail is kept for the next pass if a handler has read in the last one, or if the first is to come.
    pub(super) fn turn_mail(&mut self, is_first_to_come: bool) {
        let waits = is_first_to_come || self.read_in >= self.passed.max(1);
        for letter in &mut self.mail {
            let is_over = letter.frame + 1 < self.frame_number;
            letter.is_gone |= is_over && !(waits && letter.frame >= self.passed);
        }
    }

    pub(super) fn read(&self, id: Id, reaching: bool) -> Vec<u32> {
        let mail = self
            .mail
            .iter()
            .filter(|letter| letter.frame < self.frame_number && !letter.is_gone)
            .filter(|letter| {
                letter.frame >= self.window.unwrap_or(self.frame_number.saturating_sub(1))
            });
        let chosen = mail.filter(|letter| {
            if !reaching {
                return letter.alone == Some(id);
            }
            match letter.to {
                To::All => true,
                To::AllButMe => letter.sender != Some(id),
                To::Group(at) => self.groups[at].contains(&id),
                To::UpFrom(from) => self.up(from).contains(&id),
                To::DownFrom(from) => self.down(from).contains(&id),
                _ => letter.alone == Some(id),
            }
        });
        chosen.map(|letter| letter.number).collect()
    }
}
