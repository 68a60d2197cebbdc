//! W5: a header for each delay, a recipient for each message, and a tick for each frame.

use std::time::Duration;

use message_core::post::HeaderBuilder;
use message_core::prelude::*;

use crate::compare::{Size, Trial};
use crate::work::{self, Checksum, Health, Shot, small};

/// How long a frame is.
const FRAME: Duration = Duration::from_millis(16);

#[handlers]
impl Health {
    #[on_receive]
    fn on_shot(&mut self, shot: &Shot) {
        self.hurt(shot.damage());
    }
}

struct Schedule {
    manager: MessageManager,
    ids: Vec<MessageeId>,
    /// Who is hit, and in how many frames.
    shots: Vec<(MessageeId, u32)>,
    /// By delay.
    headers: Vec<Header>,
    frames: usize,
}

impl Schedule {
    fn new(size: Size, delayed: impl Fn(HeaderBuilder, u32) -> HeaderBuilder) -> Self {
        let mut manager = MessageManager::new();
        let spawn = |seed| manager.spawn((Health::new(seed),));
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
        }
    }

    /// Lets the frames go by, and tells how many messages were delivered.
    fn deliver(&mut self) -> usize {
        let frame = |_| self.manager.tick(FRAME).delivered;
        (0..self.frames).map(frame).sum()
    }

    fn checksum(&self) -> u64 {
        let mut sum = Checksum::new();
        for (number, &id) in self.ids.iter().enumerate() {
            let health = self.manager.get::<Health>(id);
            sum.add(number, &*health.expect("it was spawned with one"));
        }
        sum.value()
    }
}

struct Posts(Schedule);

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    let by_frames = |header: HeaderBuilder, delay| header.after_frames(u64::from(delay));
    Box::new(Posts(Schedule::new(size, by_frames)))
}

/// The delays are in time, each within another frame.
pub(super) fn prepare_by_time(size: Size) -> Box<dyn Trial> {
    let by_time = |header: HeaderBuilder, delay: u32| {
        let within = Duration::from_micros(u64::from(delay) * 7_919 % 16_000);
        header.after(FRAME * delay.saturating_sub(1) + within)
    };
    Box::new(Posts(Schedule::new(size, by_time)))
}

impl Trial for Posts {
    fn run(&mut self) {
        let it = &mut self.0;
        for (number, &(at, delay)) in (0..).zip(&it.shots) {
            let header = &it.headers[delay as usize];
            let posted = it.manager.post_to(at, header, Shot::new(number));
            posted.expect("everyone is alive");
        }
        assert_eq!(it.deliver(), it.shots.len());
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
    let by_frames = |header: HeaderBuilder, delay| header.after_frames(u64::from(delay));
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
