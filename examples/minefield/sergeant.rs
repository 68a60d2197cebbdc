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
pub fn command(manager: &mut MessageManager) -> Done {
    let Some(me) = manager.bound(SERGEANT) else {
        return Ok(());
    };
    let is_quiet = manager.inbox::<Blast>().is_empty();
    let order = if is_quiet {
        Order::Advance
    } else {
        Order::Halt
    };
    let sergeant = manager.get_mut::<Sergeant>(me)?;
    if std::mem::replace(&mut sergeant.last, order) == order {
        return Ok(());
    }
    let walkers = manager.iter::<Walker>().map(|(id, _)| id);
    let present = walkers.filter(|&id| !has_left(manager, id));
    for walker in present.collect::<Vec<_>>() {
        manager.as_messagee(me)?.publish(walker, order)?;
    }
    Ok(())
}
