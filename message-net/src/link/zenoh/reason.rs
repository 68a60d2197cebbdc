//! Finding out why zenoh could not open a session.
//!
//! If a client cannot reach its router, zenoh's error says only that. The reason, such as a refused connection
//! or certificate, goes to zenoh's log. The attempt is made in the thread of the link, so a `tracing`
//! subscriber for that thread alone receives it. It forwards everything to the previous subscriber.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use tracing::dispatcher::{self, Dispatch};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

/// Calls `work`, and returns its result together with the warnings that zenoh logged in this thread in the
/// meantime.
pub(super) fn listen<T>(work: impl FnOnce() -> T) -> (T, Vec<String>) {
    let heard: Arc<Mutex<Vec<String>>> = Arc::default();
    let listener = Listener {
        before: dispatcher::get_default(Dispatch::clone),
        heard: Arc::clone(&heard),
    };
    let result = dispatcher::with_default(&Dispatch::new(listener), work);
    let warnings = std::mem::take(&mut *heard.lock().unwrap_or_else(PoisonError::into_inner));
    (result, warnings)
}

/// Removes the locations in zenoh's source code from one of zenoh's errors: ` at …/file.rs:12.`
pub(super) fn plain(error: &str) -> String {
    let mut plain = String::with_capacity(error.len());
    let mut words = error.split(' ').peekable();
    while let Some(word) = words.next() {
        if word == "at" && words.next_if(|next| next.contains(".rs:")).is_some() {
            continue;
        }
        if !plain.is_empty() {
            plain.push(' ');
        }
        plain += word;
    }
    plain
}

struct Listener {
    before: Dispatch,
    heard: Arc<Mutex<Vec<String>>>,
}

fn is_wanted(metadata: &Metadata<'_>) -> bool {
    metadata.is_event()
        && *metadata.level() <= Level::WARN
        && metadata.target().starts_with("zenoh")
}

impl Subscriber for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        is_wanted(metadata) || self.before.enabled(metadata)
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        self.before.new_span(span)
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        self.before.record(span, values);
    }

    fn record_follows_from(&self, span: &Id, follows: &Id) {
        self.before.record_follows_from(span, follows);
    }

    fn event(&self, event: &Event<'_>) {
        if is_wanted(event.metadata()) {
            let mut text = Text(String::new());
            event.record(&mut text);
            let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
            heard.push(text.0);
        }
        if self.before.enabled(event.metadata()) {
            self.before.event(event);
        }
    }

    fn enter(&self, span: &Id) {
        self.before.enter(span);
    }

    fn exit(&self, span: &Id) {
        self.before.exit(span);
    }

    fn clone_span(&self, id: &Id) -> Id {
        self.before.clone_span(id)
    }

    fn try_close(&self, id: Id) -> bool {
        self.before.try_close(id)
    }
}

/// The message of an event.
struct Text(String);

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() == "message" {
            self.0 = format!("{value:?}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_of_zenoh_are_heard() {
        let (result, heard) = listen(|| {
            tracing::warn!(target: "zenoh::net", "refused {}", 1);
            tracing::info!(target: "zenoh::net", "less");
            tracing::warn!(target: "elsewhere", "other");
            7
        });
        assert_eq!((result, heard), (7, vec!["refused 1".to_owned()]));
        assert!(listen(|| ()).1.is_empty());
    }

    #[test]
    fn places_in_the_source_are_taken_out() {
        let error = "Unable to connect at dawn! refused at /a/src/b.rs:12. - more at /c.rs:3.";
        assert_eq!(plain(error), "Unable to connect at dawn! refused - more");
    }
}
