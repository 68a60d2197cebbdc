//! The language of random programs: the steps taken from outside, and the scripts that
//! handlers run meanwhile.
//!
//! A messagee, a hook, a ticket or a subscription is named by a number: the first that the program made is
//! 0, and numbers past the last wrap around. A line does nothing if one of its names refers to nothing yet.
//! So every program means something, and still does when lines are removed from it.

use std::fmt;

/// The three component types: the parameters of their handlers decide how they are stored and called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `&mut self` and a context: busy while it runs a script.
    Actor,
    /// `&self` and a context: its own handlers of `Act` may nest, and those of `Note` may not.
    Calm,
    /// `&mut self` and no context: stored packed, and never busy during a send.
    Quick,
}

/// Where a message goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum To {
    Id(usize),
    All,
    AllButMe,
    Myself,
    /// The sender of the message that is being handled.
    Back,
    UpFrom(usize),
    DownFrom(usize),
    UpFromBound(usize),
    Bound(usize),
    Group(usize),
    Part(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// Makes actors and calm ones run their scripts.
    Act,
    /// Is logged, by calm and by quick ones.
    Note,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum After {
    Now,
    Milliseconds(u64),
    Frames(u64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Every {
    Once,
    Milliseconds(u64, u64),
    Frames(u64, u64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tie {
    No,
    Bound,
    IfAlive,
    Require,
    Key,
}

/// The stages of a header: 0 is `Update`, 3 is `FixedUpdate`, and the last one says none.
pub(crate) const FIXED_UPDATE: usize = 3;
pub(crate) const IMMEDIATE: usize = 4;
pub(crate) const NO_STAGE: usize = 5;

/// The tags of a program are 1, 2 and 4, and the sets of them their sums. Each `Note` has this one by its type.
pub(crate) const TAG_OF_NOTES: u8 = 4;

/// The contents of a header, except the recipient. A contradiction is an error of the post.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) stage: usize,
    pub(crate) after: After,
    pub(crate) every: Every,
    pub(crate) unscaled: bool,
    pub(crate) tie: Tie,
    pub(crate) tags: u8,
    pub(crate) retains: bool,
}

/// A description of a subscription: which messages it hears, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hears {
    pub(crate) what: What,
    pub(crate) from: Option<usize>,
    pub(crate) to: Option<To>,
    /// A message passes if it has one of them; every message passes the empty set.
    pub(crate) tags: u8,
    pub(crate) once: bool,
    pub(crate) hidden: bool,
    pub(crate) stage: Option<usize>,
    /// Asks for retained messages.
    pub(crate) retained: bool,
}

impl Hears {
    /// Returns the description without the options that an interceptor does not support.
    pub(crate) fn of_an_interceptor(self) -> Self {
        Self {
            stage: None,
            retained: false,
            ..self
        }
    }
}

/// One line of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    Send(To, What),
    /// In–out: each receiver writes its label.
    Tour(To),
    Ask(To),
    AskAll(To),
    Post(Head, To, What),
    /// Posts through an inlet.
    Letter(Head, To, What),
    Cancel(usize),
    CancelKey,
    /// Forgets a retained message. Only from outside.
    Forget(To, What),
    Publish(To),
    /// Reads a messagee's mail in the mailbox; with `true`, all mail that reaches it.
    Read(usize, bool),
    /// Components with the scripts that they run, and a name.
    Spawn(Vec<(Kind, usize)>, Option<usize>),
    /// With `true` its children go to its parent.
    Despawn(usize, bool),
    Hook(usize, Kind, usize),
    Unhook(usize),
    Enable(usize, bool),
    Parent(usize, Option<usize>),
    Bind(usize, usize),
    Unbind(usize, usize),
    Join(usize, usize),
    Leave(usize, usize),
    Name(usize, usize),
    Find(usize),
    Subscribe(Hears),
    /// A subscriber that runs a script, on behalf of that messagee or of nobody.
    Follow(Hears, usize, Option<usize>),
    /// Hears first; with `true` it consumes.
    Intercept(Hears, bool),
    Overhear(usize, Hears),
    Unsubscribe(usize),
    Listen(usize, bool),
    Wire(usize, What, Head, To, What),
    /// The speed of the scaled time, in percent.
    Scale(u32),
    Pause(bool),
}

/// How a handler or a subscriber ends that has run a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Returns,
    Consumes,
    /// A handler consumes the message, but for the rest of its messagee.
    StopsAtMessagee,
    /// A handler with an error; a subscriber says that it has not received the message.
    Fails,
    /// See `Program::caught`.
    Panics,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Script {
    pub(crate) lines: Vec<Line>,
    pub(crate) end: End,
}

/// A step taken from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Do(Line),
    /// Runs one frame with this many milliseconds.
    Frame(u64),
    /// Carries out the changes that a panic has left pending.
    Settle,
    /// Saves the manager, and continues the program with a restored one.
    Save,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Program {
    pub(crate) scripts: Vec<Script>,
    /// How many messagees are proxies; these are the first that the program knows. They represent messagees of another
    /// world, which hears each frame what was sent to them, and answers each `Act` with a `Note`. A program with
    /// proxies is not saved, has no wires, and changes nothing of a proxy but its addresses.
    pub(crate) far: usize,
    /// A panic ends the step in which it happens: the caller catches it and continues with the next step.
    /// Otherwise, and in a program with proxies, a panic ends with the component or the subscription, by
    /// `PanicPolicy::Unhook`.
    pub(crate) caught: bool,
    pub(crate) steps: Vec<Step>,
}

impl Program {
    pub(crate) fn unhooks(&self) -> bool {
        let panics = self.scripts.iter().any(|script| script.end == End::Panics);
        panics && !self.catches()
    }

    pub(crate) fn catches(&self) -> bool {
        self.caught && self.far == 0
    }
}

/// As the Rust code of a test.
impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Derived `Debug` is Rust code, except for lists and the enum that a variant belongs to: the test
        // file imports the variants.
        let code = |value: &dyn fmt::Debug| format!("{value:?}").replace('[', "vec![");
        writeln!(
            f,
            "#[test]\nfn found() {{\n    holds(&Program {{\n        scripts: vec!["
        )?;
        for script in &self.scripts {
            writeln!(f, "            {},", code(script))?;
        }
        writeln!(
            f,
            "        ],\n        far: {},\n        caught: {},\n        steps: vec![",
            self.far, self.caught
        )?;
        for step in &self.steps {
            writeln!(f, "            {},", code(step))?;
        }
        writeln!(f, "        ],\n    }});\n}}")
    }
}
