//! Checks that each component and each message of a file can be read.

use std::collections::{BTreeMap, HashMap};

use crate::address::{HookId, MessageeId};
use crate::data::error::DataError;
use crate::data::messages::{component_of, message_of};
use crate::data::reader::{Reader, Unknown};
use crate::data::scope::{Called, Scope};
use crate::data::tape::Kind;
use crate::data::world_file::read::Check;
use crate::data::world_file::{Spec, Template, WireSpec};
use crate::key::Key;

/// How often a value is read again without what was wrong in it, to find what else is.
const MAX_RETRIES: usize = 32;

impl Check {
    /// Really reads every component and every message.
    pub(super) fn check_values(
        &mut self,
        names: HashMap<String, usize>,
        templates: &[Template],
        messagees: &[Spec],
        wires: &[(usize, WireSpec)],
    ) {
        // They are not kept: which ids they are does not matter.
        let key = |index: usize| {
            let place = u32::try_from(index).unwrap_or(u32::MAX);
            Key::from_halves(place, 1).expect("a life of one is not zero")
        };
        let mut called = Called::default();
        for (name, index) in names {
            let parts = messagees[index].outfit.parts.iter().enumerate();
            let hooks = parts.map(|(at, part)| (part.ty, HookId(key(at))));
            called.add(name, MessageeId(key(index)), hooks.collect());
        }
        let scope = Scope::Named(Box::new(called));
        let of_templates = templates.iter().flat_map(|template| &template.outfit.parts);
        let of_messagees = messagees.iter().flat_map(|spec| &spec.outfit.parts);
        let mut parts = BTreeMap::new();
        for part in of_templates.chain(of_messagees) {
            parts.insert(part.at, part.ty);
        }
        let of_templates = templates.iter().flat_map(|template| &template.wires);
        let of_messagees = wires.iter().map(|(_, wire)| wire);
        let mut sends = BTreeMap::new();
        for wire in of_templates.chain(of_messagees) {
            sends.insert(wire.at, wire.send);
        }
        scope.during(|| {
            for (at, ty) in parts {
                let data = component_of(ty);
                self.check_value(at, &|reader| (data.read)(reader).map(drop));
            }
            for (at, send) in sends {
                let data = message_of(send);
                self.check_value(at, &|reader| (data.read)(reader).map(drop));
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
