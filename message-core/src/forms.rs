//! Ids and declared names as data, through serde. Needs the feature `serde`.
//!
//! An id has a meaning only in its own manager, and a component that contains one can be written to a world file, to a
//! save or for another process. What the id looks like depends on that, and a derive of serde does not know it. So it is
//! the [`Forms`] of the program that decide, which the crate `message-data` leaves in it at link time. Without them an
//! id cannot be read or written, and a declared name is its text.

use std::any::TypeId;
use std::collections::HashMap;
use std::fmt;
use std::num::NonZeroU64;
use std::sync::{Mutex, PoisonError};

use serde::de::{Deserialize, Deserializer, Error as _, Visitor};
use serde::ser::{Error as _, Serialize, Serializer};

use crate::address::{HookId, MessageeId, Recipient, Sender, SubscriptionId};
use crate::group::Group;
use crate::header::key::Text;
use crate::header::{Delay, Header, PostKey, Renewal, Repeat, Wait};
use crate::key::Key;
use crate::link::registry_rows;
use crate::mailbox::Cursor;
use crate::mnemonic::Mnemonic;
use crate::name::Name;
use crate::post::Ticket;
use crate::registry::{Collected, Declared, Place, RegistryRow};
use crate::subscription::Filter;
use crate::subscription::terms::{Terms, is_default};
use crate::tag::{Tag, TagSet};
use crate::time::Stage;

/// The kinds of ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdKind {
    Messagee,
    Hook,
    Subscription,
}

/// The kinds of declared names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameKind {
    Mnemonic,
    Group,
    Tag,
    /// The name of a [`PostKey`].
    Key,
}

/// A written id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    Number(u64),
    Text(String),
}

/// A written ticket: the number of its posting in its manager, or none and the bits of its receipt.
pub type TicketForm = (Option<u64>, u64);

/// Decides what ids and names look like where the thread currently reads or writes.
///
/// All errors are texts for the error of the serializer or deserializer.
pub trait Forms: fmt::Debug + Sync {
    /// Returns the description of an id in an error, after "expected".
    fn expected(&self, kind: IdKind) -> &'static str;

    /// Returns the form of an id.
    fn write_id(&self, kind: IdKind, id: Key) -> Result<Form, String>;

    /// Returns the id with a number.
    fn read_number(&self, kind: IdKind, number: u64) -> Result<Key, String>;

    /// Returns the id with a name.
    fn read_text(&self, kind: IdKind, text: &str) -> Result<Key, String>;

    /// Returns `true` where tickets and cursors are written only to be looked at, as they print.
    fn is_shown(&self) -> bool;

    /// Returns the form of a ticket, given the number of its posting.
    fn write_ticket(&self, it: Ticket, number: Option<NonZeroU64>) -> Result<TicketForm, String>;

    /// Returns the ticket with a form. Called without one before the form is read, to find out if a ticket has any here.
    fn read_ticket(&self, form: Option<TicketForm>) -> Result<Ticket, String>;

    /// Returns the serial number of the manager that cursors read from here.
    fn manager_of_cursors(&self) -> Result<u64, String>;

    /// Returns the written form of a name.
    fn write_name(&self, kind: NameKind, name: &'static str) -> &'static str;

    /// Returns the name with a written form.
    fn read_name(&self, kind: NameKind, text: &str) -> Result<&'static Name, String>;

    /// Returns `true` where `.*` behind a tag means the tags below it.
    fn has_tags_below(&self) -> bool;
}

/// The forms of the program, as a row of its registry.
#[derive(Debug)]
pub struct FormsRow(pub &'static dyn Forms);

impl RegistryRow for FormsRow {
    fn subject(&self) -> TypeId {
        TypeId::of::<Self>()
    }

    fn declared(&self) -> Declared {
        let (name, file, line) = ("forms", file!(), line!());
        let place = Place { file, line };
        Declared { name, place }
    }
}

fn forms() -> Option<&'static dyn Forms> {
    static FORMS: Collected<Option<&'static dyn Forms>> = Collected::empty();
    *FORMS.get(|| registry_rows::<FormsRow>().next().map(|row| row.0))
}

fn forms_of_ids<E>(error: impl FnOnce(&'static str) -> E) -> Result<&'static dyn Forms, E> {
    forms().ok_or_else(|| error("an id cannot be read or written without the crate `message-data`"))
}

/// Returns the name with this text. There is one name for each text, and it lives as long as the process.
pub fn name(text: &str) -> &'static Name {
    with_names(|names| {
        names.get(text).copied().unwrap_or_else(|| {
            let kept: &'static str = Box::leak(text.into());
            let name: &'static Name = Box::leak(Box::new(Name::new(kept)));
            names.insert(kept, name);
            name
        })
    })
}

/// Returns the name with this text, if one was read before.
pub fn known_name(text: &str) -> Option<&'static Name> {
    with_names(|names| names.get(text).copied())
}

fn with_names<T>(act: impl FnOnce(&mut HashMap<&'static str, &'static Name>) -> T) -> T {
    static NAMES: Mutex<Option<HashMap<&'static str, &'static Name>>> = Mutex::new(None);
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    act(names.get_or_insert_default())
}

fn write<S: Serializer>(form: Result<Form, String>, to: S) -> Result<S::Ok, S::Error> {
    match form.map_err(S::Error::custom)? {
        Form::Number(number) => to.serialize_u64(number),
        Form::Text(text) => to.serialize_str(&text),
    }
}

macro_rules! ids {
    ($($type:ident: $kind:ident),*) => {
        $(
            impl Serialize for $type {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    let forms = forms_of_ids(S::Error::custom)?;
                    write(forms.write_id(IdKind::$kind, self.0), serializer)
                }
            }

            impl<'d> Deserialize<'d> for $type {
                fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
                    let forms = forms_of_ids(D::Error::custom)?;
                    deserializer.deserialize_any(Reading(forms, IdKind::$kind)).map(Self)
                }
            }
        )*
    };
}

ids!(MessageeId: Messagee, HookId: Hook, SubscriptionId: Subscription);

/// Reads an id.
struct Reading(&'static dyn Forms, IdKind);

impl Visitor<'_> for Reading {
    type Value = Key;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.expected(self.1))
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Key, E> {
        self.0.read_text(self.1, text).map_err(E::custom)
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Key, E> {
        self.0.read_number(self.1, number).map_err(E::custom)
    }
}

impl Serialize for Ticket {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let forms = forms_of_ids(S::Error::custom)?;
        if forms.is_shown() {
            return serializer.collect_str(&format_args!("{self:?}"));
        }
        let form = forms.write_ticket(*self, self.number());
        form.map_err(S::Error::custom)?.serialize(serializer)
    }
}

impl<'d> Deserialize<'d> for Ticket {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        let forms = forms_of_ids(D::Error::custom)?;
        // Where a ticket has no meaning, that is the error, whatever the value is.
        forms.read_ticket(None).map_err(D::Error::custom)?;
        let form = Deserialize::deserialize(deserializer)?;
        forms.read_ticket(Some(form)).map_err(D::Error::custom)
    }
}

impl<M: ?Sized> Serialize for Cursor<M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let forms = forms_of_ids(S::Error::custom)?;
        if forms.is_shown() {
            return serializer.collect_str(&format_args!("{self:?}"));
        }
        let next = match self.reading() {
            None => None,
            Some((manager, next)) => {
                let own = forms.manager_of_cursors().map_err(S::Error::custom)?;
                (manager == own).then_some(next)
            }
        };
        (next, self.missed()).serialize(serializer)
    }
}

impl<'d, M: ?Sized> Deserialize<'d> for Cursor<M> {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        let forms = forms_of_ids(D::Error::custom)?;
        let (next, missed) = <(Option<u64>, u64)>::deserialize(deserializer)?;
        let reading = match next {
            None => None,
            Some(next) => {
                let manager = forms.manager_of_cursors().map_err(D::Error::custom)?;
                Some((manager, next))
            }
        };
        Ok(Self::reading_on(reading, missed))
    }
}

/// Returns the name with a written form.
fn read_name<E: serde::de::Error>(kind: NameKind, text: &str) -> Result<&'static Name, E> {
    match forms() {
        Some(forms) => forms.read_name(kind, text).map_err(E::custom),
        None => Ok(name(text)),
    }
}

macro_rules! named {
    ($($type:ident),*) => {
        $(
            impl Serialize for $type {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    let written = |it: &dyn Forms| it.write_name(NameKind::$type, self.name());
                    serializer.serialize_str(forms().map_or(self.name(), written))
                }
            }

            impl<'d> Deserialize<'d> for $type {
                fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
                    let text = String::deserialize(deserializer)?;
                    read_name(NameKind::$type, &text).map(Self::__named)
                }
            }
        )*
    };
}

named!(Mnemonic, Group, Tag);

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0)
    }
}

impl<'d> Deserialize<'d> for Text {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        read_name(NameKind::Key, &text).map(|name| Self(name.text()))
    }
}

impl Serialize for TagSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'d> Deserialize<'d> for TagSet {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        let own = Vec::<Tagged>::deserialize(deserializer)?.into_iter();
        Ok(own.fold(Self::EMPTY, |set, Tagged(tags)| set | tags))
    }
}

/// A tag in a set, or in a text with `.*` behind it also the tags below it.
struct Tagged(TagSet);

impl<'d> Deserialize<'d> for Tagged {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let read = |text| read_name(NameKind::Tag, text).map(Tag::__named);
        let has_tags_below = || forms().is_some_and(Forms::has_tags_below);
        match text.strip_suffix(".*") {
            Some(above) if has_tags_below() => read(above).map(|tag| Self(tag.and_below())),
            _ => read(&text).map(|tag| Self(tag.into())),
        }
    }
}
/// The form of a header. Parts that it does not have are left out.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(remote = "Header")]
#[allow(clippy::struct_excessive_bools, reason = "as in the header itself")]
struct Parts {
    to: Recipient,
    #[serde(default, skip_serializing_if = "is_default")]
    stage: Stage,
    #[serde(default, skip_serializing_if = "is_default")]
    delay: Delay,
    #[serde(default, skip_serializing_if = "is_default")]
    repeat: Option<Repeat>,
    #[serde(default, skip_serializing_if = "is_default")]
    tags: TagSet,
    #[serde(default, skip_serializing_if = "is_default")]
    require: Option<u32>,
    #[serde(default, skip_serializing_if = "is_default")]
    key: Option<PostKey>,
    #[serde(default, skip_serializing_if = "is_default")]
    renewal: Renewal,
    #[serde(default, skip_serializing_if = "is_default")]
    bound: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    until: Option<HookId>,
    #[serde(default, skip_serializing_if = "is_default")]
    if_alive: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    retain: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    activator: Option<Sender>,
    #[serde(skip)]
    wait: Option<Wait>,
}

impl Serialize for Header {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Parts::serialize(self, serializer)
    }
}

impl<'d> Deserialize<'d> for Header {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        let header = Parts::deserialize(deserializer)?;
        header.checked().map_err(D::Error::custom)
    }
}

impl<M: ?Sized> Serialize for Filter<M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.asks() {
            return Err(S::Error::custom(
                "a filter with a predicate cannot be written, since a predicate is code",
            ));
        }
        if self.of.is_some() {
            return Err(S::Error::custom(
                "a filter for a type that is given by its id cannot be written",
            ));
        }
        self.terms.serialize(serializer)
    }
}

impl<'d, M: ?Sized> Deserialize<'d> for Filter<M> {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        let mut filter = Self::new();
        filter.terms = Terms::deserialize(deserializer)?;
        Ok(filter)
    }
}
