//! The form of wires in logs and saves.

use std::panic::Location;
use std::sync::Arc;
use std::time::Duration;

use message_core::internals::Subscriptions;
use message_core::registry::{MessageIndex, MessageInfo};
use message_core::{AnyMessage, MessageId, MessageeId, Stage, SubscriptionId, registry};
use message_format::DataError;
use serde::{Deserialize, Serialize};

use crate::wire::live::{Live, Wires};
use crate::wire::{MessageCell, Wire, WireTarget, WireTerms};

/// A wire in a log.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SavedWire {
    pub(crate) id: u64,
    pub(crate) from: MessageeId,
    /// The number of the message type that it waits for.
    pub(crate) on: u64,
    pub(crate) to: WireTarget,
    /// The full name of the type that it posts.
    pub(crate) send: String,
    /// Its fields, as `MessagePack`.
    pub(crate) fields: Vec<u8>,
    pub(crate) after: Duration,
    pub(crate) left: Option<u64>,
    pub(crate) stage: Stage,
    pub(crate) enabled: bool,
}

/// A wire in a save, without the message that it posts.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct WireRow {
    /// The number of the type of that message in the save.
    pub(crate) of: u32,
    pub(crate) id: u64,
    pub(crate) from: MessageeId,
    /// The number of the message type that it waits for.
    pub(crate) on: u64,
    pub(crate) to: WireTarget,
    pub(crate) after: Duration,
    pub(crate) left: Option<u64>,
    pub(crate) stage: Stage,
    pub(crate) enabled: bool,
}

impl Wire {
    /// Returns the wire in the form of a log. Called where ids are numbers.
    pub(crate) fn saved(&self) -> Result<SavedWire, DataError> {
        let message = self.send.as_deref();
        let message = message.ok_or_else(|| DataError::new("a wire that posts nothing"))?;
        let (send, fields) = crate::messages::packed(message)?;
        Ok(SavedWire {
            id: 0,
            from: self.from,
            on: self.on.0.to_bits(),
            to: self.terms.to.clone(),
            send,
            fields,
            after: self.terms.after,
            left: self.terms.times,
            stage: self.terms.stage,
            enabled: self.terms.enabled,
        })
    }

    /// Creates a wire from its form in a log. Called where ids are numbers.
    pub(crate) fn of_saved(saved: &SavedWire) -> Result<Self, DataError> {
        let on = registry().message(MessageId::from_bits(saved.on));
        let on = on.ok_or_else(|| {
            DataError::new("a wire waits for a message type that is not there any more")
        })?;
        let send = crate::messages::unpacked(&saved.send, &saved.fields)?;
        let terms = WireTerms {
            to: saved.to.clone(),
            after: saved.after,
            times: saved.left,
            stage: saved.stage,
            enabled: saved.enabled,
        };
        Ok(Self::of_file(saved.from, on, terms, send))
    }
}

impl Wires {
    /// Returns the number of wires made.
    pub(crate) fn made(&self) -> u64 {
        self.made.get()
    }

    /// Returns the rows of the wires, in the order in which the wires were made, each with its message. Wires whose
    /// message has no number are left out.
    pub(crate) fn saved(
        &self,
        mut number: impl FnMut(&dyn AnyMessage) -> Option<u32>,
    ) -> Vec<(WireRow, Arc<MessageCell>)> {
        let mut saved = Vec::new();
        self.each(|id, wire| {
            if let Some(of) = wire.message.with(&mut number) {
                let kept = WireRow {
                    of,
                    id: id.0,
                    from: wire.from,
                    on: wire.on.id.to_bits(),
                    to: wire.terms.to.clone(),
                    after: wire.terms.after,
                    left: wire.terms.times,
                    stage: wire.terms.stage,
                    enabled: wire.terms.enabled,
                };
                saved.push((kept, Arc::clone(&wire.message)));
            }
        });
        saved
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

    /// Lets the wires that wait for a message type, and come back next, look for it from here on.
    pub(crate) fn restore_listener(
        &mut self,
        on: &'static MessageInfo,
        subscriptions: &mut Subscriptions,
    ) {
        self.listen(on.index, on.tags, subscriptions);
    }

    /// Restores a wire, which was checked.
    pub(crate) fn restore(
        &mut self,
        wire: WireRow,
        on: &'static MessageInfo,
        message: Box<dyn AnyMessage>,
        place: &'static Location<'static>,
        subscriptions: &mut Subscriptions,
    ) {
        let live = Live {
            from: wire.from,
            on,
            message: MessageCell::new(message),
            terms: WireTerms {
                to: wire.to,
                after: wire.after,
                times: wire.left,
                stage: wire.stage,
                enabled: wire.enabled,
            },
            place,
        };
        self.made.set(wire.id);
        self.enter(live, subscriptions);
    }

    /// Ends restoring, after all wires are back. `made` is the number of wires made.
    pub(crate) fn end_restoring(&mut self, made: u64, subscriptions: &mut Subscriptions) {
        self.made.set(made);
        self.drop_unused_listeners(subscriptions);
    }
}
