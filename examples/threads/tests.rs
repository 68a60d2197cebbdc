//! The story, sentence by sentence.

use std::error::Error;

use message_core::prelude::*;

use crate::keyboard::{self, Key};
use crate::messages::{Entered, Pressed};
use crate::screen::{Screen, user_interface};
use crate::world::{self, PLAYER, ROOMS};
use crate::{FRAME, join, load_world, loader, play};

type Told = Result<(), Box<dyn Error>>;

const STORY: &[&str] = &[
    "loader:   [#..]",
    "loader:   [##.]",
    "loader:   [###]",
    "world:    you are in the cellar",
    "world:    you are in the hall",
    "world:    you are in the garden",
    "world:    you are in the hall again",
    "world:    you are in the garden again",
    "keyboard: nobody is there for the key -> any more",
];

fn shown(ui: &mut MessageManager) -> Vec<String> {
    let screen = Screen::of(ui);
    screen.expect("a user interface has one").take_lines()
}

#[test]
fn every_run_tells_the_same_story_however_the_threads_take_turns() -> Told {
    for _ in 0..20 {
        assert_eq!(play()?, STORY);
    }
    Ok(())
}

#[test]
fn the_world_is_built_on_the_loader_thread_and_played_on_this_one() -> Told {
    let mut ui = user_interface()?;
    let mut world = load_world(&mut ui)?;
    assert_eq!(world.len(), ROOMS.len() + 1);
    let report = world.send(PLAYER, Pressed { key: Key::Forward })?;
    assert_eq!((report.received, report.failed), (1, 0));
    Ok(())
}

#[test]
fn the_bar_grows_one_room_at_a_time() -> Told {
    let mut ui = user_interface()?;
    load_world(&mut ui)?;
    let lines = shown(&mut ui);
    assert_eq!(lines[..3], STORY[..3]);
    Ok(())
}

#[test]
fn a_loader_for_whom_nobody_waits_any_more_ends_with_an_error() -> Told {
    let ui = user_interface()?;
    let inlet = ui.inlet();
    drop(ui);
    let ended = join(loader::start(inlet));
    let error = ended.err().ok_or("there was nobody to load for")?;
    assert!(error.to_string().ends_with("its manager was dropped"));
    Ok(())
}

#[test]
fn keys_arrive_when_a_frame_of_the_world_begins_and_no_more_than_there_is_room_for() -> Told {
    let mut ui = user_interface()?;
    let mut world = load_world(&mut ui)?;
    let typing = keyboard::start(world.inlet(), &[Key::Back]);
    let mut keys = 0;
    while keys < 10 {
        let drained = world.tick(FRAME).drained;
        assert!(drained <= 2);
        keys += drained;
    }
    drop(world);
    assert_eq!(join(typing)?, Key::Back, "given back, and no hang");
    Ok(())
}

#[test]
fn what_the_world_shows_is_seen_in_the_next_frame_of_the_user_interface() -> Told {
    let mut ui = user_interface()?;
    let mut world = world::empty();
    let room = world::add_room(&mut world, "the attic", &ui.inlet())?;
    world.send(room, Entered)?;
    assert!(shown(&mut ui).is_empty());
    ui.tick(FRAME);
    let lines = shown(&mut ui);
    assert_eq!(lines, ["world:    you are in the attic"]);
    Ok(())
}

#[test]
fn a_player_who_has_left_is_nobody_to_press_keys_for() -> Told {
    let mut ui = user_interface()?;
    let mut world = load_world(&mut ui)?;
    for _ in ROOMS {
        assert!(world.bound(PLAYER).is_some());
        world.send(PLAYER, Pressed { key: Key::Forward })?;
    }
    assert!(world.bound(PLAYER).is_none());
    let header = Header::to(PLAYER).build()?;
    let key = Key::Forward;
    world.inlet().try_post(&header, Pressed { key })?;
    assert_eq!(world.tick(FRAME).dead_letters, 1);
    Ok(())
}
