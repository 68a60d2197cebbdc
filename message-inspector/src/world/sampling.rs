//! The choice of the frames of a manager that are traced and counted.
//!
//! A frame is traced by its own recorder, which is limited: when the budget is used up, the rest of
//! the frame is only counted. In that case, no frame is traced until the cost of the sample
//! is a small [share](pace::SHARE) of the time: see [`Pace`].
//!
//! If the program records by itself, its recorder stays in place, and its newest events are copied.

use std::sync::mpsc::Receiver;
use std::time::Duration;

use message_core::MessageManager;
use message_core::trace::TraceEvent;
use message_trace::Recorder;

use crate::builder::Builder;
use crate::shared::Recorded;
use crate::world::pace::Pace;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// Nobody is looking.
    #[default]
    Off,
    /// A recorder of the inspector with that capacity is in use.
    Own(usize),
    /// No frame is sampled until the last sample is paid for; how many frames have passed.
    Waiting(u64),
    /// The program records; the time of the last copied event.
    Foreign(Duration),
}

pub(super) struct Sampling {
    state: State,
    every: u64,
    complete: bool,
    pace: Pace,
    spare: Receiver<Recorder>,
}

impl Sampling {
    pub(super) fn new(spare: Receiver<Recorder>) -> Self {
        Self {
            state: State::Off,
            every: 1,
            complete: false,
            pace: Pace::default(),
            spare,
        }
    }

    pub(super) fn is_on(&self) -> bool {
        self.state != State::Off
    }

    pub(super) fn every(&self) -> u64 {
        self.every
    }

    pub(super) fn is_complete(&self) -> bool {
        self.complete
    }

    pub(super) fn is_foreign(&self) -> bool {
        matches!(self.state, State::Foreign(_))
    }

    /// Returns `true` if something was recorded since the last report.
    pub(super) fn has_news(&self, manager: &MessageManager) -> bool {
        match self.state {
            State::Own(_) => Recorder::of(manager).is_some_and(|it| !it.is_empty()),
            _ => false,
        }
    }

    /// Stops because nobody is looking any more.
    pub(super) fn stop(&mut self, manager: &mut MessageManager) {
        if self.records(manager) {
            Recorder::stop(manager);
        }
        self.forget();
        while self.spare.try_recv().is_ok() {}
    }

    /// Begins anew, with another manager.
    pub(super) fn forget(&mut self) {
        (self.state, self.every, self.complete) = (State::Off, 1, false);
        self.pace = Pace::default();
    }

    /// Discards the recorded events.
    pub(super) fn skip(&mut self, manager: &mut MessageManager) {
        if self.records(manager) {
            Recorder::stop(manager);
            self.state = State::Waiting(0);
        }
        self.pace.skip();
        self.complete = false;
    }

    /// Returns whether the recorder in use belongs to the inspector.
    fn records(&self, manager: &MessageManager) -> bool {
        let State::Own(capacity) = self.state else {
            return false;
        };
        let recorder = Recorder::of(manager);
        recorder.is_some_and(|it| it.capacity() == capacity && it.is_limited())
    }

    fn fresh(&mut self, settings: &Builder) -> Recorder {
        let fits = |it: &Recorder| it.capacity() == settings.budget;
        let spare = self.spare.try_recv().ok().filter(fits);
        spare.unwrap_or_else(|| {
            let recorder = Recorder::limited(settings.budget);
            if settings.contents {
                recorder.with_contents()
            } else {
                recorder
            }
        })
    }

    /// Returns the events recorded in the last frame, and chooses how to record the next one.
    pub(super) fn frame(&mut self, manager: &mut MessageManager, settings: &Builder) -> Recorded {
        if let State::Own(_) = self.state
            && !self.records(manager)
        {
            // The program has installed its own recorder or removed the inspector's.
            (self.state, self.complete) = (State::Off, false);
        }
        let is_sampled = matches!(self.state, State::Own(_));
        self.pace.frame_ends(is_sampled);
        let recorded = self.choose(manager, settings);
        self.pace.frame_begins();
        recorded
    }

    fn choose(&mut self, manager: &mut MessageManager, settings: &Builder) -> Recorded {
        match self.state {
            State::Foreign(last) => self.read_along(manager, settings, Some(last)),
            State::Waiting(passed) if !self.pace.is_paid() => {
                self.state = State::Waiting(passed + 1);
                Recorded::Nothing
            }
            State::Off | State::Waiting(_) if Recorder::of(manager).is_some() => {
                self.read_along(manager, settings, None)
            }
            State::Off => {
                self.start(manager, settings);
                Recorded::Nothing
            }
            State::Waiting(passed) => {
                // The frame that is sampled next represents itself and the skipped ones.
                self.every = passed + 2;
                self.start(manager, settings);
                Recorded::Nothing
            }
            State::Own(_) => self.take(manager, settings),
        }
    }

    fn start(&mut self, manager: &mut MessageManager, settings: &Builder) {
        let recorder = self.fresh(settings);
        recorder.start(manager);
        self.state = State::Own(settings.budget);
    }

    fn take(&mut self, manager: &mut MessageManager, settings: &Builder) -> Recorded {
        let is_full = Recorder::of(manager).is_some_and(|it| it.is_full());
        if !is_full {
            let next = self.fresh(settings);
            let weight = self.every;
            self.pace.is_free();
            (self.every, self.complete) = (1, true);
            let done = next.start(manager);
            return done.map_or(Recorded::Nothing, |done| Recorded::Own(done, weight));
        }
        self.complete = false;
        let Some(done) = Recorder::stop(manager) else {
            return Recorded::Nothing;
        };
        self.pace.has_to_be_paid(done.len());
        self.state = State::Waiting(0);
        Recorded::Own(done, self.every)
    }

    /// Ensures that messages sent now are traced, if possible.
    pub(super) fn catch(&mut self, manager: &mut MessageManager, settings: &Builder) {
        if let State::Waiting(passed) = self.state
            && Recorder::of(manager).is_none()
        {
            self.every = passed + 1;
            self.start(manager, settings);
        }
    }

    /// Copies the new events of the program's own recorder.
    fn read_along(
        &mut self,
        manager: &MessageManager,
        settings: &Builder,
        last: Option<Duration>,
    ) -> Recorded {
        let Some(recorder) = Recorder::of(manager) else {
            (self.state, self.complete) = (State::Off, false);
            return Recorded::Nothing;
        };
        let is_new = |event: &&TraceEvent| last.is_none_or(|last| event.wall > last);
        let newest = recorder.events().rev().take_while(is_new);
        // A page that begins to look also sees events recorded before.
        let most = last.map_or(settings.history, |_| settings.budget);
        let mut events: Vec<_> = newest.take(most).cloned().collect();
        events.reverse();
        let newest = events.last().map(|event| event.wall).or(last);
        self.state = State::Foreign(newest.unwrap_or_default());
        let is_full = events.len() >= most;
        (self.every, self.complete) = (1, !is_full);
        Recorded::Foreign(events, u64::from(is_full))
    }
}
