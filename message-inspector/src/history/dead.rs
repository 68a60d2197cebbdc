//! The messagees that have been seen, with their last values: those that are gone can be found by name.

use std::collections::{HashMap, VecDeque};

use message_core::trace::{TraceEvent, TraceId, Traced};
use message_core::{MessageeId, Recipient};
use serde_json::{Value, json};

use super::event::{name_of, told};
use super::{History, short};
use crate::shared::{Glimpse, Seen};

/// How many messagees are remembered.
const REMEMBERED: usize = 2_000;
/// How many of those that are gone are listed.
const LISTED: usize = 50;

#[derive(Debug)]
struct Known {
    last: Glimpse,
    /// The frame after which it was last read.
    frame: u64,
    /// The frame in which it was found to be gone.
    gone: Option<u64>,
}

/// The messagees, by their ids in words; the one that is forgotten next comes first.
#[derive(Debug, Default)]
pub(super) struct Remembered {
    by_id: HashMap<String, Known>,
    order: VecDeque<String>,
}

impl Remembered {
    pub(super) fn take(&mut self, seen: Seen, frame: u64) {
        for last in seen.seen {
            let id = format!("{:#}", last.id);
            let known = Known {
                last,
                frame,
                gone: None,
            };
            if self.by_id.insert(id.clone(), known).is_none() {
                self.order.push_back(id);
            }
        }
        for id in seen.gone {
            let words = format!("{id:#}");
            let known = self.by_id.entry(words.clone()).or_insert_with(|| {
                self.order.push_back(words);
                Known {
                    last: Glimpse {
                        id,
                        name: name_of(id),
                        values: Vec::new(),
                    },
                    frame,
                    gone: None,
                }
            });
            known.gone = Some(frame);
        }
        while self.order.len() > REMEMBERED
            && let Some(id) = self.order.pop_front()
        {
            self.by_id.remove(&id);
        }
    }

    fn name(&self, id: &str) -> Option<&str> {
        self.by_id.get(id)?.last.name.as_deref()
    }

    /// Adds the name of a messagee that is gone to words that end with its id.
    pub(super) fn named(&self, words: String) -> String {
        let id = words.rsplit_once("messagee ").map(|(_, id)| id);
        match id.and_then(|id| self.name(id)) {
            Some(name) => format!("{words} {name:?}"),
            None => words,
        }
    }
}

impl Known {
    fn row(&self) -> Value {
        let components = self.last.values.iter().map(|(component, value)| {
            json!({
                "hook": "",
                "component": component,
                "short": short(component),
                "enabled": true,
                "value": value.as_ref().ok(),
                "why": value.as_ref().err(),
            })
        });
        json!({
            "id": format!("{:#}", self.last.id),
            "name": self.last.name,
            "parent": null,
            "children": 0,
            "mnemonics": [],
            "groups": [],
            "proxy": false,
            "components": components.collect::<Vec<_>>(),
            "gone": { "frame": self.gone, "read": self.frame },
        })
    }

    fn fits(&self, search: &str) -> bool {
        let has = |text: &str| text.to_lowercase().contains(search);
        self.last.name.as_deref().is_some_and(has)
            || format!("{:#}", self.last.id) == search
            || self.last.values.iter().any(|(component, _)| has(component))
    }
}

impl History {
    /// Returns an event with the names of those that are gone.
    pub(super) fn told(&self, event: &TraceEvent) -> Value {
        let mut all = told(event);
        for field in ["sender", "recipient", "receiver"] {
            let id = all[format!("{field}_id")].as_str();
            let name = id.and_then(|id| self.remembered.name(id));
            let name_field = format!("{field}_name");
            if let Some(name) = name
                && all.get(&name_field).is_none()
            {
                all[name_field] = name.into();
            }
        }
        all
    }

    /// Returns those that are gone, the last first. A search finds parts of names and types.
    pub(crate) fn gone(&self, search: Option<&str>) -> Value {
        let search = search.unwrap_or_default().trim().to_lowercase();
        let search = search.trim_matches('*');
        let all = self.remembered.by_id.values();
        let mut gone: Vec<_> = all
            .filter(|known| known.gone.is_some() && known.fits(search))
            .collect();
        gone.sort_by_key(|known| std::cmp::Reverse((known.gone, known.last.id)));
        gone.truncate(LISTED);
        gone.into_iter().map(Known::row).collect()
    }

    /// Returns a messagee that is gone: its last values, and how it ended.
    pub(crate) fn gone_messagee(&self, id: &str) -> Option<Value> {
        let known = self.remembered.by_id.get(id)?;
        known.gone?;
        let mut all = known.row();
        let ended = self.events().rev().find(|it| is_end(it, known.last.id));
        if let Some(ended) = ended
            && let Traced::Sent { cause, place, .. } = &ended.what
        {
            all["gone"]["frame"] = ended.moment.frame.into();
            all["gone"]["place"] = place.to_string().into();
            all["gone"]["cause"] = cause.or(ended.send).map(TraceId::get).into();
        }
        all["path"] = json!([]);
        all["pending"] = json!([]);
        Some(all)
    }
}

/// Returns whether the manager has announced the end of a messagee with this send.
fn is_end(event: &TraceEvent, id: MessageeId) -> bool {
    event.message.ends_with("lifecycle::Despawning")
        && event.recipient == Recipient::Id(id)
        && matches!(event.what, Traced::Sent { .. })
}

#[cfg(test)]
mod tests {
    use message_core::MessageManager;

    use super::*;

    #[test]
    fn only_the_last_messagees_are_remembered() {
        let mut manager = MessageManager::new();
        let mut remembered = Remembered::default();
        for frame in 0..2 * REMEMBERED as u64 {
            let id = manager.spawn_named(format!("mayfly {frame}"), ());
            let seen = Glimpse {
                id,
                name: Some(format!("mayfly {frame}")),
                values: Vec::new(),
            };
            let seen = vec![seen];
            let gone = vec![id];
            remembered.take(Seen { seen, gone }, frame);
        }
        assert_eq!(remembered.by_id.len(), REMEMBERED);
        assert_eq!(remembered.order.len(), REMEMBERED);
        let oldest = remembered.by_id.values().map(|known| known.frame).min();
        assert_eq!(oldest, Some(REMEMBERED as u64));
    }
}
