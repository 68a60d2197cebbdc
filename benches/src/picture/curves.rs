//! Draws curves with logarithmic axes, in panels side by side.

use std::error::Error;

use plotters::prelude::*;

use super::canvas::{self, Area, Drawn, FAINT, INK, LINE, Lettering, Role};

/// One curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// The name of the contender.
    pub label: String,
    /// The points from left to right; all numbers are greater than 0.
    pub points: Vec<(f64, f64)>,
    /// Its colour.
    pub role: Role,
}

/// Curves that share a pair of axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// The title, which describes the work.
    pub title: String,
    /// The label of the horizontal axis.
    pub along: String,
    /// The label of the vertical axis.
    pub up: String,
    /// The curves.
    pub curves: Vec<Curve>,
}

const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 340.0;

/// Draws the panels in one row.
///
/// # Errors
///
/// Returns the errors of plotters.
pub fn curves(panels: &[Panel]) -> Drawn {
    let count = panels.len().max(1);
    let width = panels.iter().map(|_| WIDTH).sum::<f64>();
    canvas::paint((width, HEIGHT), |canvas| {
        let areas = canvas.area.split_evenly((1, count));
        for (area, it) in areas.iter().zip(panels) {
            panel(area, it)?;
        }
        Ok(())
    })
}

fn panel(area: &Area<'_>, panel: &Panel) -> Result<(), Box<dyn Error>> {
    let points = || panel.curves.iter().flat_map(|curve| &curve.points);
    let (left, right) = bounds(points().map(|point| point.0));
    let (low, high) = bounds(points().map(|point| point.1));
    // The axis spans at least a factor of ten, so that small differences look small.
    let (low, high) = (round_below(low), high.max(10.0 * round_below(low)));
    let mut chart = ChartBuilder::on(area)
        .margin(14)
        .margin_right(40)
        .caption(&panel.title, Lettering::new(15.0, INK).bold().style())
        .x_label_area_size(46)
        .y_label_area_size(62)
        .build_cartesian_2d((left..right).log_scale(), (low..high * 1.2).log_scale())?;
    let lettering = Lettering::new(12.0, FAINT).style();
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(LINE)
        .axis_style(FAINT)
        .label_style(lettering.clone())
        .axis_desc_style(lettering)
        .x_desc(&panel.along)
        .y_desc(&panel.up)
        .x_label_formatter(&|&count| thousands(count))
        .y_label_formatter(&|&value| {
            if is_round(value) {
                format!("{value}")
            } else {
                String::new()
            }
        })
        .draw()?;
    for (curve, line) in panel.curves.iter().zip(0..) {
        let colour = curve.role.colour();
        let path = PathElement::new(curve.points.clone(), colour.stroke_width(3));
        chart.draw_series([path])?;
        let dots = curve.points.iter();
        chart.draw_series(dots.map(|&at| Circle::new(at, 4, colour.filled())))?;
        // The curves rise to the right, so this corner is free.
        let style = Lettering::new(12.5, colour).bold().style();
        area.draw_text(&curve.label, &style, (92, 58 + 19 * line))?;
    }
    Ok(())
}

/// Returns the greatest number of the form 1, 2 or 5 followed by zeros that is not greater than the value.
fn round_below(value: f64) -> f64 {
    let ten = 10f64.powf(value.log10().floor());
    let steps = [5.0, 2.0, 1.0].map(|factor| factor * ten);
    let fits = steps.into_iter().find(|&step| step <= value * (1.0 + 1e-9));
    fits.unwrap_or(ten)
}

fn is_round(value: f64) -> bool {
    (round_below(value) - value).abs() < value * 1e-6
}

/// Returns the minimum and the maximum, with the latter raised to at least twice the former.
fn bounds(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values.fold((f64::INFINITY, 0.0_f64), |(low, high), value| {
        (low.min(value), high.max(value))
    });
    if low.is_finite() {
        (low, high.max(low * 2.0))
    } else {
        (1.0, 10.0)
    }
}

/// Formats a number with thousands separators: `1 000 000`.
fn thousands(count: f64) -> String {
    let digits = format!("{count:.0}");
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_curve_has_its_label_and_each_panel_its_title() {
        let panel = Panel {
            title: "a send".to_owned(),
            along: "messagees".to_owned(),
            up: "ns".to_owned(),
            curves: vec![Curve {
                label: "message-core: send".to_owned(),
                points: vec![(1_000.0, 10.0), (1_000_000.0, 90.0)],
                role: Role::Ours,
            }],
        };
        let svg = curves(&[panel]).expect("it is drawn");
        for text in ["a send", "messagees", "message-core: send", "1 000 000"] {
            assert!(svg.contains(text), "{text}: {svg}");
        }
    }

    #[test]
    fn an_axis_begins_at_a_round_number() {
        let rounded = [0.67, 1.0, 3.6, 20.0, 99.0].map(round_below);
        for (found, expected) in rounded.into_iter().zip([0.5, 1.0, 2.0, 20.0, 50.0]) {
            assert!((found - expected).abs() < 1e-9, "{found}: {expected}");
        }
        assert!(is_round(0.2) && !is_round(30.0));
    }

    #[test]
    fn thousands_stand_apart() {
        let shown = [7.0, 1_000.0, 25_000.0, 1_000_000.0].map(thousands);
        assert_eq!(shown, ["7", "1 000", "25 000", "1 000 000"]);
    }
}
