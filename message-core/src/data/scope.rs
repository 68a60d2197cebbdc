//! What ids mean while data is read or written.
//!
//! An id is written by a plain `#[derive(Serialize)]` wherever it stands, also inside of types that
//! serde reads twice. So what it means cannot be handed down through serde's calls; it is kept for the
//! thread, only while a world file, a save or a log is read or written. Anywhere else an id has no
//! meaning, and reading or writing it is an error that says so.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, Error as _, Visitor};
use serde::ser::{Error as _, Serialize, Serializer};

use crate::address::{HookId, MessageeId, SubscriptionId};
use crate::data::nearest::nearest;
use crate::identity::{Identity, KeyKind};
use crate::key::Key;
use crate::link::registry;
use crate::mailbox::Cursor;
use crate::message::MessageId;
use crate::post::Ticket;

/// What ids mean.
#[derive(Debug)]
pub(crate) enum Scope {
    /// In a world file: names of messagees. What is read becomes the id that was set aside for it.
    Named(HashMap<String, MessageeId>),
    /// A world file is written: the names that it gives to the messagees in it.
    Naming(HashMap<MessageeId, String>),
    /// In a save or a log of this manager: numbers that count from where the manager began.
    Numbered(Arc<Identity>),
    /// As in a save, for what is compared: without what two equal managers may differ in.
    Compared(Arc<Identity>),
}

thread_local! {
    static SCOPE: RefCell<Option<Scope>> = const { RefCell::new(None) };
}

impl Scope {
    /// Reads or writes with this meaning, and gives it back.
    pub(crate) fn during<T>(self, act: impl FnOnce() -> T) -> T {
        // Gives the one around it back also when `act` panics.
        struct Around(Option<Scope>);
        impl Drop for Around {
            fn drop(&mut self) {
                SCOPE.set(self.0.take());
            }
        }
        let _around = Around(SCOPE.replace(Some(self)));
        act()
    }

    /// Returns `true` if what is written is compared, and not read.
    fn compares() -> bool {
        SCOPE.with_borrow(|scope| matches!(scope, Some(Self::Compared(_))))
    }

    fn with<T, E>(
        read: impl FnOnce(&Self) -> Result<T, E>,
        outside: impl FnOnce(&'static str) -> E,
    ) -> Result<T, E> {
        SCOPE.with_borrow(|scope| match scope {
            Some(scope) => read(scope),
            None => Err(outside(
                "an id has a meaning only in a world file, a save or a log: it cannot be read or \
                 written alone",
            )),
        })
    }
}

const NO_NAME: &str =
    "only a messagee has a name in a world file: a hook or a ticket cannot stand there";

impl Serialize for MessageeId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let id = *self;
        let name = Scope::with(
            |scope| match scope {
                Scope::Naming(names) => names.get(&id).cloned().map(Some).ok_or_else(|| {
                    S::Error::custom(format_args!(
                        "{id} is not among the messagees that are written"
                    ))
                }),
                Scope::Named(_) => Err(S::Error::custom("a world file is being read")),
                Scope::Numbered(_) | Scope::Compared(_) => Ok(None),
            },
            S::Error::custom,
        )?;
        match name {
            Some(name) => serializer.serialize_str(&name),
            None => serialize_key(self.0, KeyKind::Messagee, serializer),
        }
    }
}

impl<'d> Deserialize<'d> for MessageeId {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Messagee)
    }
}

struct Messagee;

impl Visitor<'_> for Messagee {
    type Value = MessageeId;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the name of a messagee")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<MessageeId, E> {
        Scope::with(
            |scope| match scope {
                Scope::Named(names) => names.get(name).copied().ok_or_else(|| {
                    let known = names.keys().map(String::as_str);
                    let mut known: Vec<&str> = known.collect();
                    known.sort_unstable();
                    let near = nearest(name, known).map(|near| format!("; did you mean `{near}`?"));
                    let near = near.unwrap_or_default();
                    E::custom(format_args!("no messagee is called `{name}`{near}"))
                }),
                Scope::Numbered(_) | Scope::Compared(_) | Scope::Naming(_) => {
                    Err(E::custom("expected the number of a messagee"))
                }
            },
            E::custom,
        )
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<MessageeId, E> {
        key(number, KeyKind::Messagee).map(MessageeId)
    }
}

/// A key from its number in a save.
fn key<E: serde::de::Error>(number: u64, kind: KeyKind) -> Result<Key, E> {
    let identity = Scope::with(
        |scope| match scope {
            Scope::Numbered(identity) | Scope::Compared(identity) => Ok(Arc::clone(identity)),
            Scope::Named(_) | Scope::Naming(_) if kind == KeyKind::Messagee => Err(E::custom(
                format_args!("expected the name of a messagee, found the number {number}"),
            )),
            Scope::Named(_) | Scope::Naming(_) => Err(E::custom(NO_NAME)),
        },
        E::custom,
    )?;
    Key::from_start(number, &identity, kind)
        .ok_or_else(|| E::custom(format_args!("{number} is not the number of an id")))
}

fn serialize_key<S: Serializer>(key: Key, kind: KeyKind, serializer: S) -> Result<S::Ok, S::Error> {
    let identity = numbered(S::Error::custom)?;
    match key.since_start(&identity, kind) {
        Some(number) => serializer.serialize_u64(number),
        None => Err(S::Error::custom("this id is of another manager")),
    }
}

/// The manager whose ids are numbers here.
fn numbered<E>(error: impl Fn(&'static str) -> E) -> Result<Arc<Identity>, E> {
    Scope::with(
        |scope| match scope {
            Scope::Numbered(identity) | Scope::Compared(identity) => Ok(Arc::clone(identity)),
            Scope::Named(_) | Scope::Naming(_) => Err(error(NO_NAME)),
        },
        &error,
    )
}

impl Serialize for HookId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_key(self.0, KeyKind::Hook, serializer)
    }
}

impl<'d> Deserialize<'d> for HookId {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        let number = u64::deserialize(deserializer)?;
        key(number, KeyKind::Hook).map(Self)
    }
}

impl Serialize for SubscriptionId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_key(self.0, KeyKind::Subscription, serializer)
    }
}

impl<'d> Deserialize<'d> for SubscriptionId {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        let number = u64::deserialize(deserializer)?;
        key(number, KeyKind::Subscription).map(Self)
    }
}

/// A posting as a save has it: how many the manager has posted before it, the type of its message, and
/// the slot that it is in; of one that was delivered at once nothing, and its receipt.
type Posting = (Option<(u64, u64)>, u64);

impl Serialize for Ticket {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let identity = numbered(S::Error::custom)?;
        let posting: Posting = match self.number {
            None => (None, self.bits()),
            Some(number) => {
                let since = identity.posts_since_start(number);
                let since =
                    since.ok_or_else(|| S::Error::custom("this ticket is of another manager"))?;
                let message = registry().messages().nth(self.slab() as usize);
                let message =
                    message.ok_or_else(|| S::Error::custom("this ticket is of no message type"))?;
                // Where a message waits is no part of the state.
                let slot = if Scope::compares() { 0 } else { self.slot() };
                (Some((since, message.id().to_bits())), slot.into())
            }
        };
        posting.serialize(serializer)
    }
}

impl<'d> Deserialize<'d> for Ticket {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        let (posted, at) = Posting::deserialize(deserializer)?;
        let identity = numbered(D::Error::custom)?;
        let Some((since, message)) = posted else {
            return Ok(Self::of_bits(at));
        };
        let error = || D::Error::custom("this is not the number of a ticket");
        let number = identity.post_from_start(since).ok_or_else(error)?;
        // Of a type that is not there any more: a ticket that names nothing.
        let message = registry().message(MessageId::from_bits(message));
        let slab = message.map_or(u32::MAX, |info| info.index().0);
        let slot = u32::try_from(at).map_err(|_| error())?;
        Ok(Self::new(Some(number), slab, slot))
    }
}

/// How far a reader has read, of this manager's mail; of another's it has read nothing.
impl<M: ?Sized> Serialize for Cursor<M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let next = match self.reading() {
            None => None,
            Some((manager, next)) => {
                let identity = numbered(S::Error::custom)?;
                (manager == identity.serial()).then_some(next)
            }
        };
        (next, self.missed()).serialize(serializer)
    }
}

impl<'d, M: ?Sized> Deserialize<'d> for Cursor<M> {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        let (next, missed) = <(Option<u64>, u64)>::deserialize(deserializer)?;
        let reading = match next {
            None => None,
            Some(next) => Some((numbered(D::Error::custom)?.serial(), next)),
        };
        Ok(Self::restored(reading, missed))
    }
}
