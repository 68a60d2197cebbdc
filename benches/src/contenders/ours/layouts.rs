//! W2-layouts: messagees with many different component lists, none of which reacts to the broadcast.

use message_core::prelude::*;

/// The number of component lists.
const LISTS: usize = 5_000;

/// One of eight component types that handle nothing.
struct Bystander<const N: usize>;

type Hook = fn(&mut MessageManager, MessageeId);

/// Functions that hook one of the eight types.
const HOOKS: [Hook; 8] = [
    hook::<0>, hook::<1>, hook::<2>, hook::<3>, hook::<4>, hook::<5>, hook::<6>, hook::<7>,
];

fn hook<const N: usize>(manager: &mut MessageManager, id: MessageeId) {
    let hooked = manager.hook(id, Bystander::<N>);
    hooked.expect("it is alive");
}

/// Spawns messagees with five of the eight components each, no two with the same types in the same order of hooking.
pub(super) fn spawn_bystanders(manager: &mut MessageManager) {
    for list in 0..LISTS {
        let id = manager.spawn(());
        let (mut hooks, mut rest) = (HOOKS.to_vec(), list);
        for _ in 0..5 {
            let hook = hooks.remove(rest % hooks.len());
            rest /= hooks.len() + 1;
            hook(manager, id);
        }
    }
}
