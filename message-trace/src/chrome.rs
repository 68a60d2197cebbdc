//! The Chrome trace event format, which Perfetto and `chrome://tracing` open.
//!
//! There is one track for each messagee, one for sends from outside, and one for subscribers without a
//! messagee. A delivery is a slice (`X`) on the track of its receiver; a send from outside is one on
//! the track of the outside, from the call to its return. From each send a flow (`s`, then `f`) leads
//! to each of its deliveries. Other events of a message are instants (`i`) on its sender's track.
//!
//! The format is described in Google's "Trace Event Format" document.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, BufWriter, Write};
use std::time::Duration;

use message_core::error::Receiver;
use message_core::trace::{SentBy, TraceEvent, TraceId, Traced};
use message_core::{MessageeId, Sender};

use crate::json::{Fields, Value};
use crate::{Recorder, TraceFilter, describe};

/// The process of all tracks.
const PROCESS: u32 = 1;

/// A track: a `thread` of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Track {
    Outside,
    Manager,
    Subscribers,
    Messagee(MessageeId),
}

impl Track {
    fn of_sender(sender: Sender) -> Self {
        match sender {
            Sender::Manager => Self::Manager,
            Sender::Messagee(id) => Self::Messagee(id),
            _ => Self::Outside,
        }
    }

    fn of_receiver(receiver: Receiver) -> Self {
        receiver
            .messagee()
            .map_or(Self::Subscribers, Self::Messagee)
    }

    fn name(self) -> String {
        match self {
            Self::Outside => "outside".to_owned(),
            Self::Manager => "the manager".to_owned(),
            Self::Subscribers => "subscribers".to_owned(),
            Self::Messagee(id) => format!("messagee {id}"),
        }
    }
}

/// The facts about the whole recording that are needed before an event can be written.
struct Overview<'e> {
    tracks: BTreeMap<Track, usize>,
    /// The events with which sends and deliveries begin and end.
    begins: HashMap<TraceId, &'e TraceEvent>,
    ends: HashMap<TraceId, &'e TraceEvent>,
    last: Duration,
}

impl<'e> Overview<'e> {
    fn of(events: impl Iterator<Item = &'e TraceEvent>) -> Self {
        let always = [Track::Outside, Track::Manager, Track::Subscribers];
        let mut this = Self {
            tracks: always.map(|track| (track, 0)).into(),
            begins: HashMap::new(),
            ends: HashMap::new(),
            last: Duration::ZERO,
        };
        for event in events {
            this.last = this.last.max(event.wall);
            this.tracks.insert(Track::of_sender(event.sender), 0);
            if let Some(receiver) = event.what.receiver() {
                this.tracks.insert(Track::of_receiver(receiver), 0);
            }
            if let Some(id) = event.begun() {
                this.begins.insert(id, event);
            }
            let ended = match event.what {
                Traced::Returned { delivery, .. } => Some(delivery),
                Traced::Settled { .. } | Traced::Refused { .. } => event.send,
                _ => None,
            };
            if let Some(id) = ended {
                // A message that was kept can be refused once more; its call has returned before.
                this.ends.entry(id).or_insert(event);
            }
        }
        for (number, at) in this.tracks.values_mut().enumerate() {
            *at = number;
        }
        this
    }

    fn tid(&self, track: Track) -> usize {
        self.tracks.get(&track).copied().unwrap_or_default()
    }

    /// Returns the track of the delivery in whose slice a message was sent, if there is one.
    fn slice_around(&self, event: &TraceEvent) -> Option<Track> {
        let Traced::Sent {
            cause: Some(cause), ..
        } = event.what
        else {
            return None;
        };
        // A cause that was named by hand may be any number, also that of a send or of a later delivery.
        let call = self.begins.get(&cause)?;
        let returned = self.ends.get(&cause);
        let is_running = call.wall < event.wall && returned.is_none_or(|it| it.wall >= event.wall);
        let receiver = call.what.receiver().filter(|_| is_running)?;
        Some(Track::of_receiver(receiver))
    }
}

#[allow(
    clippy::cast_precision_loss,
    reason = "2^53 nanoseconds are a hundred days"
)]
fn microseconds(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1_000.0
}

/// Writes the entries of the list `traceEvents` after the first one.
struct Entries<'e, W> {
    to: W,
    all: Overview<'e>,
}

impl<W: Write> Entries<'_, W> {
    /// Writes an entry, and where and when it is.
    fn write(&mut self, tid: usize, at: Duration, mut entry: Fields) -> io::Result<()> {
        entry.push(("cat", "message".into()));
        entry.push(("pid", PROCESS.into()));
        entry.push(("tid", tid.into()));
        entry.push(("ts", microseconds(at).into()));
        write!(self.to, ",\n{}", Value::from(entry))
    }

    /// Writes a slice of a track, which lasts from `at` to `end`.
    fn slice(
        &mut self,
        track: Track,
        at: Duration,
        end: Duration,
        mut slice: Fields,
    ) -> io::Result<()> {
        let lasts = end.saturating_sub(at);
        let lasts = microseconds(lasts.max(Duration::from_nanos(1)));
        slice.push(("ph", "X".into()));
        slice.push(("dur", lasts.into()));
        self.write(self.all.tid(track), at, slice)
    }

    fn event(&mut self, event: &TraceEvent) -> io::Result<()> {
        match &event.what {
            Traced::Sent { by, .. } => self.send(event, *by),
            Traced::Called {
                delivery,
                receiver,
                handler,
                ..
            } => {
                let id = delivery.get();
                let returned = self.all.ends.get(delivery);
                let end = returned.map_or(self.all.last, |returned| returned.wall);
                let track = Track::of_receiver(*receiver);
                let sent = event.send.and_then(|send| self.all.begins.get(&send));
                let sent = sent.copied();
                let (place, contents) = match sent.map(|sent| &sent.what) {
                    Some(Traced::Sent {
                        place, contents, ..
                    }) => (Some(place.to_string()), contents.as_deref()),
                    _ => (None, None),
                };
                let args: Fields = vec![
                    ("delivery", id.into()),
                    ("send", event.send.into()),
                    ("receiver", receiver.to_string().into()),
                    ("handler", (*handler).into()),
                    ("sender", event.sender.to_string().into()),
                    ("recipient", event.recipient.to_string().into()),
                    ("place", place.into()),
                    ("contents", contents.into()),
                    ("frame", event.moment.frame.into()),
                    ("outcome", returned.map(|it| describe(it)).into()),
                ];
                let slice = vec![("name", event.message.into()), ("args", args.into())];
                self.slice(track, event.wall, end, slice)?;
                let Some(sent) = sent else { return Ok(()) };
                // An arrow from the send. Its end is bound to the slice around it.
                let around = self.all.slice_around(sent);
                let from = around.unwrap_or_else(|| Track::of_sender(sent.sender));
                let (from, to) = (self.all.tid(from), self.all.tid(track));
                let tail = vec![
                    ("ph", "s".into()),
                    ("name", event.message.into()),
                    ("id", id.into()),
                ];
                self.write(from, sent.wall, tail)?;
                let head = vec![
                    ("ph", "f".into()),
                    ("name", event.message.into()),
                    ("id", id.into()),
                    ("bp", "e".into()),
                ];
                self.write(to, event.wall, head)
            }
            Traced::Returned { .. } | Traced::Settled { .. } => Ok(()),
            _ => {
                let receiver = event.what.receiver().map(Track::of_receiver);
                let track = receiver.unwrap_or_else(|| Track::of_sender(event.sender));
                let args: Fields = vec![
                    ("send", event.send.into()),
                    ("recipient", event.recipient.to_string().into()),
                    ("event", describe(event).into()),
                ];
                let name = format!("{}: {}", event.message, describe(event));
                let mark = vec![
                    ("ph", "i".into()),
                    ("name", name.into()),
                    ("s", "t".into()),
                    ("args", args.into()),
                ];
                self.write(self.all.tid(track), event.wall, mark)
            }
        }
    }

    /// Writes a send outside any delivery as a slice of its own, so that its arrows have a start.
    fn send(&mut self, event: &TraceEvent, by: SentBy) -> io::Result<()> {
        if self.all.slice_around(event).is_some() {
            return Ok(());
        }
        let settled = event.send.and_then(|send| self.all.ends.get(&send));
        let end = settled.map_or(event.wall, |settled| settled.wall);
        let args: Fields = vec![
            ("send", event.send.into()),
            ("recipient", event.recipient.to_string().into()),
            ("event", describe(event).into()),
            ("outcome", settled.map(|it| describe(it)).into()),
        ];
        let name = format!("{} {}", by.name(), event.message);
        let (track, slice) = (
            Track::of_sender(event.sender),
            vec![("name", name.into()), ("args", args.into())],
        );
        self.slice(track, event.wall, end, slice)
    }
}

/// Writes the recorded events that the filter covers in the Chrome trace event format, which
/// [Perfetto](https://ui.perfetto.dev) opens: a track for each messagee with a slice for each
/// delivery, arrows from each send to its deliveries, and marks where frames begin.
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
/// let mut file = Vec::new(); // Or a `File`, for https://ui.perfetto.dev.
/// message_trace::write_chrome_trace(&recorder, &TraceFilter::all(), &mut file)?;
/// assert!(String::from_utf8(file)?.contains("\"traceEvents\":["));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_chrome_trace(
    recorder: &Recorder,
    filter: &TraceFilter,
    to: impl Write,
) -> io::Result<()> {
    let mut entries = Entries {
        to: BufWriter::new(to),
        all: Overview::of(recorder.select(filter)),
    };
    // Every further entry comes after a comma.
    let first = br#"{"displayTimeUnit":"ns","traceEvents":[
{"ph":"M","name":"process_name","pid":1,"tid":0,"ts":0,"args":{"name":"messages"}}"#;
    entries.to.write_all(first)?;
    for (track, tid) in entries.all.tracks.clone() {
        for (name, args) in [
            ("thread_name", vec![("name", track.name().into())]),
            ("thread_sort_index", vec![("sort_index", tid.into())]),
        ] {
            let metadata = vec![
                ("ph", "M".into()),
                ("name", name.into()),
                ("args", args.into()),
            ];
            entries.write(tid, Duration::ZERO, metadata)?;
        }
    }
    let mut frame = None;
    for event in recorder.select(filter) {
        if frame.replace(event.moment.frame) != Some(event.moment.frame) {
            let name = format!("frame {}", event.moment.frame);
            let mark = vec![("ph", "i".into()), ("name", name.into()), ("s", "g".into())];
            entries.write(0, event.wall, mark)?;
        }
        entries.event(event)?;
    }
    entries.to.write_all(b"\n]}\n")?;
    entries.to.flush()
}
