//! Random life for as many frames as one likes: spawning, dying, families, groups, mnemonics, names, sends,
//! posts, delays, keys, cancels, subscriptions, overhearing, mail, other threads, failures and panics under
//! `Unhook`, saves and restores. At each check, every single posted message must be accounted for.

mod account;
mod cast;
mod lottery;
mod radio;

use std::time::Duration;

use message_core::Recipient::EveryoneElse;
use message_core::lifecycle::DeadLetter;
use message_core::post::HeaderBuilder;
use message_core::prelude::*;
use message_core::report::ReportTo;
use message_core::{AnyMessage, PanicPolicy, PostKey, SubscriptionId};
use message_data::{self as data, SaveOptions};

use account::{CALL, KINDS, LETTER, NAMES, POKE, PULSE, RADIO, SHOUT, count};
use cast::{
    Body, Call, Deed, GROUPS, Letter, MNEMONICS, Mind, News, Order, Poke, Pulse, Radio, Shout,
    Token, Touch,
};
use lottery::Lottery;
use radio::Station;

/// The approximate number of messagees.
pub(crate) const CROWD: usize = 200;
/// The maximum number of subscriptions, not including those that count.
const LISTENERS: usize = 40;
/// Frames from one check of the accounts to the next.
const CHECKED: u64 = 10;
/// Frames from one save and restore to the next.
const SAVED: u64 = 400;

const CONFIG: ManagerConfig = ManagerConfig::new()
    .panic_policy(PanicPolicy::Unhook)
    .report_to(ReportTo::Nobody);

const KEYS: [&str; 4] = ["a", "b", "c", "d"];

/// A world, and everything that acts on it.
pub(crate) struct Life {
    manager: MessageManager,
    lottery: Lottery,
    ids: Vec<MessageeId>,
    tickets: Vec<Ticket>,
    listeners: Vec<SubscriptionId>,
    station: Station,
    /// The number of messages expected in the mailbox of news.
    news: u64,
    sum: Sum,
}

/// The totals of a run.
#[derive(Debug, Default, Clone)]
pub(crate) struct Sum {
    pub(crate) frames: u64,
    pub(crate) saves: u64,
    pub(crate) save_bytes: u64,
    pub(crate) failures: u64,
    pub(crate) dead_letters: u64,
    pub(crate) spawned: u64,
    pub(crate) despawned: u64,
    pub(crate) news: u64,
    pub(crate) touches: u64,
    pub(crate) most_pending: usize,
}

/// The fate of one kind of message.
#[derive(Debug)]
#[allow(dead_code, reason = "they are printed")]
pub(crate) struct Fate {
    pub(crate) kind: &'static str,
    pub(crate) posted: i64,
    pub(crate) delivered: i64,
    pub(crate) cancelled: i64,
    pub(crate) dead: i64,
    pub(crate) passed_over: i64,
    pub(crate) pending: i64,
}

impl Life {
    pub(crate) fn new(seed: u64) -> Self {
        silence();
        let mut life = Self {
            manager: MessageManager::with_config(CONFIG),
            lottery: Lottery::new(seed),
            ids: Vec::new(),
            tickets: Vec::new(),
            listeners: Vec::new(),
            station: Station::new(),
            news: 0,
            sum: Sum::default(),
        };
        life.listen();
        life
    }

    pub(crate) fn sum(&self) -> &Sum {
        &self.sum
    }

    /// Runs one frame.
    pub(crate) fn frame(&mut self) {
        self.sum.frames += 1;
        self.ids.clear();
        self.ids.extend(self.manager.messagees());
        for _ in 0..self.lottery.below(24) {
            self.act();
        }
        if self.sum.frames.is_multiple_of(4) {
            self.station
                .begin(&self.manager, &self.ids, self.lottery.next());
        }
        self.tick();
        if self.sum.frames.is_multiple_of(CHECKED) {
            self.check();
        }
        if self.sum.frames.is_multiple_of(SAVED) {
            self.save_and_restore();
        }
    }

    /// Returns the fates of everything posted, once the other threads have stopped.
    pub(crate) fn fates(&mut self) -> Vec<Fate> {
        self.quiet();
        let pending = self.check();
        let fate = |kind: usize| {
            let [posted, delivered, cancelled, dead] = account::row(kind);
            Fate {
                kind: NAMES[kind],
                posted,
                delivered,
                cancelled,
                dead,
                passed_over: account::passed_over(kind),
                pending: pending[kind],
            }
        };
        (0..KINDS).map(fate).collect()
    }

    /// Ends the world. Nothing that was posted exists any more.
    pub(crate) fn end(mut self) {
        self.quiet();
        let Self { manager, .. } = self;
        drop(manager);
        for (kind, name) in NAMES.into_iter().enumerate() {
            assert_eq!(account::get(kind, |it| &it.alive), 0, "{name} are left");
        }
    }

    fn tick(&mut self) {
        let dt = match self.lottery.below(50) {
            0 => Duration::ZERO,
            1 => Duration::from_millis(300),
            _ => Duration::from_micros(10_000 + self.lottery.below(12_000) as u64),
        };
        self.news += account::take_published();
        assert_eq!(
            self.manager.published::<News>().iter().count() as u64,
            self.news
        );
        let report = self.manager.tick(dt);
        assert_eq!(
            self.manager.inbox::<News>().iter().count() as u64,
            self.news,
            "what was published is found"
        );
        self.sum.news += self.news;
        // The messages that handlers have published in this frame.
        self.news = account::take_published();
        self.sum.failures += report.failures;
        self.sum.dead_letters += report.dead_letters;
        self.sum.most_pending = self
            .sum
            .most_pending
            .max(self.manager.inspect().pending_len());
    }

    /// Takes in all that other threads have posted.
    fn quiet(&mut self) {
        self.station.end();
        self.tick();
    }

    /// Compares the accounts, and returns the pending counts.
    fn check(&mut self) -> [i64; KINDS] {
        // While another thread posts, it has counted what the inlet still has.
        self.station.end();
        let waiting = self.manager.inlet().len();
        let mut pending = [0; KINDS];
        for post in self.manager.pending_posts(Posts::all()) {
            if let Some(kind) = kind_of(post.message) {
                pending[kind] += deliveries(post.deliveries);
            }
        }
        pending[RADIO] += i64::try_from(waiting).expect("few");
        account::check(pending, self.sum.frames);
        pending
    }

    fn listen(&mut self) {
        self.manager
            .subscribe(Filter::of::<DeadLetter>().hidden(), |letter, _| {
                bury(letter);
            });
        self.manager
            .subscribe(Filter::of::<Pulse>().hidden().before(), |pulse, _| {
                count(PULSE, |it| &it.delivered, 1);
                pulse.left -= 1;
                pulse.token.mark();
            });
        self.manager
            .subscribe(Filter::of::<Shout>().hidden().before(), |shout, _| {
                count(SHOUT, |it| &it.delivered, 1);
                shout.token.mark();
            });
    }

    fn save_and_restore(&mut self) {
        self.quiet();
        let pending = self.check();
        let dropped = account::dropped();
        let bytes = data::save(&mut self.manager, &SaveOptions::new()).expect("all of it is data");
        let restored = data::restore(&bytes, CONFIG).expect("it was saved");
        assert!(restored.notes.is_empty(), "{:?}", restored.notes);
        let again = { restored.manager };
        drop(std::mem::replace(&mut self.manager, again));
        // The values of the manager that was saved, and have been read again.
        let gone = account::dropped();
        for kind in (0..KINDS).filter(|kind| *kind != PULSE) {
            assert_eq!(
                gone[kind] - dropped[kind],
                pending[kind],
                "{} are dropped with a manager",
                NAMES[kind]
            );
        }
        account::set_dropped(dropped);
        self.sum.saves += 1;
        self.sum.save_bytes = bytes.len() as u64;
        let tickets = self.manager.pending_posts(Posts::all());
        self.tickets.clear();
        self.tickets
            .extend(tickets.iter().map(|post| post.ticket).take(50));
        self.listeners.clear();
        self.listen();
        let again = self.check();
        assert_eq!(again, pending, "what is pending is restored");
    }

    fn somebody(&mut self) -> MessageeId {
        match self.lottery.of(&self.ids) {
            // Often alive; some have died since the frame began.
            Some(id) => id,
            None => self.spawn(),
        }
    }

    fn spawn(&mut self) -> MessageeId {
        let id = match self.lottery.below(3) {
            0 => self.manager.spawn((Body::default(),)),
            1 => self.manager.spawn_named("guest", (Mind::default(),)),
            _ => self.manager.spawn((Mind::default(), Body::default())),
        };
        self.sum.spawned += 1;
        self.ids.push(id);
        id
    }

    fn act(&mut self) {
        match self.lottery.below(22) {
            0 | 1 if self.manager.len() < CROWD => drop(self.spawn()),
            0..=2 if self.manager.len() >= CROWD / 2 => {
                let id = self.somebody();
                self.sum.despawned += u64::from(self.manager.despawn(id).is_ok());
            }
            3..=6 => self.post_letter(),
            7 => self.post_pulse(),
            8 | 9 => self.post_shout(),
            10 => self.post_call(),
            11 | 12 => self.post_poke(),
            13 => self.cancel(),
            14 => self.take(),
            15 => self.subscribe(),
            16 => self.address(),
            17 => self.components(),
            18 => {
                let to = self.somebody();
                if self.manager.publish(to, News(self.sum.frames)).is_ok() {
                    account::published();
                }
            }
            19 | 20 => {
                let (to, about) = (self.somebody(), self.somebody());
                let order = Order {
                    seed: self.lottery.next(),
                    depth: 4,
                    about,
                };
                let _ = self.manager.send(to, order);
            }
            _ => {
                let to = self.somebody();
                let before = account::touches();
                let received = self
                    .manager
                    .send(to, Touch)
                    .map_or(0, |it| u64::from(it.received));
                assert_eq!(account::touches() - before, received);
                self.sum.touches += received;
            }
        }
    }

    /// Returns the kind and the remaining deliveries of the post that this key replaces, and so cancels.
    fn replaced(&mut self, key: PostKey) -> Option<(usize, i64)> {
        let posts = self.manager.pending_posts(key);
        let post = posts.first()?;
        Some((
            kind_of(post.message).expect("it has a kind"),
            deliveries(post.deliveries),
        ))
    }

    fn delayed(&mut self, to: impl Into<Recipient>) -> HeaderBuilder {
        let header = Header::to(to);
        let stages = [
            Stage::Update,
            Stage::LateUpdate,
            Stage::EndOfFrame,
            Stage::FixedUpdate,
        ];
        let header = header.stage(stages[self.lottery.below(4)]);
        match self.lottery.below(4) {
            0 => header,
            1 => header.after_frames(self.lottery.below(150) as u64),
            2 => header.after(Duration::from_millis(self.lottery.below(2500) as u64)),
            _ => header
                .after(Duration::from_millis(self.lottery.below(2500) as u64))
                .unscaled(),
        }
    }

    fn post_letter(&mut self) {
        let (to, sender) = (self.somebody(), self.somebody());
        let deed = match self.lottery.below(300) {
            0 => Deed::Panic,
            1..10 => Deed::Fail,
            _ => Deed::Nothing,
        };
        let letter = Letter {
            token: Token::new(),
            deed,
        };
        let mut header = self.delayed(to).require(1);
        let key = self.lottery.one_in(5).then(|| KEYS[self.lottery.below(4)]);
        if let Some(key) = key {
            header = header.key(key);
        }
        let from_outside = self.lottery.one_in(3);
        let replaced = key.and_then(|key| {
            let key = PostKey::from(key);
            self.replaced(if from_outside { key } else { key.of(sender) })
        });
        let posted = if from_outside {
            Some(self.manager.post(header, letter))
        } else if self.lottery.one_in(2) {
            let speaker = self.manager.speak_for(sender).ok();
            speaker.map(|mut speaker| speaker.post(header.tied_to_sender(), letter))
        } else {
            let speaker = self.manager.speak_for(sender).ok();
            speaker.map(|mut speaker| speaker.post(header, letter))
        };
        let posted = posted.and_then(Result::ok);
        self.note(LETTER, 1, posted, replaced);
    }

    /// Counts a post, and the one it has replaced.
    fn note(
        &mut self,
        kind: usize,
        times: i64,
        posted: Option<Ticket>,
        replaced: Option<(usize, i64)>,
    ) {
        account::refused(kind, posted.is_none());
        let Some(ticket) = posted else { return };
        count(kind, |it| &it.posted, times);
        if let Some((other, deliveries)) = replaced {
            count(other, |it| &it.cancelled, deliveries);
        }
        if self.tickets.len() < 50 {
            self.tickets.push(ticket);
        } else {
            let at = self.lottery.below(50);
            self.tickets[at] = ticket;
        }
    }

    fn post_pulse(&mut self) {
        let to = self.somebody();
        let times = 1 + self.lottery.below(12) as u64;
        let pulse = Pulse {
            token: Token::new(),
            left: times,
        };
        let header = Header::to(to).times(times);
        let header = match self.lottery.below(3) {
            0 => header.every_frames(1 + self.lottery.below(6) as u64),
            1 => header.every(Duration::from_millis(1 + self.lottery.below(80) as u64)),
            _ => header.every_pass().stage(Stage::FixedUpdate),
        };
        let posted = self.manager.post(header, pulse).ok();
        self.note(PULSE, i64::try_from(times).expect("few"), posted, None);
    }

    fn post_shout(&mut self) {
        let (near, sender) = (self.somebody(), self.somebody());
        let shout = Shout {
            token: Token::new(),
            text: "x".repeat(self.lottery.below(40)),
        };
        let to = match self.lottery.below(6) {
            0 => Everyone,
            1 => EveryoneElse,
            2 => Up(near),
            3 => Down(near),
            _ => GROUPS[self.lottery.below(3)].into(),
        };
        let mut header = self.delayed(to);
        if self.lottery.one_in(8) {
            header = header.retain();
        }
        let speaker = self.manager.speak_for(sender).ok();
        let posted = speaker.map(|mut speaker| speaker.post(header, shout));
        self.note(SHOUT, 1, posted.and_then(Result::ok), None);
    }

    fn post_call(&mut self) {
        let to = MNEMONICS[self.lottery.below(4)];
        let header = self.delayed(to).require(1);
        let posted = self
            .manager
            .post(
                header,
                Call {
                    token: Token::new(),
                },
            )
            .ok();
        self.note(CALL, 1, posted, None);
    }

    fn post_poke(&mut self) {
        let (to, sender) = (self.somebody(), self.somebody());
        // A message to a messagee that is gone is no dead letter; one to a messagee without a body is.
        let header = self.delayed(to).if_alive().tied_to_sender().require(1);
        let poke = Poke {
            token: Token::new(),
        };
        let speaker = self.manager.speak_for(sender).ok();
        let posted = speaker.map(|mut speaker| speaker.post(header, poke));
        self.note(POKE, 1, posted.and_then(Result::ok), None);
    }

    fn cancel(&mut self) {
        let id = self.somebody();
        let posts: Posts = match self.lottery.below(5) {
            0 => Posts::all().from(id),
            1 => Posts::of::<Letter>().to(id),
            2 => KEYS[self.lottery.below(4)].into(),
            3 => Posts::of::<Pulse>().to(id),
            _ => match self.lottery.of(&self.tickets) {
                Some(ticket) => ticket.into(),
                None => return,
            },
        };
        let chosen = self.manager.pending_posts(posts);
        assert_eq!(self.manager.cancel(posts), chosen.len());
        for post in chosen {
            let kind = kind_of(post.message).expect("it has a kind");
            count(kind, |it| &it.cancelled, deliveries(post.deliveries));
        }
    }

    fn take(&mut self) {
        let id = self.somebody();
        for taken in self.manager.take_posts(Posts::all().to(id)) {
            let kind = kind_of(taken.message.name()).expect("it has a kind");
            let left = taken
                .message
                .downcast_ref::<Pulse>()
                .map_or(1, |pulse| pulse.left);
            count(kind, |it| &it.cancelled, i64::try_from(left).expect("few"));
        }
    }

    fn subscribe(&mut self) {
        if self.listeners.len() >= LISTENERS || self.lottery.one_in(3) {
            if !self.listeners.is_empty() {
                let at = self.lottery.below(self.listeners.len());
                let id = self.listeners.swap_remove(at);
                self.manager.unsubscribe(id);
            }
            return;
        }
        let (owner, other) = (self.somebody(), self.somebody());
        let id = match self.lottery.below(7) {
            0 => Some(self.manager.subscribe(Filter::all().hidden(), |_, _| ())),
            1 => self
                .manager
                .subscribe_for(owner, Filter::of::<Shout>().once(), |_, _| ())
                .ok(),
            2 => Some(
                self.manager
                    .subscribe(Filter::of::<Letter>().to(other).hidden(), |_, _| ()),
            ),
            3 => Some(
                self.manager
                    .subscribe(Filter::of::<Shout>().stage(Stage::LateUpdate), |_, _| ()),
            ),
            4 => self
                .manager
                .overhear(owner, Filter::of::<Shout>().from(other))
                .ok(),
            5 => Some(
                self.manager
                    .subscribe(Filter::of::<Shout>().with_retained(), |_, _| ()),
            ),
            _ => Some(
                self.manager
                    .subscribe(Filter::of::<Radio>().hidden().once(), |_, _| {
                        panic!("soak: a subscriber")
                    }),
            ),
        };
        self.listeners.extend(id);
    }

    fn address(&mut self) {
        let (id, other) = (self.somebody(), self.somebody());
        match self.lottery.below(5) {
            0 => drop(self.manager.set_parent(id, Some(other))),
            1 => drop(self.manager.bind(MNEMONICS[self.lottery.below(4)], id)),
            2 => drop(self.manager.join(GROUPS[self.lottery.below(3)], id)),
            3 => drop(
                self.manager
                    .set_name(id, format!("m{}", self.lottery.below(100))),
            ),
            _ => drop(self.manager.leave(GROUPS[self.lottery.below(3)], id)),
        }
    }

    fn components(&mut self) {
        let id = self.somebody();
        match self.manager.hook_of::<Body>(id) {
            Err(_) => drop(self.manager.hook(id, Body::default())),
            Ok(hook) if self.lottery.one_in(3) => drop(self.manager.unhook::<Body>(hook)),
            Ok(hook) => drop(self.manager.set_enabled(hook, self.lottery.one_in(2))),
        }
    }
}

fn kind_of(name: &str) -> Option<usize> {
    NAMES.iter().position(|kind| *kind == name)
}

fn deliveries(left: Option<u64>) -> i64 {
    i64::try_from(left.expect("each ends")).expect("few")
}

/// Counts a dead letter. If a repeating message's receiver is gone, all its remaining deliveries end with it.
fn bury(letter: &DeadLetter) {
    let Some(kind) = kind_of(letter.name) else {
        return;
    };
    let message: Option<&dyn AnyMessage> = letter.message.as_deref();
    let times = match message {
        Some(message) if kind == PULSE => message.downcast_ref::<Pulse>().map_or(0, |it| it.left),
        _ => 1,
    };
    count(kind, |it| &it.dead, i64::try_from(times).expect("few"));
    let Some(message) = message else { return };
    if let Some(it) = message.downcast_ref::<Letter>() {
        it.token.mark();
    } else if let Some(it) = message.downcast_ref::<Shout>() {
        it.token.mark();
    } else if let Some(it) = message.downcast_ref::<Call>() {
        it.token.mark();
    } else if let Some(it) = message.downcast_ref::<Poke>() {
        it.token.mark();
    } else if let Some(it) = message.downcast_ref::<Radio>() {
        it.token.mark();
    }
}

/// Silences the panics of this program.
fn silence() {
    let printed = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let text = info.payload_as_str().unwrap_or_default();
        if !text.starts_with("soak: ") {
            printed(info);
        }
    }));
}
