//! A model of the contract, written from its text, as plainly as it could be: lists that are searched from
//! end to end.

mod ask;
mod clock;
mod handle;
mod inlet;
mod lines;
mod listen;
mod look;
mod mail;
mod panics;
mod reach;
mod retained;
mod send;
mod settle;
mod staged;
mod subscribing;
mod wires;
mod world;

use crate::program::{Program, Step};
use crate::{BUDGET, Run};
use world::{Made, World};

/// Runs a program as the contract defines it, step by step.
pub(crate) fn run(program: &Program) -> Run {
    let mut world = World::new(program);
    let mut run = Run::new();
    for step in &program.steps {
        world.left = BUDGET;
        let seen = world.caught(|world| match step {
            Step::Do(line) => world.do_from_outside(line),
            Step::Frame(milliseconds) => {
                world.frame(*milliseconds);
                "frame".into()
            }
            Step::Settle => {
                world.settle();
                "settled".into()
            }
            Step::Save if program.far > 0 => "nothing".into(),
            Step::Save => {
                world.settle();
                world.forget_closures();
                "saved".into()
            }
        });
        // A call that panics returns nothing.
        let made = world.made.take();
        match made.filter(|_| !seen.starts_with("caught")) {
            None => {}
            Some(Made::Subscription(at)) => world.subscribed.push(at),
            Some(Made::Ticket(number)) => world.tickets.push(number),
        }
        world.say(seen.clone());
        let mut log = std::mem::take(&mut world.log);
        log.extend(world.look());
        run.push(step, &seen, log, &mut world.aside);
    }
    run
}
