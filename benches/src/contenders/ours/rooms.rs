//! W10: a handler that sends to messagees of another room or of its own, and frames of rooms on one thread or on two.

use message_core::prelude::*;
use message_rooms::{RoomId, Rooms};

use crate::compare::{Size, Trial};
use crate::work::rooms::{EACH, Mind, ROOMS, Sum, checksum, receivers};
use crate::work::walk;

#[derive(Message, Clone)]
struct Ping(u32);

message_rooms::carried!(Ping);

/// The receiver computes.
#[derive(Message)]
struct Compute;

/// The receiver sends a ping to each messagee that it knows.
#[derive(Message)]
struct Go;

#[handlers]
impl Sum {
    #[on_receive]
    fn ping(&mut self, ping: &Ping) {
        self.add(ping.0);
    }
}

#[handlers]
impl Mind {
    #[on_receive]
    fn on_compute(&mut self, _: &Compute) {
        self.compute();
    }
}

struct Sender(Vec<MessageeId>);

#[handlers]
impl Sender {
    #[on_receive]
    fn go(&mut self, _: &Go, cx: &mut Context<'_>) -> Result<(), SendError> {
        for (amount, &known) in (0..).zip(&self.0) {
            cx.send(known, Ping(amount))?;
        }
        Ok(())
    }
}

/// Two rooms, and a sender in the first one.
struct Pair {
    rooms: Rooms,
    here: RoomId,
    /// The room of the receivers.
    there: RoomId,
    receivers: Vec<MessageeId>,
    sender: MessageeId,
    passes: usize,
}

pub(super) fn prepare_between(size: Size) -> Box<dyn Trial> {
    prepare(size, 1)
}

pub(super) fn prepare_inside(size: Size) -> Box<dyn Trial> {
    prepare(size, 0)
}

fn prepare(size: Size, room: usize) -> Box<dyn Trial> {
    let mut rooms = Rooms::new();
    let ids = ["here", "there"].map(|name| add(&mut rooms, name));
    let (here, there) = (ids[0], ids[room]);
    let spawn = |_| rooms.manager_mut(there).spawn((Sum::default(),));
    let receivers: Vec<MessageeId> = (0..size.objects).map(spawn).collect();
    let order = walk(size.objects).into_iter();
    let known = order.map(|at| proxy(&mut rooms, here, there, receivers[at as usize]));
    let known = known.collect();
    Box::new(Pair {
        sender: rooms.manager_mut(here).spawn((Sender(known),)),
        rooms,
        here,
        there,
        receivers,
        passes: size.passes,
    })
}

fn add(rooms: &mut Rooms, name: &str) -> RoomId {
    let added = rooms.add(name, MessageManager::new());
    added.expect("no two rooms have one name")
}

fn proxy(rooms: &mut Rooms, here: RoomId, there: RoomId, id: MessageeId) -> MessageeId {
    let proxy = rooms.proxy(here, there, id);
    proxy.expect("it is alive")
}

impl Trial for Pair {
    fn run(&mut self) {
        for _ in 0..self.passes {
            let sent = self.rooms.manager_mut(self.here).send(self.sender, Go);
            sent.expect("the sender is alive");
            let frame = self.rooms.frame_with(|_, _| ());
            frame.expect("no room panics");
        }
    }

    fn checksum(&mut self) -> u64 {
        let manager = self.rooms.manager(self.there);
        let sums = self.receivers.iter().map(|&id| manager.get::<Sum>(id));
        let sums: Vec<Sum> = sums.map(|sum| *sum.expect("it has a sum")).collect();
        checksum([], &sums)
    }
}

struct Frames {
    rooms: Rooms,
    /// The messagees of each room that send, and those that receive.
    minds: Vec<(RoomId, MessageeId)>,
    sums: Vec<(RoomId, MessageeId)>,
    passes: usize,
}

pub(super) fn prepare_frames<const THREADS: usize>(size: Size) -> Box<dyn Trial> {
    let mut rooms = Rooms::with_threads(THREADS);
    let ids: Vec<RoomId> = (0..ROOMS)
        .map(|room| add(&mut rooms, &room.to_string()))
        .collect();
    let places = || {
        ids.iter()
            .flat_map(|&room| (0..EACH).map(move |at| (room, at)))
    };
    let sums = places().map(|(room, _)| (room, rooms.manager_mut(room).spawn((Sum::default(),))));
    let sums: Vec<(RoomId, MessageeId)> = sums.collect();
    let mut minds = Vec::new();
    for (number, (room, sender)) in places().enumerate() {
        let known = receivers(number / EACH, sender)
            .into_iter()
            .map(|(there, at)| {
                let (there, id) = sums[there * EACH + at];
                proxy(&mut rooms, room, there, id)
            });
        let known = Sender(known.collect());
        let manager = rooms.manager_mut(room);
        minds.push((room, manager.spawn((Mind::new(number), known))));
    }
    Box::new(Frames {
        rooms,
        minds,
        sums,
        passes: size.passes,
    })
}

impl Trial for Frames {
    fn run(&mut self) {
        for _ in 0..self.passes {
            let frame = self.rooms.frame_with(|_, manager| {
                manager.send(Everyone, Compute).expect("nobody fails");
                manager.send(Everyone, Go).expect("nobody fails");
            });
            frame.expect("no room panics");
        }
    }

    fn checksum(&mut self) -> u64 {
        // The messages between rooms of the last frame arrive in the next one.
        let frame = self.rooms.frame_with(|_, _| ());
        frame.expect("no room panics");
        let (rooms, minds, sums) = (&self.rooms, &self.minds, &self.sums);
        let minds = minds
            .iter()
            .map(|&(room, id)| rooms.manager(room).get::<Mind>(id));
        let sums = sums
            .iter()
            .map(|&(room, id)| rooms.manager(room).get::<Sum>(id));
        let minds: Vec<Mind> = minds.map(|it| *it.expect("it has a mind")).collect();
        let sums: Vec<Sum> = sums.map(|it| *it.expect("it has a sum")).collect();
        checksum(&minds, &sums)
    }
}
