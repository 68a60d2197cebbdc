//! A send to an entity that cannot receive it fails, and the error names the message, the entity and what was
//! expected.

use bevy_app::Update;
use bevy_ecs::error::{BevyError, ErrorContext, FallbackErrorHandler};
use bevy_ecs::message::Message as BevyMessage;
use bevy_ecs::prelude::{Entity, Name, Res, ResMut, Resource};
use message_bevy::prelude::*;

use crate::{Damage, GetHp, Tested, app, id_of, orc, with};
use message_core::Absence;

#[derive(Resource)]
struct Whom(Entity);

#[derive(Resource, Default)]
struct Errors(Vec<String>);

fn all(whom: Res<'_, Whom>, mut messaging: Messaging<'_, '_>, mut errors: ResMut<'_, Errors>) {
    let sent = messaging
        .send(whom.0, Damage { amount: 1 })
        .expect_err("nobody is there");
    let asked = messaging
        .request(whom.0, GetHp)
        .expect_err("nobody is there");
    let found = messaging.id_of(whom.0).expect_err("nobody is there");
    errors.0 = vec![sent.to_string(), asked.to_string(), found.to_string()];
}

/// Returns the error that a system gets, and the one that code with access to the whole world gets.
fn errors(app: &mut bevy_app::App, whom: Entity) -> Vec<String> {
    app.insert_resource(Whom(whom)).init_resource::<Errors>();
    app.add_systems(Update, all).update();
    let mut errors = std::mem::take(&mut app.world_mut().resource_mut::<Errors>().0);
    let sent = app.world_mut().send(whom, Damage { amount: 1 });
    errors.push(sent.expect_err("nobody is there").to_string());
    errors
}

#[test]
fn an_entity_without_a_messagee_is_named_with_its_name() {
    let mut app = app();
    let rock = app.world_mut().spawn(Name::new("rock")).id();
    let rest = format!(
        "the entity {rock} (`rock`), which is not a messagee: expected one with the component `Messagee`"
    );
    let expected = [
        format!("`app::Damage` was sent to {rest}"),
        format!("`app::GetHp` was sent to {rest}"),
        format!("the messagee was asked for of {rest}"),
        format!("`app::Damage` was sent to {rest}"),
    ];
    assert_eq!(errors(&mut app, rock), expected);
}

#[test]
fn a_despawned_entity_is_named() {
    let mut app = app();
    let orc = orc(&mut app, 8);
    app.world_mut().despawn(orc);
    let rest = format!("the entity {orc}, which is despawned: expected one that is alive");
    let expected = [
        format!("`app::Damage` was sent to {rest}"),
        format!("`app::GetHp` was sent to {rest}"),
        format!("the messagee was asked for of {rest}"),
        format!("`app::Damage` was sent to {rest}"),
    ];
    assert_eq!(errors(&mut app, orc), expected);
}

#[test]
fn a_despawned_entity_is_named_by_the_name_that_it_had_until_two_frames_have_passed() {
    let mut app = app();
    let orc = app
        .world_mut()
        .spawn((Name::new("grom"), Messagee::new(())));
    let orc = orc.id();
    app.world_mut().despawn(orc);
    let named =
        format!("the entity {orc} (`grom`), which is despawned: expected one that is alive");
    for text in errors(&mut app, orc) {
        assert!(text.ends_with(&named), "{text}");
    }
    app.update();
    let text = app.world_mut().send(orc, GetHp).expect_err("it is gone");
    assert!(!text.to_string().contains("grom"), "{text}");
}

#[test]
fn an_entity_whose_messagee_has_gone_before_it_is_named_with_the_reason() -> Tested {
    let mut app = app();
    let orc = app
        .world_mut()
        .spawn((Name::new("grom"), Messagee::new(())))
        .id();
    let id = id_of(&app, orc);
    with(&mut app, |manager| manager.despawn(id))?;
    let error = app
        .world_mut()
        .send(orc, Damage { amount: 1 })
        .expect_err("it is gone");
    let MessagingError::Entity {
        entity,
        name,
        source,
        ..
    } = &error
    else {
        panic!("{error:?}");
    };
    assert_eq!((*entity, name.as_deref()), (orc, Some("grom")));
    assert!(matches!(
        source.kind(),
        SendErrorKind::Absent(Absence::Gone)
    ));
    let text = error.to_string();
    let start = format!("`app::Damage` was sent to the entity {orc} (`grom`): ");
    assert!(text.starts_with(&start), "{text}");
    Ok(())
}

#[derive(BevyMessage)]
struct Hit(Entity);

#[test]
fn a_relay_to_nobody_is_told_to_the_error_handler_with_its_place() {
    use std::sync::Mutex;
    static TOLD: Mutex<Vec<String>> = Mutex::new(Vec::new());
    fn tell(error: BevyError, _: ErrorContext) {
        TOLD.lock().expect("no panic").push(error.to_string());
    }
    let mut app = app();
    app.insert_resource(FallbackErrorHandler(tell))
        .relay(|hit: &Hit| Some((hit.0, Damage { amount: 1 })));
    let rock = app.world_mut().spawn(Name::new("rock")).id();
    app.world_mut().write_message(Hit(rock));
    app.update();
    let told = TOLD.lock().expect("no panic");
    assert_eq!(told.len(), 1);
    let start =
        format!("`app::Damage` was sent to the entity {rock} (`rock`), which is not a messagee");
    assert!(told[0].contains(&start), "{}", told[0]);
    assert!(told[0].contains("errors.rs"), "{}", told[0]);
}

#[test]
#[should_panic(expected = "a bridge was added to an app without a manager: expected")]
fn a_bridge_without_the_plugin_says_what_is_missing() {
    bevy_app::App::new().hear::<Damage>();
}

/// The manager records which line has sent a message that nobody handles.
#[test]
fn a_send_records_the_line_of_the_program() -> Tested {
    fn send(whom: Res<'_, Whom>, mut messaging: Messaging<'_, '_>) {
        let sent = messaging.send(whom.0, crate::Died);
        assert_eq!(sent.expect("it is alive").received, 0);
    }
    let mut app = app();
    let orc = orc(&mut app, 8);
    app.insert_resource(Whom(orc)).add_systems(Update, send);
    let check = |app: &mut bevy_app::App, count| {
        let unhandled = with(app, |manager| manager.inspect().unhandled());
        assert_eq!((unhandled.len(), unhandled[0].count), (1, count));
        let place = unhandled[0].place;
        assert!(place.file().ends_with("errors.rs"), "{place}");
    };
    app.world_mut().send(orc, crate::Died)?;
    check(&mut app, 1);
    app.update();
    check(&mut app, 2);
    Ok(())
}
