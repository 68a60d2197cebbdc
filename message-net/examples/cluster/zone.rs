//! A zone: walkers, the gate through which they arrive, and replies to beats.

use message_core::post::Interval;
use message_core::prelude::*;
use message_net::link::Link;
use message_net::{Node, NodeConfig, NodeError, NodeName};

use crate::FRAME;
use crate::messages::{Arrive, Beat, CROWD, Echo, HowMany, Shout, Sing, Walker};

/// The number of steps from one border to the other.
const WIDTH: u32 = 60;

#[handlers]
impl Walker {
    #[on_receive]
    fn sing(&mut self, _: &Sing) {
        self.songs += 1;
    }

    #[on_receive]
    fn hear(&mut self, shout: &Shout) {
        self.heard += 1;
        println!("    {} hears \"{}\"", self.name, shout.words);
    }
}

/// The gate through which walkers arrive.
#[derive(Default)]
pub(crate) struct Gate {
    beats: u64,
    arrived: Vec<Arrive>,
}

#[handlers]
impl Gate {
    #[on_receive]
    fn beat(&mut self, beat: &Beat, cx: &mut Context<'_>) -> Result<(), SendError> {
        self.beats += 1;
        cx.reply(Echo {
            number: beat.number,
        })?;
        Ok(())
    }

    #[on_receive]
    fn arrive(&mut self, arrive: &Arrive) {
        let (walker, songs) = (arrive.walker.clone(), arrive.songs.clone());
        self.arrived.push(Arrive { walker, songs });
    }

    #[on_receive]
    fn how_many(&self, _: &HowMany, cx: &mut Context<'_>) -> u32 {
        let local = cx.members(CROWD).filter(|&id| !cx.is_proxy(id));
        u32::try_from(local.count()).unwrap_or(u32::MAX)
    }
}

pub(crate) struct Zone {
    name: NodeName,
    manager: MessageManager,
    node: Node,
    gate: MessageeId,
    /// The gate of the other zone.
    other: MessageeId,
}

impl Zone {
    /// Creates a zone with the given walkers.
    pub(crate) fn new(
        link: impl Link + 'static,
        name: &NodeName,
        other: &NodeName,
        walkers: &[&str],
    ) -> Result<Self, NodeError> {
        let mut manager = MessageManager::new();
        let config = NodeConfig::new()
            .accept::<Beat>()
            .accept::<Shout>()
            .accept::<Arrive>()
            .answer::<HowMany>();
        let mut node = Node::attach(&mut manager, link, config);
        let gate = manager.spawn((Gate::default(),));
        node.export(&mut manager, gate, "gate")?;
        node.export_group(&mut manager, CROWD);
        let other = node.import(&mut manager, &format!("{other}/gate"))?;
        let mut zone = Self {
            name: name.clone(),
            manager,
            node,
            gate,
            other,
        };
        for walker in walkers {
            let name = (*walker).to_owned();
            let walker = Walker {
                name,
                ..Walker::default()
            };
            zone.enter(walker, &[std::time::Duration::from_secs(3)]);
        }
        Ok(zone)
    }

    /// Runs one frame.
    pub(crate) fn frame(&mut self) {
        self.node.tick(&mut self.manager, FRAME);
        if !self.manager.is_alive(self.other) {
            // The other zone was restarted, so it has a new gate.
            let (one, two) = ("zone-1", "zone-2");
            let other = if self.name.as_str() == one { two } else { one };
            if let Ok(gate) = self
                .node
                .import(&mut self.manager, &format!("{other}/gate"))
            {
                self.other = gate;
            }
        }
        let gate = self.manager.get_mut::<Gate>(self.gate);
        let arrived = gate.map_or_else(|_| Vec::new(), |gate| std::mem::take(&mut gate.arrived));
        for Arrive { mut walker, songs } in arrived {
            walker.crossings += 1;
            println!(
                "  {} arrives at {} (crossing {})",
                walker.name, self.name, walker.crossings
            );
            self.enter(walker, &songs);
        }
        self.walk();
    }

    /// Adds a walker to this zone, with its pending posts.
    fn enter(&mut self, walker: Walker, songs: &[std::time::Duration]) {
        let id = self.manager.spawn_named(walker.name.clone(), (walker,));
        // It was spawned a moment ago.
        let _ = self.manager.join(CROWD, id);
        for &after in songs {
            let _ = self.manager.post(Header::to(id).after(after), Sing);
        }
    }

    /// Moves every walker by a step. A walker at the border crosses it if the other zone can be reached.
    fn walk(&mut self) {
        let local: Vec<MessageeId> = self.manager.members(CROWD).collect();
        for id in local {
            let Ok(walker) = self.manager.get_mut::<Walker>(id) else {
                continue;
            };
            walker.steps += 1;
            if walker.steps < WIDTH {
                continue;
            }
            let mut crossing = walker.clone();
            crossing.steps = 0;
            let taken = self.manager.take_posts(Posts::of::<Sing>().to(id));
            let left = taken.iter().map(|post| match post.header.delay() {
                Some(Interval::Time(left)) => left,
                _ => std::time::Duration::ZERO,
            });
            let arrive = Arrive {
                walker: crossing,
                songs: left.collect(),
            };
            if self.manager.send(self.other, arrive).is_ok() {
                let _ = self.manager.despawn(id);
                continue;
            }
            // The border is closed: the walker turns around, and keeps its songs.
            for post in taken {
                let _ = self.manager.post_any(post.header, post.message);
            }
            if let Ok(walker) = self.manager.get_mut::<Walker>(id) {
                walker.steps = 0;
            }
        }
    }
}
