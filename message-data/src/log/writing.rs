//! A log that is being written. Each input is passed to the writer before it runs.

use std::any::TypeId;
use std::collections::HashMap;
use std::fmt;
use std::io::{self, Write};
use std::panic::Location;

use message_core::HookId;
use message_format::{DataError, Packer, Writer};
use serde::ser::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use crate::DataType;
use crate::log::form::{entry, head};
use crate::log::input::{LogInput, Packed};
use crate::log::options::{Impurity, LogOptions, LogReport};
use crate::types::of_type;

/// A log that is being written: the manager's [input sink](message_core::input::InputSink).
///
/// [`start`](Self::start) attaches one to a manager, and [`stop`](Self::stop) ends it.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{Log, LogOptions};
///
/// let mut manager = MessageManager::new();
/// Log::start(&mut manager, std::io::sink(), LogOptions::new())?;
/// manager.spawn(());
/// let report = Log::stop(&mut manager)?.expect("a log is being written");
/// assert_eq!(report.inputs, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Log {
    writer: Box<dyn Write + Send>,
    options: LogOptions,
    /// The numbers of the types named so far.
    types: HashMap<TypeId, u32>,
    /// The numbers of the world files that were written so far, by the hashes of their texts.
    files: HashMap<u64, u32>,
    /// The names of the types of inputs of other crates, by their numbers.
    inputs: Vec<&'static str>,
    packer: Packer,
    report: LogReport,
    /// The first error of the writer. Nothing is written after it.
    failed: Option<io::Error>,
    /// The components that code outside has borrowed to change, in the order of borrowing.
    pub(super) touched: Vec<Touched>,
}

/// A component that was borrowed to be changed.
pub(super) struct Touched {
    pub(super) hook: HookId,
    /// A hash of its value before.
    pub(super) before: u64,
    pub(super) place: &'static Location<'static>,
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Log")
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl Log {
    pub(super) fn begin(
        mut writer: Box<dyn Write + Send>,
        options: LogOptions,
        start: &[u8],
    ) -> io::Result<Self> {
        let bytes = head(start);
        writer.write_all(&bytes)?;
        Ok(Self {
            writer,
            options,
            types: HashMap::new(),
            files: HashMap::new(),
            inputs: Vec::new(),
            packer: Packer::default(),
            report: LogReport {
                bytes: bytes.len() as u64,
                ..LogReport::default()
            },
            failed: None,
            touched: Vec::new(),
        })
    }

    /// Returns the number of frames from one digest to the next, and whether the state is written with each.
    pub(super) fn digests(&self) -> (u64, bool) {
        (self.options.digest_every, self.options.keep_states)
    }

    /// Writes an input. The scope of ids is that of the manager.
    pub(super) fn write(&mut self, input: &LogInput) {
        if let Err(error) = self.try_write(input) {
            // No input is deeper or longer than the values in it, and those were written alone.
            self.failed.get_or_insert(io::Error::other(error));
        }
        if !matches!(
            input,
            LogInput::Type(_)
                | LogInput::File(_)
                | LogInput::InputType(_)
                | LogInput::Digest(_)
                | LogInput::State(_)
                | LogInput::Impure(..)
        ) {
            self.report.inputs += 1;
        }
    }

    fn try_write(&mut self, input: &LogInput) -> Result<(), DataError> {
        if self.failed.is_some() {
            return Ok(());
        }
        self.packer.bytes.clear();
        self.packer.write(|writer| input.serialize(writer))?;
        let bytes = entry(&self.packer.bytes);
        match self.writer.write_all(&bytes) {
            Ok(()) => self.report.bytes += bytes.len() as u64,
            Err(error) => self.failed = Some(error),
        }
        Ok(())
    }

    /// Marks that an input could not be written.
    pub(super) fn impure(&mut self, what: String, place: &'static Location<'static>) {
        self.write(&LogInput::Impure(what.clone(), place.to_string()));
        self.report.impure.push(Impurity { what, place });
    }

    /// Returns the number of a type with data. The type is named in the log when it first appears.
    pub(super) fn number(&mut self, ty: TypeId) -> Option<(u32, &'static DataType)> {
        let data = of_type(ty)?;
        if let Some(&number) = self.types.get(&ty) {
            return Some((number, data));
        }
        self.write(&LogInput::Type(data.name().to_owned()));
        let number = u32::try_from(self.types.len()).ok()?;
        self.types.insert(ty, number);
        Some((number, data))
    }

    /// Returns the number of a type of inputs. The type is named in the log when it first appears.
    pub(super) fn input_number(&mut self, name: &'static str) -> u32 {
        let known = self.inputs.iter().position(|it| *it == name);
        let at = known.unwrap_or_else(|| {
            self.write(&LogInput::InputType(name.to_owned()));
            self.inputs.push(name);
            self.inputs.len() - 1
        });
        u32::try_from(at).expect("a program has fewer types of inputs")
    }

    /// Returns the number of a world file. The file is written to the log when it first appears.
    pub(super) fn file(&mut self, source: &str) -> u32 {
        let hash = xxh3_64(source.as_bytes());
        let next = u32::try_from(self.files.len()).expect("fewer files than bytes in memory");
        let number = *self.files.entry(hash).or_insert(next);
        if number == next {
            self.write(&LogInput::File(source.to_owned()));
        }
        number
    }

    /// Ends the log. Returns a summary of what was written, or the error of the writer.
    pub(super) fn end(mut self) -> io::Result<LogReport> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        self.writer.flush()?;
        Ok(self.report)
    }
}

/// Packs a value as `MessagePack`, given the function that writes it.
pub(crate) fn packed(
    write: impl FnOnce(&mut Writer) -> Result<(), DataError>,
) -> Result<Packed, DataError> {
    let mut packer = Packer::default();
    packer.write(write)?;
    Ok(Packed(packer.bytes))
}
