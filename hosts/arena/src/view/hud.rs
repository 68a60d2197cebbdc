//! The text around the arena: the title line, the state of the ship, the radio.

use arena::Vector;
use arena::scene::Scene;
use arena::space::{HEIGHT as ARENA, WIDTH as ARENA_WIDTH};
use arena::touch::{PADS, Touch};
use macroquad::prelude::Color;

use crate::paint::{HEIGHT, Paint, TOP, WIDTH, faded};

const BAR: Color = Color::new(0.03, 0.04, 0.10, 1.0);
const PALE: Color = Color::new(0.62, 0.70, 0.90, 1.0);
const BRIGHT: Color = Color::new(0.92, 0.96, 1.0, 1.0);
pub(crate) const CYAN: Color = Color::new(0.40, 0.95, 1.0, 1.0);
const RED: Color = Color::new(1.0, 0.35, 0.4, 1.0);
const YELLOW: Color = Color::new(1.0, 0.9, 0.5, 1.0);
/// How long a line of the radio is shown, in seconds.
const HEARD: f32 = 9.0;

/// The keys and their effects.
const HELP: [(&str, &str); 9] = [
    ("WASD", "fly"),
    ("ARROWS/MOUSE", "fire"),
    ("SPACE", "shield"),
    ("B", "bomb"),
    ("T", "slow"),
    ("P", "pause"),
    ("R", "restart"),
    ("F1", "messages"),
    ("F2", "autopilot"),
];
const MORE: [(&str, &str); 3] = [("F5", "save"), ("F9", "load"), ("F7", "replay")];

/// Draws the title line and the line below the arena.
pub(crate) fn bars(paint: &Paint, scene: &Scene, note: &str) {
    paint.area(0.0, 0.0, WIDTH, TOP, BAR);
    paint.area(0.0, TOP + ARENA, WIDTH, HEIGHT - TOP - ARENA, BAR);
    paint.text("ARENA", 14.0, 31.0, 34.0, CYAN);
    let mut x = 108.0;
    for (key, what) in HELP {
        x = paint.text(key, x, 19.0, 16.0, BRIGHT) + 6.0;
        x = paint.text(what, x, 19.0, 16.0, PALE) + 15.0;
    }
    let mut x = 108.0;
    for (key, what) in MORE {
        x = paint.text(key, x, 36.0, 16.0, BRIGHT) + 6.0;
        x = paint.text(what, x, 36.0, 16.0, PALE) + 15.0;
    }
    paint.text(note, x + 10.0, 36.0, 16.0, YELLOW);
    state(paint, scene);
}

fn state(paint: &Paint, scene: &Scene) {
    let y = TOP + ARENA + 24.0;
    let mut x = paint.text("HULL", 14.0, y, 16.0, PALE) + 8.0;
    let (left, full) = scene.hull;
    for cell in 0..full.max(0) {
        let color = match cell < left {
            true if left <= 2 => RED,
            true => CYAN,
            false => faded(PALE, 0.25),
        };
        paint.area(x, y - 13.0, 12.0, 15.0, color);
        x += 16.0;
    }
    x = paint.text("SHIELD", x + 14.0, y, 16.0, PALE) + 8.0;
    let blue = Color::new(0.35, 0.7, 1.0, 1.0);
    paint.area(x, y - 11.0, 120.0, 11.0, faded(PALE, 0.2));
    paint.area(x, y - 11.0, 120.0 * scene.charge, 11.0, blue);
    x = paint.text("BOMBS", x + 136.0, y, 16.0, PALE) + 8.0;
    x = paint.text(&scene.bombs.to_string(), x, y, 24.0, YELLOW);
    x = paint.text("WAVE", x + 22.0, y, 16.0, PALE) + 8.0;
    x = paint.text(&scene.wave.to_string(), x, y, 24.0, BRIGHT);
    x = paint.text("LEFT", x + 16.0, y, 16.0, PALE) + 8.0;
    x = paint.text(&scene.left.to_string(), x, y, 24.0, BRIGHT);
    if scene.streak > 1 {
        let text = format!("STREAK x{}", scene.streak.min(10));
        paint.text(&text, x + 26.0, y, 20.0, YELLOW);
    }
    let best = format!("BEST {}", scene.best);
    paint.text(&best, WIDTH - 108.0, y, 16.0, PALE);
    let points = format!("{:06}", scene.points);
    paint.text(&points, WIDTH - 222.0, y + 2.0, 30.0, BRIGHT);
}

/// Draws the last calls over the radio, fading.
pub(crate) fn radio(paint: &Paint, scene: &Scene) {
    let now = scene.now.as_secs_f32();
    let mut y = TOP + ARENA - 14.0;
    for line in scene.radio.iter().rev() {
        let age = now - line.at.as_secs_f32();
        let seen = ((HEARD - age) / 2.0).clamp(0.0, 1.0);
        let from = if line.from == "HQ" || line.from == "Falcon" {
            CYAN
        } else {
            Color::new(1.0, 0.45, 0.65, 1.0)
        };
        let x = paint.text(
            &format!("{:>9}", line.from),
            14.0,
            y,
            16.0,
            faded(from, seen),
        );
        let words = faded(BRIGHT, 0.85 * seen);
        paint.text(&line.words, x + 10.0, y, 16.0, words);
        y -= 18.0;
    }
}

/// Draws the notices across the arena: that it is paused, slow, or over.
pub(crate) fn notices(paint: &Paint, scene: &Scene) {
    let middle = Vector::new(ARENA_WIDTH / 2.0, ARENA * 0.48);
    if scene.is_over {
        paint.label("SHIP LOST", middle, 72.0, RED);
        let below = middle + Vector::new(0.0, 44.0);
        let text = format!(
            "{} points   press R, or touch, for another one",
            scene.points
        );
        paint.label(&text, below, 24.0, BRIGHT);
    } else if scene.is_paused {
        paint.label("PAUSED", middle, 72.0, BRIGHT);
        let below = middle + Vector::new(0.0, 40.0);
        paint.label("the clock of the manager stands still", below, 20.0, PALE);
    } else if scene.time_scale < 1.0 {
        let above = Vector::new(ARENA_WIDTH / 2.0, 34.0);
        paint.label("SLOW TIME", above, 30.0, faded(YELLOW, 0.8));
    }
}

/// Draws the pads and the stick of a touch screen, once there was a finger.
pub(crate) fn pads(paint: &Paint, touch: &Touch) {
    if !touch.is_used() {
        return;
    }
    for pad in PADS {
        let color = faded(CYAN, if touch.holds(pad.button) { 0.9 } else { 0.4 });
        paint.ring(pad.at, pad.radius, color);
        paint.label(pad.label, pad.at, 16.0, color);
    }
    if let Some(origin) = touch.stick() {
        paint.ring(origin, 40.0, faded(CYAN, 0.5));
    }
}
