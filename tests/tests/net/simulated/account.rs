//! The balance of a simulation: who sent what, who heard it, and what was reported.
//!
//! A message is identified by its sender and its number there; a copy of it also by its destination world. What the
//! worlds themselves have learned of each copy is in the [`ledger`](super::ledger). In addition, these equations hold
//! between the counts of two nodes that existed all the time and have not forgotten each other:
//!
//! - sent = handed over + reported as undelivered;
//! - handed over = received there + refused there with a reason that arrived + reported as lost;
//! - received there = heard there + dead letters there (posts whose receiver has ended meanwhile) +
//!   questions that were answered without a handler (the mnemonic is unbound).
//!
//! If the receiving world was killed or has left, it is unknown which of the last messages it received: the
//! number reported as lost is then at least what was lost, and at most what it was sent.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use message_core::prelude::*;
use message_net::{PeerCounts, Reach};

use super::actor::{Actor, Step};
use super::world::{Living, Told, World, world_name};

/// The sender, and its number there.
pub(super) type Name = (u64, u64);

#[derive(Default)]
pub(crate) struct Account {
    /// The worlds of the actors.
    homes: Vec<usize>,
    /// Copies sent to a single messagee.
    pub(super) sent: BTreeSet<(Name, usize)>,
    /// How many copies of shouts were sent, local ones included.
    pub(super) shouts: BTreeMap<Name, u64>,
    /// To a proxy that ended before it was seen.
    pub(super) unresolved: BTreeMap<usize, u64>,
    pub(super) asks: BTreeSet<Name>,
    /// The receivers of each copy, by world.
    pub(super) heard: BTreeMap<(Name, usize), Vec<u64>>,
    /// Dead letters: at which world, and to which.
    pub(super) dead: BTreeMap<(Name, usize), Vec<usize>>,
    /// Dead letters of shouts to worlds that are not known.
    pub(super) dead_shouts: BTreeMap<Name, usize>,
    /// Messages and questions reported as lost, by sending and receiving world.
    pub(super) lost: BTreeMap<(usize, usize), [u64; 2]>,
    /// The counts of each world's last node for another world.
    counts: BTreeMap<(usize, usize), PeerCounts>,
    /// The counts of the nodes before it.
    before: BTreeMap<(usize, usize), [u64; 2]>,
    /// The last ordered message heard from each sender, by receiver.
    last: BTreeMap<(u64, u64), u64>,
    seen: BTreeSet<(u64, Name)>,
    forgiven: BTreeSet<u64>,
    pub(crate) wrong: Vec<String>,
    pub(crate) digests: Vec<u64>,
    pub(crate) replayed: u64,
    pub(crate) answers: u64,
    pub(crate) watched: u64,
}

/// The totals of a simulation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sums {
    pub(crate) sent: u64,
    pub(crate) heard: u64,
    pub(crate) dead: u64,
    pub(crate) lost: u64,
    pub(crate) refused: u64,
    pub(crate) asks: u64,
    pub(crate) answers: u64,
    pub(crate) watched: u64,
    /// Pairs of worlds whose balance is exact, and others.
    pub(crate) exact: u64,
    pub(crate) bounded: u64,
}

impl Account {
    pub(crate) fn wrong(&mut self, what: String) {
        if self.wrong.len() < 20 {
            self.wrong.push(what);
        }
    }

    pub(crate) fn newcomer(&mut self, world: usize) -> u64 {
        self.homes.push(world);
        self.homes.len() as u64 - 1
    }

    pub(super) fn home(&self, who: u64) -> usize {
        self.homes[usize::try_from(who).expect("a place")]
    }

    pub(crate) fn digest(&mut self, digest: u64) {
        self.digests.push(digest);
    }

    pub(crate) fn waits_no_more(&mut self, who: &[u64]) {
        self.forgiven.extend(who);
    }

    pub(crate) fn sent_outside(&mut self, name: Name, to: usize) {
        self.sent.insert((name, to));
    }

    pub(crate) fn read(
        &mut self,
        world: usize,
        living: &mut Living,
        actor: &Actor,
        far: &BTreeMap<MessageeId, usize>,
    ) {
        let [sent, heard] = &mut living.read;
        for one in &actor.sent[*sent..] {
            let name = (living.who, one.n);
            if one.is_ask {
                self.asks.insert(name);
            }
            match one.to.map(|to| far.get(&to)) {
                None => drop(self.shouts.insert(name, one.received)),
                Some(Some(&to)) => drop(self.sent.insert((name, to))),
                Some(None) => *self.unresolved.entry(world).or_default() += 1,
            }
        }
        for one in &actor.heard[*heard..] {
            let name = (one.who, one.n);
            if !self.seen.insert((living.who, name)) {
                let who = living.who;
                self.wrong(format!("actor {who} has heard {name:?} twice"));
            }
            self.heard
                .entry((name, world))
                .or_default()
                .push(living.who);
            if !one.is_late {
                let last = self.last.insert((living.who, one.who), one.n);
                if last.is_some_and(|last| last >= one.n) {
                    let who = living.who;
                    self.wrong(format!("actor {who} has heard {name:?} behind {last:?}"));
                }
            }
        }
        (*sent, *heard) = (actor.sent.len(), actor.heard.len());
    }

    /// Checks an actor at its end.
    pub(crate) fn ended(&mut self, actor: &Actor) {
        let who = actor.who;
        for (ticket, came) in &actor.answers {
            if !actor.asked.contains(ticket) {
                self.wrong(format!("actor {who} has an answer to nothing: {came:?}"));
            }
        }
        let mut tickets: Vec<_> = actor.answers.iter().map(|(ticket, _)| ticket).collect();
        self.answers += tickets.len() as u64;
        tickets.sort_unstable();
        let all = tickets.len();
        tickets.dedup();
        if tickets.len() < all {
            self.wrong(format!("actor {who} has two answers to one question"));
        }
        let mut state: BTreeMap<MessageeId, (bool, Option<Reach>)> = BTreeMap::new();
        for &(proxy, step) in &actor.steps {
            let (watches, last) = state.entry(proxy).or_default();
            let is_well = match step {
                Step::Watches => {
                    let is_well = *last != Some(Reach::Ended);
                    if !*watches {
                        (*watches, *last) = (true, None);
                    }
                    is_well
                }
                Step::Unwatches => {
                    *watches = false;
                    true
                }
                Step::Told(reach) => {
                    self.watched += 1;
                    let is_well = *watches && *last != Some(reach) && *last != Some(Reach::Ended);
                    *last = Some(reach);
                    is_well
                }
            };
            if !is_well {
                let steps: Vec<_> = actor.steps.iter().filter(|step| step.0 == proxy).collect();
                self.wrong(format!("actor {who} received {step:?}: {steps:?}"));
                break;
            }
        }
    }

    /// Checks that every question of an actor has been answered.
    pub(crate) fn all_answered(&mut self, actor: &Actor) {
        if actor.answers.len() != actor.asked.len() {
            let (who, asked, answers) = (actor.who, actor.asked.len(), actor.answers.len());
            self.wrong(format!(
                "actor {who} has asked {asked} times and has {answers} answers"
            ));
        }
    }

    pub(crate) fn count(&mut self, of: (usize, usize), counts: PeerCounts, is_end: bool) {
        if is_end {
            self.counts.insert(of, counts);
        } else {
            let [received, refused] = self.before.entry(of).or_default();
            *received += counts.received;
            *refused += counts.refused_here;
        }
    }

    /// Returns the world that a message to one messagee was sent to.
    fn world_sent_to(&self, name: Name) -> Option<usize> {
        let copies = self.sent.range((name, 0)..=(name, usize::MAX));
        copies.map(|copy| copy.1).next()
    }

    pub(crate) fn told(&mut self, world: usize, told: &Told, far: &BTreeMap<MessageeId, usize>) {
        for &(to, who, n) in &told.dead {
            let name = (who, n);
            let to = if self.home(who) == world {
                // A later proxy for the same target may have ended before it was seen.
                let known = to.and_then(|to| far.get(&to).copied());
                known.or_else(|| self.world_sent_to(name))
            } else {
                Some(world)
            };
            if let Some(to) = to {
                self.dead.entry((name, to)).or_default().push(world);
            } else if self.shouts.contains_key(&name) {
                *self.dead_shouts.entry(name).or_default() += 1;
            }
        }
        for (node, [messages, questions]) in &told.lost {
            let to = node[1..].parse().expect("a number");
            let lost = self.lost.entry((world, to)).or_default();
            lost[0] += messages;
            lost[1] += questions;
        }
        for trouble in &told.trouble {
            if trouble.contains("cannot be read") {
                self.wrong(format!("{} received: {trouble}", world_name(world)));
            }
        }
    }

    /// Checks the balance of all worlds.
    pub(crate) fn check(&mut self, worlds: &[World]) -> Sums {
        let mut sums = Sums {
            sent: self.sent.len() as u64,
            asks: self.asks.len() as u64,
            answers: self.answers,
            watched: self.watched,
            ..Sums::default()
        };
        let mut wrong = Vec::new();
        // Each copy has at most one fate.
        let mut heard: BTreeMap<(usize, usize), u64> = BTreeMap::new();
        for &((who, n), to) in self.heard.keys() {
            if self.home(who) == to {
                continue;
            }
            *heard.entry((self.home(who), to)).or_default() += 1;
            sums.heard += 1;
            let is_known =
                self.sent.contains(&((who, n), to)) || self.shouts.contains_key(&(who, n));
            let from = self.home(who);
            if !is_known && !self.unresolved.contains_key(&from) {
                wrong.push(format!("({who}, {n}) was heard at w{to} and never sent"));
            }
        }
        let mut buried_there: BTreeMap<(usize, usize), u64> = BTreeMap::new();
        let mut given_up: BTreeMap<(usize, usize), u64> = BTreeMap::new();
        for (copy @ ((who, n), to), at) in &self.dead {
            let from = self.home(*who);
            if from == *to {
                continue;
            }
            sums.dead += 1;
            if at.len() > 1 {
                wrong.push(format!(
                    "({who}, {n}) to w{to} is a dead letter twice: at {at:?}"
                ));
            }
            let is_unsure = !worlds[from].is_whole || !worlds[*to].is_whole;
            if self.heard.contains_key(copy) && !(is_unsure && at[0] == from) {
                wrong.push(format!(
                    "({who}, {n}) to w{to} was heard, and is a dead letter"
                ));
            }
            if !self.sent.contains(copy) && !self.shouts.contains_key(&(*who, *n)) {
                // It was sent to a proxy that had ended.
                continue;
            }
            let dead = if at[0] == from {
                &mut given_up
            } else {
                &mut buried_there
            };
            *dead.entry((from, *to)).or_default() += 1;
        }
        let mut sent: BTreeMap<(usize, usize), u64> = BTreeMap::new();
        for ((who, _), to) in &self.sent {
            *sent.entry((self.home(*who), *to)).or_default() += 1;
        }
        for world in worlds.iter().filter(|world| world.is_whole) {
            self.balance(
                world.index,
                worlds,
                (&heard, &buried_there, &given_up, &sent),
                &mut sums,
                &mut wrong,
            );
        }
        self.check_ledger(worlds, &mut wrong);
        for what in wrong {
            self.wrong(what);
        }
        sums
    }

    #[allow(clippy::type_complexity, reason = "four sums of one kind")]
    fn balance(
        &self,
        from: usize,
        worlds: &[World],
        (heard, buried_there, given_up, sent): (
            &BTreeMap<(usize, usize), u64>,
            &BTreeMap<(usize, usize), u64>,
            &BTreeMap<(usize, usize), u64>,
            &BTreeMap<(usize, usize), u64>,
        ),
        sums: &mut Sums,
        wrong: &mut Vec<String>,
    ) {
        let of = |map: &BTreeMap<(usize, usize), u64>, pair| map.get(&pair).copied().unwrap_or(0);
        let mut all = 0;
        for (to, other) in worlds.iter().enumerate() {
            let (pair, back) = ((from, to), (to, from));
            if from == to {
                continue;
            }
            let here = self.counts.get(&pair).copied().unwrap_or_default();
            let there = self.counts.get(&back).copied().unwrap_or_default();
            let [before_received, before_refused] =
                self.before.get(&back).copied().unwrap_or_default();
            let received = there.received + before_received;
            let refused = there.refused_here + before_refused;
            let lost: u64 = self.lost.get(&pair).into_iter().flatten().sum();
            all += here.sent + here.undelivered;
            sums.lost += lost;
            sums.refused += refused;
            if worlds[from].forgotten.contains(&to) || other.forgotten.contains(&from) {
                // The counts have begun again.
                sums.bounded += 1;
                continue;
            }
            let (heard, buried_there) = (of(heard, pair), of(buried_there, pair));
            let mut balance = String::new();
            let _ = write!(
                balance,
                "w{from} to w{to}: {here:?}; there {there:?} and before {before_received}, \
                 {before_refused}; heard {heard}, dead here {}, dead there {buried_there}, lost {lost}, \
                 sent to one {}",
                of(given_up, pair),
                of(sent, pair),
            );
            if here.lost != lost {
                wrong.push(format!("counted lost is not told: {balance}"));
            }
            // Questions that nobody there has answered: no handler ran, and the answer says so.
            let asks = self.asks.iter().map(|name| (*name, to));
            let asks = asks.filter(|copy| self.home(copy.0.0) == from && self.sent.contains(copy));
            let unheard = asks.filter(|copy| !self.heard.contains_key(copy)).count() as u64;
            let met = heard + buried_there;
            if !(met..=met + unheard).contains(&received) {
                wrong.push(format!("what was received was not heard: {balance}"));
            }
            if here.sent + here.undelivered < of(sent, pair) {
                wrong.push(format!("silent at the sender: {balance}"));
            }
            if of(given_up, pair) > here.undelivered + here.refused_there {
                wrong.push(format!("too many dead letters: {balance}"));
            }
            if other.is_whole {
                sums.exact += 1;
                // A refusal whose reason did not arrive counts as lost.
                let untold = refused.checked_sub(here.refused_there);
                if untold.is_none_or(|untold| here.sent + untold != received + refused + lost) {
                    wrong.push(format!("the balance is not exact: {balance}"));
                }
            } else {
                sums.bounded += 1;
                if here.sent > received + refused + lost || lost > here.sent {
                    wrong.push(format!("lost and not told: {balance}"));
                }
            }
        }
        let mut meant = self.unresolved.get(&from).copied().unwrap_or(0);
        meant += self
            .sent
            .iter()
            .filter(|((who, _), _)| self.home(*who) == from)
            .count() as u64;
        for (name, received) in &self.shouts {
            if self.home(name.0) == from {
                // The shouter is busy then, and is not counted.
                let near = self.heard.get(&(*name, from)).into_iter().flatten();
                meant += received - near.filter(|&&who| who != name.0).count() as u64;
            }
        }
        if all != meant && worlds[from].forgotten.is_empty() {
            wrong.push(format!(
                "w{from}: {meant} were sent, and {all} handed over or undelivered"
            ));
        }
    }
}
