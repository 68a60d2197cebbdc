//! The score, which is kept by a subscriber.

use message_core::prelude::*;

/// A rock was destroyed. Sent to everyone.
#[derive(Message, Debug)]
pub struct Destroyed {
    pub by: usize,
    pub points: u32,
}

/// The points of each team.
#[derive(Debug, Default, Clone, PartialEq, Eq, Hash)]
pub struct Board {
    pub points: [u32; 2],
}

/// Spawns the board. Its subscription ends with it.
pub fn put_up(manager: &mut MessageManager) -> Result<MessageeId, MessageeError> {
    let board = manager.spawn_named("board", (Board::default(),));
    manager.subscribe_for(board, Filter::of::<Destroyed>(), move |rock, cx| {
        if let Ok(mut board) = cx.get_mut::<Board>(board) {
            board.points[rock.by] += rock.points;
        }
    })?;
    Ok(board)
}
