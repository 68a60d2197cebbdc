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

use serde::Serialize;
use serde_json::{Value, json};

use crate::address::{MessageeId, Sender};
use crate::error::Receiver;
use crate::trace::{Recorder, SentBy, TraceEvent, TraceFilter, TraceId, Traced};

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
            Sender::Outside => Self::Outside,
            Sender::Manager => Self::Manager,
            Sender::Messagee(id) => Self::Messagee(id),
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

/// One entry of the list `traceEvents`.
#[derive(Default, Serialize)]
struct Entry {
    name: String,
    cat: &'static str,
    ph: &'static str,
    /// Microseconds.
    ts: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    dur: Option<f64>,
    pid: u32,
    tid: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u64>,
    /// The binding of a flow: to the slice around its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    bp: Option<&'static str>,
    /// The scope of an instant: its track.
    #[serde(skip_serializing_if = "Option::is_none")]
    s: Option<&'static str>,
    #[serde(skip_serializing_if = "Value::is_null")]
    args: Value,
}

/// The facts about the whole recording that are needed before an event can be written.
struct Overview<'e> {
    tracks: BTreeMap<Track, usize>,
    sends: HashMap<TraceId, &'e TraceEvent>,
    calls: HashMap<TraceId, &'e TraceEvent>,
    /// The events of the calls that have returned, by the number of the message that they sent.
    settled: HashMap<TraceId, &'e TraceEvent>,
    returned: HashMap<TraceId, &'e TraceEvent>,
    last: Duration,
}

impl<'e> Overview<'e> {
    fn of(events: impl Iterator<Item = &'e TraceEvent>) -> Self {
        let mut this = Self {
            tracks: BTreeMap::new(),
            sends: HashMap::new(),
            calls: HashMap::new(),
            settled: HashMap::new(),
            returned: HashMap::new(),
            last: Duration::ZERO,
        };
        for track in [Track::Outside, Track::Manager, Track::Subscribers] {
            this.tracks.insert(track, 0);
        }
        for event in events {
            this.last = this.last.max(event.wall);
            this.tracks.insert(Track::of_sender(event.sender), 0);
            if let Some(receiver) = event.what.receiver() {
                this.tracks.insert(Track::of_receiver(receiver), 0);
            }
            let (table, id) = match &event.what {
                Traced::Sent { .. } => (&mut this.sends, event.send),
                Traced::Called { delivery, .. } => (&mut this.calls, Some(*delivery)),
                Traced::Returned { delivery, .. } => (&mut this.returned, Some(*delivery)),
                Traced::Settled { .. } | Traced::Refused { .. } => (&mut this.settled, event.send),
                _ => continue,
            };
            if let Some(id) = id {
                // A message that was kept can be refused once more; its call has returned before.
                table.entry(id).or_insert(event);
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

    /// Returns the delivery in whose slice a message was sent, if there is one.
    fn slice_around(&self, event: &TraceEvent) -> Option<Track> {
        let Traced::Sent {
            cause: Some(cause), ..
        } = event.what
        else {
            return None;
        };
        // A cause that was named by hand may be any number, also that of a later delivery.
        let call = self.calls.get(&cause);
        let call = call.filter(|call| call.wall < event.wall)?;
        let runs = |end: &TraceEvent| end.wall >= event.wall;
        let still = self.returned.get(&cause).is_none_or(|end| runs(end));
        let receiver = call.what.receiver().filter(|_| still)?;
        Some(Track::of_receiver(receiver))
    }

    /// Returns the track from which the arrows of a send start.
    fn origin(&self, event: &TraceEvent) -> Track {
        let around = self.slice_around(event);
        around.unwrap_or_else(|| Track::of_sender(event.sender))
    }
}

#[allow(
    clippy::cast_precision_loss,
    reason = "2^53 nanoseconds are a hundred days"
)]
fn microseconds(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1_000.0
}

/// Writes entries with commas between them.
struct Entries<W> {
    to: W,
    any: bool,
}

impl<W: Write> Entries<W> {
    fn write(&mut self, entry: &Entry) -> io::Result<()> {
        self.to.write_all(if self.any { b",\n" } else { b"\n" })?;
        self.any = true;
        serde_json::to_writer(&mut self.to, entry)?;
        Ok(())
    }

    fn metadata(&mut self, name: &str, tid: usize, args: Value) -> io::Result<()> {
        self.write(&Entry {
            name: name.to_owned(),
            cat: "__metadata",
            ph: "M",
            pid: PROCESS,
            tid,
            args,
            ..Entry::default()
        })
    }

    /// Writes a slice of a track.
    fn slice(
        &mut self,
        name: String,
        tid: usize,
        (from, to): (Duration, Duration),
        args: Value,
    ) -> io::Result<()> {
        self.write(&Entry {
            name,
            cat: "message",
            ph: "X",
            ts: microseconds(from),
            dur: Some(microseconds(
                to.saturating_sub(from).max(Duration::from_nanos(1)),
            )),
            pid: PROCESS,
            tid,
            args,
            ..Entry::default()
        })
    }

    /// Writes one end of an arrow.
    fn arrow(
        &mut self,
        name: &str,
        ph: &'static str,
        tid: usize,
        at: Duration,
        id: TraceId,
    ) -> io::Result<()> {
        self.write(&Entry {
            name: name.to_owned(),
            cat: "message",
            ph,
            ts: microseconds(at),
            pid: PROCESS,
            tid,
            id: Some(id.get()),
            bp: (ph == "f").then_some("e"),
            ..Entry::default()
        })
    }

    fn instant(
        &mut self,
        name: String,
        tid: usize,
        at: Duration,
        scope: &'static str,
        args: Value,
    ) -> io::Result<()> {
        self.write(&Entry {
            name,
            cat: "message",
            ph: "i",
            ts: microseconds(at),
            pid: PROCESS,
            tid,
            s: Some(scope),
            args,
            ..Entry::default()
        })
    }

    fn event(&mut self, event: &TraceEvent, all: &Overview<'_>) -> io::Result<()> {
        match &event.what {
            Traced::Sent { by, .. } => self.send(event, *by, all),
            Traced::Called {
                delivery,
                receiver,
                handler,
                ..
            } => {
                let returned = all.returned.get(delivery);
                let end = returned.map_or(all.last, |returned| returned.wall);
                let tid = all.tid(Track::of_receiver(*receiver));
                let sent = event.send.and_then(|send| all.sends.get(&send));
                let (place, contents) = match sent.map(|sent| &sent.what) {
                    Some(Traced::Sent {
                        place, contents, ..
                    }) => (Some(place.to_string()), contents.as_deref()),
                    _ => (None, None),
                };
                let args = json!({
                    "delivery": delivery.get(),
                    "send": event.send.map(TraceId::get),
                    "receiver": receiver.to_string(),
                    "handler": handler,
                    "sender": event.sender.to_string(),
                    "recipient": event.recipient.to_string(),
                    "place": place,
                    "contents": contents,
                    "frame": event.moment.frame,
                    "outcome": returned.map(ToString::to_string),
                });
                if let Some(sent) = sent {
                    let origin = all.tid(all.origin(sent));
                    self.arrow(event.message, "s", origin, sent.wall, *delivery)?;
                }
                self.slice(event.message.to_owned(), tid, (event.wall, end), args)?;
                if sent.is_some() {
                    self.arrow(event.message, "f", tid, event.wall, *delivery)?;
                }
                Ok(())
            }
            Traced::Returned { .. } | Traced::Settled { .. } => Ok(()),
            _ => {
                let receiver = event.what.receiver().map(Track::of_receiver);
                let track = receiver.unwrap_or_else(|| Track::of_sender(event.sender));
                let args = json!({
                    "send": event.send.map(TraceId::get),
                    "recipient": event.recipient.to_string(),
                    "event": event.to_string(),
                });
                let name = format!("{}: {event}", event.message);
                self.instant(name, all.tid(track), event.wall, "t", args)
            }
        }
    }

    /// Writes a send outside any delivery as a slice of its own, so that its arrows have a start.
    fn send(&mut self, event: &TraceEvent, by: SentBy, all: &Overview<'_>) -> io::Result<()> {
        if all.slice_around(event).is_some() {
            return Ok(());
        }
        let settled = event.send.and_then(|send| all.settled.get(&send));
        let end = settled.map_or(event.wall, |settled| settled.wall);
        let args = json!({
            "send": event.send.map(TraceId::get),
            "recipient": event.recipient.to_string(),
            "event": event.to_string(),
            "outcome": settled.map(ToString::to_string),
        });
        let name = format!("{} {}", by.name(), event.message);
        let tid = all.tid(Track::of_sender(event.sender));
        self.slice(name, tid, (event.wall, end), args)
    }
}

impl Recorder {
    /// Writes the recorded events that the filter covers in the Chrome trace event format, which
    /// [Perfetto](https://ui.perfetto.dev) opens: a track for each messagee with a slice for each
    /// delivery, arrows from each send to its deliveries, and marks where frames begin.
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
    /// let mut file = Vec::new(); // Or a `File`, for https://ui.perfetto.dev.
    /// recorder.write_chrome_trace(&TraceFilter::all(), &mut file)?;
    /// assert!(String::from_utf8(file)?.contains("\"traceEvents\":["));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write_chrome_trace(&self, filter: &TraceFilter, to: impl Write) -> io::Result<()> {
        let all = Overview::of(self.select(filter));
        let to = BufWriter::new(to);
        let mut entries = Entries { to, any: false };
        entries
            .to
            .write_all(b"{\"displayTimeUnit\":\"ns\",\"traceEvents\":[")?;
        entries.metadata("process_name", 0, json!({ "name": "messages" }))?;
        for (track, &tid) in &all.tracks {
            entries.metadata("thread_name", tid, json!({ "name": track.name() }))?;
            entries.metadata("thread_sort_index", tid, json!({ "sort_index": tid }))?;
        }
        let mut frame = None;
        for event in self.select(filter) {
            if frame.replace(event.moment.frame) != Some(event.moment.frame) {
                let name = format!("frame {}", event.moment.frame);
                entries.instant(name, 0, event.wall, "g", Value::Null)?;
            }
            entries.event(event, &all)?;
        }
        entries.to.write_all(b"\n]}\n")?;
        entries.to.flush()
    }
}
