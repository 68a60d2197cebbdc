//! The game: the manager with everyone in it, and what is done to them from outside.

use std::cell::Ref;
use std::collections::BTreeMap;
use std::time::Duration;

use message_core::prelude::*;
use message_core::trace::Recorder;

use crate::ai_log::AiLog;
use crate::body::Body;
use crate::chronicle::STEPS;
use crate::fire::Flammable;
use crate::health::Health;
use crate::ledger::Ledger;
use crate::messages::{Explosion, GetVerdict, Ignite, Update, Verdict, WORLD};
use crate::patrol::Patrol;
use crate::scenario::{Fighter, Happening, Nature, Scenario};
use crate::squad::Squad;
use crate::world::World;

/// A manager with everyone of a scenario in it.
pub struct Game {
    manager: MessageManager,
    world: MessageeId,
    /// Fighters and squads by name.
    cast: BTreeMap<String, MessageeId>,
}

impl Game {
    /// Spawns everyone.
    pub fn new(scenario: &Scenario) -> Result<Self, MessageeError> {
        let mut manager = MessageManager::new();
        let mut standing = BTreeMap::new();
        for fighter in &scenario.fighters {
            *standing.entry(fighter.side).or_default() += 1;
        }
        let world = (World::new(standing), Ledger::default(), AiLog::default());
        let world = manager.spawn_named("world", world);
        manager.bind(WORLD, world)?;
        AiLog::keep(&mut manager, world);
        let mut cast = BTreeMap::new();
        for fighter in &scenario.fighters {
            cast.insert(fighter.name.clone(), spawn_fighter(&mut manager, fighter)?);
        }
        for squad in &scenario.squads {
            let nerve = squad.nerve;
            let id = manager.spawn_named(&*squad.name, (Squad { nerve },));
            for member in &squad.members {
                manager.set_parent(cast[member], Some(id))?;
            }
            cast.insert(squad.name.clone(), id);
        }
        for (name, trap) in &scenario.traps {
            manager.spawn_named(&**name, (trap.clone(),));
        }
        for (name, barrel) in &scenario.barrels {
            manager.spawn_named(&**name, (barrel.clone(),));
        }
        Ok(Self {
            manager,
            world,
            cast,
        })
    }

    /// Records from now on what happens to every message.
    pub fn record(&mut self) {
        let recorder = Recorder::new(STEPS).with_contents();
        self.manager.start_recording(recorder);
    }

    /// Ends the recording, and returns it.
    pub fn stop_recording(&mut self) -> Option<Recorder> {
        self.manager.stop_recording()
    }

    /// The fighter or the squad of that name, whether it still stands or not.
    #[cfg(test)]
    pub fn fighter(&self, name: &str) -> Option<MessageeId> {
        self.cast.get(name).copied()
    }

    /// Begins a turn. It is a frame of the manager, so that whoever asks the clock knows which
    /// one it is; time as such means nothing here.
    pub fn begin_turn(&mut self) {
        self.manager.begin_frame(Duration::ZERO);
    }

    /// Makes something happen from outside.
    pub fn happen(&mut self, happening: &Happening) -> Result<(), SendError> {
        match *happening {
            Happening::Explosion { at, radius, damage } => {
                println!("  an explosion at {at}");
                self.tell(Everyone, Explosion { at, radius, damage })?;
            }
            Happening::Ignite {
                ref who,
                turns,
                damage,
            } => {
                println!("  fire at the {who}");
                match self.tell(self.cast[who], Ignite { turns, damage }) {
                    Err(SendError::Gone { .. }) => println!("  the {who} is gone"),
                    Err(other) => return Err(other),
                    Ok(receipt) if receipt.received == 0 => println!("  the {who} does not burn"),
                    Ok(_) => {}
                }
            }
            Happening::Order {
                ref squad,
                ref order,
            } => {
                self.tell(Down(self.cast[squad]), order.clone())?;
            }
        }
        Ok(())
    }

    /// Plays a turn.
    pub fn update(&mut self) -> Result<(), SendError> {
        self.tell(Everyone, Update)?;
        Ok(())
    }

    /// Asks who has won.
    pub fn verdict(&mut self) -> Result<Verdict, SendError> {
        let verdict = self.manager.request(WORLD, GetVerdict)?;
        if let Ok(ledger) = self.manager.get_mut::<Ledger>(self.world) {
            ledger.note_answer::<GetVerdict>(true);
        }
        Ok(verdict)
    }

    /// Prints what was sent, and who died.
    pub fn report(&self) -> Result<(), MessageeError> {
        println!("\n{}", self.manager.get::<Ledger>(self.world)?);
        println!("(pending: kept for a component that was busy, received when it was free)");
        println!("\n{}", self.manager.get::<World>(self.world)?);
        Ok(())
    }

    /// What the minds asked, shouted and ordered.
    pub fn ai_log(&self) -> Result<Ref<'_, AiLog>, MessageeError> {
        self.manager.get(self.world)
    }

    /// Sends a message from outside, and writes down what became of it.
    #[track_caller]
    fn tell<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
        message: M,
    ) -> Result<Receipt, SendError> {
        let receipt = self.manager.send(to, message)?;
        if let Ok(ledger) = self.manager.get_mut::<Ledger>(self.world) {
            ledger.note::<M>(receipt);
        }
        Ok(receipt)
    }
}

/// Spawns a fighter with the components that every fighter has, and hooks what it has besides.
fn spawn_fighter(
    manager: &mut MessageManager,
    fighter: &Fighter,
) -> Result<MessageeId, MessageeError> {
    let &Fighter { at, side, mind, .. } = fighter;
    let hp = fighter.hp.get();
    let components = (Body { at, side }, Health { hp }, Patrol::new(mind, 1));
    let id = manager.spawn_named(&*fighter.name, components);
    match fighter.nature.clone() {
        Nature::Tank(tank) => {
            manager.hook(id, tank)?;
        }
        Nature::Monster(monster) => {
            manager.hook(id, monster)?;
            manager.hook(id, Flammable { tinder: 1 })?;
        }
        Nature::Soldier(soldier) => {
            manager.hook(id, soldier)?;
            manager.hook(id, Flammable { tinder: 0 })?;
        }
    }
    if let Some(shield) = &fighter.shield {
        manager.hook(id, shield.clone())?;
    }
    Ok(id)
}

#[cfg(test)]
mod tests {
    use std::error::Error;

    use super::*;

    /// A goblin and an archer who see each other, and a goblin out of reach.
    const MEETING: &str = r#"#![enable(unwrap_variant_newtypes)] (
        turns: 1,
        fighters: [
            (name: "archer", side: Castle, nature: Soldier(agility: 2), hp: 9, at: 0,
             mind: (sight: 2, strength: 3)),
            (name: "grib", side: Wild, nature: Monster(hide: 0), hp: 8, at: 2,
             mind: (sight: 3, strength: 3)),
            (name: "mok", side: Wild, nature: Monster(hide: 0), hp: 8, at: 20,
             mind: (sight: 3, strength: 3)),
        ],
        squads: [(name: "goblins", members: ["grib", "mok"], nerve: 0)],
        events: [(turn: 1, happens: Order(squad: "goblins", order: Regroup))],
    )"#;

    #[test]
    fn the_ai_log_has_what_was_asked_shouted_and_ordered_and_nothing_else()
    -> Result<(), Box<dyn Error>> {
        let scenario: Scenario = ron::from_str(MEETING)?;
        let mut game = Game::new(&scenario)?;
        game.begin_turn();
        game.happen(&scenario.events[0].happens)?;
        game.update()?;
        assert_eq!(
            game.ai_log()?.lines(),
            [
                "turn 1: outside to goblins (4v0) and its members: Regroup",
                "turn 1: archer (1v0) to itself: GetHp",
                "turn 1: archer (1v0) to grib (2v0): GetHp",
                "turn 1: archer (1v0) to everyone else: Alarm { side: Castle, enemy: MessageeId(2v0 \"grib\") }",
                "turn 1: grib (2v0) to itself: GetHp",
                "turn 1: grib (2v0) to archer (1v0): GetHp",
                "turn 1: grib (2v0) to everyone else: Alarm { side: Wild, enemy: MessageeId(1v0 \"archer\") }",
            ]
        );
        Ok(())
    }
}
