//! Worlds whose gates record incoming messages, and that count the messages they send.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::{Duration, Instant};

use message_core::lifecycle::DeadLetter;
use message_core::prelude::*;
use message_data::Data;
use message_net::link::Link;
use message_net::link::zenoh::{ZenohConfig, ZenohLink};
use message_net::{
    MessagesLost, NET, NetTrouble, Node, NodeConfig, NodeDown, NodeUp, Reach, ReachChanged, Watch,
};
use serde::{Deserialize, Serialize};

use crate::common::{DEADLINE, name};

/// A numbered message.
#[derive(Message, Data, Serialize, Deserialize)]
#[data(name = "zenoh.Count", exact)]
pub(crate) struct Count {
    number: u64,
    padding: Vec<u8>,
}

/// A message that nobody accepts.
#[derive(Message, Data, Serialize, Deserialize)]
#[data(name = "zenoh.Smuggle", exact)]
pub(crate) struct Smuggle {
    pub(crate) number: u64,
}

/// The file in which a gate records the numbers that arrive. They persist if its process is killed.
pub(crate) struct GateFile(PathBuf);

impl GateFile {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Relaxed);
        let file = format!("message-net-gate-{}-{number}", std::process::id());
        Self(std::env::temp_dir().join(file))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Returns the numbers that have arrived, in order.
    pub(crate) fn numbers(&self) -> Vec<u64> {
        let bytes = fs::read(&self.0).unwrap_or_default();
        let numbers = bytes.chunks_exact(8);
        let number = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("eight"));
        numbers.map(number).collect()
    }
}

impl Drop for GateFile {
    fn drop(&mut self) {
        // Maybe nothing has arrived.
        let _ = fs::remove_file(&self.0);
    }
}

struct Gate(File);

#[handlers]
impl Gate {
    #[on_receive]
    fn count(&mut self, count: &Count) {
        let bytes = count.number.to_le_bytes();
        self.0.write_all(&bytes).expect("the disk has room");
    }
}

/// Watches gates.
#[derive(Default)]
struct Watcher(Vec<Reach>);

#[handlers]
impl Watcher {
    #[on_receive]
    fn changed(&mut self, changed: &ReachChanged) {
        self.0.push(changed.reach);
    }
}

/// A manager with a node.
pub(crate) struct World {
    pub(crate) manager: MessageManager,
    pub(crate) node: Node,
    watcher: MessageeId,
    last: Instant,
    /// Messages that were reported as lost.
    lost: Arc<AtomicU64>,
    dead: Arc<AtomicU64>,
    /// Notices about nodes that came and went, and about trouble.
    pub(crate) told: Arc<Mutex<Vec<String>>>,
}

impl World {
    pub(crate) fn open(
        node: &str,
        config: ZenohConfig,
        change: impl FnOnce(NodeConfig) -> NodeConfig,
    ) -> Self {
        let link = ZenohLink::open(name(node), config).expect("a valid configuration");
        Self::on(link, change)
    }

    pub(crate) fn on(
        link: impl Link + 'static,
        change: impl FnOnce(NodeConfig) -> NodeConfig,
    ) -> Self {
        let mut manager = MessageManager::new();
        let config = NodeConfig::new().accept::<Count>();
        let node = Node::attach(&mut manager, link, change(config));
        let watcher = manager.spawn((Watcher::default(),));
        let mut world = Self {
            manager,
            node,
            watcher,
            last: Instant::now(),
            lost: Arc::default(),
            dead: Arc::default(),
            told: Arc::default(),
        };
        let lost = Arc::clone(&world.lost);
        world
            .manager
            .subscribe(Filter::of::<MessagesLost>(), move |told, _| {
                lost.fetch_add(told.messages, Relaxed);
            });
        let dead = Arc::clone(&world.dead);
        world
            .manager
            .subscribe(Filter::of::<DeadLetter>(), move |_, _| {
                dead.fetch_add(1, Relaxed);
            });
        world.note(|up: &NodeUp| format!("up {} {}", up.node, up.restarted));
        world.note(|down: &NodeDown| format!("down {}: {}", down.node, down.why));
        world.note(|trouble: &NetTrouble| {
            let node = trouble.node.as_deref().unwrap_or("nobody");
            format!("trouble {node}: {} ({})", trouble.what, trouble.count)
        });
        world
    }

    fn note<M: Message>(&mut self, print: impl Fn(&M) -> String + Send + 'static) {
        let told = Arc::clone(&self.told);
        self.manager
            .subscribe(Filter::of::<M>(), move |message, _| {
                told.lock().expect("no panic").push(print(message));
            });
    }

    /// Exports a gate that records incoming messages.
    pub(crate) fn open_gate(&mut self, path: impl AsRef<OsStr>) {
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(path.as_ref());
        let gate = self.manager.spawn((Gate(file.expect("a file")),));
        let exported = self.node.export(&mut self.manager, gate, "gate");
        exported.expect("a free name");
    }

    /// Runs a short frame.
    pub(crate) fn tick(&mut self) {
        let dt = std::mem::replace(&mut self.last, Instant::now()).elapsed();
        self.node.tick(&mut self.manager, dt);
        sleep(Duration::from_millis(5));
    }

    /// Returns `true` if a notice that begins with this text was received.
    pub(crate) fn was_told(&self, begin: &str) -> bool {
        let told = self.told.lock().expect("no panic");
        told.iter().any(|told| told.starts_with(begin))
    }

    /// Returns the changes of reachability that the watcher received.
    pub(crate) fn reach(&self) -> Vec<Reach> {
        let watcher = self.manager.get::<Watcher>(self.watcher);
        watcher.expect("alive").0.clone()
    }

    /// Returns the number of messages reported as lost, and the number that became dead letters.
    pub(crate) fn not_arrived(&self) -> (u64, u64) {
        (self.lost.load(Relaxed), self.dead.load(Relaxed))
    }

    pub(crate) fn until(&mut self, what: &str, is_so: impl Fn(&Self) -> bool) {
        let start = Instant::now();
        while !is_so(self) {
            let told = self.told.lock().expect("no panic").clone();
            assert!(start.elapsed() < DEADLINE, "no {what} after {told:?}");
            self.tick();
        }
    }
}

/// Sends numbered messages to a gate.
pub(crate) struct Counter {
    export: String,
    gate: MessageeId,
    /// How many messages were accepted.
    pub(crate) sent: u64,
    padding: usize,
}

impl Counter {
    pub(crate) fn new(world: &mut World, export: &str, padding: usize) -> Self {
        let gate = world.node.import(&mut world.manager, export);
        let gate = gate.expect("a name");
        let mut from = world.manager.speak_for(world.watcher).expect("alive");
        from.send(NET, Watch { proxy: gate }).expect("a node");
        Self {
            export: export.to_owned(),
            gate,
            sent: 0,
            padding,
        }
    }

    /// Imports the gate again if its proxy has ended.
    pub(crate) fn again(&mut self, world: &mut World) {
        if !world.manager.is_alive(self.gate) {
            let (sent, padding) = (self.sent, self.padding);
            *self = Self::new(world, &self.export, padding);
            self.sent = sent;
        }
    }

    /// Sends the next number.
    pub(crate) fn send(&mut self, world: &mut World) -> Result<(), SendError> {
        let count = Count {
            number: self.sent,
            padding: vec![7; self.padding],
        };
        world.manager.send(self.gate, count)?;
        self.sent += 1;
        Ok(())
    }

    /// Sends a number in each frame, if it is accepted, until a condition holds.
    pub(crate) fn until(
        &mut self,
        world: &mut World,
        what: &str,
        is_so: impl Fn(&World, u64) -> bool,
    ) {
        let start = Instant::now();
        while !is_so(world, self.sent) {
            let told = world.told.lock().expect("no panic").clone();
            assert!(start.elapsed() < DEADLINE, "no {what} after {told:?}");
            self.again(world);
            // The gate cannot be reached, or too much waits.
            let _ = self.send(world);
            world.tick();
        }
    }

    /// Sends for a while.
    pub(crate) fn during(&mut self, world: &mut World, time: Duration) {
        let start = Instant::now();
        self.until(world, "end", |_, _| start.elapsed() >= time);
    }
}

/// Returns `true` if the numbers are in order, without duplicates.
pub(crate) fn is_in_order(numbers: &[u64]) -> bool {
    numbers.is_sorted_by(|one, next| one < next)
}
