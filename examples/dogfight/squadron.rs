//! The two squadrons. Each is a group that its pilots join, with a base behind it.
//!
//! Groups and mnemonics are addresses that everyone knows: nobody has to keep a list of who is
//! in the air, and a shout to the squadron reaches its members at the time of delivery.

use message_core::prelude::*;
use message_core::{Group, Mnemonic};

group! {
    /// The pilots of the Hawks.
    pub HAWKS = "the Hawks",
    /// The pilots of the Crows.
    pub CROWS = "the Crows",
}

mnemonic! {
    /// The base of the Hawks.
    pub TOWER = "the tower",
    /// The base of the Crows.
    pub CARRIER = "the carrier",
}

/// The side that a pilot is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Squadron {
    /// The squadron that flies from the tower.
    Hawks,
    /// The squadron that flies from the carrier.
    Crows,
}

impl Squadron {
    /// Both squadrons.
    pub const ALL: [Self; 2] = [Self::Hawks, Self::Crows];

    /// Returns the group of its pilots.
    pub fn group(self) -> Group {
        match self {
            Self::Hawks => HAWKS,
            Self::Crows => CROWS,
        }
    }

    /// Returns the mnemonic of its base.
    pub fn base(self) -> Mnemonic {
        match self {
            Self::Hawks => TOWER,
            Self::Crows => CARRIER,
        }
    }

    /// Returns the other squadron.
    pub fn enemy(self) -> Self {
        match self {
            Self::Hawks => Self::Crows,
            Self::Crows => Self::Hawks,
        }
    }
}
