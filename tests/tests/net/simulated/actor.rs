//! The messagees of the simulation: they follow instructions, and record what happens.

use std::time::Duration;

use message_core::prelude::*;
use message_data::Data;
use message_data::ask::{Answered, Ask, AskTicket, Unanswered};
use message_net::{NET, Reach, ReachChanged, Unwatch, Watch};
use serde::{Deserialize, Serialize};

group!(pub(crate) CROWD = "sim.crowd");
mnemonic!(pub(crate) BOSS = "sim.boss");

/// A message, identified by its sender and its number there.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(name = "sim.Note", exact)]
pub(crate) struct Note {
    pub(crate) who: u64,
    pub(crate) n: u64,
    /// Whether it was posted with a delay, so that it need not come in order.
    pub(crate) is_late: bool,
    pub(crate) wants_reply: bool,
    pub(crate) ids: Vec<MessageeId>,
    pub(crate) padding: String,
}

#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[message(name = "sim.Query", reply = u64)]
#[data(name = "sim.Query", exact)]
pub(crate) struct Query {
    pub(crate) who: u64,
    pub(crate) n: u64,
    pub(crate) fails: bool,
}

/// An instruction for an actor.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[message(name = "sim.Do")]
#[data(name = "sim.Do", exact)]
pub(crate) enum Do {
    Send {
        to: MessageeId,
        ids: Vec<MessageeId>,
        padding: u32,
        wants_reply: bool,
    },
    Post {
        to: MessageeId,
        frames: u32,
    },
    Shout,
    Ask {
        to: MessageeId,
        millis: u64,
        fails: bool,
    },
    Watch {
        to: MessageeId,
    },
    Unwatch {
        to: MessageeId,
    },
}

#[derive(Serialize, Deserialize, Clone, Debug)]
pub(crate) struct Sent {
    pub(crate) n: u64,
    /// The proxy; `None` for a shout.
    pub(crate) to: Option<MessageeId>,
    /// How many have it, or whose outboxes do.
    pub(crate) received: u64,
    pub(crate) is_ask: bool,
}

#[derive(Serialize, Deserialize, Clone, Debug)]
pub(crate) struct Heard {
    pub(crate) who: u64,
    pub(crate) n: u64,
    pub(crate) is_late: bool,
}

/// An event in the life of a watcher.
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Watches,
    Unwatches,
    Told(Reach),
}

#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Came {
    Reply,
    None(Unanswered),
}

#[derive(Data, Serialize, Deserialize, Default, Debug)]
#[serde(default)]
#[data(name = "sim.Actor")]
pub(crate) struct Actor {
    pub(crate) who: u64,
    pub(crate) next: u64,
    pub(crate) friends: Vec<MessageeId>,
    pub(crate) sent: Vec<Sent>,
    pub(crate) heard: Vec<Heard>,
    pub(crate) asked: Vec<AskTicket>,
    pub(crate) answers: Vec<(AskTicket, Came)>,
    pub(crate) steps: Vec<(MessageeId, Step)>,
}

impl Actor {
    pub(crate) fn new(who: u64) -> Self {
        Self {
            who,
            ..Self::default()
        }
    }

    fn note(&mut self) -> Note {
        self.next += 1;
        Note {
            who: self.who,
            n: self.next,
            is_late: false,
            wants_reply: false,
            ids: Vec::new(),
            padding: String::new(),
        }
    }

    fn say(&mut self, to: MessageeId, note: Note, cx: &mut Context<'_>) {
        let (n, is_far) = (note.n, cx.is_proxy(to));
        if cx.send(to, note).is_ok() && is_far {
            self.wrote(n, Some(to), 1);
        }
    }

    fn wrote(&mut self, n: u64, to: Option<MessageeId>, received: u64) {
        self.sent.push(Sent {
            n,
            to,
            received,
            is_ask: false,
        });
    }
}

#[handlers]
impl Actor {
    #[on_receive]
    fn act(&mut self, act: &Do, cx: &mut Context<'_>) {
        match act {
            Do::Send {
                to,
                ids,
                padding,
                wants_reply,
            } => {
                let note = Note {
                    ids: ids.clone(),
                    wants_reply: *wants_reply,
                    padding: "x".repeat(*padding as usize),
                    ..self.note()
                };
                self.say(*to, note, cx);
            }
            Do::Post { to, frames } => {
                let note = Note {
                    is_late: true,
                    ..self.note()
                };
                let (n, is_far) = (note.n, cx.is_proxy(*to));
                let header = Header::to(*to).after_frames(u64::from(*frames));
                if cx.post(header, note).is_ok() && is_far {
                    self.wrote(n, Some(*to), 1);
                }
            }
            Do::Shout => {
                let note = self.note();
                let n = note.n;
                let receipt = cx.send(CROWD, note).expect("a group can be sent to");
                self.wrote(n, None, u64::from(receipt.received));
            }
            Do::Ask { to, millis, fails } => {
                self.next += 1;
                let (who, n, fails) = (self.who, self.next, *fails);
                let within = Duration::from_millis(*millis);
                if let Ok(ticket) = cx.ask(*to, Query { who, n, fails }).within(within) {
                    self.asked.push(ticket);
                    self.sent.push(Sent {
                        n,
                        to: Some(*to),
                        received: 1,
                        is_ask: true,
                    });
                }
            }
            Do::Watch { to } => {
                if cx.is_proxy(*to) {
                    self.steps.push((*to, Step::Watches));
                    let _ = cx.send(NET, Watch { proxy: *to });
                }
            }
            Do::Unwatch { to } => {
                self.steps.push((*to, Step::Unwatches));
                let _ = cx.send(NET, Unwatch { proxy: *to });
            }
        }
    }

    #[on_receive]
    fn hear(&mut self, note: &Note, cx: &mut Context<'_>) {
        let (who, n, is_late) = (note.who, note.n, note.is_late);
        self.heard.push(Heard { who, n, is_late });
        if note.wants_reply
            && let Some(to) = cx.sender().id()
        {
            let note = self.note();
            self.say(to, note, cx);
        }
        for &id in &note.ids {
            let note = self.note();
            self.say(id, note, cx);
            if self.friends.len() == 4 {
                self.friends.remove(0);
            }
            self.friends.push(id);
        }
    }

    #[on_receive]
    fn answer(&mut self, query: &Query) -> Result<u64, HandlerError> {
        self.heard.push(Heard {
            who: query.who,
            n: query.n,
            is_late: false,
        });
        if query.fails {
            return Err("the query asked for it".into());
        }
        Ok(query.n)
    }

    #[on_receive]
    fn answered(&mut self, answered: &Answered<Query>) {
        let came = match &answered.answer {
            Ok(_) => Came::Reply,
            Err(why) => Came::None(why.clone()),
        };
        self.answers.push((answered.ticket, came));
    }

    #[on_receive]
    fn reach(&mut self, changed: &ReachChanged) {
        self.steps.push((changed.proxy, Step::Told(changed.reach)));
    }
}
