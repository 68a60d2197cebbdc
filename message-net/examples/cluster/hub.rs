//! The hub: sends beats, a shout and questions, and checks the results at the end.

use std::time::Duration;

use message_core::lifecycle::DeadLetter;
use message_core::prelude::*;
use message_data::ask::{Answered, Ask, AskError};
use message_net::link::Link;
use message_net::{
    MessagesLost, NET, Node, NodeConfig, NodeDown, NodeError, NodeUp, Reach, ReachChanged, Watch,
};

use crate::messages::{Beat, CROWD, Echo, HowMany, Shout};
use crate::{AGAIN, END, FRAME, KILLED};

const ZONES: [&str; 2] = ["zone-1", "zone-2"];

/// Receives everything addressed to the hub, and counts it.
#[derive(Default)]
struct Desk {
    frame: u64,
    /// For each zone: its proxy, and how many beats were sent and came back.
    zones: [(Option<MessageeId>, u64, u64); 2],
    /// Beats that could not be sent because the zone was not there.
    refused: u64,
    dead: u64,
    lost: u64,
    answers: u64,
    noticed: Option<u64>,
    back: Option<u64>,
}

#[derive(Message)]
struct AskAll;

#[handlers]
impl Desk {
    #[on_receive]
    fn echo(&mut self, _: &Echo, cx: &mut Context<'_>) {
        let from = cx.sender().id();
        let zone = self
            .zones
            .iter_mut()
            .find(|(gate, ..)| gate.is_some() && *gate == from);
        if let Some((_, _, came_back)) = zone {
            *came_back += 1;
        }
    }

    #[on_receive]
    fn ask(&mut self, _: &AskAll, cx: &mut Context<'_>) -> Result<(), AskError> {
        for (gate, ..) in self.zones {
            if let Some(gate) = gate {
                cx.ask(gate, HowMany).within(Duration::from_secs(1))?;
            }
        }
        Ok(())
    }

    #[on_receive]
    fn answered(&mut self, answered: &Answered<HowMany>) {
        self.answers += 1;
        let at = self
            .zones
            .iter()
            .position(|(gate, ..)| *gate == Some(answered.from));
        let zone = at.map_or("a zone that has ended", |at| ZONES[at]);
        match &answered.answer {
            Ok(walkers) => println!("{:>4}  {zone} has {walkers} walkers", self.frame),
            Err(why) => println!("{:>4}  {zone} did not answer: {why}", self.frame),
        }
    }

    #[on_receive]
    fn up(&mut self, up: &NodeUp) {
        let again = if up.restarted { " again" } else { "" };
        println!("{:>4}  {} is up{again}", self.frame, up.node);
        if up.restarted {
            self.back.get_or_insert(self.frame);
        }
    }

    #[on_receive]
    fn down(&mut self, down: &NodeDown) {
        println!("{:>4}  {} is down: {}", self.frame, down.node, down.why);
    }

    #[on_receive]
    fn lost(&mut self, lost: &MessagesLost) {
        println!(
            "{:>4}  {} messages and {} questions to {} were lost",
            self.frame, lost.messages, lost.questions, lost.node
        );
        self.lost += lost.messages + lost.questions;
    }

    #[on_receive]
    fn dead(&mut self, letter: &DeadLetter) {
        if letter.name == Beat::NAME {
            self.dead += 1;
        }
    }

    #[on_receive]
    fn reach(&mut self, changed: &ReachChanged) {
        let at = self
            .zones
            .iter()
            .position(|(gate, ..)| *gate == Some(changed.proxy));
        let zone = at.map_or("a zone", |at| ZONES[at]);
        println!("{:>4}  {zone}: {:?}", self.frame, changed.reach);
        if changed.reach == Reach::Unreachable {
            self.noticed.get_or_insert(self.frame);
        }
        if let (Reach::Ended, Some(at)) = (changed.reach, at) {
            self.zones[at].0 = None;
        }
    }
}

pub(crate) struct Hub {
    manager: MessageManager,
    node: Node,
    desk: MessageeId,
}

impl Hub {
    pub(crate) fn new(link: impl Link + 'static) -> Self {
        let mut manager = MessageManager::new();
        let config = NodeConfig::new()
            .accept::<Echo>()
            .resend_window(Duration::from_secs(5));
        let mut node = Node::attach(&mut manager, link, config);
        node.export_group(&mut manager, CROWD);
        let desk = manager.spawn((Desk::default(),));
        Self {
            manager,
            node,
            desk,
        }
    }

    fn desk(&mut self) -> &mut Desk {
        let desk = self.manager.get_mut::<Desk>(self.desk);
        desk.expect("the desk is there as long as the hub")
    }

    /// Imports the gates that are missing, and watches them.
    fn import(&mut self) -> Result<(), NodeError> {
        for (at, zone) in ZONES.iter().enumerate() {
            if self.desk().zones[at].0.is_some() {
                continue;
            }
            let gate = self
                .node
                .import(&mut self.manager, &format!("{zone}/gate"))?;
            self.desk().zones[at].0 = Some(gate);
            if let Ok(mut desk) = self.manager.speak_for(self.desk) {
                let _ = desk.send(NET, Watch { proxy: gate });
            }
        }
        Ok(())
    }

    /// Runs one frame.
    pub(crate) fn frame(&mut self) -> Result<(), NodeError> {
        self.import()?;
        let frame = {
            let desk = self.desk();
            desk.frame += 1;
            desk.frame
        };
        if frame < END - 100 {
            for at in 0..ZONES.len() {
                let gate = self.desk().zones[at].0;
                let Some(gate) = gate else { continue };
                let sent = self.manager.speak_for(self.desk).map(|mut desk| {
                    let beat = Beat { number: frame };
                    desk.send(gate, beat).is_ok()
                });
                match sent {
                    Ok(true) => self.desk().zones[at].1 += 1,
                    _ => self.desk().refused += 1,
                }
            }
        }
        if frame.is_multiple_of(150) {
            println!("{frame:>4}  the hub shouts");
            let words = format!("frame {frame}!");
            let _ = self.manager.send(CROWD, Shout { words });
        }
        if frame.is_multiple_of(120) {
            let _ = self.manager.send(self.desk, AskAll);
        }
        self.node.tick(&mut self.manager, FRAME);
        Ok(())
    }

    /// Prints what happened to the beats. Returns `true` if each one is accounted for.
    pub(crate) fn look_back(&mut self) -> bool {
        let peers: Vec<_> = self.node.peers().collect();
        let (zones, dead, told_lost, answers, noticed, back) = {
            let desk = self.desk();
            (
                desk.zones,
                desk.dead,
                desk.lost,
                desk.answers,
                desk.noticed,
                desk.back,
            )
        };
        println!();
        let since = |frame: Option<u64>, from: u64| match frame {
            Some(frame) if frame >= from => format!("{} frames later", frame - from),
            _ => "never".to_owned(),
        };
        println!(
            "zone-2 was killed in frame {KILLED}; noticed: {}",
            since(noticed, KILLED)
        );
        println!(
            "zone-2 was restarted in frame {AGAIN}; back: {}",
            since(back, AGAIN)
        );
        println!("{answers} questions were answered, or the reason was given.");
        let [(_, sent_one, back_one), (_, sent_two, back_two)] = zones;
        println!("beats to zone-1: {sent_one} sent, {back_one} came back");
        println!(
            "beats to zone-2: {sent_two} sent, {back_two} came back; {told_lost} messages and questions to it were reported \
             lost, and {dead} beats became dead letters"
        );
        let lost: u64 = peers.iter().map(|peer| peer.counts.lost).sum();
        // Nobody can ask a killed zone what it had received, so those messages are reported as lost, too.
        let whole = sent_one == back_one;
        let killed = sent_two - back_two <= told_lost + dead && lost == told_lost;
        println!(
            "sent = came back, for the zone that lived: {whole}; sent ≤ came back + reported lost, for the one \
             that was killed: {killed}"
        );
        whole && killed && sent_two > back_two
    }
}
