//! Rectangles, lines and text in pixels, and the colours on a light and on a dark background.

use std::error::Error;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// An SVG, or the reason why it cannot be drawn.
pub type Drawn = Result<String, Box<dyn Error>>;

/// The kind of contender, which determines the colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Plain Rust.
    Floor,
    /// message-core.
    Ours,
    /// A peer.
    Other,
}

impl Role {
    pub(super) fn colour(self) -> RGBColor {
        match self {
            Self::Floor => FLOOR,
            Self::Ours => OURS,
            Self::Other => OTHER,
        }
    }
}

const FLOOR: RGBColor = RGBColor(0x55, 0x5b, 0x63);
const OURS: RGBColor = RGBColor(0x0b, 0x6b, 0xcb);
const OTHER: RGBColor = RGBColor(0xb9, 0xc0, 0xc8);
pub(super) const INK: RGBColor = RGBColor(0x24, 0x29, 0x2f);
pub(super) const FAINT: RGBColor = RGBColor(0x6a, 0x73, 0x7d);
pub(super) const LINE: RGBColor = RGBColor(0xe3, 0xe6, 0xea);

/// The colours that a viewer with a dark background sees. White letters stay white: they are on coloured ground.
const DARK: [(&str, RGBColor, &str); 7] = [
    ("rect", WHITE, "#0d1117"),
    ("", INK, "#e6edf3"),
    ("", FAINT, "#9aa4af"),
    ("", LINE, "#2b323a"),
    ("", FLOOR, "#aab2bd"),
    ("", OURS, "#58a6ff"),
    ("", OTHER, "#4b5560"),
];

pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The style of a text: its size in pixels, its colour, and its anchor point.
#[derive(Clone, Copy)]
pub(super) struct Lettering {
    size: f64,
    colour: RGBColor,
    bold: bool,
    side: HPos,
}

impl Lettering {
    pub(super) const fn new(size: f64, colour: RGBColor) -> Self {
        Self {
            size,
            colour,
            bold: false,
            side: HPos::Left,
        }
    }

    pub(super) const fn bold(mut self) -> Self {
        self.bold = true;
        self
    }

    pub(super) const fn centred(mut self) -> Self {
        self.side = HPos::Center;
        self
    }

    pub(super) fn style(self) -> TextStyle<'static> {
        let style = if self.bold {
            FontStyle::Bold
        } else {
            FontStyle::Normal
        };
        // plotters writes the size divided by 1.24 into the SVG.
        let font = ("sans-serif", self.size * 1.24, style);
        TextStyle {
            color: self.colour.to_backend_color(),
            ..TextStyle::from(font.into_font())
        }
        .pos(Pos::new(self.side, VPos::Center))
    }
}

/// Returns the number of letters of a size that fit into a width, both in pixels. A letter of a typical font is about
/// 0.6 times as wide as it is high.
pub(super) fn letters_in(width: f64, size: f64) -> usize {
    let letters = (width / (size * 0.6)).max(0.0);
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "from 0 up to the width of a picture"
    )]
    let letters = letters as usize;
    letters
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "a place in a picture of some thousand pixels"
)]
pub(super) fn pixel(at: f64) -> i32 {
    at.round() as i32
}

/// The drawing area.
pub(super) struct Canvas<'a> {
    pub(super) area: Area<'a>,
}

impl Canvas<'_> {
    pub(super) fn text(
        &self,
        text: &str,
        (x, y): (f64, f64),
        lettering: Lettering,
    ) -> Result<(), Box<dyn Error>> {
        let at = (pixel(x), pixel(y));
        Ok(self.area.draw_text(text, &lettering.style(), at)?)
    }

    pub(super) fn rectangle(
        &self,
        (left, top): (f64, f64),
        (right, bottom): (f64, f64),
        colour: RGBColor,
    ) -> Result<(), Box<dyn Error>> {
        let corners = [(pixel(left), pixel(top)), (pixel(right), pixel(bottom))];
        Ok(self.area.draw(&Rectangle::new(corners, colour.filled()))?)
    }

    pub(super) fn line(
        &self,
        points: &[(f64, f64)],
        style: impl Into<ShapeStyle>,
    ) -> Result<(), Box<dyn Error>> {
        let points: Vec<_> = points.iter().map(|&(x, y)| (pixel(x), pixel(y))).collect();
        Ok(self.area.draw(&PathElement::new(points, style))?)
    }
}

/// Draws a picture of the given width and height.
pub(super) fn paint(
    size: (f64, f64),
    draw: impl FnOnce(&Canvas<'_>) -> Result<(), Box<dyn Error>>,
) -> Drawn {
    let mut svg = String::new();
    let size = (
        pixel(size.0).max(1).unsigned_abs(),
        pixel(size.1).max(1).unsigned_abs(),
    );
    let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
    area.fill(&WHITE)?;
    let canvas = Canvas { area };
    draw(&canvas)?;
    canvas.area.present()?;
    // Writes the end of the SVG.
    drop(canvas);
    let begin = svg.find('>').map_or(0, |end| end + 1);
    svg.insert_str(begin, &dark());
    Ok(svg)
}

/// Returns the style for viewers that prefer a dark background. A style takes precedence over the attributes of a shape.
fn dark() -> String {
    let rules = DARK.map(|(shape, RGBColor(red, green, blue), dark)| {
        let light = format!("#{red:02X}{green:02X}{blue:02X}");
        format!(
            "{shape}[fill=\"{light}\"]{{fill:{dark}}}{shape}[stroke=\"{light}\"]{{stroke:{dark}}}\n"
        )
    });
    format!(
        "\n<style>@media (prefers-color-scheme: dark) {{\n{}}}</style>",
        rules.concat()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_colour_of_a_picture_has_a_dark_one() {
        let svg = paint((100.0, 100.0), |canvas| {
            canvas.text("ink", (1.0, 1.0), Lettering::new(12.0, INK))?;
            canvas.line(&[(0.0, 0.0), (9.0, 9.0)], LINE)?;
            canvas.rectangle((0.0, 0.0), (9.0, 9.0), Role::Ours.colour())
        });
        let svg = svg.expect("it is drawn");
        let (style, shapes) = svg.split_once("</style>").expect("it has a style");
        for colour in shapes.split("=\"#").skip(1).map(|rest| &rest[..6]) {
            assert!(style.contains(colour), "{colour}: {style}");
        }
        assert!(
            style.contains("rect[fill=\"#FFFFFF\"]{fill:#0d1117}"),
            "{style}"
        );
    }
}
