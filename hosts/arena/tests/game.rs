//! The game without a window: the effects of keys and messages.

use std::time::Duration;

use arena::body::{Body, Kind};
use arena::bomb::{Bay, Detonate, Fuse};
use arena::enemy::ENEMIES;
use arena::expiry::Expire;
use arena::game::STEP;
use arena::gun::Fire;
use arena::hull::{Damage, Grace, Hull};
use arena::keys::PLAYERS;
use arena::pending;
use arena::pilot::Pilot;
use arena::radio::Call;
use arena::referee::{HQ, Referee};
use arena::score::{Score, StreakEnds};
use arena::shield::Shield;
use arena::ship::SHIP;
use arena::space::Vector;
use arena::touch::{Finger, PADS, Touch};
use arena::waves::{Arrive, NextWave, Open};
use arena::{Button, Game};
use message_core::prelude::*;

type Told = Result<(), HandlerError>;

/// Returns a game whose ship has taken off. No enemies have arrived yet.
fn game() -> Result<Game, HandlerError> {
    let mut game = Game::new(7)?;
    run(&mut game, 2);
    Ok(game)
}

fn run(game: &mut Game, frames: u32) {
    for _ in 0..frames {
        let report = game.frame(STEP);
        assert_eq!(report.failures, 0);
    }
}

fn ship(game: &Game) -> MessageeId {
    game.manager().bound(SHIP).expect("the ship has taken off")
}

fn body(game: &Game, id: MessageeId) -> Result<Body, MessageeError> {
    game.manager().get::<Body>(id).map(|body| *body)
}

fn count(game: &Game, kind: Kind) -> usize {
    let things = game.scene().things;
    things.iter().filter(|thing| thing.kind == kind).count()
}

fn pending<M: Message>(game: &Game) -> usize {
    game.manager().pending_posts(Posts::of::<M>()).len()
}

fn hurt(game: &mut Game, id: MessageeId, amount: i32) -> Result<i32, SendError> {
    let at = Vector::CENTRE;
    let mut damage = Damage { amount, at };
    game.manager_mut().send_mut(id, &mut damage)?;
    Ok(damage.amount)
}

#[test]
fn a_key_is_received_by_the_component_that_it_is_for() -> Told {
    let mut game = game()?;
    assert_eq!(game.manager().members(PLAYERS).count(), 2);
    for button in [
        Button::Left,
        Button::FireUp,
        Button::Shield,
        Button::Bomb,
        Button::Slow,
    ] {
        assert_eq!(game.press(button)?.received, 1, "{button:?}");
    }
    assert_eq!(game.press(Button::Left)?.received, 0, "it is held already");
    Ok(())
}

#[test]
fn the_ship_flies_while_a_key_is_held() -> Told {
    let mut game = game()?;
    let ship = ship(&game);
    game.press(Button::Right)?;
    run(&mut game, 30);
    let there = body(&game, ship)?.at;
    assert!(there.x > Vector::CENTRE.x + 100.0 && there.y.to_bits() == Vector::CENTRE.y.to_bits());
    game.release(Button::Right)?;
    run(&mut game, 60);
    let rest = body(&game, ship)?.at;
    run(&mut game, 30);
    assert!(rest.to(body(&game, ship)?.at).length() < 1.0);
    Ok(())
}

#[test]
fn while_a_gun_fires_there_is_one_message_that_repeats() -> Told {
    let mut game = game()?;
    game.press(Button::FireUp)?;
    game.press(Button::FireLeft)?;
    run(&mut game, 30);
    assert_eq!(pending::<Fire>(&game), 1);
    assert_eq!(
        count(&game, Kind::Shot),
        5,
        "at 0, 110, 220, 330 and 440 ms"
    );
    game.release(Button::FireUp)?;
    assert_eq!(pending::<Fire>(&game), 1);
    game.release(Button::FireLeft)?;
    assert_eq!(pending::<Fire>(&game), 0);
    Ok(())
}

#[test]
fn a_shot_ends_by_a_delayed_message() -> Told {
    let mut game = game()?;
    game.press(Button::FireRight)?;
    run(&mut game, 2);
    game.release(Button::FireRight)?;
    assert_eq!((count(&game, Kind::Shot), pending::<Expire>(&game)), (1, 1));
    run(&mut game, 60);
    assert_eq!((count(&game, Kind::Shot), pending::<Expire>(&game)), (0, 0));
    Ok(())
}

#[test]
fn a_raised_shield_takes_the_damage_out_of_the_message() -> Told {
    let mut game = game()?;
    let ship = ship(&game);
    game.press(Button::Shield)?;
    assert_eq!(hurt(&mut game, ship, 2)?, 0);
    assert_eq!(game.manager().get::<Hull>(ship)?.left, 6);
    assert_eq!(game.manager().get::<Shield>(ship)?.charge, 64);
    assert_eq!(hurt(&mut game, ship, 5)?, 1, "what it cannot stop goes on");
    assert_eq!(game.manager().get::<Hull>(ship)?.left, 5);
    assert!(!game.manager().get::<Shield>(ship)?.is_raised);
    Ok(())
}

#[test]
fn a_shield_drains_while_it_is_raised_and_charges_again() -> Told {
    let mut game = game()?;
    let ship = ship(&game);
    game.press(Button::Shield)?;
    run(&mut game, 60);
    game.release(Button::Shield)?;
    let low = game.manager().get::<Shield>(ship)?.charge;
    assert!((55..=65).contains(&low), "{low}");
    run(&mut game, 150);
    assert_eq!(game.manager().get::<Shield>(ship)?.charge, 100);
    let charges = pending::rows(game.manager());
    assert!(
        !charges.iter().any(|row| row.message == "Charge"),
        "it is full"
    );
    Ok(())
}

#[test]
fn a_ship_that_was_hit_cannot_be_hurt_for_a_moment() -> Told {
    let mut game = game()?;
    let ship = ship(&game);
    hurt(&mut game, ship, 1)?;
    assert!(game.manager().get::<Grace>(ship).is_ok());
    hurt(&mut game, ship, 3)?;
    assert_eq!(game.manager().get::<Hull>(ship)?.left, 5);
    run(&mut game, 70);
    assert!(
        game.manager().get::<Grace>(ship).is_err(),
        "it has taken itself away"
    );
    hurt(&mut game, ship, 3)?;
    assert_eq!(game.manager().get::<Hull>(ship)?.left, 2);
    Ok(())
}

#[test]
fn a_bomb_goes_off_when_its_fuse_has_burnt_down() -> Told {
    let mut game = game()?;
    game.press(Button::Bomb)?;
    assert_eq!(
        (count(&game, Kind::Bomb), pending::<Detonate>(&game)),
        (1, 1)
    );
    run(&mut game, 70);
    assert_eq!(count(&game, Kind::Bomb), 1);
    run(&mut game, 5);
    assert_eq!(count(&game, Kind::Bomb), 0);
    let ship = ship(&game);
    assert_eq!(game.manager().get::<Hull>(ship)?.left, 5, "it lay on it");
    assert_eq!(game.manager().get::<Bay>(ship)?.bombs, 2);
    Ok(())
}

#[test]
fn a_bomb_in_a_blast_gets_a_shorter_fuse() -> Told {
    let mut game = game()?;
    game.press(Button::Bomb)?;
    run(&mut game, 30);
    game.press(Button::Bomb)?;
    run(&mut game, 44);
    assert_eq!(
        (count(&game, Kind::Bomb), pending::<Detonate>(&game)),
        (1, 1)
    );
    let now = game.manager().clock().now();
    let left: Vec<_> = game
        .manager()
        .iter::<Fuse>()
        .map(|(_, it)| it.goes_off.saturating_sub(now))
        .collect();
    assert!(left[0] <= Duration::from_millis(150), "{left:?}");
    run(&mut game, 10);
    assert_eq!(count(&game, Kind::Bomb), 0);
    Ok(())
}

#[test]
fn each_enemy_of_a_wave_is_a_message_that_is_due_later() -> Told {
    let mut game = game()?;
    assert_eq!(pending::<NextWave>(&game), 1);
    run(&mut game, 70);
    assert_eq!(pending::<Arrive>(&game), 5);
    run(&mut game, 24);
    assert_eq!((count(&game, Kind::Portal), pending::<Open>(&game)), (1, 1));
    run(&mut game, 54);
    assert_eq!(
        game.manager().members(ENEMIES).count(),
        1,
        "a portal has opened"
    );
    let scene = game.scene();
    assert_eq!((scene.wave, scene.left), (1, 5));
    Ok(())
}

/// Returns a game with the first enemies in it.
fn battle() -> Result<(Game, Vec<MessageeId>), HandlerError> {
    let mut game = game()?;
    run(&mut game, 200);
    let enemies: Vec<_> = game.manager().members(ENEMIES).collect();
    assert!(enemies.len() >= 3, "{}", enemies.len());
    Ok((game, enemies))
}

// holds: time.key-replaces
#[test]
fn a_streak_ends_when_nothing_is_hit_for_a_while() -> Told {
    let (mut game, enemies) = battle()?;
    for &enemy in &enemies[..2] {
        hurt(&mut game, enemy, 9)?;
    }
    let scene = game.scene();
    assert_eq!((scene.points, scene.streak), (10 + 20, 2));
    assert_eq!(
        pending::<StreakEnds>(&game),
        1,
        "the second has replaced the first"
    );
    run(&mut game, 115);
    assert_eq!(game.manager().get::<Score>(hq(&game))?.streak, 0);
    Ok(())
}

fn hq(game: &Game) -> MessageeId {
    game.manager().bound(HQ).expect("it is always there")
}

// holds: messagees.despawn-bound-messages
#[test]
fn a_call_ends_with_its_sender() -> Told {
    let mut game = game()?;
    let ship = ship(&game);
    hurt(&mut game, ship, 1)?;
    assert_eq!(pending::<Call>(&game), 1);
    run(&mut game, 12);
    let heard = |game: &Game| {
        let lines = game.scene().radio;
        lines.iter().filter(|line| line.from == "Falcon").count()
    };
    assert_eq!(heard(&game), 1);
    run(&mut game, 70);
    hurt(&mut game, ship, 1)?;
    let dead = game.manager().inspect().dead_letter_count();
    run(&mut game, 70);
    assert_eq!(
        (heard(&game), game.manager().inspect().dead_letter_count()),
        (2, dead)
    );
    hurt(&mut game, ship, 1)?;
    game.manager_mut().despawn(ship)?;
    assert_eq!(game.manager().inspect().dead_letter_count(), dead + 1);
    Ok(())
}

#[test]
fn a_lost_ship_is_replaced_when_it_is_asked_for() -> Told {
    let (mut game, _) = battle()?;
    let lost = ship(&game);
    hurt(&mut game, lost, 99)?;
    run(&mut game, 1);
    assert!(game.scene().is_over && game.scene().ship().is_none());
    assert_eq!(game.press(Button::Left)?.received, 0);
    game.press(Button::Restart)?;
    run(&mut game, 1);
    assert!(!game.manager().get::<Referee>(hq(&game))?.is_over);
    assert_ne!(ship(&game), lost);
    assert_eq!(game.scene().things.len(), 1, "everyone else is gone");
    Ok(())
}

#[test]
fn the_time_stands_still_and_becomes_slow() -> Told {
    let (mut game, _) = battle()?;
    game.press(Button::Pause)?;
    run(&mut game, 1);
    let before = game.scene();
    run(&mut game, 30);
    assert_eq!(game.scene().things, before.things);
    game.press(Button::Pause)?;
    game.press(Button::Slow)?;
    run(&mut game, 100);
    let slow = game.scene().now.saturating_sub(before.now);
    assert!(slow < Duration::from_millis(550), "{slow:?}");
    run(&mut game, 60);
    assert!(
        (game.scene().time_scale - 1.0).abs() < f32::EPSILON,
        "in real time"
    );
    Ok(())
}

#[test]
fn what_is_pending_can_be_read() -> Told {
    let mut game = game()?;
    game.press(Button::Bomb)?;
    let rows = pending::rows(game.manager());
    let fuse = rows
        .iter()
        .find(|row| row.message == "Detonate")
        .expect("it burns");
    assert_eq!((fuse.from.as_str(), fuse.to.as_str()), ("bomb", "bomb"));
    assert_eq!(fuse.due_in, Some(arena::bomb::FUSE));
    let step = rows
        .iter()
        .find(|row| row.message == "Step")
        .expect("it repeats");
    assert_eq!((step.to.as_str(), step.deliveries), ("HQ", None));
    Ok(())
}

#[test]
fn the_pilot_clears_three_waves_in_a_minute() -> Told {
    let mut game = Game::new(7)?;
    let mut pilot = Pilot::default();
    for _ in 0..3600 {
        pilot.play(&mut game)?;
        game.frame(STEP);
    }
    assert!(game.scene().wave > 3, "wave {}", game.scene().wave);
    Ok(())
}

#[test]
fn no_handler_of_the_game_fails_in_ten_minutes() -> Told {
    let mut game = Game::new(11)?;
    let mut pilot = Pilot::default();
    for _ in 0..36_000 {
        pilot.play(&mut game)?;
        assert_eq!(game.frame(STEP).failures, 0);
    }
    Ok(())
}

fn finger(id: u64, x: f32, y: f32) -> Finger {
    let at = Vector::new(x, y);
    Finger { id, at }
}

#[test]
fn fingers_steer_fire_and_press_pads_at_the_same_time() -> Told {
    let mut game = game()?;
    let mut touch = Touch::default();
    let before = body(&game, ship(&game))?.at;
    let resting = finger(1, 100.0, 400.0);
    touch.play(&[resting], &mut game)?;
    assert_eq!(touch.stick(), Some(resting.at));
    for x in 0..30_u8 {
        let steering = finger(1, 100.0 + f32::from(x) * 4.0, 400.0);
        let shielding = finger(2, PADS[0].at.x, PADS[0].at.y);
        // A finger that comes down on a pad stays there.
        let aiming = finger(3, 600.0 + f32::from(x) * 20.0, 100.0);
        touch.play(&[steering, shielding, aiming], &mut game)?;
        run(&mut game, 1);
    }
    assert!(body(&game, ship(&game))?.at.x > before.x + 20.0);
    assert!(count(&game, Kind::Shot) > 0);
    assert!(touch.holds(Button::Shield) && touch.holds(Button::Right));
    assert!(!touch.holds(Button::Pause), "it was reached while firing");

    touch.play(&[], &mut game)?;
    assert_eq!(pending::<Fire>(&game), 0);
    assert_eq!(touch.stick(), None);
    let pausing = finger(4, PADS[2].at.x, PADS[2].at.y);
    touch.play(&[pausing], &mut game)?;
    run(&mut game, 1);
    assert!(game.scene().is_paused);
    Ok(())
}
