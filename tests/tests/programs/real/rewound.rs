//! Programs in which the manager goes back, and does the same again.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use message_core::Snapshot;
use message_data::Digest;

use super::state::{STATE, State, with};
use super::{Run, Runner};
use crate::generate::Lots;
use crate::program::{Program, Step};

/// How often a manager goes back in a program, and the most steps that it goes back.
const TIMES: usize = 4;
const MOST_STEPS: usize = 12;

/// How many frames empty the inlet, unless handlers fill it again and again.
const FRAMES: usize = 20;

/// A moment to go back to: the manager, and all that the program knows.
struct Moment {
    snapshot: Snapshot,
    digest: Digest,
    state: State,
    at: usize,
}

impl Runner<'_> {
    /// Returns `true` if a snapshot can be taken that has everything: a panic has left nothing to settle, and nothing is
    /// on its way from other threads.
    fn is_whole(&self) -> bool {
        !self.run.is_unsettled && with(|state| state.inlet.is_empty())
    }

    fn take(&mut self, mut snapshot: Snapshot, at: usize) -> Moment {
        let taken = self.manager.snapshot_into(&mut snapshot);
        taken.expect("everything is `Clone`");
        Moment {
            snapshot,
            digest: Digest::of(&self.manager),
            state: with(|state| state.clone()),
            at,
        }
    }

    /// Goes back. Returns `false` if that is in vain, because handlers have posted through the inlet, and do again.
    fn go_back(&mut self, moment: &Moment) -> bool {
        for _ in 0..FRAMES {
            with(|state| state.left = 0);
            let _ = catch_unwind(AssertUnwindSafe(|| self.manager.settle()));
            if with(|state| state.inlet.is_empty()) {
                break;
            }
            let frame = || self.manager.tick(Duration::ZERO);
            let _ = catch_unwind(AssertUnwindSafe(frame));
        }
        let rewind = || self.manager.rewind(&moment.snapshot);
        let rewound = catch_unwind(AssertUnwindSafe(rewind));
        let is_back = rewound.is_ok() && with(|state| state.inlet.is_empty());
        if let Ok(rewound) = rewound {
            rewound.expect("it is of this manager");
        }
        if is_back {
            let difference = Digest::of(&self.manager).difference(&moment.digest);
            assert_eq!(difference, None, "after going back");
        }
        STATE.set(Some(moment.state.clone()));
        self.run.steps.truncate(moment.at);
        self.run.is_unsettled = false;
        is_back
    }

    /// Runs these steps. Returns what happened, and the state behind them.
    fn window(&mut self, from: usize, to: usize) -> (Vec<String>, Digest) {
        for step in &self.program.steps[from..to] {
            self.step(step);
        }
        let steps = self.run.steps[from..to].iter();
        let seen = steps.map(|step| format!("{step:?}")).collect();
        (seen, Digest::of(&self.manager))
    }
}

/// Runs a program. At random moments, the manager goes back some steps, and does them again. Returns `None` if handlers
/// do not let go of the inlet.
pub(crate) fn rewound(program: &Program, lots: &mut Lots) -> Option<Run> {
    let mut runner = Runner::new(program);
    let mut ring = [const { Snapshot::new() }; 2];
    let (mut at, mut times) = (0, 0);
    while at < program.steps.len() {
        let ahead = program.steps[at..].iter();
        // Behind a save there is another manager.
        let most = ahead.take_while(|step| **step != Step::Save).count();
        if times == TIMES || most == 0 || !runner.is_whole() || !lots.once_in(4) {
            runner.step(&program.steps[at]);
            at += 1;
            continue;
        }
        times += 1;
        let [first, second] = std::mem::take(&mut ring);
        let end = at + 1 + lots.below(most.min(MOST_STEPS));
        let middle = at + lots.below(end - at);
        let start = runner.take(first, at);
        let before = runner.window(at, middle);
        let later = runner.is_whole().then(|| runner.take(second, middle));
        let behind = runner.window(middle, end);
        if let Some(later) = &later {
            runner.go_back(later).then_some(())?;
            assert_eq!(runner.window(middle, end), behind, "from {middle}");
        }
        runner.go_back(&start).then_some(())?;
        assert_eq!(runner.window(at, middle), before, "from {at}");
        assert_eq!(runner.window(middle, end), behind, "from {middle} again");
        if let Some(later) = later {
            // The other future.
            runner.go_back(&later).then_some(())?;
            assert_eq!(runner.window(middle, end), behind, "from {middle} there");
            ring = [start.snapshot, later.snapshot];
        }
        at = end;
    }
    Some(runner.end())
}
