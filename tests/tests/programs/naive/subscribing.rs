//! How subscriptions are made, paused and resumed.

use std::collections::VecDeque;

use super::lines::Doer;
use super::settle::Change;
use super::world::{Id, Life, Made, Role, Subscription, World};
use crate::program::{Hears, To};

/// A filter with its numbers resolved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filter {
    pub(super) hears: Hears,
    pub(super) from: Option<Id>,
    pub(super) to: Option<To>,
}

impl World {
    /// Fails in a handler unless `id` is the handler's own messagee or was spawned in this dispatch.
    pub(super) fn may_listen_for(&self, id: Id, doer: Doer) -> Result<(), &'static str> {
        self.stays(id)?;
        let is_free = !doer.is_inside || self.messagees[id].life == Life::Coming;
        if is_free || doer.me == Some(id) {
            Ok(())
        } else {
            Err("NotOneself")
        }
    }

    /// Pauses or resumes a subscription, unless it has ended.
    pub(super) fn set_listening(&mut self, at: usize, on: bool) -> bool {
        let it = &mut self.subscriptions[at];
        if it.life == Life::Gone {
            return false;
        }
        if it.is_paused == on {
            (it.is_paused, it.switched_at) = (!on, self.sends);
            if on {
                self.changes.push_back(Change::Resumed(at));
            } else {
                it.misses_since.get_or_insert(self.retentions);
            }
        }
        true
    }

    /// Resolves the numbers of a filter; one that refers to nothing yet is not a condition.
    pub(super) fn filter(&self, hears: Hears, back: Option<Id>) -> Filter {
        Filter {
            hears,
            from: hears.from.and_then(|it| self.who(it)),
            to: hears.to.and_then(|to| self.named(to, back)),
        }
    }

    pub(super) fn subscribe(
        &mut self,
        label: u32,
        filter: Filter,
        role: Role,
        doer: Doer,
    ) -> usize {
        let at = self.enter(label, filter, role, Life::Coming);
        self.makes(Made::Subscription(at), doer);
        self.changes.push_back(Change::Subscribe(at));
        at
    }

    /// Adds something that the program can name from now on, or once the call from outside has returned.
    pub(super) fn makes(&mut self, made: Made, doer: Doer) {
        if !doer.is_inside {
            self.made = Some(made);
            return;
        }
        match made {
            Made::Subscription(at) => self.subscribed.push(at),
            Made::Ticket(number) => self.tickets.push(number),
        }
    }

    pub(super) fn enter(&mut self, label: u32, filter: Filter, role: Role, life: Life) -> usize {
        let owner = match role {
            Role::Overhears(id) => Some(id),
            _ => None,
        };
        let Filter { hears, from, to } = filter;
        self.subscriptions.push(Subscription {
            label,
            hears,
            from,
            to,
            role,
            owner,
            life,
            is_paused: false,
            switched_at: 0,
            misses_since: Some(0),
            had: Vec::new(),
            missed: VecDeque::new(),
            is_running: false,
            is_promised: false,
            hands_over: false,
            may_go_on: false,
            used_up_by: None,
            kept: VecDeque::new(),
        });
        self.subscriptions.len() - 1
    }
}
