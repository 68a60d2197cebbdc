//! Overhearing: the listeners in the order of their subscriptions, wires among them, and the overheard messages that
//! wait for a stage.

use std::sync::Arc;

use message_core::internals::{Keyed as _, Listen, Shared};
use message_core::{MessageId, Stage, SubscriptionId, registry};
use message_format::Packer;
use serde::{Deserialize, Serialize};

use crate::data_type::MessageData;
use crate::save::Restoring;
use crate::save::catalog::{Catalog, id_of};
use crate::save::chunks::{Body, put, put_message};
use crate::save::error::{RestoreError, SaveError};
use crate::save::keys::SavedKeys;
use crate::save::listeners::{SavedOverhearing, saved_listeners};
use crate::save::retained::{SendRow, with_kept};
use crate::wire::Wires;

/// The keys of subscriptions. They are a chunk of their own, since a digest does not depend on them: a replay may leave
/// subscribers out.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct SavedSubscriptions {
    /// Those of closures are free, so that they are given out again when the program subscribes again in the same order.
    keys: SavedKeys,
    /// The place of each listener's subscription.
    places: Vec<u32>,
}

impl SavedSubscriptions {
    /// Returns `true` if a program without any has the same keys.
    pub(super) fn is_empty(&self) -> bool {
        self.keys.generations.is_empty()
    }
}

#[derive(Serialize, Deserialize)]
struct Head {
    listeners: Vec<ListenerRow>,
    /// The waiting messages. Several listeners may share one.
    messages: Vec<SendRow>,
    /// The listeners that wait, each with its message, by stage.
    waiting: Vec<Vec<(u32, u32)>>,
}

/// A listener. The rows are in the order of the subscriptions.
#[derive(Serialize, Deserialize)]
enum ListenerRow {
    Overhears {
        /// The number of the type, if not all are overheard.
        of: Option<u32>,
        by: SavedOverhearing,
    },
    /// The wires that wait for a message type, by its id.
    Wires { on: u64 },
}

/// The overhearing of a manager, as it is saved.
pub(super) struct Overhearing {
    pub(super) subscriptions: SavedSubscriptions,
    head: Head,
    messages: Vec<(MessageData, Shared)>,
}

fn small(count: usize) -> u32 {
    u32::try_from(count).expect("subscriptions and pending messages are counted in 32 bits")
}

pub(super) fn survey(
    listen: &Listen,
    wires: &Wires,
    retained: &[u64],
    catalog: &mut Catalog<'_>,
) -> Result<Overhearing, SaveError> {
    let (mut rows, mut ids) = (Vec::new(), Vec::<SubscriptionId>::new());
    let (mut with_predicate, mut places, mut closures) = (0, Vec::new(), Vec::new());
    let wires = wires.listeners();
    for (id, of, by) in saved_listeners(&listen.subscriptions, retained) {
        let place = id.key().place();
        if let Some((on, _)) = wires.iter().find(|(_, by)| *by == id) {
            let on = id_of(*on).to_bits();
            rows.push(ListenerRow::Wires { on });
            places.push(place);
            ids.push(id);
            continue;
        }
        let Some(by) = by else {
            closures.push(place);
            continue;
        };
        let Some(by) = by else {
            with_predicate += 1;
            continue;
        };
        let of = match of {
            None => None,
            Some(of) => match catalog.message_type(id_of(of)) {
                // Nothing is restored for a type without data.
                None => continue,
                number => number,
            },
        };
        rows.push(ListenerRow::Overhears { of, by });
        places.push(place);
        ids.push(id);
    }
    let mut keys = SavedKeys::of(&listen.subscriptions.keys.borrow());
    keys.offer(closures.into_iter());
    if with_predicate > 0 {
        let count = with_predicate;
        return Err(SaveError::Predicates { count });
    }
    let (mut sends, mut messages) = (Vec::new(), Vec::<(MessageData, Shared)>::new());
    let mut waiting = Vec::new();
    for lane in &listen.staged.lanes {
        let mut own = Vec::new();
        for (id, shared) in &*lane.borrow() {
            let Some(by) = ids.iter().position(|known| known == id) else {
                continue;
            };
            let known = messages
                .iter()
                .position(|(_, other)| Arc::ptr_eq(other, shared));
            let at = known.or_else(|| {
                let known = with_kept(shared, |kept, message| {
                    let known = catalog.message(message, |unsaved| unsaved.posts += 1);
                    known.map(|(of, data)| (SendRow::of(of, kept), data))
                });
                let (send, data) = known??;
                sends.push(send);
                messages.push((data, Arc::clone(shared)));
                Some(messages.len() - 1)
            });
            own.extend(at.map(|at| (small(by), small(at))));
        }
        waiting.push(own);
    }
    Ok(Overhearing {
        subscriptions: SavedSubscriptions { keys, places },
        head: Head {
            listeners: rows,
            messages: sends,
            waiting,
        },
        messages,
    })
}

pub(super) fn write(overhearing: &Overhearing, packer: &mut Packer) -> Result<(), SaveError> {
    put(packer, "what is overheard", &overhearing.head)?;
    for (data, shared) in &overhearing.messages {
        let written = with_kept(shared, |_, message| put_message(packer, *data, message));
        written.unwrap_or(Ok(()))?;
    }
    Ok(())
}

impl Restoring {
    pub(super) fn read_overhearing(&mut self, body: &mut Body<'_>) -> Result<(), RestoreError> {
        let head: Head = body.read()?;
        let SavedSubscriptions {
            mut keys,
            mut places,
        } = std::mem::take(&mut self.subscriptions);
        // A save of an earlier version has none.
        while places.len() < head.listeners.len() {
            places.push(keys.add());
        }
        let is_free = keys.check("subscriptions");
        let mut is_free = is_free.map_err(|what| body.wrong(what))?;
        let Self { world, types, .. } = self;
        let mut ids = Vec::new();
        for (listener, place) in head.listeners.into_iter().zip(places) {
            match is_free.get_mut(place as usize) {
                Some(is_free) if !*is_free => *is_free = true,
                _ => {
                    let what = format!("slot {place} of subscriptions is free, or taken twice");
                    return Err(body.wrong(what));
                }
            }
            let key = keys.key(world.common.identity.number, place);
            let id = SubscriptionId::of_key(key);
            let (of, by) = match listener {
                ListenerRow::Overhears { of, by } => (of, by),
                ListenerRow::Wires { on } => {
                    if let Some(on) = registry().message(MessageId::from_bits(on)) {
                        let wires = Wires::of_mut(&mut world.outside.wires);
                        wires.listen(on, |_| id, &mut world.listen.subscriptions);
                    } else {
                        keys.release(place);
                    }
                    ids.push(None);
                    continue;
                }
            };
            if !world.structure.is_alive(by.owner) {
                return Err(body.wrong("a messagee that does not exist overhears"));
            }
            let of = match of {
                None => None,
                Some(of) => {
                    let data = types.message(of, body)?.message_data();
                    let info = data.and_then(|data| registry().message(data.facts.id));
                    let Some(info) = info else {
                        keys.release(place);
                        ids.push(None);
                        continue;
                    };
                    Some((info.index, info.tags))
                }
            };
            let owner = by.owner;
            by.restore(id, &mut world.listen.subscriptions, of);
            ids.push(Some((owner, id)));
        }
        keys.restore(world.listen.subscriptions.keys.get_mut());
        let mut messages = Vec::new();
        for row in head.messages {
            let message = types.read_message(row.of, body)?;
            messages.push(message.map(|(_, message)| row.restored(self.place, message)));
        }
        if head.waiting.len() > Stage::WAITING.len() {
            return Err(body.wrong("there are more stages than exist"));
        }
        for (lane, waiting) in head.waiting.into_iter().enumerate() {
            for (by, at) in waiting {
                let by = ids.get(by as usize);
                let message = messages.get(at as usize);
                let (Some(by), Some(message)) = (by, message) else {
                    return Err(body.wrong("a waiting message does not exist, or waits for nobody"));
                };
                if let (Some((_, id)), Some(message)) = (by, message) {
                    let lane = world.listen.staged.lanes[lane].get_mut();
                    lane.push_back((*id, Arc::clone(message)));
                }
            }
        }
        self.overhearing = ids.into_iter().flatten().collect();
        Ok(())
    }
}
