//! The appearance of everything in the arena.

use arena::body::Kind;
use arena::scene::{Scene, Thing};
use arena::space::{self, Vector};
use macroquad::prelude::{Color, WHITE};

use crate::paint::{Paint, faded};
use crate::sparks::Sparks;

/// The distance between the lines of the floor.
const GRID: f32 = 40.0;

const FLOOR: Color = Color::new(0.20, 0.30, 0.72, 0.40);
const WALL: Color = Color::new(0.35, 0.55, 1.0, 0.9);

/// Returns the colour of a kind.
pub(crate) fn color(kind: Kind) -> Color {
    match kind {
        Kind::Ship => Color::new(0.40, 0.95, 1.00, 1.0),
        Kind::Drone => Color::new(1.00, 0.25, 0.60, 1.0),
        Kind::Gunner => Color::new(1.00, 0.62, 0.15, 1.0),
        Kind::Brute => Color::new(0.70, 0.45, 1.00, 1.0),
        Kind::Portal => Color::new(0.55, 0.50, 1.00, 1.0),
        Kind::Shot => Color::new(1.00, 0.98, 0.62, 1.0),
        Kind::Bolt => Color::new(1.00, 0.38, 0.20, 1.0),
        Kind::Bomb => Color::new(1.00, 0.92, 0.80, 1.0),
        Kind::Repair => Color::new(0.35, 1.00, 0.50, 1.0),
    }
}

/// Draws the floor, which bends away from heavy things and from blasts.
pub(crate) fn floor(paint: &Paint, scene: &Scene, sparks: &Sparks) {
    let mut weights: Vec<_> = scene.things.iter().filter_map(weight).collect();
    weights.extend(sparks.waves());
    let bent = |at: Vector| {
        let mut place = at;
        for &(from, reach, force) in &weights {
            let way = from.to(at);
            let near = 1.0 - way.length_squared() / (reach * reach);
            if near > 0.0 {
                place += way.with_length(force * near * near);
            }
        }
        place.inside(0.0)
    };
    let mut x = 0.0;
    while x <= space::WIDTH {
        let mut last = bent(Vector::new(x, 0.0));
        let mut y = 0.0;
        while y < space::HEIGHT {
            y += GRID / 2.0;
            let next = bent(Vector::new(x, y));
            paint.line(last, next, 1.2, FLOOR);
            last = next;
        }
        x += GRID;
    }
    let mut y = 0.0;
    while y <= space::HEIGHT {
        let mut last = bent(Vector::new(0.0, y));
        let mut x = 0.0;
        while x < space::WIDTH {
            x += GRID / 2.0;
            let next = bent(Vector::new(x, y));
            paint.line(last, next, 1.2, FLOOR);
            last = next;
        }
        y += GRID;
    }
    let (w, h) = (space::WIDTH, space::HEIGHT);
    paint.figure(
        Vector::ZERO,
        Vector::new(0.0, -1.0),
        &[
            (1.0, -1.0),
            (w - 1.0, -1.0),
            (w - 1.0, 1.0 - h),
            (1.0, 1.0 - h),
        ],
        WALL,
    );
}

/// Returns how far something bends the floor, and how much.
fn weight(thing: &Thing) -> Option<(Vector, f32, f32)> {
    let (reach, force) = match thing.kind {
        Kind::Ship => (90.0, 9.0),
        Kind::Bomb => (130.0, -16.0 * (0.4 + thing.progress)),
        Kind::Brute => (90.0, 10.0),
        Kind::Portal => (100.0, -22.0 * thing.progress),
        _ => return None,
    };
    Some((thing.at, reach, force))
}

/// Draws a thing in the arena at its position at this moment.
pub(crate) fn thing(paint: &Paint, scene: &Scene, thing: &Thing) {
    let time = scene.now.as_secs_f32();
    let lead = if scene.is_paused { 0.0 } else { scene.overstep };
    let at = thing.at + thing.speed * lead;
    let color = color(thing.kind);
    let radius = thing.kind.radius();
    let spin = Vector::new((time * 2.2).sin(), -(time * 2.2).cos());
    match thing.kind {
        Kind::Ship => ship(paint, thing, at, time),
        Kind::Drone => {
            paint.glow(at, 38.0, faded(color, 0.35));
            let (r, s) = (radius * 1.15, radius * 0.5);
            paint.figure(at, spin, &[(0.0, r), (r, 0.0), (0.0, -r), (-r, 0.0)], color);
            let inner = [(0.0, s), (s, 0.0), (0.0, -s), (-s, 0.0)];
            paint.figure(at, spin, &inner, faded(color, 0.6));
        }
        Kind::Gunner => {
            paint.glow(at, 42.0, faded(color, 0.32));
            let r = radius;
            let hull = [
                (0.0, r * 1.2),
                (r, -r * 0.8),
                (0.0, -r * 0.3),
                (-r, -r * 0.8),
            ];
            paint.figure(at, thing.facing, &hull, color);
            let tip = at + thing.facing * (r * 1.2);
            paint.neon(tip, tip + thing.facing * 9.0, faded(color, 0.8));
        }
        Kind::Brute => {
            paint.glow(at, 64.0, faded(color, 0.32));
            let (r, h) = (radius, radius * 0.87);
            let slow = Vector::new((time * 0.7).sin(), -(time * 0.7).cos());
            let outer = [
                (r, 0.0),
                (r / 2.0, h),
                (-r / 2.0, h),
                (-r, 0.0),
                (-r / 2.0, -h),
                (r / 2.0, -h),
            ];
            paint.figure(at, slow, &outer, color);
            let inner = outer.map(|(x, y)| (x * thing.hull * 0.7, y * thing.hull * 0.7));
            paint.figure(at, slow, &inner, faded(color, 0.6));
        }
        Kind::Portal => {
            let wide = radius * (1.6 - thing.progress);
            paint.glow(at, 60.0 * thing.progress, faded(color, 0.5));
            paint.ring(at, wide, faded(color, 0.3 + 0.7 * thing.progress));
            paint.figure(
                at,
                spin,
                &[(0.0, wide), (wide, 0.0), (0.0, -wide), (-wide, 0.0)],
                faded(color, 0.5),
            );
        }
        Kind::Shot | Kind::Bolt => {
            let tail = thing
                .speed
                .with_length(if thing.kind == Kind::Shot { 16.0 } else { 7.0 });
            paint.glow(at, 20.0, faded(color, 0.5));
            paint.neon(at + tail * -1.0, at, color);
            paint.line(at + tail * -0.5, at, 3.0, WHITE);
        }
        Kind::Bomb => {
            let pulse = 0.5 + 0.5 * (thing.progress * thing.progress * 60.0).sin();
            paint.glow(at, 46.0 + 20.0 * pulse, faded(color, 0.3 + 0.4 * pulse));
            paint.ring(at, radius, color);
            paint.arc(at, radius + 7.0, 1.0 - thing.progress, 2.5, color);
        }
        Kind::Repair => {
            let beat = 1.0 + 0.12 * (time * 5.0).sin();
            paint.glow(at, 40.0 * beat, faded(color, 0.4));
            paint.ring(at, radius * beat, faded(color, 0.7));
            let (wide, high) = (Vector::new(5.5, 0.0), Vector::new(0.0, 5.5));
            paint.neon(at + wide * -1.0, at + wide, color);
            paint.neon(at + high * -1.0, at + high, color);
        }
    }
    if let Some(charge) = thing.shield {
        let wide = radius + 11.0;
        let blue = Color::new(0.35, 0.75, 1.0, 1.0);
        paint.glow(at, wide * 1.7, faded(blue, 0.22 + 0.3 * charge));
        paint.ring(at, wide, faded(blue, 0.45 + 0.4 * charge));
        paint.arc(at, wide + 5.0, charge, 2.0, blue);
    }
}

fn ship(paint: &Paint, thing: &Thing, at: Vector, time: f32) {
    let color = color(Kind::Ship);
    // Blinks while it is invulnerable.
    if thing.is_safe && (time * 14.0).fract() < 0.45 {
        paint.glow(at, 40.0, faded(color, 0.2));
        return;
    }
    let facing = thing.facing;
    paint.glow(at, 58.0, faded(color, 0.38));
    let push = thing.speed.length() / 340.0;
    if push > 0.05 {
        let flame = Color::new(1.0, 0.6, 0.2, 1.0);
        let back = thing.speed.with_length(-1.0);
        let long = 16.0 + push * (14.0 + 6.0 * (time * 47.0).sin());
        paint.glow(at + back * 18.0, 24.0 * push, faded(flame, 0.7));
        paint.neon(at + back * 11.0, at + back * long, faded(flame, 0.8));
    }
    let hull = [
        (0.0, 19.0),
        (13.0, -12.0),
        (5.0, -7.0),
        (-5.0, -7.0),
        (-13.0, -12.0),
    ];
    paint.figure(at, facing, &hull, color);
    paint.neon(at + facing * 2.0, at + facing * 12.0, faded(WHITE, 0.8));
}
