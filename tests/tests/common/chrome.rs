//! Reads a Chrome trace back, as a viewer does: slices on tracks, arrows between them.
#![allow(dead_code, reason = "each program uses its own part of this")]

use std::collections::BTreeMap;

use message_trace::{Recorder, TraceFilter};
use serde_json::Value;

/// A slice (`X`). Times are in nanoseconds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Slice {
    pub(crate) name: String,
    pub(crate) track: u64,
    pub(crate) from: u64,
    pub(crate) to: u64,
    pub(crate) args: Value,
}

impl Slice {
    fn is_around(&self, end: &End) -> bool {
        self.track == end.track && (self.from..=self.to).contains(&end.at)
    }
}

/// One end of an arrow (`s` or `f`).
#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    pub(crate) track: u64,
    pub(crate) at: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Chrome {
    pub(crate) slices: Vec<Slice>,
    pub(crate) starts: BTreeMap<u64, End>,
    pub(crate) ends: BTreeMap<u64, End>,
    /// The names of instants, with their scopes.
    pub(crate) instants: Vec<(String, String)>,
    /// The names of tracks.
    pub(crate) tracks: BTreeMap<u64, String>,
    /// Every track that has an event.
    used: Vec<u64>,
}

/// Writes the events that the filter covers, and reads them back.
pub(crate) fn chrome_of(recorder: &Recorder, filter: &TraceFilter) -> Chrome {
    let mut written = Vec::new();
    let wrote = message_trace::write_chrome_trace(recorder, filter, &mut written);
    wrote.expect("there is room in memory");
    let trace = Chrome::read(&String::from_utf8(written).expect("it is text"));
    trace.check();
    trace
}

fn number(event: &Value, field: &str) -> u64 {
    let number = event[field].as_u64();
    number.unwrap_or_else(|| panic!("{field} is a number in {event}"))
}

fn text(event: &Value, field: &str) -> String {
    let text = event[field].as_str();
    text.unwrap_or_else(|| panic!("{field} is text in {event}"))
        .to_owned()
}

/// Microseconds as nanoseconds.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a test takes less than a hundred days, and none before it began"
)]
fn time(event: &Value, field: &str) -> u64 {
    let micros = event[field].as_f64();
    let micros = micros.unwrap_or_else(|| panic!("{field} is a time in {event}"));
    assert!(micros >= 0.0, "{event}");
    (micros * 1_000.0).round() as u64
}

impl Chrome {
    /// Reads a trace, and checks that every event has the fields that the format requires for its phase.
    pub(crate) fn read(text_of: &str) -> Self {
        let json: Value = serde_json::from_str(text_of).expect("it is JSON");
        assert_eq!(json["displayTimeUnit"], "ns");
        let events = json["traceEvents"].as_array().expect("a list of events");
        let mut this = Self::default();
        for event in events {
            let (name, track) = (text(event, "name"), number(event, "tid"));
            assert_eq!(number(event, "pid"), 1);
            let at = time(event, "ts");
            let end = End { track, at };
            match text(event, "ph").as_str() {
                "M" => {
                    if name == "thread_name" {
                        let before = this.tracks.insert(track, text(&event["args"], "name"));
                        assert_eq!(before, None, "a track has one name");
                    }
                    continue;
                }
                "X" => this.slices.push(Slice {
                    name,
                    track,
                    from: at,
                    to: at + time(event, "dur"),
                    args: event["args"].clone(),
                }),
                "s" => {
                    let before = this.starts.insert(number(event, "id"), end);
                    assert!(before.is_none(), "an arrow starts once: {event}");
                }
                "f" => {
                    assert_eq!(text(event, "bp"), "e");
                    let before = this.ends.insert(number(event, "id"), end);
                    assert!(before.is_none(), "an arrow ends once: {event}");
                }
                "i" => this.instants.push((name, text(event, "s"))),
                other => panic!("there is no phase {other}"),
            }
            assert_eq!(text(event, "cat"), "message");
            this.used.push(track);
        }
        this
    }

    /// Checks the invariants that hold for every trace.
    fn check(&self) {
        for track in &self.used {
            assert!(self.tracks.contains_key(track), "track {track} has a name");
        }
        let mut names: Vec<_> = self.tracks.values().collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|two| two[0] != two[1]), "{names:?}");
        assert!(
            self.starts.keys().eq(self.ends.keys()),
            "arrows have two ends"
        );
        for (id, start) in &self.starts {
            let end = &self.ends[id];
            assert!(start.at <= end.at, "arrow {id} goes forward");
            for end in [start, end] {
                let around = self.slices.iter().find(|slice| slice.is_around(end));
                assert!(around.is_some(), "arrow {id} is bound to a slice");
            }
        }
        for &track in self.tracks.keys() {
            self.check_nesting(track);
        }
    }

    /// Checks that any two slices on a track are either nested or disjoint.
    fn check_nesting(&self, track: u64) {
        let slices = self.slices.iter().filter(|slice| slice.track == track);
        let mut slices: Vec<_> = slices.collect();
        slices.sort_by_key(|slice| (slice.from, std::cmp::Reverse(slice.to)));
        let mut open: Vec<&Slice> = Vec::new();
        for slice in slices {
            while open.last().is_some_and(|outer| outer.to <= slice.from) {
                open.pop();
            }
            if let Some(outer) = open.last() {
                assert!(slice.to <= outer.to, "{slice:?}\nleaves\n{outer:?}");
            }
            open.push(slice);
        }
    }

    /// Returns the innermost slice around the end of an arrow, which a viewer binds it to.
    fn innermost(&self, end: &End) -> &Slice {
        let around = self.slices.iter().filter(|slice| slice.is_around(end));
        let innermost = around.max_by_key(|slice| (slice.from, std::cmp::Reverse(slice.to)));
        innermost.expect("every end is bound to a slice")
    }

    /// Returns the slices to which arrows lead from a slice.
    pub(crate) fn leads_to(&self, slice: &Slice) -> Vec<&Slice> {
        let from_here = self.starts.iter();
        let from_here = from_here.filter(|(_, start)| self.innermost(start) == slice);
        from_here
            .map(|(id, _)| self.innermost(&self.ends[id]))
            .collect()
    }

    /// Returns the one slice of that name on that track.
    pub(crate) fn slice(&self, name: &str, track: &str) -> &Slice {
        let fits = |slice: &&Slice| slice.name == name && self.tracks[&slice.track] == track;
        let mut fitting = self.slices.iter().filter(fits);
        let found = fitting.next();
        let found = found.unwrap_or_else(|| panic!("no {name} on {track} in {self:#?}"));
        assert!(fitting.next().is_none(), "one {name} on {track}");
        found
    }

    /// Returns the name of the track of a slice.
    pub(crate) fn track_of(&self, slice: &Slice) -> &str {
        &self.tracks[&slice.track]
    }

    /// Follows arrows from a slice, one from each, and returns the slices on the way.
    pub(crate) fn follow(&self, from: &Slice) -> Vec<&Slice> {
        let mut path = Vec::new();
        let mut next = self.leads_to(from);
        while let [only] = next[..] {
            path.push(only);
            next = self.leads_to(only);
        }
        assert!(next.is_empty(), "one arrow leads on, not {}", next.len());
        path
    }
}
