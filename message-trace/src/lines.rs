//! JSON lines: one object a line for each event.

use std::io::{self, BufWriter, Write};
use std::time::Duration;

use message_core::MessageeId;
use message_core::error::{Receiver, Unhandled};
use message_core::trace::{TraceEvent, Traced};

use crate::json::{Fields, Value};
use crate::{Recorder, TraceFilter, describe};

/// Returns a duration in nanoseconds.
fn nanoseconds(duration: Duration) -> u64 {
    duration.as_nanos().try_into().unwrap_or(u64::MAX)
}

/// Returns the fields of an event. Those that it does not have are null.
fn fields_of(event: &TraceEvent) -> Fields {
    let name = |id: Option<MessageeId>| id.and_then(MessageeId::name).map(|name| name.to_string());
    let receiver = event.what.receiver();
    let tags: Vec<Value> = event.tags.iter().map(|tag| tag.name().into()).collect();
    let tags = Some(tags).filter(|tags| !tags.is_empty());
    let (kind, own) = own_fields(event);
    let mut fields = vec![
        ("event", kind.into()),
        ("send", event.send.into()),
        ("delivery", event.what.delivery().into()),
        ("message", event.message.into()),
        ("id", event.message_id.to_string().into()),
        ("tags", tags.map_or(Value::Null, Value::List)),
        // Without the name of its messagee, which has a field; the recipient and the receiver likewise.
        ("sender", format!("{:#}", event.sender).into()),
        ("sender_name", name(event.sender.id()).into()),
        ("recipient", format!("{:#}", event.recipient).into()),
        ("recipient_name", name(event.recipient.messagee()).into()),
        ("frame", event.moment.frame.into()),
        ("time", nanoseconds(event.moment.time).into()),
        ("wall", nanoseconds(event.wall).into()),
        ("receiver", receiver.map(|it| format!("{it:#}")).into()),
        (
            "receiver_name",
            name(receiver.and_then(Receiver::messagee)).into(),
        ),
    ];
    fields.extend(own);
    fields
}

/// Returns the name of an event's kind, and the fields that only events of this kind have.
fn own_fields(event: &TraceEvent) -> (&'static str, Fields) {
    let why = |why: &dyn ToString| vec![("why", why.to_string().into())];
    let messagee = |id: MessageeId| ("receiver", format!("messagee {id:#}").into());
    match &event.what {
        Traced::Sent {
            cause,
            by,
            place,
            stage,
            contents,
        } => {
            let fields = vec![
                ("cause", (*cause).into()),
                ("by", by.name().into()),
                ("place", place.to_string().into()),
                ("stage", stage.to_string().into()),
                ("contents", contents.clone().into()),
            ];
            ("sent", fields)
        }
        Traced::Arrived { of } => {
            let fields = vec![
                ("from", (*of.manager).into()),
                ("from_send", of.send.into()),
                ("place", (*of.place).into()),
            ];
            ("arrived", fields)
        }
        Traced::CameBack { from } => {
            let fields = vec![
                ("cause", Some(from.sent).into()),
                ("from", (*from.manager).into()),
                ("from_frame", from.frame.into()),
                ("from_number", from.number.into()),
                ("place", from.place.as_deref().into()),
                ("why", from.why.as_deref().into()),
            ];
            ("came back", fields)
        }
        Traced::Called { handler, .. } => ("called", vec![("handler", (*handler).into())]),
        Traced::Erred { error, .. } => ("erred", why(error)),
        Traced::Returned { outcome, .. } => ("returned", why(outcome)),
        Traced::PassedOver { why: reason, .. } => ("passed over", why(reason)),
        Traced::Unhandled {
            messagee: id,
            components,
            handled_by,
        } => {
            let reason = Unhandled::reason(event.message, components, handled_by);
            let name = id.name().map(|name| name.to_string());
            let fields = vec![
                messagee(*id),
                ("receiver_name", name.into()),
                ("why", reason.into()),
            ];
            ("unhandled", fields)
        }
        Traced::Carried { proxy } => ("carried", vec![messagee(*proxy)]),
        Traced::Waits { until } => ("waits", why(until)),
        Traced::Settled { receipt } => {
            let received = ("received", receipt.received.into());
            let pending = ("pending", u32::from(receipt.pending).into());
            ("settled", vec![received, pending])
        }
        Traced::Refused { error } => ("refused", why(error)),
        Traced::Died { why: reason } => ("died", why(reason)),
        Traced::Cancelled => ("cancelled", Vec::new()),
        Traced::Replaced => ("replaced", Vec::new()),
        _ => ("other", why(&describe(event))),
    }
}

/// Writes the recorded events that the filter covers as JSON lines: one object a line, the oldest
/// event first. Times are in nanoseconds. Fields that an event does not have are left out of its
/// object. If a messagee is the sender, the recipient or the receiver, its name is in a separate
/// field: `sender_name`, `recipient_name`, `receiver_name`.
///
/// The writer needs no buffer of its own.
///
/// # Errors
///
/// Returns the errors of the writer.
///
/// ```
/// use message_core::prelude::*;
/// use message_trace::{Recorder, TraceFilter};
///
/// #[derive(Message)]
/// struct Ping;
///
/// let mut manager = MessageManager::new();
/// Recorder::new(100).start(&mut manager);
/// manager.send(Everyone, Ping)?;
/// let recorder = Recorder::stop(&mut manager).expect("it was started");
///
/// let mut lines = Vec::new();
/// message_trace::write_json_lines(&recorder, &TraceFilter::of::<Ping>(), &mut lines)?;
/// let lines = String::from_utf8(lines)?;
/// assert_eq!(lines.lines().count(), recorder.len());
/// assert!(lines.starts_with('{'));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_json_lines(
    recorder: &Recorder,
    filter: &TraceFilter,
    to: impl Write,
) -> io::Result<()> {
    let mut to = BufWriter::new(to);
    for event in recorder.select(filter) {
        let mut fields = fields_of(event);
        fields.retain(|(_, value)| !matches!(value, Value::Null));
        writeln!(to, "{}", Value::from(fields))?;
    }
    to.flush()
}
