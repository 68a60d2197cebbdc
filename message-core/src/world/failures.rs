//! The failures of a manager: their number, the last error, and the reports of those that no message
//! announced.
//!
//! Everything here is called only when something has failed. A failure marks the world as unsettled, so
//! the counts of a dispatch are read and cleared when the outermost send settles. Reports are made
//! there too, while nothing is running: the function that is called may do as it likes.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use crate::caught::caught;
use crate::error::{SendError, SharedError};
use crate::report::{Report, ReportTo};
use crate::send::UnhandledSends;
use crate::world::{Waiting, World};

#[derive(Default)]
pub struct Failures {
    /// The number of failures since the manager was made.
    pub total: Cell<u64>,
    /// The number of dead letters.
    pub dead_letters: Cell<u64>,
    /// The number of failures in this dispatch.
    current: Cell<usize>,
    /// The number of failures in the last dispatch that was settled, to be taken by its receipt.
    pub(crate) settled: Cell<usize>,
    /// The error of the handler that has failed last. Cleared when the dispatch is settled.
    last: RefCell<Option<SharedError>>,
    /// The first message of the dispatch that could not be kept, sent by a handler. If nothing fails because of that, it
    /// is a failure itself.
    pub(crate) not_kept: RefCell<Option<SendError>>,
    /// `true` if a dead letter of the dispatch is an error. It also covers messages that could not be kept.
    pub(crate) has_fatal_letter: Cell<bool>,
    pub(crate) unhandled: UnhandledSends,
    /// The number of reports of a log since the last report of a frame.
    pub(crate) not_logged: Cell<u64>,
    /// The number of times that each report was to be printed, by headline.
    printed: RefCell<BTreeMap<String, u64>>,
}

impl Failures {
    pub(crate) fn set_last(&self, error: SharedError) {
        drop(self.last.replace(Some(error)));
    }

    /// Returns the error of the handler that has failed last in this dispatch.
    pub(crate) fn last(&self) -> Option<SharedError> {
        self.last.borrow().clone()
    }

    /// Ends a dispatch: its failures are counted. Only here is it known if anything else has failed than that
    /// a message could not be kept, in whatever order. Returns that failure, to be reported.
    pub(super) fn end_dispatch(&self) -> Option<Report> {
        let has_fatal_letter = self.has_fatal_letter.take();
        let not_kept = self.not_kept.take();
        let not_kept = not_kept.filter(|_| self.current.get() == 0 && !has_fatal_letter);
        if not_kept.is_some() {
            self.count();
        }
        self.settled.set(self.current.take());
        drop(self.last.take());
        not_kept.map(Report::NotKept)
    }

    fn count(&self) {
        self.total.set(self.total.get() + 1);
        self.current.set(self.current.get() + 1);
    }

    /// Prints a report in full the first time, and how often it came when that is a power of two.
    fn print(&self, report: &Report) {
        let headline = report.headline();
        let mut printed = self.printed.borrow_mut();
        let times = printed.entry(headline.clone()).or_default();
        *times += 1;
        if *times == 1 {
            print_line(&report.to_string());
        } else if times.is_power_of_two() {
            // The reasons can differ from time to time.
            let why = report.why().map(|why| format!(", most recently: {why}"));
            let why = why.unwrap_or_default();
            print_line(&format!("{headline}: {times} times so far{why}"));
        }
    }
}

impl Drop for Failures {
    fn drop(&mut self) {
        for (headline, times) in self.printed.get_mut() {
            if !times.is_power_of_two() {
                print_line(&format!("{headline}: {times} times in all"));
            }
        }
    }
}

/// Prints a line to stderr. Uses `eprintln!`, so that a test captures it. If stderr is closed, that
/// panics; the panic is caught, since it must not end the program.
fn print_line(line: &str) {
    let _ = caught(|| eprintln!("message-core: {line}"));
}

impl Waiting {
    /// Counts a handler or a subscriber that has failed.
    #[cold]
    pub(crate) fn count_failure(&self) -> &Failures {
        self.failures.count();
        self.pending.mark_unsettled();
        &self.failures
    }
}

impl World {
    /// Passes a report to the target that the config names.
    pub fn report(&self, report: &Report) {
        if let Report::NotLogged(_) = report {
            let not_logged = &self.waiting.failures.not_logged;
            not_logged.set(not_logged.get() + 1);
        }
        match &self.common.config.report_to {
            ReportTo::Stderr => self.waiting.failures.print(report),
            ReportTo::Nobody => {}
            ReportTo::Function(call) => call(report),
            ReportTo::Closure(call) => call(report),
        }
    }
}
