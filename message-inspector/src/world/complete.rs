//! The possible completions at the cursor.

use std::collections::BTreeMap;

use message_core::MessageManager;
use message_data::{self as data, DataType, declared_groups, declared_mnemonics};
use serde_json::{Value, json};

use crate::world::messagees::short;

/// The maximum number of words that are returned.
const MOST: usize = 50;
/// How many messagees are searched for names.
const LOOKED_AT: usize = 10_000;

/// Words, each with its kind and a description.
type Words = BTreeMap<String, (&'static str, String)>;

pub(super) fn complete(manager: &MessageManager, line: &str) -> Value {
    let is_part = |character: char| character.is_alphanumeric() || "_@%#".contains(character);
    let begin = line.trim_end_matches(is_part).len();
    let (before, typed) = line.split_at(begin);
    let typed = typed.to_lowercase();
    let mut words = Words::new();
    collect(manager, before, &mut words);
    let fitting = words.into_iter().filter(|(word, _)| {
        let word = word.to_lowercase();
        word.starts_with(&typed) || (typed.len() > 1 && word.contains(&typed))
    });
    let words = fitting
        .take(MOST)
        .map(|(word, (kind, about))| json!({ "word": word, "kind": kind, "about": about }));
    json!({
        "begin": line[..begin].chars().count(),
        "words": words.collect::<Vec<_>>(),
    })
}

fn collect(manager: &MessageManager, before: &str, words: &mut Words) {
    if before.trim().is_empty() {
        for (word, about) in [
            ("send", "WHO MESSAGE"),
            ("post", "WHO SECONDS MESSAGE"),
            ("help", ""),
        ] {
            words.insert(word.to_owned(), ("command", about.to_owned()));
        }
        return;
    }
    if let Some((message, fields)) = before.split_once('(') {
        return in_message(manager, message, fields, words);
    }
    let behind = parts(before);
    match (before.split_whitespace().next().unwrap_or_default(), behind) {
        ("send" | "post", 1) => {
            words.insert("Everyone".to_owned(), ("name", "all messagees".to_owned()));
            names(manager, words);
            for mnemonic in declared_mnemonics() {
                let word = format!("@{}", short(mnemonic.name()));
                words.insert(word, ("mnemonic", mnemonic.name().to_owned()));
            }
            for group in declared_groups() {
                let word = format!("%{}", short(group.name()));
                words.insert(word, ("group", group.name().to_owned()));
            }
        }
        ("send", 2) | ("post", 3) => {
            for ty in data::types().filter(|ty| ty.is_message()) {
                let about = ty.fields().join(", ");
                words.insert(ty.short_name().to_owned(), ("message", about));
            }
        }
        _ => {}
    }
}

/// Returns the number of words in a line; a text in `"` is one word.
fn parts(line: &str) -> usize {
    let (mut count, mut quoted, mut inside) = (0, false, false);
    for character in line.chars() {
        match character {
            '"' => quoted = !quoted,
            it if it.is_whitespace() && !quoted => {
                inside = false;
                continue;
            }
            _ => {}
        }
        count += usize::from(!inside);
        inside = true;
    }
    count
}

fn names(manager: &MessageManager, words: &mut Words) {
    let named = manager.messagees().take(LOOKED_AT);
    for id in named {
        if let Some(name) = manager.name(id) {
            let word = if name.contains(char::is_whitespace) {
                format!("\"{name}\"")
            } else {
                name.to_string()
            };
            let entry = words.entry(word);
            entry.or_insert_with(|| ("name", format!("messagee {id:#}")));
        }
    }
}

/// Adds the fields of a message where a field is expected, and names after a colon.
fn in_message(manager: &MessageManager, message: &str, fields: &str, words: &mut Words) {
    let last = fields.rsplit(',').next().unwrap_or_default();
    if last.contains(':') {
        return names(manager, words);
    }
    let name = message.split_whitespace().last().unwrap_or_default();
    let fields = data::find(name).map(DataType::fields).unwrap_or_default();
    for field in fields {
        words.insert(format!("{field}: "), ("field", short(name).to_owned()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted_is_one_word() {
        assert_eq!(parts("send "), 1);
        assert_eq!(parts("send \"a b\" "), 2);
        assert_eq!(parts("post x 3 "), 3);
    }
}
