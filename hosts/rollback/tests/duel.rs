//! The sessions of `ggrs` with managers that go back.

use ggrs::{GgrsError, SessionBuilder};
use rollback::duel::{autopilot, play};
use rollback::game::{Ship, World};
use rollback::lossy::Faults;
use rollback::rollback::{Duel, Failure, Rollback};

fn sync_test(frames: i32, distance: usize, world: &mut Rollback) -> Result<(), Failure> {
    let mut session = SessionBuilder::<Duel>::new()
        .with_num_players(2)?
        .with_max_prediction_window(distance + 1)
        .with_check_distance(distance)
        .start_synctest_session()?;
    for frame in 0..frames {
        for player in 0..2 {
            session.add_local_input(player, autopilot(player, frame))?;
        }
        world.handle(session.advance_frame()?)?;
    }
    Ok(())
}

#[test]
fn each_frame_is_the_same_when_it_is_simulated_again() -> Result<(), Failure> {
    for distance in [1, 7] {
        let mut world = Rollback::new()?;
        sync_test(600, distance, &mut world)?;
        assert!(world.rewinds > 500);
        let World { manager, ships } = &world.world;
        let lost = ships.map(|ship| manager.get::<Ship>(ship).map_or(0, |ship| ship.lost));
        assert!(lost.iter().all(|&lost| lost > 0), "{lost:?}");
    }
    Ok(())
}

#[test]
fn a_frame_that_depends_on_something_else_is_found() -> Result<(), Failure> {
    use std::sync::atomic::{AtomicI32, Ordering};
    static CALLS: AtomicI32 = AtomicI32::new(0);
    let mut world = Rollback::new()?;
    world.meddle = Some(|world, _| {
        let calls = CALLS.fetch_add(1, Ordering::Relaxed);
        if let Ok(ship) = world.manager.get_mut::<Ship>(world.ships[0]) {
            ship.at += calls;
        }
    });
    let error = sync_test(100, 4, &mut world).expect_err("it is another state each time");
    let error = error.downcast::<GgrsError>()?;
    assert!(
        matches!(*error, GgrsError::MismatchedChecksum { .. }),
        "{error}"
    );
    Ok(())
}

#[test]
fn two_players_have_the_same_states_over_a_bad_connection() -> Result<(), Failure> {
    for faults in [
        Faults::default(),
        Faults {
            lost: 20,
            repeated: 10,
            delay: 6,
        },
    ] {
        let outcome = play(300, faults, |_| {})?;
        let [mine, yours] = &outcome.hashes;
        assert!(mine.len() >= 300, "{}", mine.len());
        let differing: Vec<_> = mine
            .iter()
            .filter(|(frame, hash)| yours.get(frame) != Some(hash))
            .collect();
        assert!(
            differing.is_empty() && mine.len() == yours.len(),
            "{faults:?}: {differing:?}"
        );
        assert!(outcome.difference.is_none());
        if faults.delay > 0 {
            // Mostly that of the player who is ahead.
            let rewinds = outcome.rewinds.iter().sum::<usize>();
            assert!(rewinds >= 10, "{rewinds}");
        }
    }
    Ok(())
}

#[test]
fn a_difference_is_reported_by_its_field() -> Result<(), Failure> {
    let faults = Faults {
        lost: 5,
        repeated: 0,
        delay: 3,
    };
    let outcome = play(300, faults, |[_, cheater]| {
        cheater.meddle = Some(|world, frame| {
            if frame == 60
                && let Ok(ship) = world.manager.get_mut::<Ship>(world.ships[1])
            {
                ship.lost = 1_000;
            }
        });
    })?;
    let difference = outcome.difference.expect("one has changed its world");
    let (field, ..) = difference.field.clone().expect("it is a component");
    assert_eq!(field, "Ship.lost");
    let messagee = difference.messagee.clone().expect("it is a component");
    assert!(messagee.contains("right"), "{messagee}");
    assert!((60..=80).contains(&difference.frame), "{difference:?}");
    Ok(())
}
