//! Messages by name, read from text and written as text.

use std::collections::HashMap;

use message_core::internals::World;
use message_core::{AnyMessage, MessageId, Structure, registry};
use message_format::tape::{Empty, Kind, Tape};
use message_format::{DataError, Packer, Reader, TextOptions, Unknown, Writer, pack, text};

use crate::data_type::{ComponentData, DataType, MessageData};
use crate::scope::{Found, Named, Scope, reading_numbers};
use crate::types;
use crate::types::{find_message, find_of_kind, of_type};

/// Reads a message from a text that begins with the name of its type: `Damage(amount: 3, by: grib)`.
///
/// A [`MessageeId`](message_core::MessageeId) is the name of a messagee of that manager, as a string or as a word, or
/// `"#7v2"`: a `#` followed by the id as it prints. A field that the type does not have is an error. A handler passes
/// its context instead of a manager.
///
/// Pass the message to `send_any`, `post_any`, `request_any` or `publish_any`.
///
/// # Errors
///
/// Returns an error if the type does not exist, if the text does not fit it, or if no messagee or more than one has a
/// given name. The error contains the place, what was expected, and the nearest name.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{self as data, Data};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Message, Data, Serialize, Deserialize)]
/// #[data(name = "docs.Strike", exact)]
/// struct Strike { amount: u32, by: MessageeId }
///
/// let mut manager = MessageManager::new();
/// let grib = manager.spawn_named("grib", ());
/// let message = data::parse_message("Strike(amount: 3, by: grib)", &manager)?;
/// let strike = message.downcast_ref::<Strike>().expect("it is one");
/// assert_eq!((strike.amount, strike.by), (3, grib));
///
/// let error = data::parse_message("Strike(amount: 3, by: grob)", &manager).expect_err("a typo");
/// assert_eq!(error.to_string(), "1:23: no messagee is called `grob`; did you mean `grib`?");
/// # Ok::<(), data::DataError>(())
/// ```
pub fn parse_message(
    source: &str,
    structure: &Structure,
) -> Result<Box<dyn AnyMessage>, DataError> {
    let read = || {
        let text = NamedText::read(source, find_message)?;
        let names = Scope::Found(Box::new(names_in(structure)));
        names.during(|| (message_of(text.ty).read)(&mut text.reader()))
    };
    read().map_err(|error: DataError| error.in_text(source))
}

/// Writes a message with the name of its type, in the form that [`parse_message`] reads.
///
/// An id is the name of its messagee, or `"#7v2"` if the messagee has no name or shares it.
///
/// # Errors
///
/// Returns an error if the type has no data, or the error of its `Serialize`.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{self as data, Data};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Message, Data, Serialize, Deserialize)]
/// #[data(name = "docs.Parry", exact)]
/// struct Parry { by: MessageeId, with: MessageeId }
///
/// let mut manager = MessageManager::new();
/// let by = manager.spawn_named("grib", ());
/// let with = manager.spawn(());
/// let text = data::message_to_text(&Parry { by, with })?;
/// assert_eq!(text, format!("Parry(by: \"grib\", with: \"#{with}\")"));
/// assert!(data::parse_message(&text, &manager)?.is::<Parry>());
/// # Ok::<(), data::DataError>(())
/// ```
pub fn message_to_text(message: &dyn AnyMessage) -> Result<String, DataError> {
    Scope::Shown.during(|| text_in_scope(message))
}

/// Like [`message_to_text`], but uses the meaning of ids that is already set.
pub(crate) fn text_in_scope(message: &dyn AnyMessage) -> Result<String, DataError> {
    Ok(text::print(&message_tape(message)?, 0))
}

/// Records a message after its name, on a tape.
pub(crate) fn message_tape(message: &dyn AnyMessage) -> Result<Tape, DataError> {
    let ty = type_of(message)?;
    let write = message_of(ty).write;
    named_tape(name_in_files(ty), |writer| write(message, writer))
}

/// Records the value that `write` writes, after the name of its type in files.
pub(crate) fn named_tape(
    word: &str,
    write: impl FnOnce(&mut Writer) -> Result<(), DataError>,
) -> Result<Tape, DataError> {
    let mut writer = Writer::without_gone(Scope::take_gone);
    let written = write(&mut writer);
    // Forgets which ids this value had, so that they do not count for the next one.
    Scope::take_gone();
    written?;
    let Writer {
        tape: value,
        is_struct,
        ..
    } = writer;
    let mut tape = Tape::default();
    let nowhere = (0, 0);
    let is_word = text::is_name(word);
    // Where a name is no word: `("a::b", …)`.
    let pair = (!is_word).then(|| tape.open(Kind::Tuple, 0));
    let first = value.tokens[0];
    let is_alone = is_struct && first.kind == Kind::Unit && Empty::of(first) == Empty::Unit;
    match (is_word, is_alone) {
        (true, true) => tape.push_str(Kind::Word, word, nowhere)?,
        (true, false) => tape.push_str(Kind::Named, word, nowhere)?,
        (false, _) => tape.push_str(Kind::Str, word, nowhere)?,
    }
    match (is_alone, is_struct) {
        (true, _) if is_word => {}
        (true, _) => tape.push(Kind::Unit, 0, nowhere),
        (false, true) => tape.append(&value, 0)?,
        (false, false) => {
            let inside = tape.open(Kind::Wrapped, 0);
            tape.append(&value, 0)?;
            tape.end(inside, 0)?;
        }
    }
    if let Some(pair) = pair {
        tape.end(pair, 0)?;
    }
    Ok(tape)
}

/// Returns the shortest name that means the type.
pub(crate) fn name_in_files(ty: &'static DataType) -> &'static str {
    match find_of_kind(ty.short_name(), ty.is_message()) {
        Ok(found) if std::ptr::eq(found, ty) => ty.short_name(),
        _ => ty.name(),
    }
}

/// A value with the name of its type.
pub(crate) struct NamedValue {
    /// The token of the name.
    pub(crate) name: u32,
    /// Where on the tape the content begins.
    pub(crate) content: usize,
}

/// Finds the parts of a named value: `Health(hp: 8)`, `Health`, or `("a::Health", (hp: 8))` for a name
/// that is no word.
pub(crate) fn named_value_in(tape: &mut Tape, at: usize) -> Result<NamedValue, DataError> {
    let token = tape.tokens[at];
    let (name, content) = match token.kind {
        Kind::Named | Kind::Some => (at, at + 1),
        Kind::Word => {
            // All fields by default: as `Health()`.
            tape.push(Kind::Unit, 0, (token.start, token.end));
            (at, tape.tokens.len() - 1)
        }
        Kind::Tuple if token.len() == 2 && tape.tokens[at + 1].kind == Kind::Str => {
            (at + 1, at + 2)
        }
        _ => {
            let what = "expected the name of a type with its fields, such as `Health(hp: 8)`";
            return Err(DataError::new(what).at(token.start));
        }
    };
    let name = u32::try_from(name).map_err(|_| DataError::too_large())?;
    Ok(NamedValue { name, content })
}

/// A text that begins with the name of a type.
pub(crate) struct NamedText {
    pub(crate) tape: Tape,
    pub(crate) ty: &'static DataType,
    /// The place of the name in the text.
    pub(crate) place: u32,
    /// Where on the tape the content begins.
    pub(crate) content: usize,
}

impl NamedText {
    /// Reads a text, and finds its type by its name.
    pub(crate) fn read(
        source: &str,
        find: fn(&str) -> Result<&'static DataType, DataError>,
    ) -> Result<Self, DataError> {
        let mut tape = text::read(source, TextOptions::new())?;
        let NamedValue { name, content } = named_value_in(&mut tape, 0)?;
        let name = tape.tokens[name as usize];
        let place = name.start;
        let ty = find(tape.str(name)).map_err(|error| error.at(place))?;
        Ok(Self {
            tape,
            ty,
            place,
            content,
        })
    }

    /// Reads the value of one field of a type.
    pub(crate) fn of_field(
        ty: &'static DataType,
        field: &str,
        source: &str,
    ) -> Result<Self, DataError> {
        let mut tape = text::read(source, TextOptions::new())?;
        let value = tape.clone();
        let content = tape.open(Kind::Fields, 0);
        tape.push_str(Kind::Word, field, (0, 0))?;
        tape.append(&value, 0)?;
        tape.end(content, 0)?;
        Ok(Self {
            tape,
            ty,
            place: 0,
            content,
        })
    }

    /// Returns a reader of the content.
    pub(crate) fn reader(&self) -> Reader<'_> {
        Reader::behind_name(&self.tape, self.content, Unknown::Refused)
    }
}

pub(crate) fn message_of(ty: &'static DataType) -> MessageData {
    ty.message().expect("only messages are looked for")
}

pub(crate) fn component_of(ty: &'static DataType) -> ComponentData {
    ty.component().expect("only components are looked for")
}

/// Returns the message type with this id.
pub(crate) fn type_of_id(id: MessageId) -> Result<&'static DataType, DataError> {
    let mut messages = types::types().filter(|ty| ty.is_message());
    messages.find(|ty| message_of(ty).id == id).ok_or_else(|| {
        let name = registry().message(id).map_or("", |info| info.name);
        no_data("message", name)
    })
}

pub(crate) fn no_data(what: &str, name: &str) -> DataError {
    DataError::new(format_args!(
        "the {what} type `{name}` has no data: expected `#[derive(Data)]`"
    ))
}

/// Returns the type of a message.
///
/// # Errors
///
/// Returns an error if the type has no data.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{self as data, Data};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Message, Data, Serialize, Deserialize)]
/// #[data(name = "docs.Nudge", exact)]
/// struct Nudge { by: u32 }
///
/// assert_eq!(data::type_of(&Nudge { by: 1 })?.name(), "docs.Nudge");
/// # Ok::<(), data::DataError>(())
/// ```
pub fn type_of(message: &dyn AnyMessage) -> Result<&'static DataType, DataError> {
    let any: &dyn std::any::Any = message;
    of_type(any.type_id()).ok_or_else(|| no_data("message", message.name()))
}

/// Returns a message as a save has it: the full name of its type, and its fields.
pub(crate) fn packed(message: &dyn AnyMessage) -> Result<(String, Vec<u8>), DataError> {
    let ty = type_of(message)?;
    let mut packer = Packer::default();
    packer.write(|writer| (message_of(ty).write)(message, writer))?;
    Ok((ty.name().to_owned(), packer.into_bytes()))
}

/// Reads a message from its form in a save.
pub(crate) fn unpacked(name: &str, bytes: &[u8]) -> Result<Box<dyn AnyMessage>, DataError> {
    let ty = types::find_message(name)?;
    let tape = pack::read_all(bytes)?;
    (message_of(ty).read)(&mut Reader::new(&tape, 0, Unknown::Noted))
}

/// Returns a copy of a message: a clone, or the message written and read again if its type is not `Clone`.
pub(crate) fn copy_of(
    message: &dyn AnyMessage,
    world: &World,
) -> Result<Box<dyn AnyMessage>, DataError> {
    if let Some(clone) = message.try_clone() {
        return Ok(clone);
    }
    let (name, bytes) = Scope::numbered(&world.common.identity).during(|| packed(message))?;
    reading_numbers(world, || unpacked(&name, &bytes))
}

/// Returns the names that the messagees of this manager have.
pub(crate) fn names_in(structure: &Structure) -> Found {
    let mut names: HashMap<String, Named> = HashMap::new();
    for id in structure.messagees() {
        if let Some(name) = structure.name(id) {
            names
                .entry(name.to_string())
                .and_modify(|named| *named = Named::Several)
                .or_insert(Named::One(id));
        }
    }
    Found {
        names,
        manager: structure.keys.messagees.borrow().manager,
        numbered: None,
    }
}
