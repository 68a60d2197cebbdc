//! What the minds on the field ask, shout and order: everything that has the tag `AI`.
//!
//! One subscription hears all of it, whatever the type of the message is and whoever it is for;
//! none of the senders knows. It is hidden, so the ledger counts as if nobody read along. The log
//! itself is a component of the world without any handlers, as the ledger is, so it can be written
//! to while the world is running.

use std::fmt;

use message_core::SubscriptionId;
use message_core::data::Data;
use message_core::prelude::*;
use serde::{Deserialize, Serialize};

use crate::body::name_of;
use crate::messages::GOBLINS;

tag! {
    /// What belongs to the decisions of fighters and squads.
    pub AI,
}

/// The lines of the log.
#[derive(Data, Serialize, Deserialize, Default)]
#[data(exact)]
pub struct AiLog {
    lines: Vec<String>,
}

impl AiLog {
    /// Keeps the log in the component that the world has of it.
    pub fn keep(manager: &mut MessageManager, world: MessageeId) -> SubscriptionId {
        manager.subscribe(Filter::any().tags(AI).hidden(), move |message, cx| {
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

    /// The lines.
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

/// A name, and the id by which others speak of it in their messages.
fn who(cx: &mut SubscriberContext<'_>, id: MessageeId) -> String {
    format!("{} ({id:#})", name_of(cx, id))
}
