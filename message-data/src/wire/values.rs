//! Looks into the messages that wires receive and post: fields on which conditions depend, and fields that are passed
//! on. A message is written onto a tape for that.

use std::borrow::Cow;

use message_core::AnyMessage;
use message_core::internals::World;
use message_core::registry::MessageInfo;
use message_format::tape::{Kind, Tape};
use message_format::{DataError, Reader, Shape, Unknown, Writer, part_of, text};

use crate::data_type::DataType;
use crate::messages::{message_of, message_tape, name_in_files, named_tape, type_of, type_of_id};
use crate::scope::{Scope, reading_numbers};
use crate::wire::{WireTerms, WireTest};

/// The word for the received message in files.
pub(super) const IT: &str = "It";

/// The shape of a message type, and a sample message. Both are found by reading, so keep this where it is needed
/// often.
#[derive(Debug)]
pub(crate) struct Known {
    ty: &'static DataType,
    shape: Shape,
    /// A message of the type.
    sample: Option<Tape>,
    /// The same message as a wire sees it, if the type can be written.
    written: Option<Tape>,
}

impl Known {
    pub(crate) fn of(ty: &'static DataType) -> Self {
        let sample = Scope::Asking.during(|| Shape::sample_of(&|reader| ty.try_read(reader)));
        let message = sample.as_ref().and_then(|sample| read(ty, sample).ok());
        Self {
            ty,
            shape: ty.shape(),
            written: message.and_then(|message| written(&*message)),
            sample,
        }
    }

    /// Returns the shape of a field.
    fn field(&self, path: &str) -> Result<Shape, DataError> {
        self.shape.field(path).ok_or_else(|| {
            let (name, shape) = (self.ty.short_name(), &self.shape);
            DataError::new(format_args!(
                "`{name}` has no field `{path}`: expected one of `{shape}`"
            ))
        })
    }

    /// Returns the shape of a field of a received message.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such field, or if it is left out when a message is written. An option may be left
    /// out: it is `None` then.
    fn received(&self, path: &str) -> Result<Shape, DataError> {
        let shape = self.field(path)?;
        let is_there = |written: &Tape| part_of(written, path).is_some();
        if self.written.as_ref().is_none_or(is_there) || shape.to_string().starts_with("Option<") {
            return Ok(shape);
        }
        Err(DataError::new(format_args!(
            "`{}.{path}` is left out of some messages by serde: expected a field that is always written, or an option",
            self.ty.short_name()
        )))
    }

    /// Checks that a field can be set to a field of another message.
    ///
    /// # Errors
    ///
    /// Returns an error if one of them does not have the field, or if the types of the fields differ.
    pub(crate) fn check_fill(&self, field: &str, from: &Self, path: &str) -> Result<(), DataError> {
        let (own, other) = (self.field(field)?, from.received(path)?);
        own.reads(&other).map_err(|_| {
            let (name, received) = (self.ty.short_name(), from.ty.short_name());
            DataError::new(format_args!(
                "`{name}.{field}` is `{own}`, but `{received}.{path}` is `{other}`"
            ))
        })
    }

    /// Returns a condition on a field with its value in the form in which the field is written.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such field, or if its type does not have the value.
    pub(crate) fn test(&self, path: &str, test: &WireTest) -> Result<WireTest, DataError> {
        let (shape, value) = (self.received(path)?, test.value()?);
        let name = self.ty.short_name();
        if test.is_of_numbers() {
            let of_numbers = matches!(
                shape.to_string().as_bytes(),
                [b'u' | b'i' | b'f', b'0'..=b'9', ..]
            );
            let number = super::test::number(&value, value.tokens[0]);
            if of_numbers && number.is_some_and(|number| !number.is_nan()) {
                return Ok(test.clone());
            }
            return Err(DataError::new(format_args!(
                "`{test}` compares numbers, but `{name}.{path}` is `{shape}`"
            )));
        }
        let sample = self.sample.as_ref();
        let with_value = sample.map(|sample| with_value(sample, path, &value));
        let Some(with_value) = with_value.transpose()?.flatten() else {
            return Ok(test.clone());
        };
        let message = read(self.ty, &with_value).map_err(|error| {
            let what = error.what();
            DataError::new(format_args!(
                "`{name}.{path}` is never `{}`: {what}",
                test.value
            ))
        })?;
        let Some(tape) = written(&*message) else {
            return Ok(test.clone());
        };
        let value =
            part_of(&tape, path).map_or_else(|| NONE.to_owned(), |at| text::print(&tape, at));
        Ok(WireTest { op: test.op, value })
    }

    /// Returns a value of the type in which the fields that are taken from the received message have any value.
    pub(crate) fn with_any<'f>(
        &self,
        tape: &Tape,
        at: usize,
        fields: impl Iterator<Item = &'f str>,
    ) -> Result<Tape, DataError> {
        let mut base = Tape::default();
        base.append(tape, at)?;
        let Some(sample) = &self.sample else {
            return Ok(base);
        };
        let sampled = fields.filter_map(|field| Some((field, sample, entry(sample, field)?)));
        with_entries(&base, &sampled.collect::<Vec<_>>())
    }
}

/// Reads a message of a type that is asked what it reads.
fn read(ty: &'static DataType, tape: &Tape) -> Result<Box<dyn AnyMessage>, DataError> {
    let mut reader = Reader::new(tape, 0, Unknown::Noted);
    Scope::Asking.during(|| (message_of(ty).read)(&mut reader))
}

/// Writes a message of a type that is asked what it writes.
fn written(message: &dyn AnyMessage) -> Option<Tape> {
    Scope::Asking.during(|| tape_of(message)).ok()
}

/// Checks what a wire takes from the message that it receives, and puts its conditions into the form in which that is
/// written.
///
/// # Errors
///
/// Returns an error if a type has no data, or does not have a field.
pub(super) fn check(
    on: &MessageInfo,
    send: Option<&dyn AnyMessage>,
    terms: &mut WireTerms,
) -> Result<(), DataError> {
    if terms.when.is_empty() && terms.fields.is_empty() {
        return Ok(());
    }
    let received = Known::of(type_of_id(on.id)?);
    for (path, test) in &mut terms.when {
        *test = received.test(path, test)?;
    }
    if terms.fields.is_empty() {
        return Ok(());
    }
    let send = send.ok_or_else(|| {
        DataError::new("a wire can only fill fields of its own message: expected `send`")
    })?;
    let posted = Known::of(type_of(send)?);
    for (field, path) in &terms.fields {
        posted.check_fill(field, &received, path)?;
    }
    Ok(())
}

/// Writes a message onto a tape, without its name.
fn tape_of(message: &dyn AnyMessage) -> Result<Tape, DataError> {
    let mut writer = Writer::without_gone(Scope::take_gone);
    (message_of(type_of(message)?).write)(message, &mut writer)?;
    Ok(writer.tape)
}

/// The message that a wire has received. It is written when a condition or a field of it is asked for.
pub(super) struct Received<'m> {
    pub(super) message: &'m dyn AnyMessage,
    world: &'m World,
    tape: Option<Result<Tape, DataError>>,
}

impl<'m> Received<'m> {
    pub(super) fn new(message: &'m dyn AnyMessage, world: &'m World) -> Self {
        let tape = None;
        Self {
            message,
            world,
            tape,
        }
    }

    fn numbered<T>(&self, write: impl FnOnce() -> T) -> T {
        Scope::numbered(&self.world.common.identity).during(write)
    }

    fn tape(&mut self) -> Result<&Tape, DataError> {
        if self.tape.is_none() {
            self.tape = Some(self.numbered(|| tape_of(self.message)));
        }
        let tape = self.tape.as_ref().expect("it was just written");
        tape.as_ref().map_err(Clone::clone)
    }

    /// Returns `true` if all conditions hold. One on a message that cannot be written does not hold.
    pub(super) fn satisfies(&mut self, when: &[(String, WireTest)]) -> bool {
        let none = none();
        let holds = |tape: &Tape, (path, test): &(String, WireTest)| match part_of(tape, path) {
            Some(at) => test.holds(tape, at),
            None => test.holds(&none, 0),
        };
        when.is_empty()
            || self
                .tape()
                .is_ok_and(|tape| when.iter().all(|it| holds(tape, it)))
    }

    /// Returns a copy of a message, with fields of the received one.
    pub(super) fn fill(
        &mut self,
        message: &dyn AnyMessage,
        fields: &[(String, String)],
    ) -> Result<Box<dyn AnyMessage>, DataError> {
        let base = self.numbered(|| tape_of(message))?;
        let received = self.tape()?;
        let none = none();
        let found = fields
            .iter()
            .map(|(field, path)| match part_of(received, path) {
                Some(at) => (&**field, received, at),
                None => (&**field, &none, 0),
            });
        let tape = with_entries(&base, &found.collect::<Vec<_>>())?;
        let read = message_of(type_of(message)?).read;
        reading_numbers(self.world, || {
            read(&mut Reader::new(&tape, 0, Unknown::Noted))
        })
    }
}

/// Returns the entries of a value, each with its name or its number, and where its value begins.
fn entries(tape: &Tape, at: usize) -> impl Iterator<Item = (Cow<'_, str>, usize)> {
    let token = tape.tokens[at];
    let all = token.is_container().then(|| tape.parts(at));
    let all = all.into_iter().flatten().enumerate();
    all.map(move |(index, (key, value))| {
        let key = key.filter(|_| token.kind == Kind::Fields);
        let name = key.map(|key| tape.str(tape.tokens[key]).into());
        (name.unwrap_or_else(|| index.to_string().into()), value)
    })
}

/// Returns where the value of an entry begins.
fn entry(tape: &Tape, name: &str) -> Option<usize> {
    let found = entries(tape, 0).find(|(own, _)| own == name);
    found.map(|(_, at)| at)
}

/// The text of an option without a value.
const NONE: &str = "None";

/// Returns the value of an option that is left out of what is written.
fn none() -> Tape {
    let mut tape = Tape::default();
    tape.push(Kind::Nil, 0, (0, 0));
    tape
}

/// Returns a value with another one at a path, or `None` if it leaves out what the path leads through.
fn with_value(base: &Tape, path: &str, value: &Tape) -> Result<Option<Tape>, DataError> {
    let Some((first, rest)) = path.split_once('.') else {
        return with_entries(base, &[(path, value, 0)]).map(Some);
    };
    let Some(at) = entry(base, first) else {
        return Ok(None);
    };
    let mut inside = Tape::default();
    inside.append(base, at)?;
    let inside = with_value(&inside, rest, value)?;
    let whole = inside.map(|inside| with_entries(base, &[(first, &inside, 0)]));
    whole.transpose()
}

/// Returns a value with other values for some of its entries.
fn with_entries(base: &Tape, others: &[(&str, &Tape, usize)]) -> Result<Tape, DataError> {
    let mut tape = Tape::default();
    let first = base.tokens[0];
    // A struct that leaves out all fields is no container.
    let kind = if first.is_container() {
        first.kind
    } else {
        Kind::Fields
    };
    let opened = tape.open(kind, first.start);
    let put = |tape: &mut Tape, name: &str, value: &Tape, at: usize| {
        if kind == Kind::Fields {
            tape.push_str(Kind::Word, name, (first.start, first.end))?;
        }
        tape.append(value, at)
    };
    for (name, at) in entries(base, 0) {
        match others.iter().find(|(other, ..)| *other == name) {
            Some((_, value, at)) => put(&mut tape, &name, value, *at)?,
            None => put(&mut tape, &name, base, at)?,
        }
    }
    for (name, value, at) in others {
        if entry(base, name).is_none() {
            put(&mut tape, name, value, *at)?;
        }
    }
    tape.end(opened, first.end)?;
    Ok(tape)
}

/// A place in a message in a file that is filled with the received message, or with a field of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum It {
    Whole,
    /// The token of the field's path.
    Field(usize),
}

/// Returns what a value is filled with if it is `It`, or `It("amount")`.
pub(crate) fn it_of(tape: &Tape, at: usize) -> Option<It> {
    let token = tape.tokens[at];
    match token.kind {
        Kind::Word if tape.str(token) == IT => Some(It::Whole),
        Kind::Named if tape.str(token) == IT && tape.tokens[at + 1].holds_one() => {
            (tape.tokens[at + 2].kind == Kind::Str).then_some(It::Field(at + 2))
        }
        _ => None,
    }
}

/// Returns the fields of a message in a file that are taken from the received one, each with the token of its path.
pub(crate) fn fields_from_it(tape: &Tape, at: usize) -> Vec<(String, usize)> {
    let fields = entries(tape, at).filter_map(|(name, at)| match it_of(tape, at)? {
        It::Field(path) => Some((name.into_owned(), path)),
        It::Whole => None,
    });
    fields.collect()
}

/// Writes a message after its name, with `It` in the fields that are taken from the received one.
pub(crate) fn shown_tape(
    message: &dyn AnyMessage,
    fields: &[(String, String)],
) -> Result<Tape, DataError> {
    if fields.is_empty() {
        return message_tape(message);
    }
    let mut its = Vec::new();
    for (_, path) in fields {
        let mut it = Tape::default();
        it.push_str(Kind::Named, IT, (0, 0))?;
        let inside = it.open(Kind::Wrapped, 0);
        it.push_str(Kind::Str, path, (0, 0))?;
        it.end(inside, 0)?;
        its.push(it);
    }
    let with = fields
        .iter()
        .zip(&its)
        .map(|((field, _), it)| (&**field, it, 0));
    let value = with_entries(&tape_of(message)?, &with.collect::<Vec<_>>())?;
    named_tape(name_in_files(type_of(message)?), |writer| {
        writer.is_struct = true;
        writer.value(&value, 0)
    })
}
