//! The message to a component when its manager is restored from a save.

use crate::address::{HookId, MessageeId};

/// The manager was made [from a save](crate::MessageManager::restore). Sent once to each component that
/// handles it, instead of [`Hooked`](crate::lifecycle::Hooked), when everything is there: messagee by
/// messagee in the order of their ids, the components of each in the order of hooking. Disabled
/// components do not receive it. Needs the feature `data`.
///
/// ```
/// use message_core::data::{Data, SaveOptions};
/// use message_core::lifecycle::Restored;
/// use message_core::prelude::*;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Data, Serialize, Deserialize, Default)]
/// #[data(name = "lifecycle.Speakers")]
/// #[serde(default)]
/// struct Speakers { volume: u32, #[serde(skip)] device: Option<String> }
///
/// #[handlers]
/// impl Speakers {
///     #[on_receive]
///     fn open(&mut self, _: &Restored) { self.device = Some("hw:0".into()); }
/// }
///
/// let mut manager = MessageManager::new();
/// let id = manager.spawn((Speakers { volume: 3, device: None },));
/// let bytes = manager.save(&SaveOptions::new())?;
/// let restored = MessageManager::restore(&bytes, ManagerConfig::new())?;
/// let speakers = restored.manager.iter::<Speakers>().next().expect("it is there").1;
/// assert_eq!((speakers.volume, speakers.device.as_deref()), (3, Some("hw:0")));
/// # let _ = id;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Restored {
    /// The messagee that has the component.
    pub messagee: MessageeId,
    /// The hook of the component.
    pub hook: HookId,
    /// The type of the component.
    pub component: &'static str,
}
