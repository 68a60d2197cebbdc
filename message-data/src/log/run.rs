//! A log that is being replayed: the manager as far as it came, and the next input.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::panic::Location;
use std::sync::Arc;

use message_core::internals::{Asker, Inside as _, Letter, Part, Shared, Subscription, caught};
use message_core::trace::SourcePlace;
use message_core::{Header, ManagerConfig, MessageManager, SubscriptionId};
use message_format::{DataError, Reader, Unknown, pack};

use crate::Digest;
use crate::log::apply::{Known, apply, message};
use crate::log::form::{Entry, Parts, parts_to_damage};
use crate::log::input::{At, LogInput, Packed, Value};
use crate::log::replayed::{ReplayError, Replayed};
use crate::scope::reading_numbers;

/// The bytes of a log, and the name of their file.
pub(crate) struct Source {
    pub(crate) bytes: Vec<u8>,
    pub(crate) file: Option<Arc<str>>,
}

impl Source {
    pub(crate) fn in_file(&self, error: DataError) -> ReplayError {
        match &self.file {
            Some(file) => error.in_file(file).into(),
            None => error.into(),
        }
    }

    /// Divides the log into its parts, up to the first input that was changed.
    pub(crate) fn parts(&self) -> Result<Parts, ReplayError> {
        parts_to_damage(&self.bytes).map_err(|error| self.in_file(error))
    }
}

/// A recorded digest that differs from the state.
pub(super) struct Met {
    pub(super) recorded: Digest,
    pub(super) state: Option<Packed>,
}

/// A state to begin from: a save, with the number of entries and inputs before it.
pub(super) struct From<'s> {
    pub(super) save: Cow<'s, [u8]>,
    pub(super) next: usize,
    pub(super) inputs: u64,
    pub(super) digests: u64,
}

/// A log that is being replayed.
pub(crate) struct Run {
    source: Arc<Source>,
    entries: Arc<[Entry]>,
    /// The number of entries that are repeated.
    pub(super) end: usize,
    pub(super) next: usize,
    pub(super) manager: MessageManager,
    known: Known,
    pub(super) repeated: u64,
    pub(super) digests: u64,
    /// The text of the panic of the last input.
    panicked: Option<String>,
    /// The closures right after it was prepared.
    prepared: Vec<Listening>,
}

/// A subscription, and whether it is paused and still open.
type Listening = (SubscriptionId, bool, bool);

/// Returns `true` for a subscription that a save does not have: neither overhearing nor the listener of wires.
fn is_closure(it: &Subscription) -> bool {
    it.terms.part != Part::Apart
}

/// Returns all subscriptions with closures, in the order of their places.
fn listening(manager: &MessageManager) -> Vec<Listening> {
    let all = &manager.world().listen.subscriptions.records;
    let all = all.iter().flatten();
    let closures = all.filter(|it| is_closure(it));
    closures
        .map(|it| (it.id(), it.is_paused(), it.is_open()))
        .collect()
}

impl Run {
    pub(crate) fn new(
        source: &Arc<Source>,
        entries: impl Into<Arc<[Entry]>>,
        mut manager: MessageManager,
    ) -> Self {
        let entries = entries.into();
        manager.replay_letters(Some(Vec::new()));
        Self {
            prepared: listening(&manager),
            source: Arc::clone(source),
            end: entries.len(),
            entries,
            next: 0,
            manager,
            known: Known::default(),
            repeated: 0,
            digests: 0,
            panicked: None,
        }
    }

    /// Restores a state, and goes on from there.
    pub(super) fn from(
        source: &Arc<Source>,
        entries: &Arc<[Entry]>,
        from: &From<'_>,
        config: &ManagerConfig,
        prepare: &dyn Fn(&mut MessageManager),
    ) -> Result<Self, ReplayError> {
        let mut manager = crate::restore(&from.save, config.clone())?.manager;
        prepare(&mut manager);
        let mut run = Self {
            next: from.next,
            repeated: from.inputs,
            digests: from.digests,
            ..Self::new(source, Arc::clone(entries), manager)
        };
        for at in 0..from.next {
            if entries[at].declares(&source.bytes) {
                let entry = run.input(at)?;
                run.learn(&entry, at)?;
            }
        }
        Ok(run)
    }

    /// Returns the number of frames that have begun.
    pub(super) fn frame(&self) -> u64 {
        self.manager.clock().frame()
    }

    /// Replays the first inputs of a segment of a journal.
    #[cfg(feature = "files")]
    pub(crate) fn go_on(&mut self, most: u64) -> Result<(), ReplayError> {
        while self.next < self.end && self.repeated < most {
            let at = self.next;
            if let Some(met) = self.step()?
                && let Some(part) = Digest::of(&self.manager).difference(&met.recorded)
            {
                let frame = met.recorded.frame();
                let what = format!("in frame {frame}, `{part}` differs from that of the journal");
                return Err(self.wrong(at, DataError::new(what)));
            }
        }
        Ok(())
    }

    /// Leaves out the last input, a frame together with the letters that it takes in. Returns `false` if there is none.
    #[cfg(feature = "files")]
    pub(crate) fn leave_out_last(&mut self) -> bool {
        while let Some(last) = self.end.checked_sub(1) {
            let input = self.input(last);
            self.end = last;
            match input {
                Ok(LogInput::Letter(..) | LogInput::Question(..)) => {}
                Ok(input) if !input.is_repeated() => {}
                _ => return true,
            }
        }
        false
    }

    pub(crate) fn into_replayed(mut self, is_cut: bool) -> Replayed {
        // From now on other threads are heard again.
        self.manager.replay_letters(None);
        self.manager.repeat_call(None);
        Replayed {
            manager: self.manager,
            inputs: self.repeated,
            digests: self.digests,
            is_cut,
            panicked: self.panicked,
        }
    }

    /// Replays the inputs before this one, without comparing digests.
    pub(super) fn up_to(&mut self, end: usize) -> Result<(), ReplayError> {
        while self.next < end {
            self.step()?;
        }
        Ok(())
    }

    /// Returns `true` if a save and the preparation lead to the same subscriptions as there are now: a save has no
    /// closures, nor what waits for them in a stage.
    pub(super) fn is_as_prepared(&self) -> bool {
        let world = self.manager.world();
        let all = &world.listen.subscriptions;
        let waits = |lane: &RefCell<VecDeque<(SubscriptionId, Shared)>>| {
            let lane = lane.borrow();
            let mut waiting = lane.iter().filter_map(|(id, _)| all.find(*id));
            waiting.any(is_closure)
        };
        self.prepared == listening(&self.manager) && !world.listen.staged.lanes.iter().any(waits)
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.next >= self.end
    }

    /// Returns `true` if the next input begins a frame.
    pub(super) fn begins_frame(&self) -> Result<bool, ReplayError> {
        Ok(self.input(self.next)?.begins_frame())
    }

    /// Returns the place of an input, if the log has it.
    pub(super) fn place_of(&self, at: usize) -> Result<Option<SourcePlace>, ReplayError> {
        let place = self.input(at)?.at();
        Ok(place.map(|place| self.known.place(Some(place))))
    }

    fn input(&self, at: usize) -> Result<LogInput, ReplayError> {
        let (entry, log) = (&self.entries[at], &self.source.bytes);
        let read = reading_numbers(self.manager.world(), || {
            let tape = pack::read_all(entry.of(log))?;
            let read: LogInput = Reader::new(&tape, 0, Unknown::Refused).read()?;
            let is_as_tagged = read.declares() == entry.declares(log)
                && read.begins_frame() == entry.begins_frame(log);
            if !is_as_tagged {
                // A replay that goes back would not find it.
                return Err(DataError::new("its tag does not match the input"));
            }
            Ok(read)
        });
        read.map_err(|error: DataError| {
            let what = format!("this input cannot be read: {}", error.what());
            self.wrong(at, DataError::new(what))
        })
    }

    fn learn(&mut self, entry: &LogInput, at: usize) -> Result<(), ReplayError> {
        let learned = self.known.learn(entry);
        learned.map_err(|error| self.wrong(at, error))
    }

    /// Replays the next input. If it is a digest that differs from the state, returns it. After an error, the input is
    /// still the next one.
    pub(super) fn step(&mut self) -> Result<Option<Met>, ReplayError> {
        let before = (self.next, self.repeated);
        let stepped = self.step_at(self.next);
        if stepped.is_err() {
            (self.next, self.repeated) = before;
        }
        stepped
    }

    fn step_at(&mut self, at: usize) -> Result<Option<Met>, ReplayError> {
        let input = self.input(at)?;
        match input {
            LogInput::Impure(what, place) => {
                // The inputs that follow cannot be repeated either.
                return Err(ReplayError::Impure {
                    input: self.repeated,
                    what,
                    place: self.known.place(Some(place)).to_string(),
                });
            }
            LogInput::Digest(recorded) => {
                self.next += 1;
                self.digests += 1;
                return self.compare(recorded);
            }
            LogInput::State(_) => {}
            input if input.declares() => self.learn(&input, at)?,
            input => {
                self.next += 1;
                if input.begins_frame() {
                    self.take_letters()?;
                }
                return self.repeat(at, input).map(|()| None);
            }
        }
        self.next += 1;
        Ok(None)
    }

    fn compare(&self, recorded: Digest) -> Result<Option<Met>, ReplayError> {
        if Digest::of(&self.manager) == recorded {
            return Ok(None);
        }
        let state = match self.entries.get(self.next).map(|_| self.input(self.next)) {
            Some(next) => match next? {
                LogInput::State(state) => Some(state),
                _ => None,
            },
            None => None,
        };
        Ok(Some(Met { recorded, state }))
    }

    fn repeat(&mut self, at: usize, input: LogInput) -> Result<(), ReplayError> {
        self.repeated += 1;
        let (manager, known) = (&mut self.manager, &self.known);
        // If there are inputs behind it, a panic was caught when the log was written.
        let outcome = caught(|| apply(manager, input, known));
        match outcome {
            Ok(repeated) => repeated.map_err(|error| self.wrong(at, error)),
            Err(panic) => {
                self.panicked = (self.next == self.end).then_some(panic);
                Ok(())
            }
        }
    }

    /// Returns the error that an input cannot be repeated.
    fn wrong(&self, at: usize, error: DataError) -> ReplayError {
        self.source.in_file(error.at(self.entries[at].place))
    }

    /// Reads a message that another thread had posted or asked.
    fn letter(
        &mut self,
        at: usize,
        header: Header,
        value: &Value,
        place: At,
        asker: Option<Asker>,
    ) -> Result<Letter, ReplayError> {
        let message = message(value, &self.known, &self.manager);
        self.repeated += 1;
        Ok(Letter {
            header,
            message: message.map_err(|error| self.wrong(at, error))?,
            place: Location::caller(),
            logged: Some(self.known.place(Some(place))),
            cause: None,
            asker,
        })
    }

    /// Passes the manager the messages that other threads had posted before the frame that begins now.
    fn take_letters(&mut self) -> Result<(), ReplayError> {
        let mut letters = Vec::new();
        while self.next < self.end {
            let at = self.next;
            let input = self.input(at)?;
            match input {
                LogInput::Letter(header, value, place) => {
                    letters.push(self.letter(at, header, &value, place, None)?);
                }
                LogInput::Question(to, value, place) => {
                    let header = Header::to(to).build();
                    let header = header.map_err(|error| self.wrong(at, DataError::new(error)))?;
                    let asker: Asker = Box::new(drop);
                    letters.push(self.letter(at, header, &value, place, Some(asker))?);
                }
                input if input.declares() => self.learn(&input, at)?,
                _ => break,
            }
            self.next += 1;
        }
        self.manager.replay_letters(Some(letters));
        Ok(())
    }
}
