//! The story with the systems, and thus the publications, in other orders.

use std::error::Error;

use super::game;
use crate::game::{Game, SYSTEMS, System};
use crate::messages::Order;
use crate::spot::Spot;
use crate::story::Story;
use crate::walker::{self, Pace, Walker};
use crate::{Done, MINES, ROBOTS};

/// Returns the story when each frame uses the next one of these orders, and the first one again after
/// the last.
fn told(orders: &[Vec<System>]) -> Result<Story, Box<dyn Error>> {
    let mut game = Game::new(ROBOTS, MINES)?;
    for order in orders.iter().cycle() {
        game.run_frame(order)?;
        if game.is_over() {
            break;
        }
    }
    Ok(Story::of(&game)?)
}

/// Returns the story with the lines of each frame in alphabetical order.
fn sorted(mut story: Story) -> Story {
    story.lines.sort();
    story
}

/// Returns all orders of the systems.
fn orders(systems: &[System]) -> Vec<Vec<System>> {
    let Some((first, rest)) = systems.split_first() else {
        return vec![Vec::new()];
    };
    let insert = |order: Vec<System>| {
        (0..=order.len()).map(move |at| [&order[..at], &[*first], &order[at..]].concat())
    };
    orders(rest).into_iter().flat_map(insert).collect()
}

#[test]
fn in_another_order_the_systems_tell_the_same_story() -> Done {
    let story = sorted(told(&[SYSTEMS.to_vec()])?);
    for order in orders(SYSTEMS).into_iter().step_by(11) {
        assert_eq!(sorted(told(&[order])?), story);
    }
    Ok(())
}

#[test]
fn each_of_all_orders_in_some_frame_tells_it_too() -> Done {
    let story = sorted(told(&[SYSTEMS.to_vec()])?);
    let orders = orders(SYSTEMS);
    assert_eq!(orders.len(), 5040);
    for orders in orders.chunks(30) {
        assert_eq!(sorted(told(orders)?), story);
    }
    Ok(())
}

#[test]
fn only_the_log_shows_which_system_was_first() -> Done {
    let story = told(&[SYSTEMS.to_vec()])?;
    let reversed = told(&[SYSTEMS.iter().rev().copied().collect()])?;
    assert_ne!(reversed.lines, story.lines);
    assert_eq!(reversed.pictures, story.pictures);
    assert_eq!(reversed.notes, story.notes);
    Ok(())
}

#[test]
fn when_one_says_halt_and_another_says_advance_it_does_not_matter_who_is_first() -> Done {
    for orders in [[Order::Halt, Order::Advance], [Order::Advance, Order::Halt]] {
        let mut game = game(&[("Ada", Spot::new(0, 0))], &[], 2)?;
        let walkers: Vec<_> = game.manager.iter::<Walker>().map(|(id, _)| id).collect();
        for order in orders {
            game.manager.publish(walkers[0], order)?;
        }
        game.run_frame(&[walker::walk])?;
        let ada = game.manager.get::<Walker>(walkers[0])?;
        assert_eq!(ada.pace, Pace::Halted);
    }
    Ok(())
}
