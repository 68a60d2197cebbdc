//! The progress of a program: the objects it has made so far, and how it names them.

use std::cell::RefCell;
use std::fmt::Debug;
use std::sync::Arc;

use message_core::prelude::*;
use message_core::{Inlet, SubscriptionId, Ticket};

use crate::program::Program;

/// The progress of a program: what it has done and made so far.
#[derive(Clone)]
pub(super) struct State {
    pub(super) program: Arc<Program>,
    pub(super) inlet: Inlet,
    pub(super) log: Vec<String>,
    pub(super) aside: Vec<String>,
    pub(super) ids: Vec<MessageeId>,
    pub(super) hooks: Vec<HookId>,
    pub(super) tickets: Vec<Ticket>,
    pub(super) subscriptions: Vec<SubscriptionId>,
    pub(super) numbers: u32,
    pub(super) labels: u32,
    pub(super) left: u32,
}

thread_local! {
    /// Handlers have no other way to it: components with a save hold nothing but data.
    pub(super) static STATE: RefCell<Option<State>> = const { RefCell::new(None) };
}

pub(super) fn with<T>(work: impl FnOnce(&mut State) -> T) -> T {
    STATE.with_borrow_mut(|state| work(state.as_mut().expect("a program is running")))
}

pub(crate) fn say(line: impl Into<String>) {
    let line = line.into();
    with(|state| state.log.push(line));
}

pub(super) fn number() -> u32 {
    with(|state| {
        state.numbers += 1;
        state.numbers
    })
}

pub(super) fn label() -> u32 {
    with(|state| {
        state.labels += 1;
        state.labels
    })
}

/// Returns the program's name for a messagee.
pub(super) fn named(id: MessageeId) -> String {
    with(|state| {
        let at = state.ids.iter().position(|known| *known == id);
        at.map_or("?".into(), |at| format!("m{at}"))
    })
}

pub(super) fn at<T: Copy>(all: &[T], number: usize) -> Option<T> {
    (!all.is_empty()).then(|| all[number % all.len()])
}

pub(super) fn messagee(number: usize) -> Option<MessageeId> {
    with(|state| at(&state.ids, number))
}

/// Returns whether a messagee is a proxy.
pub(super) fn is_far(id: MessageeId) -> bool {
    with(|state| state.ids[..state.program.far].contains(&id))
}

/// Returns the name of the error, or of its kind.
pub(super) fn variant(error: &impl Debug) -> String {
    let text = format!("{error:?}");
    let kind = text
        .strip_prefix("SendError")
        .and_then(|text| text.split_once("kind: "));
    let name = kind.map_or(&*text, |(_, kind)| kind);
    // For an absence or a limit, the name says which one it is.
    let name = match name.split_once("why: ") {
        Some((absent, why)) if absent.starts_with("Absent {") => why,
        _ => name,
    };
    let limit = || name.strip_prefix("AtLimit { limit: ");
    let name = name.strip_prefix("Absent(").or_else(limit).unwrap_or(name);
    let end = name.find([' ', '(', ')', ',']).unwrap_or(name.len());
    name[..end].to_owned()
}

pub(super) fn told<T>(result: Result<T, impl Debug>, fine: impl FnOnce(T) -> String) -> String {
    match result {
        Ok(value) => fine(value),
        Err(error) => variant(&error),
    }
}
