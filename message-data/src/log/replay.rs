//! Replays a log.

use std::panic::Location;
use std::path::Path;
use std::sync::Arc;
use std::{fmt, fs, io};

use message_core::internals::{Asker, Inside as _, Letter, caught};
use message_core::{Header, ManagerConfig, MessageManager};
use message_format::tape::Tape;
use message_format::{DataError, Reader, Unknown, pack};

use crate::log::apply::{Known, apply, message};
use crate::log::difference::{Difference, changed_by_restored};
use crate::log::digest::Digest;
use crate::log::foreign::InputRow;
use crate::log::form::{End, parts};
use crate::log::input::{LogInput, Packed, Value};
use crate::save::RestoreError;
use crate::scope::reading_numbers;
use crate::types::find;
use crate::world_file::WorldFile;

/// A log to be replayed.
///
/// The state at the beginning of the log is restored, and each input is applied again. Each digest in the log is
/// compared. The same program yields the same states, bit for bit. If it does not, the error of [`run`](Self::run)
/// names the frame in which it first differs, and what differs.
///
/// Subscribers are closures, so a log does not contain them: use [`prepare`](Self::prepare) to subscribe again.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{Data, Log, LogOptions, Replay};
/// use serde::{Deserialize, Serialize};
/// use std::time::Duration;
///
/// #[derive(Message, Data, Serialize, Deserialize)]
/// #[data(exact, name = "docs.Grow")]
/// struct Grow { by: u32 }
///
/// #[derive(Data, Serialize, Deserialize, Default)]
/// #[data(name = "docs.Tree")]
/// #[serde(default)]
/// struct Tree { height: u32 }
///
/// #[handlers]
/// impl Tree {
///     #[on_receive]
///     fn grow(&mut self, grow: &Grow) { self.height += grow.by; }
/// }
///
/// # let folder = std::env::temp_dir();
/// # let path = folder.join(format!("docs-tree-{}.log", std::process::id()));
/// let mut manager = MessageManager::new();
/// let tree = manager.spawn((Tree::default(),));
/// Log::start(&mut manager, std::fs::File::create(&path)?, LogOptions::new().digest_every(1))?;
/// manager.send(tree, Grow { by: 3 })?;
/// manager.tick(Duration::from_millis(16));
/// Log::stop(&mut manager)?;
///
/// let replayed = Replay::open(&path)?.run()?;
/// let height = replayed.manager.iter::<Tree>().map(|(_, tree)| tree.height).next();
/// assert_eq!(height, Some(3));
/// assert_eq!((replayed.inputs, replayed.digests), (2, 1));
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub struct Replay {
    log: Vec<u8>,
    file: Option<Arc<str>>,
    config: ManagerConfig,
    prepare: Box<dyn Fn(&mut MessageManager)>,
}

impl fmt::Debug for Replay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Replay")
            .field("file", &self.file)
            .field("bytes", &self.log.len())
            .finish_non_exhaustive()
    }
}

/// The result of a replay.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{Log, LogOptions, Replay};
///
/// # let folder = std::env::temp_dir();
/// # let path = folder.join(format!("docs-replayed-{}.log", std::process::id()));
/// let mut manager = MessageManager::new();
/// Log::start(&mut manager, std::fs::File::create(&path)?, LogOptions::new())?;
/// manager.spawn(());
/// Log::stop(&mut manager)?;
/// let replayed = Replay::open(&path)?.run()?;
/// assert_eq!((replayed.manager.len(), replayed.inputs), (1, 1));
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Replayed {
    /// The manager in its final state.
    pub manager: MessageManager,
    /// The number of inputs replayed.
    pub inputs: u64,
    /// The number of digests compared.
    pub digests: u64,
    /// `true` if the log is cut off in the middle of an input, as can happen when a program crashes.
    pub is_cut: bool,
}

/// Why a log cannot be replayed.
///
/// ```
/// use message_data::{Replay, ReplayError};
///
/// let error = Replay::of_bytes(b"no log".to_vec()).run().expect_err("it is none");
/// assert!(matches!(error, ReplayError::Read(_)));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The file cannot be read.
    #[error("{file}: {error}")]
    File {
        /// The file.
        file: String,
        /// The error.
        #[source]
        error: io::Error,
    },
    /// The bytes are not a log, or the log was changed.
    #[error(transparent)]
    Read(#[from] DataError),
    /// The state that the log begins with cannot be restored.
    #[error("the state in the beginning of the log: {0}")]
    Restore(#[from] RestoreError),
    /// The log has an input that could not be written.
    #[error(
        "input {input} could not be written to the log, so what follows cannot be repeated: {what} ({place})"
    )]
    Impure {
        /// The number of inputs replayed before it.
        input: u64,
        /// A description of the input.
        what: String,
        /// The place of the call.
        place: String,
    },
    /// The replay reached another state.
    #[error(transparent)]
    Differs(Box<Difference>),
}

impl Replay {
    /// Reads a log from a file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read. Its content is checked by [`run`](Self::run).
    ///
    /// ```
    /// use message_data::{Replay, ReplayError};
    ///
    /// let error = Replay::open("no/such/file.log").expect_err("there is none");
    /// assert!(matches!(error, ReplayError::File { .. }));
    /// ```
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ReplayError> {
        let path = path.as_ref();
        let file = path.display().to_string();
        match fs::read(path) {
            Ok(log) => Ok(Self {
                file: Some(file.into()),
                ..Self::of_bytes(log)
            }),
            Err(error) => Err(ReplayError::File { file, error }),
        }
    }

    /// Takes the bytes of a log.
    ///
    /// ```
    /// use message_data::Replay;
    ///
    /// assert!(Replay::of_bytes(Vec::new()).run().is_err());
    /// ```
    pub fn of_bytes(log: Vec<u8>) -> Self {
        Self {
            log,
            file: None,
            config: ManagerConfig::default(),
            prepare: Box::new(|_| {}),
        }
    }

    /// Sets the limits of the manager. They should be those of the recorded manager, because limits can affect what
    /// happens. The default is [`ManagerConfig::default`].
    ///
    /// ```
    /// use message_core::ManagerConfig;
    /// use message_data::Replay;
    ///
    /// let replay = Replay::of_bytes(Vec::new()).config(ManagerConfig::new().max_depth(20));
    /// assert!(replay.run().is_err());
    /// ```
    pub fn config(mut self, config: ManagerConfig) -> Self {
        self.config = config;
        self
    }

    /// Sets a function that is called after the initial state is restored, for example to subscribe.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::Replay;
    ///
    /// let replay = Replay::of_bytes(Vec::new()).prepare(|manager| {
    ///     manager.subscribe(Filter::all(), |_, _| {});
    /// });
    /// assert!(replay.run().is_err());
    /// ```
    pub fn prepare(mut self, prepare: impl Fn(&mut MessageManager) + 'static) -> Self {
        self.prepare = Box::new(prepare);
        self
    }

    /// Replays the whole log.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are not a log, if the log was changed, if it has an input that could not be
    /// written, or if the state differs from a digest. In the last case, the state is compared with the one in the
    /// log if the log keeps states. Otherwise, the log is replayed a second time up to that point, and the two states
    /// are compared. The error names the messagee and the field that differ.
    ///
    /// # Panics
    ///
    /// Propagates the panic of a handler that runs for the last input of the log. Earlier panics were caught when the
    /// log was written, and are caught here, too.
    ///
    /// ```
    /// use message_data::Replay;
    ///
    /// assert!(Replay::of_bytes(b"MSGCLOG".to_vec()).run().is_err());
    /// ```
    pub fn run(self) -> Result<Replayed, ReplayError> {
        let mut run = self.begin()?;
        match run.run_through()? {
            None => Ok(run.into_replayed()),
            Some(met) => {
                let difference = self.explain(&run, &met)?;
                Err(ReplayError::Differs(Box::new(difference)))
            }
        }
    }

    /// Sets the name of the file that errors name.
    #[cfg(feature = "files")]
    pub(crate) fn named(mut self, file: &str) -> Self {
        self.file = Some(file.into());
        self
    }

    #[cfg(feature = "files")]
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.log
    }

    pub(crate) fn in_file(&self, error: DataError) -> ReplayError {
        match &self.file {
            Some(file) => error.in_file(file).into(),
            None => error.into(),
        }
    }

    fn begin(&self) -> Result<Run<'_>, ReplayError> {
        let parts = parts(&self.log).map_err(|error| self.in_file(error))?;
        let start = parts.start.map_err(|error| self.in_file(error))?;
        let restored = crate::restore(start, self.config.clone())?;
        let mut manager = restored.manager;
        (self.prepare)(&mut manager);
        Ok(Run {
            is_cut: matches!(parts.end, End::Cut(_)),
            ..Run::new(self, manager, parts.inputs)
        })
    }

    /// Repeats the inputs of a segment of a journal, up to the first that cannot be repeated, and at most the first `most`.
    /// With `skips_last`, leaves out the last one.
    #[cfg(feature = "files")]
    pub(crate) fn go_on<'r>(
        &'r self,
        manager: MessageManager,
        inputs: Vec<(u32, &'r [u8])>,
        most: Option<u64>,
        skips_last: bool,
    ) -> WentOn {
        let mut run = Run {
            panicked: Some(String::new()),
            ..Run::new(self, manager, inputs)
        };
        let skipped = skips_last && run.leave_out_last();
        let error = run.go_on(most.unwrap_or(u64::MAX)).err();
        let panicked = run.panicked.take().filter(|text| !text.is_empty());
        let Replayed {
            manager, inputs, ..
        } = run.into_replayed();
        WentOn {
            manager,
            inputs,
            skipped,
            error,
            panicked,
        }
    }

    /// Finds the difference, as precisely as possible.
    fn explain(&self, first: &Run<'_>, met: &Met) -> Result<Difference, ReplayError> {
        let mut difference = self.find_difference(first, met)?;
        let parts = parts(&self.log).map_err(|error| self.in_file(error))?;
        let start = parts.start.map_err(|error| self.in_file(error))?;
        difference.restored = changed_by_restored(start, &self.config);
        Ok(difference)
    }

    fn find_difference(&self, first: &Run<'_>, met: &Met) -> Result<Difference, ReplayError> {
        let part = Digest::of(&first.manager).difference(&met.recorded);
        let mut difference = Difference::new(met.recorded.frame(), part, first.repeated);
        if let Some(state) = &met.state {
            // The recorded state itself is at hand.
            let recorded = crate::restore(&state.0, self.config.clone())?;
            difference.find(&recorded.manager, &first.manager, true);
            return Ok(difference);
        }
        let mut second = self.begin()?;
        second.up_to(first.next)?;
        difference.find(&first.manager, &second.manager, false);
        Ok(difference)
    }
}

/// How far the inputs of a segment were repeated.
#[cfg(feature = "files")]
pub(crate) struct WentOn {
    pub(crate) manager: MessageManager,
    /// The number of inputs that were repeated.
    pub(crate) inputs: u64,
    /// Whether the last one was left out.
    pub(crate) skipped: bool,
    /// Why it did not go on to the end.
    pub(crate) error: Option<ReplayError>,
    /// The panic of the last input.
    pub(crate) panicked: Option<String>,
}

/// A recorded digest that differs from the state.
struct Met {
    recorded: Digest,
    state: Option<Packed>,
}

/// A log that is being replayed.
struct Run<'r> {
    replay: &'r Replay,
    manager: MessageManager,
    known: Known,
    inputs: Vec<(u32, &'r [u8])>,
    next: usize,
    repeated: u64,
    digests: u64,
    is_cut: bool,
    /// The text of the panic of the last input, if that is caught.
    panicked: Option<String>,
}

impl<'r> Run<'r> {
    fn new(replay: &'r Replay, mut manager: MessageManager, inputs: Vec<(u32, &'r [u8])>) -> Self {
        manager.replay_letters(Some(Vec::new()));
        Self {
            replay,
            manager,
            known: Known::default(),
            inputs,
            next: 0,
            repeated: 0,
            digests: 0,
            is_cut: false,
            panicked: None,
        }
    }

    /// Replays the first inputs.
    #[cfg(feature = "files")]
    fn go_on(&mut self, most: u64) -> Result<(), ReplayError> {
        while self.next < self.inputs.len() && self.repeated < most {
            let (at, reached) = (self.next, self.step()?);
            if let Some(recorded) = reached
                && let Some(part) = Digest::of(&self.manager).difference(&recorded)
            {
                let frame = recorded.frame();
                let what = format!("in frame {frame}, `{part}` differs from that of the journal");
                return Err(self.wrong(at, DataError::new(what)));
            }
        }
        Ok(())
    }

    /// Leaves out the last input, a frame together with the letters that it takes in. Returns `false` if there is none.
    #[cfg(feature = "files")]
    fn leave_out_last(&mut self) -> bool {
        while let Some(last) = self.inputs.len().checked_sub(1) {
            let input = self.input(last);
            self.inputs.truncate(last);
            match input {
                Ok(LogInput::Letter(..) | LogInput::Question(..)) => {}
                Ok(input) if !input.is_repeated() => {}
                _ => return true,
            }
        }
        false
    }

    fn into_replayed(mut self) -> Replayed {
        // From now on other threads are heard again.
        self.manager.replay_letters(None);
        Replayed {
            manager: self.manager,
            inputs: self.repeated,
            digests: self.digests,
            is_cut: self.is_cut,
        }
    }

    /// Replays all inputs, up to the first digest that differs.
    fn run_through(&mut self) -> Result<Option<Met>, ReplayError> {
        while self.next < self.inputs.len() {
            if let Some(recorded) = self.step()?
                && Digest::of(&self.manager) != recorded
            {
                let state = match self.inputs.get(self.next) {
                    Some(_) => match self.input(self.next)? {
                        LogInput::State(state) => Some(state),
                        _ => None,
                    },
                    None => None,
                };
                return Ok(Some(Met { recorded, state }));
            }
        }
        Ok(None)
    }

    /// Replays the inputs before this one, without comparing digests.
    fn up_to(&mut self, end: usize) -> Result<(), ReplayError> {
        while self.next < end {
            self.step()?;
        }
        Ok(())
    }

    fn input(&self, at: usize) -> Result<LogInput, ReplayError> {
        let (place, bytes) = self.inputs[at];
        let read = reading_numbers(self.manager.world(), || {
            let mut tape = Tape::default();
            pack::read(bytes, &mut tape)?;
            Reader::new(&tape, 0, Unknown::Refused).read()
        });
        read.map_err(|error: DataError| {
            let error = DataError::new(format_args!("this input cannot be read: {}", error.what()));
            self.replay.in_file(error.at(place))
        })
    }

    /// Replays the next input. A digest is returned to the caller.
    fn step(&mut self) -> Result<Option<Digest>, ReplayError> {
        let at = self.next;
        let input = self.input(at)?;
        self.next += 1;
        match input {
            LogInput::Type(name) => {
                self.learn_type(&name, at)?;
                return Ok(None);
            }
            LogInput::File(text) => {
                let file = WorldFile::logged(&text).map_err(|error| self.wrong(at, error))?;
                self.known.files.push(file);
                return Ok(None);
            }
            LogInput::InputType(name) => {
                let row = InputRow::find(&name).map_err(|error| self.wrong(at, error))?;
                self.known.inputs.push(row);
                return Ok(None);
            }
            LogInput::Digest(digest) => {
                self.digests += 1;
                return Ok(Some(digest));
            }
            LogInput::State(_) => return Ok(None),
            LogInput::Impure(what, place) => {
                let input = self.repeated;
                return Err(ReplayError::Impure { input, what, place });
            }
            LogInput::Tick(_) | LogInput::BeginFrame(_) | LogInput::BeginFrameWith(..) => {
                self.take_letters()?;
            }
            _ => {}
        }
        self.repeated += 1;
        let is_last = self.next == self.inputs.len();
        let (manager, known) = (&mut self.manager, &self.known);
        let outcome = if is_last && self.panicked.is_none() {
            Ok(apply(manager, input, known))
        } else {
            // If there are inputs behind it, it was caught when the log was written.
            caught(|| apply(manager, input, known))
        };
        if let (true, Err(panic)) = (is_last, &outcome) {
            self.panicked = Some(panic.clone());
        }
        if let Ok(Err(error)) = outcome {
            return Err(self.wrong(at, error));
        }
        Ok(None)
    }

    fn learn_type(&mut self, name: &str, at: usize) -> Result<(), ReplayError> {
        let ty = find(name).map_err(|error| self.wrong(at, error))?;
        self.known.types.push(ty);
        Ok(())
    }

    /// Returns the error that an input cannot be repeated.
    fn wrong(&self, at: usize, error: DataError) -> ReplayError {
        self.replay.in_file(error.at(self.inputs[at].0))
    }

    /// Reads a message that another thread had posted or asked.
    fn letter(
        &mut self,
        at: usize,
        header: Header,
        value: &Value,
        asker: Option<Asker>,
    ) -> Result<Letter, ReplayError> {
        let message = message(value, &self.known, &self.manager);
        self.repeated += 1;
        Ok(Letter {
            header,
            message: message.map_err(|error| self.wrong(at, error))?,
            place: Location::caller(),
            cause: None,
            asker,
        })
    }

    /// Passes the manager the messages that other threads had posted before the frame that begins now.
    fn take_letters(&mut self) -> Result<(), ReplayError> {
        let mut letters = Vec::new();
        while self.next < self.inputs.len() {
            let at = self.next;
            match self.input(at)? {
                LogInput::Type(name) => self.learn_type(&name, at)?,
                LogInput::Letter(header, value) => {
                    letters.push(self.letter(at, header, &value, None)?);
                }
                LogInput::Question(to, value) => {
                    let header = Header::to(to).build();
                    let header = header.map_err(|error| self.wrong(at, DataError::new(error)))?;
                    letters.push(self.letter(at, header, &value, Some(Box::new(drop)))?);
                }
                _ => break,
            }
            self.next += 1;
        }
        self.manager.replay_letters(Some(letters));
        Ok(())
    }
}
