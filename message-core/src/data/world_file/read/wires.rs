//! The wires of a file.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use crate::data::data_type::DataType;
use crate::data::declared::{find_group, find_mnemonic};
use crate::data::messages::{message_of, named_value_in};
use crate::data::tape::Kind;
use crate::data::types::find_message;
use crate::data::wire::{NEVER, POSTS, WireTarget, WireTerms};
use crate::data::world_file::WireSpec;
use crate::data::world_file::read::{Check, literal, nearest_name};
use crate::link::registry;
use crate::time::Stage;

const WIRE: &[&str] = &[
    "from", "on", "to", "send", "after", "times", "stage", "enabled",
];
const OWN_WIRE: &[&str] = &["on", "to", "send", "after", "times", "stage", "enabled"];

impl Check {
    /// The wires of all messagees, and then those of the world itself.
    pub(super) fn wire_specs(
        &mut self,
        names: &HashMap<String, usize>,
        own_wires: Vec<Vec<usize>>,
    ) -> Vec<(usize, WireSpec)> {
        let labels = self
            .messagees
            .iter()
            .map(|it| it.label.as_ref().unwrap_or(&it.name));
        let labels: HashSet<String> = labels.cloned().collect();
        let mut specs = Vec::new();
        for (from, wires) in own_wires.into_iter().enumerate() {
            for at in wires {
                let fields = self.fields(at, "Wire", OWN_WIRE);
                let wire = self.wire(at, &fields, Some(&labels));
                specs.extend(wire.map(|wire| (from, wire)));
            }
        }
        for at in std::mem::take(&mut self.wires) {
            let fields = self.fields(at, "Wire", WIRE);
            let from = if let Some(&at) = fields.get("from") {
                let name = self.string(at, "the name of a messagee");
                name.and_then(|name| self.find_messagee(names, &name))
            } else {
                let what = "this wire begins nowhere: expected `from: \"…\"`";
                self.error(self.token(at).start, what);
                None
            };
            let wire = self.wire(at, &fields, Some(&labels));
            specs.extend(from.zip(wire));
        }
        specs
    }

    /// The wires of a template. To whom they lead is known where it is used.
    pub(super) fn template_wires(&mut self, wires: &[usize]) -> Vec<WireSpec> {
        let mut specs = Vec::new();
        for &at in wires {
            let fields = self.fields(at, "Wire", OWN_WIRE);
            specs.extend(self.wire(at, &fields, None));
        }
        specs
    }

    /// A wire, by its fields. A name that it leads to is one of the labels, if these are known.
    fn wire(
        &mut self,
        at: usize,
        fields: &HashMap<&'static str, usize>,
        labels: Option<&HashSet<String>>,
    ) -> Option<WireSpec> {
        let before = self.errors.len();
        let place = self.token(at).start;
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

    fn target(&mut self, at: usize, labels: Option<&HashSet<String>>) -> Option<WireTarget> {
        let token = self.token(at);
        let text = || self.tape.str(token).to_owned();
        match token.kind {
            Kind::Str => {
                let name = text();
                if let (Some(literal), Some(labels)) = (literal(&name), labels)
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
                if content.holds_one() {
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
}
