//! A tower and a column of orcs, without a renderer: the scene is printed.
//!
//! Bevy moves the orcs and owns the frame; damage, explosions and the score are messages.
//!
//! ```sh
//! cargo run --release -p message-bevy --example tower
//! ```
#![allow(elided_lifetimes_in_paths, reason = "systems are written as in Bevy")]
#![allow(
    clippy::needless_pass_by_value,
    reason = "the parameters of a system are its own"
)]

use std::time::Duration;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_time::{Time, TimePlugin, TimeUpdateStrategy};
use message_bevy::Message; // Bevy's prelude has one of that name, too.
use message_bevy::prelude::*;

mnemonic!(TOWER, SCORE);

// Messages of message-core.

#[derive(Message, Clone)]
struct Damage(u32);

#[derive(Message, Clone)]
struct Died;

#[derive(Message)]
struct FireAt(MessageeId);

// Components of message-core, with their handlers.

struct Health(u32);

#[handlers]
impl Health {
    #[on_receive]
    fn damage(&mut self, damage: &Damage, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        self.0 = self.0.saturating_sub(damage.0);
        if self.0 == 0 {
            cx.send(Me, Died)?;
            cx.send(SCORE, Died)?;
            cx.despawn(cx.me())?; // The entity follows after the stage.
        }
        Ok(())
    }
}

struct Gun(u32);

#[handlers]
impl Gun {
    #[on_receive]
    fn fire(&mut self, fire: &FireAt, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        if self.0 > 0 {
            self.0 -= 1;
            // The shell flies for 300 ms of game time.
            let shot = Header::to(fire.0).after(Duration::from_millis(300));
            cx.post(shot, Damage(6))?;
            let left = self.0;
            cx.queue(move |_: &mut World| {
                println!("        the tower fires, {left} shells are left");
            })?;
        }
        Ok(())
    }
}

#[derive(Default)]
struct Score(u32);

#[handlers]
impl Score {
    #[on_receive]
    fn died(&mut self, _: &Died) {
        self.0 += 1;
    }
}

// Bevy's components and messages.

#[derive(Component)]
struct Marching(f32);

/// A key press, as an input plugin would write it.
#[derive(bevy_ecs::message::Message)]
struct KeyPressed(char, MessageeId);

fn set_up(mut commands: Commands, mut messaging: Messaging) -> Result {
    for (number, name) in [(0_u8, "grom"), (1, "mog"), (2, "thrak")] {
        let orc = (Name::new(name), Marching(-2.0 * f32::from(number)));
        commands.spawn((orc, Messagee::new((Health(8),))));
    }
    // A messagee needs no entity.
    let manager = messaging.manager();
    let tower = manager.spawn((Gun(9),));
    manager.bind(TOWER, tower)?;
    let score = manager.spawn((Score::default(),));
    manager.bind(SCORE, score)?;
    Ok(())
}

fn march(mut orcs: Query<&mut Marching>, time: Res<Time>) {
    for mut orc in &mut orcs {
        orc.0 += 4.0 * time.delta_secs();
    }
}

/// Presses the key to fire at the first orc in range, four times a second.
fn press(
    orcs: Query<(&Marching, &Messagee)>,
    time: Res<Time>,
    mut until: Local<f32>,
    mut keys: MessageWriter<KeyPressed>,
) {
    *until -= time.delta_secs();
    let in_range = orcs.iter().filter(|(orc, _)| (1.0..20.0).contains(&orc.0));
    let first = in_range.max_by(|a, b| a.0.0.total_cmp(&b.0.0));
    if let Some((_, orc)) = first.filter(|_| *until <= 0.0) {
        *until = 0.25;
        keys.write_batch(orc.id().map(|id| KeyPressed(' ', id)));
    }
}

fn print_hits(mut hits: MessageReader<Heard<Damage>>, names: Query<&Name>) {
    for hit in hits.read() {
        let name = hit.entity.and_then(|entity| names.get(entity).ok());
        let name = name.map_or("somebody who is gone", Name::as_str);
        println!("        {name} is hit by {}", hit.message.0);
    }
}

fn print_death(died: On<Received<Died>>, names: Query<(&Name, &Marching)>) -> Result {
    let (name, orc) = names.get(died.entity)?;
    println!("        {name} dies at {:.1}", orc.0);
    Ok(())
}

fn main() {
    if std::env::args().len() > 1 {
        return println!("A tower and three orcs, for 30 frames. There are no options.");
    }
    let mut app = App::new();
    app.add_plugins((TimePlugin, MessagePlugin::default()))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(
            100,
        )))
        .hear::<Damage>()
        .trigger_on::<Died>()
        .relay(|key: &KeyPressed| (key.0 == ' ').then_some((TOWER, FireAt(key.1))))
        .add_observer(print_death)
        .add_systems(Startup, set_up)
        .add_systems(Update, (march, press).chain())
        .add_systems(Last, print_hits);
    for frame in 1..=30 {
        println!("{:>5} ms", frame * 100);
        app.update();
    }
    let mut messenger = app.world_mut().resource_mut::<Messenger>();
    let manager = messenger.manager();
    let score = manager.bound(SCORE).expect("it was bound in the beginning");
    let dead = manager.get::<Score>(score).expect("it has one").0;
    let orcs = app
        .world_mut()
        .query::<&Marching>()
        .iter(app.world())
        .count();
    println!("{dead} orcs died, {orcs} are left");
    assert_eq!((dead, orcs), (3, 0));
}
