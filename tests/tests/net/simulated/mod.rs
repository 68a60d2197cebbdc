//! Many worlds on one network in memory, with random programs and random faults. The seed alone decides.

pub(crate) mod account;
pub(crate) mod actor;
pub(crate) mod ledger;
pub(crate) mod random;
pub(crate) mod traced;
pub(crate) mod world;

use std::time::Duration;

use message_core::prelude::*;
use message_net::link::{MemoryNetwork, MemoryPath, MemorySettings};
use message_net::{NodeConfig, PeerState};

use account::{Account, Sums};
use actor::{Actor, BOSS, Do, Note, Query};
use random::Random;
use traced::Trace;
use world::{NAMES, World, world_name};

/// The outcome of a seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) worlds: usize,
    pub(crate) frames: u32,
    pub(crate) sums: Sums,
    /// Trace of everything that passed the links.
    pub(crate) trace: (u64, u64),
    /// Digests of all managers, at their ends.
    pub(crate) digests: Vec<u64>,
    /// Inputs of the world that was logged, done again.
    pub(crate) replayed: u64,
    pub(crate) kills: u64,
    pub(crate) leaves: u64,
    pub(crate) cuts: u64,
    /// Nodes that were forgotten on request.
    pub(crate) forgets: u64,
    /// Proxies that were despawned by the program.
    pub(crate) ended: u64,
    pub(crate) wrong: Vec<String>,
}

/// How large a simulation is.
#[derive(Clone, Copy, Debug)]
#[allow(dead_code, reason = "each program uses some of them")]
pub(crate) enum Size {
    /// The seed decides: from 2 to 100 worlds.
    Any,
    /// Two or three worlds and a short time.
    Small,
    Worlds(usize),
}

/// Returns the command that reruns a seed.
pub(crate) fn repeat(seed: u64, size: Size) -> String {
    let worlds = match size {
        Size::Any => String::new(),
        Size::Small => " --small 1".to_owned(),
        Size::Worlds(worlds) => format!(" --worlds {worlds}"),
    };
    format!(
        "cargo run --release -p message-tests --example simulation -- --from {seed} --seeds 1{worlds}"
    )
}

struct Simulation {
    random: Random,
    network: MemoryNetwork,
    trace: Trace,
    worlds: Vec<World>,
    account: Account,
    frame: u32,
    /// Until when each cut lasts.
    cuts: Vec<(u32, usize, usize)>,
    slow: Vec<(u32, usize)>,
    max_frame: usize,
    queue: usize,
    lease: u32,
    /// Longer than the resend window.
    long: u32,
    logged: usize,
    outside: Vec<u64>,
    kills: u64,
    leaves: u64,
    cut: u64,
    forgets: u64,
    ended: u64,
}

/// Picks the number of worlds for a seed: usually few.
fn worlds(random: &mut Random) -> usize {
    let most = match random.below(400) {
        0 => 100,
        1..=7 => 20,
        8..=80 => 8,
        _ => 4,
    };
    random.place(most - 1) + 2
}

/// Runs the simulation of a seed.
pub(crate) fn run(seed: u64, size: Size) -> Outcome {
    let mut random = Random::new(seed);
    let any = worlds(&mut random);
    let worlds = match size {
        Size::Any => any,
        Size::Small => random.place(2) + 2,
        Size::Worlds(worlds) => worlds,
    };
    let mut simulation = Simulation::new(seed, random, worlds);
    let frames = match size {
        Size::Small => simulation.random.between(20, 80),
        _ => simulation.random.between(60, 200),
    };
    for frame in 0..frames {
        simulation.frame = frame;
        simulation.faults();
        simulation.acts();
        simulation.step();
    }
    // All questions are answered, and all sessions have begun again.
    simulation.settle(if matches!(size, Size::Small) {
        100
    } else {
        160
    });
    simulation.end()
}

impl Simulation {
    fn new(seed: u64, mut random: Random, size: usize) -> Self {
        let max_frame = [400, 1500, 64 * 1024][random.place(3)];
        let queue = [4, 32, 4096][random.place(3)];
        let lease = random.between(4, 30);
        let settings = MemorySettings {
            max_frame,
            queue,
            lease,
            ..MemorySettings::new()
        };
        let network = MemoryNetwork::new(seed, settings);
        let window = [1000, 2500][random.place(2)];
        let forget = [3000, 6000, 300_000][random.place(3)];
        let backlog = [4 << 10, 64 << 10, 4 << 20][random.place(3)];
        let worlds = (0..size).map(|index| {
            let config = NodeConfig::new()
                .accept::<Note>()
                .answer::<Query>()
                .resend_window(Duration::from_millis(window))
                .unreachable_after(Duration::from_millis(400))
                .forget_after(Duration::from_millis(forget))
                // Otherwise nobody learns what became of them.
                .posts_outlive(true)
                .backlog(backlog);
            World::new(index, config)
        });
        let worlds: Vec<World> = worlds.collect();
        let logged = random.place(size);
        let mut account = Account::default();
        let outside = (0..size).map(|index| account.newcomer(index)).collect();
        let mut simulation = Self {
            random,
            network,
            trace: Trace::default(),
            worlds,
            account,
            frame: 0,
            cuts: Vec::new(),
            slow: Vec::new(),
            max_frame,
            queue,
            lease,
            long: u32::try_from(window / 50).expect("short") + 12,
            logged,
            outside,
            kills: 0,
            leaves: 0,
            cut: 0,
            forgets: 0,
            ended: 0,
        };
        for index in 0..size {
            if simulation.random.once_in(5) {
                // It comes later.
                simulation.worlds[index].back = Some(simulation.random.between(1, 60));
            } else {
                simulation.begin(index);
            }
        }
        simulation
    }

    fn begin(&mut self, index: usize) {
        let is_logged = index == self.logged && self.worlds[index].is_dead;
        self.worlds[index].begin(
            &self.network,
            &self.trace,
            &mut self.account,
            &mut self.random,
            is_logged,
        );
    }

    fn step(&mut self) {
        self.network.advance(1);
        for world in &mut self.worlds {
            world.tick();
        }
    }

    fn path(&mut self) -> MemoryPath {
        let random = &mut self.random;
        let (min, more) = (random.between(0, 2), random.between(0, 5));
        let mut path = MemoryPath::new().delayed(min, min + more);
        if random.once_in(2) {
            path.loss = random.share(0.4);
        }
        if random.once_in(2) {
            path.duplication = random.share(0.4);
        }
        if random.once_in(2) {
            path.reordering = random.share(0.4);
        }
        path
    }

    fn settings(&self, path: MemoryPath) -> MemorySettings {
        MemorySettings {
            path,
            queue: self.queue,
            lease: self.lease,
            max_frame: self.max_frame,
        }
    }

    fn pair(&mut self) -> (usize, usize) {
        let a = self.random.place(self.worlds.len());
        let b = self.random.place(self.worlds.len() - 1);
        (a, if b < a { b } else { b + 1 })
    }

    fn faults(&mut self) {
        let now = self.frame;
        let over = |until: u32| until <= now;
        for (_, a, b) in self.cuts.extract_if(.., |cut| over(cut.0)) {
            self.network
                .heal_between(&[world_name(a)], &[world_name(b)]);
        }
        for (_, index) in self.slow.extract_if(.., |slow| over(slow.0)) {
            self.network.slow(&world_name(index), None);
        }
        for index in 0..self.worlds.len() {
            if self.worlds[index].back.is_some_and(over) {
                self.begin(index);
            }
        }
        if self.random.once_in(20) {
            let path = self.path();
            let settings = self.settings(path);
            self.network.set(settings);
        }
        let (a, b) = self.pair();
        match self.random.below(60) {
            0..3 => {
                let long = self.long;
                let frames = if self.random.once_in(3) {
                    self.random.between(long, long * 2)
                } else {
                    self.random.between(1, long)
                };
                self.cut += 1;
                self.cuts.push((now + frames, a, b));
                if self.random.once_in(4) {
                    self.network.cut_one_way(&world_name(a), &world_name(b));
                } else {
                    self.network.cut(&[world_name(a)], &[world_name(b)]);
                }
            }
            3 => {
                let frames = self.random.between(5, 60);
                self.slow.push((now + frames, a));
                let frames_a_step = self.random.place(3);
                self.network.slow(&world_name(a), Some(frames_a_step));
            }
            4 if self.worlds[a].node.is_some() => {
                self.kills += 1;
                self.worlds[a].kill(&self.network, &mut self.account);
                self.worlds[a].back = Some(now + self.random.between(1, 80));
            }
            5 if self.worlds[a].node.is_some() => {
                self.leaves += 1;
                self.worlds[a].leave(&mut self.account);
                self.worlds[a].back = Some(now + self.random.between(1, 80));
            }
            7 => {
                self.forgets += 1;
                self.worlds[a].forget(&world_name(b));
            }
            6 => {
                let path = self.path();
                let path = self.random.once_in(3).then_some(path);
                self.network.set_path(&world_name(a), &world_name(b), path);
            }
            _ => {}
        }
    }

    fn acts(&mut self) {
        // In a large network not all do something in each frame.
        let most = self.worlds.len().min(8);
        for _ in 0..most {
            let index = self.random.place(self.worlds.len());
            if !self.worlds[index].is_dead {
                for _ in 0..self.random.place(3) {
                    self.act(index);
                }
            }
        }
    }

    /// Picks a messagee that a world can send to.
    fn somebody(&mut self, index: usize, actor: usize) -> Option<MessageeId> {
        let to = self.random.place(self.worlds.len());
        let world = &mut self.worlds[index];
        let Some(node) = &mut world.node else {
            return None;
        };
        let found = match self.random.below(10) {
            0 if to != index => node
                .import_mnemonic(&mut world.manager, &world_name(to), BOSS)
                .ok(),
            1..=3 => {
                let id = world.actors[actor].id;
                let known = world.manager.get::<Actor>(id).expect("it is alive");
                let len = known.friends.len();
                (len > 0).then(|| known.friends[self.random.place(len)])
            }
            _ if to != index => {
                let name = format!("w{to}/m{}", self.random.place(NAMES));
                node.import(&mut world.manager, &name).ok()
            }
            _ => None,
        };
        world.look();
        found
    }

    fn act(&mut self, index: usize) {
        let len = self.worlds[index].actors.len();
        if self.random.once_in(25) || len == 0 {
            return self.comes_or_goes(index);
        }
        let actor = self.random.place(len);
        let Some(to) = self.somebody(index, actor) else {
            return;
        };
        let what = match self.random.below(20) {
            0..=8 => {
                let mut ids = Vec::new();
                while self.random.once_in(3) && ids.len() < 3 {
                    let own = self.random.place(len);
                    ids.push(self.worlds[index].actors[own].id);
                    ids.extend(self.somebody(index, actor));
                }
                let padding = match self.random.below(12) {
                    0 => self.random.between(0, 6000),
                    _ => self.random.between(0, 100),
                };
                Do::Send {
                    to,
                    ids,
                    padding,
                    wants_reply: self.random.once_in(3),
                }
            }
            9..=11 => Do::Post {
                to,
                frames: self.random.between(1, 8),
            },
            12 | 13 => Do::Shout,
            14 | 15 => Do::Ask {
                to,
                millis: u64::from(self.random.between(50, 3000)),
                fails: self.random.once_in(5),
            },
            16 => Do::Watch { to },
            17 => return self.end_proxy(index, to),
            18 => Do::Unwatch { to },
            _ => return self.send_outside(index, to),
        };
        let world = &mut self.worlds[index];
        let _ = world.manager.send(world.actors[actor].id, what);
        world.look();
    }

    /// Despawns a proxy, as a program may at any time.
    fn end_proxy(&mut self, index: usize, to: MessageeId) {
        let world = &mut self.worlds[index];
        if world.manager.is_proxy(to) {
            self.ended += 1;
            world.manager.despawn(to).expect("it is alive");
        }
    }

    /// Sends from outside of all messagees.
    fn send_outside(&mut self, index: usize, to: MessageeId) {
        let world = &mut self.worlds[index];
        let Some(&far) = world.far.get(&to) else {
            return;
        };
        self.outside[index] += 1;
        // The number of the outside of a world is that of the world.
        let (who, n) = (
            index as u64,
            self.outside[index] + (u64::from(self.frame) << 32),
        );
        let note = Note {
            who,
            n,
            is_late: false,
            wants_reply: false,
            ids: Vec::new(),
            padding: String::new(),
        };
        if world.manager.is_proxy(to) && world.manager.send(to, note).is_ok() {
            self.account.sent_outside((who, n), far);
        }
    }

    fn comes_or_goes(&mut self, index: usize) {
        let world = &mut self.worlds[index];
        let export = self.random.place(NAMES);
        let place = world.actors.iter().position(|actor| actor.export == export);
        match place {
            None => world.spawn(export, &mut self.account, &mut self.random),
            Some(place) if self.random.once_in(3) => {
                let Some(node) = &mut world.node else { return };
                let name = format!("m{export}");
                node.end_export(&name);
                if self.random.once_in(2) {
                    let id = world.actors[place].id;
                    node.export(&mut world.manager, id, &name)
                        .expect("it is free");
                } else {
                    // A lookup by name finds nobody until it has ended.
                    world.despawn(place, &mut self.account);
                }
            }
            Some(place) => world.despawn(place, &mut self.account),
        }
    }

    /// Ends all faults, and lets everything in transit arrive.
    fn settle(&mut self, frames: u32) {
        self.network.heal();
        self.network.set(self.settings(MemoryPath::new()));
        for (a, b) in
            (0..self.worlds.len()).flat_map(|a| (0..self.worlds.len()).map(move |b| (a, b)))
        {
            if a != b {
                self.network.set_path(&world_name(a), &world_name(b), None);
            }
        }
        for index in 0..self.worlds.len() {
            self.network.slow(&world_name(index), None);
            if self.worlds[index].node.is_none() {
                self.begin(index);
            }
        }
        for _ in 0..frames {
            self.frame += 1;
            self.step();
        }
        for index in 0..self.worlds.len() {
            let world = &mut self.worlds[index];
            world.read(&mut self.account);
            let node = world.node.as_ref().expect("it is attached");
            for info in node.peers() {
                if info.state != PeerState::Up {
                    let (name, state) = (&info.name, info.state);
                    self.account
                        .wrong(format!("{} finds {name} {state:?}", world.name));
                }
            }
            for living in &world.actors {
                let actor = world.manager.get::<Actor>(living.id).expect("it is alive");
                self.account.all_answered(&actor);
            }
        }
    }

    fn end(mut self) -> Outcome {
        for world in &mut self.worlds {
            while !world.actors.is_empty() {
                world.despawn(0, &mut self.account);
            }
        }
        for _ in 0..40 {
            self.frame += 1;
            self.step();
        }
        self.check_leaks();
        for world in &mut self.worlds {
            world.end(&mut self.account);
        }
        let sums = self.account.check(&self.worlds);
        Outcome {
            worlds: self.worlds.len(),
            frames: self.frame,
            sums,
            trace: self.trace.sum(),
            digests: std::mem::take(&mut self.account.digests),
            replayed: self.account.replayed,
            kills: self.kills,
            leaves: self.leaves,
            forgets: self.forgets,
            ended: self.ended,
            cuts: self.cut,
            wrong: std::mem::take(&mut self.account.wrong),
        }
    }

    /// Checks that, once all messagees have ended, no node knows of any.
    fn check_leaks(&mut self) {
        for world in &mut self.worlds {
            let node = world.node.as_ref().expect("it is attached");
            for info in node.peers() {
                // Names that nobody exports, the group, the mnemonic, and the outside.
                let most = NAMES + 3;
                let (proxies, known) = (info.proxies, info.known_there);
                if proxies > most || known > 0 {
                    self.account.wrong(format!(
                        "{} has {proxies} proxies for {}, which knows {known} of its messagees",
                        world.name, info.name
                    ));
                }
            }
        }
    }
}
