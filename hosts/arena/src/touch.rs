//! Fingers on a screen as keys: a stick on the left, pads on the right, and fire wherever else one points at.

use std::collections::{BTreeMap, BTreeSet};

use message_core::SendError;

use crate::game::Game;
use crate::hands::{Hands, steer};
use crate::keys::Button;
use crate::space::{HEIGHT, Vector, WIDTH};

/// Fingers that come down left of it steer.
const STICK: f32 = WIDTH * 0.3;
/// How far a finger moves before it steers.
const REST: f32 = 14.0;

/// A finger on the screen.
#[derive(Clone, Copy, Debug)]
pub struct Finger {
    /// The number of the finger while it is on the screen.
    pub id: u64,
    /// Its position in the arena.
    pub at: Vector,
}

/// A round field that is a key.
#[derive(Clone, Copy, Debug)]
pub struct Pad {
    /// The middle of the field.
    pub at: Vector,
    /// Its radius.
    pub radius: f32,
    /// The key.
    pub button: Button,
    /// Its label.
    pub label: &'static str,
}

/// All pads.
pub const PADS: [Pad; 3] = [
    Pad {
        at: Vector::new(WIDTH - 85.0, HEIGHT - 85.0),
        radius: 65.0,
        button: Button::Shield,
        label: "SHIELD",
    },
    Pad {
        at: Vector::new(WIDTH - 75.0, HEIGHT - 235.0),
        radius: 55.0,
        button: Button::Bomb,
        label: "BOMB",
    },
    Pad {
        at: Vector::new(WIDTH - 55.0, 55.0),
        radius: 40.0,
        button: Button::Pause,
        label: "PAUSE",
    },
];

/// The use of a finger, from when it came down.
#[derive(Clone, Copy, Debug)]
enum Role {
    /// It steers away from where it came down.
    Stick(Vector),
    Press(Button),
    Fire,
}

impl Role {
    fn of(at: Vector, is_over: bool) -> Self {
        if is_over {
            return Self::Press(Button::Restart);
        }
        let pad = PADS.iter().find(|pad| pad.at.to(at).length() < pad.radius);
        match pad {
            Some(pad) => Self::Press(pad.button),
            None if at.x < STICK => Self::Stick(at),
            None => Self::Fire,
        }
    }
}

/// A player with a touch screen.
#[derive(Debug, Default)]
pub struct Touch {
    roles: BTreeMap<u64, Role>,
    hands: Hands,
    is_used: bool,
}

impl Touch {
    /// Presses and releases keys depending on where the fingers are.
    pub fn play(&mut self, fingers: &[Finger], game: &mut Game) -> Result<(), SendError> {
        let is_there = |id: &u64| fingers.iter().any(|finger| finger.id == *id);
        self.roles.retain(|id, _| is_there(id));
        if fingers.is_empty() {
            return self.hands.hold(BTreeSet::new(), game);
        }
        self.is_used = true;
        let is_over = game.scene().is_over;
        let mut wanted = BTreeSet::new();
        for finger in fingers {
            let role = self.roles.entry(finger.id);
            match *role.or_insert_with(|| Role::of(finger.at, is_over)) {
                Role::Stick(origin) => {
                    let way = origin.to(finger.at);
                    if way.length() > REST {
                        steer(way, &mut wanted);
                    }
                }
                Role::Press(button) => drop(wanted.insert(button)),
                Role::Fire => {
                    game.aim(finger.at)?;
                    wanted.insert(Button::Trigger);
                }
            }
        }
        self.hands.hold(wanted, game)
    }

    /// Returns `true` once a finger was on the screen.
    pub fn is_used(&self) -> bool {
        self.is_used
    }

    /// Returns where the finger came down that steers.
    pub fn stick(&self) -> Option<Vector> {
        let mut roles = self.roles.values();
        roles.find_map(|role| match role {
            Role::Stick(origin) => Some(*origin),
            _ => None,
        })
    }

    /// Returns `true` while a finger holds this key down.
    pub fn holds(&self, button: Button) -> bool {
        self.hands.holds(button)
    }
}
