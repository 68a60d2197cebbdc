//! What was sent, and what became of it: every send of the program writes its receipt down.
//!
//! The ledger is a component of the world without any handlers, so it can be reached while the
//! world itself is running.

use std::collections::BTreeMap;
use std::fmt;

use message_core::Request;
use message_core::data::Data;
use message_core::prelude::*;
use serde::{Deserialize, Serialize};

use crate::messages::WORLD;

/// What became of all messages of one type.
#[derive(Default, Serialize, Deserialize)]
struct Row {
    /// How many were sent.
    sent: usize,
    /// How many components received one by the time the send returned.
    received: usize,
    /// For how many components that were busy one was kept. They get it when they are free,
    /// unless they are gone by then.
    pending: usize,
    /// How many were consumed, so that those behind did not get it.
    consumed: usize,
    /// How many reached nobody.
    unheard: usize,
}

/// What became of all messages, by the name of their type.
#[derive(Data, Serialize, Deserialize, Default)]
#[data(exact)]
pub struct Ledger {
    rows: BTreeMap<String, Row>,
}

impl Ledger {
    fn row<M: Message>(&mut self) -> &mut Row {
        self.rows.entry(short_name(M::NAME).to_owned()).or_default()
    }

    /// Writes down what became of a message.
    pub fn note<M: Message>(&mut self, receipt: Receipt) {
        let row = self.row::<M>();
        row.sent += 1;
        row.received += receipt.received as usize;
        row.pending += usize::from(receipt.pending);
        row.consumed += usize::from(receipt.consumed);
        row.unheard += usize::from(receipt.at_least(1).is_err());
    }

    /// Writes down what became of a question, which has an answer in place of a receipt.
    pub fn note_answer<M: Request>(&mut self, answered: bool) {
        let row = self.row::<M>();
        row.sent += 1;
        row.received += usize::from(answered);
        row.unheard += usize::from(!answered);
    }
}

/// The last part of a path.
fn short_name(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

/// The table, ordered by name.
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

/// Sends a message and writes down what became of it.
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

/// Sends an in–out message and writes down what became of it.
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

/// Asks, and writes down whether there was an answer. `None` when there was none, or nobody is
/// there any more.
#[track_caller]
pub fn ask<M: Request>(
    cx: &mut Context<'_>,
    to: impl Into<Recipient>,
    question: M,
) -> Result<Option<M::Reply>, SendError> {
    let answer = cx.request(to, question).map_err(SendError::into_kind);
    let answer = match answer {
        Ok(answer) => Some(answer),
        Err(
            SendErrorKind::NoAnswer { .. }
            | SendErrorKind::Gone { .. }
            | SendErrorKind::Leaving { .. },
        ) => None,
        Err(other) => return Err(other.into()),
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
