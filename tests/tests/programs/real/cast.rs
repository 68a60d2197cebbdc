//! Messages and components, and the handlers and subscribers that run the scripts of a program.

use std::ops::ControlFlow;

use message_core::HandlerError;
use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

use super::header::HIGH;
use super::line::in_handler;
use super::state::{named, say, with};
use crate::program::{End, Script};

#[derive(Message, Data, Serialize, Deserialize, Debug, Clone)]
#[data(exact)]
pub(crate) struct Act {
    pub(crate) number: u32,
    pub(crate) fuel: u32,
}

#[derive(Message, Data, Serialize, Deserialize, Debug, Clone)]
#[message(tags(HIGH))]
#[data(exact)]
pub(crate) struct Note {
    pub(crate) number: u32,
}

#[derive(Message, Debug)]
pub(super) struct Tour {
    pub(super) seen: Vec<u32>,
}

#[derive(Message, Debug)]
#[message(reply = u32)]
pub(super) struct Ask {
    pub(super) number: u32,
}

#[derive(Data, Serialize, Deserialize, Default, Debug, Clone)]
#[serde(default)]
pub(super) struct Actor {
    pub(super) label: u32,
    pub(super) script: usize,
}

#[derive(Data, Serialize, Deserialize, Default, Debug, Clone)]
#[serde(default)]
pub(super) struct Calm {
    pub(super) label: u32,
    pub(super) script: usize,
}

#[derive(Data, Serialize, Deserialize, Default, Debug, Clone)]
#[serde(default)]
pub(super) struct Quick {
    pub(super) label: u32,
}

impl Actor {
    fn run(&self, act: &Act, cx: &mut Context<'_>) -> Result<ControlFlow<StopAt>, HandlerError> {
        run_script(self.label, self.script, act, cx)
    }
}

pub(super) fn heard<R>(who: &str, number: u32, cx: &Context<'_, R>) {
    let from = cx.sender().id().map_or("outside".into(), named);
    let how = if cx.is_overheard() { " overheard" } else { "" };
    let to = addressee(cx);
    say(format!("{who} has {number} from {from}{to}{how}"));
}

pub(super) fn addressee<R>(cx: &Context<'_, R>) -> String {
    let to = cx.addressee();
    to.map_or(String::new(), |to| format!(" to {}", named(to)))
}

/// Runs the lines of a script. Returns how it ends, unless that is a panic.
pub(super) fn run_lines<R>(
    who: &str,
    script: usize,
    number: u32,
    fuel: u32,
    cx: &mut Context<'_, R>,
) -> End {
    heard(who, number, cx);
    let Script { lines, end } = with(|state| state.program.scripts[script].clone());
    if fuel > 0 {
        for line in &lines {
            let goes_on = with(|state| {
                let goes_on = state.left > 0;
                state.left = state.left.saturating_sub(1);
                goes_on
            });
            if goes_on {
                let seen = in_handler(line, fuel - 1, cx);
                say(format!("in handler: {seen}"));
            }
        }
    }
    say(format!("{who} is done with {number}"));
    panic_if(end, who, number);
    end
}

/// Panics if the script ends so; without a word on stderr.
pub(super) fn panic_if(end: End, who: &str, number: u32) {
    if end == End::Panics {
        std::panic::resume_unwind(Box::new(format!("{who} panics at {number}")));
    }
}

pub(super) fn run_script(
    label: u32,
    script: usize,
    act: &Act,
    cx: &mut Context<'_>,
) -> Result<ControlFlow<StopAt>, HandlerError> {
    let (who, number) = (format!("c{label}"), act.number);
    match run_lines(&who, script, number, act.fuel, cx) {
        End::Consumes => Ok(ControlFlow::Break(StopAt::Component)),
        End::StopsAtMessagee => Ok(ControlFlow::Break(StopAt::Messagee)),
        End::Fails => Err(format!("{who} fails at {number}").into()),
        End::Returns | End::Panics => Ok(ControlFlow::Continue(())),
    }
}

/// Ends the handler of a component that is asked or writes its label: panics if its script ends so.
pub(super) fn asked(label: u32, script: usize, number: u32) {
    let end = with(|state| state.program.scripts[script].end);
    panic_if(end, &format!("c{label}"), number);
}

/// A type that a subscriber may return.
pub(super) trait Ends {
    fn ends(end: End) -> Self;
}

impl Ends for bool {
    fn ends(end: End) -> Self {
        end != End::Fails
    }
}

impl Ends for ControlFlow<()> {
    fn ends(end: End) -> Self {
        match end {
            End::Consumes => Self::Break(()),
            _ => Self::Continue(()),
        }
    }
}

#[handlers]
impl Actor {
    #[on_receive]
    fn act(
        &mut self,
        act: &Act,
        cx: &mut Context<'_>,
    ) -> Result<ControlFlow<StopAt>, HandlerError> {
        self.run(act, cx)
    }

    #[on_receive]
    fn tour(&mut self, tour: &mut Tour) {
        asked(self.label, self.script, 0);
        tour.seen.push(self.label);
    }

    #[on_receive]
    fn ask(&mut self, ask: &Ask) -> Option<u32> {
        say(format!("c{} is asked {}", self.label, ask.number));
        asked(self.label, self.script, ask.number);
        (self.label % 2 == 1).then_some(self.label)
    }
}

#[handlers]
impl Calm {
    #[on_receive]
    fn act(&self, act: &Act, cx: &mut Context<'_>) -> Result<ControlFlow<StopAt>, HandlerError> {
        run_script(self.label, self.script, act, cx)
    }

    #[on_receive]
    fn note(&mut self, note: &Note, cx: &mut Context<'_>) {
        heard(&format!("c{}", self.label), note.number, cx);
    }

    #[on_receive(priority = -1)]
    fn ask(&self, ask: &Ask) -> u32 {
        say(format!("c{} is asked {}", self.label, ask.number));
        asked(self.label, self.script, ask.number);
        self.label
    }
}

#[handlers]
impl Quick {
    #[on_receive(priority = 1)]
    fn act(&mut self, act: &Act) {
        say(format!("c{} has {}", self.label, act.number));
    }

    #[on_receive]
    fn note(&mut self, note: &Note) {
        say(format!("c{} has {}", self.label, note.number));
    }

    #[on_receive]
    fn tour(&mut self, tour: &mut Tour) {
        tour.seen.push(self.label);
    }
}
