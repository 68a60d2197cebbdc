//! The wires of a file.

use std::time::Duration;

use message_core::internals::literal;
use message_core::{Stage, registry};
use message_format::DataError;
use message_format::names::Short;
use message_format::tape::{Kind, Token};

use crate::data_type::DataType;
use crate::declared::{find_group, find_mnemonic};
use crate::messages::{message_of, named_value_in};
use crate::types::find_message;
use crate::wire::{NEVER, POSTS, WireTarget, WireTerms};
use crate::world_file::outfit::{MESSAGEE, Templates};
use crate::world_file::read::unknown::Names;
use crate::world_file::read::{Check, Fields, find, number, sorted_by_name};
use crate::world_file::{Spec, WireSpec};

const WIRE: &[&str] = &[
    "from", "on", "to", "send", "after", "times", "stage", "enabled",
];
const OWN_WIRE: &[&str] = &["on", "to", "send", "after", "times", "stage", "enabled"];

impl Check {
    /// Reads the wires of the world itself.
    pub(super) fn world_wires(&mut self, at: Option<usize>) -> Vec<(u32, WireSpec)> {
        let mut specs = Vec::new();
        for at in self.list(at, "wires") {
            let fields = self.fields(at, "Wire", WIRE);
            let (place, what) = (
                self.token(at).start,
                "this wire begins nowhere: expected `from: \"…\"`",
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

    /// Checks that the targets of wires are names in the file. Wires of a template that no messagee uses can have
    /// other targets.
    pub(super) fn check_targets(&mut self) {
        let messagees = &self.messagees;
        let used = used_templates(&self.templates, messagees);
        let tape = &self.tape;
        let label_of = |it: u32| {
            let spec = &messagees[it as usize];
            tape.str(tape.tokens[spec.label.unwrap_or(spec.name) as usize])
        };
        let mut labels = None;
        for &(owner, at) in &self.targets {
            if used.get(owner as usize) == Some(&false) {
                continue;
            }
            let token = tape.tokens[at as usize];
            let Some(name) = literal(tape.str(token)) else {
                continue;
            };
            let count = number(messagees.len());
            let labels = labels.get_or_insert_with(|| sorted_by_name(0..count, label_of));
            if find(labels, &name, label_of).is_none() {
                let unknown = &mut self.unknown;
                self.mistakes.note(token.start, || {
                    let near = unknown.suggest(Names::Label, &name, (0..count).map(label_of));
                    let name = Short(&name);
                    DataError::new(format_args!(
                        "this wire leads to nobody: no messagee in this file is called `{name}`{near}"
                    ))
                });
            }
        }
    }

    /// Reads a wire from its fields.
    fn wire(&mut self, at: usize, fields: &Fields, owner: u32) -> Option<WireSpec> {
        let before = self.mistakes.count();
        let place = self.token(at).start;
        let what = "this wire waits for nothing: expected `on:` and a message type";
        let on = self.needed(fields, "on", place, what);
        let on = on.and_then(|at| self.message_name(at));
        let what = "this wire leads nowhere: expected `to: \"…\"`";
        let to = self.needed(fields, "to", place, what);
        let to = to.and_then(|at| self.target(at, owner));
        let what = "this wire posts nothing: expected `send:` and a message";
        let send = self.needed(fields, "send", place, what);
        let send = send.and_then(|at| self.message(at));
        let after = fields.get("after").map(|at| self.seconds(at));
        let times = fields.get("times").map(|at| self.times(at));
        let stage = fields.get("stage").map(|at| self.stage(at));
        let enabled = fields.get("enabled").map(|at| self.truth(at));
        if self.mistakes.count() > before {
            return None;
        }
        let (send, at) = send?;
        Some(WireSpec {
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

    fn message_name(&mut self, at: usize) -> Option<&'static message_core::registry::MessageInfo> {
        let token = self.token(at);
        if !matches!(token.kind, Kind::Word | Kind::Str) {
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
        info
    }

    fn message(&mut self, at: usize) -> Option<(&'static DataType, u32)> {
        let place = self.token(at).start;
        let named = named_value_in(&mut self.tape, at);
        let named = self.take(named, place)?;
        let ty = self.look_up(named.name, Names::Message, find_message)?;
        Some((ty, number(named.content)))
    }

    fn target(&mut self, at: usize, owner: u32) -> Option<WireTarget> {
        let token = self.token(at);
        let content = self.tape.tokens.get(at + 1).copied();
        let has_text = matches!(token.kind, Kind::Str | Kind::Word | Kind::Named);
        match (token.kind, has_text.then(|| self.tape.str(token))) {
            (Kind::Str, Some(name)) => {
                self.targets.push((owner, number(at)));
                return Some(WireTarget::Name(name.to_owned()));
            }
            (Kind::Word, Some("Me")) => return Some(WireTarget::Me),
            (Kind::Word, Some("Activator")) => return Some(WireTarget::Activator),
            (Kind::Named, Some(kind @ ("Mnemonic" | "Group")))
                if content.is_some_and(Token::holds_one) =>
            {
                if kind == "Mnemonic" {
                    let name = self.string(at + 2, "the name of a mnemonic")?;
                    let found = self.look_up(name, Names::Mnemonic, find_mnemonic)?;
                    return Some(WireTarget::Mnemonic(found));
                }
                let name = self.string(at + 2, "the name of a group")?;
                let found = self.look_up(name, Names::Group, find_group)?;
                return Some(WireTarget::Group(found));
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
}

/// Returns for each template whether a messagee is made from it.
fn used_templates(templates: &Templates, messagees: &[Spec]) -> Vec<bool> {
    let mut used = vec![false; templates.0.len()];
    let bases = messagees.iter().flat_map(|spec| &spec.outfit.from);
    let mut next: Vec<u32> = bases.copied().collect();
    while let Some(template) = next.pop() {
        if !std::mem::replace(&mut used[template as usize], true) {
            next.extend(&templates.0[template as usize].outfit.from);
        }
    }
    used
}
