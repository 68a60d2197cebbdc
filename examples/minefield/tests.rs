//! The story, sentence by sentence.

mod orders;

use std::error::Error;
use std::time::Duration;

use message_core::prelude::*;

use crate::game::{Game, SYSTEMS};
use crate::medic::MEDIC;
use crate::messages::{Blast, Leave, Order, Step, Wounded};
use crate::mine::{self, Mine};
use crate::scribe::Scribe;
use crate::sergeant::SERGEANT;
use crate::spot::Spot;
use crate::story::Story;
use crate::walker::{self, Pace, Walker};
use crate::{Done, MINES, ROBOTS, cross};

/// Creates a game with the given robots and mines, and runs some frames.
fn game(
    robots: &[(&str, Spot)],
    mines: &[(Spot, u32)],
    frames: u32,
) -> Result<Game, Box<dyn Error>> {
    let mut game = Game::new(robots, mines)?;
    (0..frames).try_for_each(|_| game.run_frame(SYSTEMS))?;
    Ok(game)
}

#[test]
fn a_step_is_known_to_the_mine_a_frame_later_and_to_the_robot_two() -> Done {
    let mut game = game(&[("Ada", Spot::new(0, 0))], &[(Spot::new(2, 0), 1)], 2)?;
    assert_eq!(game.manager.published::<Step>().count(), 1);
    game.run_frame(SYSTEMS)?;
    assert_eq!(game.manager.inbox::<Step>().count(), 1);
    assert_eq!(game.manager.published::<Blast>().count(), 1);
    assert!(game.manager.inbox::<Blast>().is_empty());
    game.run_frame(SYSTEMS)?;
    assert_eq!(game.manager.inbox::<Blast>().count(), 1);
    assert_eq!(game.manager.published::<Wounded>().count(), 1);
    assert!(game.manager.published::<Step>().is_empty());
    Ok(())
}

#[test]
fn a_mine_that_two_robots_step_near_in_one_frame_goes_off_once() -> Done {
    let robots = [("Ada", Spot::new(0, 0)), ("Bix", Spot::new(0, 2))];
    let game = game(&robots, &[(Spot::new(2, 1), 0)], 3)?;
    assert_eq!(game.manager.inbox::<Step>().count(), 2);
    assert_eq!(game.manager.published::<Blast>().count(), 1);
    Ok(())
}

#[test]
fn a_mine_in_a_blast_goes_off_a_frame_later() -> Done {
    let mines: Vec<_> = (0..4).map(|row| (Spot::new(2, row), 1)).collect();
    let mut game = game(&[("Ada", Spot::new(0, 5))], &mines, 0)?;
    game.manager.tick(Duration::ZERO);
    let at = Spot::new(2, 0);
    game.manager.publish(Everyone, Blast { at, power: 0 })?;
    let mut rows = Vec::new();
    for _ in 0..6 {
        game.run_frame(&[mine::lurk])?;
        let blasts = game.manager.published::<Blast>();
        rows.push(blasts.iter().map(|blast| blast.at.row).collect::<Vec<_>>());
    }
    assert_eq!(rows, [vec![0], vec![1], vec![2], vec![3], vec![], vec![]]);
    assert_eq!(game.manager.iter::<Mine>().count(), 0);
    Ok(())
}

#[test]
fn a_robot_on_the_ground_gets_up_for_the_medic_and_for_nobody_else() -> Done {
    let mut game = game(&[("Ada", Spot::new(0, 0))], &[(Spot::new(2, 0), 1)], 4)?;
    let manager = &game.manager;
    let walkers: Vec<_> = manager.iter::<Walker>().map(|(id, _)| id).collect();
    let (ada, medic, sergeant) = (walkers[0], manager.bound(MEDIC), manager.bound(SERGEANT));
    assert_eq!(manager.get::<Walker>(ada)?.pace, Pace::Down);
    for (by, then) in [(sergeant, Pace::Down), (medic, Pace::Walking)] {
        let by = by.ok_or("both are there")?;
        let mut superior = game.manager.speak_for(by)?;
        superior.publish(ada, Order::Advance)?;
        game.run_frame(&[walker::walk])?;
        assert_eq!(game.manager.get::<Walker>(ada)?.pace, then);
    }
    Ok(())
}

#[test]
fn what_the_scribe_has_not_found_it_has_missed() -> Done {
    let mut game = game(ROBOTS, MINES, 0)?;
    let mut steps = 0;
    for _ in 0..24 {
        game.run_frame(SYSTEMS)?;
        steps += game.manager.inbox::<Step>().count();
    }
    let scribe = game.watcher::<Scribe>()?;
    let (mut found, mut missed) = (0, 0);
    for note in &scribe.notes {
        found += note.found;
        missed += note.missed;
    }
    assert!(missed > 0);
    assert_eq!(
        (found + usize::try_from(missed)?, scribe.notes.len()),
        (steps, 3)
    );
    Ok(())
}

#[test]
fn a_robot_goes_when_everybody_has_found_its_last_message() -> Done {
    let mut game = game(&[("Ada", Spot::new(18, 0))], &[], 3)?;
    let leaves = |game: &Game| game.manager.inbox::<Leave>().count();
    assert_eq!(game.manager.published::<Leave>().count(), 1);
    assert!(!game.is_over());
    game.run_frame(&[|desk| {
        assert_eq!(desk.iter::<Walker>().count(), 1);
        Ok(())
    }])?;
    assert_eq!((leaves(&game), game.is_over()), (1, true));
    Ok(())
}

#[test]
fn the_story_is_short_and_three_of_four_are_across() -> Done {
    let mut game = Game::new(ROBOTS, MINES)?;
    cross(&mut game, SYSTEMS)?;
    let story = Story::of(&game)?;
    let text = story.to_string();
    assert!(text.lines().count() <= 40);
    assert_eq!(text.matches("to everyone: Across").count(), 3);
    assert_eq!(text.matches("Cog to everyone: Lost").count(), 1);
    assert_eq!(text.matches("Blast").count(), MINES.len());
    Ok(())
}
