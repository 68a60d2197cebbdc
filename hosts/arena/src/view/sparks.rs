//! Sparks, rings and floating numbers, which the view makes from the flashes that the game publishes.

use arena::Vector;
use arena::body::Kind;
use arena::dice::Dice;
use arena::flash::{Flash, Look};
use arena::space::{HEIGHT, WIDTH};
use macroquad::prelude::{Color, Vec2, WHITE, vec2};

use crate::look::color;
use crate::paint::{Paint, faded};

/// The maximum number of sparks; more would not be visible.
const MOST: usize = 900;

struct Spark {
    at: Vector,
    speed: Vector,
    color: Color,
    age: f32,
    life: f32,
}

struct Ring {
    at: Vector,
    radius: f32,
    color: Color,
    age: f32,
    life: f32,
}

struct Word {
    text: String,
    at: Vector,
    age: f32,
}

/// All visual effects in progress.
#[expect(clippy::struct_field_names, reason = "most of them are sparks")]
pub(crate) struct Sparks {
    sparks: Vec<Spark>,
    rings: Vec<Ring>,
    words: Vec<Word>,
    /// The number of the last wave, and how long it has been shown.
    wave: (u32, f32),
    shaking: f32,
    dice: Dice,
}

/// How long the number of a wave is shown.
const TITLE: f32 = 1.8;

impl Sparks {
    pub(crate) fn new() -> Self {
        Self {
            sparks: Vec::new(),
            rings: Vec::new(),
            words: Vec::new(),
            wave: (0, TITLE),
            shaking: 0.0,
            dice: Dice::new(1),
        }
    }

    fn burst(&mut self, at: Vector, color: Color, count: u16, speed: f32, life: f32) {
        for _ in 0..count {
            let angle = self.dice.between(0.0, std::f32::consts::TAU);
            let fast = speed * (0.15 + self.dice.part());
            let spark = Spark {
                at,
                speed: Vector::new(angle.cos(), angle.sin()) * fast,
                color,
                age: 0.0,
                life: life * self.dice.between(0.5, 1.2),
            };
            if self.sparks.len() < MOST {
                self.sparks.push(spark);
            }
        }
    }

    fn ring(&mut self, at: Vector, radius: f32, color: Color, life: f32) {
        self.rings.push(Ring {
            at,
            radius,
            color,
            age: 0.0,
            life,
        });
    }

    /// Adds the effects of a flash.
    pub(crate) fn add(&mut self, flash: &Flash) {
        let at = flash.at;
        match flash.look {
            Look::Spark(kind) => {
                self.burst(at, color(kind), 9, 190.0, 0.35);
                if kind == Kind::Ship {
                    self.shaking += 7.0;
                    self.ring(at, 70.0, color(kind), 0.35);
                }
            }
            Look::Burst(Kind::Ship) => {
                self.burst(at, color(Kind::Ship), 160, 480.0, 1.6);
                self.burst(at, WHITE, 60, 260.0, 1.2);
                self.ring(at, 320.0, color(Kind::Ship), 1.1);
                self.shaking += 22.0;
            }
            Look::Burst(kind) => {
                let large = kind.radius() / 13.0;
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "it is small"
                )]
                let count = (34.0 * large) as u16;
                self.burst(at, color(kind), count, 280.0 * large.sqrt(), 0.8);
                self.ring(at, 60.0 * large, color(kind), 0.45);
                self.shaking += 2.0 * large;
            }
            Look::Stopped => {
                let blue = Color::new(0.4, 0.8, 1.0, 1.0);
                self.burst(at, blue, 14, 240.0, 0.4);
                self.ring(at, 34.0, blue, 0.25);
            }
            Look::Blast { radius } => {
                self.burst(at, color(Kind::Bomb), 130, 620.0, 0.8);
                self.burst(at, color(Kind::Bolt), 80, 380.0, 1.1);
                self.ring(at, radius, color(Kind::Bomb), 0.5);
                self.ring(at, radius * 0.7, color(Kind::Bolt), 0.7);
                self.shaking += 14.0;
            }
            Look::Arrival(kind) => self.ring(at, 46.0, color(kind), 0.4),
            Look::Repaired => {
                self.burst(at, color(Kind::Repair), 40, 160.0, 0.9);
                self.ring(at, 60.0, color(Kind::Repair), 0.6);
            }
            Look::Wave(number) => self.wave = (number, 0.0),
            Look::Points(points) => {
                let text = format!("+{points}");
                self.words.push(Word { text, at, age: 0.0 });
            }
        }
    }

    /// Advances the effects by that time.
    pub(crate) fn pass(&mut self, seconds: f32) {
        for spark in &mut self.sparks {
            spark.age += seconds;
            spark.at += spark.speed * seconds;
            spark.speed = spark.speed * (1.0 - 1.6 * seconds).max(0.0);
            // Sparks bounce off the walls.
            if spark.at.x < 0.0 || spark.at.x > WIDTH {
                spark.speed.x = -spark.speed.x;
            }
            if spark.at.y < 0.0 || spark.at.y > HEIGHT {
                spark.speed.y = -spark.speed.y;
            }
            spark.at = spark.at.inside(0.0);
        }
        self.sparks.retain(|spark| spark.age < spark.life);
        for ring in &mut self.rings {
            ring.age += seconds;
        }
        self.rings.retain(|ring| ring.age < ring.life);
        for word in &mut self.words {
            word.age += seconds;
        }
        self.words.retain(|word| word.age < 0.9);
        self.wave.1 += seconds;
        self.shaking = (self.shaking * (1.0 - 6.0 * seconds).max(0.0)).min(24.0);
    }

    /// Returns the current offset of everything.
    pub(crate) fn shake(&mut self) -> Vec2 {
        let strength = self.shaking;
        if strength < 0.3 {
            return Vec2::ZERO;
        }
        vec2(
            self.dice.between(-strength, strength) * 0.5,
            self.dice.between(-strength, strength) * 0.5,
        )
    }

    /// Returns the waves that bend the floor: the place, how far, how much.
    pub(crate) fn waves(&self) -> impl Iterator<Item = (Vector, f32, f32)> {
        let large = self.rings.iter().filter(|ring| ring.radius > 50.0);
        large.map(|ring| {
            let part = ring.age / ring.life;
            let wide = ring.radius * (0.5 + 1.2 * part);
            (ring.at, wide, 0.22 * ring.radius * (1.0 - part))
        })
    }

    /// Draws the light.
    pub(crate) fn draw(&self, paint: &Paint) {
        for spark in &self.sparks {
            let left = 1.0 - spark.age / spark.life;
            let tail = spark.speed * 0.045;
            let color = faded(spark.color, left);
            paint.line(spark.at + tail * -1.0, spark.at, 3.6, faded(color, 0.3));
            paint.line(spark.at + tail * -1.0, spark.at, 1.6, color);
        }
        for ring in &self.rings {
            let part = ring.age / ring.life;
            let wide = ring.radius * (1.0 - (1.0 - part) * (1.0 - part));
            let color = faded(ring.color, 1.0 - part);
            paint.glow(ring.at, wide * 1.2, faded(color, 0.35));
            paint.ring(ring.at, wide, color);
        }
    }

    /// Draws the text.
    pub(crate) fn words(&self, paint: &Paint) {
        for word in &self.words {
            let at = word.at + Vector::new(0.0, -14.0 - 40.0 * word.age);
            let color = Color::new(1.0, 0.95, 0.6, 1.0);
            paint.label(&word.text, at, 20.0, faded(color, 1.4 - word.age * 1.5));
        }
        let (number, shown) = self.wave;
        if number > 0 && shown < TITLE {
            let left = ((TITLE - shown) * 1.6).min(shown * 6.0).min(1.0);
            let at = Vector::new(WIDTH / 2.0, HEIGHT * 0.33);
            let color = Color::new(0.8, 0.9, 1.0, 1.0);
            paint.label(&format!("WAVE {number}"), at, 80.0, faded(color, left));
        }
    }
}
