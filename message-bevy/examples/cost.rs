//! The cost of the plugin: a send by `Entity` compared with a send by id, in an app and to a manager without
//! Bevy, and an idle frame compared with one of an app without the plugin.
//!
//! ```sh
//! cargo run --release -p message-bevy --example cost
//! ```
//!
//! The contenders take turns, and the median of each one's rounds is reported. To count the instructions of a
//! single contender, run `valgrind --tool=callgrind target/release/examples/cost entity` (or `id`, `manager`,
//! `frame`, `bare`), with 1 000 000 sends or 10 000 frames.

use std::hint::black_box;
use std::time::{Duration, Instant};

use bevy_app::App;
use bevy_ecs::entity::Entity;
use bevy_ecs::system::SystemState;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use message_bevy::Message;
use message_bevy::prelude::*;

const OBJECTS: usize = 10_000;
const SENDS: u32 = 100_000;
const FRAMES: u32 = 1_000;
const ROUNDS: usize = 31;

#[derive(Message)]
struct Damage {
    amount: u32,
}

struct Health {
    hp: u32,
}

#[handlers]
impl Health {
    #[on_receive]
    fn damage(&mut self, damage: &Damage) {
        self.hp = self.hp.wrapping_sub(damage.amount);
    }
}

struct Bench {
    app: App,
    bare: App,
    entities: Vec<Entity>,
    ids: Vec<MessageeId>,
    alone: MessageManager,
    own: Vec<MessageeId>,
}

/// Maps each number to an object, so that no two neighbours are visited in a row; the same for every contender.
fn order(number: u32) -> usize {
    number as usize * 7_919 % OBJECTS
}

fn frames(plugin: bool) -> App {
    let mut app = App::new();
    app.add_plugins(TimePlugin)
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(
            16,
        )));
    if plugin {
        app.add_plugins(MessagePlugin::default());
    }
    app.update();
    app
}

impl Bench {
    fn new() -> Self {
        let mut app = frames(true);
        let spawn = |_| {
            app.world_mut()
                .spawn(Messagee::new((Health { hp: 0 },)))
                .id()
        };
        let entities: Vec<Entity> = (0..OBJECTS).map(spawn).collect();
        let messenger = app.world().resource::<Messenger>();
        let ids = entities
            .iter()
            .filter_map(|&it| messenger.id_of(it))
            .collect();
        let mut alone = MessageManager::new();
        let own = (0..OBJECTS)
            .map(|_| alone.spawn((Health { hp: 0 },)))
            .collect();
        Self {
            app,
            bare: frames(false),
            entities,
            ids,
            alone,
            own,
        }
    }

    fn run(&mut self, contender: &str, rounds: u32) {
        match contender {
            "entity" => {
                let mut state = SystemState::<Messaging<'_, '_>>::new(self.app.world_mut());
                let mut messaging = state.get_mut(self.app.world_mut()).expect("it is there");
                for number in 0..SENDS * rounds {
                    let to = self.entities[order(number)];
                    let sent = messaging.send(to, Damage { amount: number });
                    let _ = black_box(sent.expect("it is alive"));
                }
            }
            "id" => {
                let mut state = SystemState::<Messaging<'_, '_>>::new(self.app.world_mut());
                let mut messaging = state.get_mut(self.app.world_mut()).expect("it is there");
                for number in 0..SENDS * rounds {
                    let to = self.ids[order(number)];
                    let sent = messaging.send(to, Damage { amount: number });
                    let _ = black_box(sent.expect("it is alive"));
                }
            }
            "manager" => {
                for number in 0..SENDS * rounds {
                    let to = self.own[order(number)];
                    let sent = self.alone.send(to, Damage { amount: number });
                    let _ = black_box(sent.expect("it is alive"));
                }
            }
            "frame" => (0..FRAMES * rounds).for_each(|_| self.app.update()),
            "bare" => (0..FRAMES * rounds).for_each(|_| self.bare.update()),
            other => panic!("{other} is none of entity, id, manager, frame, bare"),
        }
    }
}

fn main() {
    let mut bench = Bench::new();
    if let Some(contender) = std::env::args().nth(1) {
        return bench.run(&contender, 10);
    }
    let contenders = ["entity", "id", "manager", "frame", "bare"];
    let mut times = contenders.map(|_| Vec::new());
    for round in 0..=ROUNDS {
        for (contender, times) in contenders.iter().zip(&mut times) {
            let begin = Instant::now();
            bench.run(contender, 1);
            if round > 0 {
                times.push(begin.elapsed());
            }
        }
    }
    let [entity, id, manager, frame, bare] = times.map(|mut times| {
        times.sort_unstable();
        times[ROUNDS / 2].as_secs_f64() * 1e9
    });
    let sends = f64::from(SENDS);
    println!(
        "a send by `Entity`                     {:8.1} ns",
        entity / sends
    );
    println!(
        "a send by id                           {:8.1} ns",
        id / sends
    );
    println!(
        "a send by id, manager only             {:8.1} ns",
        manager / sends
    );
    println!(
        "`Entity` relative to id                {:8.2} times",
        entity / id
    );
    let frames = f64::from(FRAMES);
    println!(
        "an empty frame with the plugin         {:8.1} ns",
        frame / frames
    );
    println!(
        "an empty frame without the plugin      {:8.1} ns",
        bare / frames
    );
    println!(
        "the plugin's share                     {:8.1} ns",
        (frame - bare) / frames
    );
}
