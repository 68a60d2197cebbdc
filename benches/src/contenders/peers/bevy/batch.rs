//! W6-batch: messages written in one frame by `write_batch`, and read in the next by one system.

use bevy_ecs::message::{Message, MessageRegistry};
use bevy_ecs::prelude::*;

use crate::compare::{Size, Trial};
use crate::work::{self, Checksum, Hit};

/// A hit and its recipient.
#[derive(Message)]
struct Addressed {
    #[allow(
        dead_code,
        reason = "the reader goes through all, whomever they are for"
    )]
    to: Entity,
    hit: Hit,
}

/// The recipient of each batch, and the number of its first message.
#[derive(Resource)]
struct Batches {
    batches: Vec<(Entity, u32)>,
    in_each: u32,
}

/// The sum of what has been read.
#[derive(Resource)]
struct Sum(u64);

fn publish(batches: Res<'_, Batches>, mut writer: MessageWriter<'_, Addressed>) {
    for &(to, first) in &batches.batches {
        let numbers = first..first + batches.in_each;
        writer.write_batch(numbers.map(|number| Addressed {
            to,
            hit: Hit::new(number),
        }));
    }
}

fn read(mut reader: MessageReader<'_, '_, Addressed>, mut sum: ResMut<'_, Sum>) {
    for Addressed { hit, .. } in reader.read() {
        sum.0 = hit.read(sum.0);
    }
}

struct Batched {
    world: World,
    publish: Schedule,
    read: Schedule,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    let mut world = World::new();
    MessageRegistry::register_message::<Addressed>(&mut world);
    let ids: Vec<Entity> = (0..size.objects)
        .map(|_| world.spawn_empty().id())
        .collect();
    let (batches, in_each) = work::batches(size.messages, size.objects);
    let batches = batches.into_iter();
    let batches = batches
        .map(|(to, first)| (ids[to as usize], first))
        .collect();
    world.insert_resource(Batches { batches, in_each });
    world.insert_resource(Sum(0));
    let mut first = Schedule::default();
    first.add_systems(publish);
    let mut second = Schedule::default();
    second.add_systems(read);
    Box::new(Batched {
        world,
        publish: first,
        read: second,
    })
}

impl Trial for Batched {
    fn run(&mut self) {
        self.publish.run(&mut self.world);
        self.world.resource_mut::<Messages<Addressed>>().update();
        self.read.run(&mut self.world);
    }

    fn checksum(&mut self) -> u64 {
        let mut sum = Checksum::new();
        sum.add(0, &self.world.resource::<Sum>().0);
        sum.value()
    }
}
