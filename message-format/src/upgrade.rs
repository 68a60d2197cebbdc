//! Upgrades of data that an earlier version of a type has written.

use serde::de::DeserializeOwned;
use serde::ser::Serialize;

use crate::error::DataError;
use crate::names::no_such;
use crate::reader::{Reader, Unknown};
use crate::recorder::Recorder;
use crate::tape::{Extensions, Form, Kind, Tape, Token};
use crate::writer::Writer;

/// The fields of a value that an earlier version of its type has written, for a function that upgrades them. In
/// message-core, `#[data(version = 2, upgrade = …)]` names the function.
///
/// The function gets the fields before they are read, and changes them to those of the current version. Fields that
/// it leaves alone are read as they are. Fields that the type no longer has may stay.
///
/// ```
/// use message_format::{DataError, Reader, Unknown, Upgrade};
/// use serde::Deserialize;
///
/// // Version 1 had `hp`, in tenths.
/// #[derive(Deserialize)]
/// struct Health { points: u32 }
///
/// fn from_tenths(fields: &mut Upgrade) -> Result<(), DataError> {
///     if fields.version() < 2 {
///         let tenths: u32 = fields.take("hp")?;
///         fields.set("points", &(tenths / 10))?;
///     }
///     Ok(())
/// }
///
/// let mut fields = Upgrade::of_text(1, "(hp: 80)")?;
/// from_tenths(&mut fields)?;
/// let tape = fields.into_tape()?;
/// let health: Health = Reader::new(&tape, 0, Unknown::Noted).read()?;
/// assert_eq!(health.points, 8);
/// # Ok::<(), DataError>(())
/// ```
#[derive(Debug)]
pub struct Upgrade {
    version: u32,
    /// Each field's name, and its value on a tape of its own.
    fields: Vec<(String, Tape)>,
    /// The name in front of the parentheses: the variant of an enum.
    name: Option<String>,
    form: Form,
}

impl Upgrade {
    /// Returns the fields in a text that a version of the type has written. Intended for tests of an upgrade.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not in RON syntax or has no fields.
    ///
    /// ```
    /// use message_format::Upgrade;
    ///
    /// let mut old = Upgrade::of_text(1, "(hp: 80)")?;
    /// assert!(old.has("hp") && !old.has("points"));
    /// assert_eq!(old.take::<u32>("hp")?, 80);
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    pub fn of_text(version: u32, text: &str) -> Result<Self, DataError> {
        let tape = crate::text::read(text, Extensions::NONE)?;
        Self::of_tape(version, &tape, 0).map_err(|error| error.in_text(text))
    }

    /// Returns the fields of the value on a tape whose first token has this index.
    ///
    /// # Errors
    ///
    /// Returns an error with the place if the value has no named fields.
    ///
    /// ```
    /// use message_format::{Upgrade, pack, tape::Tape};
    ///
    /// let mut tape = Tape::default();
    /// pack::read(&[0x81, 0xa2, b'h', b'p', 80], &mut tape)?;
    /// let old = Upgrade::of_tape(1, &tape, 0)?;
    /// assert!(old.has("hp"));
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    pub fn of_tape(version: u32, tape: &Tape, at: usize) -> Result<Self, DataError> {
        let mut upgrade = Self {
            version,
            fields: Vec::new(),
            name: None,
            form: tape.form,
        };
        let unnamed = |token: Token| {
            DataError::new("only a value with named fields can be upgraded").at(token.start)
        };
        let mut next = at;
        let mut token = tape.tokens[next];
        if token.is_name() {
            upgrade.name = Some(tape.str(token).to_owned());
            next += 1;
            token = tape.tokens[next];
        }
        if matches!(token.kind, Kind::Unit | Kind::Nil | Kind::Word) {
            return Ok(upgrade);
        }
        if !matches!(token.kind, Kind::Fields | Kind::Map) {
            return Err(unnamed(token));
        }
        next += 1;
        for _ in 0..token.len() {
            let key = tape.tokens[next];
            if !matches!(key.kind, Kind::Word | Kind::Str) {
                return Err(unnamed(key));
            }
            let mut value = Tape::default();
            value.clear(tape.form);
            value.extensions = tape.extensions;
            value.append(tape, next + 1)?;
            upgrade.fields.push((tape.str(key).to_owned(), value));
            next = tape.behind(next + 1);
        }
        Ok(upgrade)
    }

    /// Returns the value with its current fields.
    ///
    /// # Errors
    ///
    /// Returns an error if the value is too large.
    ///
    /// ```
    /// use message_format::{Upgrade, text};
    ///
    /// let mut old = Upgrade::of_text(1, "(hp: 80)")?;
    /// old.rename("hp", "points");
    /// assert_eq!(text::print(&old.into_tape()?, 0), "(points: 80)");
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    pub fn into_tape(self) -> Result<Tape, DataError> {
        let mut tape = Tape::default();
        tape.clear(self.form);
        if let Some((_, value)) = self.fields.first() {
            tape.extensions = value.extensions;
        }
        if let Some(name) = &self.name {
            tape.push_str(Kind::Named, name, (0, 0))?;
        }
        let (kind, key) = match self.form {
            Form::Text | Form::Asking => (Kind::Fields, Kind::Word),
            Form::Packed => (Kind::Map, Kind::Str),
        };
        if self.fields.is_empty() && self.form == Form::Text {
            tape.push(Kind::Unit, 0, (0, 0));
            return Ok(tape);
        }
        let opened = tape.open(kind, 0);
        let len = u32::try_from(self.fields.len()).map_err(|_| DataError::too_large())?;
        for (name, value) in &self.fields {
            tape.push_str(key, name, (0, 0))?;
            tape.append(value, 0)?;
        }
        tape.close(opened, len, 0)?;
        Ok(tape)
    }

    /// Returns the version that wrote the value. It is less than that of the type.
    ///
    /// ```
    /// use message_format::Upgrade;
    ///
    /// assert_eq!(Upgrade::of_text(1, "()")?.version(), 1);
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    #[must_use]
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Returns `true` if the value has this field.
    ///
    /// ```
    /// use message_format::Upgrade;
    ///
    /// assert!(Upgrade::of_text(1, "(hp: 80)")?.has("hp"));
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.fields.iter().any(|(field, _)| field == name)
    }

    /// Renames a field. Returns `false` if the value does not have it.
    ///
    /// ```
    /// use message_format::Upgrade;
    ///
    /// let mut old = Upgrade::of_text(1, "(hp: 80)")?;
    /// assert!(old.rename("hp", "points") && !old.rename("hp", "points"));
    /// assert_eq!(old.take::<u32>("points")?, 80);
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    pub fn rename(&mut self, from: &str, to: &str) -> bool {
        let Some(at) = self.fields.iter().position(|(field, _)| field == from) else {
            return false;
        };
        to.clone_into(&mut self.fields[at].0);
        true
    }

    /// Removes a field and returns its value.
    ///
    /// # Errors
    ///
    /// Returns an error if the value does not have the field, or if the field is of another type.
    ///
    /// ```
    /// use message_format::Upgrade;
    ///
    /// let mut old = Upgrade::of_text(1, "(hp: 80)")?;
    /// assert_eq!(old.take::<u32>("hp")?, 80);
    /// assert!(old.take::<u32>("hp").is_err());
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    pub fn take<T: DeserializeOwned>(&mut self, name: &str) -> Result<T, DataError> {
        let Some(at) = self.fields.iter().position(|(field, _)| field == name) else {
            let names: Vec<&str> = self.fields.iter().map(|(name, _)| &**name).collect();
            return Err(no_such("there is no field", name, "there are", &names));
        };
        let value = {
            let (_, tape) = &self.fields[at];
            Reader::new(tape, 0, Unknown::Noted).read()?
        };
        self.fields.remove(at);
        Ok(value)
    }

    /// Sets a field, whether or not the value has it.
    ///
    /// # Errors
    ///
    /// Returns an error if the new value cannot be written.
    ///
    /// ```
    /// use message_format::Upgrade;
    ///
    /// let mut old = Upgrade::of_text(1, "()")?;
    /// old.set("points", &8)?;
    /// assert_eq!(old.take::<u32>("points")?, 8);
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    pub fn set<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), DataError> {
        let mut tape = match self.form {
            Form::Text | Form::Asking => {
                let mut recorder = Recorder::new();
                value.serialize(&mut Writer::new(&mut recorder))?;
                recorder.tape
            }
            Form::Packed => {
                let mut packer = crate::pack::Packer::default();
                value.serialize(&mut Writer::new(&mut packer))?;
                let mut tape = Tape::default();
                crate::pack::read(&packer.bytes, &mut tape)?;
                tape
            }
        };
        tape.form = self.form;
        let known = self.fields.iter_mut().find(|(field, _)| field == name);
        match known {
            Some((_, value)) => *value = tape,
            None => self.fields.push((name.to_owned(), tape)),
        }
        Ok(())
    }
}
