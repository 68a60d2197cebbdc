//! A component that does whatever its random numbers say.

use std::time::Duration;

use message_core::lifecycle::DeadLetter;
use message_core::prelude::*;
use message_data::Data;
use message_data::ask::{Answered, Ask};
use message_rooms::{MoveTo, Moved, ROOMS, RoomId};
use serde::{Deserialize, Serialize};

use crate::random::Random;

group!(pub(crate) WALKERS);
group!(LOCALS);
mnemonic!(CHIEF);
mnemonic!(pub(crate) LEDGER);

/// Makes a walker act. Without ids: it is cloned.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[message(name = "rooms.Nudge")]
#[data(name = "rooms.Nudge", exact)]
pub(crate) struct Nudge {
    /// How many more nudges may follow from this one.
    pub(crate) left: u32,
}

message_rooms::carried!(Nudge, Token);

/// Introduces a messagee. It has an id: it is written.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[message(name = "rooms.Meet")]
#[data(name = "rooms.Meet", exact)]
struct Meet {
    whom: Vec<MessageeId>,
}

/// A message that must not be lost.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[message(name = "rooms.Token")]
#[data(name = "rooms.Token", exact)]
struct Token(u64);

/// Asks for what a walker has heard. It has an answer with an id.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[message(name = "rooms.Query", reply = (u64, Option<MessageeId>))]
#[data(name = "rooms.Query", exact)]
pub(crate) struct Query {
    pub(crate) about: Option<MessageeId>,
}

/// The tokens that have left a room, that were received and that have died in it.
#[derive(Data, Serialize, Deserialize, Debug, Default)]
#[data(name = "rooms.Ledger", exact)]
pub(crate) struct Ledger {
    pub(crate) sent: u64,
    pub(crate) received: u64,
    pub(crate) dead: u64,
    others_dead: u64,
}

#[handlers]
impl Ledger {
    #[on_receive]
    fn bury(&mut self, letter: &DeadLetter) {
        if letter.id == Token::ID {
            self.dead += 1;
        } else {
            self.others_dead += 1;
        }
    }
}

/// A second component, which some walkers have.
#[derive(Data, Serialize, Deserialize, Debug)]
#[data(name = "rooms.Pack", exact)]
struct Pack {
    of: MessageeId,
    nudged: u32,
}

#[handlers]
impl Pack {
    #[on_receive]
    fn nudge(&mut self, _: &Nudge) {
        self.nudged += 1;
    }
}

#[derive(Data, Serialize, Deserialize, Debug)]
#[data(name = "rooms.Walker", exact)]
pub(crate) struct Walker {
    seed: u64,
    rooms: u32,
    /// Whether it may panic.
    is_fragile: bool,
    known: Vec<MessageeId>,
    /// A hash of everything that it has received.
    heard: u64,
}

/// The text of the panics of walkers.
pub(crate) const STUMBLED: &str = "a walker has stumbled";

const MOST_KNOWN: usize = 6;

impl Walker {
    pub(crate) fn new(seed: u64, rooms: u32, is_fragile: bool) -> Self {
        Self {
            seed,
            rooms,
            is_fragile,
            known: Vec::new(),
            heard: 0,
        }
    }

    pub(crate) fn meet(&mut self, id: MessageeId) {
        if self.known.len() >= MOST_KNOWN {
            self.known.remove(0);
        }
        if !self.known.contains(&id) {
            self.known.push(id);
        }
    }

    fn hear(&mut self, what: u64) {
        self.heard = Random::new(self.heard ^ what).next();
    }

    fn act(&mut self, left: u32, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        let mut random = Random::new(self.seed ^ self.heard);
        self.seed = random.next();
        let me = cx.me();
        let whom = match self.known.len() {
            0 => me,
            len => self.known[random.place(len)],
        };
        let nudge = Nudge {
            left: left.saturating_sub(1),
        };
        match random.below(24) {
            0..=2 => drop(cx.send(whom, nudge)),
            3 | 4 => drop(cx.reply(nudge)),
            5..=8 => {
                let header = header(&mut random, whom, cx)?;
                drop(cx.post(header, nudge));
            }
            9 | 10 => {
                let mut whom_else = self.known.clone();
                whom_else.push(me);
                drop(cx.send(whom, Meet { whom: whom_else }));
            }
            11 | 12 => {
                let token = Token(self.seed);
                if cx.is_proxy(whom) && cx.send(whom, token).is_ok() {
                    count(cx, |ledger| ledger.sent += 1);
                }
            }
            13 => {
                let child = Self::new(self.seed, self.rooms, self.is_fragile);
                let child = cx.spawn((child,));
                self.meet(child);
                if random.once_in(2) {
                    cx.set_parent(child, Some(me))?;
                }
            }
            14 => cx.despawn(me)?,
            15 => {
                let group = if random.once_in(2) { WALKERS } else { LOCALS };
                if random.once_in(3) {
                    cx.leave(group, me)?;
                } else {
                    cx.join(group, if random.once_in(3) { whom } else { me })?;
                }
            }
            16 => drop(cx.send(WALKERS, nudge)),
            17 => drop(cx.send(LOCALS, nudge)),
            18 => {
                if cx.bind(CHIEF, me).is_err() {
                    drop(cx.send(CHIEF, nudge));
                }
            }
            19 => {
                let pack = Pack {
                    of: whom,
                    nudged: 0,
                };
                let hook = cx.hook(me, pack)?;
                if random.once_in(3) {
                    cx.set_enabled(hook, false)?;
                }
            }
            20 | 21 => {
                let about = self.known.first().copied();
                let within = Duration::from_millis(random.below(60));
                drop(cx.ask(whom, Query { about }).within(within));
            }
            22 => drop(cx.cancel(message_core::PostKey::from("walk"))),
            _ => {
                assert!(!self.is_fragile || random.once_in(2), "{STUMBLED}");
                let who = if random.once_in(4) { whom } else { me };
                let room = RoomId::new(random.between(0, self.rooms - 1));
                cx.send(ROOMS, MoveTo { who, room })?;
            }
        }
        Ok(())
    }
}

fn header(
    random: &mut Random,
    whom: MessageeId,
    cx: &Context<'_>,
) -> Result<Header, message_core::HeaderError> {
    let to = match random.below(6) {
        0 => Recipient::Me,
        1 => Recipient::Group(LOCALS),
        2 => Recipient::Hook(cx.my_hook()),
        _ => Recipient::Id(whom),
    };
    let mut header = Header::to(to).stage(match random.below(3) {
        0 => Stage::FixedUpdate,
        1 => Stage::Update,
        _ => Stage::EndOfFrame,
    });
    let time = Duration::from_millis(random.below(40));
    header = match random.below(5) {
        0 => header.after(time),
        1 => header.after(time).unscaled(),
        2 if random.once_in(2) => header.stage(Stage::Update).after_frames(random.below(4)),
        3 => header
            .every(time + Duration::from_millis(8))
            .times(1 + random.below(3)),
        _ => header,
    };
    if random.once_in(4) {
        header = header.key("walk");
    } else if random.once_in(6) {
        header = header.key(("of", whom));
    }
    if random.once_in(5) {
        header = header.tied_to_sender();
    }
    if random.once_in(8) {
        header = header.until_unhooked(cx.my_hook());
    }
    header.build()
}

fn count(cx: &mut Context<'_>, change: impl FnOnce(&mut Ledger)) {
    let ledger = cx.bound(LEDGER).unwrap();
    change(&mut cx.get_mut(ledger).unwrap());
}

#[handlers]
impl Walker {
    #[on_receive]
    fn nudge(&mut self, nudge: &Nudge, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        self.hear(u64::from(nudge.left) + 1);
        if nudge.left > 0 {
            self.act(nudge.left, cx)?;
            self.act(nudge.left, cx)?;
        }
        Ok(())
    }

    #[on_receive]
    fn meet_others(&mut self, meet: &Meet, cx: &mut Context<'_>) {
        self.hear(meet.whom.len() as u64);
        for &whom in &meet.whom {
            self.meet(whom);
        }
        if let Some(sender) = cx.sender().id() {
            self.meet(sender);
        }
    }

    #[on_receive]
    fn token(&mut self, token: &Token, cx: &mut Context<'_>) {
        self.hear(token.0);
        count(cx, |ledger| ledger.received += 1);
    }

    #[on_receive]
    fn query(&mut self, query: &Query) -> Option<(u64, Option<MessageeId>)> {
        assert!(
            !self.is_fragile || !self.heard.is_multiple_of(5),
            "{STUMBLED}"
        );
        let is_known = |id| self.known.contains(&id);
        let answers = query.about.is_none_or(is_known) || self.heard.is_multiple_of(2);
        answers.then(|| (self.heard, self.known.last().copied()))
    }

    #[on_receive]
    fn answered(&mut self, answered: &Answered<Query>) {
        let heard = match &answered.answer {
            Ok((heard, known)) => {
                if let &Some(known) = known {
                    self.meet(known);
                }
                *heard
            }
            Err(why) => why.to_string().len() as u64,
        };
        self.hear(heard);
    }

    #[on_receive]
    fn moved(&mut self, moved: &Moved) {
        for known in &mut self.known {
            if *known == moved.from {
                *known = moved.to;
            }
        }
    }
}
