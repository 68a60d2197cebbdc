//! The meaning of ids while data is read or written.
//!
//! A plain `#[derive(Serialize)]` writes an id wherever it occurs, including inside types that serde reads twice. So
//! its meaning cannot be passed down through serde's calls. Instead, it is stored for the thread, and only while a
//! world file, a save or a log is read or written. Anywhere else an id has no meaning, and reading or writing it is an
//! error that says so.

pub(crate) mod abroad;
mod found;
mod naming;
mod ticket;

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use message_format::ids::{A_HOOK, A_MESSAGEE, A_SUBSCRIPTION};
use serde::de::{Deserialize, Deserializer, Error as _, Visitor};
use serde::ser::{Error as _, Serialize, Serializer};

use crate::address::{HookId, MessageeId, SubscriptionId};
use crate::data::world_file::Called;
use crate::identity::Identity;
use crate::key::Key;
use crate::mailbox::Cursor;
use crate::post::{Schedule, Ticket, schedule};
use crate::world::World;
pub(crate) use found::{Found, Named, nobody};
use found::{MARK, marked, shown};
pub(crate) use naming::Naming;

/// The meaning of ids.
#[derive(Debug)]
pub(crate) enum Scope {
    /// In a world file that is read: names. A name becomes the id that was set aside for it.
    Named(Box<Called>),
    /// In a world file that is written: the names that it gives to the messagees and the components in it.
    Naming(Rc<Naming>),
    /// In a text about an existing manager: the names of its messagees, or `#7v2` for an id.
    Found(Box<Found>),
    /// In a text for people, which [`Found`](Scope::Found) can read: names, if they are unique.
    Shown,
    /// In a save or a log of this manager: numbers that do not identify the manager.
    Numbered(Arc<Numbered>),
    /// In a value written for another manager: an id is its index in a list, which goes along. See [`abroad`].
    Listing,
    /// In a value read from another manager: an id is an index into a list. See [`abroad`].
    Listed,
    /// While it is determined what a type reads: any number is an id, of a manager that does not exist.
    Asking,
}

/// The meaning of the numbers in a save or a log.
#[derive(Debug)]
pub(crate) struct Numbered {
    identity: Arc<Identity>,
    /// The numbers of places of messagees, hooks and subscriptions that the save knows, and the number of posts.
    /// Numbers from these on do not exist.
    pub(crate) ends: [u64; 4],
    /// The tickets of pending messages, by the numbers of the posts.
    pub(crate) posts: HashMap<u64, Ticket>,
    /// `true` once a posting was asked for.
    pub(crate) asked: AtomicBool,
}

/// Reads with the numbers of a log. The places of posts are looked up only if one is asked for.
pub(crate) fn reading_numbers<T>(world: &World, read: impl Fn() -> T) -> T {
    let numbered = Arc::new(Numbered::of(&world.common.identity));
    let value = Scope::Numbered(Arc::clone(&numbered)).during(&read);
    if !numbered.asked.load(Ordering::Relaxed) {
        return value;
    }
    let mut numbered = Numbered::of(&world.common.identity);
    numbered.add_posts(&world.schedule.borrow());
    Scope::Numbered(Arc::new(numbered)).during(read)
}

impl Numbered {
    /// Adds the tickets of the pending messages.
    fn add_posts(&mut self, schedule: &Schedule) {
        let before = |found: &schedule::Found| self.identity.posts_before(found.record.number);
        let tickets = schedule.all(None);
        let tickets = tickets.filter_map(|found| Some((before(&found)?, found.ticket)));
        self.posts = tickets.collect();
    }

    /// Returns all numbers that this manager can give out.
    pub(crate) fn of(identity: &Arc<Identity>) -> Self {
        Self {
            identity: Arc::clone(identity),
            ends: [u64::MAX; 4],
            asked: AtomicBool::new(false),
            posts: HashMap::new(),
        }
    }
}

thread_local! {
    static SCOPE: RefCell<Option<Scope>> = const { RefCell::new(None) };
}

impl Scope {
    /// Returns the scope of a save or a log of that manager, with all numbers that it can give out.
    pub(crate) fn numbered(identity: &Arc<Identity>) -> Self {
        Self::Numbered(Arc::new(Numbered::of(identity)))
    }

    /// Runs a function with this meaning, and restores the previous one.
    pub(crate) fn during<T>(self, act: impl FnOnce() -> T) -> T {
        // Restores the previous meaning also when `act` panics.
        struct Around(Option<Scope>);
        impl Drop for Around {
            fn drop(&mut self) {
                SCOPE.set(self.0.take());
            }
        }
        let _around = Around(SCOPE.replace(Some(self)));
        abroad::nowhere(act)
    }

    /// Returns `true` where a text for people is read or written. The names that a program declares are short there,
    /// and a name that is not declared is an error. The same holds for what goes to another manager or comes from it,
    /// so that an untrusted peer cannot add names to the process.
    pub(crate) fn is_of_texts() -> bool {
        Self::look(|scope| {
            scope.is_some_and(|scope| !matches!(scope, Self::Numbered(_) | Self::Asking))
        })
    }

    /// Returns `true` where a text about a manager is written for people.
    fn is_shown() -> bool {
        Self::look(|scope| matches!(scope, Some(Self::Shown)))
    }

    /// Calls a function with the current meaning of ids, if there is one.
    fn look<T>(read: impl FnOnce(Option<&Self>) -> T) -> T {
        match abroad::now() {
            Some(scope) => read(Some(scope)),
            None => SCOPE.with_borrow(|scope| read(scope.as_ref())),
        }
    }

    /// Returns `true` where data that another manager has written is read.
    pub(crate) fn is_from_abroad() -> bool {
        matches!(abroad::now(), Some(Self::Listed))
    }

    /// Returns `true` if the last id that could not be written is that of something that is gone. Later calls return
    /// `false`.
    pub(crate) fn take_gone() -> bool {
        Self::look(|scope| matches!(scope, Some(Self::Naming(names)) if names.met_gone.take()))
    }

    fn with<T, E>(
        read: impl FnOnce(&Self) -> Result<T, E>,
        outside: impl FnOnce(&'static str) -> E,
    ) -> Result<T, E> {
        Self::look(|scope| match scope {
            Some(scope) => read(scope),
            None => Err(outside(
                "an id has a meaning only in a world file, a save or a log: it cannot be read or \
                 written alone",
            )),
        })
    }
}

const NO_NAME: &str = "only messagees and components have names in a world file: a subscription, a \
                       ticket or a cursor has no meaning there";

const STAYS: &str =
    "a hook, a subscription, a ticket or a cursor has a meaning only in its own manager";

impl Serialize for MessageeId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let id = *self;
        if let Some(at) = abroad::list(id) {
            return serializer.serialize_u64(at as u64);
        }
        let name = Scope::with(
            |scope| match scope {
                Scope::Naming(names) => names.messagee(id).map(Some).map_err(S::Error::custom),
                Scope::Shown => Ok(Some(shown(id))),
                Scope::Named(_) | Scope::Found(_) | Scope::Listed | Scope::Asking => {
                    Err(S::Error::custom("a value is being read"))
                }
                Scope::Numbered(_) | Scope::Listing => Ok(None),
            },
            S::Error::custom,
        )?;
        match name {
            Some(name) => serializer.serialize_str(&name),
            None => serialize_key(self.0, serializer),
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
        f.write_str(A_MESSAGEE)
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<MessageeId, E> {
        Scope::with(
            |scope| match scope {
                Scope::Named(names) => names.messagee(name).map_err(E::custom),
                Scope::Found(found) => match found.names.get(name) {
                    Some(Named::One(id)) => Ok(*id),
                    Some(Named::Several) => Err(E::custom(format_args!(
                        "several messagees are called `{name}`: expected a name that one has, or an \
                         id such as \"#7v2\""
                    ))),
                    None => marked(name, &found.identity)
                        .map(MessageeId)
                        .ok_or_else(|| E::custom(found.nobody(name))),
                },
                Scope::Numbered(_)
                | Scope::Naming(_)
                | Scope::Shown
                | Scope::Listing
                | Scope::Listed
                | Scope::Asking => Err(E::custom("expected the number of a messagee")),
            },
            E::custom,
        )
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<MessageeId, E> {
        if let Some((id, len)) = abroad::listed(number) {
            return id.ok_or_else(|| {
                E::custom(format_args!(
                    "the id with number {number}, and {len} have come along"
                ))
            });
        }
        key(number, Kind::Messagee).map(MessageeId)
    }
}

/// The kinds of keys, in the order of [`Numbered::ends`].
#[derive(Clone, Copy)]
enum Kind {
    Messagee,
    Hook,
    Subscription,
}

/// Returns the key with this number in a save.
fn key<E: serde::de::Error>(number: u64, kind: Kind) -> Result<Key, E> {
    let numbered = numbered_or_asked(|what| match kind {
        Kind::Messagee if what == NO_NAME => E::custom(format_args!(
            "expected {A_MESSAGEE}, found the number {number}"
        )),
        Kind::Hook if what == NO_NAME => {
            E::custom(format_args!("expected {A_HOOK}, found the number {number}"))
        }
        _ => E::custom(what),
    })?;
    let Some(numbered) = numbered else {
        return Key::from_halves(0, u32::MAX).ok_or_else(|| E::custom("a life is never zero"));
    };
    let is_known = number & u64::from(u32::MAX) < numbered.ends[kind as usize];
    let key = is_known.then(|| Key::of_number(number, numbered.identity.number));
    key.flatten()
        .ok_or_else(|| E::custom(format_args!("{number} is not the number of an id")))
}

fn serialize_key<S: Serializer>(key: Key, serializer: S) -> Result<S::Ok, S::Error> {
    let numbered = numbered(S::Error::custom)?;
    if key.manager() != numbered.identity.number {
        return Err(S::Error::custom("this id is of another manager"));
    }
    serializer.serialize_u64(key.number())
}

/// Returns the meaning of the numbers, where ids are numbers.
fn numbered<E>(error: impl Fn(&'static str) -> E) -> Result<Arc<Numbered>, E> {
    numbered_or_asked(&error)?.ok_or_else(|| error(NO_NAME))
}

/// Like [`numbered`], but returns `None` while it is determined what a type reads.
fn numbered_or_asked<E>(error: impl Fn(&'static str) -> E) -> Result<Option<Arc<Numbered>>, E> {
    Scope::with(
        |scope| match scope {
            Scope::Numbered(numbered) => Ok(Some(Arc::clone(numbered))),
            Scope::Asking => Ok(None),
            Scope::Listed | Scope::Listing => Err(error(STAYS)),
            _ => Err(error(NO_NAME)),
        },
        &error,
    )
}

impl Serialize for HookId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let id = *self;
        let name = Scope::with(
            |scope| match scope {
                Scope::Naming(names) => names.hook(id).map(Some).map_err(S::Error::custom),
                Scope::Shown => Ok(Some(format!("{MARK}{id}"))),
                _ => Ok(None),
            },
            S::Error::custom,
        )?;
        match name {
            Some(name) => serializer.serialize_str(&name),
            None => serialize_key(self.0, serializer),
        }
    }
}

impl<'d> Deserialize<'d> for HookId {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Hook)
    }
}

struct Hook;

impl Visitor<'_> for Hook {
    type Value = HookId;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(A_HOOK)
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<HookId, E> {
        Scope::with(
            |scope| match scope {
                Scope::Named(names) => names.hook(name).map_err(E::custom),
                Scope::Found(found) => found.key(name).map(HookId).map_err(E::custom),
                Scope::Shown => Err(E::custom("a value is being written")),
                Scope::Listing | Scope::Listed => Err(E::custom(STAYS)),
                Scope::Numbered(_) | Scope::Naming(_) | Scope::Asking => {
                    Err(E::custom("expected the number of a component"))
                }
            },
            E::custom,
        )
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<HookId, E> {
        key(number, Kind::Hook).map(HookId)
    }
}

impl Serialize for SubscriptionId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if Scope::is_shown() {
            return serializer.collect_str(&format_args!("{MARK}{self}"));
        }
        serialize_key(self.0, serializer)
    }
}

impl<'d> Deserialize<'d> for SubscriptionId {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Subscription)
    }
}

struct Subscription;

impl Visitor<'_> for Subscription {
    type Value = SubscriptionId;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(A_SUBSCRIPTION)
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<SubscriptionId, E> {
        Scope::with(
            |scope| match scope {
                Scope::Found(found) => found.key(text).map(SubscriptionId).map_err(E::custom),
                Scope::Listing | Scope::Listed => Err(E::custom(STAYS)),
                Scope::Named(_) | Scope::Naming(_) | Scope::Shown => Err(E::custom(NO_NAME)),
                Scope::Numbered(_) | Scope::Asking => {
                    Err(E::custom("expected the number of a subscription"))
                }
            },
            E::custom,
        )
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<SubscriptionId, E> {
        key(number, Kind::Subscription).map(SubscriptionId)
    }
}

/// Prints a ticket or a cursor for people. They are never read back.
fn show<S: Serializer>(value: &impl std::fmt::Debug, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{value:?}"))
}

/// How far a reader has read, of this manager's mail; of another's it has read nothing.
impl<M: ?Sized> Serialize for Cursor<M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if Scope::is_shown() {
            return show(self, serializer);
        }
        let next = match self.reading() {
            None => None,
            Some((manager, next)) => {
                let numbered = numbered(S::Error::custom)?;
                (manager == numbered.identity.serial).then_some(next)
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
            Some(next) => Some((numbered(D::Error::custom)?.identity.serial, next)),
        };
        Ok(Self::reading_on(reading, missed))
    }
}
