//! A trace as Perfetto shows it: a track for each thread of the format, its slices by depth, and arrows from sends to
//! deliveries.

use std::error::Error;
use std::hash::{DefaultHasher, Hash, Hasher};

use plotters::style::{Color, RGBColor, WHITE};

use super::canvas::{self, Canvas, Drawn, FAINT, INK, LINE, Lettering};

/// A slice of a track, in microseconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Slice {
    /// The name of the slice.
    pub name: String,
    /// The time at which it begins.
    pub from: f64,
    /// The time at which it ends.
    pub to: f64,
    /// The number of slices of its track that enclose it.
    pub depth: usize,
}

/// A row of the picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// The name of the track.
    pub name: String,
    /// Its slices.
    pub slices: Vec<Slice>,
}

/// An arrow between two tracks, identified by their indices in [`Trace::tracks`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flow {
    /// The track and the time at which it begins.
    pub from: (usize, f64),
    /// The track and the time at which it ends.
    pub to: (usize, f64),
}

/// A moment of the whole trace, such as the beginning of a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// The name of the moment.
    pub name: String,
    /// The time.
    pub at: f64,
}

/// A trace to draw, with times in microseconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// The heading.
    pub heading: String,
    /// The rows, from top to bottom.
    pub tracks: Vec<Track>,
    /// The arrows.
    pub flows: Vec<Flow>,
    /// The moments.
    pub marks: Vec<Mark>,
    /// The range of time that is drawn.
    pub range: (f64, f64),
}

const WIDTH: f64 = 1_200.0;
const NAMES: f64 = 190.0;
const RIGHT: f64 = 20.0;
const HEAD: f64 = 84.0;
const SLICE: f64 = 20.0;
const PADDING: f64 = 5.0;
const FOOT: f64 = 16.0;
const LETTERS: f64 = 12.0;

/// Muted colours on which white letters can be read.
const COLOURS: [RGBColor; 10] = [
    RGBColor(0x3f, 0x6f, 0xb5),
    RGBColor(0x2f, 0x85, 0x5a),
    RGBColor(0xb4, 0x53, 0x3c),
    RGBColor(0x7a, 0x57, 0xa8),
    RGBColor(0x9a, 0x6b, 0x15),
    RGBColor(0x1f, 0x80, 0x8d),
    RGBColor(0xa8, 0x45, 0x7c),
    RGBColor(0x5c, 0x6f, 0x2f),
    RGBColor(0x56, 0x5f, 0x9c),
    RGBColor(0x7d, 0x5a, 0x4b),
];

fn colour(name: &str) -> RGBColor {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    let colours = COLOURS.len() as u64;
    let number = usize::try_from(hasher.finish() % colours).unwrap_or_default();
    COLOURS[number]
}

impl Trace {
    fn x(&self, at: f64) -> f64 {
        let (from, to) = self.range;
        NAMES + (at - from) / (to - from) * (WIDTH - RIGHT - NAMES)
    }

    fn covers(&self, slice: &Slice) -> bool {
        slice.to >= self.range.0 && slice.from <= self.range.1
    }

    fn is_inside(&self, at: f64) -> bool {
        self.range.0 <= at && at <= self.range.1
    }

    /// Returns the height of each track, which is 0 if it has no slice in the range.
    fn heights(&self) -> Vec<f64> {
        let depth = |track: &Track| {
            let seen = track.slices.iter().filter(|it| self.covers(it));
            seen.map(|slice| slice.depth + 1).max().unwrap_or(0)
        };
        let height = |track: &Track| match depth(track) {
            0 => 0.0,
            #[allow(clippy::cast_precision_loss, reason = "a small number")]
            depth => depth as f64 * SLICE + 2.0 * PADDING,
        };
        self.tracks.iter().map(height).collect()
    }
}

/// Draws the trace.
///
/// # Errors
///
/// Returns the errors of plotters.
pub fn trace(trace: &Trace) -> Drawn {
    let heights = trace.heights();
    let bottom = HEAD + heights.iter().sum::<f64>();
    canvas::paint((WIDTH, bottom + FOOT), |canvas| {
        let heading = Lettering::new(16.0, INK).bold();
        canvas.text(&trace.heading, (16.0, 24.0), heading)?;
        ruler(canvas, trace, bottom)?;
        let mut tops = Vec::new();
        let mut y = HEAD;
        for (track, height) in trace.tracks.iter().zip(&heights) {
            tops.push((*height > 0.0).then_some(y));
            if *height > 0.0 {
                row(canvas, trace, track, y)?;
            }
            y += height;
        }
        canvas.line(&[(0.0, bottom), (WIDTH, bottom)], LINE)?;
        for flow in &trace.flows {
            arrow(canvas, trace, flow, &tops)?;
        }
        Ok(())
    })
}

/// Draws the times and the moments.
fn ruler(canvas: &Canvas<'_>, trace: &Trace, bottom: f64) -> Result<(), Box<dyn Error>> {
    let (from, to) = trace.range;
    let step = step((to - from) / 8.0);
    let small = Lettering::new(11.5, FAINT);
    let mut number = (from / step).ceil();
    while number * step <= to {
        let x = trace.x(number * step);
        canvas.line(&[(x, HEAD - 16.0), (x, bottom)], LINE)?;
        if x < WIDTH - 70.0 {
            let text = format!("{} µs", tidy(number * step));
            canvas.text(&text, (x + 4.0, HEAD - 10.0), small)?;
        }
        number += 1.0;
    }
    for mark in trace.marks.iter().filter(|mark| trace.is_inside(mark.at)) {
        let x = trace.x(mark.at);
        canvas.line(&[(x, HEAD - 34.0), (x, bottom)], FAINT)?;
        let bold = Lettering::new(11.5, INK).bold();
        canvas.text(&mark.name, (x + 4.0, HEAD - 28.0), bold)?;
    }
    Ok(())
}

/// Returns the smallest number of the form 1, 2 or 5 followed by zeros that is not less than the value.
fn step(least: f64) -> f64 {
    let ten = 10f64.powf(least.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * ten);
    let fits = steps.into_iter().find(|&step| step >= least);
    fits.unwrap_or(10.0 * ten)
}

fn tidy(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn row(canvas: &Canvas<'_>, all: &Trace, row: &Track, y: f64) -> Result<(), Box<dyn Error>> {
    canvas.line(&[(0.0, y), (WIDTH, y)], LINE)?;
    let name = cut(&row.name, NAMES - 24.0);
    let middle = y + PADDING + SLICE / 2.0;
    canvas.text(&name, (16.0, middle), Lettering::new(LETTERS, INK))?;
    for slice in row.slices.iter().filter(|it| all.covers(it)) {
        #[allow(clippy::cast_precision_loss, reason = "a small number")]
        let top = y + PADDING + slice.depth as f64 * SLICE;
        let left = all.x(slice.from).max(NAMES);
        // Keeps even the shortest slice visible.
        let right = all.x(slice.to).min(WIDTH - RIGHT).max(left + 1.0);
        let bottom = top + SLICE - 2.0;
        canvas.rectangle((left, top), (right, bottom), colour(&slice.name))?;
        let name = cut(&slice.name, right - left - 8.0);
        if name.chars().count() > 2 {
            let at = (left + 4.0, top + SLICE / 2.0 - 1.0);
            canvas.text(&name, at, Lettering::new(LETTERS, WHITE))?;
        }
    }
    Ok(())
}

/// Truncates a text to the available width.
fn cut(text: &str, width: f64) -> String {
    let room = canvas::letters_in(width, LETTERS);
    if text.chars().count() <= room {
        return text.to_owned();
    }
    if room < 3 {
        return String::new();
    }
    text.chars().take(room - 1).chain(['…']).collect()
}

fn arrow(
    canvas: &Canvas<'_>,
    trace: &Trace,
    flow: &Flow,
    tops: &[Option<f64>],
) -> Result<(), Box<dyn Error>> {
    let top = |track: usize| tops.get(track).copied().flatten();
    let (Some(from), Some(to)) = (top(flow.from.0), top(flow.to.0)) else {
        return Ok(());
    };
    let is_drawn = trace.is_inside(flow.from.1) && trace.is_inside(flow.to.1);
    if !is_drawn || flow.from.0 == flow.to.0 {
        return Ok(());
    }
    let (x, end) = (trace.x(flow.from.1), trace.x(flow.to.1));
    let (y, below) = (from + PADDING + SLICE / 2.0, to + PADDING + SLICE / 2.0);
    let colour = INK.mix(0.45);
    canvas.line(&[(x, y), (end, below)], colour)?;
    let head = if below > y { -5.0 } else { 5.0 };
    canvas.line(
        &[
            (end - 3.0, below + head),
            (end, below),
            (end + 3.0, below + head),
        ],
        colour,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tracks_and_slices_have_their_names_and_what_is_outside_is_left_out() {
        let slice = |name: &str, from, to, depth| Slice {
            name: name.to_owned(),
            from,
            to,
            depth,
        };
        let track = |name: &str, slices| Track {
            name: name.to_owned(),
            slices,
        };
        let picture = Trace {
            heading: "a battle".to_owned(),
            tracks: vec![
                track("outside", vec![slice("send Turn", 0.0, 90.0, 0)]),
                track(
                    "ogre",
                    vec![slice("Turn", 10.0, 80.0, 0), slice("Damage", 20.0, 60.0, 1)],
                ),
                track("late", vec![slice("Never", 500.0, 600.0, 0)]),
            ],
            flows: vec![Flow {
                from: (0, 5.0),
                to: (1, 10.0),
            }],
            marks: vec![Mark {
                name: "frame 1".to_owned(),
                at: 0.0,
            }],
            range: (0.0, 100.0),
        };
        let svg = trace(&picture).expect("it is drawn");
        for text in [
            "a battle",
            "outside",
            "send Turn",
            "ogre",
            "Damage",
            "frame 1",
            "20 µs",
        ] {
            assert!(svg.contains(text), "{text}: {svg}");
        }
        for text in ["late", "Never"] {
            assert!(!svg.contains(text), "{text}: {svg}");
        }
    }

    #[test]
    fn a_name_is_cut_to_its_room() {
        assert_eq!(cut("Damage", 100.0), "Damage");
        assert_eq!(cut("Damage", 30.0), "Dam…");
        assert_eq!(cut("Damage", 10.0), "");
    }

    #[test]
    fn the_ruler_has_round_steps() {
        assert!((step(0.3) - 0.5).abs() < 1e-9);
        assert!((step(12.0) - 20.0).abs() < 1e-9);
        assert!((step(60.0) - 100.0).abs() < 1e-9);
    }
}
