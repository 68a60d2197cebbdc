//! Sends that nobody received, grouped by type and reason.

use std::collections::{HashMap, VecDeque};

use message_core::trace::{TraceEvent, TraceId, Traced};
use serde_json::{Value, json};

use super::event::{called, messagee_of, reached_nobody, why};
use super::{GROUPS, History, Kept, LOOKED_AT, short};

/// How many recipients of a group are named.
const NAMED: usize = 6;

#[derive(Debug)]
struct Group {
    count: u64,
    to: Vec<String>,
    sent_at: Option<String>,
    last: Option<TraceId>,
}

/// The groups, by message and reason.
#[derive(Debug, Default)]
pub(super) struct Unheard(HashMap<(&'static str, String), Group>);

impl Unheard {
    pub(super) fn look_at(&mut self, event: &TraceEvent, before: &VecDeque<Kept>) {
        let to = match event.what {
            Traced::Unhandled { messagee, .. } => called(messagee),
            Traced::Settled { .. } if reached_nobody(event) => {
                let words = event.recipient.to_string();
                match messagee_of(event.recipient) {
                    Some(id) => words.replacen(&format!("messagee {id}"), &called(id), 1),
                    None => words,
                }
            }
            _ => return,
        };
        let Some(why) = why(event) else { return };
        let key = (event.message, why);
        if self.0.len() >= GROUPS && !self.0.contains_key(&key) {
            return;
        }
        let group = self.0.entry(key).or_insert_with(|| Group {
            count: 0,
            to: Vec::new(),
            sent_at: sent_at(event, before),
            last: None,
        });
        group.count += 1;
        group.last = event.send;
        if group.to.len() < NAMED && !group.to.contains(&to) {
            group.to.push(to);
        }
    }
}

/// Returns the line of source that sent it, if that is recent.
fn sent_at(event: &TraceEvent, before: &VecDeque<Kept>) -> Option<String> {
    let mut lately = before.iter().rev().take(LOOKED_AT);
    lately.find_map(|kept| match &kept.event.what {
        Traced::Sent { place, .. } if kept.event.send == event.send => Some(place.to_string()),
        _ => None,
    })
}

impl History {
    /// Returns the sends that nobody received: the rows that the world has counted, with the recipients that are known
    /// here, and the sends to several, which are counted only here.
    pub(crate) fn unheard(&self, mut counted: Vec<Value>) -> Value {
        let Unheard(groups) = &self.unheard;
        let mut here: Vec<_> = groups.iter().collect();
        here.sort_by_key(|(key, _)| *key);
        for ((message, why), group) in here {
            let row = counted
                .iter_mut()
                .find(|row| row["message"] == *message && row["why"] == **why);
            let last = group.last.map(TraceId::get);
            if let Some(row) = row {
                row["to"] = json!(group.to);
                row["last"] = json!(last);
                continue;
            }
            counted.push(json!({
                "message": message,
                "short": short(message),
                "why": why,
                "count": group.count,
                "sent_at": group.sent_at,
                "to": group.to,
                "last": last,
            }));
        }
        json!({ "sends": counted })
    }
}
