//! An autopilot: it looks at the scene and presses keys. For spectators and tests.

use std::collections::BTreeSet;

use message_core::SendError;

use crate::body::Kind;
use crate::game::Game;
use crate::hands::{Hands, steer};
use crate::keys::Button;
use crate::scene::{Scene, Thing};
use crate::space::{HEIGHT, Vector, WIDTH};

/// How far ahead it looks for approaching dangers.
const CARE: f32 = 190.0;

/// A player that needs nobody.
#[derive(Debug, Default)]
pub struct Pilot {
    hands: Hands,
}

/// Returns the desired way: away from dangers and walls, around the middle, and towards repairs.
fn wish(ship: &Thing, scene: &Scene) -> Vector {
    let mut wish = ship.at.to(Vector::CENTRE) * (0.8 / WIDTH);
    for thing in &scene.things {
        let reach = match thing.kind {
            Kind::Bomb => 260.0,
            Kind::Bolt => 110.0,
            kind if kind.is_enemy() => CARE,
            Kind::Portal => 90.0,
            Kind::Repair => {
                let way = ship.at.to(thing.at);
                wish += way.with_length(260.0 / way.length().max(60.0));
                continue;
            }
            _ => continue,
        };
        let soon = thing.at + thing.speed * 0.25;
        let away = soon.to(ship.at);
        let distance = away.length();
        if distance < reach {
            wish += away.with_length(2.0 * (reach - distance) / reach);
            wish += away.turned().with_length(0.7 * (reach - distance) / reach);
        }
    }
    let near = |to: f32| (90.0 - to).max(0.0) / 45.0;
    wish.x += near(ship.at.x) - near(WIDTH - ship.at.x);
    wish.y += near(ship.at.y) - near(HEIGHT - ship.at.y);
    wish
}

impl Pilot {
    /// Presses and releases keys depending on the current state of the game.
    pub fn play(&mut self, game: &mut Game) -> Result<(), SendError> {
        let scene = game.scene();
        let mut wanted = BTreeSet::new();
        match scene.ship() {
            Some(ship) => {
                if let Some(at) = self.decide(ship, &scene, &mut wanted) {
                    game.aim(at)?;
                }
            }
            None if scene.is_over && scene.frame.is_multiple_of(120) => {
                wanted.insert(Button::Restart);
            }
            None => {}
        }
        self.hands.hold(wanted, game)
    }

    /// Releases all keys.
    pub fn rest(&mut self, game: &mut Game) -> Result<(), SendError> {
        self.hands.hold(BTreeSet::new(), game)
    }

    fn decide(&self, ship: &Thing, scene: &Scene, wanted: &mut BTreeSet<Button>) -> Option<Vector> {
        let way = wish(ship, scene);
        if way.length() > 0.25 {
            steer(way, wanted);
        }
        let distance = |thing: &&Thing| thing.at.to(ship.at).length();
        let enemies = || scene.things.iter().filter(|thing| thing.kind.is_enemy());
        let is_close = |thing: &Thing| {
            let reach = if thing.kind == Kind::Bolt { 55.0 } else { 75.0 };
            (thing.kind.is_enemy() || thing.kind == Kind::Bolt) && distance(&thing) < reach
        };
        let enough = if self.hands.holds(Button::Shield) {
            0.05
        } else {
            0.3
        };
        if scene.charge > enough && scene.things.iter().any(is_close) {
            wanted.insert(Button::Shield);
        }
        let around = enemies().filter(|thing| distance(thing) < 150.0).count();
        let lies = scene.things.iter().any(|thing| thing.kind == Kind::Bomb);
        if around >= 3 && !lies {
            wanted.insert(Button::Bomb);
        }
        let target = enemies().min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        wanted.insert(Button::Trigger);
        // Aim at where it will be when the shot arrives.
        Some(target.at + target.speed * (distance(&target) / 760.0))
    }
}
