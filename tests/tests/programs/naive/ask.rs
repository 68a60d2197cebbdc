//! Messages that cannot wait: requests and in–out messages.

use super::reach::{Asks, Reach};
use super::send::Receipt;
use super::world::{Id, Life, World};
use crate::program::{End, Kind, To};

impl World {
    /// Returns the receivers of a message that cannot wait; fails if one is busy or not yet alive.
    pub(super) fn at_once(&self, reach: &Reach, asks: Asks) -> Result<Vec<usize>, &'static str> {
        if let Reach::Several(ids) = reach {
            // Those before the first one that is busy.
            let is_busy = |id: &Id| {
                let parts = self.in_order(*id, asks).into_iter();
                let mut parts = parts.filter(|&part| self.receives(part));
                parts.any(|part| self.is_running(part, asks))
            };
            let before: Vec<&Id> = ids.iter().take_while(|id| !is_busy(id)).collect();
            if before.iter().any(|id| self.messagees[**id].is_far) {
                return Err("Elsewhere");
            }
            let is_coming = |id: &Id| {
                let it = &self.messagees[*id];
                it.life == Life::Coming && !it.is_leaving
            };
            if before.iter().any(|id| is_coming(id)) {
                return Err("NotYetThere");
            }
        }
        if let Reach::Part(part) = reach
            && self.parts[*part].life == Life::Coming
        {
            return Err("NotYetThere");
        }
        let receivers = self.receivers(reach, asks);
        let receivers: Vec<usize> = receivers
            .into_iter()
            .filter(|&part| self.receives(part))
            .collect();
        if receivers.iter().any(|&part| self.is_running(part, asks)) {
            return Err("Busy");
        }
        Ok(receivers)
    }

    /// Its script does; a quick one runs none.
    pub(super) fn ends_in_panic(&self, part: usize) -> bool {
        let part = &self.parts[part];
        part.kind != Kind::Quick && self.program.scripts[part.script].end == End::Panics
    }

    /// Sends an in–out message, and returns what each receiver writes.
    pub(super) fn tour(
        &mut self,
        me: Option<Id>,
        to: To,
    ) -> (Result<Receipt, &'static str>, Vec<u32>) {
        self.hand_over_to_freed();
        let receivers = self
            .resolve(to, me)
            .and_then(|to| self.at_once(&self.reach(to, me), Asks::Tour));
        match receivers {
            Err(error) => (Err(error), Vec::new()),
            Ok(parts) => {
                let receipt = Receipt {
                    received: parts.len(),
                    ..Receipt::default()
                };
                let mut seen = Vec::new();
                for part in parts {
                    if self.ends_in_panic(part) {
                        self.panics(part, 0);
                    } else {
                        seen.push(self.parts[part].label);
                    }
                }
                (Ok(receipt), seen)
            }
        }
    }

    /// Returns the answers, the first alone or all.
    pub(super) fn ask(
        &mut self,
        number: u32,
        me: Option<Id>,
        to: To,
        all: bool,
    ) -> Result<Vec<u32>, &'static str> {
        self.hand_over_to_freed();
        let to = self.resolve(to, me)?;
        let receivers = self.at_once(&self.reach(to, me), Asks::Ask)?;
        let mut answers = Vec::new();
        for part in receivers {
            let (label, kind) = (self.parts[part].label, self.parts[part].kind);
            self.say(format!("c{label} is asked {number}"));
            if self.ends_in_panic(part) {
                self.panics(part, number);
                continue;
            }
            if kind == Kind::Calm || label % 2 == 1 {
                answers.push(label);
                if !all {
                    return Ok(answers);
                }
            }
        }
        if all || !answers.is_empty() {
            Ok(answers)
        } else {
            Err("NoAnswer")
        }
    }
}
