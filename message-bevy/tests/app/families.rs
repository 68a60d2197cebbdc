//! `ChildOf` becomes the parent.

use bevy_ecs::hierarchy::ChildOf;
use message_bevy::message_core::Children;
use message_bevy::prelude::*;

use crate::{Damage, Died, GetHp, Health, Tested, app, id_of, is_alive, orc, with};

fn parent(app: &mut bevy_app::App, id: MessageeId) -> Option<MessageeId> {
    with(app, |manager| manager.parent(id))
}

#[test]
fn a_child_that_is_spawned_is_a_child_there_too() -> Tested {
    let mut app = app();
    let tank = orc(&mut app, 80);
    let turret = app
        .world_mut()
        .spawn((Messagee::new((Health { hp: 9 },)), ChildOf(tank)))
        .id();
    let barrel = app
        .world_mut()
        .spawn((ChildOf(turret), Messagee::new((Health { hp: 7 },))))
        .id();
    let [tank, turret, barrel] = [tank, turret, barrel].map(|it| id_of(&app, it));
    assert_eq!(parent(&mut app, turret), Some(tank));
    assert_eq!(parent(&mut app, barrel), Some(turret));
    app.world_mut().send(Down(tank), Damage { amount: 1 })?;
    let hp = |app: &mut bevy_app::App, id| with(app, |manager| manager.request(id, GetHp));
    assert_eq!(
        [
            hp(&mut app, tank)?,
            hp(&mut app, turret)?,
            hp(&mut app, barrel)?
        ],
        [79, 8, 6]
    );
    Ok(())
}

#[test]
fn the_parent_follows_changes_of_child_of() {
    let mut app = app();
    let [one, two, child] = [0; 3].map(|_| orc(&mut app, 8));
    let ids = [one, two, child].map(|it| id_of(&app, it));
    app.world_mut().entity_mut(child).insert(ChildOf(one));
    assert_eq!(parent(&mut app, ids[2]), Some(ids[0]));
    app.world_mut().entity_mut(child).insert(ChildOf(two));
    assert_eq!(parent(&mut app, ids[2]), Some(ids[1]));
    app.world_mut().entity_mut(child).remove::<ChildOf>();
    assert_eq!(parent(&mut app, ids[2]), None);
    // A parent without a messagee does not count until it has one.
    let late = app.world_mut().spawn_empty().id();
    app.world_mut().entity_mut(child).insert(ChildOf(late));
    assert_eq!(parent(&mut app, ids[2]), None);
    app.world_mut().entity_mut(late).insert(Messagee::new(()));
    let late = id_of(&app, late);
    assert_eq!(parent(&mut app, ids[2]), Some(late));
}

// holds: messagees.despawn-takes-along
#[test]
fn a_family_goes_together_whichever_side_begins() -> Tested {
    for by_entity in [true, false] {
        let mut app = app();
        let tank = orc(&mut app, 80);
        let turret = app
            .world_mut()
            .spawn((Messagee::new(()), ChildOf(tank)))
            .id();
        let plate = app.world_mut().spawn(ChildOf(tank)).id();
        let ids = [tank, turret].map(|it| id_of(&app, it));
        if by_entity {
            app.world_mut().despawn(tank);
        } else {
            with(&mut app, |manager| manager.despawn(ids[0]))?;
        }
        assert!(!ids.iter().any(|&id| is_alive(&mut app, id)));
        app.update();
        for entity in [tank, turret, plate] {
            assert!(app.world().get_entity(entity).is_err());
        }
    }
    Ok(())
}

// holds: messagees.despawn-takes-along
#[test]
fn children_that_are_given_to_the_grandparent_stay_and_so_do_their_entities() -> Tested {
    let mut app = app();
    let top = orc(&mut app, 8);
    let middle = app
        .world_mut()
        .spawn((Messagee::new(()), ChildOf(top)))
        .id();
    let low = app
        .world_mut()
        .spawn((Messagee::new(()), ChildOf(middle)))
        .id();
    let ids = [top, middle, low].map(|it| id_of(&app, it));
    with(&mut app, |manager| {
        manager.despawn_with(ids[1], Children::Reparent)
    })?;
    app.update();
    assert!(app.world().get_entity(middle).is_err());
    assert_eq!(
        app.world().get::<ChildOf>(low).map(ChildOf::parent),
        Some(top)
    );
    assert_eq!(parent(&mut app, ids[2]), Some(ids[0]));
    // If there is no grandparent, they have no parent.
    with(&mut app, |manager| {
        manager.despawn_with(ids[0], Children::Reparent)
    })?;
    app.update();
    assert!(app.world().get_entity(low).is_ok());
    assert!(app.world().get::<ChildOf>(low).is_none());
    // Removing only the component leaves the children alone.
    let child = app
        .world_mut()
        .spawn((Messagee::new(()), ChildOf(low)))
        .id();
    app.world_mut().entity_mut(low).remove::<Messagee>();
    app.update();
    assert!(app.world().get_entity(child).is_ok());
    app.world_mut().send(child, Died)?;
    Ok(())
}
