//! A log that is being written. Each input is passed to the writer before it runs.

use std::any::TypeId;
use std::collections::HashMap;
use std::fmt;
use std::io::{self, Write};
use std::panic::Location;
use std::sync::Arc;

use message_core::internals::{HashedMap, Identity, Inside as _};
use message_core::{HookId, MessageManager};
use message_format::{DataError, Packer, Writer};
use serde::ser::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use crate::DataType;
use crate::log::form::{head, put_entry};
use crate::log::input::{At, LogInput, Packed};
use crate::log::options::{Impurity, LogOptions, LogReport};
use crate::save::{SaveOptions, save_world};
use crate::scope::Numbered;
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
    output: Box<dyn Output>,
    options: LogOptions,
    /// The meaning of the ids in it.
    pub(super) ids: Arc<Numbered>,
    names: Names,
    packer: Packer,
    /// Writes the values in an input.
    values: Packer,
    /// The bytes of the last input, with its length and its hash.
    entry: Vec<u8>,
    pub(super) report: LogReport,
    /// The first error of the output. Nothing is written after it, until a segment of a journal begins.
    failed: Option<io::Error>,
    /// Whether an input could not be written since the state of this segment.
    misses_inputs: bool,
    /// The failures that are still to be reported.
    untold: Vec<String>,
    /// The last reason why the state could not be saved.
    unsaved: Option<String>,
    /// Why nothing is accepted until a frame begins, which tries again.
    stopped: Option<String>,
    /// `true` while an input is written that can be refused.
    pub(super) may_refuse: bool,
    /// The reason to refuse it.
    refused: Option<Impurity>,
    /// The components that code outside has borrowed to change, in the order of borrowing.
    pub(super) touched: Vec<Touched>,
}

/// The names so far. Each segment begins anew, so they take memory in proportion to a segment.
#[derive(Default)]
struct Names {
    /// The numbers of the types.
    types: HashedMap<TypeId, u32>,
    /// The numbers of the places, by their addresses. A place may have several.
    places: HashedMap<u64, At>,
    /// The numbers of the world files, by the hashes of their texts.
    files: HashMap<u64, u32>,
    /// The names of the types of inputs of other crates, by their numbers.
    inputs: Vec<&'static str>,
}

/// The destination of a log: a writer, or the segments of a journal.
pub(crate) trait Output: Send {
    /// Writes a part of the log. After an error, nothing is written until a segment begins.
    fn put(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Hands over everything that waits.
    fn flush(&mut self) -> io::Result<()>;

    /// Begins a frame. Returns `true` if a new segment is due, which begins with the state and may miss inputs before it.
    fn begin_frame(&mut self, _misses_inputs: bool) -> io::Result<bool> {
        Ok(false)
    }

    /// Begins a segment with these bytes, after a number of inputs.
    fn begin_segment(&mut self, bytes: Vec<u8>, _inputs: u64) -> io::Result<()> {
        self.put(&bytes)
    }

    /// Completes what was begun.
    fn finish(&mut self) -> io::Result<()> {
        self.flush()
    }

    /// Takes note that an input is missing from here on.
    fn give_up(&mut self) {}

    /// Takes note of a failure that is reported.
    fn note(&mut self, _failure: &str) {}

    /// Takes the last failure by which nothing is lost yet.
    fn warning(&mut self) -> Option<String> {
        None
    }
}

impl<W: Write + Send> Output for W {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_all(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Write::flush(self)
    }
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
        mut output: Box<dyn Output>,
        options: LogOptions,
        identity: &Arc<Identity>,
        start: &[u8],
        inputs: u64,
    ) -> io::Result<Self> {
        let head = head(start);
        let bytes = head.len() as u64;
        output.begin_segment(head, inputs)?;
        Ok(Self {
            output,
            options,
            ids: Arc::new(Numbered::of(identity)),
            names: Names::default(),
            packer: Packer::default(),
            values: Packer::default(),
            entry: Vec::new(),
            report: LogReport {
                inputs,
                bytes,
                ..LogReport::default()
            },
            failed: None,
            misses_inputs: false,
            untold: Vec::new(),
            unsaved: None,
            stopped: None,
            may_refuse: false,
            refused: None,
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
            self.fail(io::Error::other(error));
        }
        self.report.inputs += u64::from(input.is_repeated());
    }

    fn try_write(&mut self, input: &LogInput) -> Result<(), DataError> {
        if self.failed.is_some() {
            return Ok(());
        }
        self.packer.bytes_mut().clear();
        self.packer.write(|writer| input.serialize(writer))?;
        self.entry.clear();
        put_entry(&mut self.entry, self.packer.bytes());
        match self.output.put(&self.entry) {
            Ok(()) => self.report.bytes += self.entry.len() as u64,
            Err(error) => self.fail(error),
        }
        Ok(())
    }

    /// Takes note that nothing is written from here on.
    fn fail(&mut self, error: io::Error) {
        if self.failed.is_none() {
            self.untold
                .push(format!("the log cannot be written: {error}"));
            self.failed = Some(error);
            self.output.give_up();
        }
    }

    /// Marks that an input could not be written.
    pub(super) fn impure(&mut self, what: String, place: &'static Location<'static>) {
        let impurity = Impurity { what, place };
        if self.may_refuse {
            self.refused = Some(impurity);
            return;
        }
        let (what, at) = (impurity.what.clone(), self.place(place));
        self.write(&LogInput::Impure(what, at));
        self.untold
            .push(format!("an input could not be logged: {impurity}"));
        self.misses_inputs = true;
        if self.report.impure.len() < MOST_IMPURE {
            self.report.impure.push(impurity);
        }
    }

    /// Returns the number of a type with data. The type is named in the log when it first appears.
    pub(super) fn number(&mut self, ty: TypeId) -> Option<(u32, &'static DataType)> {
        let data = of_type(ty)?;
        if let Some(&number) = self.names.types.get(&ty) {
            return Some((number, data));
        }
        self.write(&LogInput::Type(data.name().to_owned()));
        let number = u32::try_from(self.names.types.len()).ok()?;
        self.names.types.insert(ty, number);
        Some((number, data))
    }

    /// Packs a value of an input, given the function that writes it.
    pub(super) fn packed(
        &mut self,
        write: impl FnOnce(&mut Writer) -> Result<(), DataError>,
    ) -> Result<Packed, DataError> {
        self.values.bytes_mut().clear();
        self.values.write(write)?;
        Ok(Packed(self.values.bytes().to_vec()))
    }

    /// Returns the number of a type of inputs. The type is named in the log when it first appears.
    pub(super) fn input_number(&mut self, name: &'static str) -> u32 {
        let known = self.names.inputs.iter().position(|it| *it == name);
        let at = known.unwrap_or_else(|| {
            self.write(&LogInput::InputType(name.to_owned()));
            self.names.inputs.push(name);
            self.names.inputs.len() - 1
        });
        u32::try_from(at).expect("a program has fewer types of inputs")
    }

    /// Returns the number of a place. The place is written to the log when it first appears.
    pub(super) fn place(&mut self, place: &'static Location<'static>) -> At {
        let address = std::ptr::from_ref(place).addr() as u64;
        if let Some(&number) = self.names.places.get(&address) {
            return number;
        }
        let (file, line, column) = (place.file().to_owned(), place.line(), place.column());
        self.write(&LogInput::Place(file, line, column));
        let number = At::try_from(self.names.places.len()).expect("a program has fewer places");
        self.names.places.insert(address, number);
        number
    }

    /// Returns the number of a world file. The file is written to the log when it first appears.
    pub(super) fn file(&mut self, source: &str) -> u32 {
        let hash = xxh3_64(source.as_bytes());
        let next = u32::try_from(self.names.files.len()).expect("fewer files than bytes in memory");
        let number = *self.names.files.entry(hash).or_insert(next);
        if number == next {
            self.write(&LogInput::File(source.to_owned()));
        }
        number
    }

    /// Ends the log. Returns a summary of what was written, or the error of the writer.
    pub(crate) fn end(mut self) -> io::Result<LogReport> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        self.output.finish()?;
        Ok(self.report)
    }

    /// Returns the number of inputs so far.
    #[cfg(feature = "files")]
    pub(crate) fn inputs(&self) -> u64 {
        self.report.inputs
    }

    /// Writes everything that waits.
    #[cfg(feature = "files")]
    pub(crate) fn flush(&mut self, manager: &MessageManager) -> io::Result<()> {
        if self.options.refuses {
            self.make_up(manager, true).map_err(io::Error::other)?;
        }
        if self.failed.is_none()
            && let Err(error) = self.output.flush()
        {
            self.fail(error);
        }
        match &self.failed {
            Some(error) => Err(io::Error::new(error.kind(), error.to_string())),
            None => Ok(()),
        }
    }

    /// Begins a segment of a journal with the state, if inputs are missing from the last one.
    #[cfg(feature = "files")]
    pub(crate) fn complete(&mut self, manager: &MessageManager) {
        if self.misses() {
            self.begin_segment(manager);
        }
    }

    /// Begins a frame of a journal, and a segment if one is due.
    pub(super) fn begin_frame(&mut self, manager: &MessageManager) {
        if let Some(warning) = self.output.warning() {
            // Perhaps the segment was not begun that should have made up for missing inputs.
            self.misses_inputs = true;
            self.untold.push(warning);
        }
        let misses_inputs = self.misses();
        match self.output.begin_frame(misses_inputs) {
            Ok(false) => {}
            // It is made up for before the frame.
            Ok(true) if self.options.refuses && misses_inputs => {}
            Ok(true) => self.begin_segment(manager),
            Err(error) => self.fail(error),
        }
    }

    /// Returns `true` if inputs are refused unless they can be written.
    pub(super) fn refuses(&self) -> bool {
        self.options.refuses
    }

    /// Returns `true` if nothing is written.
    pub(super) fn has_failed(&self) -> bool {
        self.failed.is_some()
    }

    /// Writes an input that is refused if it cannot be written.
    pub(super) fn refusing(&mut self, write: impl FnOnce(&mut Self)) -> Result<(), String> {
        self.may_refuse = true;
        write(self);
        self.may_refuse = false;
        self.refused.take().map_or(Ok(()), |impurity| {
            Err(format!(
                "an input that cannot be logged is refused: {impurity}"
            ))
        })
    }

    /// Returns `true` if inputs are missing since the state of this segment.
    fn misses(&self) -> bool {
        self.failed.is_some() || self.misses_inputs
    }

    /// Begins a segment with the state if inputs are missing from the last one, and waits until it is synced. After a
    /// failure, this is tried again only with `again`. It is not possible while there is something to settle.
    ///
    /// # Errors
    ///
    /// Returns why inputs are still missing.
    pub(super) fn make_up(&mut self, manager: &MessageManager, again: bool) -> Result<(), String> {
        let mut warning = None;
        let is_settled = !manager.world().waiting.pending.is_unsettled();
        if self.misses() && is_settled && (again || self.stopped.is_none()) {
            self.begin_segment(manager);
            if !self.misses()
                && let Err(error) = self.output.finish()
            {
                self.fail(error);
            }
            warning = self.output.warning();
            self.misses_inputs |= warning.is_some();
            self.untold.extend(warning.clone());
        }
        if !self.misses() {
            self.stopped = None;
            return Ok(());
        }
        let failed = self.failed.as_ref().map(ToString::to_string);
        let why = failed.or(warning).or_else(|| self.unsaved.clone());
        let why = why.unwrap_or_else(|| "an input is missing".to_owned());
        let what = "the manager accepts no inputs, because they cannot be logged";
        Err(self.stopped.insert(format!("{what}: {why}")).clone())
    }

    fn begin_segment(&mut self, manager: &MessageManager) {
        let state = match save_world(manager.world(), &SaveOptions::new()) {
            Ok(state) => state,
            Err(error) => {
                // The current segment goes on, if there is one.
                let why = format!("a segment of the journal cannot be begun: {error}");
                if self.unsaved.as_ref() != Some(&why) {
                    self.untold.push(why.clone());
                    self.unsaved = Some(why);
                }
                return;
            }
        };
        match self.output.begin_segment(head(&state), self.report.inputs) {
            Ok(()) => {
                (self.failed, self.misses_inputs, self.unsaved) = (None, false, None);
                // The last segment has it, too, because it goes on until this one is complete.
                self.names = Names::default();
                self.write(&LogInput::Anew);
            }
            Err(error) => self.fail(error),
        }
    }

    /// Takes the failures that were not reported yet.
    pub(super) fn untold(&mut self) -> Vec<String> {
        let untold = std::mem::take(&mut self.untold);
        for failure in &untold {
            self.output.note(failure);
        }
        untold
    }
}

/// The number of inputs that could not be written that a report lists.
const MOST_IMPURE: usize = 1000;

/// Packs a value as `MessagePack`, given the function that writes it.
pub(crate) fn packed(
    write: impl FnOnce(&mut Writer) -> Result<(), DataError>,
) -> Result<Packed, DataError> {
    let mut packer = Packer::default();
    packer.write(write)?;
    Ok(Packed(packer.into_bytes()))
}
