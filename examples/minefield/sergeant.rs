//! The sergeant: halts everybody when something goes off, and lets them advance when it is quiet.

use message_core::prelude::*;

use crate::Done;
use crate::messages::{Blast, Order};
use crate::walker::{Walker, has_left};

mnemonic! {
    /// Who gives the orders.
    pub SERGEANT,
}

/// Whoever is bound to [`SERGEANT`].
pub struct Sergeant {
    /// What was ordered last.
    pub last: Order,
}

/// The system of the sergeant. It orders everyone who is on the field: those who lie on the ground
/// too, in vain.
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
        desk.as_messagee(me)?.publish(walker, order)?;
    }
    Ok(())
}
