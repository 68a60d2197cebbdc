//! Everything that Bevy does is an input in the log, so a replay needs no Bevy.

use message_data::{Digest, Log};
use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bevy_app::{FixedUpdate, Update};
use bevy_ecs::message::Message as BevyMessage;
use bevy_ecs::prelude::{Entity, MessageWriter, Query, ResMut, Result, With, World};
use bevy_time::{Fixed, Time, TimeUpdateStrategy, Virtual};
use message_bevy::Message;
use message_bevy::prelude::*;
use message_data::{Data, LogOptions, Replay};
use serde::{Deserialize, Serialize};

use crate::{app, with};

mnemonic!(HERO);

#[derive(Message, Data, Serialize, Deserialize, Clone)]
#[data(name = "bevy.Push")]
struct Push(u32);

#[derive(Data, Serialize, Deserialize, Default)]
#[serde(default)]
#[data(name = "bevy.Cart")]
struct Cart {
    pushed: u32,
    at: Vec<u64>,
}

#[handlers]
impl Cart {
    #[on_receive]
    fn push(&mut self, push: &Push, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        self.pushed += push.0;
        let now = cx.clock().now();
        self.at.push(u64::try_from(now.as_nanos())?);
        let me = cx.me();
        cx.queue(move |world: &mut World| {
            if let Some(entity) = world.resource::<Messenger>().entity_of(me) {
                world
                    .entity_mut(entity)
                    .insert(bevy_ecs::prelude::Name::new("pushed"));
            }
        })?;
        if self.pushed > 40 {
            cx.despawn(me)?;
        } else {
            cx.post(
                Header::to(Me)
                    .stage(Stage::FixedUpdate)
                    .after(Duration::from_millis(30)),
                Push(1),
            )?;
        }
        Ok(())
    }
}

#[derive(BevyMessage)]
struct Key;

#[derive(Clone, Default)]
struct File(Arc<Mutex<Vec<u8>>>);

impl Write for File {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no panic").write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn push(carts: Query<'_, '_, Entity, With<Messagee>>, mut messaging: Messaging<'_, '_>) -> Result {
    for cart in &carts {
        messaging.send(cart, Push(2))?;
    }
    Ok(())
}

fn press(mut keys: MessageWriter<'_, Key>, mut time: ResMut<'_, Time<Fixed>>) {
    keys.write(Key);
    let step = time.timestep();
    time.set_timestep(step + Duration::from_nanos(777_777));
}

// holds: logs.replay
#[test]
fn a_replay_without_bevy_does_the_same_bit_for_bit() -> crate::Tested {
    let mut app = app();
    app.hear::<Push>()
        .relay(|_: &Key| [(Everyone, Push(1))])
        .add_systems(Update, push)
        .add_systems(FixedUpdate, press);
    let file = File::default();
    let options = LogOptions::new().digest_every(1);
    with(&mut app, |manager| {
        Log::start(manager, file.clone(), options)
    })?;
    app.world_mut()
        .spawn_batch((0..3).map(|_| Messagee::new((Cart::default(),))));
    for nanoseconds in [16_666_667, 50_000_001, 3, 123_456_789, 999, 77_777_777] {
        let strategy = TimeUpdateStrategy::ManualDuration(Duration::from_nanos(nanoseconds));
        app.insert_resource(strategy);
        app.update();
        let mut time = app.world_mut().resource_mut::<Time<Virtual>>();
        let speed = time.relative_speed_f64();
        time.set_relative_speed_f64(speed * 0.9);
        app.world_mut().spawn(Messagee::new((Cart::default(),)));
    }
    let digest = with(&mut app, |manager| Digest::of(manager));
    let report = with(&mut app, Log::stop)?.expect("it was started");
    assert!(report.impure.is_empty(), "{:?}", report.impure);
    let log = file.0.lock().expect("no panic").clone();
    let config = ManagerConfig::new().max_fixed_steps(u32::MAX);
    let replayed = Replay::of_bytes(log).config(config).run()?;
    assert_eq!(Digest::of(&replayed.manager), digest);
    assert!(digest.frame() == 6);
    Ok(())
}
