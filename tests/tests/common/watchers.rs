//! Components that handle lifecycle messages. They are not in `common/mod.rs`: once any component in
//! a binary handles farewells, despawning and unhooking take a different path there.
#![allow(dead_code, reason = "each program uses its own part of this")]

use message_core::lifecycle::{Despawning, Hooked, Unhooking};
use message_core::prelude::*;

use crate::common::{Log, Note};

/// Logs the lifecycle messages from the manager.
pub(crate) struct Clerk {
    pub(crate) name: &'static str,
    log: Log,
}

impl Clerk {
    pub(crate) fn new(name: &'static str, log: &Log) -> Self {
        let log = log.clone();
        Self { name, log }
    }

    fn add(&self, what: &str, component: &str) {
        let component = component.rsplit("::").next().unwrap_or_default();
        self.log.add(format!("{}: {what}{component}", self.name));
    }
}

#[handlers]
impl Clerk {
    #[on_receive]
    fn hooked(&mut self, hooked: &Hooked) {
        self.add("hooked ", hooked.component);
    }

    #[on_receive]
    fn unhooking(&mut self, unhooking: &Unhooking) {
        self.add("unhooking ", unhooking.component);
    }

    #[on_receive]
    fn despawning(&mut self, _: &Despawning) {
        self.add("despawning", "");
    }

    #[on_receive]
    fn note(&mut self, note: &Note) {
        self.add(note.0, "");
    }
}

/// Runs whenever the manager reports a component that is hooked or unhooked.
type Reaction = Box<dyn FnMut(&mut Context<'_>) + Send>;

#[derive(Default)]
pub(crate) struct Reacting {
    hooked: Option<Reaction>,
    unhooking: Option<Reaction>,
    despawning: Option<Reaction>,
}

impl Reacting {
    pub(crate) fn to_hooked(reaction: impl FnMut(&mut Context<'_>) + Send + 'static) -> Self {
        Self {
            hooked: Some(Box::new(reaction)),
            ..Self::default()
        }
    }

    pub(crate) fn to_unhooking(reaction: impl FnMut(&mut Context<'_>) + Send + 'static) -> Self {
        Self {
            unhooking: Some(Box::new(reaction)),
            ..Self::default()
        }
    }

    pub(crate) fn to_despawning(reaction: impl FnMut(&mut Context<'_>) + Send + 'static) -> Self {
        Self {
            despawning: Some(Box::new(reaction)),
            ..Self::default()
        }
    }
}

#[handlers]
impl Reacting {
    #[on_receive]
    fn hooked(&mut self, _: &Hooked, cx: &mut Context<'_>) {
        if let Some(reaction) = &mut self.hooked {
            reaction(cx);
        }
    }

    #[on_receive]
    fn unhooking(&mut self, _: &Unhooking, cx: &mut Context<'_>) {
        if let Some(reaction) = &mut self.unhooking {
            reaction(cx);
        }
    }

    #[on_receive]
    fn despawning(&mut self, _: &Despawning, cx: &mut Context<'_>) {
        if let Some(reaction) = &mut self.despawning {
            reaction(cx);
        }
    }
}
