//! Messages cross between the manager and Bevy over one-line bridges.

use bevy_app::{FixedUpdate, PreUpdate, Update};
use bevy_ecs::message::Message as BevyMessage;
use bevy_ecs::prelude::{Entity, MessageReader, MessageWriter, On, ResMut, Resource};
use message_bevy::prelude::*;

use crate::{Damage, Died, GetHp, Tested, app, id_of, orc, with};

mnemonic!(HERO);

#[derive(Resource, Default)]
struct Log(Vec<String>);

fn take(app: &mut bevy_app::App) -> Vec<String> {
    std::mem::take(&mut app.world_mut().resource_mut::<Log>().0)
}

fn note_heard(mut heard: MessageReader<'_, '_, Heard<Damage>>, mut log: ResMut<'_, Log>) {
    for it in heard.read() {
        log.0.push(format!(
            "{} to {:?}, {}",
            it.message.amount, it.entity, it.recipient
        ));
    }
}

#[test]
fn what_is_heard_is_read_in_bevy_with_its_entity() -> Tested {
    let mut app = app();
    app.hear::<Damage>()
        .init_resource::<Log>()
        .add_systems(PreUpdate, note_heard);
    let orc = orc(&mut app, 80);
    let id = id_of(&app, orc);
    let stray = with(&mut app, |manager| {
        manager.bind(HERO, id)?;
        Ok::<_, MessageeError>(manager.spawn(()))
    })?;
    app.world_mut().send(orc, Damage { amount: 1 })?;
    app.world_mut().send(HERO, Damage { amount: 2 })?;
    app.world_mut().send(stray, Damage { amount: 3 })?;
    app.world_mut().send(Everyone, Damage { amount: 4 })?;
    assert!(take(&mut app).is_empty());
    app.update();
    let expected = [
        format!("1 to {:?}, messagee 0v0", Some(orc)),
        format!("2 to {:?}, `app::bridges::HERO`", Some(orc)),
        "3 to None, messagee 1v0".to_owned(),
        "4 to None, everyone".to_owned(),
    ];
    let log = take(&mut app);
    let starts: Vec<_> = expected.iter().map(|it| it.split(',').next()).collect();
    assert!(
        log.iter().map(|it| it.split(',').next()).eq(starts),
        "{log:?}"
    );
    Ok(())
}

#[test]
fn what_is_heard_names_the_entity_that_is_gone() -> Tested {
    let mut app = app();
    app.hear::<Damage>()
        .init_resource::<Log>()
        .add_systems(PreUpdate, note_heard);
    let orc = orc(&mut app, 80);
    app.world_mut().send(orc, Damage { amount: 1 })?;
    app.world_mut().despawn(orc);
    app.update();
    let log = take(&mut app);
    assert!(
        log[0].starts_with(&format!("1 to {:?}", Some(orc))),
        "{log:?}"
    );
    Ok(())
}

#[test]
fn a_bridge_counts_as_a_receiver_only_if_it_is_asked_to() -> Tested {
    let mut app = app();
    app.hear::<Damage>().trigger_on::<Damage>();
    let sent = app.world_mut().send(Everyone, Damage { amount: 1 })?;
    assert_eq!(sent.received, 0);
    app.hear_with(Filter::of::<Damage>());
    let sent = app.world_mut().send(Everyone, Damage { amount: 1 })?;
    assert_eq!(sent.received, 1);
    Ok(())
}

#[test]
fn an_entity_event_is_triggered_on_whom_the_message_came_to() -> Tested {
    let mut app = app();
    app.trigger_on::<Died>().init_resource::<Log>();
    let [one, two] = [0; 2].map(|_| orc(&mut app, 8));
    for (orc, name) in [(one, "one"), (two, "two")] {
        app.world_mut().entity_mut(orc).observe(
            move |died: On<'_, '_, Received<Died>>, mut log: ResMut<'_, Log>| {
                assert_eq!(died.entity, orc);
                log.0.push(name.to_owned());
            },
        );
    }
    app.add_observer(|_: On<'_, '_, Received<Died>>, mut log: ResMut<'_, Log>| {
        log.0.push("any".to_owned());
    });
    // Sent to `Me` by a handler that despawns its own messagee: the entity is still there.
    app.world_mut().send(two, Damage { amount: 8 })?;
    app.world_mut().send(one, Died)?;
    app.world_mut().send(Everyone, Died)?;
    assert!(take(&mut app).is_empty());
    app.update();
    let mut log = take(&mut app);
    for pair in log.chunks_mut(2) {
        pair.sort();
    }
    assert_eq!(log, ["any", "two", "any", "one"]);
    assert!(app.world().get_entity(two).is_err());
    Ok(())
}

#[derive(BevyMessage)]
enum KeyInput {
    Up(Entity),
    Down,
    Other,
}

#[test]
fn what_is_written_in_bevy_is_relayed_once_before_the_next_stage() -> Tested {
    fn press(mut keys: MessageWriter<'_, KeyInput>) {
        keys.write(KeyInput::Down);
        keys.write(KeyInput::Other);
    }
    let mut app = app();
    app.relay(|key: &KeyInput| match key {
        KeyInput::Up(entity) => vec![(*entity, Damage { amount: 1 })],
        KeyInput::Down | KeyInput::Other => Vec::new(),
    })
    .relay(|key: &KeyInput| matches!(key, KeyInput::Down).then_some((HERO, Damage { amount: 10 })));
    let orc = orc(&mut app, 80);
    let id = id_of(&app, orc);
    with(&mut app, |manager| manager.bind(HERO, id))?;
    app.world_mut().write_message(KeyInput::Up(orc));
    app.update();
    app.update();
    assert_eq!(with(&mut app, |manager| manager.request(id, GetHp))?, 79);
    app.add_systems(Update, press);
    app.update();
    assert_eq!(with(&mut app, |manager| manager.request(id, GetHp))?, 69);
    app.update();
    app.add_systems(FixedUpdate, press);
    assert_eq!(with(&mut app, |manager| manager.request(id, GetHp))?, 59);
    Ok(())
}

#[test]
fn what_is_relayed_is_delivered_before_the_stage() -> Tested {
    let mut app = app();
    app.relay(|_: &KeyInput| [(HERO, Damage { amount: 5 })]);
    let orc = orc(&mut app, 80);
    let id = id_of(&app, orc);
    let amounts = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let by = std::sync::Arc::clone(&amounts);
    with(&mut app, |manager| {
        manager.bind(HERO, id)?;
        manager.subscribe(Filter::of::<Damage>(), move |damage, _| {
            by.lock().expect("no panic").push(damage.amount);
        });
        manager.post(Header::to(id).stage(Stage::Update), Damage { amount: 7 })?;
        Ok::<_, Box<dyn std::error::Error>>(())
    })?;
    app.world_mut().write_message(KeyInput::Down);
    app.update();
    assert_eq!(*amounts.lock().expect("no panic"), [5, 7]);
    Ok(())
}
