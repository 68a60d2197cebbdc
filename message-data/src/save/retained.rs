//! Retained messages, in the order in which they were retained.

use std::panic::Location;
use std::sync::{Arc, Mutex};

use message_core::internals::{
    Cover, KeptSend, OpenTo, PostMeta, Posted, Reached, ReportGuard, Retained,
    RetainedMessage as Entry, Shared, World, lock_kept,
};
use message_core::{AnyMessage, MessageeId, Recipient, Sender, Structure};
use message_format::Packer;
use serde::{Deserialize, Serialize};

use crate::save::Restoring;
use crate::save::catalog::Catalog;
use crate::save::chunks::{Body, put, put_message};
use crate::save::error::{RestoreError, SaveError};

/// The row before the content of each message.
#[derive(Serialize, Deserialize)]
struct Row {
    /// The recipient that it is retained for.
    kept_for: Recipient,
    /// Missing in saves of earlier programs.
    #[serde(default)]
    reached: SavedReached,
    send: SendRow,
}

/// The messagees that a message was addressed to when it was sent.
#[derive(Serialize, Deserialize)]
enum SavedReached {
    Everyone,
    Messagees(Box<[MessageeId]>),
}

impl Default for SavedReached {
    fn default() -> Self {
        Self::Messagees(Box::default())
    }
}

/// The metadata of a message that is received later.
#[derive(Serialize, Deserialize)]
pub(super) struct SendRow {
    /// The number of the type.
    pub(super) of: u32,
    to: Recipient,
    resolved: Recipient,
    sender: Sender,
    meta: PostMeta,
    due: u64,
    since: u64,
    reports: [bool; 2],
    addressee: Option<MessageeId>,
    open_to: OpenTo,
}

impl SendRow {
    pub(super) fn of(of: u32, kept: &KeptSend) -> Self {
        let (cover, posted) = (&kept.cover, &kept.cover.posted);
        let ReportGuard { failure, death } = cover.reporting;
        Self {
            of,
            to: cover.to,
            resolved: cover.resolved,
            sender: cover.sender,
            meta: posted.mark,
            due: posted.due,
            since: posted.since,
            reports: [failure, death],
            addressee: cover.addressee,
            open_to: kept.open_to,
        }
    }

    pub(super) fn restored(
        self,
        place: &'static Location<'static>,
        message: Box<dyn AnyMessage>,
    ) -> Shared {
        let message = message;
        let [failure, death] = self.reports;
        let cover = Cover {
            facts: (*message).facts(),
            sender: self.sender,
            to: self.to,
            resolved: self.resolved,
            // Retained messages are matched by the mnemonics of now, and a subscriber that waits for a
            // stage does not check them.
            mnemonics: Box::default(),
            place,
            posted: Posted {
                mark: PostMeta { place, ..self.meta },
                due: self.due,
                since: self.since,
            },
            reporting: ReportGuard { failure, death },
            number: None,
            overhearers: Box::default(),
            addressee: self.addressee,
        };
        let mut kept = KeptSend::new(cover, message);
        kept.open_to = self.open_to;
        Arc::new(Mutex::new(kept))
    }
}

/// Calls `look` with a kept message. Returns `None` if it is no longer there.
pub(super) fn with_kept<T>(
    shared: &Shared,
    look: impl FnOnce(&KeptSend, &dyn AnyMessage) -> T,
) -> Option<T> {
    let kept = lock_kept(shared)?;
    let message = kept.message.as_deref()?;
    Some(look(&kept, message))
}

/// Returns each messagee that came alive after some of these messages had been retained, and how many.
pub(super) fn newcomers(
    structure: &Structure,
    retained: &Retained,
    numbers: &[u64],
) -> Vec<(MessageeId, u64)> {
    let newcomers = structure.messagees().filter_map(|id| {
        let born = retained.born(id);
        let before = numbers.partition_point(|&number| number < born) as u64;
        (before > 0).then_some((id, before))
    });
    newcomers.collect()
}

/// Writes the retained messages, and collects the number of each among all that were retained.
pub(super) fn write(
    retained: &Retained,
    numbers: &mut Vec<u64>,
    catalog: &mut Catalog<'_>,
    packer: &mut Packer,
) -> Result<(), SaveError> {
    let mut saved = Vec::new();
    for (&number, entry) in &retained.in_order {
        let known = with_kept(&entry.message, |_, message| {
            catalog.message(message, |unsaved| unsaved.retained += 1)
        });
        if let Some(known) = known.flatten() {
            numbers.push(number);
            saved.push((known, entry));
        }
    }
    put(packer, "a retained message", &(saved.len() as u64))?;
    for ((of, data), entry) in saved {
        let written = with_kept(&entry.message, |kept, message| {
            let row = Row {
                kept_for: entry.to,
                reached: match &entry.reached {
                    Reached::Everyone => SavedReached::Everyone,
                    Reached::Messagees(ids) => SavedReached::Messagees(ids.clone()),
                },
                send: SendRow::of(of, kept),
            };
            put(packer, message.name(), &row)?;
            put_message(packer, data, message)
        });
        written.unwrap_or(Ok(()))?;
    }
    Ok(())
}

impl Restoring {
    pub(super) fn read_retained(&mut self, body: &mut Body<'_>) -> Result<(), RestoreError> {
        let World {
            structure, listen, ..
        } = &mut self.world;
        let retained = listen.retained.get_mut();
        let len: u64 = body.read()?;
        for _ in 0..len {
            let Row {
                kept_for,
                reached,
                send,
            } = body.read()?;
            let Some((of, message)) = self.types.read_message(send.of, body)? else {
                retained.count += 1;
                continue;
            };
            if let Recipient::Hook(hook) = kept_for
                && structure.find_hook(hook).is_none()
            {
                // The component is of a type that is not known.
                retained.count += 1;
                continue;
            }
            let entry = Entry {
                of,
                to: kept_for,
                reached: match reached {
                    SavedReached::Everyone => Reached::Everyone,
                    SavedReached::Messagees(ids) => Reached::Messagees(ids),
                },
                message: send.restored(self.place, message),
            };
            if retained.put(entry).1.is_some() {
                let what = format!("two messages of a type are retained for {kept_for:#}");
                return Err(body.wrong(what));
            }
        }
        Ok(())
    }

    /// Reads after how many of the retained messages each messagee came alive.
    pub(super) fn read_newcomers(&mut self, body: &mut Body<'_>) -> Result<(), RestoreError> {
        let World {
            structure, listen, ..
        } = &mut self.world;
        let newcomers: Vec<(MessageeId, u64)> = body.read()?;
        for (id, before) in newcomers {
            if !structure.is_alive(id) {
                return Err(body.wrong("a messagee that does not exist came alive"));
            }
            listen.retained.get_mut().set_born(id, before);
        }
        Ok(())
    }
}
