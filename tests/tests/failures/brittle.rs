//! Components that panic on request, and one that logs the lifecycle messages that the manager sends
//! about it.
#![allow(dead_code, reason = "each file of tests uses its own part of this")]
#![allow(
    clippy::unused_self,
    reason = "a handler takes its component, used or not"
)]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use message_core::PanicPolicy;
use message_core::lifecycle::{HandlerPanicked, Unhooking};
use message_core::prelude::*;

use crate::common::{Actor, Log, Note, Who};

/// Panics with that text.
#[derive(Message, Debug, Clone)]
pub(crate) struct Fall(pub(crate) &'static str);

/// Counts how often it is dropped; its `Drop` panics if `hurts` is set.
#[derive(Debug, Default)]
pub(crate) struct Dropped {
    times: Arc<AtomicUsize>,
    hurts: bool,
}

impl Dropped {
    pub(crate) fn counter(&self) -> impl Fn() -> usize + use<> {
        let times = Arc::clone(&self.times);
        move || times.load(Ordering::Relaxed)
    }

    pub(crate) fn that_hurts() -> Self {
        Self {
            times: Arc::default(),
            hurts: true,
        }
    }
}

impl Drop for Dropped {
    fn drop(&mut self) {
        self.times.fetch_add(1, Ordering::Relaxed);
        assert!(!self.hurts, "it hurts");
    }
}

/// In a cell of its own, since its handlers have contexts.
#[derive(Debug)]
pub(crate) struct Cup {
    pub(crate) name: &'static str,
    log: Log,
    dropped: Dropped,
}

impl Cup {
    pub(crate) fn new(name: &'static str, log: &Log) -> Self {
        Self::with(name, log, Dropped::default())
    }

    pub(crate) fn with(name: &'static str, log: &Log, dropped: Dropped) -> Self {
        let log = log.clone();
        Self { name, log, dropped }
    }
}

#[handlers]
impl Cup {
    #[on_receive]
    fn fall(&mut self, fall: &Fall, _: &mut Context<'_>) {
        panic!("{}", fall.0);
    }

    #[on_receive]
    fn note(&mut self, note: &Note) {
        self.log.add(format!("{}: {}", self.name, note.0));
    }

    #[on_receive(priority = 1)]
    fn who(&mut self, _: &Who, _: &mut Context<'_>) -> &'static str {
        panic!("who?");
    }

    #[on_receive]
    fn unhooking(&mut self, _: &Unhooking) {
        self.log.add(format!("{}: unhooking", self.name));
    }
}

/// Packed with others of its type, since its handlers have no contexts.
#[derive(Debug)]
pub(crate) struct Plate {
    pub(crate) name: &'static str,
    log: Log,
    dropped: Dropped,
}

impl Plate {
    pub(crate) fn new(name: &'static str, log: &Log) -> Self {
        Self::with(name, log, Dropped::default())
    }

    pub(crate) fn with(name: &'static str, log: &Log, dropped: Dropped) -> Self {
        let log = log.clone();
        Self { name, log, dropped }
    }
}

#[handlers]
impl Plate {
    #[on_receive]
    fn fall(&mut self, fall: &Fall) {
        let stands = fall.0 != self.name && fall.0 != "all";
        assert!(stands, "{}", fall.0);
        self.log.add(format!("{}: stands", self.name));
    }

    #[on_receive]
    fn note(&mut self, note: &Note) {
        self.log.add(format!("{}: {}", self.name, note.0));
    }
}

/// Logs the messages from the manager.
#[derive(Debug)]
pub(crate) struct Butler(pub(crate) Log);

#[handlers]
impl Butler {
    #[on_receive]
    fn panicked(&mut self, panicked: &HandlerPanicked, cx: &mut Context<'_>) {
        assert_eq!(cx.sender(), Sender::Manager);
        if let Some(hook) = panicked.hook {
            // It is gone already.
            let gone = cx.unhook(hook);
            assert_eq!(
                gone,
                Err(MessageeError::NotHooked {
                    hook,
                    why: Absence::Gone
                })
            );
        }
        self.0.add(format!("panicked: {}", panicked.panic));
    }

    #[on_receive]
    fn unhooking(&mut self, unhooking: &Unhooking) {
        let component = unhooking.component.rsplit("::").next();
        let component = component.unwrap_or_default();
        self.0.add(format!("unhooking {component}"));
    }
}

/// Returns a manager with that policy, its log, and the messagee of an actor.
pub(crate) fn stage_under(policy: PanicPolicy) -> (MessageManager, Log, MessageeId) {
    let config = ManagerConfig::new().panic_policy(policy);
    let (mut manager, log) = (MessageManager::with_config(config), Log::default());
    let actor = manager.spawn((Actor::new("actor", &log),));
    (manager, log, actor)
}

/// Like [`stage_under`], with [`PanicPolicy::Unhook`].
pub(crate) fn unhooking_stage() -> (MessageManager, Log, MessageeId) {
    stage_under(PanicPolicy::Unhook)
}

/// Runs a closure that may panic, then carries out what it has left. Returns whether it panicked.
pub(crate) fn panics(manager: &mut MessageManager, run: impl FnOnce(&mut MessageManager)) -> bool {
    let panicked = catch_unwind(AssertUnwindSafe(|| run(manager))).is_err();
    manager.settle();
    panicked
}
