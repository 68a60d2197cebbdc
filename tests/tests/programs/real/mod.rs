//! Programs that are run by the manager.

mod cast;
mod header;
mod line;
mod rewound;
mod saved;
mod state;

use std::panic::{AssertUnwindSafe, resume_unwind};
use std::sync::Arc;
use std::time::Duration;

use message_core::error::{LostReceiver, Receiver, Undelivered};
use message_core::lifecycle::{DeadLetter, HandlerFailed, HandlerPanicked};
use message_core::prelude::*;
use message_core::{PanicPolicy, report::ReportTo};

use crate::far::Far;
use crate::program::{Program, Step};
use crate::{BUDGET, FIXED_STEP, FUEL, MOST_FIXED_STEPS, Run};
pub(crate) use cast::{Act, Note};
use cast::{Actor, Calm, Quick};
use header::{GROUPS, MNEMONICS};
use line::outside;
pub(crate) use rewound::rewound;
use saved::{Made, restored};
pub(crate) use state::say;
use state::{STATE, State, is_far, named, variant, with};

fn hear_failures(manager: &mut MessageManager) {
    manager.subscribe(Filter::of::<HandlerFailed>(), |failed, _| {
        with(|state| state.aside.push(failed.error.to_string()));
    });
    manager.subscribe(Filter::of::<HandlerPanicked>(), |panicked, _| {
        with(|state| state.aside.push(panicked.panic.clone()));
    });
    manager.subscribe(Filter::of::<DeadLetter>(), |letter, _| {
        let number = letter.message.as_ref().and_then(|message| {
            let act = message.downcast_ref::<Act>().map(|act| act.number);
            act.or_else(|| message.downcast_ref::<Note>().map(|note| note.number))
        });
        // The reason why too few have received it is reported in several ways.
        let why = match &letter.why {
            Undelivered::EmptyGroup { .. }
            | Undelivered::NoHandler
            | Undelivered::Filtered
            | Undelivered::TooFew => "too few".to_owned(),
            Undelivered::Lost { receivers } => {
                let mut lost: Vec<String> = receivers.iter().map(lost).collect();
                lost.sort();
                format!("lost {lost:?}")
            }
            why => variant(why),
        };
        let line = format!("dead: {number:?}, {why}");
        with(|state| state.aside.push(line));
    });
}

/// Describes a receiver that was lost: its messagee, the kind of the component, and why.
fn lost(lost: &LostReceiver) -> String {
    let Receiver::Component {
        messagee,
        component,
    } = lost.receiver
    else {
        return lost.to_string();
    };
    let kind = component.rsplit("::").next().unwrap_or(component);
    format!("{} {kind} {:?}", named(messagee), lost.why)
}

fn config(program: &Program) -> ManagerConfig {
    let config = ManagerConfig::new()
        .report_to(ReportTo::Nobody)
        .fixed_step(Duration::from_millis(FIXED_STEP))
        .max_fixed_steps(MOST_FIXED_STEPS);
    if program.unhooks() {
        config.panic_policy(PanicPolicy::Unhook)
    } else {
        config
    }
}

/// Describes the visible state: names, families, and components in storage order.
fn look(manager: &MessageManager) -> Vec<String> {
    let ids = with(|state| state.ids.clone());
    let mut lines = Vec::new();
    for &id in ids.iter().filter(|&&id| manager.is_alive(id)) {
        let children: Vec<String> = manager.children(id).map(named).collect();
        // A panic has left those who are leaving.
        let hooks = manager.hooks(id).map(|hook| manager.is_enabled(hook).ok());
        let hooks: Vec<Option<bool>> = hooks.collect();
        let name = manager
            .name(id)
            .filter(|_| !is_far(id))
            .map_or(String::new(), |name| name.to_string());
        lines.push(format!("{} {name:?} {children:?} {hooks:?}", named(id)));
    }
    let bound = MNEMONICS.map(|mnemonic| manager.bound(mnemonic).map(named));
    let members = GROUPS.map(|group| manager.members(group).map(named).collect::<Vec<_>>());
    lines.push(format!("{bound:?} {members:?}"));
    let actors: Vec<u32> = manager.iter::<Actor>().map(|(_, it)| it.label).collect();
    let calm: Vec<u32> = manager.iter::<Calm>().map(|(_, it)| it.label).collect();
    let quick: Vec<u32> = manager.iter::<Quick>().map(|(_, it)| it.label).collect();
    lines.push(format!("{actors:?} {calm:?} {quick:?}"));
    let clock = manager.clock();
    lines.push(format!("{:?} {:?}", clock.now(), clock.unscaled_now()));
    lines.push(format!(
        "{} pending",
        manager.pending_posts(message_core::Posts::all()).len()
    ));
    lines
}

/// Does a step, and returns the text of its panic if it panics, unless this program does not catch panics.
fn caught(program: &Program, step: impl FnOnce() -> String) -> String {
    if !program.catches() {
        return step();
    }
    std::panic::catch_unwind(AssertUnwindSafe(step)).unwrap_or_else(|panic| {
        let words = panic.downcast::<String>();
        words.map_or_else(
            |panic| resume_unwind(panic),
            |words| format!("caught: {words}"),
        )
    })
}

/// A program that is run by the manager, step by step.
struct Runner<'p> {
    program: &'p Program,
    manager: MessageManager,
    far: Option<Far>,
    run: Run,
}

impl<'p> Runner<'p> {
    fn new(program: &'p Program) -> Self {
        let mut manager = MessageManager::with_config(config(program));
        let state = State {
            program: Arc::new(program.clone()),
            inlet: manager.inlet(),
            log: Vec::new(),
            aside: Vec::new(),
            ids: Vec::new(),
            hooks: Vec::new(),
            tickets: Vec::new(),
            subscriptions: Vec::new(),
            numbers: 0,
            labels: 0,
            left: 0,
        };
        STATE.set(Some(state));
        hear_failures(&mut manager);
        manager.spawn_named("shelf", (Made::default(),));
        let mut far = None;
        if program.far > 0 {
            let (world, proxies) = Far::meet(&mut manager, program.far);
            far = Some(world);
            with(|state| state.ids = proxies);
        }
        Self {
            program,
            manager,
            far,
            run: Run::new(),
        }
    }

    fn step(&mut self, step: &Step) {
        with(|state| state.left = BUDGET);
        let (manager, far) = (&mut self.manager, &mut self.far);
        let seen = caught(self.program, || match step {
            Step::Do(line) => outside(line, FUEL, manager),
            Step::Frame(milliseconds) => {
                let dt = Duration::from_millis(*milliseconds);
                match far {
                    Some(far) => far.tick(manager, dt),
                    None => drop(manager.tick(dt)),
                }
                "frame".into()
            }
            Step::Settle => {
                manager.settle();
                "settled".into()
            }
            Step::Save if far.is_some() => "nothing".into(),
            Step::Save => {
                *manager = restored(manager);
                "saved".into()
            }
        });
        say(seen.clone());
        let mut log = with(|state| std::mem::take(&mut state.log));
        log.extend(look(manager));
        let run = &mut self.run;
        with(|state| run.push(step, &seen, log, &mut state.aside));
    }

    fn end(self) -> Run {
        STATE.set(None);
        self.run
    }
}

/// Runs a program with the manager.
pub(crate) fn run(program: &Program) -> Run {
    let mut runner = Runner::new(program);
    program.steps.iter().for_each(|step| runner.step(step));
    runner.end()
}
