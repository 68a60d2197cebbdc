//! A mine: it goes off once, because of a step near it, or of a blast.

use message_core::prelude::*;

use crate::Done;
use crate::messages::{Blast, Step};
use crate::spot::Spot;

/// How near a step has to be.
const REACH: u32 = 1;

/// A mine in the ground. It never changes, and is taken away when it has gone off.
pub struct Mine {
    /// Where it lies.
    pub at: Spot,
    /// How far its blast is felt.
    pub power: u32,
}

/// The system of the mines: each step is felt by the mines near it, each blast by those in it.
pub fn lurk(desk: Desk<'_>) -> Done {
    for step in desk.inbox::<Step>() {
        go_off(desk, |mine| mine.at.distance(step.to) <= REACH)?;
    }
    for blast in desk.inbox::<Blast>() {
        go_off(desk, |mine| blast.reaches(mine.at))?;
    }
    Ok(())
}

/// Lets those go off that are shaken, unless they have, or do so in this frame already. Only the
/// mines ask what is pending of theirs, and nobody else publishes it, so it does not depend on who
/// comes first.
fn go_off(desk: Desk<'_>, is_shaken: impl Fn(&Mine) -> bool) -> Done {
    for (id, mine) in desk.iter::<Mine>().filter(|(_, mine)| is_shaken(mine)) {
        if !is_spent(desk, id) && desk.pending::<Blast>().from(id).is_empty() {
            let Mine { at, power } = *mine;
            desk.as_messagee(id)?
                .publish(Everyone, Blast { at, power })?;
        }
    }
    Ok(())
}

/// Whether a mine was heard to go off.
pub fn is_spent(desk: Desk<'_>, id: MessageeId) -> bool {
    !desk.inbox::<Blast>().from(id).is_empty()
}
