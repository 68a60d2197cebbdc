//! Every macro and every one of its arguments, with `message-core` under another name.

use std::fmt::Debug;
use std::ops::ControlFlow;

use renamed::{Context, Message, SendError, handlers};

renamed::mnemonic! {
    /// The address that deaths are reported to.
    pub GRAVEYARD,
    /// An address for this crate alone.
    pub(crate) UNUSED
}

renamed::tag! {
    /// Messages that hurt.
    pub COMBAT,
    /// Messages sent by hand.
    pub PHYSICAL = "polite.physical",
}

renamed::group!(
    /// The members that fight.
    pub FIGHTERS
);

/// Takes hit points.
#[derive(Clone, Debug, Message)]
#[message(crate = renamed, name = "polite.damage", tags(COMBAT, PHYSICAL))]
pub struct Damage {
    /// How many.
    pub amount: u32,
}

/// Asks for the hit points that are left.
#[derive(Debug, Message)]
#[message(crate = renamed, reply = u32)]
pub struct GetHp;

/// Reports a death.
#[derive(Debug, Message)]
#[message(crate = renamed)]
pub enum Died {
    /// Died of damage.
    OfDamage,
    /// Died of old age; holds the age in years.
    OfAge(u32),
}

/// Asks for the highest age.
#[derive(Debug, Message)]
#[message(crate = renamed, reply = u32)]
pub struct GetAge;

/// Asks for the stored values.
#[derive(Debug, Message)]
#[message(crate = renamed, reply = Vec<T>, types(Stored<u8>, Stored<char>))]
pub struct Stored<T> {
    /// The value to leave out.
    pub but: T,
}

/// Can be hurt, and die.
#[derive(Debug)]
pub struct Health {
    /// The hit points that are left.
    pub hp: u32,
}

#[handlers(crate = renamed)]
impl Health {
    /// Is as good as this.
    pub const FULL: u32 = 10;

    /// Notifies the graveyard when there is nothing left.
    ///
    /// # Errors
    ///
    /// When there is no graveyard.
    #[on_receive(priority = 10)]
    pub fn hurt(&mut self, damage: &Damage, cx: &mut Context<'_>) -> Result<(), SendError> {
        self.hp = self.hp.saturating_sub(damage.amount);
        if self.hp == 0 {
            cx.send(GRAVEYARD, Died::OfDamage)?;
        }
        Ok(())
    }

    /// Returns the hit points that are left.
    #[must_use]
    #[on_receive]
    pub fn hp(&self, _: &GetHp) -> u32 {
        self.hp
    }
}

/// Takes part of the damage on itself.
#[derive(Debug)]
pub struct Armour {
    /// How much of each blow.
    pub strength: u32,
}

#[handlers(crate = renamed)]
impl Armour {
    /// Consumes what it takes on itself as a whole.
    #[on_receive(priority = 20)]
    pub fn soften(&self, damage: &mut Damage) -> ControlFlow<()> {
        damage.amount = damage.amount.saturating_sub(self.strength);
        if damage.amount == 0 {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// Counts the dead.
#[derive(Debug, Default)]
pub struct Graveyard {
    /// How many.
    pub dead: usize,
}

#[handlers(crate = renamed)]
impl Graveyard {
    /// The highest age that anybody has reached.
    pub const OLDEST: u32 = 122;

    /// Does not use its component.
    #[on_receive]
    fn oldest(&self, _: &GetAge) -> u32 {
        Self::OLDEST
    }

    #[on_receive]
    fn bury(&mut self, died: &Died) -> bool {
        match died {
            Died::OfDamage => self.dead += 1,
            Died::OfAge(years) => self.dead += usize::from(*years > 0),
        }
        true
    }
}

/// Keeps things.
#[derive(Debug)]
pub struct Store<T> {
    /// The things.
    pub things: Vec<T>,
}

#[handlers(crate = renamed, types(Store<u8>, Store<char>))]
impl<T> Store<T>
where
    T: Clone + Debug + PartialEq,
{
    /// Returns the stored values except `but`, or `None` if there are no others.
    #[must_use]
    #[on_receive]
    pub fn stored(&self, asked: &Stored<T>) -> Option<Vec<T>> {
        let others = self.things.iter().filter(|&thing| *thing != asked.but);
        let others: Vec<T> = others.cloned().collect();
        (!others.is_empty()).then_some(others)
    }
}
