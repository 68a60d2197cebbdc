//! Entities and messagees end together, from either side.

use bevy::prelude::*;
use message_bevy::prelude::*;

use crate::{Damage, Health, Tested, app, hp, id_of, is_there, orc, with};

#[test]
fn the_entity_follows_a_messagee_that_dies() -> Tested {
    let mut app = app();
    let orc = orc(&mut app, 3);
    app.world_mut().send(orc, Damage { amount: 3 })?;
    app.update();
    assert!(!is_there(&app, orc));
    let error = app.world_mut().send(orc, Damage { amount: 1 });
    let error = error.expect_err("it is gone");
    assert!(matches!(error, MessagingError::Despawned { .. }), "{error}");
    Ok(())
}

#[test]
fn the_messagees_of_a_family_follow_an_entity_that_is_despawned() {
    let mut app = app();
    let tank = orc(&mut app, 8);
    let turret = (ChildOf(tank), Messagee::new((Health { hp: 2 },)));
    let turret = app.world_mut().spawn(turret).id();
    let ids = [tank, turret].map(|entity| id_of(&app, entity));
    assert_eq!(with(&mut app, |it| it.parent(ids[1])), Some(ids[0]));
    app.world_mut().despawn(tank);
    assert_eq!(
        ids.map(|id| with(&mut app, |it| it.is_alive(id))),
        [false; 2]
    );
    assert!(!is_there(&app, turret));
}

#[test]
fn an_entity_that_is_no_messagee_any_more_stays() -> Tested {
    let mut app = app();
    let orc = orc(&mut app, 3);
    let id = id_of(&app, orc);
    app.world_mut().entity_mut(orc).remove::<Messagee>();
    assert!(!with(&mut app, |it| it.is_alive(id)));
    app.update();
    assert!(is_there(&app, orc));
    let again = Messagee::new((Health { hp: 5 },));
    app.world_mut().entity_mut(orc).insert(again);
    assert_eq!(hp(&mut app, orc)?, 5);
    Ok(())
}

#[test]
fn a_clone_of_an_entity_is_no_messagee() {
    let mut app = app();
    let orc = orc(&mut app, 3);
    let clone = app.world_mut().entity_mut(orc).clone_and_spawn();
    assert!(app.world().get::<Messagee>(clone).is_none());
}
