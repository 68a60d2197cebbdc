//! Systems that run in parallel post through the inlet.

use bevy_app::Update;
use bevy_ecs::prelude::{Query, Res};
use message_bevy::prelude::*;

use crate::{Damage, GetHp, Tested, app, id_of, orc, with};

fn rain(orcs: Query<'_, '_, &Messagee>, inlet: Res<'_, MessageInlet>) {
    for id in orcs.iter().filter_map(Messagee::id) {
        inlet
            .try_post(Header::to(id), Damage { amount: 1 })
            .expect("there is room");
    }
}

fn hail(orcs: Query<'_, '_, &Messagee>, inlet: Res<'_, MessageInlet>) {
    for id in orcs.iter().filter_map(Messagee::id) {
        let post = inlet.try_post(Header::to(id).stage(Stage::Update), Damage { amount: 10 });
        post.expect("there is room");
    }
}

// holds: threads.delivered-when
#[test]
fn what_systems_post_is_delivered_when_the_next_frame_begins() -> Tested {
    let mut app = app();
    app.add_systems(Update, (rain, hail));
    let orc = orc(&mut app, 80);
    let id = id_of(&app, orc);
    app.update();
    assert_eq!(with(&mut app, |manager| manager.request(id, GetHp))?, 80);
    app.update();
    assert_eq!(with(&mut app, |manager| manager.request(id, GetHp))?, 69);
    Ok(())
}

#[test]
fn a_clone_of_it_posts_from_another_thread() -> Tested {
    let mut app = app();
    let orc = orc(&mut app, 80);
    let id = id_of(&app, orc);
    let inlet = app.world().resource::<MessageInlet>().clone();
    let posted = std::thread::spawn(move || inlet.try_post(Header::to(id), Damage { amount: 3 }));
    posted.join().expect("no panic").expect("there is room");
    app.update();
    assert_eq!(with(&mut app, |manager| manager.request(id, GetHp))?, 77);
    Ok(())
}
