//! A model of the contract, written from its text, as plainly as it could be: lists that are searched from
//! end to end.

mod ask;
mod clock;
mod handle;
mod lines;
mod mail;
mod reach;
mod send;
mod settle;
mod wires;
mod world;

use crate::program::{Program, Step};
use crate::{BUDGET, FUEL, Run};
use lines::OUTSIDE;
use world::World;

/// What the contract says that a program does, step by step.
pub(crate) fn run(program: &Program) -> Run {
    let mut world = World::new(program);
    let mut run = Run::new();
    for step in &program.steps {
        world.left = BUDGET;
        let seen = match step {
            Step::Do(line) => world.outermost(|world| world.line(line, FUEL, OUTSIDE)),
            Step::Frame(milliseconds) => {
                world.frame(*milliseconds);
                "frame".into()
            }
            Step::Save if program.far > 0 => "nothing".into(),
            Step::Save => {
                world.forget_closures();
                "saved".into()
            }
        };
        world.say(seen);
        let mut log = std::mem::take(&mut world.log);
        log.extend(world.look());
        let mut aside = std::mem::take(&mut world.aside);
        aside.sort();
        run.push(log, aside);
    }
    run
}
