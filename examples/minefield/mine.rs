//! A mine: it goes off once, because of a step near it, or of a blast.

use message_core::prelude::*;

use crate::Done;
use crate::messages::{Blast, Step};
use crate::spot::Spot;

/// How near a step has to be.
const REACH: u32 = 1;

/// A mine in the ground. It never changes, and is taken away when it has gone off.
#[derive(Clone, Copy)]
pub struct Mine {
    /// Where it lies.
    pub at: Spot,
    /// How far its blast is felt.
    pub power: u32,
}

/// The system of the mines: each step is felt by the mines near it, each blast by those in it.
pub fn lurk(manager: &mut MessageManager) -> Done {
    let mut shaken = Vec::new();
    for step in manager.inbox::<Step>() {
        let near = armed(manager).filter(|(_, mine)| mine.at.distance(step.to) <= REACH);
        shaken.extend(near);
    }
    for blast in manager.inbox::<Blast>() {
        shaken.extend(armed(manager).filter(|(_, mine)| blast.reaches(mine.at)));
    }
    for (id, mine) in shaken {
        go_off(manager, id, mine)?;
    }
    Ok(())
}

/// Lets a mine go off, unless it does so in this frame already. Only the mines ask what is pending
/// of theirs, and nobody else publishes it, so it does not depend on who comes first.
fn go_off(manager: &mut MessageManager, id: MessageeId, Mine { at, power }: Mine) -> Done {
    if manager.pending::<Blast>().from(id).is_empty() {
        let mut mine = manager.as_messagee(id)?;
        mine.publish(Everyone, Blast { at, power })?;
    }
    Ok(())
}

fn armed(manager: &MessageManager) -> impl Iterator<Item = (MessageeId, Mine)> {
    let mines = manager.iter::<Mine>().map(|(id, mine)| (id, *mine));
    mines.filter(|&(id, _)| !is_spent(manager, id))
}

/// Whether a mine was heard to go off.
pub fn is_spent(manager: &MessageManager, id: MessageeId) -> bool {
    !manager.inbox::<Blast>().from(id).is_empty()
}
