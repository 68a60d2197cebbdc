//! The sergeant: halts everyone when something goes off, and lets them advance when it is quiet.

use message_core::prelude::*;

use crate::Done;
use crate::messages::{Blast, Order};
use crate::walker::{Walker, has_left};

mnemonic! {
    /// The messagee that gives the orders.
    pub SERGEANT,
}

/// The messagee bound to [`SERGEANT`].
pub struct Sergeant {
    /// The last order.
    pub last: Order,
}

/// Runs the system of the sergeant. It gives orders to everyone on the field, even to robots on the ground,
/// which ignore them.
pub fn command(desk: Desk<'_>) -> Done {
    let Some(me) = desk.bound(SERGEANT) else {
        return Ok(());
    };
    let is_quiet = desk.inbox::<Blast>().is_empty();
    let order = if is_quiet {
        Order::Advance
    } else {
        Order::Halt
    };
    let mut sergeant = desk.get_mut::<Sergeant>(me)?;
    if std::mem::replace(&mut sergeant.last, order) == order {
        return Ok(());
    }
    let walkers = desk.iter::<Walker>().map(|(id, _)| id);
    for walker in walkers.filter(|&id| !has_left(desk, id)) {
        desk.speak_for(me)?.publish(walker, order)?;
    }
    Ok(())
}
