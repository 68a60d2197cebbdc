//! One value, written and read by the text format and by its judges.

use std::fmt::Debug;

use message_data as data;
use ron::extensions::Extensions;
use ron::ser::PrettyConfig;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The results found so far.
#[derive(Default)]
pub(crate) struct Findings {
    pub(crate) types: usize,
    pub(crate) values: usize,
    /// Values that at least one judge gives back.
    pub(crate) given_back: usize,
    /// Texts of the crate `ron` that were read.
    pub(crate) foreign: usize,
    pub(crate) mistakes: Vec<String>,
}

/// A value that can be written, read, compared and printed.
pub(crate) trait Value: Serialize + DeserializeOwned + Debug + PartialEq {}
impl<T: Serialize + DeserializeOwned + Debug + PartialEq> Value for T {}

fn by_json<T: Value>(value: &T) -> bool {
    let text = serde_json::to_string(value).ok();
    let read = text.and_then(|text| serde_json::from_str::<T>(&text).ok());
    read.is_some_and(|read| read == *value)
}

fn by_ron<T: Value>(value: &T) -> bool {
    let text = ron::to_string(value).ok();
    let read = text.and_then(|text| ron::from_str::<T>(&text).ok());
    read.is_some_and(|read| read == *value)
}

fn by_bytes<T: Value>(value: &T) -> bool {
    let bytes = data::to_bytes(value).ok();
    let read = bytes.and_then(|bytes| data::from_bytes::<T>(&bytes).ok());
    read.is_some_and(|read| read == *value)
}

/// Returns the ways in which the crate `ron` can write a text.
fn configurations() -> Vec<PrettyConfig> {
    let plain = PrettyConfig::new;
    let mut all = vec![
        plain(),
        plain().struct_names(true),
        plain()
            .compact_structs(true)
            .compact_arrays(true)
            .compact_maps(true),
        plain().separate_tuple_members(true).enumerate_arrays(true),
        plain().number_suffixes(true),
        plain().escape_strings(false).depth_limit(1),
        plain().compact_ranges(true),
    ];
    let extensions = [
        Extensions::UNWRAP_NEWTYPES,
        Extensions::IMPLICIT_SOME,
        Extensions::UNWRAP_VARIANT_NEWTYPES,
        Extensions::EXPLICIT_STRUCT_NAMES,
        Extensions::UNWRAP_NEWTYPES | Extensions::IMPLICIT_SOME,
        Extensions::UNWRAP_NEWTYPES | Extensions::UNWRAP_VARIANT_NEWTYPES,
        Extensions::all(),
    ];
    all.extend(extensions.map(|extensions| plain().extensions(extensions)));
    all
}

impl Findings {
    /// Checks values of one type.
    pub(crate) fn check<T: Value>(&mut self, values: impl IntoIterator<Item = T>) {
        self.types += 1;
        for value in values {
            self.value(&value);
        }
    }

    fn mistake<T>(&mut self, what: &str, value: &impl Debug, text: &str, read: &impl Debug) {
        let name = std::any::type_name::<T>().replace("representations::types::", "");
        self.mistakes.push(format!(
            "{name}: {what}\n    value {value:?}\n    text  {text}\n    read  {read:?}"
        ));
    }

    fn value<T: Value>(&mut self, value: &T) {
        self.values += 1;
        let judges = (by_json(value), by_ron(value), by_bytes(value));
        let is_given_back = judges.0 || judges.1 || judges.2;
        self.given_back += usize::from(is_given_back);
        match data::to_text(value) {
            Ok(text) => {
                let read = data::from_text::<T>(&text);
                let is_same = read.as_ref().is_ok_and(|read| read == value);
                if is_given_back && !is_same {
                    let what = format!("not given back; json, ron, bytes: {judges:?}");
                    self.mistake::<T>(&what, value, &text, &read);
                }
                let by_ron = ron::from_str::<T>(&text);
                if judges.1 && !by_ron.as_ref().is_ok_and(|read| read == value) {
                    self.mistake::<T>("not read by ron", value, &text, &by_ron);
                }
            }
            Err(error) if is_given_back => {
                self.mistake::<T>("not written", value, "", &error);
            }
            Err(_) => {}
        }
        self.foreign_texts(value);
    }

    /// Reads what the crate `ron` writes and gives back.
    fn foreign_texts<T: Value>(&mut self, value: &T) {
        for configuration in configurations() {
            let Ok(text) = ron::ser::to_string_pretty(value, configuration) else {
                continue;
            };
            let theirs = ron::from_str::<T>(&text);
            if !theirs.is_ok_and(|theirs| theirs == *value) {
                continue;
            }
            self.foreign += 1;
            let ours = data::from_text::<T>(&text);
            let is_same = ours.as_ref().is_ok_and(|ours| ours == value);
            if !is_same && !has_tuple_of_one(value) {
                self.mistake::<T>("a text of ron", value, &text, &ours);
            }
        }
    }
}

/// A listed difference: in a buffer of serde, one value in parentheses is a newtype, and a tuple with one
/// value has a comma, which the crate `ron` leaves out.
fn has_tuple_of_one<T: Debug>(value: &T) -> bool {
    let text = format!("{value:?}");
    let is_array = std::any::type_name::<T>().contains("; 1]");
    is_array || text.contains(",)") || text.contains("Skips(")
}
