//! One world of the simulation, in all its lives.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use message_core::error::Undelivered;
use message_core::lifecycle::DeadLetter;
use message_core::prelude::*;
use message_data::{Digest, Log, LogOptions, Replay};
use message_net::link::MemoryNetwork;
use message_net::proxy;
use message_net::{MessagesLost, NetTrouble, Node, NodeConfig, NodeName};

use super::account::Account;
use super::actor::{Actor, BOSS, CROWD, Note, Query};
use super::random::Random;
use super::traced::{Trace, Traced};

pub(crate) const FRAME: Duration = Duration::from_millis(50);

/// The number of names that a world has for its exports.
pub(crate) const NAMES: usize = 4;

/// The messages its subscribers have heard.
#[derive(Default)]
pub(crate) struct Told {
    /// The messagee each dead letter was for, and the name of its message.
    pub(crate) dead: Vec<(Option<MessageeId>, u64, u64)>,
    /// Messages and questions, by the node they were for.
    pub(crate) lost: BTreeMap<String, [u64; 2]>,
    pub(crate) trouble: Vec<String>,
}

pub(crate) struct Living {
    pub(crate) id: MessageeId,
    pub(crate) who: u64,
    pub(crate) export: usize,
    /// How much of its records has been added to the account.
    pub(crate) read: [usize; 2],
}

#[derive(Clone, Default)]
struct LogFile(Arc<Mutex<Vec<u8>>>);

impl Write for LogFile {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no panic").extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

pub(crate) struct World {
    pub(crate) index: usize,
    pub(crate) name: NodeName,
    pub(crate) config: NodeConfig,
    pub(crate) manager: MessageManager,
    pub(crate) node: Option<Node>,
    pub(crate) run: u64,
    pub(crate) actors: Vec<Living>,
    pub(crate) told: Arc<Mutex<Told>>,
    /// The worlds of the proxies that there were in this manager.
    pub(crate) far: BTreeMap<MessageeId, usize>,
    /// The nodes that are known, and since when.
    known: BTreeMap<usize, Duration>,
    /// The nodes that were known and forgotten.
    pub(crate) forgotten: BTreeSet<usize>,
    /// It was never killed, and has never left.
    pub(crate) is_whole: bool,
    pub(crate) was_killed: bool,
    /// In which frame it comes back.
    pub(crate) back: Option<u32>,
    /// Killed rather than left.
    pub(crate) is_dead: bool,
    log: Option<LogFile>,
}

pub(crate) fn world_name(index: usize) -> NodeName {
    NodeName::new(&format!("w{index}")).expect("a name")
}

impl World {
    pub(crate) fn new(index: usize, config: NodeConfig) -> Self {
        Self {
            index,
            name: world_name(index),
            config,
            manager: MessageManager::new(),
            node: None,
            run: 0,
            actors: Vec::new(),
            told: Arc::default(),
            far: BTreeMap::new(),
            known: BTreeMap::new(),
            forgotten: BTreeSet::new(),
            is_whole: true,
            was_killed: false,
            back: None,
            is_dead: true,
            log: None,
        }
    }

    /// Begins a new manager if it was killed, and attaches a node.
    pub(crate) fn begin(
        &mut self,
        network: &MemoryNetwork,
        trace: &Trace,
        account: &mut Account,
        random: &mut Random,
        is_logged: bool,
    ) {
        self.back = None;
        self.run += 1;
        self.known.clear();
        if std::mem::take(&mut self.is_dead) {
            self.manager = MessageManager::new();
            self.far.clear();
            self.told = Arc::default();
            self.subscribe();
            if is_logged {
                let log = LogFile::default();
                let options = LogOptions::new().digest_every(20);
                let started = Log::start(&mut self.manager, log.clone(), options);
                started.expect("nothing is in it that cannot be written");
                self.log = Some(log);
            }
            for export in 0..NAMES {
                if !random.once_in(4) {
                    self.spawn(export, account, random);
                }
            }
        }
        let config = self.config.clone().incarnation(self.run);
        let link = Traced {
            link: network.link(self.name.clone()),
            trace: trace.clone(),
        };
        let mut node = Node::attach(&mut self.manager, link, config);
        for actor in &self.actors {
            let name = format!("m{}", actor.export);
            node.export(&mut self.manager, actor.id, &name)
                .expect("the name is free");
        }
        node.export_group(&mut self.manager, CROWD);
        node.export_mnemonic(BOSS);
        self.node = Some(node);
    }

    fn subscribe(&mut self) {
        let told = Arc::clone(&self.told);
        let dead = Filter::of::<DeadLetter>();
        self.manager.subscribe(dead, move |letter: &DeadLetter, _| {
            let Some(message) = &letter.message else {
                return;
            };
            // A member that was not reached was sent nothing, and is counted in the receipt.
            if matches!(letter.why, Undelivered::Refused { .. }) {
                return;
            }
            let to = match letter.envelope.recipient {
                Recipient::Id(id) => Some(id),
                _ => None,
            };
            let key = match (
                message.downcast_ref::<Note>(),
                message.downcast_ref::<Query>(),
            ) {
                (Some(note), _) => (note.who, note.n),
                (_, Some(query)) => (query.who, query.n),
                _ => return,
            };
            let mut told = told.lock().expect("no panic");
            told.dead.push((to, key.0, key.1));
        });
        let told = Arc::clone(&self.told);
        let lost = Filter::of::<MessagesLost>();
        self.manager.subscribe(lost, move |lost: &MessagesLost, _| {
            let mut told = told.lock().expect("no panic");
            let [messages, questions] = told.lost.entry(lost.node.clone()).or_default();
            *messages += lost.messages;
            *questions += lost.questions;
        });
        let told = Arc::clone(&self.told);
        let trouble = Filter::of::<NetTrouble>();
        self.manager
            .subscribe(trouble, move |trouble: &NetTrouble, _| {
                let mut told = told.lock().expect("no panic");
                told.trouble.push(trouble.what.clone());
            });
    }

    pub(crate) fn spawn(&mut self, export: usize, account: &mut Account, random: &mut Random) {
        let who = account.newcomer(self.index);
        let id = self.manager.spawn((Actor::new(who),));
        if random.once_in(2) {
            self.manager.join(CROWD, id).expect("it is alive");
        }
        if self.manager.bound(BOSS).is_none() {
            self.manager.bind(BOSS, id).expect("it is free");
        }
        if let Some(node) = &mut self.node {
            let name = format!("m{export}");
            node.export(&mut self.manager, id, &name)
                .expect("the name is free");
        }
        self.actors.push(Living {
            id,
            who,
            export,
            read: [0, 0],
        });
    }

    pub(crate) fn despawn(&mut self, place: usize, account: &mut Account) {
        self.read(account);
        let living = self.actors.remove(place);
        let actor = self.manager.get::<Actor>(living.id).expect("it is alive");
        account.ended(&actor);
        drop(actor);
        self.manager.despawn(living.id).expect("it is alive");
    }

    /// Forgets another node, if it cannot be reached.
    pub(crate) fn forget(&mut self, other: &NodeName) {
        let Some(node) = &mut self.node else { return };
        if node.forget(&mut self.manager, other) {
            self.meet();
        }
    }

    /// Takes note of the nodes that this one knows, and of those that it has forgotten.
    fn meet(&mut self) {
        let Some(node) = &self.node else { return };
        let mut known = BTreeMap::new();
        for info in node.peers() {
            let index = info.name.as_str()[1..].parse().expect("a number");
            known.insert(index, info.known_since);
        }
        for (index, before) in std::mem::replace(&mut self.known, known) {
            let now = self.known.get(&index);
            if now != Some(&before) {
                self.forgotten.insert(index);
            }
        }
    }

    /// Takes note of the proxies that there are.
    pub(crate) fn look(&mut self) {
        let Some(node) = &self.node else { return };
        for proxy in proxy::proxies(&self.manager) {
            if let std::collections::btree_map::Entry::Vacant(entry) = self.far.entry(proxy)
                && let Some(name) = node.node_of(proxy)
            {
                let index = name.as_str()[1..].parse().expect("a number");
                entry.insert(index);
            }
        }
    }

    pub(crate) fn tick(&mut self) {
        match &mut self.node {
            Some(node) => {
                node.receive(&mut self.manager, FRAME);
                self.meet();
                self.look();
                self.manager.tick(FRAME);
                self.look();
                self.meet();
                if let Some(node) = &mut self.node {
                    node.flush(&mut self.manager);
                }
                self.meet();
            }
            None if !self.is_dead => drop(self.manager.tick(FRAME)),
            None => {}
        }
    }

    /// Adds the records that the actors have made since the last time to the account.
    pub(crate) fn read(&mut self, account: &mut Account) {
        for living in &mut self.actors {
            let actor = self.manager.get::<Actor>(living.id).expect("it is alive");
            account.read(self.index, living, &actor, &self.far);
        }
    }

    /// Adds the node's counts to the account.
    pub(crate) fn count(&mut self, account: &mut Account, is_end: bool) {
        let Some(node) = &self.node else { return };
        for info in node.peers() {
            let of = info.name.as_str()[1..].parse().expect("a number");
            account.count((self.index, of), info.counts, is_end);
        }
    }

    /// Adds what the subscribers have heard to the account.
    fn close(&mut self, account: &mut Account) {
        self.read(account);
        for living in &self.actors {
            let actor = self.manager.get::<Actor>(living.id).expect("it is alive");
            account.ended(&actor);
        }
        account.told(self.index, &self.told.lock().expect("no panic"), &self.far);
        account.digest(Digest::of(&self.manager).total());
        if let Some(log) = self.log.take() {
            Log::stop(&mut self.manager).expect("it writes to memory");
            let bytes = log.0.lock().expect("no panic").clone();
            match Replay::of_bytes(bytes).run() {
                Ok(replayed) => {
                    let (now, then) = (Digest::of(&replayed.manager), Digest::of(&self.manager));
                    if now != then {
                        let part = now.difference(&then);
                        account.wrong(format!("the replay of {} differs: {part:?}", self.name));
                    }
                    account.replayed += replayed.inputs;
                }
                Err(error) => account.wrong(format!("the replay of {}: {error}", self.name)),
            }
        }
    }

    /// Ends like a killed process, then looks at what it held.
    pub(crate) fn kill(&mut self, network: &MemoryNetwork, account: &mut Account) {
        self.is_whole = false;
        self.was_killed = true;
        self.is_dead = true;
        network.crash(&self.name);
        let Some(mut node) = self.node.take() else {
            return;
        };
        // Messages that had arrived and were not handed in.
        node.receive(&mut self.manager, Duration::ZERO);
        self.node = Some(node);
        self.look();
        self.count(account, false);
        self.node = None;
        // Posted messages.
        for _ in 0..12 {
            self.manager.tick(FRAME);
        }
        // Nobody waits for its answers any more.
        account.waits_no_more(
            &self
                .actors
                .iter()
                .map(|actor| actor.who)
                .collect::<Vec<_>>(),
        );
        self.close(account);
        self.actors.clear();
    }

    /// Says goodbye.
    pub(crate) fn leave(&mut self, account: &mut Account) {
        self.is_whole = false;
        let Some(mut node) = self.node.take() else {
            return;
        };
        node.receive(&mut self.manager, Duration::ZERO);
        self.node = Some(node);
        self.look();
        self.count(account, false);
        let node = self.node.take().expect("it was put there a moment ago");
        node.detach(&mut self.manager);
        if proxy::proxies(&self.manager).count() > 0 {
            account.wrong(format!("{} has left, and has proxies", self.name));
        }
    }

    /// Ends the simulation of this world.
    pub(crate) fn end(&mut self, account: &mut Account) {
        self.count(account, true);
        self.close(account);
    }
}
