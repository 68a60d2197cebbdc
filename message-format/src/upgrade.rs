//! Upgrades of data that an earlier version of a type has written.

use serde::de::DeserializeOwned;
use serde::ser::Serialize;

use crate::error::DataError;
use crate::names::no_such;
use crate::options::TextOptions;
use crate::reader::{Reader, Unknown};
use crate::tape::{Form, Kind, Tape, Token};
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
        let tape = crate::text::read(text, TextOptions::new())?;
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
        let mut at = at;
        if tape.tokens[at].is_name() {
            upgrade.name = Some(tape.str(tape.tokens[at]).to_owned());
            at += 1;
        }
        let token = tape.tokens[at];
        if matches!(token.kind, Kind::Unit | Kind::Nil | Kind::Word) {
            return Ok(upgrade);
        }
        if !matches!(token.kind, Kind::Fields | Kind::Map) {
            return Err(unnamed(token));
        }
        for (key, at) in tape.parts(at) {
            let key = key.map_or(token, |key| tape.tokens[key]);
            if !matches!(key.kind, Kind::Word | Kind::Str) {
                return Err(unnamed(key));
            }
            let mut value = Tape::default();
            (value.form, value.options) = (tape.form, tape.options);
            value.append(tape, at)?;
            upgrade.fields.push((tape.str(key).to_owned(), value));
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
            tape.options = value.options;
        }
        if let Some(name) = &self.name {
            tape.push_str(Kind::Named, name, (0, 0))?;
        }
        let (kind, key) = match self.form {
            Form::Text | Form::Compact => (Kind::Fields, Kind::Word),
            Form::Packed => (Kind::Map, Kind::Str),
        };
        if self.fields.is_empty() && self.form == Form::Text {
            tape.push(Kind::Unit, 0, (0, 0));
            return Ok(tape);
        }
        let opened = tape.open(kind, 0);
        for (name, value) in &self.fields {
            tape.push_str(key, name, (0, 0))?;
            tape.append(value, 0)?;
        }
        tape.end(opened, 0)?;
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

    fn at(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|(field, _)| field == name)
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
        self.at(name).is_some()
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
        let Some(at) = self.at(from) else {
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
        let Some(at) = self.at(name) else {
            let names: Vec<&str> = self.fields.iter().map(|(name, _)| &**name).collect();
            return Err(no_such("there is no field", name, "there are", &names));
        };
        let value = Reader::new(&self.fields[at].1, 0, Unknown::Noted).read()?;
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
        let mut tape = if self.form == Form::Packed {
            crate::pack::read_all(&crate::to_bytes(value)?)?
        } else {
            let mut writer = Writer::new();
            value.serialize(&mut writer)?;
            writer.tape
        };
        tape.form = self.form;
        match self.at(name) {
            Some(at) => self.fields[at].1 = tape,
            None => self.fields.push((name.to_owned(), tape)),
        }
        Ok(())
    }
}
