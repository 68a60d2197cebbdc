//! From a tape to a world file: every mistake is gathered, and reading goes on behind it.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use crate::address::MessageeId;
use crate::data::data_type::DataType;
use crate::data::declared::{find_group, find_mnemonic};
use crate::data::error::{DataError, no_such};
use crate::data::messages::{component_of, message_of, name_in_files, named_value_in};
use crate::data::nearest::nearest;
use crate::data::reader::{Reader, Unknown};
use crate::data::scope::Scope;
use crate::data::tape::{Kind, Tape, Token};
use crate::data::text;
use crate::data::types::{find_component, find_message};
use crate::data::wire::{NEVER, POSTS, WireTarget, WireTerms};
use crate::data::world_file::{Part, Spec, Template, VERSION, WireSpec, WorldFile};
use crate::group::Group;
use crate::key::Key;
use crate::link::registry;
use crate::mnemonic::Mnemonic;
use crate::time::Stage;

/// How many templates may be made from each other, one from the next.
const MAX_TEMPLATES_DEEP: usize = 100;

/// How often a value is read again without what was wrong in it, to find what else is.
const MAX_RETRIES: usize = 32;

/// The names of the fields of each part.
const WORLD: &[&str] = &["version", "templates", "messagees", "wires", "groups"];
const TEMPLATE: &[&str] = &["from", "components", "overrides"];
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
const WIRE: &[&str] = &[
    "from", "on", "to", "send", "after", "times", "stage", "enabled",
];
const OWN_WIRE: &[&str] = &["on", "to", "send", "after", "times", "stage", "enabled"];

/// A name, and where it stands.
type Placed = (String, u32);

/// What a template or a messagee is made of, as it is written.
#[derive(Default)]
struct Made {
    from: Vec<Placed>,
    /// Where each value begins.
    components: Vec<usize>,
    overrides: Vec<usize>,
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
    groups: Vec<Group>,
    /// Where each entry begins.
    disabled: Vec<usize>,
}

/// A wire before it is known which names there are.
struct RawWire {
    at: usize,
    /// The messagee that it stands in.
    own: Option<usize>,
}

/// Parts, and the templates that they come from.
type Baked = (Vec<Part>, BTreeSet<usize>);

struct Check {
    tape: Tape,
    errors: Vec<DataError>,
    templates: Vec<RawTemplate>,
    messagees: Vec<RawMessagee>,
    wires: Vec<RawWire>,
    groups: Vec<(Group, Vec<Placed>)>,
    baked: Vec<Option<Baked>>,
}

/// Reads and checks a text.
pub(super) fn read(source: &str, file: Option<Arc<str>>) -> Result<WorldFile, Vec<DataError>> {
    let tape = text::read(source).map_err(|error| vec![error])?;
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
        for (name, value) in self.map(fields.get("templates"), "templates") {
            self.template(name, value);
        }
        for at in self.list(fields.get("messagees"), "messagees") {
            self.messagee(at, None);
        }
        for at in self.list(fields.get("wires"), "wires") {
            self.wires.push(RawWire { at, own: None });
        }
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
        let messagees = self.specs(&parents);
        let wires = self.wire_specs(&names);
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
            .mismatch(&format!("the version {VERSION} of world files"));
        self.errors
            .push(found.saying(|what| format!("{what}{cure}")));
    }

    fn made(&mut self, fields: &HashMap<&'static str, usize>) -> Made {
        Made {
            from: self.strings(fields.get("from"), "template"),
            components: self.list(fields.get("components"), "components"),
            overrides: self.list(fields.get("overrides"), "components"),
        }
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
        let mut groups = Vec::new();
        for (group, place) in self.strings(fields.get("groups"), "group") {
            if let Some(found) = self.take(find_group(&group), place) {
                if groups.contains(&found) {
                    self.error(
                        place,
                        format_args!("`{name}` is in the group `{group}` already"),
                    );
                }
                groups.push(found);
            }
        }
        let disabled = self.list(fields.get("disabled"), "components");
        let own = self.messagees.len();
        self.messagees.push(RawMessagee {
            name,
            label: label.map(|(label, _)| label),
            place,
            made,
            parent,
            within,
            mnemonics,
            groups,
            disabled,
        });
        for at in self.list(fields.get("wires"), "wires") {
            self.wires.push(RawWire { at, own: Some(own) });
        }
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

    /// Which messagee has which name.
    fn names(&mut self) -> HashMap<String, usize> {
        let mut names = HashMap::new();
        let mut twice = Vec::new();
        for (index, it) in self.messagees.iter().enumerate() {
            if it.name.is_empty() {
                continue;
            }
            if names.contains_key(&it.name) {
                twice.push((it.place, it.name.clone()));
            } else {
                names.insert(it.name.clone(), index);
            }
        }
        for (place, name) in twice {
            self.error(
                place,
                format_args!(
                    "two messagees are called `{name}`: expected names that differ; `label: \
                     \"{name}\"` gives another one the same name in the manager"
                ),
            );
        }
        names
    }

    fn find_messagee(&mut self, names: &HashMap<String, usize>, name: &Placed) -> Option<usize> {
        let (name, place) = name;
        let found = names.get(name).copied();
        if found.is_none() {
            let near = nearest_name(name, names.keys());
            let what = format!("no messagee in this file is called `{name}`{near}");
            self.error(*place, what);
        }
        found
    }

    /// Who stands under whom.
    fn parents(&mut self, names: &HashMap<String, usize>) -> Vec<Option<usize>> {
        let mut parents = Vec::new();
        for index in 0..self.messagees.len() {
            let it = &self.messagees[index];
            let (within, parent) = (it.within, it.parent.clone());
            let found = parent.and_then(|parent| self.find_messagee(names, &parent));
            parents.push(within.or(found));
        }
        // Each is gone up from once: who was met before leads nowhere new.
        let mut met_from = vec![usize::MAX; parents.len()];
        for start in 0..parents.len() {
            let mut at = start;
            while met_from[at] == usize::MAX {
                met_from[at] = start;
                let Some(parent) = parents[at] else { break };
                at = parent;
                if met_from[at] == start {
                    self.circle_of_parents(at, &parents);
                    break;
                }
            }
        }
        parents
    }

    fn circle_of_parents(&mut self, first: usize, parents: &[Option<usize>]) {
        let mut circle = vec![first];
        let mut at = parents[first];
        while let Some(next) = at.filter(|&next| next != first) {
            circle.push(next);
            at = parents[next];
        }
        circle.push(first);
        let text = |&index: &usize| format!("`{}`", self.messagees[index].name);
        let chain: Vec<String> = circle.iter().map(text).collect();
        let place = circle
            .iter()
            .filter_map(|&index| self.messagees[index].parent.as_ref())
            .map(|(_, place)| *place)
            .min();
        let name = &self.messagees[first].name;
        let what = format!("`{name}` is its own ancestor: {}", chain.join(" under "));
        self.error(place.unwrap_or(0), what);
    }

    fn bake_templates(&mut self) -> Vec<Template> {
        self.baked = self.templates.iter().map(|_| None).collect();
        let mut templates = Vec::new();
        for index in 0..self.templates.len() {
            let (parts, _) = self.bake(index, &mut Vec::new());
            templates.push(Template {
                name: self.templates[index].name.clone(),
                parts,
            });
        }
        templates
    }

    /// The components of a template, and the templates that they come from.
    fn bake(&mut self, index: usize, within: &mut Vec<usize>) -> Baked {
        if let Some(baked) = &self.baked[index] {
            return baked.clone();
        }
        within.push(index);
        let made = std::mem::take(&mut self.templates[index].made);
        let (parts, mut bases) = self.layers(&made, within);
        within.pop();
        bases.insert(index);
        self.baked[index] = Some((parts.clone(), bases.clone()));
        (parts, bases)
    }

    /// What is made of templates, components and overrides.
    fn layers(&mut self, made: &Made, within: &mut Vec<usize>) -> Baked {
        let (mut parts, mut bases) = (Vec::new(), BTreeSet::new());
        for (name, place) in &made.from {
            let index = self.templates.iter().position(|it| it.name == *name);
            let Some(index) = index else {
                let known: Vec<String> = self.templates.iter().map(|it| it.name.clone()).collect();
                let near = nearest_name(name, known.iter());
                let what = format!("no template is called `{name}`{near}");
                self.error(*place, what);
                continue;
            };
            if let Some(begin) = within.iter().position(|&other| other == index) {
                let circle = within[begin..].iter().chain([&index]);
                let text = |&index: &usize| format!("`{}`", self.templates[index].name);
                let chain: Vec<String> = circle.map(text).collect();
                let what = format!("`{name}` is made from itself: {}", chain.join(" from "));
                self.error(*place, what);
                continue;
            }
            if within.len() >= MAX_TEMPLATES_DEEP {
                let what = format!(
                    "templates are made from each other too deeply: expected at most \
                     {MAX_TEMPLATES_DEEP}"
                );
                self.error(*place, what);
                continue;
            }
            let (own, of) = self.bake(index, within);
            if let Some(&twice) = of.intersection(&bases).next() {
                let twice = &self.templates[twice].name;
                let what = if twice == name {
                    format!("the template `{name}` is used twice")
                } else {
                    format!("the template `{twice}` is used twice: the second time by `{name}`")
                };
                self.error(*place, what);
                continue;
            }
            bases.extend(of);
            parts.extend(own);
        }
        for &at in &made.components {
            parts.extend(self.part(at));
        }
        for &at in &made.overrides {
            if let Some(part) = self.part(at) {
                self.layer(&mut parts, &part);
            }
        }
        (parts, bases)
    }

    /// A component by name.
    fn part(&mut self, at: usize) -> Option<Part> {
        let place = self.token(at).start;
        let named = named_value_in(&mut self.tape, at);
        let (name, place, at) = self.take(named, place)?;
        let ty = self.take(find_component(&name), place)?;
        Some(Part { ty, at, place })
    }

    /// Puts the fields of an override over the component that is there.
    fn layer(&mut self, parts: &mut [Part], over: &Part) {
        let name = name_in_files(over.ty);
        let is_it = |part: &&mut Part| std::ptr::eq(part.ty, over.ty);
        let known: Vec<&str> = parts.iter().map(|part| name_in_files(part.ty)).collect();
        let mut there = parts.iter_mut().filter(is_it);
        match (there.next(), there.next()) {
            (Some(part), None) => {
                let layered = self.layered(part.at, over.at);
                if let Some(at) = self.take(layered, over.place) {
                    part.at = at;
                }
            }
            (None, _) => {
                let error = no_such(
                    "there is no component to override:",
                    name,
                    "there are",
                    &known,
                );
                self.errors.push(error.at(over.place));
            }
            (Some(_), Some(_)) => {
                let what = format!("there are several `{name}`: an override has to mean one");
                self.error(over.place, what);
            }
        }
    }

    /// The fields at `over`, and those at `base` that `over` does not have.
    fn layered(&mut self, base: usize, over: usize) -> Result<usize, DataError> {
        let (below, above) = (self.token(base), self.token(over));
        if below.kind != Kind::Fields || above.kind != Kind::Fields {
            // Without names there is nothing to be layered.
            let keeps = above.kind == Kind::Unit && below.kind == Kind::Fields;
            return Ok(if keeps { base } else { over });
        }
        let (own, new) = (self.entries(base), self.entries(over));
        let mut wanted: Vec<usize> = Vec::new();
        for &key in &own {
            let name = self.tape.str(self.token(key));
            let other = new
                .iter()
                .find(|&&it| self.tape.str(self.token(it)) == name);
            wanted.push(other.copied().unwrap_or(key));
        }
        wanted.extend(
            new.iter()
                .filter(|key| !wanted.contains(key))
                .copied()
                .collect::<Vec<_>>(),
        );
        self.with_entries(above, &wanted)
    }

    /// Where the keys of fields stand.
    fn entries(&self, at: usize) -> Vec<usize> {
        let mut next = at + 1;
        let mut keys = Vec::new();
        for _ in 0..self.token(at).len() {
            keys.push(next);
            next = self.tape.behind(next + 1);
        }
        keys
    }

    /// Fields that are copies of those at these keys.
    fn with_entries(&mut self, like: Token, keys: &[usize]) -> Result<usize, DataError> {
        if keys.is_empty() {
            self.tape.push(Kind::Unit, 0, (like.start, like.end));
            return Ok(self.tape.tokens.len() - 1);
        }
        let opened = self.tape.open(Kind::Fields, like.start);
        for &key in keys {
            self.tape.repeat(key)?;
            self.tape.repeat(key + 1)?;
        }
        let len = u32::try_from(keys.len()).map_err(|_| DataError::too_large())?;
        self.tape.close(opened, len, like.end)?;
        Ok(opened)
    }

    fn specs(&mut self, parents: &[Option<usize>]) -> Vec<Spec> {
        let mut specs = Vec::new();
        for (index, &parent) in parents.iter().enumerate() {
            let made = std::mem::take(&mut self.messagees[index].made);
            let (parts, _) = self.layers(&made, &mut Vec::new());
            let disabled = std::mem::take(&mut self.messagees[index].disabled);
            let disabled = disabled
                .into_iter()
                .filter_map(|at| self.disabled(at, &parts))
                .collect();
            let it = &mut self.messagees[index];
            let label = it.label.take().unwrap_or_else(|| it.name.clone());
            specs.push(Spec {
                name: it.name.clone(),
                label: label.into(),
                parts,
                parent,
                mnemonics: std::mem::take(&mut it.mnemonics),
                groups: std::mem::take(&mut it.groups),
                disabled,
            });
        }
        specs
    }

    /// Which component begins disabled: `"Mind"`, or `("Mind", 2)` for the second of its type.
    fn disabled(&mut self, at: usize, parts: &[Part]) -> Option<usize> {
        let token = self.token(at);
        let is_pair = token.kind == Kind::Tuple && token.len() == 2;
        let (name, place) = self.string(at + usize::from(is_pair), "the name of a component")?;
        let ty = self.take(find_component(&name), place)?;
        let there = parts.iter().enumerate();
        let there: Vec<usize> = there
            .filter(|(_, part)| std::ptr::eq(part.ty, ty))
            .map(|(index, _)| index)
            .collect();
        let wanted = if is_pair {
            let number = self.token(at + 2);
            let number = (number.kind == Kind::Natural).then_some(number.data);
            let Some(number) = number.and_then(|number| usize::try_from(number).ok()) else {
                self.expected(at + 2, "a number from 1");
                return None;
            };
            Some(number)
        } else {
            (there.len() < 2).then_some(1)
        };
        let Some(wanted) = wanted else {
            let what = format!(
                "there are several `{name}`: expected `(\"{name}\", 1)` for the first of them"
            );
            self.error(place, what);
            return None;
        };
        let found = wanted.checked_sub(1).and_then(|index| there.get(index));
        if found.is_none() {
            let known: Vec<&str> = parts.iter().map(|part| name_in_files(part.ty)).collect();
            let what = if there.is_empty() {
                "there is no component to disable:"
            } else {
                "there are not so many components"
            };
            let error = no_such(what, &name, "there are", &known);
            self.errors.push(error.at(place));
        }
        found.copied()
    }

    fn wire_specs(&mut self, names: &HashMap<String, usize>) -> Vec<WireSpec> {
        let labels = self
            .messagees
            .iter()
            .map(|it| it.label.as_ref().unwrap_or(&it.name));
        let labels: HashSet<String> = labels.cloned().collect();
        let mut specs = Vec::new();
        for wire in std::mem::take(&mut self.wires) {
            specs.extend(self.wire(&wire, names, &labels));
        }
        specs
    }

    fn wire(
        &mut self,
        wire: &RawWire,
        names: &HashMap<String, usize>,
        labels: &HashSet<String>,
    ) -> Option<WireSpec> {
        let known = if wire.own.is_some() { OWN_WIRE } else { WIRE };
        let before = self.errors.len();
        let fields = self.fields(wire.at, "Wire", known);
        let place = self.token(wire.at).start;
        let from = match (wire.own, fields.get("from")) {
            (Some(own), _) => Some(own),
            (None, Some(&at)) => {
                let name = self.string(at, "the name of a messagee");
                name.and_then(|name| self.find_messagee(names, &name))
            }
            (None, None) => {
                self.error(place, "this wire begins nowhere: expected `from: \"…\"`");
                None
            }
        };
        let on = if let Some(&at) = fields.get("on") {
            self.message_name(at)
        } else {
            self.error(
                place,
                "this wire waits for nothing: expected `on:` and a message type",
            );
            None
        };
        let to = if let Some(&at) = fields.get("to") {
            self.target(at, labels)
        } else {
            self.error(place, "this wire leads nowhere: expected `to: \"…\"`");
            None
        };
        let send = if let Some(&at) = fields.get("send") {
            self.message(at)
        } else {
            self.error(
                place,
                "this wire posts nothing: expected `send:` and a message",
            );
            None
        };
        let after = fields.get("after").map(|&at| self.seconds(at));
        let times = fields.get("times").map(|&at| self.times(at));
        let stage = fields.get("stage").map(|&at| self.stage(at));
        let enabled = fields.get("enabled").map(|&at| self.truth(at));
        if self.errors.len() > before {
            return None;
        }
        let (send, at, _) = send?;
        Some(WireSpec {
            from: from?,
            on: on?,
            send,
            at,
            place,
            terms: WireTerms {
                to: to?,
                after: after.unwrap_or(Some(Duration::ZERO))?,
                times: times.flatten(),
                stage: stage.unwrap_or(Some(Stage::Update))?,
                enabled: enabled.unwrap_or(Some(true))?,
            },
        })
    }

    fn message_name(&mut self, at: usize) -> Option<&'static crate::registry::MessageInfo> {
        let token = self.token(at);
        if !matches!(token.kind, Kind::Word | Kind::Str) {
            self.expected(at, "the name of a message type");
            return None;
        }
        let name = self.tape.str(token).to_owned();
        let ty = self.take(find_message(&name), token.start)?;
        let info = registry().message(message_of(ty).id);
        if info.is_none() {
            let what = format!("the message type `{name}` is not in the registry");
            self.error(token.start, what);
        }
        info
    }

    fn message(&mut self, at: usize) -> Option<(&'static DataType, usize, u32)> {
        let place = self.token(at).start;
        let named = named_value_in(&mut self.tape, at);
        let (name, place, at) = self.take(named, place)?;
        let ty = self.take(find_message(&name), place)?;
        Some((ty, at, place))
    }

    fn target(&mut self, at: usize, labels: &HashSet<String>) -> Option<WireTarget> {
        let token = self.token(at);
        let text = || self.tape.str(token).to_owned();
        match token.kind {
            Kind::Str => {
                let name = text();
                if let Some(literal) = literal(&name)
                    && !labels.contains(&literal)
                {
                    let near = nearest_name(&literal, labels.iter());
                    let what = format!(
                        "this wire leads to nobody: no messagee in this file is called `{literal}`{near}"
                    );
                    self.error(token.start, what);
                    return None;
                }
                return Some(WireTarget::Name(name));
            }
            Kind::Word if text() == "Me" => return Some(WireTarget::Me),
            Kind::Word if text() == "Activator" => return Some(WireTarget::Activator),
            Kind::Named => {
                let content = self.token(at + 1);
                if content.kind == Kind::Tuple && content.len() == 1 {
                    let kind = text();
                    if kind == "Mnemonic" {
                        let (name, place) = self.string(at + 2, "the name of a mnemonic")?;
                        let found = self.take(find_mnemonic(&name), place)?;
                        return Some(WireTarget::Mnemonic(found));
                    }
                    if kind == "Group" {
                        let (name, place) = self.string(at + 2, "the name of a group")?;
                        let found = self.take(find_group(&name), place)?;
                        return Some(WireTarget::Group(found));
                    }
                }
            }
            _ => {}
        }
        self.expected(
            at,
            "a name between `\"`, `Mnemonic(\"…\")`, `Group(\"…\")`, `Me` or `Activator`",
        );
        None
    }

    fn seconds(&mut self, at: usize) -> Option<Duration> {
        let token = self.token(at);
        let seconds = match token.kind {
            #[allow(
                clippy::cast_precision_loss,
                reason = "more seconds than that do not fit anyway"
            )]
            Kind::Natural => Some(token.data as f64),
            Kind::Float => Some(f64::from_bits(token.data)),
            _ => None,
        };
        let delay = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        // The clock counts nanoseconds in 64 bits.
        let delay = delay.filter(|delay| u64::try_from(delay.as_nanos()).is_ok());
        if delay.is_none() {
            self.expected(at, "a number of seconds from 0 to 18446744073");
        }
        delay
    }

    fn times(&mut self, at: usize) -> Option<u64> {
        let token = self.token(at);
        match (token.kind, token.data) {
            (Kind::Natural, 0) => {
                self.error(token.start, NEVER);
                None
            }
            (Kind::Natural, times) => Some(times),
            _ => {
                self.expected(at, "how often the wire fires: a number from 1");
                None
            }
        }
    }

    fn stage(&mut self, at: usize) -> Option<Stage> {
        let token = self.token(at);
        let name = (token.kind == Kind::Word).then(|| self.tape.str(token));
        let named = |stage: &&Stage| Some(&*stage.to_string()) == name;
        let stage = Stage::WAITING.iter().find(named).copied();
        if stage.is_none() {
            if name == Some("Immediate") {
                self.error(token.start, POSTS);
            } else {
                self.expected(
                    at,
                    "one of `FixedUpdate`, `Update`, `LateUpdate`, `EndOfFrame`",
                );
            }
        }
        stage
    }

    fn truth(&mut self, at: usize) -> Option<bool> {
        let token = self.token(at);
        if token.kind == Kind::Bool {
            return Some(token.data != 0);
        }
        self.expected(at, "`true` or `false`");
        None
    }

    /// In which order the members of groups join.
    fn group_order(&mut self, names: &HashMap<String, usize>) -> Vec<(Group, Vec<usize>)> {
        let mut order = Vec::new();
        for (group, members) in std::mem::take(&mut self.groups) {
            let mut known = Vec::new();
            for member in members {
                if let Some(index) = self.find_messagee(names, &member) {
                    if known.contains(&index) {
                        let (name, place) = &member;
                        let what = format!("`{name}` is in this group already");
                        self.error(*place, what);
                    }
                    known.push(index);
                }
            }
            order.push((group, known));
        }
        order
    }

    /// Really reads every component and every message.
    fn check_values(
        &mut self,
        names: HashMap<String, usize>,
        templates: &[Template],
        messagees: &[Spec],
        wires: &[WireSpec],
    ) {
        let ids = names.into_iter().map(|(name, index)| {
            let place = u32::try_from(index).unwrap_or(u32::MAX);
            // It is not kept: which id it is does not matter.
            let key = Key::from_halves(place, 1).expect("a life of one is not zero");
            (name, MessageeId(key))
        });
        let scope = Scope::Named(ids.collect());
        let of_templates = templates.iter().flat_map(|template| &template.parts);
        let of_messagees = messagees.iter().flat_map(|spec| &spec.parts);
        let mut parts = BTreeMap::new();
        for part in of_templates.chain(of_messagees) {
            parts.insert(part.at, part.ty);
        }
        scope.during(|| {
            for (at, ty) in parts {
                let data = component_of(ty);
                self.check_value(at, &|reader| (data.read)(reader).map(drop));
            }
            for wire in wires {
                let data = message_of(wire.send);
                self.check_value(wire.at, &|reader| (data.read)(reader).map(drop));
            }
        });
    }

    /// Reads a value. Where a field is wrong, reads again without it, to find what else is wrong.
    fn check_value(&mut self, at: usize, read: &dyn Fn(&mut Reader<'_>) -> Result<(), DataError>) {
        let mut at = at;
        for retry in 0..MAX_RETRIES {
            let mut reader = Reader::behind_name(&self.tape, at, Unknown::Noted);
            let result = read(&mut reader);
            let notes = reader.into_notes();
            self.errors.extend(notes);
            let Err(error) = result else { return };
            let token = self.token(at);
            // Without the fields that were wrong some are missing.
            if retry > 0 && error.what().contains(" is incomplete: ") {
                return;
            }
            let error = error.at(token.start);
            let offset = error.offset();
            self.errors.push(error);
            if token.kind != Kind::Fields {
                return;
            }
            let keys = self.entries(at);
            let is_wrong = |&key: &usize| {
                let from = self.token(key).start as usize;
                let to = self.tape.end_of_value(key + 1) as usize;
                offset.is_some_and(|offset| (from..to.max(from + 1)).contains(&offset))
            };
            let good: Vec<usize> = keys.iter().filter(|key| !is_wrong(key)).copied().collect();
            if good.len() == keys.len() {
                return;
            }
            match self.with_entries(token, &good) {
                Ok(again) => at = again,
                Err(_) => return,
            }
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
