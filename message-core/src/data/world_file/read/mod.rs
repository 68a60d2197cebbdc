//! From a tape to a world file: every mistake is gathered, and reading goes on behind it.

mod bake;
mod names;
mod plugins;
mod values;
mod wires;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use crate::data::declared::{find_group, find_mnemonic};
use crate::data::error::{DataError, no_such};
use crate::data::nearest::nearest;
use crate::data::reader::{Reader, Unknown};
use crate::data::tape::{Extensions, Kind, Tape, Token};
use crate::data::text;
use crate::data::world_file::{Outfit, VERSION, WorldFile};
use crate::group::Group;
use crate::mnemonic::Mnemonic;

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
];

/// A name, and where it stands.
type Placed = (String, u32);

/// What a template or a messagee is made of, as it is written.
#[derive(Default)]
struct Made {
    from: Vec<Placed>,
    /// Where each value begins.
    components: Vec<usize>,
    overrides: Vec<usize>,
    disabled: Vec<usize>,
    wires: Vec<usize>,
    groups: Vec<Group>,
}

struct RawTemplate {
    name: String,
    made: Made,
}

struct RawMessagee {
    name: String,
    label: Option<String>,
    place: u32,
    made: Made,
    parent: Option<Placed>,
    /// Among whose children it stands.
    within: Option<usize>,
    mnemonics: Vec<(Mnemonic, u32)>,
}

/// What a template or a messagee is made of, with all that its templates are made of.
#[derive(Clone, Default)]
struct Baked {
    outfit: Outfit,
    /// Where each wire begins.
    wires: Vec<usize>,
    /// The templates that it comes from.
    bases: BTreeSet<usize>,
}

struct Check {
    tape: Tape,
    errors: Vec<DataError>,
    templates: Vec<RawTemplate>,
    messagees: Vec<RawMessagee>,
    /// Where each wire of the world itself begins.
    wires: Vec<usize>,
    groups: Vec<(Group, Vec<Placed>)>,
    baked: Vec<Option<Baked>>,
}

/// Reads and checks a text.
pub(super) fn read(source: &str, file: Option<Arc<str>>) -> Result<WorldFile, Vec<DataError>> {
    let tape = text::read(source, Extensions::NONE).map_err(|error| vec![error])?;
    let mut check = Check {
        tape,
        errors: Vec::new(),
        templates: Vec::new(),
        messagees: Vec::new(),
        wires: Vec::new(),
        groups: Vec::new(),
        baked: Vec::new(),
    };
    let read = check.world(source, file);
    if check.errors.is_empty() {
        return Ok(read);
    }
    let mut errors = check.errors;
    errors.sort_by_key(DataError::offset);
    let mut seen = HashSet::new();
    errors.retain(|error| seen.insert((error.offset(), error.what().to_owned())));
    let placed = errors.into_iter().map(|error| error.in_text(source));
    Err(placed.collect())
}

impl Check {
    fn token(&self, at: usize) -> Token {
        self.tape.tokens[at]
    }

    fn error(&mut self, place: u32, what: impl std::fmt::Display) {
        self.errors.push(DataError::new(what).at(place));
    }

    fn expected(&mut self, at: usize, what: &str) {
        let found = Reader::new(&self.tape, at, Unknown::Refused).mismatch(what);
        self.errors.push(found);
    }

    /// Notes an error, if it is one.
    fn take<T>(&mut self, result: Result<T, DataError>, place: u32) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.errors.push(error.at(place));
                None
            }
        }
    }

    /// The fields of a part, by name.
    fn fields(
        &mut self,
        at: usize,
        name: &str,
        known: &[&'static str],
    ) -> HashMap<&'static str, usize> {
        let mut fields = HashMap::new();
        let mut content = at;
        let token = self.token(at);
        if token.kind == Kind::Named {
            if self.tape.str(token) != name {
                self.expected(at, &format!("`{name}(…)`"));
                return fields;
            }
            content += 1;
        }
        let token = self.token(content);
        match token.kind {
            Kind::Unit => return fields,
            Kind::Fields => {}
            _ => {
                self.expected(at, &format!("`{name}` with its fields in parentheses"));
                return fields;
            }
        }
        let mut next = content + 1;
        for _ in 0..token.len() {
            let key = self.token(next);
            let field = self.tape.str(key);
            if let Some(known) = known.iter().find(|known| **known == field) {
                if fields.insert(*known, next + 1).is_some() {
                    self.error(key.start, format_args!("`{known}` is given twice"));
                }
            } else {
                let what = format!("`{name}` has no field");
                let error = no_such(&what, field, "it has", known);
                self.errors.push(error.at(key.start));
            }
            next = self.tape.behind(next + 1);
        }
        fields
    }

    /// The values of a list.
    fn list(&mut self, at: Option<&usize>, what: &str) -> Vec<usize> {
        let Some(&at) = at else {
            return Vec::new();
        };
        let token = self.token(at);
        if token.kind != Kind::Seq {
            self.expected(at, &format!("a list of {what} between `[` and `]`"));
            return Vec::new();
        }
        let mut next = at + 1;
        let mut items = Vec::new();
        for _ in 0..token.len() {
            items.push(next);
            next = self.tape.behind(next);
        }
        items
    }

    /// The keys and values of a map.
    fn map(&mut self, at: Option<&usize>, what: &str) -> Vec<(usize, usize)> {
        let Some(&at) = at else {
            return Vec::new();
        };
        let token = self.token(at);
        if token.kind != Kind::Map {
            self.expected(at, &format!("{what} by name between `{{` and `}}`"));
            return Vec::new();
        }
        let mut next = at + 1;
        let mut entries = Vec::new();
        for _ in 0..token.len() {
            let value = self.tape.behind(next);
            entries.push((next, value));
            next = self.tape.behind(value);
        }
        entries
    }

    fn string(&mut self, at: usize, what: &str) -> Option<Placed> {
        let token = self.token(at);
        if token.kind != Kind::Str {
            self.expected(at, &format!("{what} between `\"`"));
            return None;
        }
        Some((self.tape.str(token).to_owned(), token.start))
    }

    fn strings(&mut self, at: Option<&usize>, what: &str) -> Vec<Placed> {
        let items = self.list(at, &format!("{what}s")).into_iter();
        let mut strings = Vec::new();
        for item in items {
            strings.extend(self.string(item, &format!("the name of a {what}")));
        }
        strings
    }

    fn world(&mut self, source: &str, file: Option<Arc<str>>) -> WorldFile {
        let fields = self.fields(0, "World", WORLD);
        self.version(fields.get("version"));
        if !self.plugins(fields.get("plugins")) {
            // All that only the plugin knows would be one more error each.
            return WorldFile {
                file,
                source_len: 0,
                tape: Tape::default(),
                templates: Vec::new(),
                messagees: Vec::new(),
                wires: Vec::new(),
                groups: Vec::new(),
            };
        }
        for (name, value) in self.map(fields.get("templates"), "templates") {
            self.template(name, value);
        }
        for at in self.list(fields.get("messagees"), "messagees") {
            self.messagee(at, None);
        }
        self.wires = self.list(fields.get("wires"), "wires");
        for (group, members) in self.map(fields.get("groups"), "groups") {
            let group = self.string(group, "the name of a group");
            let members = self.strings(Some(&members), "messagee");
            if let Some((name, place)) = group
                && let Some(group) = self.take(find_group(&name), place)
            {
                self.groups.push((group, members));
            }
        }
        let names = self.names();
        let parents = self.parents(&names);
        let templates = self.bake_templates();
        let (messagees, own_wires) = self.specs(&parents);
        let wires = self.wire_specs(&names, own_wires);
        let groups = self.group_order(&names);
        self.check_values(names, &templates, &messagees, &wires);
        WorldFile {
            file,
            source_len: source.len(),
            tape: std::mem::take(&mut self.tape),
            templates,
            messagees,
            wires,
            groups,
        }
    }

    fn version(&mut self, at: Option<&usize>) {
        let Some(&at) = at else {
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
        let found = Reader::new(&self.tape, at, Unknown::Refused)
            .mismatch(format_args!("the version {VERSION} of world files"));
        self.errors
            .push(found.saying(|what| format!("{what}{cure}")));
    }

    fn made(&mut self, fields: &HashMap<&'static str, usize>) -> Made {
        Made {
            from: self.strings(fields.get("from"), "template"),
            components: self.list(fields.get("components"), "components"),
            overrides: self.list(fields.get("overrides"), "components"),
            disabled: self.list(fields.get("disabled"), "components"),
            wires: self.list(fields.get("wires"), "wires"),
            groups: self.joined(fields.get("groups")),
        }
    }

    /// The groups that somebody joins.
    fn joined(&mut self, at: Option<&usize>) -> Vec<Group> {
        let mut groups = Vec::new();
        for (group, place) in self.strings(at, "group") {
            if let Some(found) = self.take(find_group(&group), place) {
                if groups.contains(&found) {
                    self.error(place, format_args!("the group `{group}` is joined twice"));
                }
                groups.push(found);
            }
        }
        groups
    }

    fn template(&mut self, name: usize, value: usize) {
        let fields = self.fields(value, "Template", TEMPLATE);
        let made = self.made(&fields);
        let Some((name, place)) = self.string(name, "the name of a template") else {
            return;
        };
        if self.templates.iter().any(|other| other.name == name) {
            self.error(place, format_args!("two templates are called `{name}`"));
            return;
        }
        self.templates.push(RawTemplate { name, made });
    }

    fn messagee(&mut self, at: usize, within: Option<usize>) {
        let fields = self.fields(at, "Messagee", MESSAGEE);
        let place = self.token(at).start;
        let made = self.made(&fields);
        let name = if let Some(&name) = fields.get("name") {
            self.string(name, "a name")
        } else {
            self.error(place, "this messagee has no name: expected `name: \"…\"`");
            None
        };
        let (name, place) = name.unwrap_or_else(|| (String::new(), place));
        if name.is_empty() && fields.contains_key("name") && self.errors_at(place) == 0 {
            self.error(place, "a name has at least one character");
        }
        let label = fields.get("label").copied();
        let label = label.and_then(|at| self.string(at, "a label"));
        let parent = fields.get("parent").copied();
        let parent = parent.and_then(|at| self.string(at, "the name of a messagee"));
        if let (Some((_, place)), Some(within)) = (&parent, within) {
            let above = &self.messagees[within].name;
            let what =
                format!("`{name}` has a parent already: it stands among the children of `{above}`");
            self.error(*place, what);
        }
        let mut mnemonics = Vec::new();
        for (mnemonic, place) in self.strings(fields.get("mnemonics"), "mnemonic") {
            if let Some(found) = self.take(find_mnemonic(&mnemonic), place) {
                self.check_mnemonic(found, &name, place, &mnemonics);
                mnemonics.push((found, place));
            }
        }
        let own = self.messagees.len();
        self.messagees.push(RawMessagee {
            name,
            label: label.map(|(label, _)| label),
            place,
            made,
            parent,
            within,
            mnemonics,
        });
        for at in self.list(fields.get("children"), "messagees") {
            self.messagee(at, Some(own));
        }
    }

    fn errors_at(&self, place: u32) -> usize {
        let at = self.errors.iter();
        at.filter(|error| error.offset() == Some(place as usize))
            .count()
    }

    fn check_mnemonic(
        &mut self,
        mnemonic: Mnemonic,
        by: &str,
        place: u32,
        own: &[(Mnemonic, u32)],
    ) {
        let mut others = self.messagees.iter();
        let of_others = others.find(|it| it.mnemonics.iter().any(|(other, _)| *other == mnemonic));
        let first = of_others.map(|it| it.name.clone());
        let first = first.or_else(|| {
            let is_own = own.iter().any(|(other, _)| *other == mnemonic);
            is_own.then(|| by.to_owned())
        });
        if let Some(first) = first {
            let name = mnemonic.name();
            let what = format!("the mnemonic `{name}` is bound twice: to `{first}` and to `{by}`");
            self.error(place, what);
        }
    }
}

/// What a pattern without wildcards means.
pub(super) fn literal(pattern: &str) -> Option<String> {
    let mut text = String::new();
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        match character {
            '*' | '?' => return None,
            '\\' => text.push(characters.next().unwrap_or('\\')),
            _ => text.push(character),
        }
    }
    Some(text)
}

/// The name that was probably meant, as a question.
fn nearest_name<'n>(name: &str, known: impl Iterator<Item = &'n String>) -> String {
    let mut known: Vec<&str> = known.map(String::as_str).collect();
    known.sort_unstable();
    let near = nearest(name, known).map(|near| format!("; did you mean `{near}`?"));
    near.unwrap_or_default()
}
