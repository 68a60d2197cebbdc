//! Worlds that are connected in memory.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use message_core::lifecycle::DeadLetter;
use message_core::prelude::*;
use message_data::Data;
use message_net::link::{MemoryNetwork, MemorySettings};
use message_net::{Node, NodeConfig, NodeName};
use serde::{Deserialize, Serialize};

/// How long a frame is.
pub(crate) const FRAME: Duration = Duration::from_millis(50);

pub(crate) fn name(name: &str) -> NodeName {
    NodeName::new(name).expect("a name")
}

/// A manager and its node.
pub(crate) struct Place {
    pub(crate) manager: MessageManager,
    pub(crate) node: Option<Node>,
}

impl Place {
    pub(crate) fn node(&mut self) -> &mut Node {
        self.node.as_mut().expect("it is attached")
    }

    pub(crate) fn export(&mut self, id: MessageeId, name: &str) {
        let node = self.node.as_mut().expect("it is attached");
        node.export(&mut self.manager, id, name).expect("free");
    }

    pub(crate) fn import(&mut self, name: &str) -> MessageeId {
        let node = self.node.as_mut().expect("it is attached");
        node.import(&mut self.manager, name).expect("a name")
    }

    pub(crate) fn tick(&mut self) {
        match &mut self.node {
            Some(node) => drop(node.tick(&mut self.manager, FRAME)),
            None => drop(self.manager.tick(FRAME)),
        }
    }
}

/// Worlds on one network.
pub(crate) struct Net {
    pub(crate) network: MemoryNetwork,
    pub(crate) places: Vec<Place>,
}

impl Net {
    pub(crate) fn new() -> Self {
        Self {
            network: MemoryNetwork::new(1, MemorySettings::new()),
            places: Vec::new(),
        }
    }

    /// Adds a world whose node is configured by `accept`.
    pub(crate) fn add(
        &mut self,
        node: &str,
        accept: impl FnOnce(NodeConfig) -> NodeConfig,
    ) -> usize {
        self.places.push(Place {
            manager: MessageManager::new(),
            node: None,
        });
        let at = self.places.len() - 1;
        self.attach(at, node, 1, accept);
        at
    }

    /// Attaches a node to a world that has none.
    pub(crate) fn attach(
        &mut self,
        at: usize,
        node: &str,
        run: u64,
        accept: impl FnOnce(NodeConfig) -> NodeConfig,
    ) {
        let link = self.network.link(name(node));
        let config = accept(NodeConfig::new().incarnation(run));
        let place = &mut self.places[at];
        place.node = Some(Node::attach(&mut place.manager, link, config));
    }

    /// Runs `frames` frames everywhere.
    pub(crate) fn run(&mut self, frames: usize) {
        for _ in 0..frames {
            self.network.advance(1);
            for place in &mut self.places {
                place.tick();
            }
        }
    }

    pub(crate) fn manager(&mut self, at: usize) -> &mut MessageManager {
        &mut self.places[at].manager
    }
}

/// Creates two worlds that both accept the messages under test.
pub(crate) fn two() -> (Net, usize, usize) {
    let mut net = Net::new();
    let a = net.add("a", accept_all);
    let b = net.add("b", accept_all);
    (net, a, b)
}

pub(crate) fn accept_all(config: NodeConfig) -> NodeConfig {
    config
        .accept::<Note>()
        .accept::<Named>()
        .accept::<Pass>()
        .answer::<GetHeard>()
        .answer::<Fails>()
}

#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(name = "net.Note", exact)]
pub(crate) struct Note(pub(crate) u32);

#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(name = "net.Named", exact)]
pub(crate) struct Named {
    pub(crate) who: MessageeId,
}

/// Is answered with a `Note` of one more.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(name = "net.Pass", exact)]
pub(crate) struct Pass(pub(crate) u32);

#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[message(reply = Vec<u32>)]
#[data(name = "net.GetHeard")]
pub(crate) struct GetHeard;

#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[message(reply = u32)]
#[data(name = "net.Fails")]
pub(crate) struct Fails;

#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(name = "net.Unaccepted", exact)]
pub(crate) struct Unaccepted(pub(crate) u32);

#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(name = "net.Long", exact)]
pub(crate) struct Long(pub(crate) Vec<u8>);

/// Hears and remembers.
#[derive(Data, Serialize, Deserialize, Default, Debug)]
#[serde(default)]
#[data(name = "net.Ear")]
pub(crate) struct Ear {
    pub(crate) heard: Vec<u32>,
    pub(crate) from: Vec<MessageeId>,
    pub(crate) named: Vec<MessageeId>,
}

#[handlers]
impl Ear {
    #[on_receive]
    fn note(&mut self, note: &Note, cx: &mut Context<'_>) {
        self.heard.push(note.0);
        self.from.extend(cx.sender().id());
    }

    #[on_receive]
    fn named(&mut self, named: &Named, cx: &mut Context<'_>) -> Result<(), SendError> {
        self.named.push(named.who);
        cx.send(named.who, Note(100))?;
        Ok(())
    }

    #[on_receive]
    fn pass(&mut self, pass: &Pass, cx: &mut Context<'_>) -> Result<(), SendError> {
        cx.reply(Note(pass.0 + 1))?;
        Ok(())
    }

    #[on_receive]
    fn heard(&self, _: &GetHeard) -> Vec<u32> {
        self.heard.clone()
    }

    #[on_receive]
    fn fails(&self, _: &Fails) -> Result<u32, HandlerError> {
        Err("it always does".into())
    }
}

pub(crate) fn heard(manager: &MessageManager, id: MessageeId) -> Vec<u32> {
    manager.get::<Ear>(id).expect("an ear").heard.clone()
}

/// Recorded lines.
pub(crate) type Lines = Arc<Mutex<Vec<String>>>;

pub(crate) fn lines(lines: &Lines) -> Vec<String> {
    lines.lock().expect("no panic").clone()
}

/// Writes down all messages of a type.
pub(crate) fn note_all<M: Message>(
    manager: &mut MessageManager,
    print: impl Fn(&M) -> String + Send + 'static,
) -> Lines {
    let lines = Lines::default();
    let log = Arc::clone(&lines);
    manager.subscribe(Filter::of::<M>(), move |message, _| {
        log.lock().expect("no panic").push(print(message));
    });
    lines
}

pub(crate) fn dead_letters(manager: &mut MessageManager) -> Lines {
    note_all(manager, |letter: &DeadLetter| letter.why.to_string())
}
