//! Dead letters, failures and refusals, grouped by type and reason.

use std::collections::{HashMap, VecDeque};

use message_core::error::Receiver;
use message_core::trace::{TraceEvent, TraceId, TraceOutcome, Traced};
use serde_json::{Value, json};

use super::event::{told, why};
use super::{GROUPS, History, Kept, LOOKED_AT, short};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Dead,
    Failed,
    Refused,
}

type Key = (Kind, &'static str, Option<&'static str>, String);

#[derive(Debug)]
struct Group {
    handler: Option<&'static str>,
    sent_at: Option<String>,
    count: u64,
    first_frame: u64,
    last: TraceEvent,
}

#[derive(Debug, Default)]
pub(super) struct Letters {
    groups: HashMap<Key, Group>,
    /// How many letters did not fit into a group.
    left_out: u64,
}

impl Letters {
    pub(super) fn look_at(&mut self, event: &TraceEvent, before: &VecDeque<Kept>) {
        let kind = match &event.what {
            Traced::Died { .. } => Kind::Dead,
            Traced::Erred { .. }
            | Traced::Returned {
                outcome: TraceOutcome::Panicked,
                ..
            } => Kind::Failed,
            Traced::Refused { .. } => Kind::Refused,
            _ => return,
        };
        let component = match event.what.receiver() {
            Some(Receiver::Component { component, .. }) => Some(component),
            _ => None,
        };
        let why = why(event).unwrap_or_default();
        let why = without_ids(&why);
        let key = (kind, event.message, component, why);
        if let Some(group) = self.groups.get_mut(&key) {
            group.count += 1;
            group.last = event.clone();
            return;
        }
        if self.groups.len() >= GROUPS {
            self.left_out += 1;
            return;
        }
        let lately = before.iter().rev().take(LOOKED_AT).map(|kept| &kept.event);
        let (mut handler, mut sent_at) = (None, None);
        for earlier in lately {
            match &earlier.what {
                Traced::Called {
                    delivery,
                    handler: called,
                    ..
                } if event.what.delivery() == Some(*delivery) => handler = *called,
                Traced::Sent { place, .. }
                    if event.send.is_some() && earlier.send == event.send =>
                {
                    sent_at = Some(place.to_string());
                    break;
                }
                _ => {}
            }
        }
        let group = Group {
            handler,
            sent_at,
            count: 1,
            first_frame: event.moment.frame,
            last: event.clone(),
        };
        self.groups.insert(key, group);
    }

    fn told(&self, kind: Kind) -> Value {
        let mut groups: Vec<_> = self
            .groups
            .iter()
            .filter(|(key, _)| key.0 == kind)
            .collect();
        groups.sort_by(|(one, a), (other, b)| {
            let order = b.count.cmp(&a.count);
            order.then_with(|| (one.1, one.2, &one.3).cmp(&(other.1, other.2, &other.3)))
        });
        let registry = message_core::registry();
        let groups = groups
            .into_iter()
            .map(|((_, message, component, why), group)| {
                let handled_at = registry.handlers().find(|it| {
                    Some(it.component) == *component
                        && it.message == *message
                        && group.handler.is_none_or(|handler| handler == it.method)
                });
                let last = group.last.what.delivery().or(group.last.send);
                json!({
                    "message": message,
                    "short": short(message),
                    "why": why,
                    "component": component,
                    "handler": group.handler,
                    "sent_at": group.sent_at,
                    "handled_at": handled_at.map(|it| it.place.to_string()),
                    "count": group.count,
                    "first_frame": group.first_frame,
                    "last_frame": group.last.moment.frame,
                    "last": last.map(TraceId::get),
                    "sample": told(&group.last),
                })
            });
        groups.collect()
    }
}

/// Returns a reason without the ids and names that differ between letters.
fn without_ids(why: &str) -> String {
    let words = why.split(' ').map(|word| {
        let core = word.trim_matches(|it: char| !it.is_alphanumeric());
        let is_id = core.split_once('v').is_some_and(|(place, generation)| {
            let digits =
                |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
            digits(place) && digits(generation)
        });
        if is_id { "…" } else { word }
    });
    words.collect::<Vec<_>>().join(" ")
}

impl History {
    pub(crate) fn letters(&self) -> Value {
        json!({
            "dead": self.letters.told(Kind::Dead),
            "failed": self.letters.told(Kind::Failed),
            "refused": self.letters.told(Kind::Refused),
            "left_out": self.letters.left_out,
            "complete": self.reading.complete,
            "total": {
                "dead_letters": self.reading.dead_letters,
                "failures": self.reading.failures,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_that_differ_by_ids_are_the_same_reason() {
        assert_eq!(without_ids("messagee 12v3 is gone"), "messagee … is gone");
        assert_eq!(without_ids("very v1 3v"), "very v1 3v");
    }
}
