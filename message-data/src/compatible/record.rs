//! The file: a line for each type, version and shape that the program has had.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use message_format::{DataError, Reader, Shape, TextOptions, Unknown, tape::Tape, text, to_text};
use serde::{Deserialize, Serialize};

use crate::compatible::check::{Unread, Unrecorded};
use crate::data_type::DataType;
use crate::types::kind_name;

const HEADER: &str = "\
// The types that saves and logs of this program can contain: each line is a type with a version and a shape.
// `message_data::assert_compatible` checks that all of it can be read. It adds lines on request, and removes none.
";

/// A type as the program has it, or once had it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) is_message: bool,
    pub(super) version: u32,
    pub(super) shape: Shape,
}

/// A row as it is written: the name, the version and the shape.
#[derive(Serialize, Deserialize)]
enum Line {
    Component(String, u32, String),
    Message(String, u32, String),
}

impl Row {
    pub(super) fn of(ty: &DataType) -> Self {
        Self {
            name: ty.name().to_owned(),
            is_message: ty.is_message(),
            version: ty.version(),
            shape: ty.shape(),
        }
    }

    fn line(&self) -> String {
        let (name, version, shape) = (self.name.clone(), self.version, self.shape.to_string());
        let line = if self.is_message {
            Line::Message(name, version, shape)
        } else {
            Line::Component(name, version, shape)
        };
        format!("    {},\n", to_text(&line).expect("it has no ids"))
    }

    fn read(tape: &Tape, at: usize) -> Result<Self, DataError> {
        let line = Reader::new(tape, at, Unknown::Refused).read()?;
        let (is_message, name, version, shape) = match line {
            Line::Component(name, version, shape) => (false, name, version, shape),
            Line::Message(name, version, shape) => (true, name, version, shape),
        };
        let shape = shape.parse::<Shape>();
        let shape = shape.map_err(|error| {
            let what = format!("the shape of `{name}`: {error}");
            DataError::new(what).at(tape.tokens[at].start)
        })?;
        Ok(Self {
            name,
            is_message,
            version,
            shape,
        })
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = kind_name(self.is_message);
        write!(f, "{kind} `{}`, version {}", self.name, self.version)
    }
}

/// All rows of the file, sorted by name and version. Those of one version are in the order in which they were added.
#[derive(Debug, Default)]
pub(super) struct Record {
    pub(super) rows: Vec<Row>,
}

impl Record {
    /// # Errors
    ///
    /// Returns an error with its place in the file if the text does not have the expected form.
    pub(super) fn read(text: &str, file: &Path) -> Result<Self, DataError> {
        let rows = || -> Result<Vec<Row>, DataError> {
            let tape = text::read(text, TextOptions::new())?;
            Reader::new(&tape, 0, Unknown::Refused).read::<Vec<Line>>()?;
            let lines = tape.parts(0);
            lines.map(|(_, line)| Row::read(&tape, line)).collect()
        };
        let file: Arc<str> = file.to_string_lossy().into();
        let rows = rows().map_err(|error| error.in_text(text).in_file(&file))?;
        Ok(Self { rows })
    }

    pub(super) fn add(&mut self, types: &[Unrecorded]) {
        self.rows.extend(types.iter().map(|it| it.row.clone()));
    }

    pub(super) fn remove(&mut self, rows: &[Unread]) {
        self.rows
            .retain(|row| !rows.iter().any(|unread| unread.row == *row));
    }

    /// Returns the text of the file.
    pub(super) fn text(&mut self) -> String {
        self.rows
            .sort_by(|one, other| (&one.name, one.version).cmp(&(&other.name, other.version)));
        let lines: Vec<String> = self.rows.iter().map(Row::line).collect();
        format!("{HEADER}[\n{}]\n", lines.concat())
    }
}
