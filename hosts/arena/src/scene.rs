//! The visible state of the game as plain values, which can be drawn without a manager.

use std::cell::Ref;
use std::time::Duration;

use message_core::prelude::*;
use message_core::time::Clock;
use message_core::{Component, Mnemonic};

use crate::body::{Body, Kind};
use crate::bomb::{Bay, FUSE, Fuse};
use crate::flash::Flash;
use crate::hull::{Grace, Hull};
use crate::radio::{Line, RadioLog};
use crate::referee::{HQ, Referee};
use crate::score::Score;
use crate::shield::{FULL, Shield};
use crate::ship::SHIP;
use crate::space::Vector;
use crate::waves::{OPENING, Portal, Waves};

/// The source of a scene: a manager, or a subscriber's view of one.
pub trait Source {
    /// Returns the component of a messagee, if it has one.
    fn part<C: Component>(&self, id: MessageeId) -> Option<Ref<'_, C>>;
    /// Returns all bodies.
    fn bodies(&self) -> Vec<(MessageeId, Body)>;
    /// Returns the messagee that is bound to a mnemonic.
    fn bound_to(&self, mnemonic: Mnemonic) -> Option<MessageeId>;
    /// Returns the current time.
    fn time(&self) -> Clock;
    /// Returns the flashes.
    fn flashes(&self) -> Vec<Flash>;
}

macro_rules! source {
    ($type:ty) => {
        impl Source for $type {
            fn part<C: Component>(&self, id: MessageeId) -> Option<Ref<'_, C>> {
                self.get(id).ok()
            }

            fn bodies(&self) -> Vec<(MessageeId, Body)> {
                self.iter::<Body>().map(|(id, body)| (id, *body)).collect()
            }

            fn bound_to(&self, mnemonic: Mnemonic) -> Option<MessageeId> {
                self.bound(mnemonic)
            }

            fn time(&self) -> Clock {
                self.clock()
            }

            fn flashes(&self) -> Vec<Flash> {
                self.inbox::<Flash>().iter().map(|it| *it).collect()
            }
        }
    };
}

source!(MessageManager);
source!(SubscriberContext<'_>);

/// A thing in the arena.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thing {
    /// The messagee.
    pub id: MessageeId,
    /// The kind.
    pub kind: Kind,
    /// The current position.
    pub at: Vector,
    /// The distance it moves in a second.
    pub speed: Vector,
    /// The direction in which it looks.
    pub facing: Vector,
    /// The rest of its hull, from 0 to 1.
    pub hull: f32,
    /// The rest of its shield, from 0 to 1, while the shield is raised.
    pub shield: Option<f32>,
    /// Whether it is currently invulnerable.
    pub is_safe: bool,
    /// The progress towards its end, from 0 to 1, of a portal or a fuse.
    pub progress: f32,
}

/// The visible state of the game at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// The frame.
    pub frame: u64,
    /// The game time.
    pub now: Duration,
    /// The time since the last step.
    pub overstep: f32,
    /// The time scale.
    pub time_scale: f32,
    /// Whether time is paused.
    pub is_paused: bool,
    /// Whether the ship is lost.
    pub is_over: bool,
    /// Everything in the arena.
    pub things: Vec<Thing>,
    /// The rest of the ship's hull, and its full strength.
    pub hull: (i32, i32),
    /// The charge of the ship's shield, from 0 to 1.
    pub charge: f32,
    /// The number of the ship's bombs.
    pub bombs: u32,
    /// The number of the wave.
    pub wave: u32,
    /// How many enemies of the wave are left.
    pub left: u32,
    /// The points.
    pub points: u32,
    /// The highest score of any game.
    pub best: u32,
    /// The number of enemies in a row.
    pub streak: u32,
    /// The log of the radio.
    pub radio: Vec<Line>,
    /// The flashes of the last frame.
    pub flashes: Vec<Flash>,
}

#[expect(clippy::cast_precision_loss, reason = "they are small numbers")]
fn share(part: i32, whole: i32) -> f32 {
    part.max(0) as f32 / whole.max(1) as f32
}

/// Returns how much of a time that ends at `ends` has passed.
fn progress(ends: Duration, now: Duration, whole: Duration) -> f32 {
    let left = ends.saturating_sub(now).as_secs_f32();
    (1.0 - left / whole.as_secs_f32()).clamp(0.0, 1.0)
}

fn thing(source: &impl Source, id: MessageeId, body: &Body) -> Thing {
    let now = source.time().now();
    let hull = source.part::<Hull>(id);
    let shield = source.part::<Shield>(id);
    let shield = shield.filter(|shield| shield.is_raised && shield.charge > 0);
    let fuse = source.part::<Fuse>(id);
    let portal = source.part::<Portal>(id);
    Thing {
        id,
        kind: body.kind,
        at: body.at,
        speed: body.speed,
        facing: body.facing,
        hull: hull.map_or(1.0, |hull| share(hull.left, hull.full)),
        shield: shield.map(|shield| share(shield.charge, FULL)),
        is_safe: source.part::<Grace>(id).is_some(),
        progress: match (fuse, portal) {
            (Some(fuse), _) => progress(fuse.goes_off, now, FUSE),
            (_, Some(portal)) => progress(portal.opens, now, OPENING),
            _ => 0.0,
        },
    }
}

impl Scene {
    /// Returns the current scene.
    pub fn of(source: &impl Source) -> Self {
        let clock = source.time();
        #[expect(clippy::cast_possible_truncation, reason = "it is to be shown")]
        let time_scale = clock.time_scale() as f32;
        let bodies = source.bodies();
        let things = bodies.iter().map(|(id, body)| thing(source, *id, body));
        let mut scene = Self {
            frame: clock.frame(),
            now: clock.now(),
            overstep: clock.fixed_overstep().as_secs_f32(),
            time_scale,
            is_paused: clock.is_paused(),
            things: things.collect(),
            flashes: source.flashes(),
            ..Self::default()
        };
        if let Some(ship) = source.bound_to(SHIP) {
            if let Some(hull) = source.part::<Hull>(ship) {
                scene.hull = (hull.left, hull.full);
            }
            if let Some(shield) = source.part::<Shield>(ship) {
                scene.charge = share(shield.charge, FULL);
            }
            scene.bombs = source.part::<Bay>(ship).map_or(0, |bay| bay.bombs);
        }
        if let Some(hq) = source.bound_to(HQ) {
            if let Some(waves) = source.part::<Waves>(hq) {
                (scene.wave, scene.left) = (waves.wave, waves.left);
            }
            if let Some(score) = source.part::<Score>(hq) {
                (scene.points, scene.best) = (score.points, score.best);
                scene.streak = score.streak;
            }
            if let Some(log) = source.part::<RadioLog>(hq) {
                scene.radio.clone_from(&log.lines);
            }
            let referee = source.part::<Referee>(hq);
            scene.is_over = referee.is_some_and(|referee| referee.is_over);
        }
        scene
    }

    /// Returns the ship, if there is one.
    pub fn ship(&self) -> Option<&Thing> {
        self.things.iter().find(|thing| thing.kind == Kind::Ship)
    }
}
