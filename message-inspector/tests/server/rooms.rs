//! Rooms that step together, under one address.

use std::time::Duration;

use message_core::prelude::*;
use message_data::Replay;
use message_inspector::Inspector;
use message_rooms::Rooms;

use crate::client::{Client, Tested};
use crate::recording::download_of;
use crate::world::{Damage, Health};

#[test]
fn all_rooms_are_under_one_address() -> Tested {
    let mut rooms = Rooms::with_threads(2);
    let [hall, attic] = [
        rooms.add("hall", MessageManager::new())?,
        rooms.add("attic", MessageManager::new())?,
    ];
    let orc = rooms
        .manager_mut(attic)
        .spawn_named("orc", (Health { hp: 9 },));
    let far_orc = rooms.proxy(hall, attic, orc)?;
    let mut inspector = Inspector::serve("127.0.0.1:0")?;
    for room in rooms.ids() {
        let name = rooms.name(room).to_owned();
        inspector.attach(rooms.manager_mut(room), name);
    }
    let client = Client::new(&inspector);
    let hello = client.get("/api/v1/hello")?.json();
    let worlds = hello["worlds"].as_array().ok_or("a list")?;
    let names: Vec<_> = worlds.iter().map(|world| world["name"].as_str()).collect();
    assert_eq!(names, [Some("hall"), Some("attic")]);

    rooms
        .manager_mut(hall)
        .send(far_orc, Damage { amount: 4 })?;
    rooms.frame(Duration::from_millis(16))?;
    for room in rooms.ids() {
        inspector.update(rooms.manager_mut(room));
    }
    // A recording of a room has what comes from the others, so it can be replayed alone.
    let log = download_of(&client, "/api/v1/worlds/1/recording")?;
    let replayed = Replay::of_bytes(log).run()?;
    assert!(
        replayed
            .manager
            .iter::<Health>()
            .map(|(_, health)| health.hp)
            .eq([5])
    );
    for room in rooms.ids() {
        inspector.detach(rooms.manager_mut(room));
    }
    Ok(())
}
