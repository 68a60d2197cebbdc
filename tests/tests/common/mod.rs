//! Helpers shared by the tests of the contract: a log, messages that record what happened, and components
//! that do what a test asks of them.
#![allow(dead_code, reason = "each program uses its own part of this")]
#![allow(
    clippy::unused_self,
    reason = "a handler takes its component, used or not"
)]

use std::error::Error;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use message_core::prelude::*;

/// The return type of a test, so that it can use `?`.
pub(crate) type Tested = Result<(), Box<dyn Error>>;

/// Returns the name of an error's variant, or of its kind.
pub(crate) fn variant(error: &impl Debug) -> String {
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

/// A log of what happened, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    pub(crate) fn add(&self, entry: impl Into<String>) {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.push(entry.into());
    }

    /// Returns everything logged since the last call.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A word that its receiver logs after its own name.
#[derive(Message, Debug, Clone)]
pub(crate) struct Note(pub(crate) &'static str);

/// Like [`Note`], but handled with `&self`.
#[derive(Message, Debug, Clone)]
pub(crate) struct Peek(pub(crate) &'static str);

/// Each receiver adds its name, in the message itself.
#[derive(Message, Debug, Default)]
pub(crate) struct Tour(pub(crate) Vec<&'static str>);

/// Asks for the name.
#[derive(Message)]
#[message(reply = &'static str)]
pub(crate) struct Who;

/// Like [`Who`], but handled with `&self`.
#[derive(Message)]
#[message(reply = &'static str)]
pub(crate) struct Glance;

type Script = Box<dyn FnOnce(&mut Context<'_>) + Send>;

/// A script that the receiver runs in its handler.
#[derive(Message)]
pub(crate) struct Do(Option<Script>);

impl Do {
    pub(crate) fn new(script: impl FnOnce(&mut Context<'_>) + Send + 'static) -> Self {
        Self(Some(Box::new(script)))
    }

    pub(crate) fn run(&mut self, cx: &mut Context<'_>) {
        if let Some(script) = self.0.take() {
            script(cx);
        }
    }
}

/// Like [`Do`], but handled with `&self`.
#[derive(Message)]
pub(crate) struct Consider(Do);

impl Consider {
    pub(crate) fn new(script: impl FnOnce(&mut Context<'_>) + Send + 'static) -> Self {
        Self(Do::new(script))
    }
}

/// Runs the scripts it receives; busy while they run.
#[derive(Debug)]
pub(crate) struct Actor {
    pub(crate) name: &'static str,
    log: Log,
}

impl Actor {
    pub(crate) fn new(name: &'static str, log: &Log) -> Self {
        let log = log.clone();
        Self { name, log }
    }
}

#[handlers]
impl Actor {
    #[on_receive]
    fn act(&mut self, script: &mut Do, cx: &mut Context<'_>) {
        script.run(cx);
    }

    #[on_receive]
    fn consider(&self, script: &mut Consider, cx: &mut Context<'_>) {
        script.0.run(cx);
    }

    #[on_receive]
    fn note(&mut self, note: &Note) {
        self.log.add(format!("{}: {}", self.name, note.0));
    }

    #[on_receive]
    fn peek(&self, peek: &Peek) {
        self.log.add(format!("{}: {}", self.name, peek.0));
    }

    #[on_receive]
    fn tour(&mut self, tour: &mut Tour) {
        tour.0.push(self.name);
    }

    #[on_receive]
    fn who(&mut self, _: &Who) -> &'static str {
        self.name
    }

    #[on_receive]
    fn glance(&self, _: &Glance) -> &'static str {
        self.name
    }
}

/// Hears, and never acts: no handler has a context, so it is never busy.
#[derive(Debug)]
pub(crate) struct Ear {
    pub(crate) name: &'static str,
    log: Log,
}

impl Ear {
    pub(crate) fn new(name: &'static str, log: &Log) -> Self {
        let log = log.clone();
        Self { name, log }
    }
}

#[handlers]
impl Ear {
    #[on_receive]
    fn note(&mut self, note: &Note) {
        self.log.add(format!("{}: {}", self.name, note.0));
    }

    #[on_receive]
    fn peek(&self, peek: &Peek) {
        self.log.add(format!("{}: {}", self.name, peek.0));
    }

    #[on_receive]
    fn tour(&self, tour: &mut Tour) {
        tour.0.push(self.name);
    }

    #[on_receive]
    fn who(&self, _: &Who) -> &'static str {
        self.name
    }
}

/// Returns a manager, its log, and the messagee of an [`Actor`] named `actor` to act from.
pub(crate) fn stage() -> (MessageManager, Log, MessageeId) {
    let (mut manager, log) = (MessageManager::new(), Log::default());
    let actor = manager.spawn((Actor::new("actor", &log),));
    (manager, log, actor)
}

/// Hands something out of a script.
pub(crate) fn slot<T: Send + 'static>() -> (impl FnOnce(T) + Send, impl FnOnce() -> T) {
    let (put, get) = std::sync::mpsc::channel();
    let put = move |value| put.send(value).expect("it is awaited");
    (put, move || get.recv().expect("it was put"))
}

/// Returns the hook of the first component that is attached to this messagee.
pub(crate) fn first_hook(manager: &MessageManager, id: MessageeId) -> HookId {
    manager.hooks(id).next().expect("it has a component")
}

/// Runs a closure that panics, and returns the text of the panic.
pub(crate) fn panic_of<T>(run: impl FnOnce() -> T) -> String {
    let Err(panic) = catch_unwind(AssertUnwindSafe(run)) else {
        panic!("nothing panicked");
    };
    match panic.downcast::<&'static str>() {
        Ok(text) => (*text).to_owned(),
        Err(panic) => *panic.downcast::<String>().expect("a panic with a text"),
    }
}
