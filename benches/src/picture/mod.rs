//! Pictures in SVG: bars, curves with logarithmic axes, and traces.
//!
//! The pictures are drawn from plain data, which the callers read. The crate plotters writes the SVG; the width of a
//! text is estimated, because a picture without fonts cannot know it.

mod bars;
mod canvas;
mod curves;
mod trace;

pub use bars::{Bar, Group, bars};
pub use canvas::{Drawn, Role};
pub use curves::{Curve, Panel, curves};
pub use trace::{Flow, Mark, Slice, Trace, Track, trace};
