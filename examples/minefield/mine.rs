//! A mine: it goes off once, because of a step near it, or of a blast.

use message_core::prelude::*;

use crate::Done;
use crate::messages::{Blast, Step};
use crate::spot::Spot;

/// The maximum distance of a step that sets it off.
const REACH: u32 = 1;

/// A mine in the ground. It never changes, and is removed after it has gone off.
pub struct Mine {
    /// The position.
    pub at: Spot,
    /// The range of the blast.
    pub power: u32,
}

/// Runs the system of the mines: steps and blasts set off the mines in their range.
pub fn lurk(desk: Desk<'_>) -> Done {
    for step in desk.inbox::<Step>() {
        go_off(desk, |mine| mine.at.distance(step.to) <= REACH)?;
    }
    for blast in desk.inbox::<Blast>() {
        go_off(desk, |mine| blast.reaches(mine.at))?;
    }
    Ok(())
}

/// Sets off the mines that are shaken, unless they have gone off already, or do so in this frame. Only
/// mines publish blasts and check what is pending for themselves, so the result does not depend on the
/// order.
fn go_off(desk: Desk<'_>, is_shaken: impl Fn(&Mine) -> bool) -> Done {
    for (id, mine) in desk.iter::<Mine>().filter(|(_, mine)| is_shaken(mine)) {
        if !is_spent(desk, id) && desk.published::<Blast>().from(id).is_empty() {
            let Mine { at, power } = *mine;
            desk.speak_for(id)?.publish(Everyone, Blast { at, power })?;
        }
    }
    Ok(())
}

/// Returns `true` if a mine has gone off.
pub fn is_spent(desk: Desk<'_>, id: MessageeId) -> bool {
    !desk.inbox::<Blast>().from(id).is_empty()
}
