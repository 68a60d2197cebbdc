//! Checks that each component and each message of a file can be read.

use std::sync::Arc;

use message_core::internals::Terms;
use message_format::tape::{Kind, Token, bytes_at, end_of_value};
use message_format::{DataError, Reader, Unknown};

use crate::data_type::DataType;
use crate::world_file::merge::{collect, keys, merge};
use crate::world_file::mistakes::Mistakes;
use crate::world_file::outfit::{MESSAGEE, Outfit, PartAt, Stop};
use crate::world_file::{Content, OverhearSpec, SpecSend, WireSpec, naming};

/// The maximum number of times a value is read again without its mistakes, to find further ones.
const MAX_RETRIES: usize = 32;

/// The limit on reading values again, with overrides or without mistakes, as a multiple of the text's length.
const MAX_AGAIN: u64 = 16;

/// Checks every component and every message by reading it.
pub(super) fn check(content: &Arc<Content>, nameless: &[Outfit], mistakes: &mut Mistakes) {
    let mut values = Values {
        content,
        mistakes,
        tokens: Vec::new(),
        rest: Vec::new(),
        left: MAX_AGAIN * (content.source_len as u64 + 1),
    };
    naming::scope(content, None).during(|| {
        for (owner, template) in (0..).zip(&content.templates.0) {
            values.check_outfit(&template.outfit, owner);
        }
        let specs = content.messagees.iter().map(|spec| &spec.outfit);
        for outfit in specs.chain(nameless) {
            values.check_outfit(outfit, MESSAGEE);
        }
        let of_templates = content.templates.0.iter().map(|template| &template.outfit);
        let of_specs = content.messagees.iter().map(|spec| &spec.outfit);
        let outfits = of_templates.chain(of_specs).chain(nameless);
        let of_outfits = outfits.clone().flat_map(|outfit| &outfit.wires);
        for wire in of_outfits.chain(content.wires.iter().map(|(_, wire)| wire)) {
            values.check_send(wire);
        }
        for overhears in outfits.flat_map(|outfit| &outfit.overhears) {
            values.check_filter(overhears);
        }
    });
}

struct Values<'c> {
    content: &'c Content,
    mistakes: &'c mut Mistakes,
    /// The tokens of a value that is not on the tape as it is read.
    tokens: Vec<Token>,
    /// The tokens of the same value without its mistakes.
    rest: Vec<Token>,
    /// The number of bytes that may still be read again.
    left: u64,
}

impl Values<'_> {
    /// Checks what an outfit adds: its own components, and those that it overrides. Components that it only shares
    /// are checked where they are added.
    fn check_outfit(&mut self, outfit: &Outfit, owner: u32) {
        let mut layers = Vec::new();
        let own = |part: PartAt| part.owner == owner;
        for (index, part) in (0..).zip(&outfit.parts) {
            let at = PartAt { owner, index };
            layers.clear();
            layers.push(part.at);
            layers.extend(outfit.overrides_of(at).iter().map(|over| over.at));
            self.check_value(&layers, part.ty);
        }
        let mut overridden: Vec<PartAt> = outfit.overrides.iter().map(|over| over.of).collect();
        overridden.dedup();
        overridden.retain(|&part| !own(part));
        for part in overridden {
            self.check_override(outfit, owner, part, &mut layers);
        }
    }

    /// Checks a component of a template with what an outfit puts over it, unless too much was read again.
    fn check_override(&mut self, outfit: &Outfit, owner: u32, part: PartAt, layers: &mut Vec<u32>) {
        if self.left == 0 {
            return;
        }
        let templates = &self.content.templates;
        let find = |stop: Stop<'_, '_>| {
            if stop.owner == part.owner {
                stop.layers(part.index, layers);
            }
        };
        templates.each(outfit, owner, find);
        let read_again = layers
            .iter()
            .map(|&at| bytes_at(&self.content.tape.tokens, at as usize))
            .sum();
        if self.charge(read_again) {
            let part = &templates.0[part.owner as usize].outfit.parts[part.index as usize];
            self.check_value(layers, part.ty);
        }
    }

    /// Checks a filter by which a messagee overhears.
    fn check_filter(&mut self, overhears: &OverhearSpec) {
        let at = overhears.at as usize;
        let mut reader = Reader::behind_name(&self.content.tape, at, Unknown::Noted);
        let result = reader.read::<Terms>().map(drop);
        self.note(reader, result, overhears.place);
    }

    /// Checks the message that a wire posts.
    fn check_send(&mut self, wire: &WireSpec) {
        match &wire.send {
            None => {}
            Some(SpecSend::Plain(ty, at)) => self.check_value(&[*at], ty),
            Some(SpecSend::Filled(ty, tape)) => {
                let mut reader = Reader::behind_name(tape, 0, Unknown::Noted);
                let result = ty.try_read(&mut reader);
                self.note(reader, result, wire.place);
            }
        }
    }

    /// Notes all mistakes in a value that was read.
    fn note(&mut self, reader: Reader<'_>, result: Result<(), DataError>, place: u32) {
        for error in reader.into_notes().kept.into_iter().chain(result.err()) {
            self.mistakes.note_once(error.at(place));
        }
    }

    /// Takes `bytes` from the bytes that may be read again. Returns `false` if fewer are left.
    fn charge(&mut self, bytes: u64) -> bool {
        let left = self.left.checked_sub(bytes);
        self.left = left.unwrap_or(0);
        left.is_some()
    }

    /// Reads a value. If a field is wrong, reads again without it, to find further mistakes.
    fn check_value(&mut self, layers: &[u32], ty: &DataType) {
        let tape = &self.content.tape;
        let mut tokens = std::mem::take(&mut self.tokens);
        let mut rest = std::mem::take(&mut self.rest);
        let is_plain = layers.len() == 1;
        let (mut on_tape, mut at) = (is_plain, layers[0] as usize);
        if !is_plain {
            at = 0;
            if let Err(error) = merge(tape, layers, &mut tokens) {
                return self.mistakes.note_once(error);
            }
        }
        for retry in 0..MAX_RETRIES {
            let (value, mut reader) = if on_tape {
                let reader = Reader::behind_name(tape, at, Unknown::Noted);
                (&tape.tokens, reader)
            } else {
                (&tokens, Reader::apart(tape, &tokens, Unknown::Noted))
            };
            let whole = value[at];
            let result = ty.try_read(&mut reader);
            let notes = reader.into_notes();
            for note in notes.kept {
                self.mistakes.note_once(note);
            }
            if retry == 0 && is_plain {
                self.mistakes.note_more(notes.more);
            }
            let Err(error) = result else { break };
            // Without the fields that were wrong some are missing.
            if retry > 0 && error.what().contains(" is incomplete: ") {
                break;
            }
            let error = error.at(whole.start);
            let place = error.place();
            self.mistakes.note_once(error);
            if whole.kind != Kind::Fields || !self.charge(u64::from(whole.end - whole.start)) {
                break;
            }
            let is_right = |&key: &usize| {
                let from = value[key].start;
                let to = end_of_value(value, key + 1);
                !(from..to.max(from + 1)).contains(&place)
            };
            let good: Vec<usize> = keys(value, at).filter(is_right).collect();
            if good.len() == whole.len() as usize
                || collect(value, whole, &good, &mut rest).is_err()
            {
                break;
            }
            std::mem::swap(&mut tokens, &mut rest);
            (on_tape, at) = (false, 0);
        }
        (self.tokens, self.rest) = (tokens, rest);
    }
}
