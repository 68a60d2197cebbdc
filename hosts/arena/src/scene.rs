//! What there is to be seen, as plain values: who draws it needs no manager.

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

/// Where a scene is looked at: a manager, or what a subscriber sees of one.
pub trait Source {
    /// The component of a messagee, if it has one.
    fn part<C: Component>(&self, id: MessageeId) -> Option<Ref<'_, C>>;
    /// All bodies.
    fn bodies(&self) -> Vec<(MessageeId, Body)>;
    /// Who is bound to a mnemonic.
    fn bound_to(&self, mnemonic: Mnemonic) -> Option<MessageeId>;
    /// What time it is.
    fn time(&self) -> Clock;
    /// What has flashed up.
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

/// Something in the arena.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thing {
    /// Who it is.
    pub id: MessageeId,
    /// What it is.
    pub kind: Kind,
    /// Where it is.
    pub at: Vector,
    /// Where it will be in a second.
    pub speed: Vector,
    /// Where it looks.
    pub facing: Vector,
    /// What is left of its hull, from 0 to 1.
    pub hull: f32,
    /// What is left of its shield, from 0 to 1, while that is raised.
    pub shield: Option<f32>,
    /// It cannot be hurt just now.
    pub is_safe: bool,
    /// How near its end is, from 0 to 1: of a portal and a fuse.
    pub progress: f32,
}

/// What there is to be seen in a moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// The frame.
    pub frame: u64,
    /// The time of the game.
    pub now: Duration,
    /// The time since the last step.
    pub overstep: f32,
    /// How fast the time is.
    pub time_scale: f32,
    /// The time stands still.
    pub is_paused: bool,
    /// The ship is lost.
    pub is_over: bool,
    /// Everything in the arena.
    pub things: Vec<Thing>,
    /// The ship's hull: what is left, and all of it.
    pub hull: (i32, i32),
    /// The charge of the ship's shield, from 0 to 1.
    pub charge: f32,
    /// The ship's bombs.
    pub bombs: u32,
    /// The number of the wave.
    pub wave: u32,
    /// How many enemies of it are left.
    pub left: u32,
    /// The points.
    pub points: u32,
    /// The most points of any game.
    pub best: u32,
    /// How many enemies in a row.
    pub streak: u32,
    /// The log of the radio.
    pub radio: Vec<Line>,
    /// What has flashed up in the last frame.
    pub flashes: Vec<Flash>,
}

#[expect(clippy::cast_precision_loss, reason = "they are small numbers")]
fn share(part: i32, whole: i32) -> f32 {
    part.max(0) as f32 / whole.max(1) as f32
}

/// How much of a time is over, if it ends then.
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
    /// What is to be seen now.
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

    /// The ship, if there is one.
    pub fn ship(&self) -> Option<&Thing> {
        self.things.iter().find(|thing| thing.kind == Kind::Ship)
    }
}
