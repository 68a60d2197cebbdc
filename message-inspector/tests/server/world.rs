//! A small world with something for every view of the page.

use std::error::Error;
use std::time::Duration;

use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

mnemonic! { GATE, NOBODY, }

group! { GOBLINS, pub EMPTY, }

#[derive(Message, Data, Clone, Debug, Serialize, Deserialize)]
#[data(name = "try.Damage", exact)]
pub struct Damage {
    pub amount: u32,
}

#[derive(Message, Debug)]
pub struct Cry;

#[derive(Message, Debug)]
pub struct Unheard;

#[derive(Message, Debug)]
pub struct Fail;

#[derive(Data, Serialize, Deserialize)]
#[data(name = "try.Health", exact)]
pub struct Health {
    pub hp: u32,
}

#[handlers]
impl Health {
    #[on_receive]
    fn hurt(&mut self, damage: &Damage, cx: &mut Context<'_>) -> Result<(), SendError> {
        self.hp = self.hp.saturating_sub(damage.amount);
        cx.send(Everyone, Cry)?;
        Ok(())
    }

    #[on_receive]
    fn fail(&mut self, _: &Fail) -> Result<(), HandlerError> {
        Err("it failed on purpose".into())
    }
}

#[derive(Debug)]
pub struct Ears {
    pub heard: u32,
}

#[handlers]
impl Ears {
    #[on_receive]
    fn hear(&mut self, _: &Cry) {
        self.heard += 1;
    }
}

#[derive(Data, Serialize, Deserialize)]
#[data(name = "try.Secret", exact)]
pub struct Secret {
    pub word: String,
}

#[handlers]
impl Secret {
    #[on_receive]
    fn hear(&self, _: &Cry) {}
}

/// Creates a gate with two goblins below it.
pub fn world() -> Result<MessageManager, Box<dyn Error>> {
    let mut manager = MessageManager::new();
    let word = "xyzzy".to_owned();
    let gate = manager.spawn_named("gate", (Ears { heard: 0 }, Secret { word }));
    manager.bind(GATE, gate)?;
    for name in ["goblin 1", "goblin 2"] {
        let goblin = manager.spawn_named(name, (Health { hp: 9 },));
        manager.set_parent(goblin, Some(gate))?;
        manager.join(GOBLINS, goblin)?;
    }
    let later = Header::to(gate)
        .after(Duration::from_secs(1_000))
        .every(Duration::from_secs(90))
        .key("cry");
    manager.post(later, Cry)?;
    Ok(manager)
}

pub fn frame(manager: &mut MessageManager) {
    manager.tick(Duration::from_millis(16));
}
