//! The component that every fighter on the field has: a side and a position.
//!
//! The component has no handlers. Others access it with `cx.get`, and because it never runs, it is never
//! busy.

use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

use crate::hazard::Trap;
use crate::ledger::tell;
use crate::messages::{Explosion, SteppedOn};

/// The side of a fighter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Side {
    /// The defenders of the castle.
    Castle,
    /// The attackers from the woods.
    Wild,
}

/// A fighter's position on the road, and its side.
#[derive(Data, Serialize, Deserialize, Clone, Copy)]
#[data(exact)]
pub struct Body {
    /// The position.
    pub at: i32,
    /// The side.
    pub side: Side,
}

impl Body {
    /// Returns the body of the receiving messagee.
    pub fn mine(cx: &mut Context<'_>) -> Result<Self, MessageeError> {
        Ok(*cx.get::<Self>(cx.me())?)
    }

    /// Returns the nearest enemy and its distance.
    pub fn nearest_enemy(self, cx: &mut Context<'_>) -> Option<(MessageeId, u32)> {
        cx.iter::<Self>()
            .filter(|(_, other)| other.side != self.side)
            .map(|(id, other)| (id, self.at.abs_diff(other.at)))
            .min_by_key(|&(id, distance)| (distance, id))
    }
}

/// Returns the receiver's distance from an explosion, or `None` if it is out of reach.
pub fn reached(explosion: &Explosion, cx: &mut Context<'_>) -> Result<Option<u32>, MessageeError> {
    let distance = Body::mine(cx)?.at.abs_diff(explosion.at);
    Ok((distance <= explosion.radius).then_some(distance))
}

/// Walks to a position, and steps on a trap that is there.
pub fn walk(cx: &mut Context<'_>, to: i32) -> Result<(), HandlerError> {
    cx.get_mut::<Body>(cx.me())?.at = to;
    say(cx, &format!("walks to {to}"));
    let traps = cx.iter::<Trap>();
    let trap = traps
        .filter(|(_, trap)| trap.at == to)
        .map(|(id, _)| id)
        .next();
    if let Some(trap) = trap {
        tell(cx, trap, SteppedOn)?;
    }
    Ok(())
}

/// Returns the name of a messagee. `R` is a handler or a subscriber: both can use this.
pub fn name_of<R>(cx: &mut Context<'_, R>, id: MessageeId) -> String {
    let name = cx.name(id);
    name.map_or_else(|| format!("somebody ({id})"), |name| name.to_string())
}

/// Prints a line about what the receiving messagee does.
pub fn say(cx: &mut Context<'_>, what: &str) {
    println!("  {:<10} {what}", name_of(cx, cx.me()));
}
