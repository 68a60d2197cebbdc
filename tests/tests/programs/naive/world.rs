//! The state of the world: messagees, their components, and how they are found.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use super::clock::Post;
use super::inlet::InletLetter;
use super::mail::Letter;
use super::retained::Retained;
use super::settle::Change;
use super::staged::Staged;
use crate::MEETING;
use crate::program::{Hears, Kind, Program, To, What};

/// A messagee, by the order of their spawning.
pub(super) type Id = usize;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Life {
    /// Spawned or hooked in this dispatch.
    Coming,
    There,
    Gone,
}

#[derive(Debug)]
pub(super) struct Messagee {
    /// One that goes leaves its place to the next that is spawned.
    pub(super) place: usize,
    pub(super) life: Life,
    /// It goes when the outermost send returns.
    pub(super) is_leaving: bool,
    pub(super) name: Option<usize>,
    /// The messages sent to it before it was alive.
    pub(super) waiting: Vec<Waiting>,
    /// Whether it is a proxy for a messagee of another world.
    pub(super) is_far: bool,
}

impl Messagee {
    fn proxy(place: usize) -> Self {
        Self {
            place,
            life: Life::There,
            is_leaving: false,
            name: None,
            waiting: Vec::new(),
            is_far: true,
        }
    }
}

/// A component.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) kind: Kind,
    pub(super) label: u32,
    pub(super) script: usize,
    pub(super) owner: Id,
    pub(super) life: Life,
    pub(super) is_leaving: bool,
    pub(super) has_panicked: bool,
    pub(super) is_enabled: bool,
    /// It was spawned with its messagee.
    pub(super) came_along: bool,
    /// How many of its handlers are running, and whether one of them has it for itself.
    pub(super) running: usize,
    pub(super) alone: bool,
    pub(super) kept: VecDeque<Kept>,
    pub(super) waiting: Vec<Waiting>,
}

/// A message that waits for a newborn messagee or component.
#[derive(Clone, Debug)]
pub(super) enum Waiting {
    /// It was sent to this one alone: listeners wait too.
    Whole(Sent),
    /// The others have it.
    Share(Sent),
}

impl Waiting {
    pub(super) fn sent(&self) -> &Sent {
        let (Self::Whole(sent) | Self::Share(sent)) = self;
        sent
    }
}

/// A message that waits for a busy component.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub(super) sent: Sent,
    /// The subscription through which it overhears.
    pub(super) overheard: Option<usize>,
    /// Sequence number among all kept messages.
    pub(super) number: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Message {
    pub(super) what: What,
    pub(super) number: u32,
    pub(super) fuel: u32,
    /// The sender of the message that began the chain of wires, if a wire has posted it.
    #[allow(clippy::option_option, reason = "one from outside can have begun it")]
    pub(super) activator: Option<Option<Id>>,
}

/// The receivers that still get a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OpenTo {
    Everyone,
    /// A component has consumed it, but for the others of its messagee.
    Messagee(Id),
    Nobody,
}

impl OpenTo {
    pub(super) fn admits(self, owner: Id) -> bool {
        match self {
            Self::Everyone => true,
            Self::Messagee(id) => id == owner,
            Self::Nobody => false,
        }
    }
}

/// A message in transit.
#[derive(Clone, Debug)]
pub(super) struct Sent {
    /// Sequence number of the send.
    pub(super) at: u64,
    pub(super) message: Message,
    pub(super) sender: Option<Id>,
    /// The recipient as it was written.
    pub(super) written: To,
    /// The recipient with `Myself` and mnemonics replaced by the messagee.
    pub(super) to: To,
    /// The bindings of the mnemonics when it was sent.
    pub(super) bound: [Option<Id>; 2],
    /// The messagees that it reached when it was sent.
    pub(super) reached: Vec<Id>,
    pub(super) tags: u8,
    pub(super) retains: bool,
    /// Whether it is a failure if nobody receives it.
    pub(super) requires: bool,
    pub(super) open_to: Rc<Cell<OpenTo>>,
    /// The receivers it was kept for that did not receive it, and why.
    pub(super) lost: Rc<RefCell<Vec<String>>>,
    /// The messagees that must not overhear it: those whose overhearing has led to it.
    pub(super) overheard_by: Vec<Id>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Hears,
    Intercepts {
        consumes: bool,
    },
    /// Overhears for this messagee.
    Overhears(Id),
    /// Fires the wires of its type.
    Wires,
    /// Runs a script.
    Follows {
        script: usize,
    },
}

#[derive(Clone, Debug)]
pub(super) struct Subscription {
    pub(super) label: u32,
    pub(super) hears: Hears,
    pub(super) from: Option<Id>,
    pub(super) to: Option<To>,
    pub(super) role: Role,
    pub(super) owner: Option<Id>,
    pub(super) life: Life,
    pub(super) is_paused: bool,
    /// The number of the last send before it was paused or resumed.
    pub(super) switched_at: u64,
    /// How many messages had been retained when it was paused, or 0 if it is new; `None` once it has caught up.
    pub(super) misses_since: Option<u64>,
    /// The sends of messages that it was there to hear, among those that were retained.
    pub(super) had: Vec<u64>,
    /// The numbers of the retained messages that it receives next.
    pub(super) missed: VecDeque<u64>,
    pub(super) is_running: bool,
    /// The one message that it wants waits for its stage.
    pub(super) is_promised: bool,
    /// Whether it is being given the messages kept for it.
    pub(super) hands_over: bool,
    /// Whether it is running with the one message that it wanted; it goes on if it declines that.
    pub(super) may_go_on: bool,
    /// The one message that overhearing components have received through it: the others of them receive it, too.
    pub(super) used_up_by: Option<u64>,
    pub(super) kept: VecDeque<Kept>,
}

impl Subscription {
    /// Ends a `once` subscription after a component has overheard a message through it.
    pub(super) fn overheard(&mut self, sent: &Sent) {
        if self.hears.once {
            (self.life, self.used_up_by) = (Life::Gone, Some(sent.at));
        }
    }

    /// Ends the subscription: it receives nothing from now on. Returns `true` if it is a change.
    pub(super) fn end(&mut self) -> bool {
        (self.may_go_on, self.used_up_by) = (false, None);
        self.is_promised = false;
        std::mem::replace(&mut self.life, Life::Gone) != Life::Gone
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Made {
    Subscription(usize),
    Ticket(u64),
}

#[derive(Debug)]
pub(super) struct Wire {
    pub(super) made: usize,
    pub(super) from: Id,
    pub(super) on: What,
    pub(super) head: crate::program::Head,
    pub(super) to: crate::program::To,
    pub(super) message: Message,
    pub(super) times: Option<u64>,
}

/// The components of one type in storage order: those that are enabled, then the others.
#[derive(Debug, Default)]
pub(super) struct Storage {
    pub(super) parts: Vec<usize>,
    pub(super) enabled: usize,
}

impl Storage {
    pub(super) fn enter(&mut self, part: usize) {
        self.parts.push(part);
        self.enable(part);
    }

    pub(super) fn at(&self, part: usize) -> Option<usize> {
        self.parts.iter().position(|other| *other == part)
    }

    pub(super) fn enable(&mut self, part: usize) {
        let at = self.at(part).expect("it is stored");
        if at >= self.enabled {
            self.parts.swap(at, self.enabled);
            self.enabled += 1;
        }
    }

    pub(super) fn disable(&mut self, part: usize) {
        let at = self.at(part).expect("it is stored");
        if at < self.enabled {
            self.enabled -= 1;
            self.parts.swap(at, self.enabled);
        }
    }

    pub(super) fn remove(&mut self, part: usize) {
        self.disable(part);
        let at = self.at(part).expect("it is stored");
        self.parts.swap_remove(at);
    }
}

pub(super) struct World {
    pub(super) program: Program,
    pub(super) log: Vec<String>,
    pub(super) aside: Vec<String>,
    pub(super) messagees: Vec<Messagee>,
    /// The last one is taken first.
    pub(super) free_places: Vec<usize>,
    pub(super) parts: Vec<Part>,
    /// The components that the program can name: those that were hooked by hand.
    pub(super) hooks: Vec<usize>,
    pub(super) storage: [Storage; 3],
    /// Child and parent, in the order in which the children came.
    pub(super) family: Vec<(Id, Id)>,
    pub(super) bound: [Option<Id>; 2],
    pub(super) groups: [Vec<Id>; 2],
    pub(super) subscriptions: Vec<Subscription>,
    /// The subscriptions that the program can name.
    pub(super) subscribed: Vec<usize>,
    pub(super) wires: Vec<Wire>,
    pub(super) posts: Vec<Post>,
    pub(super) tickets: Vec<u64>,
    pub(super) posted: u64,
    pub(super) mail: Vec<Letter>,
    pub(super) inlet: Vec<InletLetter>,
    /// In the order in which they were retained.
    pub(super) retained: Vec<Retained>,
    /// How many messages were retained.
    pub(super) retentions: u64,
    /// The deliveries that wait for subscribers with a stage.
    pub(super) staged: Vec<Staged>,
    pub(super) changes: VecDeque<Change>,
    /// The sends that have not ended yet.
    pub(super) under_way: Vec<u64>,
    /// Those that have, in this order.
    pub(super) ended: Vec<u64>,
    /// How many messages were kept.
    pub(super) keepings: u64,
    /// The sends that were kept and are with one of those they were kept for.
    pub(super) in_hand: Vec<u64>,
    /// Whether the call from outside may change something, so that whatever a panic has left was carried out first.
    pub(super) is_called: bool,
    /// The result of the current call from outside: the program can name it once the call has returned.
    pub(super) made: Option<Made>,
    /// In microseconds, as all times here.
    pub(super) now: u64,
    pub(super) unscaled_now: u64,
    pub(super) fixed_now: u64,
    /// The passes of `FixedUpdate` that are left of the frame.
    pub(super) owed: u64,
    /// The frame of the last pass of `FixedUpdate`, and the one before it while one is running.
    pub(super) passed: u64,
    pub(super) window: Option<u64>,
    /// The frame of the last pass in which a handler has read mail.
    pub(super) read_in: u64,
    /// Whether a pass of `FixedUpdate` is running: its time is then the current time.
    pub(super) is_fixed: bool,
    /// In percent.
    pub(super) scale: u32,
    pub(super) is_paused: bool,
    pub(super) frame_number: u64,
    /// The frames of the program, and when they began.
    pub(super) frames: Vec<(u64, u64)>,
    pub(super) sends: u64,
    pub(super) numbers: u32,
    pub(super) labels: u32,
    pub(super) left: u32,
    /// The messages written for the other world.
    pub(super) outbox: Vec<(Id, Message, Option<Id>)>,
    pub(super) on_the_way: Vec<(Id, Message, Option<Id>)>,
    /// The answers of the other world: their numbers, who answers, and to whom.
    pub(super) answers: Vec<(u32, Id, Id)>,
    /// The messagees that are overhearing: those whose handlers run because of it.
    pub(super) overhearing: Vec<Id>,
}

impl World {
    pub(super) fn new(program: &Program) -> Self {
        Self {
            program: program.clone(),
            log: Vec::new(),
            aside: Vec::new(),
            messagees: (0..program.far).map(Messagee::proxy).collect(),
            free_places: Vec::new(),
            parts: Vec::new(),
            hooks: Vec::new(),
            storage: Default::default(),
            family: Vec::new(),
            bound: [None; 2],
            groups: Default::default(),
            subscriptions: Vec::new(),
            subscribed: Vec::new(),
            wires: Vec::new(),
            posts: Vec::new(),
            tickets: Vec::new(),
            posted: 0,
            mail: Vec::new(),
            inlet: Vec::new(),
            retained: Vec::new(),
            retentions: 0,
            staged: Vec::new(),
            changes: VecDeque::new(),
            under_way: Vec::new(),
            ended: Vec::new(),
            keepings: 0,
            in_hand: Vec::new(),
            is_called: false,
            made: None,
            now: 0,
            unscaled_now: 0,
            fixed_now: 0,
            owed: 0,
            passed: 0,
            window: None,
            read_in: 0,
            is_fixed: false,
            scale: 100,
            is_paused: false,
            frame_number: if program.far > 0 { MEETING } else { 0 },
            frames: Vec::new(),
            sends: 0,
            numbers: 0,
            labels: 0,
            left: 0,
            outbox: Vec::new(),
            on_the_way: Vec::new(),
            answers: Vec::new(),
            overhearing: Vec::new(),
        }
    }

    pub(super) fn say(&mut self, line: impl Into<String>) {
        self.log.push(line.into());
    }

    pub(super) fn number(&mut self) -> u32 {
        self.numbers += 1;
        self.numbers
    }

    pub(super) fn label(&mut self) -> u32 {
        self.labels += 1;
        self.labels
    }

    /// Fails unless a messagee is alive, or will be, and is not leaving.
    pub(super) fn stays(&self, id: Id) -> Result<(), &'static str> {
        let messagee = &self.messagees[id];
        match messagee.life {
            Life::Gone => Err("Gone"),
            _ if messagee.is_leaving => Err("Leaving"),
            _ => Ok(()),
        }
    }

    pub(super) fn parent(&self, id: Id) -> Option<Id> {
        let link = self.family.iter().find(|(child, _)| *child == id);
        link.map(|(_, parent)| *parent)
    }

    pub(super) fn children(&self, id: Id) -> Vec<Id> {
        let links = self.family.iter().filter(|(_, parent)| *parent == id);
        links.map(|(child, _)| *child).collect()
    }

    pub(super) fn up(&self, id: Id) -> Vec<Id> {
        std::iter::successors(Some(id), |&id| self.parent(id)).collect()
    }

    pub(super) fn down(&self, id: Id) -> Vec<Id> {
        let mut family = vec![id];
        for child in self.children(id) {
            family.extend(self.down(child));
        }
        family
    }

    pub(super) fn set_parent(&mut self, child: Id, parent: Option<Id>) {
        self.family.retain(|(other, _)| *other != child);
        self.family.extend(parent.map(|parent| (child, parent)));
    }

    /// Takes a slot for a new messagee: the one freed last, or a new one.
    pub(super) fn take_place(&mut self) -> usize {
        let new = self.messagees.iter().map(|it| it.place + 1).max();
        self.free_places.pop().or(new).unwrap_or(0)
    }

    /// Returns those that are alive and have the name, in the order of their places.
    pub(super) fn find(&self, name: usize) -> Vec<Id> {
        let there = self.messagees.iter().enumerate();
        let there = there.filter(|(_, it)| it.life == Life::There && it.name == Some(name));
        let mut found: Vec<Id> = there.map(|(id, _)| id).collect();
        found.sort_by_key(|&id| self.messagees[id].place);
        found
    }

    /// Returns the components that are hooked to it, in the order of hooking.
    pub(super) fn parts_of(&self, id: Id) -> Vec<usize> {
        let all = 0..self.parts.len();
        all.filter(|&at| self.parts[at].owner == id && self.parts[at].life == Life::There)
            .collect()
    }

    pub(super) fn storage(&mut self, kind: Kind) -> &mut Storage {
        &mut self.storage[kind as usize]
    }

    /// Returns whether a component is neither disabled nor leaving.
    pub(super) fn receives(&self, part: usize) -> bool {
        let part = &self.parts[part];
        part.is_enabled
            && !part.is_leaving
            && part.life != Life::Gone
            && !self.messagees[part.owner].is_leaving
    }

    /// Returns the components that are neither disabled nor leaving.
    pub(super) fn able(&self) -> Vec<usize> {
        let all = 0..self.parts.len();
        all.filter(|&part| self.receives(part)).collect()
    }

    /// Drops what a save does not keep: closures, and the contents of the inlet.
    pub(super) fn forget_closures(&mut self) {
        self.subscribed.clear();
        self.inlet.clear();
        for subscription in &mut self.subscriptions {
            if !matches!(subscription.role, Role::Overhears(_) | Role::Wires) {
                subscription.life = Life::Gone;
            }
        }
    }
}
