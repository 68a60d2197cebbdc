//! Messagees and components that are added and removed.

use message_core::prelude::*;

use crate::{Function, OBJECTS, OPERATIONS, Round};

pub(crate) const FUNCTIONS: [Function; 3] = [
    Function::new("spawn-despawn", spawn_despawn),
    Function::new("hook-unhook", hook_unhook),
    Function::new("hook-fifth", hook_fifth),
];

#[derive(Message)]
struct Poke;

struct Body(u64);

#[handlers]
impl Body {
    #[on_receive]
    fn poke(&mut self, _: &Poke) {
        self.0 += 1;
    }
}

struct Mind(u64);

#[handlers]
impl Mind {
    #[on_receive]
    fn poke(&mut self, _: &Poke, cx: &mut Context<'_>) {
        self.0 += u64::from(cx.is_from_me());
    }
}

#[derive(Message)]
struct Nudge(u64);

sums!(One of Nudge, Two of Nudge, Three of Nudge, Four of Nudge);

struct Hat(u64);

#[handlers]
impl Hat {
    #[on_receive]
    fn poke(&mut self, _: &Poke) {
        self.0 += 1;
    }
}

/// Spawns and despawns messagees with two components.
fn spawn_despawn() -> Round {
    let mut manager = MessageManager::new();
    let mut ids = Vec::with_capacity(OBJECTS);
    Box::new(move || {
        for _ in 0..OPERATIONS / OBJECTS {
            ids.extend((0..OBJECTS).map(|_| manager.spawn((Body(0), Mind(0)))));
            for id in ids.drain(..) {
                assert!(manager.despawn(id).is_ok());
            }
        }
    })
}

/// Hooks and unhooks an additional component on messagees that have one already.
fn hook_unhook() -> Round {
    let mut manager = MessageManager::new();
    let ids = (0..OBJECTS).map(|_| manager.spawn((Body(0),))).collect();
    hats(manager, ids)
}

/// Hooks and unhooks a fifth component on messagees that have four.
fn hook_fifth() -> Round {
    let mut manager = MessageManager::new();
    let spawned = (0..OBJECTS).map(|_| manager.spawn((One(0), Two(0), Three(0), Four(0))));
    let ids = spawned.collect();
    hats(manager, ids)
}

/// Hooks a hat on each messagee and unhooks it again.
fn hats(mut manager: MessageManager, ids: Vec<MessageeId>) -> Round {
    let mut hooks = Vec::with_capacity(OBJECTS);
    Box::new(move || {
        for _ in 0..OPERATIONS / OBJECTS {
            let hook = |&id| manager.hook(id, Hat(0)).expect("everyone is alive");
            hooks.extend(ids.iter().map(hook));
            for hook in hooks.drain(..) {
                assert!(manager.unhook::<Hat>(hook).is_ok());
            }
        }
    })
}
