//! What every fighter on the field has: a side and a place.
//!
//! The component has no handlers. Others reach it with `cx.get`, and since it never runs, it is never
//! busy.

use message_core::data::Data;
use message_core::prelude::*;
use serde::{Deserialize, Serialize};

use crate::hazard::Trap;
use crate::ledger::tell;
use crate::messages::{Explosion, SteppedOn};

/// The side that a fighter is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Side {
    /// Those who hold the castle.
    Castle,
    /// Those who come out of the woods.
    Wild,
}

/// A fighter's place on the road, and its side.
#[derive(Data, Serialize, Deserialize, Clone, Copy)]
#[data(exact)]
pub struct Body {
    /// The place.
    pub at: i32,
    /// The side.
    pub side: Side,
}

impl Body {
    /// The body of the messagee that is receiving.
    pub fn mine(cx: &mut Context<'_>) -> Result<Self, MessageeError> {
        Ok(*cx.get::<Self>(cx.me())?)
    }

    /// The enemy that is nearest, and how far away it is.
    pub fn nearest_enemy(self, cx: &mut Context<'_>) -> Option<(MessageeId, u32)> {
        cx.iter::<Self>()
            .filter(|(_, other)| other.side != self.side)
            .map(|(id, other)| (id, self.at.abs_diff(other.at)))
            .min_by_key(|&(id, distance)| (distance, id))
    }
}

/// How far the receiver is from an explosion, or `None` when it is out of reach.
pub fn reached(explosion: &Explosion, cx: &mut Context<'_>) -> Result<Option<u32>, MessageeError> {
    let distance = Body::mine(cx)?.at.abs_diff(explosion.at);
    Ok((distance <= explosion.radius).then_some(distance))
}

/// Walks to a place. The trap that lies there is stepped on.
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

/// What a messagee is called. `R` is a handler or a subscriber: both may ask.
pub fn name_of<R>(cx: &mut Context<'_, R>, id: MessageeId) -> String {
    let name = cx.name(id);
    name.map_or_else(|| format!("somebody ({id})"), |name| name.to_string())
}

/// Writes a line of the log: what the receiving messagee does.
pub fn say(cx: &mut Context<'_>, what: &str) {
    println!("  {:<10} {what}", name_of(cx, cx.me()));
}
