//! An event as sent to a page: the fields of a recording in JSON lines, plus ids.

use std::collections::BTreeSet;

use message_core::error::{Receiver, Unhandled};
use message_core::trace::{TraceEvent, TraceId, Traced};
use message_core::{MessageId, MessageeId, Recipient, Sender, Tag};
use serde_json::{Map, Value};

use super::short;

fn kind_of(what: &Traced) -> &'static str {
    match what {
        Traced::Sent { .. } => "sent",
        Traced::Arrived { .. } => "arrived",
        Traced::CameBack { .. } => "came back",
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
            let place = |method| handler_place(event.message_id, component, method);
            all.put_some("place", handler_of(&event.what).and_then(place));
        }
    } else if let Traced::Unhandled { messagee, .. } = event.what {
        all.put_who("receiver", format!("messagee {messagee:#}"), Some(messagee));
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
        Traced::CameBack { from } => {
            all.put("cause", from.sent.get());
            all.put("from", &*from.manager);
            all.put("from_frame", from.frame);
            all.put_some("from_number", from.number);
            all.put_some("place", from.place.as_deref());
            all.put_some("why", from.why.as_deref());
        }
        Traced::Called { hook, handler, .. } => {
            all.put_some("hook", hook.map(|hook| hook.to_string()));
            all.put_some("handler", *handler);
        }
        Traced::Settled { receipt } => {
            all.put("received", receipt.received);
            all.put("pending", receipt.pending);
            all.put_some("why", why(event));
        }
        _ => all.put_some("why", why(event)),
    }
    Value::Object(all.0)
}

fn handler_of(what: &Traced) -> Option<&'static str> {
    match what {
        Traced::Called { handler, .. } => *handler,
        _ => None,
    }
}

/// Returns the line of source of a handler.
fn handler_place(message: MessageId, component: &str, method: &str) -> Option<String> {
    let mut handlers = message_core::registry().handlers_of(message);
    let found = handlers.find(|it| it.component == component && it.method == method);
    found.map(|it| it.place.to_string())
}

/// Returns the error, the outcome, or the reason.
pub(super) fn why(event: &TraceEvent) -> Option<String> {
    Some(match &event.what {
        Traced::Erred { error, .. } => error.clone(),
        Traced::Returned { outcome, .. } => outcome.to_string(),
        Traced::PassedOver { why, .. } => why.to_string(),
        Traced::Unhandled {
            components,
            handled_by,
            ..
        } => {
            let [components, handled_by] = [components, handled_by]
                .map(|names| names.iter().copied().map(short).collect::<Vec<_>>());
            Unhandled::reason(short(event.message), &components, &handled_by)
        }
        Traced::Settled { .. } if reached_nobody(event) => nobody_among(event)?,
        Traced::Waits { until } => until.to_string(),
        Traced::Refused { error } => error.to_string(),
        Traced::Died { why } => why.to_string(),
        _ => return None,
    })
}

/// Returns whether a send of the program has ended without any receiver.
pub(super) fn reached_nobody(event: &TraceEvent) -> bool {
    let Traced::Settled { receipt } = &event.what else {
        return false;
    };
    let reached = receipt.received > 0 || receipt.pending > 0 || receipt.consumed;
    !reached && receipt.unreached == 0 && event.sender != Sender::Manager
}

/// Returns the reason that a send to several had no receiver, or `None` for a send to one messagee: that has an event
/// of its own.
fn nobody_among(event: &TraceEvent) -> Option<String> {
    let whom = match event.recipient {
        Recipient::Id(_) | Recipient::Me | Recipient::Mnemonic(_) => return None,
        Recipient::Everyone | Recipient::EveryoneElse => "no component in the world".to_owned(),
        Recipient::Group(group) => format!("no member of `{}`", group.name()),
        // Without ids: each send may have another one.
        _ => "none of its recipients".to_owned(),
    };
    let handlers = message_core::registry().handlers_of(event.message_id);
    let would: BTreeSet<String> = handlers
        .map(|it| format!("`{}`", short(it.component)))
        .collect();
    let would: Vec<String> = would.into_iter().take(3).collect();
    let message = short(event.message);
    Some(match would.len() {
        0 => format!("{whom} handles `{message}`"),
        _ => format!("{whom} handles `{message}`; {} would", would.join(" or ")),
    })
}

/// Returns a messagee as a person names it.
pub(super) fn called(id: MessageeId) -> String {
    name_of(id).unwrap_or_else(|| format!("messagee {id:#}"))
}
