//! Reads a world file from a tape. Every mistake is gathered, and reading goes on after it.

mod bake;
mod names;
mod plugins;
#[cfg(test)]
mod tests;
mod unknown;
mod values;
pub(super) mod wires;

use std::collections::HashMap;
use std::fmt::Display;
use std::sync::Arc;

use message_core::{Group, Mnemonic};
use message_format::names::{Short, at_most, no_such};
use message_format::tape::{Kind, Token};
use message_format::{DataError, Reader, TextOptions, Unknown, text};

use crate::declared::{find_group, find_mnemonic};
use crate::wire::Known;
use crate::world_file::mistakes::{MAX_SUGGESTIONS, Mistakes};
use crate::world_file::outfit::Outfit;
use crate::world_file::{
    Content, Spec, VERSION, WorldError, WorldFile, WorldOptions, number, outfit, sorted_by_name,
};
use unknown::Names;
use unknown::UnknownNames;

/// The names of the fields of each part.
const WORLD: &[&str] = &[
    "version",
    "plugins",
    "templates",
    "messagees",
    "wires",
    "groups",
];
const TEMPLATE: &[&str] = &[
    "from",
    "components",
    "overrides",
    "disabled",
    "groups",
    "wires",
    "overhear",
];
const MESSAGEE: &[&str] = &[
    "name",
    "label",
    "from",
    "components",
    "overrides",
    "parent",
    "children",
    "mnemonics",
    "groups",
    "disabled",
    "wires",
    "overhear",
];

/// Where the values of a part's fields begin on the tape.
struct Fields {
    known: &'static [&'static str],
    at: [Option<u32>; wires::WIRE.len()],
}

impl Fields {
    fn get(&self, name: &str) -> Option<usize> {
        let index = self.known.iter().position(|known| *known == name);
        let index = index.expect("a field that the part has");
        self.at[index].map(|at| at as usize)
    }
}

/// A template that was not baked yet.
struct RawTemplate {
    name: u32,
    fields: Option<Fields>,
}

/// The parent of a messagee: the token of its name, or the messagee whose `children` list contains it.
#[derive(Clone, Copy)]
struct RawParent {
    named: Option<u32>,
    within: Option<u32>,
}

#[derive(Default)]
struct Check {
    /// The content that was read so far.
    content: Content,
    mistakes: Mistakes,
    unknown: UnknownNames,
    raw_templates: Vec<RawTemplate>,
    parents: Vec<RawParent>,
    /// The name of the messagee that each is bound to.
    mnemonics: HashMap<Mnemonic, u32>,
    /// The names that wires lead to, by their tokens, each with the template or [`outfit::MESSAGEE`].
    targets: Vec<(u32, u32)>,
    /// The message types of wires, by the addresses of their descriptions.
    known: HashMap<usize, Arc<Known>>,
    /// In which list of templates each was met last.
    met: Vec<u32>,
    /// The number of the list that is checked.
    meeting: u32,
    /// Those whose messagees have no names. They are checked, too.
    nameless: Vec<Outfit>,
}

/// Reads and checks a text.
pub(super) fn read(
    source: &str,
    file: Option<&Arc<str>>,
    options: &WorldOptions,
) -> Result<WorldFile, WorldError> {
    let mut tape = text::read(source, TextOptions::new())
        .map_err(|error| WorldError::of(vec![error], file))?;
    tape.tokens.shrink_to_fit();
    at_most(MAX_SUGGESTIONS, || {
        let mut check = Check {
            content: Content {
                file: file.cloned(),
                options: options.clone(),
                source_len: source.len(),
                tape,
                ..Content::default()
            },
            mistakes: Mistakes::new(options.max_mistakes),
            ..Check::default()
        };
        let is_read = check.world();
        let (content, mut mistakes) = (Arc::new(check.content), check.mistakes);
        if is_read {
            values::check(&content, &check.nameless, &mut mistakes);
        }
        if mistakes.count() == 0 {
            Ok(WorldFile(content))
        } else {
            Err(mistakes.into_error(source, file))
        }
    })
}

impl Check {
    fn token(&self, at: usize) -> Token {
        self.content.tape.tokens[at]
    }

    fn error(&mut self, place: u32, what: impl Display) {
        self.mistakes.note(place, || DataError::new(what));
    }

    fn expected(&mut self, at: usize, what: impl Display) {
        let tape = &self.content.tape;
        self.mistakes.note(tape.tokens[at].start, || {
            Reader::new(tape, at, Unknown::Refused).mismatch(what)
        });
    }

    /// Notes an error, if the result is one.
    fn take<T>(&mut self, result: Result<T, DataError>, place: u32) -> Option<T> {
        result
            .map_err(|error| self.mistakes.note(place, || error))
            .ok()
    }

    /// Returns the string or the word at a token.
    fn str(&self, at: u32) -> &str {
        self.content.str(at)
    }

    /// Looks up the name at a token in the program.
    fn look_up<T>(
        &mut self,
        at: u32,
        which: Names,
        find: impl FnOnce(&str) -> Result<T, DataError>,
    ) -> Option<T> {
        let token = self.token(at as usize);
        let name = self.content.tape.str(token);
        let found = self.unknown.look_up(which, name, find);
        found
            .map_err(|error| self.mistakes.note(token.start, || error))
            .ok()
    }

    /// Reads the fields of a part, by name.
    fn fields(&mut self, at: usize, name: &str, known: &'static [&'static str]) -> Fields {
        let mut fields = Fields {
            known,
            at: [None; wires::WIRE.len()],
        };
        let mut content = at;
        let token = self.token(at);
        if token.kind == Kind::Named {
            if self.content.tape.str(token) != name {
                self.expected(at, format_args!("`{name}(…)`"));
                return fields;
            }
            content += 1;
        }
        let token = self.token(content);
        match token.kind {
            Kind::Unit => return fields,
            Kind::Fields => {}
            _ => {
                self.expected(at, format_args!("`{name}` with its fields in parentheses"));
                return fields;
            }
        }
        for (key, value) in self.entries(content) {
            let token = self.token(key);
            let field = self.content.tape.str(token);
            if let Some(index) = known.iter().position(|known| *known == field) {
                if fields.at[index].replace(number(value)).is_some() {
                    self.error(
                        token.start,
                        format_args!("`{}` is given twice", known[index]),
                    );
                }
            } else {
                self.mistakes.note(token.start, || {
                    no_such(&format!("`{name}` has no field"), field, "it has", known)
                });
            }
        }
        fields
    }

    /// Returns where a field begins, and notes a mistake if it is missing.
    fn needed(&mut self, fields: &Fields, name: &str, place: u32, missing: &str) -> Option<usize> {
        let at = fields.get(name);
        if at.is_none() {
            self.error(place, missing);
        }
        at
    }

    /// Returns where the values of a list begin.
    fn list(&mut self, at: Option<usize>, what: &str) -> Vec<usize> {
        let Some(at) = at else {
            return Vec::new();
        };
        if self.token(at).kind != Kind::Seq {
            self.expected(at, format_args!("a list of {what} between `[` and `]`"));
            return Vec::new();
        }
        let parts = self.content.tape.parts(at);
        parts.map(|(_, value)| value).collect()
    }

    /// Returns where each key of a map begins, and where its value does.
    fn map(&mut self, at: Option<usize>, what: &str) -> Vec<(usize, usize)> {
        let Some(at) = at else {
            return Vec::new();
        };
        if self.token(at).kind != Kind::Map {
            self.expected(at, format_args!("{what} by name between `{{` and `}}`"));
            return Vec::new();
        }
        self.entries(at)
    }

    /// Returns where each key of a map or a struct begins, and where its value does.
    fn entries(&self, at: usize) -> Vec<(usize, usize)> {
        let parts = self.content.tape.parts(at);
        parts.filter_map(|(key, at)| Some((key?, at))).collect()
    }

    /// Returns the token of a string.
    fn string(&mut self, at: usize, what: impl Display) -> Option<u32> {
        if self.token(at).kind != Kind::Str {
            self.expected(at, format_args!("{what} between `\"`"));
            return None;
        }
        Some(number(at))
    }

    /// Returns the tokens of the strings in a list.
    fn strings(&mut self, at: Option<usize>, what: &str) -> Vec<u32> {
        let items = self.list(at, &format!("{what}s")).into_iter();
        let what = format!("the name of a {what}");
        items.filter_map(|item| self.string(item, &what)).collect()
    }

    /// Returns `false` if the file needs plugins that are not loaded: everything that only they know would be a
    /// further mistake.
    fn world(&mut self) -> bool {
        let fields = self.fields(0, "World", WORLD);
        self.version(fields.get("version"));
        if !self.plugins(fields.get("plugins")) {
            return false;
        }
        for (name, value) in self.map(fields.get("templates"), "templates") {
            self.template(name, value);
        }
        self.bake_templates();
        self.messagees_of(fields.get("messagees"), None);
        self.sort_names();
        self.find_parents();
        self.content.wires = self.world_wires(fields.get("wires"));
        let led_to = self.find_targets();
        self.content.groups = self.group_order(fields.get("groups"));
        self.check_size(led_to);
        true
    }

    fn version(&mut self, at: Option<usize>) {
        let Some(at) = at else {
            let what = format!("the world has no version: expected `version: {VERSION}`");
            return self.error(self.token(0).start, what);
        };
        let token = self.token(at);
        if token.kind == Kind::Natural && token.data == VERSION {
            return;
        }
        let newer = token.kind == Kind::Natural && token.data > VERSION;
        let cure = if newer {
            "; it was written for a newer version of message-core"
        } else {
            ""
        };
        let tape = &self.content.tape;
        self.mistakes.note(token.start, || {
            let found = Reader::new(tape, at, Unknown::Refused)
                .mismatch(format_args!("the version {VERSION} of world files"));
            found.saying(|what| format!("{what}{cure}"))
        });
    }

    /// Rejects a file whose content is too large when it is instantiated.
    fn check_size(&mut self, led_to: u64) {
        let specs = self.content.messagees.iter();
        let bytes: u64 = specs
            .map(|spec| spec.outfit.sum.bytes)
            .fold(led_to, u64::saturating_add);
        let most = self.content.options.max_expanded;
        if bytes > most {
            let what = format!(
                "the components and wires of the messagees take {bytes} bytes with those of their templates: \
                 expected at most {most} bytes; make several files, or raise \
                 `WorldOptions::max_expanded`"
            );
            self.error(self.token(0).start, what);
        }
    }

    /// Reads a list of groups to join.
    fn joined(&mut self, at: Option<usize>) -> Vec<Group> {
        let mut groups = Vec::new();
        for name in self.strings(at, "group") {
            if let Some(found) = self.look_up(name, Names::Group, find_group) {
                if groups.contains(&found) {
                    self.error_of(name, |name| format!("the group `{name}` is joined twice"));
                } else {
                    groups.push(found);
                }
            }
        }
        groups
    }

    /// Notes what is wrong at a token.
    fn note(&mut self, at: u32, what: impl FnOnce(&Content) -> String) {
        let content = &self.content;
        self.mistakes
            .note(content.place(at), || DataError::new(what(content)));
    }

    /// Notes what is wrong with the name at a token.
    fn error_of(&mut self, at: u32, what: impl FnOnce(Short<'_>) -> String) {
        self.note(at, |content| what(Short(content.str(at))));
    }

    fn template(&mut self, name: usize, value: usize) {
        let fields = self.fields(value, "Template", TEMPLATE);
        if let Some(name) = self.string(name, "the name of a template") {
            let fields = Some(fields);
            self.raw_templates.push(RawTemplate { name, fields });
        }
    }

    fn messagee(&mut self, at: usize, within: Option<u32>) {
        let fields = self.fields(at, "Messagee", MESSAGEE);
        let place = self.token(at).start;
        let what = "this messagee has no name: expected `name: \"…\"`";
        let name = self.needed(&fields, "name", place, what);
        let name = name.and_then(|at| self.string(at, "a name"));
        if let Some(name) = name.filter(|&name| self.str(name).is_empty()) {
            self.error_of(name, |_| {
                "the name is empty: expected at least one character".to_owned()
            });
        }
        let label = fields.get("label");
        let label = label.and_then(|at| self.string(at, "a label"));
        let parent = fields.get("parent");
        let named = parent.and_then(|at| self.string(at, "the name of a messagee"));
        let outfit = self.outfit(&fields, outfit::MESSAGEE, &mut Vec::new());
        let own = number(self.content.messagees.len());
        let children = fields.get("children");
        let Some(name) = name.filter(|&name| !self.str(name).is_empty()) else {
            if !(outfit.parts.is_empty() && outfit.overrides.is_empty() && outfit.wires.is_empty())
            {
                self.nameless.push(outfit);
            }
            return self.messagees_of(children, within);
        };
        if let (Some(named), Some(within)) = (named, within) {
            let above = self.content.messagees[within as usize].name;
            self.note(named, |content| {
                let [above, name] = [above, name].map(|at| Short(content.str(at)));
                format!("`{name}` already has a parent: it is among the children of `{above}`")
            });
        }
        let mut mnemonics = Vec::new();
        for mnemonic in self.strings(fields.get("mnemonics"), "mnemonic") {
            if let Some(found) = self.look_up(mnemonic, Names::Mnemonic, find_mnemonic) {
                self.check_mnemonic(found, name, mnemonic);
                mnemonics.push((found, self.token(mnemonic as usize).start));
            }
        }
        self.content.messagees.push(Spec {
            name,
            label,
            outfit,
            parent: None,
            mnemonics: mnemonics.into(),
        });
        self.parents.push(RawParent { named, within });
        self.messagees_of(children, Some(own));
    }

    fn messagees_of(&mut self, at: Option<usize>, within: Option<u32>) {
        for at in self.list(at, "messagees") {
            self.messagee(at, within);
        }
    }

    /// Notes a mistake if a mnemonic is bound twice.
    fn check_mnemonic(&mut self, mnemonic: Mnemonic, by: u32, at: u32) {
        let Some(first) = self.mnemonics.insert(mnemonic, by) else {
            return;
        };
        self.mnemonics.insert(mnemonic, first);
        self.note(at, |content| {
            let [first, by] = [first, by].map(|at| Short(content.str(at)));
            let name = mnemonic.name();
            format!("the mnemonic `{name}` is bound twice: to `{first}` and to `{by}`")
        });
    }
}
