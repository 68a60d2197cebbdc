//! Pictures in SVG: bars, curves with logarithmic axes, and traces.
//!
//! What is drawn is plain data, read by those who call. The crate plotters writes the SVG; the width of a text is
//! estimated, since a picture without fonts cannot know it.

mod bars;
mod canvas;
mod curves;
mod trace;

pub use bars::{Bar, Group, bars};
pub use canvas::{Drawn, Role};
pub use curves::{Curve, Panel, curves};
pub use trace::{Flow, Mark, Slice, Trace, Track, trace};
