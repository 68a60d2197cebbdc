//! W6: messages written in one frame, and read in the next by a system that gives each recipient its
//! own.

use bevy_ecs::message::{Message, MessageRegistry};
use bevy_ecs::prelude::*;

use crate::compare::{Size, Trial};
use crate::work::{self, Checksum, Hit};

/// A hit and its recipient.
#[derive(Message)]
struct Addressed {
    to: Entity,
    hit: Hit,
}

/// The sum of what a recipient has read.
#[derive(Component)]
struct Read(u64);

/// The recipient of each message.
#[derive(Resource)]
struct Deliveries(Vec<Entity>);

fn publish(deliveries: Res<'_, Deliveries>, mut writer: MessageWriter<'_, Addressed>) {
    for (number, &to) in (0..).zip(&deliveries.0) {
        let hit = Hit::new(number);
        writer.write(Addressed { to, hit });
    }
}

fn read(mut reader: MessageReader<'_, '_, Addressed>, mut recipients: Query<'_, '_, &mut Read>) {
    for Addressed { to, hit } in reader.read() {
        let mut sum = recipients.get_mut(*to).expect("it is alive");
        sum.0 = hit.read(sum.0);
    }
}

struct Mail {
    world: World,
    publish: Schedule,
    read: Schedule,
    ids: Vec<Entity>,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    let mut world = World::new();
    MessageRegistry::register_message::<Addressed>(&mut world);
    let recipients = (0..size.objects).map(|_| Read(0));
    let ids: Vec<Entity> = world.spawn_batch(recipients).collect();
    let to = work::deliveries(size.messages, size.objects).into_iter();
    let to = to.map(|to| ids[to as usize]);
    world.insert_resource(Deliveries(to.collect()));
    let mut first = Schedule::default();
    first.add_systems(publish);
    let mut second = Schedule::default();
    second.add_systems(read);
    Box::new(Mail {
        world,
        publish: first,
        read: second,
        ids,
    })
}

impl Trial for Mail {
    fn run(&mut self) {
        self.publish.run(&mut self.world);
        self.world.resource_mut::<Messages<Addressed>>().update();
        self.read.run(&mut self.world);
    }

    fn checksum(&mut self) -> u64 {
        let mut sum = Checksum::new();
        for (number, &id) in self.ids.iter().enumerate() {
            let read = self.world.get::<Read>(id);
            sum.add(number, &read.expect("it was spawned with one").0);
        }
        sum.value()
    }
}
