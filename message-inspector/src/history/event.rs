//! An event as sent to a page: the fields of a recording in JSON lines, plus ids.

use message_core::Tag;
use message_core::error::Receiver;
use message_core::trace::{TraceEvent, TraceId, Traced};
use message_core::{MessageeId, Recipient};
use serde_json::{Map, Value};

fn kind_of(what: &Traced) -> &'static str {
    match what {
        Traced::Sent { .. } => "sent",
        Traced::Arrived { .. } => "arrived",
        Traced::Called { .. } => "called",
        Traced::Erred { .. } => "erred",
        Traced::Returned { .. } => "returned",
        Traced::PassedOver { .. } => "passed over",
        Traced::Unhandled { .. } => "unhandled",
        Traced::Waits { .. } => "waits",
        Traced::Settled { .. } => "settled",
        Traced::Refused { .. } => "refused",
        Traced::Died { .. } => "died",
        Traced::Cancelled => "cancelled",
        Traced::Replaced => "replaced",
        _ => "unknown",
    }
}

/// The fields that an event has.
struct Fields(Map<String, Value>);

impl Fields {
    fn put(&mut self, field: &str, value: impl Into<Value>) {
        self.0.insert(field.to_owned(), value.into());
    }

    fn put_some(&mut self, field: &str, value: Option<impl Into<Value>>) {
        if let Some(value) = value {
            self.put(field, value);
        }
    }

    /// Adds a messagee in words, with its name and id in separate fields.
    fn put_who(&mut self, field: &str, words: String, id: Option<MessageeId>) {
        self.put(field, words);
        let Some(id) = id else { return };
        self.put(&format!("{field}_id"), format!("{id:#}"));
        if let Some(name) = name_of(id) {
            self.put(&format!("{field}_name"), name);
        }
    }
}

/// Returns the name of a messagee, as its id prints it: `3v1 "orc"`.
pub(crate) fn name_of(id: MessageeId) -> Option<String> {
    let printed = id.to_string();
    let name = printed.split_once(' ')?.1;
    // `Debug` escapes it like a JSON string, apart from a few escapes.
    let read = serde_json::from_str(name).ok();
    Some(read.unwrap_or_else(|| name.trim_matches('"').to_owned()))
}

/// Returns the messagee that a recipient refers to.
pub(crate) fn messagee_of(recipient: Recipient) -> Option<MessageeId> {
    match recipient {
        Recipient::Id(id) | Recipient::Up(id) | Recipient::Down(id) => Some(id),
        _ => None,
    }
}

fn nanoseconds(time: std::time::Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

pub(crate) fn told(event: &TraceEvent) -> Value {
    let mut all = Fields(Map::new());
    all.put("event", kind_of(&event.what));
    all.put_some("send", event.send.map(TraceId::get));
    all.put_some("delivery", event.what.delivery().map(TraceId::get));
    all.put("message", event.message);
    let tags: Vec<_> = event.tags.iter().map(Tag::name).collect();
    if !tags.is_empty() {
        all.put("tags", tags);
    }
    let sender = format!("{:#}", event.sender);
    all.put_who("sender", sender, event.sender.id());
    let recipient = format!("{:#}", event.recipient);
    all.put_who("recipient", recipient, messagee_of(event.recipient));
    if let Some(receiver) = event.what.receiver() {
        all.put_who("receiver", format!("{receiver:#}"), receiver.messagee());
        if let Receiver::Component { component, .. } = receiver {
            all.put("component", component);
        }
    }
    all.put("frame", event.moment.frame);
    all.put("time", nanoseconds(event.moment.time));
    all.put("wall", nanoseconds(event.wall));
    match &event.what {
        Traced::Sent {
            cause,
            by,
            place,
            stage,
            contents,
        } => {
            all.put_some("cause", cause.map(TraceId::get));
            all.put("by", by.name());
            all.put("place", place.to_string());
            all.put("stage", format!("{stage:?}"));
            all.put_some("contents", contents.clone());
        }
        Traced::Arrived { of } => {
            all.put("from", &*of.manager);
            all.put("from_send", of.send);
            all.put("place", &*of.place);
        }
        Traced::Called { hook, handler, .. } => {
            all.put_some("hook", hook.map(|hook| hook.to_string()));
            all.put_some("handler", *handler);
        }
        Traced::Settled { receipt } => {
            all.put("received", receipt.received);
            all.put("pending", receipt.pending);
        }
        what => all.put_some("why", why(what)),
    }
    Value::Object(all.0)
}

/// Returns the error or the outcome.
pub(super) fn why(what: &Traced) -> Option<String> {
    Some(match what {
        Traced::Erred { error, .. } => error.clone(),
        Traced::Returned { outcome, .. } => outcome.to_string(),
        Traced::PassedOver { why, .. } => why.to_string(),
        Traced::Unhandled { handled_by, .. } if handled_by.is_empty() => {
            "no component in the program handles it".to_owned()
        }
        Traced::Unhandled { handled_by, .. } => {
            format!(
                "its components do not handle it; {} would",
                handled_by.join(" or ")
            )
        }
        Traced::Waits { until } => until.to_string(),
        Traced::Refused { error } => error.to_string(),
        Traced::Died { why } => why.to_string(),
        _ => return None,
    })
}
