//! The fates of all messages, as the worlds of a simulation have learned of them: heard, a dead letter, or reported as
//! lost. This uses no counts of nodes.
//!
//! For each world that was not killed, and each world that it sent to:
//!
//! - what was neither heard nor is a dead letter was reported as lost: nothing is lost silently;
//! - if neither has left, was killed or has forgotten the other, what was reported as lost was neither heard nor is it a
//!   dead letter: sent = heard + dead letters + lost, to the message. Questions are counted apart.
//!
//! Copies of a message to a group cannot be distinguished by worlds, so they are in the sums over all worlds alone.

use super::account::Account;
use super::world::World;

impl Account {
    /// Checks what each world has learned of the messages that it has sent.
    pub(super) fn check_ledger(&self, worlds: &[World], wrong: &mut Vec<String>) {
        for world in worlds.iter().filter(|world| !world.was_killed) {
            let from = world.index;
            // Copies without a fate: messages and questions to one, by world.
            let mut open = vec![[0_u64; 2]; worlds.len()];
            for copy @ (name, to) in &self.sent {
                let has_fate = self.heard.contains_key(copy) || self.dead.contains_key(copy);
                if self.home(name.0) == from && !has_fate {
                    open[*to][usize::from(self.asks.contains(name))] += 1;
                }
            }
            let is_exact = |other: &World| {
                let knows = |a: &World, b: &World| !a.forgotten.contains(&b.index);
                world.is_whole && other.is_whole && knows(world, other) && knows(other, world)
            };
            let mut shouted = self.open_shouts(from, worlds.len());
            for other in worlds.iter().filter(|other| other.index != from) {
                let to = other.index;
                let [lost, lost_questions] =
                    self.lost.get(&(from, to)).copied().unwrap_or_default();
                let [messages, questions] = open[to];
                if lost < messages {
                    wrong.push(format!(
                        "w{from} to w{to}: {messages} messages have no fate, and {lost} were reported as lost"
                    ));
                }
                if is_exact(other) && lost_questions > questions {
                    wrong.push(format!(
                        "w{from} to w{to}: {lost_questions} questions were reported as lost, and {questions} were not \
                         heard"
                    ));
                }
                // The rest are copies of shouts.
                shouted -= i64::try_from(lost.saturating_sub(messages)).expect("few");
            }
            let unresolved = self.unresolved.contains_key(&from);
            if shouted > 0 && !unresolved {
                wrong.push(format!(
                    "w{from}: {shouted} copies of shouts have no fate, and were not told as lost"
                ));
            }
            let others = worlds.iter().filter(|other| other.index != from);
            if shouted < 0 && !unresolved && others.clone().all(is_exact) {
                let more = -shouted;
                wrong.push(format!(
                    "w{from}: {more} messages were reported as lost that have another fate"
                ));
            }
        }
    }

    /// Returns the number of copies of shouts to other worlds that have no fate.
    fn open_shouts(&self, from: usize, worlds: usize) -> i64 {
        let mut open = 0;
        for (name, received) in &self.shouts {
            if self.home(name.0) != from {
                continue;
            }
            // The shouter is busy then, and is not counted.
            let near = self.heard.get(&(*name, from)).into_iter().flatten();
            let near = near.filter(|&&who| who != name.0).count();
            let has_fate = |to: usize| {
                let copy = (*name, to);
                to != from && (self.heard.contains_key(&copy) || self.dead.contains_key(&copy))
            };
            let elsewhere = self.dead_shouts.get(name).copied().unwrap_or_default();
            let known = near + elsewhere + (0..worlds).filter(|&to| has_fate(to)).count();
            open += i64::try_from(*received).expect("few") - i64::try_from(known).expect("few");
        }
        open
    }
}
