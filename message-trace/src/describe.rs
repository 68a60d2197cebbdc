//! Events in words.

use std::fmt::{self, Write as _};

use message_core::Stage;
use message_core::error::Unhandled;
use message_core::trace::{SentBy, TraceEvent, Traced};

/// Describes an event in one line, which begins with the number of the delivery or the message.
///
/// ```
/// use message_core::prelude::*;
/// use message_trace::Recorder;
///
/// #[derive(Message)]
/// #[message(name = "Ping")]
/// struct Ping;
///
/// let mut manager = MessageManager::new();
/// Recorder::new(100).start(&mut manager);
/// manager.send(Everyone, Ping)?;
/// let recorder = Recorder::stop(&mut manager).expect("it was started");
/// let lines: Vec<String> = recorder.events().map(message_trace::describe).collect();
/// assert!(lines[0].starts_with("#1 `Ping` sent by outside to everyone at "));
/// assert_eq!(lines[1], "#1 settled: received by 0");
/// # Ok::<(), SendError>(())
/// ```
#[must_use]
pub fn describe(event: &TraceEvent) -> String {
    let mut text = String::new();
    let _ = write_event(&mut text, event);
    text
}

fn write_event(text: &mut String, event: &TraceEvent) -> fmt::Result {
    let (message, moment) = (event.message, event.moment);
    if let Some(number) = event.what.delivery().or(event.send) {
        write!(text, "{number} ")?;
    }
    match &event.what {
        Traced::Sent {
            by,
            place,
            stage,
            contents,
            ..
        } => {
            let (by, sender, to) = (verb(*by), event.sender, event.recipient);
            write!(text, "`{message}` {by} by {sender} to {to} at {place}")?;
            if *stage != Stage::Immediate {
                write!(text, " for {stage:?}")?;
            }
            write!(text, ", in frame {} at {:?}", moment.frame, moment.time)?;
            contents.iter().try_for_each(|it| write!(text, ": {it}"))
        }
        Traced::Arrived { of } => write!(
            text,
            "`{message}` has arrived: #{} of `{}`, sent at {}",
            of.send, of.manager, of.place
        ),
        Traced::CameBack { from } => write!(text, "`{message}` has come back from {from}"),
        Traced::Called {
            receiver, handler, ..
        } => {
            write!(text, "received by {receiver}")?;
            handler.iter().try_for_each(|it| write!(text, " in `{it}`"))
        }
        Traced::Erred { error, .. } => write!(text, "failed: {error}"),
        Traced::Returned { outcome, .. } => write!(text, "{outcome}"),
        Traced::PassedOver { receiver, why } => write!(text, "not received by {receiver}: {why}"),
        Traced::Unhandled {
            messagee,
            components,
            handled_by,
        } => {
            let reason = Unhandled::reason(message, components, handled_by);
            write!(text, "not handled: messagee {messagee} {reason}")
        }
        Traced::Carried { proxy } => {
            write!(
                text,
                "written for messagee {proxy}, which is in another manager"
            )
        }
        Traced::Waits { until } => write!(text, "waits {until}"),
        Traced::Settled { receipt } => {
            write!(text, "settled: received by {}", receipt.received)?;
            if receipt.pending > 0 {
                write!(text, ", later by {}", receipt.pending)?;
            }
            Ok(())
        }
        Traced::Refused { error } => write!(text, "refused: {error}"),
        Traced::Died { why } => write!(text, "dead letter: {why}"),
        Traced::Cancelled => text.write_str("cancelled"),
        Traced::Replaced => text.write_str("replaced by another under its key"),
        _ => Ok(()),
    }
}

/// Returns the verb for a call, as in `sent by outside` or `posted by messagee 7v0`.
fn verb(by: SentBy) -> &'static str {
    match by {
        SentBy::Request | SentBy::RequestAll => "asked",
        SentBy::Post | SentBy::Inlet => "posted",
        SentBy::Publish => "published",
        _ => "sent",
    }
}
