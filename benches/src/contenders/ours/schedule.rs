//! W5: a header for each delay, a recipient for each message, and a tick for each frame.

use std::marker::PhantomData;
use std::time::Duration;

use message_core::Component;
use message_core::post::HeaderBuilder;
use message_core::prelude::*;

use super::in_context::Target;
use crate::compare::{Size, Trial};
use crate::work::{
    self, Arrow, Bolt, Checksum, Dart, Flame, Health, Shot, Spear, State, Stone, Word, small,
};

/// The duration of a frame.
const FRAME: Duration = Duration::from_millis(16);

#[handlers]
impl Health {
    #[on_receive]
    fn on_shot(&mut self, shot: &Shot) {
        self.hurt(shot.damage());
    }

    #[on_receive]
    fn on_bolt(&mut self, bolt: &Bolt) {
        self.hurt(bolt.0.damage());
    }

    #[on_receive]
    fn on_stone(&mut self, stone: &Stone) {
        self.hurt(2.0 * stone.0.damage());
    }

    #[on_receive]
    fn on_spear(&mut self, spear: &Spear) {
        self.hurt(3.0 * spear.0.damage());
    }

    #[on_receive]
    fn on_dart(&mut self, dart: &Dart) {
        self.hurt(dart.0.damage());
    }

    #[on_receive]
    fn on_flame(&mut self, flame: &Flame) {
        self.hurt(4.0 * flame.0.damage());
    }
}

/// The second component of W5-two.
struct Armour(Health);

#[handlers]
impl Armour {
    #[on_receive]
    fn on_dart(&mut self, dart: &Dart) {
        self.0.hurt(dart.0.damage());
    }
}

/// Posts to messagees with a [`Health`] each, or with a component that replaces it.
pub(super) struct Schedule<H = Health> {
    pub(super) manager: MessageManager,
    pub(super) ids: Vec<MessageeId>,
    /// The messagee that each shot hits, and in how many frames.
    shots: Vec<(MessageeId, u32)>,
    /// The headers, by delay.
    pub(super) headers: Vec<Header>,
    frames: usize,
    health: PhantomData<H>,
}

impl<H: Component + State + From<Health>> Schedule<H> {
    pub(super) fn new(size: Size, delayed: impl Fn(HeaderBuilder, u32) -> HeaderBuilder) -> Self {
        let mut manager = MessageManager::new();
        let spawn = |seed| manager.spawn((H::from(Health::new(seed)),));
        let ids: Vec<MessageeId> = (0..small(size.objects)).map(spawn).collect();
        let shots = work::shots(size.messages, size.objects, size.frames).into_iter();
        let header = |delay| delayed(Header::to(Everyone), delay).build();
        let headers = (0..=small(size.frames)).map(header);
        Self {
            shots: shots.map(|(at, delay)| (ids[at as usize], delay)).collect(),
            headers: headers
                .collect::<Result<_, _>>()
                .expect("they are complete"),
            manager,
            ids,
            frames: size.frames,
            health: PhantomData,
        }
    }

    /// Runs the frames and returns the number of messages that were delivered.
    pub(super) fn deliver(&mut self) -> usize {
        let frame = |_| self.manager.tick(FRAME).delivered;
        (0..self.frames).map(frame).sum()
    }

    pub(super) fn checksum(&self) -> u64 {
        let mut sum = Checksum::new();
        for (number, &id) in self.ids.iter().enumerate() {
            let health = self.manager.get::<H>(id);
            sum.add(number, &*health.expect("it was spawned with one"));
        }
        sum.value()
    }
}

pub(super) fn by_frames(header: HeaderBuilder, delay: u32) -> HeaderBuilder {
    header.after_frames(u64::from(delay))
}

/// Posts of a single type.
struct Posts<M, H = Health>(Schedule<H>, PhantomData<fn() -> M>);

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    let schedule = Schedule::new(size, by_frames);
    Box::new(Posts::<Shot>(schedule, PhantomData))
}

pub(super) fn prepare_with_context(size: Size) -> Box<dyn Trial> {
    let schedule = Schedule::new(size, by_frames);
    Box::new(Posts::<Arrow, Target>(schedule, PhantomData))
}

pub(super) fn prepare_words(size: Size) -> Box<dyn Trial> {
    let schedule = Schedule::new(size, by_frames);
    Box::new(Posts::<Word, Target>(schedule, PhantomData))
}

/// Prepares posts whose delays are durations, each of which ends within a frame.
pub(super) fn prepare_by_time(size: Size) -> Box<dyn Trial> {
    let by_time = |header: HeaderBuilder, delay: u32| {
        let within = Duration::from_micros(u64::from(delay) * 7_919 % 16_000);
        header.after(FRAME * delay.saturating_sub(1) + within)
    };
    let schedule = Schedule::new(size, by_time);
    Box::new(Posts::<Shot>(schedule, PhantomData))
}

impl<M, H> Trial for Posts<M, H>
where
    M: Message + From<Shot>,
    H: Component + State + From<Health>,
{
    fn run(&mut self) {
        let it = &mut self.0;
        for (number, &(at, delay)) in (0..).zip(&it.shots) {
            let header = &it.headers[delay as usize];
            let message = M::from(Shot::new(number));
            let posted = it.manager.post_to(at, header, message);
            posted.expect("everyone is alive");
        }
        assert_eq!(it.deliver(), it.shots.len());
    }

    fn checksum(&mut self) -> u64 {
        self.0.checksum()
    }
}

pub(super) fn prepare_heard(size: Size) -> Box<dyn Trial> {
    let mut schedule = Schedule::new(size, by_frames);
    let mut heard = 0_u64;
    let filter = Filter::of::<Shot>().hidden();
    schedule.manager.subscribe(filter, move |_, _| {
        heard = std::hint::black_box(heard + 1);
    });
    Box::new(Posts::<Shot>(schedule, PhantomData))
}

pub(super) fn prepare_if_alive(size: Size) -> Box<dyn Trial> {
    let delayed = |header, delay| by_frames(header, delay).if_alive();
    Box::new(Posts::<Shot>(Schedule::new(size, delayed), PhantomData))
}

pub(super) fn prepare_require(size: Size) -> Box<dyn Trial> {
    let delayed = |header, delay| by_frames(header, delay).require(1);
    Box::new(Posts::<Shot>(Schedule::new(size, delayed), PhantomData))
}

/// Posts bound to one sender, which end with it.
struct BoundPosts {
    schedule: Schedule,
    sender: MessageeId,
}

pub(super) fn prepare_bound(size: Size) -> Box<dyn Trial> {
    let delayed = |header, delay| by_frames(header, delay).tied_to_sender();
    let mut schedule = Schedule::new(size, delayed);
    let sender = schedule.manager.spawn(());
    Box::new(BoundPosts { schedule, sender })
}

impl Trial for BoundPosts {
    fn run(&mut self) {
        let it = &mut self.schedule;
        for (number, &(at, delay)) in (0..).zip(&it.shots) {
            let header = &it.headers[delay as usize];
            let sender = it.manager.speak_for(self.sender);
            let mut sender = sender.expect("it is alive");
            let posted = sender.post_to(at, header, Shot::new(number));
            posted.expect("everyone is alive");
        }
        assert_eq!(it.deliver(), it.shots.len());
    }

    fn checksum(&mut self) -> u64 {
        self.schedule.checksum()
    }
}

/// Posts that hit two components of each object.
struct TwicePosts(Schedule);

pub(super) fn prepare_two(size: Size) -> Box<dyn Trial> {
    let mut schedule = Schedule::new(size, by_frames);
    for (seed, &id) in (0..).zip(&schedule.ids) {
        let hooked = schedule.manager.hook(id, Armour(Health::new(seed)));
        hooked.expect("everyone is alive");
    }
    Box::new(TwicePosts(schedule))
}

impl Trial for TwicePosts {
    fn run(&mut self) {
        let it = &mut self.0;
        for (number, &(at, delay)) in (0..).zip(&it.shots) {
            let header = &it.headers[delay as usize];
            let posted = it.manager.post_to(at, header, Dart(Shot::new(number)));
            posted.expect("everyone is alive");
        }
        assert_eq!(it.deliver(), it.shots.len());
    }

    fn checksum(&mut self) -> u64 {
        let mut armours = Checksum::new();
        for (number, &id) in self.0.ids.iter().enumerate() {
            let armour = self.0.manager.get::<Armour>(id);
            armours.add(number, &armour.expect("it was hooked").0);
        }
        self.0.checksum() ^ armours.value().rotate_left(1)
    }
}

/// A few posts in each frame.
struct SparsePosts<const IN_EACH: usize>(Schedule);

pub(super) fn prepare_sparse<const IN_EACH: usize>(size: Size) -> Box<dyn Trial> {
    Box::new(SparsePosts::<IN_EACH>(Schedule::new(size, by_frames)))
}

impl<const IN_EACH: usize> Trial for SparsePosts<IN_EACH> {
    fn run(&mut self) {
        let it = &mut self.0;
        let (mut delivered, mut number) = (0, 0);
        for shots in it.shots.chunks(IN_EACH) {
            for &(at, delay) in shots {
                let header = &it.headers[delay as usize];
                let posted = it.manager.post_to(at, header, Shot::new(number));
                posted.expect("everyone is alive");
                number += 1;
            }
            delivered += it.manager.tick(FRAME).delivered;
        }
        delivered += it.deliver();
        assert_eq!(delivered, it.shots.len());
    }

    fn checksum(&mut self) -> u64 {
        self.0.checksum()
    }
}

struct PostsAndCancels {
    schedule: Schedule,
    tickets: Vec<Ticket>,
}

pub(super) fn prepare_with_cancel(size: Size) -> Box<dyn Trial> {
    Box::new(PostsAndCancels {
        schedule: Schedule::new(size, by_frames),
        tickets: Vec::with_capacity(size.messages),
    })
}

impl Trial for PostsAndCancels {
    fn run(&mut self) {
        let it = &mut self.schedule;
        for (number, &(at, delay)) in (0..).zip(&it.shots) {
            let header = &it.headers[delay as usize];
            let posted = it.manager.post_to(at, header, Shot::new(number));
            self.tickets.push(posted.expect("everyone is alive"));
        }
        for &ticket in self.tickets.iter().step_by(2) {
            assert_eq!(it.manager.cancel(ticket), 1);
        }
        self.tickets.clear();
        assert_eq!(it.deliver(), it.shots.len() / 2);
    }

    fn checksum(&mut self) -> u64 {
        self.schedule.checksum()
    }
}

/// Posts of four types in turn, each by its own sender.
struct MixedPosts {
    schedule: Schedule,
    senders: Vec<MessageeId>,
}

pub(super) fn prepare_mixed(size: Size) -> Box<dyn Trial> {
    let schedule = Schedule::new(size, by_frames);
    let senders = work::senders(size.messages, size.objects).into_iter();
    Box::new(MixedPosts {
        senders: senders.map(|from| schedule.ids[from as usize]).collect(),
        schedule,
    })
}

impl Trial for MixedPosts {
    fn run(&mut self) {
        let it = &mut self.schedule;
        for ((number, &(at, delay)), &from) in (0..).zip(&it.shots).zip(&self.senders) {
            let header = &it.headers[delay as usize];
            let mut from = it.manager.speak_for(from).expect("everyone is alive");
            let shot = Shot::new(number);
            let posted = match number % 4 {
                0 => from.post_to(at, header, Bolt(shot)),
                1 => from.post_to(at, header, Stone(shot)),
                2 => from.post_to(at, header, Spear(shot)),
                _ => from.post_to(at, header, Flame(shot)),
            };
            posted.expect("everyone is alive");
        }
        assert_eq!(it.deliver(), it.shots.len());
    }

    fn checksum(&mut self) -> u64 {
        self.schedule.checksum()
    }
}
