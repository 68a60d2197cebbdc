//! The recipients that are families, as functions: their root is an id or a mnemonic.

use crate::address::{MessageeId, Recipient};
use crate::mnemonic::Mnemonic;

/// The root of a family: a messagee, or the mnemonic that it is bound to. What [`Up`](Up()) and
/// [`Down`](Down()) take.
///
/// ```
/// use message_core::Root;
/// use message_core::prelude::*;
///
/// mnemonic!(FLAGSHIP);
///
/// fn whole_fleet(of: impl Into<Root>) -> Recipient { Down(of) }
///
/// let ship = MessageManager::new().spawn(());
/// assert_eq!(whole_fleet(FLAGSHIP), Recipient::DownFrom(FLAGSHIP));
/// assert_eq!(whole_fleet(ship), Recipient::Down(ship));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Root {
    /// A messagee.
    Id(MessageeId),
    /// The messagee that is bound to a mnemonic when the message is sent.
    Mnemonic(Mnemonic),
}

impl From<MessageeId> for Root {
    fn from(id: MessageeId) -> Self {
        Self::Id(id)
    }
}

impl From<Mnemonic> for Root {
    fn from(mnemonic: Mnemonic) -> Self {
        Self::Mnemonic(mnemonic)
    }
}

/// Addresses the messagee, then its parent, its parent's parent, and so on. In the prelude, like all
/// recipients, by a bare name. The messagee is given by its id or by a mnemonic.
///
/// ```
/// use message_core::prelude::*;
///
/// mnemonic!(WINDOW);
///
/// #[derive(Message)]
/// struct Key(char);
///
/// struct Keys(String);
///
/// #[handlers]
/// impl Keys {
///     #[on_receive]
///     fn press(&mut self, key: &Key) { self.0.push(key.0); }
/// }
///
/// let mut manager = MessageManager::new();
/// let screen = manager.spawn((Keys(String::new()),));
/// let window = manager.spawn((Keys(String::new()),));
/// manager.set_parent(window, Some(screen))?;
/// manager.bind(WINDOW, window)?;
/// assert_eq!(manager.send(Up(WINDOW), Key('a'))?.received, 2);
/// assert_eq!(manager.send(Up(screen), Key('b'))?.received, 1);
/// assert_eq!(manager.get::<Keys>(screen)?.0, "ab");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[allow(non_snake_case, reason = "it stands for the variants of a recipient")]
#[must_use]
pub fn Up(root: impl Into<Root>) -> Recipient {
    match root.into() {
        Root::Id(id) => Recipient::Up(id),
        Root::Mnemonic(mnemonic) => Recipient::UpFrom(mnemonic),
    }
}

/// Addresses the messagee, then all its descendants, each before its own children (pre-order). The
/// messagee is given by its id or by a mnemonic.
///
/// ```
/// use message_core::prelude::*;
///
/// mnemonic!(FLAGSHIP);
///
/// #[derive(Message)]
/// struct Alarm;
///
/// struct Crew;
///
/// #[handlers]
/// impl Crew {
///     #[on_receive]
///     fn wake(&mut self, _: &Alarm) {}
/// }
///
/// let mut manager = MessageManager::new();
/// let ship = manager.spawn((Crew,));
/// let boat = manager.spawn((Crew,));
/// manager.set_parent(boat, Some(ship))?;
/// manager.bind(FLAGSHIP, ship)?;
/// assert_eq!(manager.send(Down(FLAGSHIP), Alarm)?.received, 2);
/// assert_eq!(manager.send(Down(boat), Alarm)?.received, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[allow(non_snake_case, reason = "it stands for the variants of a recipient")]
#[must_use]
pub fn Down(root: impl Into<Root>) -> Recipient {
    match root.into() {
        Root::Id(id) => Recipient::Down(id),
        Root::Mnemonic(mnemonic) => Recipient::DownFrom(mnemonic),
    }
}
