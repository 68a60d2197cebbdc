//! How what users address and label messages with is written: recipients, names, tags, keys, headers.
//!
//! Names that a program declares are written as their text. A name that is read is compared with the
//! declared ones by its text, too, so it means the same in every program; the process keeps the text of
//! each name that was ever read, once.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};

use crate::address::Recipient;
use crate::data::declared::{find_group, find_mnemonic, find_tag};
use crate::data::declared::{group_in_files, mnemonic_in_files, tag_in_files};
use crate::data::scope::Scope;
use crate::group::Group;
use crate::mnemonic::Mnemonic;
use crate::name::Name;
use crate::post::{Delay, Header, PostKey, Repeat};
use crate::tag::{Tag, TagSet};
use crate::time::Stage;

/// The name with that text: one for each text, for as long as the process.
pub(crate) fn name(text: &str) -> &'static Name {
    static NAMES: Mutex<Option<HashMap<String, &'static Name>>> = Mutex::new(None);
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    let names = names.get_or_insert_default();
    if let Some(name) = names.get(text) {
        return name;
    }
    let kept: &'static str = Box::leak(text.into());
    let name: &'static Name = Box::leak(Box::new(Name::new(kept)));
    names.insert(text.to_owned(), name);
    name
}

/// Reads a text that lives as long as the process.
pub(crate) fn static_text<'d, D: Deserializer<'d>>(
    deserializer: D,
) -> Result<&'static str, D::Error> {
    let text = String::deserialize(deserializer)?;
    Ok(name(&text).text())
}

macro_rules! named {
    ($($type:ident: $find:ident, $in_files:ident;)*) => {
        $(
            impl Serialize for $type {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.serialize_str(if Scope::is_of_texts() {
                        $in_files(*self)
                    } else {
                        self.name()
                    })
                }
            }

            impl<'d> Deserialize<'d> for $type {
                fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
                    let text = String::deserialize(deserializer)?;
                    if Scope::is_of_texts() {
                        return $find(&text).map_err(D::Error::custom);
                    }
                    Ok(Self::__named(name(&text)))
                }
            }
        )*
    };
}

named! {
    Mnemonic: find_mnemonic, mnemonic_in_files;
    Group: find_group, group_in_files;
    Tag: find_tag, tag_in_files;
}

impl Serialize for TagSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'d> Deserialize<'d> for TagSet {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        let own = Vec::<Tag>::deserialize(deserializer)?;
        Ok(own.into_iter().fold(Self::EMPTY, |set, tag| set | tag))
    }
}

/// The parts of a header; those that it does not have are left out.
#[derive(serde::Serialize, serde::Deserialize)]
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
    bound: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    if_alive: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    retain: bool,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Serialize for Header {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let parts = Parts {
            to: self.to,
            stage: self.stage,
            delay: self.delay,
            repeat: self.repeat,
            tags: self.tags,
            require: self.require,
            key: self.key,
            bound: self.bound,
            if_alive: self.if_alive,
            retain: self.retain,
        };
        parts.serialize(serializer)
    }
}

impl<'d> Deserialize<'d> for Header {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        let parts = Parts::deserialize(deserializer)?;
        let at_once = parts.stage == Stage::Immediate;
        let waits = parts.key.is_some() || parts.bound || parts.if_alive || parts.repeat.is_some();
        if at_once && (waits || parts.delay != Delay::None) {
            let what = "a message that is delivered at once has no delay, key or condition";
            return Err(D::Error::custom(what));
        }
        if parts.retain && parts.repeat.is_some() {
            return Err(D::Error::custom("a message that repeats is not retained"));
        }
        let header = Self {
            to: parts.to,
            stage: parts.stage,
            delay: parts.delay,
            repeat: parts.repeat,
            tags: parts.tags,
            require: parts.require,
            key: parts.key,
            bound: parts.bound,
            if_alive: parts.if_alive,
            retain: parts.retain,
            plain: false,
            wait: None,
        };
        Ok(header.finished())
    }
}
