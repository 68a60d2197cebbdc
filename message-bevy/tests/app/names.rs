//! Both preludes can be imported together.

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_time::prelude::*;
use message_bevy::prelude::*;

/// Each of these is Bevy's.
#[derive(Component, Default)]
struct Sprite;

#[derive(Message)]
struct Key;

#[derive(Bundle)]
struct Both {
    sprite: Sprite,
    name: Name,
}

fn children(_: Query<'_, '_, &Children>, _: Res<'_, Time>) {}

/// And this one is message-core's.
#[derive(message_bevy::Message, Clone)]
struct Hello;

#[test]
fn what_both_have_is_bevys() {
    let mut app = crate::app();
    app.add_message::<Key>().add_systems(Update, children);
    app.world_mut().spawn(Both {
        sprite: Sprite,
        name: Name::new("both"),
    });
    app.hear::<Hello>();
    app.relay(|_: &Key| Some((Everyone, Hello)));
    app.world_mut().write_message(Key);
    app.update();
    assert_eq!(app.world().resource::<Messages<Heard<Hello>>>().len(), 1);
}
