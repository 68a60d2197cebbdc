//! JSON lines: one object a line for each event.

use std::io::{self, BufWriter, Write};

use serde::Serialize;

use crate::error::{NotHandled, Receiver};
use crate::names::name_of;
use crate::tag::Tag;
use crate::trace::{Recorder, TraceEvent, TraceFilter, TraceId, Traced};

/// An event as it is written. What an event does not have is left out.
#[derive(Serialize)]
struct Line {
    event: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    send: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    delivery: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<u64>,
    message: &'static str,
    id: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tags: Vec<&'static str>,
    /// The sender without the name of its messagee; the recipient and the receiver likewise.
    sender: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    sender_name: Option<String>,
    recipient: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    recipient_name: Option<String>,
    frame: u64,
    /// Nanoseconds.
    time: u128,
    /// Nanoseconds.
    wall: u128,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stage: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    contents: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    receiver: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    receiver_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    handler: Option<&'static str>,
    /// The text of the event beyond its fields.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    received: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pending: Option<u16>,
}

impl Line {
    fn of(event: &TraceEvent) -> Self {
        let name = |id| name_of(id).map(|name| name.to_string());
        let receiver = event.what.receiver();
        let mut line = Self {
            event: kind_of(&event.what),
            send: event.send.map(TraceId::get),
            delivery: event.what.delivery().map(TraceId::get),
            cause: None,
            message: event.message,
            id: event.message_id.to_string(),
            tags: event.tags.iter().map(Tag::name).collect(),
            sender: format!("{:#}", event.sender),
            sender_name: event.sender.id().and_then(name),
            recipient: format!("{:#}", event.recipient),
            recipient_name: event.recipient.messagee().and_then(name),
            frame: event.moment.frame,
            time: event.moment.time.as_nanos(),
            wall: event.wall.as_nanos(),
            by: None,
            place: None,
            stage: None,
            contents: None,
            receiver: receiver.map(|it| format!("{it:#}")),
            receiver_name: receiver.and_then(Receiver::messagee).and_then(name),
            handler: None,
            why: None,
            received: None,
            pending: None,
        };
        match &event.what {
            Traced::Sent {
                cause,
                by,
                place,
                stage,
                contents,
            } => {
                line.cause = cause.map(TraceId::get);
                line.by = Some(by.name());
                line.place = Some(place.to_string());
                line.stage = Some(format!("{stage:?}"));
                line.contents.clone_from(contents);
            }
            Traced::Called { handler, .. } => line.handler = *handler,
            Traced::Erred { error, .. } => line.why = Some(error.clone()),
            Traced::Returned { outcome, .. } => line.why = Some(outcome.to_string()),
            Traced::PassedOver { why, .. } => line.why = Some(why.to_string()),
            Traced::Unhandled {
                messagee,
                components,
                handled_by,
            } => {
                let (message, id) = (event.message, *messagee);
                let reason = NotHandled {
                    message,
                    components,
                    handled_by,
                };
                line.receiver = Some(format!("messagee {id:#}"));
                line.receiver_name = name(id);
                line.why = Some(reason.to_string());
            }
            Traced::Carried { proxy } => line.receiver = Some(format!("messagee {proxy:#}")),
            Traced::Waits { until } => line.why = Some(until.to_string()),
            Traced::Settled { receipt } => {
                line.received = Some(receipt.received);
                line.pending = Some(receipt.pending);
            }
            Traced::Refused { error } => line.why = Some(error.to_string()),
            Traced::Died { why } => line.why = Some(why.to_string()),
            Traced::Cancelled | Traced::Replaced => {}
        }
        line
    }
}

fn kind_of(what: &Traced) -> &'static str {
    match what {
        Traced::Sent { .. } => "sent",
        Traced::Called { .. } => "called",
        Traced::Erred { .. } => "erred",
        Traced::Returned { .. } => "returned",
        Traced::PassedOver { .. } => "passed over",
        Traced::Unhandled { .. } => "unhandled",
        Traced::Carried { .. } => "carried",
        Traced::Waits { .. } => "waits",
        Traced::Settled { .. } => "settled",
        Traced::Refused { .. } => "refused",
        Traced::Died { .. } => "died",
        Traced::Cancelled => "cancelled",
        Traced::Replaced => "replaced",
    }
}

impl Recorder {
    /// Writes the recorded events that the filter covers as JSON lines: one object a line, the oldest
    /// event first. Times are in nanoseconds. Fields that an event does not have are left out of its
    /// object. If a messagee is the sender, the recipient or the receiver, its name is in a separate
    /// field: `sender_name`, `recipient_name`, `receiver_name`.
    ///
    /// Needs the feature `json`. The writer needs no buffer of its own.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    ///
    /// ```
    /// use message_core::trace::{Recorder, TraceFilter};
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.start_recording(Recorder::new(100));
    /// manager.send(Everyone, Ping)?;
    /// let recorder = manager.stop_recording().expect("it was started");
    ///
    /// let mut lines = Vec::new();
    /// recorder.write_json_lines(&TraceFilter::of::<Ping>(), &mut lines)?;
    /// let lines = String::from_utf8(lines)?;
    /// assert_eq!(lines.lines().count(), recorder.len());
    /// assert!(lines.starts_with('{'));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write_json_lines(&self, filter: &TraceFilter, to: impl Write) -> io::Result<()> {
        let mut to = BufWriter::new(to);
        for event in self.select(filter) {
            serde_json::to_writer(&mut to, &Line::of(event))?;
            to.write_all(b"\n")?;
        }
        to.flush()
    }
}
