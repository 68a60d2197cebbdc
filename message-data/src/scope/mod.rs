//! The meaning of ids while data is read or written.
//!
//! A plain `#[derive(Serialize)]` writes an id wherever it occurs, including inside types that serde reads twice. So
//! its meaning cannot be passed down through serde's calls. Instead, it is stored for the thread, and only while a
//! world file, a save or a log is read or written. Anywhere else an id has no meaning, and reading or writing it is an
//! error that says so.

pub(crate) mod abroad;
mod forms;
mod found;
mod names_outside;
mod naming;
mod ticket;

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use message_core::Ticket;
use message_core::internals::{Found as FoundPost, Identity, Key, World};

use crate::world_file::Called;
pub(crate) use found::{Found, Named, nobody};
pub(crate) use names_outside::read as name_from_outside;
pub(crate) use naming::Naming;
pub(crate) use ticket::{post_after, posts_before};

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
    Scope::Numbered(Arc::new(Numbered::with_posts(world))).during(read)
}

impl Numbered {
    /// Returns all numbers that a manager can give out, with the tickets of its pending messages.
    pub(crate) fn with_posts(world: &World) -> Self {
        let numbered = Self::of(&world.common.identity);
        let before = |found: &FoundPost| posts_before(&numbered.identity, found.record.number);
        let schedule = world.schedule.borrow();
        let tickets = schedule.all(None);
        let tickets = tickets.filter_map(|found| Some((before(&found)?, found.ticket)));
        let posts = tickets.collect();
        Self { posts, ..numbered }
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
    /// and a name that is not declared is an error. What goes to another manager or comes from it has full names; a
    /// name that is not declared is an error there, too, so that an untrusted peer cannot add names to the process.
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

    /// Returns `true` where data for another manager is written.
    fn is_for_abroad() -> bool {
        matches!(abroad::now(), Some(Self::Listing))
    }

    /// Returns `true` if the last id that could not be written is that of something that is gone. Later calls return
    /// `false`.
    pub(crate) fn take_gone() -> bool {
        Self::look(|scope| matches!(scope, Some(Self::Naming(names)) if names.met_gone.take()))
    }

    fn with<T>(read: impl FnOnce(&Self) -> Result<T, String>) -> Result<T, String> {
        Self::look(|scope| match scope {
            Some(scope) => read(scope),
            None => Err(
                "an id only has a meaning in a world file, a save or a log: it cannot be read or \
                 written on its own"
                    .to_owned(),
            ),
        })
    }
}

/// Returns the number of an id of the manager that is written, or of one that was made to ask a type.
fn number_of(key: Key) -> Result<u64, String> {
    if numbered_or_asked()?.is_some_and(|it| key.manager() != it.identity.number) {
        return Err(OTHER_MANAGER.to_owned());
    }
    Ok(key.number())
}

/// Returns the meaning of the numbers of posts and managers, where tickets and cursors have some.
fn numbered() -> Result<Arc<Numbered>, String> {
    posts_or_asked()?.ok_or_else(|| NO_NAME.to_owned())
}

/// Like [`numbered`], but returns `None` while it is determined what a type reads.
fn posts_or_asked() -> Result<Option<Arc<Numbered>>, String> {
    let found = Scope::look(|scope| match scope {
        Some(Scope::Found(found)) => found.numbered.clone(),
        _ => None,
    });
    found.map_or_else(numbered_or_asked, |found| Ok(Some(found)))
}

/// Returns the meaning of the numbers, where ids are numbers. Returns `None` while it is determined what a type reads.
fn numbered_or_asked() -> Result<Option<Arc<Numbered>>, String> {
    Scope::with(|scope| match scope {
        Scope::Numbered(numbered) => Ok(Some(Arc::clone(numbered))),
        Scope::Asking => Ok(None),
        Scope::Listed | Scope::Listing => Err(STAYS.to_owned()),
        _ => Err(NO_NAME.to_owned()),
    })
}

const OTHER_MANAGER: &str = "this id belongs to another manager";

const NO_NAME: &str = "only messagees and components have names in a world file: a subscription, a \
                       ticket or a cursor has no meaning there";

const STAYS: &str =
    "a hook, a subscription, a ticket or a cursor only has a meaning in its own manager";
