//! Completion: commands, then templates, names, message types and their fields.

use message_data as data;
use rustyline::completion::Completer;
use rustyline::{Context, Helper, Highlighter, Hinter, Validator};

use crate::console::{COMMANDS, RECIPIENTS};

/// The words that can be completed, as of before the line.
#[derive(Default, Helper, Highlighter, Hinter, Validator)]
pub struct Words {
    pub names: Vec<String>,
    pub templates: Vec<String>,
}

impl Words {
    /// Returns where the current word begins, and its possible completions.
    pub fn complete(&self, line: &str) -> (usize, Vec<String>) {
        let is_part = |character: char| character.is_alphanumeric() || character == '_';
        let begin = line.trim_end_matches(is_part).len();
        let (before, typed) = line.split_at(begin);
        let known = self.known(before);
        let fitting = known.into_iter().filter(|word| word.starts_with(typed));
        let mut fitting: Vec<String> = fitting.collect();
        if let [word] = &mut fitting[..]
            && !before.contains('(')
            && !word.ends_with('(')
        {
            word.push(' ');
        }
        (begin, fitting)
    }

    fn known(&self, before: &str) -> Vec<String> {
        if before.trim().is_empty() {
            return COMMANDS
                .iter()
                .map(|command| command.name.to_owned())
                .collect();
        }
        if let Some((value, fields)) = before.split_once('(') {
            return self.in_value(value, fields);
        }
        let command = before.split_whitespace().next().unwrap_or_default();
        let behind = before.split_whitespace().count();
        match (command, behind) {
            ("spawn", 1) => self.templates.clone(),
            ("inspect" | "list" | "attach" | "change" | "remove" | "who", 1) => self.names.clone(),
            ("send" | "post", 1) => {
                let all = RECIPIENTS.map(str::to_owned);
                all.into_iter().chain(self.names.iter().cloned()).collect()
            }
            ("send", 2) | ("post", 3) => values(true),
            // There may be a number in front of the type.
            ("attach" | "change", 2) | ("change", 3) => values(false),
            ("remove" | "who", 2) | ("remove", 3) => components().collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the fields of a message or a component where a field is expected, and names after a colon.
    fn in_value(&self, value: &str, fields: &str) -> Vec<String> {
        let last = fields.rsplit(',').next().unwrap_or_default();
        if last.contains(':') {
            return self.names.clone();
        }
        let name = value.split_whitespace().last().unwrap_or_default();
        let ty = data::find(name);
        let names = ty.map(|ty| ty.fields().iter());
        names
            .into_iter()
            .flatten()
            .map(|field| format!("{field}: "))
            .collect()
    }
}

/// Returns the names of the message types, or of the component types, and what follows one that has fields.
fn values(are_messages: bool) -> Vec<String> {
    let types = data::types().filter(|ty| ty.is_message() == are_messages);
    let begin = |ty: &data::DataType| {
        let fields = if ty.fields().is_empty() { "" } else { "(" };
        format!("{}{fields}", ty.short_name())
    };
    types.map(begin).collect()
}

/// Returns the names of the component types.
fn components() -> impl Iterator<Item = String> {
    let types = data::types().filter(|ty| !ty.is_message());
    types.map(|ty| ty.short_name().to_owned())
}

impl Completer for Words {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(Words::complete(self, &line[..at]))
    }
}
