//! The commands that a page sends as text. All of them come from outside and are written to logs.

use std::time::Duration;

use message_core::prelude::*;
use message_core::trace::Traced;
use message_core::{Receipt, TraceId};
use message_data::{declared_groups, declared_mnemonics, parse_message};
use message_trace::Recorder;
use serde_json::{Value, json};

use crate::world::later::Numbers;
use crate::world::line::word;
use crate::world::unhandled;

/// The maximum number of receivers of a name with wildcards.
const MOST: usize = 100;

const HELP: &str = "send WHO MESSAGE sends a message; post WHO SECONDS MESSAGE posts it with a delay. \
WHO is a name with wildcards, an id (#3v1), Everyone, @Mnemonic or %Group. MESSAGE is written like this: \
Damage(amount: 3)";

/// Executes a line, and returns the result for the page.
pub(super) fn obey(manager: &mut MessageManager, numbers: &mut Numbers, line: &str) -> Value {
    match carry_out(manager, numbers, line) {
        Ok((text, ok, sent)) => json!({ "ok": ok, "text": text, "sent": sent }),
        Err(text) => json!({ "ok": false, "text": text, "sent": [] }),
    }
}

type Done = Result<(String, bool, Vec<Value>), String>;

fn carry_out(manager: &mut MessageManager, numbers: &mut Numbers, line: &str) -> Done {
    let (command, rest) = word(line)?;
    match &*command {
        "help" => Ok((HELP.to_owned(), true, Vec::new())),
        "send" => {
            let (who, rest) = word(rest)?;
            send(manager, &recipients(manager, &who)?, rest)
        }
        "post" => {
            let (who, rest) = word(rest)?;
            let (delay, rest) = word(rest)?;
            let seconds = delay.parse().ok();
            let delay = seconds.and_then(|it| Duration::try_from_secs_f64(it).ok());
            let delay = delay.ok_or("expected a number of seconds after the recipient")?;
            post(manager, numbers, &recipients(manager, &who)?, delay, rest)
        }
        other => Err(format!(
            "there is no command `{other}`: expected `send`, `post` or `help`"
        )),
    }
}

/// Returns the recipients, and their text for the page.
fn recipients(manager: &MessageManager, who: &str) -> Result<Vec<Recipient>, String> {
    if who == "Everyone" {
        return Ok(vec![Everyone]);
    }
    if let Some(id) = who.strip_prefix('#') {
        let found = manager.inspect().parse_messagee(id);
        let found = found.ok_or_else(|| format!("no messagee {id} is alive"))?;
        return Ok(vec![found.into()]);
    }
    let is_it = |name: &str, wanted: &str| {
        let ends = name.strip_suffix(wanted);
        ends.is_some_and(|before| before.is_empty() || before.ends_with([':', '.']))
    };
    if let Some(name) = who.strip_prefix('@') {
        let found = declared_mnemonics().find(|it| is_it(it.name(), name));
        let found = found.ok_or_else(|| format!("no mnemonic is declared as `{name}`"))?;
        return Ok(vec![found.into()]);
    }
    if let Some(name) = who.strip_prefix('%') {
        let found = declared_groups().find(|it| is_it(it.name(), name));
        let found = found.ok_or_else(|| format!("no group is declared as `{name}`"))?;
        return Ok(vec![found.into()]);
    }
    let found: Vec<Recipient> = manager.find(who).take(MOST + 1).map(Into::into).collect();
    match found.len() {
        0 => Err(format!("no messagee is called `{who}`")),
        len if len > MOST => Err(format!(
            "more than {MOST} messagees are called `{who}`: expected fewer, a group or Everyone"
        )),
        _ => Ok(found),
    }
}

fn send(manager: &mut MessageManager, to: &[Recipient], text: &str) -> Done {
    // All or none: a message that cannot be parsed is not sent to anyone.
    parse_message(text, manager).map_err(|error| error.to_string())?;
    let (mut sent, mut received, mut later, mut wrong) = (Vec::new(), 0, 0, 0);
    let mut why = None;
    for &recipient in to {
        let message = parse_message(text, manager).map_err(|error| error.to_string())?;
        let name = message.name();
        let before = last(manager, name);
        let result = manager.send_any(recipient, message);
        let trace = last(manager, name).filter(|&trace| Some(trace) != before);
        let (receipt, error) = match result {
            Ok(receipt) => (Some(receipt), None),
            Err(error) => (None, Some(error.to_string())),
        };
        received += receipt.map_or(0, |it| it.received);
        later += receipt.map_or(0, |it| it.pending);
        why = why.or_else(|| unhandled::why(manager, recipient, name));
        wrong += u32::from(error.is_some()) + receipt.map_or(0, |it| it.failed.into());
        sent.push(json!({
            "to": recipient.to_string(),
            "trace": trace.map(TraceId::get),
            "receipt": receipt.map(told),
            "post": Value::Null,
            "error": error,
        }));
    }
    let text = match wrong {
        0 if received == 0 && later > 0 => format!("{later} will receive it later"),
        0 if received == 0 => match why {
            Some(why) => format!("nobody received it: {why}"),
            None => "nobody received it".to_owned(),
        },
        0 => format!("{received} received it"),
        _ => format!("{received} received it, {wrong} failed"),
    };
    Ok((text, wrong == 0, sent))
}

fn told(receipt: Receipt) -> Value {
    json!({
        "received": receipt.received,
        "pending": receipt.pending,
        "failed": receipt.failed,
        "consumed": receipt.consumed,
    })
}

fn post(
    manager: &mut MessageManager,
    numbers: &mut Numbers,
    to: &[Recipient],
    delay: Duration,
    text: &str,
) -> Done {
    parse_message(text, manager).map_err(|error| error.to_string())?;
    let (mut sent, mut wrong) = (Vec::new(), 0);
    for &recipient in to {
        let message = parse_message(text, manager).map_err(|error| error.to_string())?;
        let name = message.name();
        let before = last(manager, name);
        let result = manager.post_any(Header::to(recipient).after(delay), message);
        let trace = last(manager, name).filter(|&trace| Some(trace) != before);
        let (ticket, error) = match result {
            Ok(ticket) => (Some(ticket), None),
            Err(error) => (None, Some(error.to_string())),
        };
        wrong += usize::from(error.is_some());
        let pending = ticket.filter(|&ticket| manager.has_pending(ticket));
        sent.push(json!({
            "to": recipient.to_string(),
            "trace": trace.map(TraceId::get),
            "receipt": ticket.and_then(Ticket::receipt).map(told),
            "post": pending.map(|ticket| numbers.of(ticket)),
            "error": error,
        }));
    }
    let posted = sent.len() - wrong;
    Ok((format!("{posted} posted"), wrong == 0, sent))
}

/// Returns the newest send from outside of a message with that name.
fn last(manager: &MessageManager, name: &str) -> Option<TraceId> {
    let recorder = Recorder::of(manager)?;
    let mut sends = recorder.events().rev().filter(|event| {
        let is_root = matches!(event.what, Traced::Sent { cause: None, .. });
        is_root && event.message == name && event.sender == Sender::Outside
    });
    sends.next()?.send
}
