//! W6-pass: messages that one system writes in a frame, and another one reads in the next.

use bevy_ecs::message::{Message, MessageRegistry};
use bevy_ecs::prelude::*;

use crate::compare::{Size, Trial};
use crate::work::{Checksum, Hit, small};

#[derive(Message)]
struct Written(Hit);

/// The number of messages written in a frame.
#[derive(Resource)]
struct Count(u32);

/// The sum of what the reader has read.
#[derive(Resource, Default)]
struct Read(u64);

fn write(count: Res<'_, Count>, mut writer: MessageWriter<'_, Written>) {
    for number in 0..count.0 {
        writer.write(Written(Hit::new(number)));
    }
}

fn read(mut reader: MessageReader<'_, '_, Written>, mut sum: ResMut<'_, Read>) {
    for Written(hit) in reader.read() {
        sum.0 = hit.read(sum.0);
    }
}

struct Stream {
    world: World,
    write: Schedule,
    read: Schedule,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    let mut world = World::new();
    MessageRegistry::register_message::<Written>(&mut world);
    world.insert_resource(Count(small(size.messages)));
    world.init_resource::<Read>();
    let mut first = Schedule::default();
    first.add_systems(write);
    let mut second = Schedule::default();
    second.add_systems(read);
    Box::new(Stream {
        world,
        write: first,
        read: second,
    })
}

impl Trial for Stream {
    fn run(&mut self) {
        self.write.run(&mut self.world);
        self.world.resource_mut::<Messages<Written>>().update();
        self.read.run(&mut self.world);
    }

    fn checksum(&mut self) -> u64 {
        let mut sum = Checksum::new();
        sum.add(0, &self.world.resource::<Read>().0);
        sum.value()
    }
}
