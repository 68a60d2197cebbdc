//! Saving a manager, and making one from a save.

use std::panic::Location;

use message_core::internals::{Inside as _, announce_restored};
use message_core::{ManagerConfig, MessageManager, MessageeId, SubscriptionId};

use crate::save::{restore_untold, save_world};
use crate::{RestoreError, RestoreNote, SaveError, SaveOptions};

/// A manager that was [restored](crate::restore), with notes on what was skipped.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{self as data, SaveOptions};
///
/// let mut manager = MessageManager::new();
/// manager.spawn(());
/// let bytes = data::save(&mut manager, &SaveOptions::new())?;
/// let restored = data::restore(&bytes, ManagerConfig::new())?;
/// assert!(restored.notes.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct RestoredManager {
    /// The manager.
    pub manager: MessageManager,
    /// Types and fields that the program does not have, and other differences from the saved state.
    pub notes: Vec<RestoreNote>,
    /// The messagees that overhear, in the order in which they began, each with its subscription.
    pub overhearing: Vec<(MessageeId, SubscriptionId)>,
}

/// Writes all that the manager consists of: components, families, names, addresses, the clock, what
/// is pending, retained and published, and which ids come next. A manager that is
/// [restored](restore) from it goes on as this one does. The format
/// is described in [`data::save_format`](crate::save_format).
///
/// Subscriptions are closures, and are not saved: the program makes them again. What a
/// messagee [overhears](MessageManager::overhear) is saved.
///
/// # Errors
///
/// Types without [`Data`](crate::Data), all of them at once; a component that is borrowed by
/// a guard that was leaked; an id of another manager.
///
/// # Panics
///
/// Panics under the same conditions as [`settle`](MessageManager::settle), which is called first.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{self as data, Data, SaveOptions};
/// use serde::{Deserialize, Serialize};
/// use std::time::Duration;
///
/// #[derive(Data, Serialize, Deserialize, Default)]
/// #[data(name = "saving.Bomb")]
/// #[serde(default)]
/// struct Bomb { exploded: bool }
///
/// #[derive(Message, Data, Serialize, Deserialize)]
/// #[data(name = "saving.Explode")]
/// struct Explode;
///
/// #[handlers]
/// impl Bomb {
///     #[on_receive]
///     fn explode(&mut self, _: &Explode) { self.exploded = true; }
/// }
///
/// let mut manager = MessageManager::new();
/// let bomb = manager.spawn((Bomb::default(),));
/// manager.set_name(bomb, "bomb")?;
/// manager.post(Header::to(bomb).after(Duration::from_secs(2)), Explode)?;
/// manager.tick(Duration::from_secs(1));
/// let bytes = data::save(&mut manager, &SaveOptions::new())?;
///
/// let mut manager = data::restore(&bytes, ManagerConfig::new())?.manager;
/// let bomb = manager.find("bomb").next().expect("it is there");
/// assert!(!manager.get::<Bomb>(bomb)?.exploded);
/// manager.tick(Duration::from_secs(1));
/// assert!(manager.get::<Bomb>(bomb)?.exploded);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn save(manager: &mut MessageManager, options: &SaveOptions) -> Result<Vec<u8>, SaveError> {
    manager.settle();
    save_world(manager.world(), options)
}

/// Restores a manager from the bytes that [`save`](save) has written. Once everything is in place,
/// each component that has a handler for [`lifecycle::Restored`](message_core::lifecycle::Restored) receives it.
///
/// Ids keep their place and generation: ids inside components and messages are read as ids of the new
/// manager. The configuration is the one passed to this call, not that of the save.
///
/// # Errors
///
/// Returns an error if the bytes are not a save, are damaged, or were written by a newer program. Nothing
/// is made then.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{self as data, SaveOptions};
///
/// let mut manager = MessageManager::new();
/// let id = manager.spawn(());
/// manager.set_name(id, "nobody")?;
/// let bytes = data::save(&mut manager, &SaveOptions::new())?;
/// let restored = data::restore(&bytes, ManagerConfig::new())?;
/// assert_eq!(restored.manager.find("nobody").count(), 1);
///
/// let half = &bytes[..bytes.len() / 2];
/// assert!(data::restore(half, ManagerConfig::new()).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A component opens again what is not saved:
///
/// ```
/// use message_core::lifecycle::Restored;
/// use message_core::prelude::*;
/// use message_data::{self as data, Data, SaveOptions};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Data, Serialize, Deserialize, Default)]
/// #[data(name = "saving.Speakers")]
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
/// manager.spawn((Speakers { volume: 3, device: None },));
/// let bytes = data::save(&mut manager, &SaveOptions::new())?;
/// let restored = data::restore(&bytes, ManagerConfig::new())?;
/// let speakers = restored.manager.iter::<Speakers>().next().expect("it is there").1;
/// assert_eq!((speakers.volume, speakers.device.as_deref()), (3, Some("hw:0")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
///
/// Panics if a handler that is notified of `Restored` panics.
#[track_caller]
pub fn restore(bytes: &[u8], config: ManagerConfig) -> Result<RestoredManager, RestoreError> {
    let place = Location::caller();
    let mut restored = restore_untold(bytes, config, place)?;
    announce_restored(&mut restored.world, place);
    let mut manager = MessageManager::of_world(restored.world);
    manager.settle();
    Ok(RestoredManager {
        manager,
        notes: restored.notes,
        overhearing: restored.overhearing,
    })
}
