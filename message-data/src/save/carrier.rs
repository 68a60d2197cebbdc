//! The proxies of a manager, and the state of its carrier.

use std::any::TypeId;
use std::panic::Location;

use message_core::carrier::Carrier;
use message_core::internals::{Messagees, Proxies};
use message_core::registry::{Declared, Place, RegistryRow};
use message_core::{MessageeId, registry_rows};
use message_format::{DataError, Reader, Unknown, pack};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::log::{Packed, packed};
use crate::save::Restoring;
use crate::save::chunks::Body;
use crate::save::error::RestoreError;

/// A carrier whose state is saved with its manager. [`saved_carrier!`](crate::saved_carrier!) makes it known.
///
/// ```
/// use message_core::AnyMessage;
/// use message_core::carrier::{Carrier, Carrying};
/// use message_core::error::CarryError;
/// use message_core::prelude::*;
/// use message_core::registry::MessageIndex;
/// use message_data::{self as data, Logged, LoggedInput, SaveOptions, SavedCarrier};
/// use serde::{Deserialize, Serialize};
/// use std::panic::Location;
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// /// Counts messages for another place, and drops them.
/// #[derive(Debug, Default)]
/// struct Drain { drained: AtomicU64 }
///
/// impl Carrier for Drain {
///     fn carry(&self, _: u32, _: Carrying<'_>, _: &dyn AnyMessage) -> Result<(), CarryError> {
///         self.drained.fetch_add(1, Ordering::Relaxed);
///         Ok(())
///     }
///     fn has_carried(&self, _: MessageIndex) -> bool { true }
///     fn note_end(&mut self, _: MessageeId) {}
/// }
///
/// impl SavedCarrier for Drain {
///     const NAME: &'static str = "docs.drain";
///     type State = u64;
///
///     fn state(&self) -> Option<u64> { Some(self.drained.load(Ordering::Relaxed)) }
///
///     fn restored(drained: u64, _: &[u32], _: &'static Location<'static>) -> Result<Self, String> {
///         Ok(Self { drained: drained.into() })
///     }
/// }
///
/// message_data::saved_carrier!(Drain);
///
/// #[derive(Message)]
/// struct Drop;
///
/// #[derive(Debug, Serialize, Deserialize)]
/// struct SpawnDrain;
///
/// impl LoggedInput for SpawnDrain {
///     const NAME: &'static str = "docs.spawn_drain";
///     fn repeat(self, manager: &mut MessageManager) { spawn_drain(manager); }
/// }
///
/// fn spawn_drain(manager: &mut MessageManager) -> MessageeId {
///     manager.carrier_mut::<Drain>();
///     manager.spawn_proxy(0, &Logged::new(&SpawnDrain))
/// }
///
/// let mut manager = MessageManager::new();
/// let drain = spawn_drain(&mut manager);
/// manager.send(drain, Drop)?;
///
/// let bytes = data::save(&mut manager, &SaveOptions::new())?;
/// let restored = data::restore(&bytes, ManagerConfig::new())?.manager;
/// let drained = restored.carrier::<Drain>().map(|it| it.drained.load(Ordering::Relaxed));
/// assert_eq!(drained, Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait SavedCarrier: Carrier + Default {
    /// The name of the carrier in saves. It begins with that of its crate.
    const NAME: &'static str;

    /// The saved state of the carrier. Ids in it are numbers.
    type State: Serialize + DeserializeOwned;

    /// Returns what is to be saved, or `None` if the carrier is as good as new. Proxies are not saved then.
    fn state(&self) -> Option<Self::State>;

    /// Makes a carrier again, given the destinations of all proxies and the line that restores the manager.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with the state or the destinations.
    fn restored(
        state: Self::State,
        destinations: &[u32],
        place: &'static Location<'static>,
    ) -> Result<Self, String>;
}

/// Makes a carrier known to saves.
///
/// ```
/// use message_core::AnyMessage;
/// use message_core::carrier::{Carrier, Carrying};
/// use message_core::error::CarryError;
/// use message_core::prelude::*;
/// use message_core::registry::MessageIndex;
/// use message_data::SavedCarrier;
/// use std::panic::Location;
///
/// #[derive(Debug, Default)]
/// struct Nowhere;
///
/// impl Carrier for Nowhere {
///     fn carry(&self, _: u32, _: Carrying<'_>, _: &dyn AnyMessage) -> Result<(), CarryError> {
///         Err(CarryError::Unreachable)
///     }
///     fn has_carried(&self, _: MessageIndex) -> bool { false }
///     fn note_end(&mut self, _: MessageeId) {}
/// }
///
/// impl SavedCarrier for Nowhere {
///     const NAME: &'static str = "docs.nowhere";
///     type State = ();
///
///     fn state(&self) -> Option<()> { Some(()) }
///
///     fn restored(_: (), _: &[u32], _: &'static Location<'static>) -> Result<Self, String> { Ok(Self) }
/// }
///
/// message_data::saved_carrier!(Nowhere);
/// ```
#[macro_export]
macro_rules! saved_carrier {
    ($carrier:ty) => {
        $crate::__private::registry_row!(&$crate::CarrierRow::of::<$carrier>(
            $crate::__private::Place {
                file: $crate::__private::file!(),
                line: $crate::__private::line!(),
            }
        ));
    };
}

/// Makes a carrier in a manager, from the state that is read.
type Restore =
    fn(&mut Reader<'_>, &mut Proxies, &[u32], &'static Location<'static>) -> Result<(), DataError>;

/// A type of carriers.
#[doc(hidden)]
#[derive(Debug)]
pub struct CarrierRow {
    subject: fn() -> TypeId,
    declared: Declared,
    save: fn(&Proxies) -> Option<Result<Packed, DataError>>,
    restore: Restore,
}

impl CarrierRow {
    /// Describes a type.
    #[must_use]
    pub const fn of<C: SavedCarrier>(place: Place) -> Self {
        Self {
            subject: TypeId::of::<C>,
            declared: Declared {
                name: C::NAME,
                place,
            },
            save: |proxies| {
                let state = proxies.carrier::<C>()?.state()?;
                Some(packed(|writer| state.serialize(writer)))
            },
            restore: |reader, proxies, destinations, place| {
                let carrier = C::restored(reader.read()?, destinations, place);
                *proxies.install() = carrier.map_err(DataError::new)?;
                Ok(())
            },
        }
    }
}

impl RegistryRow for CarrierRow {
    fn subject(&self) -> TypeId {
        (self.subject)()
    }

    fn declared(&self) -> Declared {
        self.declared
    }
}

/// The part of a save that describes proxies.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SavedProxies {
    carrier: String,
    state: Packed,
    /// The proxies, with their destinations.
    proxies: Vec<(MessageeId, u32)>,
}

impl SavedProxies {
    /// Returns the proxies of a manager, and the state of its carrier; `None` if there is nothing to save.
    pub(super) fn of(proxies: &Proxies, messagees: &Messagees) -> Option<Result<Self, DataError>> {
        let mut rows = registry_rows::<CarrierRow>();
        let (row, state) = rows.find_map(|row| Some((row, (row.save)(proxies)?)))?;
        let destination_of = |id| Some((id, messagees.get(id)?.destination()?));
        Some(state.map(|state| Self {
            carrier: row.declared.name.to_owned(),
            state,
            proxies: messagees.iter().filter_map(destination_of).collect(),
        }))
    }
}

impl Restoring {
    pub(super) fn read_proxies(&mut self, body: &mut Body<'_>) -> Result<(), RestoreError> {
        let saved: SavedProxies = body.read()?;
        let restored = self.restore_proxies(&saved);
        restored.map_err(|error| body.wrong(error.what()))
    }

    fn restore_proxies(&mut self, saved: &SavedProxies) -> Result<(), DataError> {
        let name = &saved.carrier;
        let row = registry_rows::<CarrierRow>().find(|row| row.declared.name == name);
        let row =
            row.ok_or_else(|| DataError::new(format_args!("no carrier is called `{name}`")))?;
        let destinations: Vec<u32> = saved.proxies.iter().map(|&(_, to)| to).collect();
        let tape = pack::read_all(&saved.state.0)?;
        let mut reader = Reader::new(&tape, 0, Unknown::Noted);
        let proxies = &mut self.world.outside.proxies;
        (row.restore)(&mut reader, proxies, &destinations, self.place)?;
        let messagees = &mut self.world.structure.messagees;
        for &(id, destination) in &saved.proxies {
            if !messagees.is_here(id) || messagees.components_of(id).next().is_some() {
                return Err(DataError::new(format_args!(
                    "messagee {id} is a proxy, but has components or does not exist"
                )));
            }
            messagees.remove(id);
            messagees.insert_proxy(id, destination);
        }
        Ok(())
    }
}
