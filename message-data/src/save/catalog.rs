//! The types of a save. Each has its name and version once, and is then referred to by its number.

use std::any::TypeId;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;

use message_core::registry::MessageIndex;
use message_core::{AnyMessage, MessageId, registry};
use message_format::tape::Tape;
use message_format::{DataError, Reader, Unknown, in_value};
use serde::{Deserialize, Serialize};

use crate::data_type::{ComponentData, DataType, MessageData};
use crate::save::chunks::Body;
use crate::save::error::{RestoreError, RestoreNote, SaveError, Unsaved};
use crate::save::options::SaveOptions;
use crate::types::{find_of_kind, of_type, types};

/// A type as a save names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct TypeRow {
    name: String,
    version: u32,
    is_message: bool,
}

/// The types of a save that is being written.
pub(super) struct Catalog<'o> {
    options: &'o SaveOptions,
    pub(super) rows: Vec<TypeRow>,
    /// The number of each type that is saved, and `None` for each type that is left out.
    known: HashMap<TypeId, Option<u32>>,
    unsaved: BTreeMap<&'static str, Unsaved>,
}

impl<'o> Catalog<'o> {
    pub(super) fn new(options: &'o SaveOptions) -> Self {
        Self {
            options,
            rows: Vec::new(),
            known: HashMap::new(),
            unsaved: BTreeMap::new(),
        }
    }

    /// Returns the number of a type, unless it is left out. A type without data is noted.
    fn number(
        &mut self,
        (of, name): (TypeId, &'static str),
        is_message: bool,
        count: impl FnOnce(&mut Unsaved),
    ) -> Option<u32> {
        if let Some(known) = self.known.get(&of) {
            return *known;
        }
        let ty = of_type(of).filter(|ty| ty.is_message() == is_message);
        let full_name = ty.map_or(name, DataType::name);
        let left_out = self.options.leaves_out(of, full_name)
            || (ty.is_none() && self.options.leaves_out_without_data());
        let Some(ty) = ty.filter(|_| !left_out) else {
            if left_out {
                self.known.insert(of, None);
            } else {
                let unsaved = self.unsaved.entry(name).or_default();
                unsaved.name = name;
                count(unsaved);
            }
            return None;
        };
        let number = u32::try_from(self.rows.len()).ok();
        self.rows.push(TypeRow {
            name: ty.name().to_owned(),
            version: ty.version(),
            is_message,
        });
        self.known.insert(of, number);
        number
    }

    /// Returns the number of a component type, and how its components are written.
    pub(super) fn component(
        &mut self,
        of: TypeId,
        name: &'static str,
        components: usize,
    ) -> Option<(u32, ComponentData)> {
        let number = self.number((of, name), false, |unsaved| {
            unsaved.components += components;
        })?;
        Some((number, of_type(of)?.component()?))
    }

    /// Returns the number of a message's type, and how the message is written.
    pub(super) fn message(
        &mut self,
        message: &dyn AnyMessage,
        count: impl FnOnce(&mut Unsaved),
    ) -> Option<(u32, MessageData)> {
        let of = (message as &dyn std::any::Any).type_id();
        let number = self.number((of, message.name()), true, count)?;
        Some((number, of_type(of)?.message()?))
    }

    /// Returns the number of the message type with this id, if it has data and is not left out.
    pub(super) fn message_type(&mut self, id: MessageId) -> Option<u32> {
        let ty = types().find(|ty| ty.message_id() == Some(id))?;
        self.number((ty.type_id(), ty.name()), true, |_| {})
    }

    /// # Errors
    ///
    /// Returns all types that were found and have no data.
    pub(super) fn check(&mut self) -> Result<(), SaveError> {
        if self.unsaved.is_empty() {
            return Ok(());
        }
        let types = std::mem::take(&mut self.unsaved).into_values().collect();
        Err(SaveError::NoData { types })
    }
}

/// Returns the id of the message type with this index.
pub(crate) fn id_of(index: MessageIndex) -> MessageId {
    let message = registry().messages().nth(index.get());
    message
        .expect("a manager knows the types of the registry")
        .id
}

/// A message that was read, with the index of its type.
type ReadMessage = (MessageIndex, Box<dyn AnyMessage>);

/// A type of a save that is being read.
pub(super) struct Known {
    row: TypeRow,
    /// `None` if the program does not have it.
    ty: Option<&'static DataType>,
    pub(super) components: usize,
    pub(super) messages: usize,
    /// `true` once its components were read.
    pub(super) was_read: bool,
    fields: BTreeMap<String, usize>,
}

/// The types of a save that is being read.
pub(super) struct Types(Vec<Known>);

impl Types {
    pub(super) fn of(rows: Vec<TypeRow>) -> Result<Self, RestoreError> {
        let mut types = Vec::with_capacity(rows.len());
        for row in rows {
            let ty = find_of_kind(&row.name, row.is_message).ok();
            if let Some(ty) = ty
                && row.version > ty.version()
            {
                return Err(RestoreError::NewerType {
                    found: row.version,
                    known: ty.version(),
                    name: row.name,
                });
            }
            types.push(Known {
                row,
                ty,
                components: 0,
                messages: 0,
                was_read: false,
                fields: BTreeMap::new(),
            });
        }
        Ok(Self(types))
    }

    /// # Errors
    ///
    /// Returns an error if there is no such number, or if it is that of a message.
    pub(super) fn component(
        &mut self,
        number: u32,
        body: &Body<'_>,
    ) -> Result<&mut Known, RestoreError> {
        self.find(number, false, body)
    }

    /// # Errors
    ///
    /// Returns an error if there is no such number, or if it is that of a component.
    pub(super) fn message(
        &mut self,
        number: u32,
        body: &Body<'_>,
    ) -> Result<&mut Known, RestoreError> {
        self.find(number, true, body)
    }

    fn find(
        &mut self,
        number: u32,
        is_message: bool,
        body: &Body<'_>,
    ) -> Result<&mut Known, RestoreError> {
        let count = self.0.len();
        let known = self.0.get_mut(number as usize);
        let known = known.ok_or_else(|| {
            body.wrong(format_args!("there is no type {number}: there are {count}"))
        })?;
        if known.row.is_message != is_message {
            let name = &known.row.name;
            return Err(body.wrong(format_args!("`{name}` is not allowed here")));
        }
        Ok(known)
    }

    /// Reads a message of a type from the next value, and returns it with the index of the type. Returns `None` if the
    /// program does not have the type.
    pub(super) fn read_message(
        &mut self,
        of: u32,
        body: &mut Body<'_>,
    ) -> Result<Option<ReadMessage>, RestoreError> {
        let known = self.message(of, body)?;
        let (data, index) = (known.message_data(), known.index());
        let tape = body.next()?;
        let Some(data) = data else {
            known.messages += 1;
            return Ok(None);
        };
        let message = known.read(tape, data.read, &"");
        let message = message.map_err(|error| body.error(&error))?;
        Ok(index.map(|index| (index, message)))
    }

    /// Appends notes on everything that was passed over.
    pub(super) fn notes(self, notes: &mut Vec<RestoreNote>) {
        for known in self.0 {
            let Known {
                row,
                ty,
                components,
                messages,
                fields,
                ..
            } = known;
            let Some(ty) = ty else {
                notes.push(RestoreNote::UnknownType {
                    name: row.name,
                    components,
                    messages,
                });
                continue;
            };
            let name = ty.name();
            let fields = fields.into_iter();
            notes.extend(fields.map(|(what, times)| RestoreNote::UnknownField {
                name,
                what,
                times,
            }));
        }
    }
}

impl Known {
    pub(super) fn component_data(&self) -> Option<(&'static DataType, ComponentData)> {
        let ty = self.ty?;
        Some((ty, ty.component()?))
    }

    pub(super) fn message_data(&self) -> Option<MessageData> {
        self.ty?.message()
    }

    /// Returns the index of the message type, if the program has it.
    pub(super) fn index(&self) -> Option<MessageIndex> {
        self.message_data()?.facts.index()
    }

    /// Reads a value of the type. `whose` describes the value in an error.
    pub(super) fn read<T>(
        &mut self,
        tape: &Tape,
        read: fn(&mut Reader<'_>) -> Result<T, DataError>,
        whose: &dyn Display,
    ) -> Result<T, DataError> {
        let value = self.read_upgraded(tape, read);
        value.map_err(|error| in_value(error, tape, &self.row.name, whose))
    }

    fn read_upgraded<T>(
        &mut self,
        tape: &Tape,
        read: fn(&mut Reader<'_>) -> Result<T, DataError>,
    ) -> Result<T, DataError> {
        let version = self.row.version;
        let upgraded = self.ty.map(|ty| ty.upgraded_tape(version, tape));
        let upgraded = upgraded.transpose()?.flatten();
        let tape = upgraded.as_ref().unwrap_or(tape);
        let mut reader = Reader::new(tape, 0, Unknown::Noted);
        let value = read(&mut reader)?;
        let notes = reader.into_notes();
        for note in notes.kept {
            *self.fields.entry(note.what().to_owned()).or_default() += 1;
        }
        if notes.more > 0 {
            let others = "further fields that their types do not have".to_owned();
            *self.fields.entry(others).or_default() += notes.more;
        }
        Ok(value)
    }
}
