//! Draws a trace written by message-core the way Perfetto shows it: tracks, slices by depth, and arrows from sends to
//! deliveries.
//!
//! ```sh
//! cargo run --release --example skirmish -- --trace out.json
//! cargo run --release -p message-benches --features svg --bin trace_picture -- out.json out.svg --frame 3
//! ```

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::process::ExitCode;

use message_benches::picture::{self, Flow, Mark, Slice, Trace, Track};
use serde_json::Value;

const USAGE: &str = "usage: trace_picture TRACE.json PICTURE.svg [--frame N] [--heading TEXT]";

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("trace_picture: {why}");
            ExitCode::FAILURE
        }
    }
}

fn run(mut arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let mut files = Vec::new();
    let (mut frame, mut heading) = (None, "A trace".to_owned());
    while let Some(argument) = arguments.next() {
        let mut value = || {
            let value = arguments.next();
            value.ok_or_else(|| format!("`{argument}` needs a value\n{USAGE}"))
        };
        match argument.as_str() {
            "--help" => {
                println!("{USAGE}");
                return Ok(());
            }
            "--frame" => {
                let number = value()?;
                let parsed = number.parse::<u64>();
                frame = Some(parsed.map_err(|_| {
                    format!("`--frame {number}`: expected the number of a frame\n{USAGE}")
                })?);
            }
            "--heading" => heading = value()?,
            option if option.starts_with("--") => {
                return Err(format!("unknown argument `{option}`\n{USAGE}"));
            }
            _ => files.push(argument),
        }
    }
    let [from, to] = &files[..] else {
        return Err(format!(
            "expected two files, found {}\n{USAGE}",
            files.len()
        ));
    };
    let told = |file: &str, why: &dyn std::fmt::Display| format!("{file}: {why}");
    let text = fs::read_to_string(from).map_err(|error| told(from, &error))?;
    let trace = read(&text, frame, heading).map_err(|why| told(from, &why))?;
    let svg = picture::trace(&trace).map_err(|error| error.to_string())?;
    fs::write(to, svg).map_err(|error| told(to, &error))
}

/// Reads a trace in the Chrome format: only the given frame, if there is one, or the whole trace.
fn read(text: &str, frame: Option<u64>, heading: String) -> Result<Trace, String> {
    let all: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let events = all["traceEvents"]
        .as_array()
        .ok_or("expected a list `traceEvents`")?;
    let mut tracks: BTreeMap<u64, Track> = BTreeMap::new();
    let mut marks = Vec::new();
    let mut ends: HashMap<u64, [Option<(u64, f64)>; 2]> = HashMap::new();
    let mut last = 0.0_f64;
    for event in events {
        let text = |field: &str| event[field].as_str().unwrap_or_default();
        let number = |field: &str| event[field].as_f64().unwrap_or_default();
        let id = |field: &str| event[field].as_u64().unwrap_or_default();
        let (at, track) = (number("ts"), id("tid"));
        match text("ph") {
            "M" if text("name") == "thread_name" => {
                let name = short_track(event["args"]["name"].as_str().unwrap_or_default());
                tracks.entry(track).or_insert_with(new_track).name = name;
            }
            "X" => {
                let to = at + number("dur");
                last = last.max(to);
                let slice = Slice {
                    name: short(text("name")),
                    from: at,
                    to,
                    depth: 0,
                };
                let track = tracks.entry(track).or_insert_with(new_track);
                track.slices.push(slice);
            }
            "i" if text("s") == "g" => marks.push(Mark {
                name: text("name").to_owned(),
                at,
            }),
            "s" => ends.entry(id("id")).or_default()[0] = Some((track, at)),
            "f" => ends.entry(id("id")).or_default()[1] = Some((track, at)),
            _ => {}
        }
    }
    let range = range(&marks, frame, last)?;
    let numbers: HashMap<u64, usize> = tracks.keys().copied().zip(0..).collect();
    let end = |(track, at): (u64, f64)| Some((*numbers.get(&track)?, at));
    let flows = ends.into_values().filter_map(|[from, to]| {
        Some(Flow {
            from: end(from?)?,
            to: end(to?)?,
        })
    });
    let mut flows: Vec<Flow> = flows.collect();
    flows.sort_by(|one, other| one.to.1.total_cmp(&other.to.1));
    let mut tracks: Vec<Track> = tracks.into_values().collect();
    for track in &mut tracks {
        nest(&mut track.slices);
    }
    Ok(Trace {
        heading,
        tracks,
        flows,
        marks,
        range,
    })
}

fn new_track() -> Track {
    Track {
        name: String::new(),
        slices: Vec::new(),
    }
}

/// Returns the range from the beginning of a frame to that of the next one, with a little margin.
fn range(marks: &[Mark], frame: Option<u64>, last: f64) -> Result<(f64, f64), String> {
    let Some(frame) = frame else {
        return Ok((0.0, last.max(1.0)));
    };
    let name = format!("frame {frame}");
    let at = marks.iter().position(|mark| mark.name == name);
    let at = at.ok_or_else(|| {
        let names: Vec<&str> = marks.iter().map(|mark| mark.name.as_str()).collect();
        format!("there is no {name}; expected one of {}", names.join(", "))
    })?;
    let from = marks[at].at;
    // Ends at the next frame, but without its mark.
    let to = marks.get(at + 1).map_or(last, |next| next.at);
    Ok((from, from + (to - from) * 0.999))
}

/// Sets the depth of each slice: the number of earlier slices that have not ended yet.
fn nest(slices: &mut [Slice]) {
    slices.sort_by(|one, other| {
        let begin = one.from.total_cmp(&other.from);
        begin.then(other.to.total_cmp(&one.to))
    });
    let mut around: Vec<f64> = Vec::new();
    for slice in slices {
        while around.last().is_some_and(|&end| end <= slice.from) {
            around.pop();
        }
        slice.depth = around.len();
        around.push(slice.to);
    }
}

/// Removes the modules: `send a::b::Damage` becomes `send Damage`.
fn short(name: &str) -> String {
    let words = name.split(' ').map(|word| match word.rsplit_once("::") {
        Some((_, last)) => last,
        None => word,
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Shortens `messagee 7v0 "goblin Snag"` to `goblin Snag`, if the messagee has a name.
fn short_track(name: &str) -> String {
    match name.split_once('"') {
        Some((_, rest)) => rest.trim_end_matches('"').to_owned(),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = r#"{"traceEvents":[
        {"name":"thread_name","ph":"M","ts":0.0,"pid":1,"tid":0,"args":{"name":"outside"}},
        {"name":"thread_name","ph":"M","ts":0.0,"pid":1,"tid":3,"args":{"name":"messagee 1v0 \"tank\""}},
        {"name":"frame 0","ph":"i","ts":1.0,"pid":1,"tid":0,"s":"g"},
        {"name":"send a::Hit","ph":"X","ts":1.0,"dur":8.0,"pid":1,"tid":0},
        {"name":"a::Hit","ph":"s","ts":1.5,"pid":1,"tid":0,"id":2},
        {"name":"a::Hit","ph":"X","ts":2.0,"dur":6.0,"pid":1,"tid":3},
        {"name":"a::Hit","ph":"f","ts":2.0,"pid":1,"tid":3,"id":2,"bp":"e"},
        {"name":"b::Ask","ph":"X","ts":3.0,"dur":2.0,"pid":1,"tid":3},
        {"name":"frame 1","ph":"i","ts":11.0,"pid":1,"tid":0,"s":"g"}
    ]}"#;

    #[test]
    fn a_trace_has_its_tracks_slices_by_depth_and_arrows() {
        let trace = read(TRACE, Some(0), "a battle".to_owned()).expect("it is one");
        let names: Vec<&str> = trace.tracks.iter().map(|track| &*track.name).collect();
        assert_eq!(names, ["outside", "tank"]);
        let slices = trace.tracks[1].slices.iter();
        let slices: Vec<_> = slices.map(|slice| (&*slice.name, slice.depth)).collect();
        assert_eq!(slices, [("Hit", 0), ("Ask", 1)]);
        let flow = Flow {
            from: (0, 1.5),
            to: (1, 2.0),
        };
        assert_eq!(trace.flows, [flow]);
        assert!((trace.range.0 - 1.0).abs() < 1e-9 && trace.range.1 < 11.0);
    }

    #[test]
    fn what_is_no_trace_is_told_with_what_was_expected() {
        let mistake = |text, frame| read(text, frame, String::new()).expect_err("it is wrong");
        assert_eq!(mistake("{}", None), "expected a list `traceEvents`");
        assert_eq!(
            mistake(TRACE, Some(7)),
            "there is no frame 7; expected one of frame 0, frame 1"
        );
        assert!(mistake("{", None).contains("line 1"));
        let run = |line: &str| run(line.split_whitespace().map(str::to_owned));
        assert!(
            run("one.json")
                .expect_err("a file is missing")
                .contains("found 1")
        );
        assert!(
            run("a b --frame x")
                .expect_err("no number")
                .contains("--frame x")
        );
        assert!(run("a b --fast").expect_err("no option").contains("--fast"));
    }
}
