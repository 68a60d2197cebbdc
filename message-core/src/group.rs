//! Well-known addresses of many messagees.
//!
//! A group is its name, as a mnemonic is. A manager keeps who has joined which, in the order of joining.

use crate::name::{Name, declared};

/// A well-known address of many messagees, declared with [`group!`](crate::group!). Messagees
/// [`join`](crate::MessageManager::join) and [`leave`](crate::MessageManager::leave); a send to it
/// reaches those who are members, in the order in which they joined.
///
/// ```
/// use message_core::prelude::*;
///
/// group!(ENEMIES);
///
/// #[derive(Message)]
/// struct Retreat;
///
/// let mut manager = MessageManager::new();
/// let orc = manager.spawn(());
/// assert!(manager.join(ENEMIES, orc)?);
/// assert!(!manager.join(ENEMIES, orc)?); // It is a member already.
/// manager.send(ENEMIES, Retreat)?;
/// assert!(ENEMIES.name().ends_with("ENEMIES"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Group(&'static Name);

declared!(Group);

/// Declares groups: constants of type [`Group`](crate::Group), named by the path of the
/// declaration, or by `= "…"`. Any crate and module may declare its own; there is no list of them.
///
/// ```
/// use message_core::prelude::*;
///
/// group!(pub ENEMIES);
///
/// let mut manager = MessageManager::new();
/// let orc = manager.spawn(());
/// assert!(manager.join(ENEMIES, orc)?);
/// assert_eq!(manager.members(ENEMIES).collect::<Vec<_>>(), [orc]);
/// # Ok::<(), MessageeError>(())
/// ```
#[macro_export]
macro_rules! group {
    ($($declarations:tt)+) => {
        $crate::__declare_names! { Group: $($declarations)+ }
    };
}
