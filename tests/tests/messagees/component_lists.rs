//! Messagees whose lists of components are many, long, and change all the time.

use message_core::prelude::*;

use crate::common::Tested;

/// Each receiver adds a number.
#[derive(Message)]
struct Roll(Vec<u32>);

/// Like [`Roll`], but handled by one type only.
#[derive(Message)]
struct Solo(Vec<u32>);

/// Like [`Roll`], but handled with a context, and by one type before the others.
#[derive(Message)]
struct Ranked(Vec<u32>);

macro_rules! parts {
    ($($part:ident),*) => {$(
        struct $part(u32);

        #[handlers]
        impl $part {
            #[on_receive]
            fn roll(&mut self, roll: &mut Roll) {
                roll.0.push(self.0);
            }

            #[on_receive]
            fn ranked(&mut self, roll: &mut Ranked, _: &mut Context<'_>) {
                roll.0.push(self.0);
            }
        }
    )*};
}

parts!(A, B, C, D, E, F);

struct First(u32);

#[handlers]
impl First {
    #[on_receive(priority = 1)]
    fn ranked(&mut self, roll: &mut Ranked) {
        roll.0.push(self.0);
    }

    #[on_receive]
    fn solo(&mut self, roll: &mut Solo) {
        roll.0.push(self.0);
    }
}

/// A component without handlers.
struct Mute;

/// The number of component types.
const TYPES: u32 = 8;

/// A component as the model knows it.
#[derive(Clone, Copy)]
struct Part {
    hook: HookId,
    /// `A` to `F`, then `First`, then `Mute`.
    of: u32,
    number: u32,
    enabled: bool,
}

fn hook(manager: &mut MessageManager, id: MessageeId, of: u32, number: u32) -> HookId {
    let hooked = match of {
        0 => manager.hook(id, A(number)),
        1 => manager.hook(id, B(number)),
        2 => manager.hook(id, C(number)),
        3 => manager.hook(id, D(number)),
        4 => manager.hook(id, E(number)),
        5 => manager.hook(id, F(number)),
        6 => manager.hook(id, First(number)),
        _ => manager.hook(id, Mute),
    };
    hooked.expect("the messagee is alive")
}

fn unhook(manager: &mut MessageManager, part: Part) -> Option<u32> {
    let Part { hook, of, .. } = part;
    Some(match of {
        0 => manager.unhook::<A>(hook).ok()?.0,
        1 => manager.unhook::<B>(hook).ok()?.0,
        2 => manager.unhook::<C>(hook).ok()?.0,
        3 => manager.unhook::<D>(hook).ok()?.0,
        4 => manager.unhook::<E>(hook).ok()?.0,
        5 => manager.unhook::<F>(hook).ok()?.0,
        6 => manager.unhook::<First>(hook).ok()?.0,
        _ => manager.unhook::<Mute>(hook).ok().map(|_| part.number)?,
    })
}

/// Returns the numbers of the enabled components of these types.
fn numbers(parts: &[Part], is_asked: impl Fn(u32) -> bool) -> Vec<u32> {
    let asked = parts
        .iter()
        .filter(|part| part.enabled && is_asked(part.of));
    asked.map(|part| part.number).collect()
}

/// The same whole numbers in every run: splitmix64.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed >> 33) % end as u64).expect("it is below a `usize`")
    }
}

// More lists of components than are remembered, and more components than fit in one.
// holds: send.to-id-order, messagees.hooks-of-order
#[test]
fn whatever_components_a_messagee_has_they_receive_in_order() -> Tested {
    let mut manager = MessageManager::new();
    let mut dice = Dice(1);
    let mut messagees: Vec<(MessageeId, Vec<Part>)> = Vec::new();
    for number in 0..60_000 {
        match dice.below(40) {
            0 if messagees.len() < 50 => messagees.push((manager.spawn(()), Vec::new())),
            1 if dice.below(8) == 0 && !messagees.is_empty() => {
                let (id, _) = messagees.swap_remove(dice.below(messagees.len()));
                manager.despawn(id)?;
            }
            2 if dice.below(200) == 0 => manager.shrink_to_fit(),
            _ => {}
        }
        if messagees.is_empty() {
            continue;
        }
        let who = dice.below(messagees.len());
        let (id, parts) = &mut messagees[who];
        // Some have few components, some have many.
        let most = [2, 5, 8, 20][who % 4];
        if parts.len() < dice.below(2 * most) {
            let of = u32::try_from(dice.below(TYPES as usize))?;
            let hook = hook(&mut manager, *id, of, number);
            parts.push(Part {
                hook,
                of,
                number,
                enabled: true,
            });
        } else if !parts.is_empty() {
            let at = dice.below(parts.len());
            if dice.below(3) == 0 {
                let part = &mut parts[at];
                part.enabled ^= true;
                manager.set_enabled(part.hook, part.enabled)?;
            } else {
                let part = parts.remove(at);
                assert_eq!(unhook(&mut manager, part), Some(part.number));
            }
        }

        let (id, parts) = &messagees[dice.below(messagees.len())];
        let (mut roll, mut solo, mut ranked) = (Roll(vec![]), Solo(vec![]), Ranked(vec![]));
        manager.send_mut(*id, &mut roll)?;
        assert_eq!(roll.0, numbers(parts, |of| of < 6));
        manager.send_mut(*id, &mut solo)?;
        assert_eq!(solo.0, numbers(parts, |of| of == 6));
        let receipt = manager.send_mut(*id, &mut ranked)?;
        let (first, others) = (numbers(parts, |of| of == 6), numbers(parts, |of| of < 6));
        assert_eq!(ranked.0, [first, others].concat());
        assert_eq!(receipt.received as usize, ranked.0.len());
        let receipt = manager.send(*id, Roll(vec![]))?;
        assert_eq!(receipt.received as usize, roll.0.len());
        let receipt = manager.send(*id, Solo(vec![]))?;
        assert_eq!(receipt.received as usize, solo.0.len());
        let hooks: Vec<HookId> = parts.iter().map(|part| part.hook).collect();
        assert_eq!(manager.hooks(*id).collect::<Vec<_>>(), hooks);
    }
    Ok(())
}
