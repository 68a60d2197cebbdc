//! Random programs that are saved in the middle: the manager that continues and the restored one have
//! the same contents after every frame, down to each byte of their saves.
//!
//! Everything a program does depends on the state of its components, which draw their own lots.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use message_core::Recipient::{EveryoneElse, Me};
use message_core::lifecycle::DeadLetter;
use message_core::prelude::*;
use message_core::{Children, Group, Mnemonic, Posts, Ticket};
use message_data::{self as data, Data, SyncTest, Wire, WireTarget};
use serde::{Deserialize, Serialize};

use crate::saves::{restored, saved};
use crate::values::Lottery;

mnemonic!(ONE, TWO);
group!(REDS, BLUES);
tag!(HOT, COLD);

const POPULATION: usize = 30;

/// Does something at random with each message that it receives.
#[derive(Data, Serialize, Deserialize, Default, Debug)]
#[data(name = "programs.Actor")]
#[serde(default)]
struct Actor {
    seed: u64,
    /// Changes with all that it sees.
    log: u64,
    known: Vec<MessageeId>,
    hooks: Vec<HookId>,
    tickets: Vec<Ticket>,
}

/// Stored packed, since it never sends.
#[derive(Data, Serialize, Deserialize, Default, Debug)]
#[data(name = "programs.Counter")]
#[serde(default)]
struct Counter {
    sum: u64,
}

/// Has no handlers.
#[derive(Data, Serialize, Deserialize, Default, Debug)]
#[data(name = "programs.Ballast")]
#[serde(default)]
struct Ballast(Option<HookId>);

#[derive(Message, Data, Serialize, Deserialize, Debug, Clone)]
#[data(name = "programs.Act", exact)]
struct Act {
    left: u32,
    about: Option<MessageeId>,
}

#[derive(Message, Data, Serialize, Deserialize, Debug, Clone)]
#[data(name = "programs.Count")]
struct Count(u64);

#[handlers]
impl Counter {
    #[on_receive]
    fn count(&mut self, count: &Count) {
        self.sum = self.sum.wrapping_mul(31).wrapping_add(count.0);
    }
}

#[handlers]
impl Actor {
    #[on_receive]
    fn act(&mut self, act: &Act, cx: &mut Context<'_>) {
        self.see(&[u64::from(act.left), nanoseconds(cx), cx.clock().frame()]);
        self.know(act.about);
        self.know(cx.sender().id());
        let posted = cx.envelope().posted;
        self.see(&[posted.time.as_secs(), posted.frame]);
        if act.left > 0 {
            for _ in 0..=self.below(2) {
                self.step(act.left - 1, cx);
            }
        }
    }

    #[on_receive]
    fn count(&mut self, count: &Count, cx: &mut Context<'_>) {
        self.see(&[count.0, nanoseconds(cx)]);
    }

    #[on_receive]
    fn mourn(&mut self, letter: &DeadLetter) {
        self.see(&[letter.name.len() as u64, letter.wanted as u64]);
        self.know(letter.envelope.sender.id());
    }
}

fn nanoseconds(cx: &Context<'_>) -> u64 {
    u64::try_from(cx.clock().now().as_nanos()).expect("the clock is young")
}

impl Actor {
    fn new(seed: u64) -> Self {
        Self {
            seed,
            ..Self::default()
        }
    }

    fn see(&mut self, numbers: &[u64]) {
        for number in numbers {
            self.log = self.log.rotate_left(7).wrapping_mul(0x9e37_79b9) ^ number;
        }
    }

    fn know(&mut self, id: Option<MessageeId>) {
        if self.known.len() < 8 {
            self.known.extend(id);
        } else if let Some(id) = id {
            let at = self.below(8);
            self.known[at] = id;
        }
    }

    fn below(&mut self, end: usize) -> usize {
        let mut lottery = Lottery(self.seed);
        let drawn = lottery.below(end as u64);
        self.seed = lottery.0 ^ self.log;
        usize::try_from(drawn).expect("it is below")
    }

    fn any(&mut self, cx: &Context<'_>) -> MessageeId {
        match self.known.len() {
            0 => cx.me(),
            len => {
                let at = self.below(len);
                self.known[at]
            }
        }
    }

    fn group(&mut self) -> Group {
        [REDS, BLUES][self.below(2)]
    }

    fn mnemonic(&mut self) -> Mnemonic {
        [ONE, TWO][self.below(2)]
    }

    fn recipient(&mut self, cx: &Context<'_>) -> Recipient {
        let id = self.any(cx);
        match self.below(12) {
            0 => Everyone,
            1 => EveryoneElse,
            2 => Me,
            3 => self.group().into(),
            4 => self.mnemonic().into(),
            5 => Up(id),
            6 => Down(self.mnemonic()),
            7 => self.hooks.last().map_or(id.into(), |&hook| hook.into()),
            _ => id.into(),
        }
    }

    fn message(&mut self, left: u32, cx: &Context<'_>) -> Act {
        let about = Some(self.any(cx));
        Act { left, about }
    }

    /// Does one random thing. If it is refused, it is refused on both sides.
    fn step(&mut self, left: u32, cx: &mut Context<'_>) {
        let id = self.any(cx);
        let choice = self.below(22);
        let fine = match choice {
            0 | 1 if cx.len() < POPULATION => {
                let seed = self.seed.rotate_left(9);
                let born = match self.below(3) {
                    0 => cx.spawn((Actor::new(seed), Counter::default())),
                    1 => cx.spawn((Counter::default(), Actor::new(seed), Ballast::default())),
                    _ => cx.spawn_named(format!("born {}", seed % 9), (Actor::new(seed),)),
                };
                self.know(Some(born));
                true
            }
            2 => self.hook(id, cx),
            3 => {
                let hook = self.hooks.pop();
                hook.is_some_and(|hook| cx.unhook(hook).is_ok())
            }
            4 if cx.len() > POPULATION / 2 => {
                let children = [Children::Follow, Children::Reparent][self.below(2)];
                cx.despawn_with(id, children).is_ok()
            }
            5..=8 => self.post(left, cx),
            9 => {
                let to = self.recipient(cx);
                let message = self.message(left, cx);
                cx.publish(to, message).is_ok()
            }
            10 | 11 => {
                let to = self.recipient(cx);
                let sum = Count(self.log % 1000);
                cx.send(to, sum).is_ok()
            }
            12 => {
                let to = self.any(cx);
                let message = self.message(left.min(1), cx);
                cx.send(to, message).is_ok()
            }
            13 => {
                let on = self.below(3) > 0;
                let hook = self.hooks.first().copied();
                hook.is_some_and(|hook| cx.set_enabled(hook, on).is_ok())
            }
            14 => {
                let mnemonic = self.mnemonic();
                cx.bind(mnemonic, id)
                    .or_else(|_| cx.unbind(mnemonic, id))
                    .is_ok()
            }
            15 => {
                let group = self.group();
                if self.below(3) > 0 {
                    cx.join(group, id).is_ok()
                } else {
                    cx.leave(group, id).is_ok()
                }
            }
            16 => {
                let parent = self.any(cx);
                let parent = Some(parent).filter(|_| self.below(4) > 0);
                cx.set_parent(id, parent).is_ok()
            }
            17 => {
                let ticket = self.tickets.pop();
                ticket.is_some_and(|ticket| cx.cancel(ticket) == 1)
            }
            18 => cx.cancel("beat") > 0,
            19 => self.read(cx),
            20 => self.overhear(cx),
            _ => cx.set_name(id, format!("name {}", self.log % 5)).is_ok(),
        };
        self.see(&[choice as u64, u64::from(fine)]);
    }

    fn hook(&mut self, id: MessageeId, cx: &mut Context<'_>) -> bool {
        let seed = self.seed.rotate_left(21);
        let hook = match self.below(4) {
            0 => cx.hook(id, Actor::new(seed)),
            1 => cx.hook(id, Ballast(self.hooks.last().copied())),
            _ => cx.hook(id, Counter::default()),
        };
        self.hooks.extend(hook.iter());
        hook.is_ok()
    }

    fn post(&mut self, left: u32, cx: &mut Context<'_>) -> bool {
        let to = self.recipient(cx);
        let mut header = Header::to(to);
        let milliseconds = Duration::from_millis(self.below(60) as u64);
        header = match self.below(6) {
            0 => header.stage(Stage::WAITING[self.below(4)]),
            1 => header.after(milliseconds),
            2 => header.after(milliseconds).unscaled(),
            3 => header.after_frames(self.below(4) as u64),
            4 => header
                .every(milliseconds + Duration::from_millis(5))
                .times(1 + self.below(4) as u64),
            _ => header.every_frames(1 + self.below(3) as u64).times(3),
        };
        header = match self.below(8) {
            0 => header.key("beat"),
            1 => header.tied_to_sender(),
            2 => header.if_alive(),
            3 => header.require(1),
            4 => header.tags(HOT),
            5 => header.tags(HOT | COLD),
            _ => header,
        };
        if self.below(5) == 0 {
            header = header.retain();
        }
        let message = self.message(left, cx);
        let posted = cx.post(header, message);
        self.tickets.extend(posted.iter());
        self.tickets.truncate(6);
        posted.is_ok()
    }

    fn read(&mut self, cx: &mut Context<'_>) -> bool {
        let mut seen = Vec::new();
        for mail in cx.inbox::<Act>() {
            seen.push(u64::from(mail.left));
            seen.push(mail.published().frame);
        }
        let own = cx.inbox_any().to(cx.me()).iter().count();
        seen.push(own as u64);
        self.see(&seen);
        own > 0
    }

    fn overhear(&mut self, cx: &mut Context<'_>) -> bool {
        let me = cx.me();
        let from = self.any(cx);
        let done = match self.below(6) {
            0 => cx.overhear(me, Filter::of::<Count>().from(from)),
            1 => cx.overhear(me, Filter::of::<Act>().tagged(COLD).once()),
            2 => cx.overhear(me, Filter::all().to(from).once().stage(Stage::LateUpdate)),
            3 => cx.overhear(
                me,
                Filter::of::<Count>().once().hidden().stage(Stage::Update),
            ),
            _ => return false,
        };
        done.is_ok()
    }
}

/// Makes the inputs that come from outside before a frame; equal lotteries give equal inputs.
fn inputs(manager: &mut MessageManager, lottery: &mut Lottery) {
    if manager.len() < 6 {
        for _ in 0..6 {
            manager.spawn((Actor::new(lottery.draw()), Counter::default()));
        }
    }
    for _ in 0..=lottery.below(3) {
        let left = 1 + u32::try_from(lottery.below(3)).expect("it is below");
        let to = match lottery.below(4) {
            0 => Everyone,
            1 => ONE.into(),
            _ => {
                let at = usize::try_from(lottery.below(manager.len() as u64)).expect("it is below");
                manager.messagees().nth(at).map_or(Everyone, Recipient::Id)
            }
        };
        let act = Act { left, about: None };
        let _ = match lottery.below(3) {
            0 => manager.post(Header::to(to).after_frames(1), act).map(drop),
            1 => manager.publish(to, act),
            _ => manager.send(to, act).map(drop),
        };
    }
    if lottery.below(5) == 0 {
        let at = usize::try_from(lottery.below(manager.len() as u64)).expect("it is below");
        let from = manager.messagees().nth(at).expect("it is below");
        let act = Act {
            left: 1,
            about: Some(from),
        };
        let wire = match lottery.below(4) {
            0 => Wire::on::<Count>(from).send(ONE, act).times(2),
            1 => Wire::on::<Act>(from).send("name*", act).times(3),
            2 => Wire::on::<Count>(from)
                .send(REDS, Count(3))
                .header(|it| it.after(Duration::from_millis(30)).key("reds").keep_phase()),
            _ => Wire::on::<Count>(from)
                .send(WireTarget::Activator, act)
                .header(|it| it.stage(Stage::LateUpdate)),
        };
        data::add_wire(manager, wire).expect("it is allowed");
    }
    match lottery.below(12) {
        0 => manager.set_paused(lottery.below(2) == 0),
        1 => manager
            .set_time_scale(
                [0.5, 1.0, 1.7][usize::try_from(lottery.below(3)).expect("it is below")],
            )
            .expect("it is one"),
        _ => {}
    }
}

/// Runs one frame with its inputs from outside; equal lotteries give equal frames.
fn frame(manager: &mut MessageManager, lottery: &mut Lottery) {
    inputs(manager, lottery);
    let nanoseconds = 1_000_000 + lottery.below(40_000_000);
    if lottery.below(4) > 0 {
        manager.tick(Duration::from_nanos(nanoseconds));
        return;
    }
    // Only some of the stages.
    manager.begin_frame(Duration::from_nanos(nanoseconds));
    for stage in Stage::WAITING {
        if lottery.below(3) > 0 {
            manager.run_stage(stage);
        }
    }
}

fn run(seed: u64, frames: u32) -> (u64, u64) {
    let config = ManagerConfig::new().report_to(message_core::report::ReportTo::Nobody);
    let mut manager = MessageManager::with_config(config.clone());
    let mut lottery = Lottery(seed);
    let (mut other, mut saves, mut pending) = (None::<MessageManager>, 0, 0);
    for at in 0..frames {
        if at % 7 == 3 {
            let bytes = saved(&mut manager);
            let twin = data::restore(&bytes, config.clone()).expect("it can be restored");
            assert_eq!(twin.notes, []);
            other = Some(twin.manager);
            saves += 1;
        }
        if let Some(other) = &mut other {
            frame(other, &mut Lottery(lottery.0));
        }
        frame(&mut manager, &mut lottery);
        pending += manager.pending_posts(Posts::all()).len() as u64;
        if let Some(other) = &mut other {
            assert_eq!(other.clock(), manager.clock(), "seed {seed}, frame {at}");
            assert_eq!(data::wires(other).len(), data::wires(&manager).len());
            assert_eq!(
                other.inspect().failure_count(),
                manager.inspect().failure_count(),
                "seed {seed}, frame {at}"
            );
            let same = saved(other) == saved(&mut manager);
            assert!(same, "seed {seed}: the managers differ after frame {at}");
        }
    }
    (saves, pending)
}

// holds: saves.goes-on, saves.saved
#[test]
fn programs_that_are_saved_in_the_middle_run_on_as_if_they_were_not() {
    let (mut saves, mut pending) = (0, 0);
    for seed in 0..60 {
        let (own, posts) = run(seed, 45);
        (saves, pending) = (saves + own, pending + posts);
    }
    assert!(
        saves > 300 && pending > 10_000,
        "{saves} saves, {pending} pending"
    );
}

/// Three managers each: two that are made alike, and one that is restored in the middle. Their digests
/// are compared after every frame.
// holds: logs.same-inputs, saves.goes-on
#[test]
fn random_programs_pass_the_sync_test() {
    const FRAMES: u64 = 12;
    let actors = Rc::new(Cell::new(0));
    for seed in 0..64 {
        let seen = Rc::clone(&actors);
        SyncTest::new(|| {
            let config = ManagerConfig::new().report_to(message_core::report::ReportTo::Nobody);
            MessageManager::with_config(config)
        })
        .step(move |manager, frame| {
            let mut lottery = Lottery(seed * FRAMES + frame);
            inputs(manager, &mut lottery);
            if frame == FRAMES - 1 {
                let logs = manager.iter::<Actor>().filter(|(_, actor)| actor.log != 0);
                seen.set(seen.get() + logs.count());
            }
        })
        .dt(Duration::from_millis(7 + seed))
        .assert_deterministic(FRAMES);
    }
    assert!(
        actors.get() > 64 * 3 * 8,
        "{} have done something",
        actors.get()
    );
}

// holds: saves.save-of-restored
#[test]
fn a_save_of_a_restored_program_is_the_same_save() {
    let mut manager = MessageManager::new();
    let mut lottery = Lottery(5);
    for _ in 0..30 {
        frame(&mut manager, &mut lottery);
        let bytes = saved(&mut manager);
        assert!(saved(&mut restored(&bytes)) == bytes);
    }
}
