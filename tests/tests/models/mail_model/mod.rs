//! Mailboxes held against a naive list: publishing to random recipients, from outside and from
//! handlers, with random retentions, limits, despawns and new lives, read with random selections
//! and cursors. The list keeps everything that was ever published, and is searched from end to end.
//! Each publication is by type or in a box; at first, while nothing uses the types, in boxes alone.

mod naive;
mod read;

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::common::{Actor, Do, Log, slot};
use message_core::Recipient::{EveryoneElse, Me};
use message_core::mailbox::Cursor;
use message_core::prelude::*;
use message_core::{mailbox::AnyCursor, time::Moment};

use naive::{Entry, Kind, Naive, Random};
use read::{Look, Selection};

mnemonic!(CAPTAIN);
group!(CREW);

/// Counts those that have not been dropped.
type Census = Arc<()>;

#[derive(Message)]
struct Red {
    number: u64,
    #[allow(dead_code, reason = "is counted as long as it is there")]
    census: Census,
}

#[derive(Message)]
struct Blue {
    number: u64,
    #[allow(dead_code, reason = "is counted as long as it is there")]
    census: Census,
}

/// Is received in each pass of `FixedUpdate`.
#[derive(Message)]
struct Step;

#[derive(Clone, Copy)]
struct Publication {
    to: Recipient,
    kind: Kind,
    number: u64,
    /// Whether it is published in a box.
    boxed: bool,
}

/// Makes a message and publishes it, through any type that has these two methods.
macro_rules! publish {
    ($from:expr, $publication:expr, $census:expr) => {{
        let Publication {
            to,
            kind,
            number,
            boxed,
        } = $publication;
        let census = $census;
        match (kind, boxed) {
            (Kind::Red, false) => $from.publish(to, Red { number, census }),
            (Kind::Red, true) => $from.publish_any(to, Box::new(Red { number, census })),
            (Kind::Blue, false) => $from.publish(to, Blue { number, census }),
            (Kind::Blue, true) => $from.publish_any(to, Box::new(Blue { number, census })),
        }
    }};
}

struct Run {
    random: Random,
    manager: MessageManager,
    naive: Naive,
    census: Census,
    ids: Vec<MessageeId>,
    foreign: MessageeId,
    red: [Cursor<Red>; 2],
    blue: [Cursor<Blue>; 2],
    any: [AnyCursor; 2],
    /// Whether much is published in a frame.
    busy: bool,
    /// Whether nothing uses the types of the messages yet.
    blind: bool,
    refused: usize,
    found: usize,
    /// The red messages that are found in passes of `FixedUpdate`, if there are any.
    in_passes: Option<Receiver<u64>>,
}

impl Run {
    fn new(seed: u64, limit: u32) -> Self {
        let has_passes = seed % 2 == 1;
        let step = Duration::from_millis(if has_passes { 25 } else { 0 });
        let config = ManagerConfig::new().max_published(limit).fixed_step(step);
        let mut manager = MessageManager::with_config(config);
        let in_passes = has_passes.then(|| {
            let (found, in_passes) = channel();
            manager.subscribe(Filter::of::<Step>(), move |_, cx| {
                let mut red = cx.inbox::<Red>().into_iter();
                red.try_for_each(|red| found.send(red.number)).is_ok()
            });
            let header = Header::to(Everyone).stage(Stage::FixedUpdate).every_pass();
            manager.post(header, Step).expect("there is room");
            in_passes
        });
        Self {
            random: Random::new(seed),
            manager,
            naive: Naive::default(),
            census: Census::default(),
            ids: Vec::new(),
            foreign: MessageManager::new().spawn(()),
            red: Default::default(),
            blue: Default::default(),
            any: Default::default(),
            busy: false,
            blind: true,
            refused: 0,
            found: 0,
            in_passes,
        }
    }

    fn any_id(&mut self) -> MessageeId {
        match self.random.below(40) {
            0 => self.foreign,
            _ => self.random.of(&self.ids),
        }
    }

    fn recipient(&mut self) -> Recipient {
        let id = self.any_id();
        match self.random.below(16) {
            0 => Me,
            1 => Everyone,
            2 => EveryoneElse,
            3 => CAPTAIN.into(),
            4 => CREW.into(),
            5 => Up(id),
            6 => Down(id),
            _ => id.into(),
        }
    }

    /// Returns a random messagee that is alive to speak for, or `None`.
    fn speaker(&mut self) -> Option<MessageeId> {
        let id = self.any_id();
        (self.random.one_in(2) && self.manager.is_alive(id)).then_some(id)
    }

    fn publish(&mut self, limit: u32) {
        let (to, speaker) = (self.recipient(), self.speaker());
        let kind = self.random.of(&[Kind::Red, Kind::Blue]);
        let number = self.naive.entries.len() as u64;
        let publication = Publication {
            to,
            kind,
            number,
            boxed: self.blind || self.random.one_in(2),
        };
        let census = Arc::clone(&self.census);
        let refusal = self.refusal(to, speaker, limit);
        let result = match (speaker, self.random.one_in(2)) {
            (None, true) => publish!(self.manager, publication, census),
            (None, false) => publish!(self.manager.desk(), publication, census),
            (Some(id), true) => {
                let mut speaker = self.manager.speak_for(id).expect("it is alive");
                publish!(speaker, publication, census)
            }
            (Some(id), false) => {
                let (put, get) = slot();
                let script = Do::new(move |cx| put(publish!(cx, publication, census)));
                self.manager.send(id, script).expect("it is alive");
                get()
            }
        };
        assert_eq!(result.as_ref().err().map(naive::name), refusal);
        if refusal.is_some() {
            self.refused += 1;
            return;
        }
        let address = match to {
            Recipient::Id(id) => Some(id),
            Me => speaker,
            Recipient::Mnemonic(_) => self.manager.bound(CAPTAIN),
            _ => None,
        };
        let clock = self.manager.clock();
        self.naive.entries.push(Entry {
            number,
            kind,
            to,
            address,
            sender: speaker.map_or(Sender::Outside, Sender::Messagee),
            published: Moment {
                time: clock.now(),
                frame: clock.frame(),
            },
            gone: false,
        });
    }

    /// Returns the name of the error that refuses it, if any.
    fn refusal(&self, to: Recipient, from: Option<MessageeId>, limit: u32) -> Option<&'static str> {
        let frame = self.manager.clock().frame();
        match to {
            Me | EveryoneElse if from.is_none() => Some("NoSender"),
            Recipient::Id(id) | Recipient::Up(id) | Recipient::Down(id) if id == self.foreign => {
                Some("OtherManager")
            }
            Recipient::Id(id) | Recipient::Up(id) | Recipient::Down(id)
                if !self.manager.is_alive(id) =>
            {
                Some("Gone")
            }
            Recipient::Mnemonic(_) if self.manager.bound(CAPTAIN).is_none() => Some("Unbound"),
            _ if self.naive.published_in(frame) >= limit as usize => Some("Published"),
            _ => None,
        }
    }

    fn change(&mut self) {
        let (one, two) = (self.any_id(), self.any_id());
        let manager = &mut self.manager;
        match self.random.below(8) {
            0 | 1 => {
                let log = Log::default();
                self.ids.push(manager.spawn((Actor::new("actor", &log),)));
            }
            2 if self.ids.len() > 8 => drop(manager.despawn(one)),
            3 => drop(manager.join(CREW, one)),
            4 => drop(manager.leave(CREW, one)),
            5 => drop(manager.set_parent(one, Some(two))),
            6 => match manager.bound(CAPTAIN) {
                Some(captain) => drop(manager.unbind(CAPTAIN, captain)),
                None => drop(manager.bind(CAPTAIN, one)),
            },
            _ => {}
        }
        if !self.blind && self.random.one_in(50) {
            let frames = self.random.of(&[0, 1, 1, 2, 3, 7]);
            if self.random.one_in(2) {
                manager.set_mail_retention::<Red>(frames);
                self.naive.retention[0] = frames;
            } else {
                manager.set_mail_retention::<Blue>(frames);
                self.naive.retention[1] = frames;
            }
        }
    }

    fn selection(&mut self) -> Selection {
        let mut selection = Selection::default();
        match self.random.below(4) {
            0 => {}
            1 => selection.reaching = Some(self.any_id()),
            _ => selection.to = Some(self.recipient()),
        }
        if self.random.one_in(3) {
            let sender = Sender::from(self.any_id());
            selection.from = Some(self.random.of(&[sender, sender, Sender::Outside]));
        }
        selection.odd = self.random.one_in(4);
        selection
    }

    /// Reads with a random selection on behalf of `reader`.
    fn read(&mut self) {
        let (selection, reader) = (self.selection(), self.speaker());
        let at = self.random.below(2);
        let looks = if self.blind { 6 } else { 0 };
        let look = match looks + self.random.below(8 - looks) {
            0 => Look::Red,
            1 => Look::RedSince(self.red[at]),
            2 => Look::RedPending,
            3 => Look::Blue,
            4 => Look::BlueSince(self.blue[at]),
            5 => Look::BluePending,
            6 => Look::Any,
            _ => Look::AnySince(self.any[at]),
        };
        let (seen, look) = match reader {
            None => read::outside(&self.manager, look, selection),
            Some(id) => {
                let (put, get) = slot();
                let script = Do::new(move |cx| put(read::inside(cx, look, selection)));
                self.manager.send(id, script).expect("it is alive");
                get()
            }
        };
        let cursor = self.naive.cursor_of(look.kind(), at);
        let (expected, missed) = self
            .naive
            .find(&self.manager, look, selection, reader, cursor);
        assert_eq!(seen, expected, "{selection:?}");
        self.found += seen.len();
        match look {
            Look::RedSince(cursor) => {
                assert_eq!(cursor.missed(), missed);
                self.red[at] = cursor;
            }
            Look::BlueSince(cursor) => {
                assert_eq!(cursor.missed(), missed);
                self.blue[at] = cursor;
            }
            Look::AnySince(cursor) => {
                assert_eq!(cursor.missed(), missed);
                self.any[at] = cursor;
            }
            _ => return,
        }
        self.naive
            .move_cursor(look.kind(), at, self.manager.clock().frame());
    }

    fn frame(&mut self, limit: u32) {
        let dt = Duration::from_millis(self.random.of(&[0, 5, 16, 40]));
        let report = self.manager.tick(dt);
        self.naive.begin_frame(report.frame);
        let kept = self
            .naive
            .entries
            .iter()
            .filter(|entry| !entry.gone)
            .count();
        let there = Arc::strong_count(&self.census) - 1;
        // Others wait for a pass.
        assert!(there == kept || there > kept && self.in_passes.is_some());
        let changes = self.random.below(3);
        for _ in 0..changes {
            self.change();
        }
        self.busy ^= self.random.one_in(8);
        let many = if self.busy { 160 } else { 12 };
        let letters = self.random.below(many);
        for _ in 0..letters {
            self.publish(limit);
            if self.random.one_in(20) {
                self.change();
            }
            if self.random.one_in(8) {
                self.read();
            }
        }
        for _ in 0..self.random.below(12) {
            self.read();
        }
    }
}

/// Runs `blind` frames in which everything is boxed, then `frames` random ones. Returns how many messages
/// were found, and how many were refused.
fn run(seed: u64, limit: u32, blind: usize, frames: usize) -> (usize, usize) {
    let mut run = Run::new(seed, limit);
    let log = Log::default();
    for _ in 0..6 {
        let id = run.manager.spawn((Actor::new("actor", &log),));
        run.ids.push(id);
    }
    for frame in 0..blind + frames {
        run.blind = frame < blind;
        run.frame(limit);
    }
    drop(run.manager);
    if let Some(in_passes) = run.in_passes {
        let in_passes: Vec<u64> = in_passes.iter().collect();
        assert!(in_passes.is_sorted_by(|one, next| one < next));
        assert!(frames < 100 || in_passes.len() > 100);
    }
    assert_eq!(Arc::strong_count(&run.census), 1);
    (run.found, run.refused)
}

// holds: mail.next-frame, mail.chosen, mail.to-id, mail.to-mnemonic, mail.to-many, mail.reaching, mail.inbox-any,
// mail.boxed, mail.read-alike, mail.errors, mail.stays, mail.retention, mail.cursor, mail.dropped-once, mail.fixed-once
#[test]
fn whatever_is_read_of_random_mail_is_what_a_list_of_everything_holds() {
    for seed in [1, 0x9E37_79B9, 4711] {
        let (found, _) = run(seed, 1 << 24, 0, 500);
        assert!(found > 10_000, "{found}");
    }
}

// holds: mail.full
#[test]
fn so_it_is_when_little_may_be_published_in_a_frame() {
    let (found, refused) = run(77, 9, 0, 600);
    assert!(found > 1000 && refused > 1000, "{found}, {refused}");
}

// holds: mail.boxed
#[test]
fn so_it_is_when_the_types_are_used_only_after_much_was_published_in_boxes() {
    let (mut found, mut refused) = (0, 0);
    for seed in 1..400 {
        let limit = if seed % 4 == 0 { 9 } else { 1 << 24 };
        let blind = usize::try_from(seed % 7).expect("it is small");
        let counts = run(seed * 0x9E37_79B9, limit, blind, 4);
        found += counts.0;
        refused += counts.1;
    }
    assert!(found > 10_000 && refused > 1000, "{found}, {refused}");
}
