//! World files and saves get entities.

use bevy::ecs::lifecycle::Insert;
use bevy::prelude::*;
use message_bevy::prelude::*;
use message_data::{self as data, SaveOptions, WorldFile};

use crate::{Damage, FRAME, Tested, app, hp, is_there, with};

const WORLD: &str = r#"World(version: 1, messagees: [
    Messagee(name: "tank", components: [Health(hp: 8)]),
    Messagee(name: "turret", parent: "tank", components: [Health(hp: 2)]),
])"#;

/// The look of the messagees in this app.
#[derive(Component)]
struct Sprite;

fn app_with_sprites() -> App {
    let mut app = app();
    let dress = |it: On<'_, '_, Insert<Messagee>>, mut commands: Commands<'_, '_>| {
        commands.entity(it.entity).insert(Sprite);
    };
    app.add_observer(dress);
    app
}

fn named(app: &mut App, name: &str) -> Option<Entity> {
    let mut dressed = app
        .world_mut()
        .query_filtered::<(Entity, &Name), With<Sprite>>();
    let mut found = dressed
        .iter(app.world())
        .filter(|(_, it)| it.as_str() == name);
    found.next().map(|(entity, _)| entity)
}

#[test]
fn a_save_is_loaded_with_names_families_and_pending_messages() -> Tested {
    let mut app = app_with_sprites();
    let file = WorldFile::parse(WORLD)?;
    with(&mut app, |manager| file.instantiate(manager).map(drop))?;
    assert_eq!(Messenger::adopt_all(app.world_mut()).len(), 2);
    let tank = named(&mut app, "tank").expect("it was adopted");
    let turret = named(&mut app, "turret").expect("it was adopted");
    assert_eq!(
        app.world().get::<ChildOf>(turret).map(ChildOf::parent),
        Some(tank)
    );

    app.update();
    let header = Header::to(crate::id_of(&app, tank)).after(FRAME * 2);
    let save = with(&mut app, |manager| {
        manager.post(header, Damage { amount: 3 })?;
        Ok::<_, Box<dyn std::error::Error>>(data::save(manager, &SaveOptions::new())?)
    })?;
    app.world_mut().send(turret, Damage { amount: 2 })?;
    app.update();
    assert!(!is_there(&app, turret));

    let config = app.world().resource::<Messenger>().config().clone();
    let restored = data::restore(&save, config)?;
    drop(Messenger::replace(app.world_mut(), restored.manager));
    assert!(!is_there(&app, tank));
    assert_eq!(Messenger::adopt_all(app.world_mut()).len(), 2);
    let tank = named(&mut app, "tank").expect("it was restored");
    let turret = named(&mut app, "turret").expect("it was restored");
    assert_eq!(
        app.world().get::<ChildOf>(turret).map(ChildOf::parent),
        Some(tank)
    );
    assert_eq!((hp(&mut app, tank)?, hp(&mut app, turret)?), (8, 2));
    app.update();
    app.update();
    assert_eq!(hp(&mut app, tank)?, 5);
    Ok(())
}
