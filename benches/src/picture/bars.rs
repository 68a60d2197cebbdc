//! Bars on a logarithmic axis: they start at 1, and point left for ratios below 1.

use std::error::Error;

use super::canvas::{self, Canvas, Drawn, FAINT, INK, LINE, Lettering, Role};

/// One bar.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// The name of the contender.
    pub label: String,
    /// The length of the bar; greater than 0.
    pub ratio: f64,
    /// The note after the ratio.
    pub note: String,
    /// Its colour.
    pub role: Role,
}

/// Bars under a common title.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The title, which describes the work.
    pub title: String,
    /// The bars in drawing order.
    pub bars: Vec<Bar>,
}

const WIDTH: f64 = 960.0;
const MARGIN: f64 = 24.0;
/// The minimum and maximum x coordinate of bars; the space to the right is for the figures.
const AXIS: (f64, f64) = (345.0, 805.0);
const HEAD: f64 = 104.0;
const TITLE: f64 = 36.0;
const ROW: f64 = 22.0;
const FOOT: f64 = 40.0;

const TICKS: [f64; 14] = [
    0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1_000.0, 2_000.0,
];

/// The axis from the tick below all bars to the end of the longest one.
struct Axis {
    from: f64,
    to: f64,
}

impl Axis {
    fn of(groups: &[Group]) -> Self {
        let ratios = || {
            groups
                .iter()
                .flat_map(|group| &group.bars)
                .map(|bar| bar.ratio)
        };
        let least = ratios().fold(1.0, f64::min);
        let below = TICKS.into_iter().rfind(|&tick| tick <= least);
        Self {
            from: below.unwrap_or(least),
            to: ratios().fold(2.0, f64::max),
        }
    }

    fn at(&self, ratio: f64) -> f64 {
        let part = (ratio / self.from).ln() / (self.to / self.from).ln();
        AXIS.0 + part * (AXIS.1 - AXIS.0)
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        let (from, to) = (self.from, self.to);
        TICKS
            .into_iter()
            .filter(move |&tick| from <= tick && tick <= to)
    }
}

/// Draws the groups one below another, on one axis.
///
/// # Errors
///
/// Returns the errors of plotters.
pub fn bars(heading: &str, below: &str, groups: &[Group]) -> Drawn {
    let height = |group: &Group| group.bars.iter().map(|_| ROW).sum::<f64>() + TITLE;
    let bottom = HEAD + groups.iter().map(height).sum::<f64>();
    canvas::paint((WIDTH, bottom + FOOT), |canvas| {
        let axis = Axis::of(groups);
        canvas.text(heading, (MARGIN, 32.0), Lettering::new(20.0, INK).bold())?;
        canvas.text(below, (MARGIN, 58.0), Lettering::new(13.0, FAINT))?;
        ticks(canvas, &axis, bottom)?;
        let mut y = HEAD;
        for group in groups {
            let title = Lettering::new(14.0, INK).bold();
            // The lines of the axis must not cross a title.
            canvas.rectangle(
                (0.0, y + 2.0),
                (WIDTH, y + TITLE - 2.0),
                plotters::style::WHITE,
            )?;
            canvas.text(&group.title, (MARGIN, y + TITLE / 2.0 + 3.0), title)?;
            y += TITLE;
            for it in &group.bars {
                bar(canvas, &axis, it, y)?;
                y += ROW;
            }
        }
        Ok(())
    })
}

fn ticks(canvas: &Canvas<'_>, axis: &Axis, bottom: f64) -> Result<(), Box<dyn Error>> {
    let lettering = Lettering::new(12.0, FAINT).centred();
    for tick in axis.ticks() {
        let x = axis.at(tick);
        let colour = if (tick - 1.0).abs() < f64::EPSILON {
            Role::Floor.colour()
        } else {
            LINE
        };
        canvas.line(&[(x, HEAD - 6.0), (x, bottom + 6.0)], colour)?;
        for y in [HEAD - 16.0, bottom + 18.0] {
            canvas.text(&format!("{tick} ×"), (x, y), lettering)?;
        }
    }
    Ok(())
}

fn bar(canvas: &Canvas<'_>, axis: &Axis, bar: &Bar, y: f64) -> Result<(), Box<dyn Error>> {
    let ours = bar.role == Role::Ours;
    let colour = if ours { Role::Ours.colour() } else { INK };
    let mut lettering = Lettering::new(13.0, colour);
    if ours {
        lettering = lettering.bold();
    }
    let middle = y + ROW / 2.0;
    canvas.text(&bar.label, (MARGIN + 12.0, middle), lettering)?;
    let (one, end) = (axis.at(1.0), axis.at(bar.ratio));
    // Keeps a bar visible even if its ratio is 1.
    let (left, right) = (one.min(end) - 1.0, one.max(end) + 1.0);
    canvas.rectangle((left, y + 4.0), (right, y + ROW - 4.0), bar.role.colour())?;
    let figures = format!("{} ×  ·  {}", short(bar.ratio), bar.note);
    canvas.text(&figures, (right + 8.0, middle), lettering)
}

/// Formats a ratio with at least three digits.
fn short(ratio: f64) -> String {
    match ratio {
        100.0.. => format!("{ratio:.0}"),
        10.0.. => format!("{ratio:.1}"),
        _ => format!("{ratio:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(label: &str, ratio: f64, role: Role) -> Bar {
        Bar {
            label: label.to_owned(),
            ratio,
            note: format!("{ratio} ns"),
            role,
        }
    }

    #[test]
    fn each_bar_has_its_label_and_its_figures_and_ours_its_colour() {
        let groups = [Group {
            title: "W1: a send".to_owned(),
            bars: vec![
                bar("floor: Vec<Box<dyn Fn()>>", 1.0, Role::Floor),
                bar("message-core: send", 1.81, Role::Ours),
                bar("actix: do_send", 163.2, Role::Other),
                bar("bevy_ecs: Messages", 0.56, Role::Other),
            ],
        }];
        let svg = bars("times", "shorter is better", &groups).expect("it is drawn");
        for text in [
            "times",
            "W1: a send",
            "floor: Vec&lt;Box&lt;dyn Fn()&gt;&gt;",
            "message-core: send",
            "1.81 ×  ·  1.81 ns",
            "163 ×",
            "0.56 ×",
            "0.5 ×",
            "#0B6BCB",
        ] {
            assert!(svg.contains(text), "{text}: {svg}");
        }
        assert!(svg.trim_end().ends_with("</svg>"), "{svg}");
    }

    #[test]
    fn a_bar_begins_at_one_and_grows_with_the_logarithm() {
        let axis = Axis {
            from: 1.0,
            to: 100.0,
        };
        let [one, ten, hundred] = [1.0, 10.0, 100.0].map(|ratio| axis.at(ratio));
        assert!((one - AXIS.0).abs() < 1e-9);
        assert!((hundred - AXIS.1).abs() < 1e-9);
        assert!((hundred - ten - (ten - one)).abs() < 1e-9);
    }
}
