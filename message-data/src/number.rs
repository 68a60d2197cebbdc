//! The numbers of messagees, which mean the same in the next process.

use message_core::internals::{Inside as _, Key, Keyed as _};
use message_core::{MessageManager, MessageeId};
use serde::{Deserialize, Serialize};

/// The number of a messagee in the saves and logs of its manager.
///
/// An id means something in one process, and can be written only with its own manager. Its number can be written anywhere,
/// and means the same in a manager that was restored. So a crate that connects managers can keep it with one of them.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{self as data, MessageeNumber, SaveOptions};
///
/// let mut manager = MessageManager::new();
/// let owl = manager.spawn_named("owl", ());
/// let number = MessageeNumber::of(owl);
///
/// let bytes = data::save(&mut manager, &SaveOptions::new())?;
/// let restored = data::restore(&bytes, ManagerConfig::new())?.manager;
/// assert!(restored.find("owl").eq([number.id_in(&restored)]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u64")]
pub struct MessageeNumber(u64);

impl MessageeNumber {
    /// Returns the number of a messagee.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::MessageeNumber;
    ///
    /// let mut managers = [MessageManager::new(), MessageManager::new()];
    /// let [one, other] = managers.each_mut().map(|manager| manager.spawn(()));
    /// assert_ne!(one, other);
    /// assert_eq!(MessageeNumber::of(one), MessageeNumber::of(other));
    /// ```
    #[inline]
    #[must_use]
    pub fn of(id: MessageeId) -> Self {
        Self(id.key().number())
    }

    /// Returns the id that a manager gives out with this number. It may not have done so yet, and the messagee may have
    /// ended.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::MessageeNumber;
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn(());
    /// assert_eq!(MessageeNumber::of(orc).id_in(&manager), orc);
    /// ```
    #[inline]
    #[must_use]
    #[allow(
        clippy::missing_panics_doc,
        reason = "the number is checked when it is read"
    )]
    pub fn id_in(self, manager: &MessageManager) -> MessageeId {
        let key = Key::of_number(self.0, manager.world().common.identity.number);
        MessageeId::of_key(key.expect("it was the number of an id"))
    }
}

impl TryFrom<u64> for MessageeNumber {
    type Error = String;

    fn try_from(number: u64) -> Result<Self, String> {
        let manager = Key::from_halves(0, u32::MAX).map(Key::manager);
        let key = manager.and_then(|manager| Key::of_number(number, manager));
        key.map_or_else(
            || Err(format!("{number} is not the number of a messagee")),
            |_| Ok(Self(number)),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // holds: rooms.journal
    #[test]
    fn a_number_that_no_id_has_is_refused() {
        let bytes = crate::to_bytes(&u64::MAX).expect("it has no ids");
        let error = crate::from_bytes::<MessageeNumber>(&bytes).expect_err("it is too large");
        assert!(
            error.to_string().contains("not the number of a messagee"),
            "{error}"
        );
    }
}
