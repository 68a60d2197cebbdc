//! The two squadrons. Each is a group that its pilots join, with a base behind it.
//!
//! A group and a mnemonic are addresses that everybody knows: nobody has to keep a list of who is
//! in the air, and a shout to the squadron reaches whoever is in it when the shout arrives.

use message_core::prelude::*;
use message_core::{Group, Mnemonic};

group! {
    /// The pilots of the Hawks.
    pub HAWKS = "the Hawks",
    /// The pilots of the Crows.
    pub CROWS = "the Crows",
}

mnemonic! {
    /// Where the Hawks have come from.
    pub TOWER = "the tower",
    /// Where the Crows have come from.
    pub CARRIER = "the carrier",
}

/// The side that a pilot is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Squadron {
    /// They fly from the tower.
    Hawks,
    /// They fly from the carrier.
    Crows,
}

impl Squadron {
    /// Both of them.
    pub const ALL: [Self; 2] = [Self::Hawks, Self::Crows];

    /// Its pilots.
    pub fn group(self) -> Group {
        match self {
            Self::Hawks => HAWKS,
            Self::Crows => CROWS,
        }
    }

    /// Its base.
    pub fn base(self) -> Mnemonic {
        match self {
            Self::Hawks => TOWER,
            Self::Crows => CARRIER,
        }
    }

    /// The other one.
    pub fn enemy(self) -> Self {
        match self {
            Self::Hawks => Self::Crows,
            Self::Crows => Self::Hawks,
        }
    }
}
