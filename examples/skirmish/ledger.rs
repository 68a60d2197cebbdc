//! The results of all sends: every send of the program records its receipt.
//!
//! The ledger is a component of the world without any handlers, so it can be reached while the
//! world itself is running.

use std::collections::BTreeMap;
use std::fmt;

use message_core::Request;
use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

use crate::messages::WORLD;

/// The results of all messages of one type.
#[derive(Default, Serialize, Deserialize)]
struct Row {
    /// The number of messages sent.
    sent: usize,
    /// The number of components that had received the message when the send returned.
    received: usize,
    /// The number of busy components for which the message was kept. They receive it when they are free,
    /// unless they are gone by then.
    pending: usize,
    /// The number of consumed messages, which later receivers did not get.
    consumed: usize,
    /// The number of messages that reached nobody.
    unheard: usize,
}

/// The results of all messages, by the name of their type.
#[derive(Data, Serialize, Deserialize, Default)]
#[data(exact)]
pub struct Ledger {
    rows: BTreeMap<String, Row>,
}

impl Ledger {
    fn row<M: Message>(&mut self) -> &mut Row {
        self.rows.entry(short_name(M::NAME).to_owned()).or_default()
    }

    /// Records the result of a message.
    pub fn note<M: Message>(&mut self, receipt: Receipt) {
        let row = self.row::<M>();
        row.sent += 1;
        row.received += receipt.received as usize;
        row.pending += usize::from(receipt.pending);
        row.consumed += usize::from(receipt.consumed);
        row.unheard += usize::from(receipt.at_least(1).is_err());
    }

    /// Records the result of a request, which has an answer instead of a receipt.
    pub fn note_answer<M: Request>(&mut self, answered: bool) {
        let row = self.row::<M>();
        row.sent += 1;
        row.received += usize::from(answered);
        row.unheard += usize::from(!answered);
    }
}

/// Returns the last part of a path.
fn short_name(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

/// Prints the table, ordered by name.
impl fmt::Display for Ledger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.rows.keys().map(String::len).max();
        let width = width.unwrap_or(0).max("message".len());
        let titles = ["sent", "received", "pending", "consumed", "unheard"];
        write!(f, "{:<width$}", "message")?;
        for title in titles {
            write!(f, " {title:>8}")?;
        }
        for (name, row) in &self.rows {
            write!(f, "\n{name:<width$}")?;
            let counts = [
                row.sent,
                row.received,
                row.pending,
                row.consumed,
                row.unheard,
            ];
            for count in counts {
                write!(f, " {count:>8}")?;
            }
        }
        Ok(())
    }
}

/// Sends a message and records the result.
#[track_caller]
pub fn tell<M: Message>(
    cx: &mut Context<'_>,
    to: impl Into<Recipient>,
    message: M,
) -> Result<Receipt, SendError> {
    let receipt = cx.send(to, message)?;
    with_ledger(cx, |ledger| ledger.note::<M>(receipt));
    Ok(receipt)
}

/// Sends an in–out message and records the result.
#[track_caller]
pub fn tell_mut<M: Message>(
    cx: &mut Context<'_>,
    to: impl Into<Recipient>,
    message: &mut M,
) -> Result<Receipt, SendError> {
    let receipt = cx.send_mut(to, message)?;
    with_ledger(cx, |ledger| ledger.note::<M>(receipt));
    Ok(receipt)
}

/// Sends a request, and records whether there was an answer. Returns `None` if there was none, or if the
/// receiver is gone.
#[track_caller]
pub fn ask<M: Request>(
    cx: &mut Context<'_>,
    to: impl Into<Recipient>,
    question: M,
) -> Result<Option<M::Reply>, SendError> {
    let answer = match cx.request(to, question) {
        Ok(answer) => Some(answer),
        Err(error) => match error.kind() {
            SendErrorKind::NoAnswer { .. }
            | SendErrorKind::Absent(Absence::Gone | Absence::Leaving) => None,
            _ => return Err(error),
        },
    };
    with_ledger(cx, |ledger| ledger.note_answer::<M>(answer.is_some()));
    Ok(answer)
}

fn with_ledger(cx: &mut Context<'_>, write: impl FnOnce(&mut Ledger)) {
    if let Some(world) = cx.bound(WORLD)
        && let Ok(mut ledger) = cx.get_mut::<Ledger>(world)
    {
        write(&mut ledger);
    }
}
