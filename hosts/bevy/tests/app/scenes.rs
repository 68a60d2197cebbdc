//! Scenes spawn messagees, by a required component or a template, and inspectors find `Messagee` by reflection.

use bevy::asset::AssetServer;
use bevy::ecs::entity::EntityHashMap;
use bevy::ecs::reflect::{AppTypeRegistry, ReflectComponent};
use bevy::prelude::*;
use bevy::reflect::serde::ReflectSerializer;
use bevy::world_serialization::serde::WorldDeserializer;
use message_bevy::prelude::*;
use serde::de::DeserializeSeed;

use crate::{Damage, Health, Tested, app, hp, id_of, orc};

/// An entity with it is a messagee, wherever it comes from.
#[derive(Component, Reflect, Default, Clone)]
#[reflect(Component)]
#[require(Messagee = Messagee::new((Health { hp: 8 },)))]
struct Goblin {
    sight: u32,
}

#[test]
fn a_scene_is_written_and_read_and_its_goblins_are_messagees_of_their_own() -> Tested {
    let mut app = app();
    // Default features of `bevy` register them.
    app.register_type::<Goblin>().register_type::<Name>();
    let grib = (Goblin { sight: 3 }, Name::new("grib"));
    let grib = app.world_mut().spawn(grib).id();
    app.world_mut().send(grib, Damage { amount: 3 })?;

    let registry = app.world().resource::<AppTypeRegistry>().clone();
    let scene = DynamicWorldBuilder::from_world(app.world(), &registry.read())
        .extract_entity(grib)
        .build();
    let text = scene.serialize(&registry.read())?;
    let written = format!("id: Some({:?})", id_of(&app, grib).to_string());
    assert!(
        text.contains("message_bevy::Messagee") && text.contains(&written),
        "{text}"
    );

    let mut server = app.world().resource::<AssetServer>();
    let read = WorldDeserializer {
        type_registry: &registry.read(),
        load_from_path: &mut server,
    };
    let read = read.deserialize(&mut ron::de::Deserializer::from_str(&text)?)?;
    for _ in 0..2 {
        let mut spawned = EntityHashMap::default();
        read.write_to_world(app.world_mut(), &mut spawned)?;
        let goblin = spawned.values().next().copied();
        let goblin = goblin.expect("the scene has one");
        assert_eq!(hp(&mut app, goblin)?, 8);
        assert_eq!(
            app.world().get::<Goblin>(goblin).map(|it| it.sight),
            Some(3)
        );
        let name = app.world().get::<Name>(goblin).map(Name::as_str);
        assert_eq!(name, Some("grib"));
        assert_ne!(id_of(&app, goblin), id_of(&app, grib));
    }
    assert_eq!(hp(&mut app, grib)?, 5);
    Ok(())
}

#[test]
fn scenes_in_bsn_spawn_families() -> Tested {
    let mut app = app();
    let scene = bsn! {
        #Tank
        Goblin { sight: 2 }
        Children [
            #Turret
            template(|_| Ok(Messagee::new((Health { hp: 2 },))))
        ]
    };
    let tank = app.world_mut().spawn_scene(scene)?.id();
    let children = app.world().get::<Children>(tank);
    let turret = children.and_then(|it| it.first()).copied();
    let turret = turret.expect("the scene has a child");
    assert_eq!((hp(&mut app, tank)?, hp(&mut app, turret)?), (8, 2));
    let (tank, turret) = (id_of(&app, tank), id_of(&app, turret));
    crate::with(&mut app, |manager| {
        assert_eq!(manager.parent(turret), Some(tank));
        assert_eq!(manager.name(turret).as_deref(), Some("Turret"));
    });
    Ok(())
}

#[test]
fn an_inspector_shows_the_id() -> Tested {
    let mut app = app();
    let orc = orc(&mut app, 8);
    let registry = app.world().resource::<AppTypeRegistry>().clone();
    let registry = registry.read();
    let by_path = registry.get_with_type_path("message_bevy::Messagee");
    let component = by_path.and_then(|it| it.data::<ReflectComponent>());
    let component = component.expect("the plugin registers it");
    let value = component.reflect(app.world().entity(orc));
    let value = value.expect("the entity has one");
    let text = ron::to_string(&ReflectSerializer::new(
        value.as_partial_reflect(),
        &registry,
    ))?;
    let id = id_of(&app, orc);
    assert_eq!(
        text,
        format!("{{\"message_bevy::Messagee\":(id:Some(\"{id}\"))}}")
    );
    Ok(())
}
