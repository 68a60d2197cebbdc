//! Messagees and components that come and go.

use message_core::prelude::*;

use crate::{Function, OBJECTS, OPERATIONS, Round};

pub(crate) const FUNCTIONS: [Function; 2] = [
    Function::new("spawn-despawn", spawn_despawn),
    Function::new("hook-unhook", hook_unhook),
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

struct Hat(u64);

#[handlers]
impl Hat {
    #[on_receive]
    fn poke(&mut self, _: &Poke) {
        self.0 += 1;
    }
}

/// Messagees of two components.
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

/// A component more for messagees that have one already.
fn hook_unhook() -> Round {
    let mut manager = MessageManager::new();
    let ids: Vec<_> = (0..OBJECTS).map(|_| manager.spawn((Body(0),))).collect();
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
