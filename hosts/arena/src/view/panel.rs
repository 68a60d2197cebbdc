//! The panel that F1 shows: the pending messages, and statistics of the manager.

use std::time::Duration;

use arena::Game;
use arena::pending::{self, Row};
use macroquad::prelude::Color;

use crate::hud::CYAN;
use crate::paint::{Paint, TOP, WIDTH, faded};

const PAPER: Color = Color::new(0.02, 0.03, 0.09, 0.80);
const INK: Color = Color::new(0.86, 0.91, 1.0, 1.0);
const PALE: Color = Color::new(0.55, 0.63, 0.85, 1.0);
const TIME: Color = Color::new(0.25, 0.60, 1.0, 1.0);
const AGAIN: Color = Color::new(1.0, 0.75, 0.3, 1.0);

const WIDE: f32 = 630.0;
const LINE: f32 = 19.0;
/// The maximum number of rows.
const ROWS: usize = 24;
/// The time that a bar of full length represents.
const LONGEST: f32 = 3.0;

/// The costs of the last frames.
#[derive(Default)]
pub(crate) struct Costs {
    /// The duration of a tick, smoothed, in microseconds.
    pub(crate) tick: f64,
    /// The duration of a frame, smoothed, in seconds.
    pub(crate) frame: f64,
    /// The number of posted messages that were delivered in the last frame.
    pub(crate) delivered: usize,
}

impl Costs {
    pub(crate) fn add(&mut self, tick: f64, frame: f64, delivered: usize) {
        self.tick += (tick * 1e6 - self.tick) * 0.05;
        self.frame += (frame - self.frame) * 0.05;
        self.delivered = delivered;
    }
}

fn time(row: &Row) -> String {
    match row.due_in {
        Some(Duration::ZERO) => "now".to_owned(),
        Some(time) => format!("{:.2} s", time.as_secs_f32()),
        None => "-".to_owned(),
    }
}

/// Draws the panel.
pub(crate) fn draw(paint: &Paint, game: &Game, costs: &Costs, url: Option<&str>) {
    let rows = pending::rows(game.manager());
    let (left, top) = (WIDTH - WIDE - 12.0, TOP + 12.0);
    let shown = rows.len().min(ROWS);
    #[expect(clippy::cast_precision_loss, reason = "it is a small number")]
    let high = 96.0 + LINE * (shown as f32 + 1.0);
    paint.area(left, top, WIDE, high, PAPER);
    paint.frame(left, top, WIDE, high, faded(CYAN, 0.7));
    let x = left + 14.0;
    let title = format!("STILL TO COME: {} messages", rows.len());
    paint.text(&title, x, top + 25.0, 22.0, CYAN);
    let mut y = top + 47.0;
    for (text, off) in [
        ("message", 0.0),
        ("from > to", 100.0),
        ("due in", 300.0),
        ("stage", 480.0),
    ] {
        paint.text(text, x + off, y, 16.0, PALE);
    }
    for row in rows.iter().take(ROWS) {
        y += LINE;
        line(paint, row, x, y);
    }
    if rows.len() > ROWS {
        let more = format!("and {} more", rows.len() - ROWS);
        paint.text(&more, x + 300.0, top + 25.0, 16.0, PALE);
    }
    let manager = game.manager();
    let clock = manager.clock();
    let counts = format!(
        "frame {}   tick {:.0} us   {:.0} fps   delivered {}   messagees {}   dead letters {}",
        clock.frame(),
        costs.tick,
        1.0 / costs.frame.max(1e-4),
        costs.delivered,
        manager.len(),
        manager.inspect().dead_letter_count(),
    );
    paint.text(&counts, x, y + 24.0, 16.0, INK);
    let page = url.map_or_else(
        || {
            let hint = if cfg!(target_family = "wasm") {
                "F7 shows the game up to now again, from the log of its inputs"
            } else {
                "start with --inspect for the page on every message"
            };
            hint.to_owned()
        },
        |url| format!("every message: {url}"),
    );
    paint.text(&page, x, y + 43.0, 16.0, PALE);
}

fn line(paint: &Paint, row: &Row, x: f32, y: f32) {
    let repeats = row.deliveries != Some(1);
    let color = if repeats { AGAIN } else { TIME };
    paint.text(&row.message, x, y, 16.0, INK);
    let way = format!("{} > {}", row.from, row.to);
    paint.text(&way, x + 100.0, y, 16.0, PALE);
    let seconds = row.due_in.map_or(0.0, |time| time.as_secs_f32());
    let bar = 110.0 * (seconds / LONGEST).min(1.0);
    paint.area(x + 300.0, y - 9.0, 110.0, 9.0, faded(color, 0.14));
    paint.area(x + 300.0, y - 9.0, bar.max(2.0), 9.0, faded(color, 0.9));
    paint.text(&time(row), x + 418.0, y, 16.0, INK);
    let mut stage = row.stage.to_string();
    if repeats {
        stage += " again";
    }
    paint.text(
        &stage,
        x + 480.0,
        y,
        16.0,
        if repeats { AGAIN } else { PALE },
    );
}
