//! The wires of a file.

use std::collections::HashSet;
use std::sync::Arc;

use message_core::internals::{literal, pattern_matches};
use message_core::registry;
use message_core::registry::MessageInfo;
use message_format::names::Short;
use message_format::tape::{Kind, Token};
use message_format::{DataError, Reader, Unknown, text};

use crate::data_type::DataType;
use crate::declared::{find_group, find_mnemonic};
use crate::messages::{message_of, named_value_in};
use crate::types::find_message;
use crate::wire::{
    Action, It, Known, NEVER, Op, POSTS, TESTS, WireTarget, WireTerms, WireTest, fields_from_it,
    it_of,
};
use crate::world_file::merge::collect;
use crate::world_file::outfit::MESSAGEE;
use crate::world_file::read::unknown::Names;
use crate::world_file::read::{Check, Fields, number};
use crate::world_file::timing::{Timing, key};
use crate::world_file::{Content, SpecSend, SpecTarget, WireSpec};

/// The fields of a wire.
pub(super) const WIRE: &[&str] = &[
    "from",
    "on",
    "to",
    "send",
    "cancel",
    "when",
    "after",
    "after_frames",
    "every",
    "every_frames",
    "deliveries",
    "key",
    "keep_phase",
    "unless_pending",
    "unscaled",
    "if_alive",
    "retain",
    "tied_to_sender",
    "times",
    "stage",
    "enabled",
];

/// The fields of a wire that is written where it begins.
const OWN_WIRE: &[&str] = WIRE.split_at(1).1;

/// The fields of a [`Timing`].
const TIMING: &[&str] = WIRE.split_at(6).1;

/// The maximum number of characters in all distinct names with wildcards. Each of them is matched against the name
/// of each messagee.
const MAX_WILD: usize = 2_000;

/// The names with wildcards so far.
#[derive(Default)]
pub(in crate::world_file) struct Wild {
    characters: usize,
}

impl Wild {
    /// Adds a name that was not met before, with wildcards or without.
    ///
    /// # Errors
    ///
    /// Returns an error if the names with wildcards come to too much.
    pub(in crate::world_file) fn add(&mut self, name: &str) -> Result<(), DataError> {
        if literal(name).is_some() {
            return Ok(());
        }
        self.characters += name.chars().count();
        if self.characters <= MAX_WILD {
            return Ok(());
        }
        let name = Short(name);
        Err(DataError::new(format_args!(
            "the different names with wildcards are too long at `{name}`: expected at most {MAX_WILD} characters \
             in total"
        )))
    }
}

/// The message of its own that a wire posts, if it has one, what it does, and the fields that it takes from the
/// received message, with the tokens of their paths.
type Sends = (Option<SpecSend>, Action, Vec<(String, usize)>);

impl Check {
    /// Reads the wires of the world itself.
    pub(super) fn world_wires(&mut self, at: Option<usize>) -> Vec<(u32, WireSpec)> {
        let mut specs = Vec::new();
        for at in self.list(at, "wires") {
            let fields = self.fields(at, "Wire", WIRE);
            let (place, what) = (
                self.token(at).start,
                "this wire has no origin: expected `from: \"…\"`",
            );
            let from = self.needed(&fields, "from", place, what);
            let from = from.and_then(|at| self.string(at, "the name of a messagee"));
            let from = from.and_then(|name| self.find_messagee(name));
            let wire = self.wire(at, &fields, MESSAGEE);
            specs.extend(from.zip(wire));
        }
        specs
    }

    /// Reads a wire of a template or a messagee.
    pub(super) fn own_wire(&mut self, at: usize, owner: u32) -> Option<WireSpec> {
        let fields = self.fields(at, "Wire", OWN_WIRE);
        self.wire(at, &fields, owner)
    }

    /// Finds the messagees that wires lead to. Wires of a template that no messagee uses can lead to others, which it
    /// finds in a manager. Returns the number of bytes of all these ids when the file is instantiated.
    pub(super) fn find_targets(&mut self) -> u64 {
        let uses = self.uses_of_templates();
        let (mut bytes, mut wild) = (0_u64, Wild::default());
        for (owner, at) in std::mem::take(&mut self.targets) {
            let uses = uses.get(owner as usize).copied().unwrap_or(1);
            if uses == 0 {
                continue;
            }
            let name = self.str(at).to_owned();
            if !self.content.led_to.contains_key(&name) {
                let place = self.token(at as usize).start;
                if self.take(wild.add(&name), place).is_none() {
                    return bytes;
                }
                self.find_target(name.clone());
            }
            let found = self.content.led_to[&name].len();
            if found == 0 {
                self.unknown_name(at, Names::Messagee, |name, near| {
                    format!(
                        "this wire leads to nobody: no messagee in this file is called `{name}` \
                         (`Named(\"…\")` is looked up in the manager){near}"
                    )
                });
            }
            let size = (found * size_of::<message_core::MessageeId>()) as u64;
            bytes = bytes.saturating_add(uses.saturating_mul(size));
        }
        bytes
    }

    /// Finds the messagees with a name.
    fn find_target(&mut self, name: String) {
        let content = &mut self.content;
        let found: Arc<[u32]> = if let Some(name) = literal(&name) {
            content.find_messagee(&name).into_iter().collect()
        } else {
            let all = 0..number(content.messagees.len());
            all.filter(|&it| pattern_matches(&name, content.name_of(it)))
                .collect()
        };
        content.led_to.insert(name, found);
    }

    /// Reads a wire from its fields.
    fn wire(&mut self, at: usize, fields: &Fields, owner: u32) -> Option<WireSpec> {
        let before = self.mistakes.count();
        let place = self.token(at).start;
        let what = "this wire waits for nothing: expected `on:` and a message type";
        let on = self.needed(fields, "on", place, what);
        let on = on.and_then(|at| self.message_name(at));
        let cancel = fields.get("cancel");
        let (mut to, mut sends) = (Some(SpecTarget::Other(WireTarget::Me)), None);
        if let Some(at) = cancel {
            sends = self.cancels(at);
            if let Some(more) = fields.get("send").or(fields.get("to")) {
                let place = self.token(more).start;
                self.error(place, "this wire cancels: expected no `to` and no `send`");
            }
        } else {
            let what = "this wire has no target: expected `to: \"…\"`";
            let at = self.needed(fields, "to", place, what);
            to = at.and_then(|at| self.target(at, owner));
            let what =
                "this wire posts nothing: expected `send:` and a message, or `cancel:` and a key";
            let at = self.needed(fields, "send", place, what);
            if let Some(at) = at {
                sends = self.message(at, on);
            }
        }
        let when = self.conditions(fields.get("when"), on);
        let timing = self.timing(at, fields);
        if self.mistakes.count() > before {
            return None;
        }
        let ((send, action, its), timing) = (sends?, timing?);
        let header = self.take(timing.header(), place)?;
        let fields = its.into_iter();
        let fields =
            fields.map(|(field, path)| (field, self.content.tape.str(self.token(path)).to_owned()));
        let (_, on) = on?;
        Some(WireSpec {
            on,
            to: to?,
            send,
            place,
            terms: WireTerms {
                to: WireTarget::Me,
                action,
                header,
                when,
                fields: fields.collect(),
            },
            times: timing.times,
            enabled: timing.enabled.unwrap_or(true),
        })
    }

    /// Reads the key under which a wire cancels.
    fn cancels(&mut self, at: usize) -> Option<Sends> {
        let name = self.string(at, "a key")?;
        let key = key(self.str(name));
        let key = self.take(key, self.token(at).start)?;
        Some((None, Action::Cancel(key), Vec::new()))
    }

    /// Reads when a wire posts, and how often it fires.
    fn timing(&mut self, at: usize, fields: &Fields) -> Option<Timing> {
        let before = self.mistakes.count();
        let whole = self.token(at + usize::from(self.token(at).kind == Kind::Named));
        let given = TIMING.iter().filter_map(|name| fields.get(name));
        let mut given: Vec<usize> = given.map(|value| value - 1).collect();
        // Each field alone at first, so that each mistake is found.
        for key in &given {
            self.read_timing(whole, std::slice::from_ref(key));
        }
        given.sort_unstable();
        let timing = self.read_timing(whole, &given)?;
        if let Some(at) = fields.get("times").filter(|_| timing.times == Some(0)) {
            self.error(self.token(at).start, NEVER);
        }
        if let Some(at) = fields.get("stage").filter(|_| timing.is_immediate()) {
            self.error(self.token(at).start, POSTS);
        }
        (self.mistakes.count() == before).then_some(timing)
    }

    /// Reads these fields of a wire.
    fn read_timing(&mut self, whole: Token, keys: &[usize]) -> Option<Timing> {
        let (tape, mut part) = (&self.content.tape, Vec::new());
        let read = collect(&tape.tokens, whole, keys, &mut part)
            .and_then(|()| Reader::apart(tape, &part, Unknown::Refused).read::<Timing>());
        let place = keys
            .first()
            .map_or(whole.start, |&key| self.token(key + 1).start);
        read.map_err(|error| self.mistakes.note_once(error.at(place)))
            .ok()
    }

    /// Reads the conditions of a wire.
    fn conditions(
        &mut self,
        at: Option<usize>,
        on: Option<(&'static DataType, &'static MessageInfo)>,
    ) -> Vec<(String, WireTest)> {
        let Some(at) = at else {
            return Vec::new();
        };
        let token = self.token(at);
        if !matches!(token.kind, Kind::Fields | Kind::Map) {
            self.expected(at, "conditions by field, such as `(amount: AtLeast(3))`");
            return Vec::new();
        }
        let mut when = Vec::new();
        for (key, mut value) in self.entries(at) {
            if !matches!(self.token(key).kind, Kind::Word | Kind::Str) {
                self.expected(key, "the name of a field");
                continue;
            }
            let (path, test) = (self.str(number(key)).to_owned(), self.token(value));
            let named = (test.kind == Kind::Named && self.token(value + 1).holds_one())
                .then(|| {
                    TESTS
                        .iter()
                        .find(|(name, _)| *name == self.content.tape.str(test))
                })
                .flatten();
            let op = named.map_or(Op::Is, |(_, op)| {
                value += 2;
                *op
            });
            let test = WireTest {
                op,
                value: text::print(&self.content.tape, value),
            };
            if let Some((ty, _)) = on {
                let test = self.known(ty).test(&path, &test);
                let test = self.take(test, self.token(key).start);
                when.extend(test.map(|test| (path, test)));
            }
        }
        when
    }

    /// Returns the shape and a sample of a message type.
    fn known(&mut self, ty: &'static DataType) -> Arc<Known> {
        let at = std::ptr::from_ref(ty).addr();
        let known = self.known.entry(at).or_insert_with(|| Known::of(ty).into());
        Arc::clone(known)
    }

    pub(super) fn message_name(
        &mut self,
        at: usize,
    ) -> Option<(&'static DataType, &'static MessageInfo)> {
        let token = self.token(at);
        if !matches!(token.kind, Kind::Word | Kind::Str | Kind::Named) {
            self.expected(at, "the name of a message type");
            return None;
        }
        let ty = self.look_up(number(at), Names::Message, find_message)?;
        let info = registry().message(message_of(ty).id);
        if info.is_none() {
            self.error_of(number(at), |name| {
                format!("the message type `{name}` is not in the registry")
            });
        }
        info.map(|info| (ty, info))
    }

    /// Reads the message that a wire posts.
    fn message(
        &mut self,
        at: usize,
        on: Option<(&'static DataType, &'static MessageInfo)>,
    ) -> Option<Sends> {
        if it_of(&self.content.tape, at) == Some(It::Whole) {
            return Some((None, Action::PassOn, Vec::new()));
        }
        let place = self.token(at).start;
        let named = named_value_in(&mut self.content.tape, at);
        let named = self.take(named, place)?;
        let ty = self.look_up(named.name, Names::Message, find_message)?;
        let its = fields_from_it(&self.content.tape, named.content);
        if its.is_empty() {
            let plain = SpecSend::Plain(ty, number(named.content));
            return Some((Some(plain), Action::Post, its));
        }
        let (on, _) = on?;
        let (own, received) = (self.known(ty), self.known(on));
        let (mut seen, before) = (HashSet::new(), self.mistakes.count());
        for (field, path) in &its {
            let token = self.token(*path);
            let checked = if seen.insert(field) {
                own.check_fill(field, &received, self.content.tape.str(token))
            } else {
                Err(DataError::new(format_args!("`{field}` is given twice")))
            };
            self.take(checked, token.start);
        }
        if self.mistakes.count() > before {
            return None;
        }
        let filled = its.iter().map(|(field, _)| &**field);
        let base = own.with_any(&self.content.tape, named.content, filled);
        let base = self.take(base, place)?;
        Some((Some(SpecSend::Filled(ty, base.into())), Action::Post, its))
    }

    fn target(&mut self, at: usize, owner: u32) -> Option<SpecTarget> {
        let token = self.token(at);
        if matches!(token.kind, Kind::Str | Kind::Seq) {
            let names = match token.kind {
                Kind::Str => vec![number(at)],
                _ => self.strings(Some(at), "messagee"),
            };
            if names.is_empty() {
                self.expected(at, "at least one name");
            }
            self.targets.extend(names.iter().map(|&name| (owner, name)));
            return Some(SpecTarget::Own(names.into()));
        }
        let word =
            matches!(token.kind, Kind::Word | Kind::Named).then(|| self.content.tape.str(token));
        if token.kind == Kind::Word
            && let Some(found) = WireTarget::WORDS.iter().find(|it| Some(it.word()) == word)
        {
            return Some(SpecTarget::Other(found.clone()));
        }
        if let Some(kind @ ("Mnemonic" | "Group" | "Named")) = word
            && token.kind == Kind::Named
            && self.token(at + 1).holds_one()
        {
            let (is_mnemonic, is_group) = (kind == "Mnemonic", kind == "Group");
            let name = self.string(at + 2, "a name")?;
            return Some(SpecTarget::Other(if is_mnemonic {
                self.look_up(name, Names::Mnemonic, find_mnemonic)?.into()
            } else if is_group {
                self.look_up(name, Names::Group, find_group)?.into()
            } else if self.str(name).is_empty() {
                self.expected(at + 2, "a name, with wildcards or without");
                return None;
            } else {
                self.str(name).into()
            }));
        }
        self.expected(
            at,
            "a name between `\"` or a list of names, `Me`, `Sender`, `Activator`, `Parent`, `Children`, `Siblings`, \
             `Mnemonic(\"…\")`, `Group(\"…\")` or `Named(\"…\")`",
        );
        None
    }

    /// Returns for each template how many messagees are made from it.
    fn uses_of_templates(&self) -> Vec<u64> {
        let templates = &self.content.templates.0;
        let mut uses = vec![0_u64; templates.len()];
        let mut waits_for = vec![0_u32; templates.len()];
        for template in templates {
            for &base in &template.outfit.from {
                waits_for[base as usize] += 1;
            }
        }
        for spec in &self.content.messagees {
            for &base in &spec.outfit.from {
                uses[base as usize] += 1;
            }
        }
        let mut next: Vec<usize> = (0..templates.len())
            .filter(|&it| waits_for[it] == 0)
            .collect();
        while let Some(template) = next.pop() {
            for &base in &templates[template].outfit.from {
                let base = base as usize;
                uses[base] = uses[base].saturating_add(uses[template]);
                waits_for[base] -= 1;
                if waits_for[base] == 0 {
                    next.push(base);
                }
            }
        }
        uses
    }
}

impl Content {
    /// Returns the messagees that a wire leads to, by their numbers.
    pub(in crate::world_file) fn led_to(&self, name: u32) -> &[u32] {
        self.led_to
            .get(self.str(name))
            .map_or(&[], |found| &**found)
    }
}
