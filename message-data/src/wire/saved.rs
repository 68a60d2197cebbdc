//! The form of wires in logs and saves.

use std::panic::Location;

use message_core::internals::Subscriptions;
use message_core::registry::{MessageIndex, MessageInfo};
use message_core::{AnyMessage, MessageId, MessageeId, SubscriptionId, registry};
use message_format::DataError;
use serde::{Deserialize, Serialize};

use crate::wire::live::{Live, Wires};
use crate::wire::{MessageCell, Wire, WireId, WireTerms};

/// A wire in a log.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SavedWire {
    row: WireRow,
    /// The full name of the type that it posts, and its fields as `MessagePack`.
    send: Option<(String, Vec<u8>)>,
}

/// A wire in a save, without the message that it posts.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct WireRow {
    /// The number of the type of that message in the save, if it has one of its own.
    pub(crate) of: Option<u32>,
    pub(crate) id: u64,
    pub(crate) from: MessageeId,
    /// The number of the message type that it waits for.
    pub(crate) on: u64,
    pub(crate) terms: WireTerms,
    pub(crate) left: Option<u64>,
    pub(crate) enabled: bool,
}

impl Wire {
    /// Returns the wire in the form of a log. Called where ids are numbers.
    pub(crate) fn saved(&self) -> Result<SavedWire, DataError> {
        let send = self.send.as_deref().map(crate::messages::packed);
        let row = WireRow {
            of: None,
            id: 0,
            from: self.from,
            on: self.on.0.to_bits(),
            terms: self.terms().map_err(DataError::new)?,
            left: self.left,
            enabled: self.enabled,
        };
        let send = send.transpose()?;
        Ok(SavedWire { row, send })
    }

    /// Creates a wire from its form in a log. Called where ids are numbers.
    pub(crate) fn of_saved(saved: &SavedWire) -> Result<Self, DataError> {
        let SavedWire { row, send } = saved;
        let on = registry().message(MessageId::from_bits(row.on));
        let on = on.ok_or_else(|| {
            DataError::new("a wire waits for a message type that no longer exists")
        })?;
        let read = |(name, fields): &(String, Vec<u8>)| crate::messages::unpacked(name, fields);
        Ok(Self {
            from: row.from,
            on: (on.id, on.name),
            send: send.as_ref().map(read).transpose()?,
            header: None,
            terms: row.terms.clone(),
            left: row.left,
            enabled: row.enabled,
        })
    }
}

impl Live {
    /// Returns the row of the wire, whose message has this type in the save.
    pub(crate) fn row(&self, id: WireId, of: Option<u32>) -> WireRow {
        WireRow {
            of,
            id: id.number(),
            from: self.from,
            on: self.on.id.to_bits(),
            terms: WireTerms::clone(&self.terms),
            left: self.left,
            enabled: self.enabled,
        }
    }
}

impl Wires {
    /// Returns the number of wires made.
    pub(crate) fn made(&self) -> u64 {
        self.made.get()
    }

    /// Returns the message types that wires wait for, each with its subscription.
    pub(crate) fn listeners(&self) -> Vec<(MessageIndex, SubscriptionId)> {
        let by_type = self.by_type.borrow();
        let listeners = by_type.iter().filter_map(|(&at, listening)| {
            let message = registry().messages().nth(at)?;
            Some((message.index, listening.by))
        });
        listeners.collect()
    }

    /// Restores a wire, which was checked.
    pub(crate) fn restore(
        &mut self,
        wire: WireRow,
        on: &'static MessageInfo,
        message: Option<Box<dyn AnyMessage>>,
        place: &'static Location<'static>,
        subscriptions: &mut Subscriptions,
    ) {
        let live = Live {
            from: wire.from,
            on,
            message: message.map(MessageCell::new),
            terms: wire.terms.into(),
            left: wire.left,
            enabled: wire.enabled,
            place,
        };
        self.made.set(wire.id);
        let id = self.add(live);
        self.begin(id, subscriptions);
    }

    /// Ends restoring, after all wires are back. `made` is the number of wires made.
    pub(crate) fn end_restoring(&mut self, made: u64, subscriptions: &mut Subscriptions) {
        self.made.set(made);
        self.drop_unused_listeners(subscriptions);
    }
}
