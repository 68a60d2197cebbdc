//! Messagees come and go with their entities, in both directions.

use bevy_app::{Startup, Update};
use bevy_ecs::prelude::{Commands, Component, Entity, Name, Query, With};
use message_bevy::prelude::*;

use crate::{Damage, GetHp, Health, Tested, app, id_of, is_alive, orc, with};

#[derive(Component, Default)]
struct Sprite;

struct Gun;

#[test]
fn an_entity_that_is_spawned_with_commands_has_a_messagee_with_its_components() -> Tested {
    fn spawn(mut commands: Commands<'_, '_>) {
        commands.spawn((Sprite, Messagee::new((Health { hp: 8 }, Gun))));
    }
    let mut app = app();
    app.add_systems(Startup, spawn).update();
    let mut orcs = app.world_mut().query_filtered::<Entity, With<Sprite>>();
    let orc = orcs.single(app.world())?;
    let id = id_of(&app, orc);
    assert_eq!(with(&mut app, |manager| manager.hooks(id).count()), 2);
    app.world_mut().send(orc, Damage { amount: 3 })?;
    assert_eq!(with(&mut app, |manager| manager.request(id, GetHp))?, 5);
    Ok(())
}

#[test]
fn a_despawned_entity_takes_its_messagee_along() {
    let mut app = app();
    let orc = orc(&mut app, 8);
    let id = id_of(&app, orc);
    app.world_mut().despawn(orc);
    assert!(!is_alive(&mut app, id));
    assert_eq!(app.world().resource::<Messenger>().entity_of(id), None);
}

#[test]
fn a_despawned_messagee_takes_its_entity_along_after_the_stage() -> Tested {
    let mut app = app();
    let [one, two] = [0; 2].map(|_| orc(&mut app, 8));
    let ids = [one, two].map(|orc| id_of(&app, orc));
    // One is despawned by a handler, the other from outside.
    app.world_mut().send(one, Damage { amount: 8 })?;
    with(&mut app, |manager| manager.despawn(ids[1]))?;
    assert!(!is_alive(&mut app, ids[0]));
    assert!(app.world().get_entity(one).is_ok());
    app.update();
    for entity in [one, two] {
        assert!(app.world().get_entity(entity).is_err());
        assert_eq!(app.world().resource::<Messenger>().id_of(entity), None);
    }
    Ok(())
}

#[test]
fn a_removed_component_despawns_the_messagee_and_leaves_the_entity() {
    let mut app = app();
    let orc = orc(&mut app, 8);
    let id = id_of(&app, orc);
    app.world_mut().entity_mut(orc).remove::<Messagee>();
    assert!(!is_alive(&mut app, id));
    app.update();
    assert!(app.world().get_entity(orc).is_ok());
}

#[test]
fn a_component_that_is_inserted_again_replaces_the_messagee() -> Tested {
    let mut app = app();
    let orc = orc(&mut app, 8);
    let before = id_of(&app, orc);
    app.world_mut()
        .entity_mut(orc)
        .insert(Messagee::new((Health { hp: 3 },)));
    let id = id_of(&app, orc);
    assert!(!is_alive(&mut app, before));
    assert_eq!(with(&mut app, |manager| manager.request(id, GetHp))?, 3);
    app.update();
    assert!(app.world().get_entity(orc).is_ok());
    assert_eq!(
        app.world().get::<Messagee>(orc).and_then(Messagee::id),
        Some(id)
    );
    Ok(())
}

#[test]
#[should_panic(expected = "a `Messagee` that another entity had before was inserted into")]
fn a_component_that_was_taken_from_an_entity_is_refused() {
    let mut app = app();
    let orc = orc(&mut app, 8);
    let taken = app.world_mut().entity_mut(orc).take::<Messagee>();
    app.world_mut().spawn(taken.expect("it has one"));
}

#[test]
#[should_panic(expected = "(`grom`), but the world has no manager: expected")]
fn a_world_without_the_plugin_says_what_is_missing() {
    let mut world = bevy_ecs::world::World::new();
    world.spawn((Name::new("grom"), Messagee::new(())));
}

#[test]
fn the_name_of_an_entity_is_that_of_its_messagee() {
    let mut app = app();
    let orc = app
        .world_mut()
        .spawn((Messagee::new(()), Name::new("grom")))
        .id();
    let id = id_of(&app, orc);
    let name = |app: &mut bevy_app::App| with(app, |manager| manager.name(id));
    assert_eq!(name(&mut app).as_deref(), Some("grom"));
    app.world_mut().entity_mut(orc).insert(Name::new("thrall"));
    assert_eq!(name(&mut app).as_deref(), Some("thrall"));
}

#[test]
fn a_system_finds_the_messagees_of_entities_and_the_entities_of_messagees() {
    fn both(all: Query<'_, '_, (Entity, &Messagee)>, messaging: Messaging<'_, '_>) {
        for (entity, messagee) in &all {
            let id = messagee.id().expect("it is inserted");
            assert_eq!(messaging.entity_of(id), Some(entity));
            assert_eq!(messaging.id_of(entity).expect("it has one"), id);
        }
    }
    let mut app = app();
    let orcs = [1, 2, 3].map(|hp| orc(&mut app, hp));
    app.world_mut().despawn(orcs[1]);
    app.add_systems(Update, both).update();
}

#[test]
fn a_world_with_messagees_can_be_dropped_and_cleared() {
    let mut app = app();
    orc(&mut app, 8);
    app.update();
    app.world_mut().clear_entities();
    let mut app = crate::app();
    let orc = orc(&mut app, 8);
    app.world_mut()
        .send(orc, Damage { amount: 8 })
        .expect("it is alive");
    drop(app);
}
