//! The written form of what addresses and labels messages: recipients, names, tags, keys, headers.
//!
//! Names that a program declares are written as their text. A name that is read is compared with the declared names
//! by its text, too, so it means the same in every program. The process keeps the text of each name that was ever
//! read, once. From another manager, only declared names and a bounded number of names of keys are accepted.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use serde::de::{Deserialize, Deserializer, Error as _, IntoDeserializer};
use serde::ser::{Serialize, Serializer};

use crate::address::Recipient;
use crate::data::declared::{find_group, find_mnemonic, find_tag};
use crate::data::declared::{group_in_files, mnemonic_in_files, tag_in_files};
use crate::data::scope::Scope;
use crate::group::Group;
use crate::header::key::Text;
use crate::header::{Delay, Header, PostKey, Repeat, Wait};
use crate::mnemonic::Mnemonic;
use crate::name::Name;
use crate::tag::{Tag, TagSet};
use crate::time::Stage;

/// The names that were read.
#[derive(Default)]
struct Names {
    kept: HashMap<&'static str, &'static Name>,
    /// The number of names that have come from other managers.
    from_abroad: usize,
}

/// The maximum number of names from other managers. Names are never freed, and an untrusted peer can invent them.
const MOST_FROM_ABROAD: usize = 1 << 14;
/// The maximum length of such a name, in bytes.
const LONGEST_FROM_ABROAD: usize = 256;

fn with_names<T>(act: impl FnOnce(&mut Names) -> T) -> T {
    static NAMES: Mutex<Option<Names>> = Mutex::new(None);
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    act(names.get_or_insert_default())
}

impl Names {
    fn keep(&mut self, text: &str) -> &'static Name {
        let kept: &'static str = Box::leak(text.into());
        let name: &'static Name = Box::leak(Box::new(Name::new(kept)));
        self.kept.insert(kept, name);
        name
    }
}

/// Returns the name with this text. There is one name for each text, and it lives as long as the process.
pub(crate) fn name(text: &str) -> &'static Name {
    with_names(|names| match names.kept.get(text) {
        Some(name) => name,
        None => names.keep(text),
    })
}

/// Like [`name`], for a name that has come from another manager.
fn name_from_abroad(text: &str) -> Result<&'static Name, String> {
    with_names(|names| {
        if let Some(name) = names.kept.get(text) {
            return Ok(*name);
        }
        if text.len() > LONGEST_FROM_ABROAD {
            let len = text.len();
            return Err(format!(
                "a name of {len} bytes: expected {LONGEST_FROM_ABROAD} at most from another manager"
            ));
        }
        if names.from_abroad >= MOST_FROM_ABROAD {
            return Err(format!(
                "a new name, `{text}`: {MOST_FROM_ABROAD} have come from other managers, and no more are kept"
            ));
        }
        names.from_abroad += 1;
        Ok(names.keep(text))
    })
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0)
    }
}

impl<'d> Deserialize<'d> for Text {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let name = if Scope::is_from_abroad() {
            name_from_abroad(&text).map_err(D::Error::custom)?
        } else {
            name(&text)
        };
        Ok(Self(name.text()))
    }
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
        let own = Vec::<Tagged>::deserialize(deserializer)?;
        Ok(own
            .into_iter()
            .fold(Self::EMPTY, |set, Tagged(tags)| set | tags))
    }
}

/// A tag in a set, or in a text with `.*` behind it also the tags below it.
struct Tagged(TagSet);

impl<'d> Deserialize<'d> for Tagged {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let tags = match text.strip_suffix(".*") {
            Some(above) if Scope::is_of_texts() => {
                let above = find_tag(above).map_err(D::Error::custom)?;
                Ok(above.and_below())
            }
            _ => Tag::deserialize(text.as_str().into_deserializer()).map(TagSet::from),
        };
        tags.map(Self)
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
    bound: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    if_alive: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    retain: bool,
    #[serde(skip)]
    wait: Option<Wait>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
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
