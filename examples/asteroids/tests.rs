//! Plays ten thousand frames, and checks what is left over.

use std::collections::hash_map::DefaultHasher;
use std::error::Error;
use std::hash::{Hash, Hasher};
use std::sync::mpsc;

use message_core::prelude::*;

use crate::body::Position;
use crate::game::{GAME, Launch, World};
use crate::rock::ROCKS;
use crate::score::Board;
use crate::ship::SHIPS;
use crate::shot::SHOTS;

const FRAMES: usize = 10_000;

type Told = Result<(), Box<dyn Error>>;

/// The posts that repeat forever: `Think`, `Fly` and `Judge`.
const REPEATING: usize = 3;
/// 5 large rocks split into 20 small ones; each ship fires 5.2 times per second, for a second.
const MOST_MESSAGEES: usize = 2 + 20 + 2 + 2 * 6;
/// The ends of shots, including those that are gone; a launch for each ship; a wave.
const MOST_POSTS: usize = REPEATING + 2 * 6 + 2 + 1;

/// Returns a hash of everything visible in a frame.
fn fingerprint(world: &World) -> Result<u64, MessageeError> {
    let mut hasher = DefaultHasher::new();
    for body in world.manager.inbox::<Position>() {
        // Ids of two managers are never equal, but their texts are.
        (body.message(), body.sender().to_string()).hash(&mut hasher);
    }
    world.board()?.hash(&mut hasher);
    Ok(hasher.finish())
}

#[test]
fn nothing_is_left_over_after_ten_thousand_frames() -> Told {
    let mut world = World::new(1)?;
    let (tell, launched) = mpsc::channel();
    world
        .manager
        .subscribe(Filter::of::<Launch>(), move |launch, _| {
            let _ = tell.send(launch.team);
        });
    for frame in 0..FRAMES {
        let report = world.tick();
        assert_eq!(
            (report.dead_letters, report.failures),
            (0, 0),
            "in frame {frame}"
        );
        let posts = world.manager.pending_posts(Posts::all()).len();
        assert!(posts <= MOST_POSTS, "{posts} posts in frame {frame}");
        let messagees = world.manager.len();
        assert!(
            messagees <= MOST_MESSAGEES,
            "{messagees} messagees in frame {frame}"
        );
        let groups = [ROCKS, SHIPS, SHOTS].map(|group| world.manager.members(group).count());
        assert_eq!(
            messagees,
            2 + groups.iter().sum::<usize>(),
            "in frame {frame}"
        );
    }
    assert_ne!(world.board()?, Board::default());
    assert!(launched.try_iter().count() > 0, "no ship was lost");

    // End the game, and check that space is empty.
    let manager = &mut world.manager;
    let game = manager.bound(GAME).ok_or("there is a game")?;
    manager.despawn(game)?;
    for group in [ROCKS, SHIPS, SHOTS] {
        for member in manager.members(group).collect::<Vec<_>>() {
            manager.despawn(member)?;
        }
    }
    assert_eq!(manager.len(), 1); // The board.
    for _ in 0..200 {
        manager.tick(crate::game::FRAME);
    }
    let posts = manager.pending_posts(Posts::all());
    assert!(posts.len() <= REPEATING, "{posts:?}");
    Ok(())
}

#[test]
fn two_games_of_one_seed_agree_bit_for_bit() -> Told {
    let (mut one, mut two, mut other) = (World::new(1)?, World::new(1)?, World::new(2)?);
    let mut differ = false;
    for frame in 0..FRAMES {
        for world in [&mut one, &mut two, &mut other] {
            world.tick();
        }
        assert_eq!(fingerprint(&one)?, fingerprint(&two)?, "in frame {frame}");
        differ |= fingerprint(&one)? != fingerprint(&other)?;
    }
    assert!(differ);
    assert_eq!(one.draw()?, two.draw()?);
    Ok(())
}
