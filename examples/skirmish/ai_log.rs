//! The requests, alarms and orders of all minds on the field: everything with the tag `AI`.
//!
//! A single subscription receives all of it, regardless of the type and the recipient of a message;
//! the senders do not know about it. It is hidden, so it does not affect the counts of the ledger. The log
//! itself is a component of the world without handlers, like the ledger, so it can be written
//! to while the world is running.

use std::fmt;

use message_core::Recipient::Me;
use message_core::SubscriptionId;
use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

use crate::body::name_of;
use crate::messages::GOBLINS;

tag! {
    /// The messages of the decisions of fighters and squads.
    pub AI,
}

/// The lines of the log.
#[derive(Data, Serialize, Deserialize, Default)]
#[data(exact)]
pub struct AiLog {
    lines: Vec<String>,
}

impl AiLog {
    /// Keeps the log in a component of the world.
    pub fn keep(manager: &mut MessageManager, world: MessageeId) -> SubscriptionId {
        manager.subscribe(Filter::all().tagged(AI).hidden(), move |message, cx| {
            let turn = cx.clock().frame();
            let from = match cx.sender() {
                Sender::Messagee(id) => who(cx, id),
                other => other.to_string(),
            };
            let to = match cx.recipient() {
                Recipient::Id(id) => who(cx, id),
                Recipient::Group(group) if group == GOBLINS => "the goblins".to_owned(),
                Recipient::Down(squad) => format!("{} and its members", who(cx, squad)),
                Me => "itself".to_owned(),
                other => other.to_string(),
            };
            if let Ok(mut log) = cx.get_mut::<Self>(world) {
                let line = format!("turn {turn}: {from} to {to}: {message:?}");
                log.lines.push(line);
            }
        })
    }

    /// Returns the lines.
    #[cfg(test)]
    pub fn lines(&self) -> &[String] {
        &self.lines
    }
}

impl fmt::Display for AiLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lines.join("\n"))
    }
}

/// Returns a name and the id that messages use for it.
fn who(cx: &mut SubscriberContext<'_>, id: MessageeId) -> String {
    format!("{} ({id:#})", name_of(cx, id))
}
