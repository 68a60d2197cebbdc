//! W5: delayed commands, each a trigger of an event.
//!
//! One system posts all of them, and a schedule does the work that `TimePlugin` adds before an application's
//! update: it checks which command queues are due. Commands with the same delay that are posted
//! together share a queue, so they run in the order in which they were posted.

use std::time::Duration;

use bevy_ecs::prelude::*;
use bevy_time::{DelayedCommandsExt, Time, check_delayed_command_queues};

use super::events::ToOne;
use crate::compare::{Size, Trial};
use crate::work::{self, Checksum, Health, Shot, small};

/// The duration of a frame.
const FRAME: Duration = Duration::from_millis(16);

/// The entity that each shot hits, and the delay.
#[derive(Resource)]
struct Shots(Vec<(Entity, Duration)>);

fn post(shots: Res<'_, Shots>, mut commands: Commands<'_, '_>) {
    let mut delayed = commands.delayed();
    for (number, &(entity, delay)) in (0..).zip(&shots.0) {
        let message = Shot::new(number);
        delayed.duration(delay).trigger(ToOne { entity, message });
    }
}

fn on_shot(shot: On<'_, '_, ToOne<Shot>>, mut healths: Query<'_, '_, &mut Health>) {
    let health = healths.get_mut(shot.entity);
    health.expect("it is alive").hurt(shot.message.damage());
}

struct Delayed {
    world: World,
    post: Schedule,
    pre_update: Schedule,
    ids: Vec<Entity>,
    frames: usize,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    let mut world = World::new();
    world.init_resource::<Time>();
    world.add_observer(on_shot);
    let healths = (0..small(size.objects)).map(Health::new);
    let ids: Vec<Entity> = world.spawn_batch(healths).collect();
    let shots = work::shots(size.messages, size.objects, size.frames).into_iter();
    let shots = shots.map(|(at, delay)| (ids[at as usize], FRAME * delay));
    world.insert_resource(Shots(shots.collect()));
    let mut schedule = Schedule::default();
    schedule.add_systems(post);
    let mut pre_update = Schedule::default();
    pre_update.add_systems(check_delayed_command_queues);
    Box::new(Delayed {
        world,
        post: schedule,
        pre_update,
        ids,
        frames: size.frames,
    })
}

impl Trial for Delayed {
    fn run(&mut self) {
        self.post.run(&mut self.world);
        for _ in 0..self.frames {
            self.world.resource_mut::<Time>().advance_by(FRAME);
            self.pre_update.run(&mut self.world);
        }
    }

    fn checksum(&mut self) -> u64 {
        let mut sum = Checksum::new();
        for (number, &id) in self.ids.iter().enumerate() {
            let health = self.world.get::<Health>(id);
            sum.add(number, health.expect("it was spawned with one"));
        }
        sum.value()
    }
}
