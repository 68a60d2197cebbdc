//! A manager with a node over a `ZenohLink`.

use std::thread;
use std::time::{Duration, Instant};

use message_core::prelude::*;
use message_net::link::zenoh::{ZenohConfig, ZenohLink, ZenohMeter};
use message_net::{Node, NodeName};

use crate::Failure;
use crate::latency::{self, Clock, TICK, WARM_UP};
use crate::work::{Came, Measure, Parcel, Work, config};

/// The pause of an idle end of a throughput run.
const PAUSE: Duration = Duration::from_micros(200);

struct World {
    manager: MessageManager,
    node: Node,
    meter: ZenohMeter,
    last: Instant,
}

impl World {
    fn new(name: &str, link: ZenohConfig) -> Result<Self, Failure> {
        let name = NodeName::new(name)?;
        let mut manager = MessageManager::new();
        let link = ZenohLink::open(name, link)?;
        let meter = link.meter();
        let node = Node::attach(&mut manager, link, config());
        let last = Instant::now();
        Ok(Self {
            manager,
            node,
            meter,
            last,
        })
    }

    fn tick(&mut self) {
        let now = Instant::now();
        self.node.tick(&mut self.manager, now - self.last);
        self.last = now;
    }
}

#[derive(Default)]
struct Receiver {
    received: usize,
    first: Option<Instant>,
}

#[handlers]
impl Receiver {
    #[on_receive]
    fn parcel(&mut self, parcel: &Parcel, cx: &mut Context<'_>) -> Result<(), SendError> {
        std::hint::black_box(&parcel.content.0);
        self.received += 1;
        if self.first.is_none() {
            self.first = Some(Instant::now());
        }
        if parcel.tick > 0 {
            cx.reply(Came { tick: parcel.tick })?;
        }
        Ok(())
    }
}

#[derive(Default)]
struct Sender {
    now: u32,
    took: Vec<u32>,
}

#[handlers]
impl Sender {
    #[on_receive]
    fn came(&mut self, came: &Came) {
        if came.tick > WARM_UP {
            self.took.push(self.now - came.tick);
        }
    }
}

pub(crate) fn receive(work: &Work) -> Result<Vec<f64>, Failure> {
    let hub = ZenohConfig::hub(&format!("tcp/127.0.0.1:{}", work.port));
    let mut world = World::new("receiver", hub)?;
    let receiver = world.manager.spawn((Receiver::default(),));
    world
        .node
        .export(&mut world.manager, receiver, "receiver")?;
    println!("ready");
    let mut clock = Clock::new();
    let mut count = 0;
    loop {
        world.tick();
        let before = count;
        let first;
        {
            let state = world.manager.get::<Receiver>(receiver)?;
            (count, first) = (state.received, state.first);
        }
        if work.measure == Measure::Latency {
            clock.wait();
        } else if count >= work.all_messages() {
            let first = first.ok_or("nothing has come")?;
            let seconds = first.elapsed().as_secs_f64();
            // The sender waits for the acknowledgement.
            let counts = world.meter.counts();
            for _ in 0..20 {
                world.tick();
                thread::sleep(PAUSE);
            }
            #[expect(clippy::cast_precision_loss, reason = "small counts")]
            return Ok(vec![count as f64 / seconds, counts.overflowed as f64]);
        } else if count == before {
            thread::sleep(PAUSE);
        }
    }
}

pub(crate) fn send(work: &Work) -> Result<Vec<f64>, Failure> {
    let client = ZenohConfig::client(&format!("tcp/127.0.0.1:{}", work.port));
    let mut world = World::new("sender", client)?;
    let sender = world.manager.spawn((Sender::default(),));
    let proxy = world.node.import(&mut world.manager, "receiver/receiver")?;
    while !world
        .node
        .peers()
        .any(|peer| peer.state == message_net::PeerState::Up)
    {
        world.tick();
        thread::sleep(TICK);
    }
    let mut clock = Clock::new();
    match work.measure {
        Measure::Throughput => {
            let parcel = Parcel::new(0, work.len);
            for _ in 0..work.frames {
                for _ in 0..work.messages {
                    while world.manager.send(proxy, parcel.clone()).is_err() {
                        world.tick();
                        thread::sleep(PAUSE);
                    }
                }
                world.tick();
            }
            loop {
                world.tick();
                thread::sleep(PAUSE);
            }
        }
        Measure::Latency => {
            let ticks = u32::try_from(work.frames)?;
            for now in 1..=ticks + 40 {
                world.manager.get_mut::<Sender>(sender)?.now = now;
                world.node.receive(&mut world.manager, TICK);
                world.manager.tick(TICK);
                if now <= ticks {
                    let mut me = world.manager.speak_for(sender)?;
                    me.send(proxy, Parcel::new(now, work.len))?;
                    for _ in 1..work.messages {
                        me.send(proxy, Parcel::new(0, work.len))?;
                    }
                }
                world.node.flush(&mut world.manager);
                clock.wait();
            }
            let took = world.manager.get::<Sender>(sender)?.took.clone();
            Ok(latency::of(took, work.frames - WARM_UP as usize))
        }
    }
}
