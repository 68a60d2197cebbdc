//! Systems of states send, and the scaled clock is Bevy's.

use bevy::prelude::*;
use message_bevy::prelude::*;

use crate::{Damage, FRAME, Tested, app, hp, orc, with};

#[derive(States, Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
enum Game {
    #[default]
    Menu,
    Fight,
}

fn strike(mut messaging: Messaging<'_, '_>) -> Result {
    messaging.send(Everyone, Damage { amount: 1 })?;
    Ok(())
}

#[test]
fn systems_of_a_state_send_while_the_app_is_in_it() -> Tested {
    let mut app = app();
    app.init_state::<Game>()
        .add_systems(OnEnter(Game::Fight), strike)
        .add_systems(Update, strike.run_if(in_state(Game::Fight)));
    let orc = orc(&mut app, 8);
    app.update();
    assert_eq!(hp(&mut app, orc)?, 8);

    let mut next = app.world_mut().resource_mut::<NextState<Game>>();
    next.set(Game::Fight);
    app.update();
    assert_eq!(hp(&mut app, orc)?, 6, "once on entering, and once by frame");
    app.update();
    assert_eq!(hp(&mut app, orc)?, 5);

    let mut next = app.world_mut().resource_mut::<NextState<Game>>();
    next.set(Game::Menu);
    app.update();
    assert_eq!(hp(&mut app, orc)?, 5);
    Ok(())
}

#[test]
fn a_paused_game_delivers_unscaled_posts_alone() -> Tested {
    let mut app = app();
    let (slow, fast) = (orc(&mut app, 8), orc(&mut app, 8));
    app.update();
    let header = |entity| Header::to(entity).after(FRAME);
    let (slow_id, fast_id) = (crate::id_of(&app, slow), crate::id_of(&app, fast));
    with(&mut app, |manager| {
        manager.post(header(slow_id), Damage { amount: 1 })?;
        manager.post(header(fast_id).unscaled(), Damage { amount: 1 })
    })?;
    app.world_mut().resource_mut::<Time<Virtual>>().pause();
    app.update();
    app.update();
    assert_eq!((hp(&mut app, slow)?, hp(&mut app, fast)?), (8, 7));
    app.world_mut().resource_mut::<Time<Virtual>>().unpause();
    app.update();
    assert_eq!(hp(&mut app, slow)?, 7);
    Ok(())
}
