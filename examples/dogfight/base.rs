//! A base: it receives the calls of pilots who have lost their wingman, until it is bombed.

use message_core::prelude::*;

use crate::logbook::{name_of, note};
use crate::messages::{Bombed, UnderAttack};

/// A base on the ground or at sea, bound to the mnemonic of its squadron.
#[derive(Default)]
pub struct Base {
    /// How many calls it has received.
    pub calls: u32,
}

#[handlers]
impl Base {
    #[on_receive]
    fn hear(&mut self, _: &UnderAttack) {
        self.calls += 1;
    }

    /// Despawns the base and thereby unbinds its mnemonic.
    #[on_receive]
    fn bombed(&mut self, _: &Bombed, cx: &mut Context<'_>) -> Result<(), MessageeError> {
        let (me, name) = (cx.me(), name_of(cx, cx.me()));
        note(
            cx,
            "down",
            &format!("{name}, by bombs, after {} calls", self.calls),
        );
        cx.despawn(me)
    }
}
