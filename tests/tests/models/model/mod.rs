//! A manager checked against a naive model: random changes and sends, from outside and from inside
//! handlers; after each, both must agree.
//!
//! The model has two states: the present (`now`), and the one when the outermost send returns
//! (`future`). Sends are answered from the first, leaving out messagees missing in the second; changes
//! are checked against the second and made there. Addresses and enabled flags change in both at
//! once.

mod naive;
mod world;

use std::fmt::Debug;

use message_core::Recipient::{EveryoneElse, Me};
use message_core::prelude::*;
use message_core::{Children, Mnemonic};
use naive::{Kind, Member, Model, Part};
use world::{Active, Batch, Hand, Late, Ping, Plain, Shared};

mnemonic!(FIRST, SECOND);

const MNEMONICS: [Mnemonic; 2] = [FIRST, SECOND];
const POPULATION: usize = 24;
const DEEPEST: usize = 4;

// Both sides do the same.

fn variant<T>(result: Result<T, impl Debug>) -> Result<T, String> {
    result.map_err(|error| crate::common::variant(&error))
}

/// Makes one random change or send, in the manager and in the model.
fn step(shared: &Shared, hand: &mut impl Hand, me: Option<MessageeId>) {
    let mut choice = shared.lock().below(16);
    if choice < 2 && shared.lock().future.members.len() >= POPULATION {
        choice = 5;
    }
    match choice {
        0 | 1 => spawn(shared, hand),
        2..8 => change(shared, hand, choice),
        8 | 9 => batch(shared, hand),
        _ => send(shared, hand, me),
    }
}

fn spawn(shared: &Shared, hand: &mut impl Hand) {
    let mut model = shared.lock();
    let [a, b, c] = [(); 3].map(|()| model.label());
    let size = model.below(4);
    drop(model);
    let active = |label| Active(label, shared.clone());
    let plain = |label| Plain(label, shared.clone());
    let (id, kinds) = match size {
        0 => (hand.spawn(()), vec![]),
        1 => (hand.spawn((plain(a),)), vec![Kind::Plain]),
        2 => {
            let id = hand.spawn((plain(a), active(b)));
            (id, vec![Kind::Plain, Kind::Active])
        }
        _ => {
            let id = hand.spawn((Late(a, shared.clone()), plain(b), active(c)));
            (id, vec![Kind::Late, Kind::Plain, Kind::Active])
        }
    };
    let parts = kinds.into_iter().zip([a, b, c]).map(|(kind, label)| Part {
        hook: None,
        kind,
        label,
        enabled: true,
    });
    let member = Member {
        parts: parts.collect(),
    };
    let mut model = shared.lock();
    model.future.members.insert(id, member);
    model.born.push((id, Vec::new()));
    model.all.push(id);
}

fn change(shared: &Shared, hand: &mut impl Hand, choice: usize) {
    let mut model = shared.lock();
    let (Some(id), other, coin) = (model.any_id(), model.any_id(), model.below(3)) else {
        return;
    };
    let hook = model.any_hook();
    let (expected, done) = match (choice, hook) {
        (2, _) => {
            drop(model);
            return hook_one(shared, hand, id, coin);
        }
        (3, Some((hook, kind))) => {
            let expected = model.unhook(hook);
            model.leaves = model.busy.is_empty();
            drop(model);
            let done = match kind {
                Kind::Active => hand.unhook::<Active>(hook),
                Kind::Late => hand.unhook::<Late>(hook),
                Kind::Plain => hand.unhook::<Plain>(hook),
            };
            (expected, done)
        }
        (4, Some((hook, _))) => {
            let expected = model.set_enabled(hook, coin > 0);
            drop(model);
            (expected, hand.set_enabled(hook, coin > 0))
        }
        (5, _) => {
            let children = if coin > 0 {
                Children::Reparent
            } else {
                Children::Follow
            };
            let expected = model.despawn(id, children);
            model.leaves = model.busy.is_empty();
            drop(model);
            (expected, hand.despawn(id, children))
        }
        (6, _) => {
            let parent = other.filter(|_| coin > 0);
            let expected = model.set_parent(id, parent);
            drop(model);
            (expected, hand.set_parent(id, parent))
        }
        _ => {
            let at = model.below(MNEMONICS.len());
            let expected = if coin > 0 {
                model.bind(at, id)
            } else {
                model.unbind(at, id)
            };
            drop(model);
            let done = match coin {
                0 => hand.unbind(MNEMONICS[at], id),
                _ => hand.bind(MNEMONICS[at], id),
            };
            (expected, done)
        }
    };
    shared.lock().leaves = false;
    assert_eq!(variant(done), expected.map_err(str::to_owned), "{choice}");
}

fn hook_one(shared: &Shared, hand: &mut impl Hand, id: MessageeId, coin: usize) {
    let label = shared.lock().label();
    let expected = shared.lock().stays(id);
    let kind = [Kind::Active, Kind::Late, Kind::Plain][coin];
    let done = match kind {
        Kind::Active => hand.hook(id, Active(label, shared.clone())),
        Kind::Late => hand.hook(id, Late(label, shared.clone())),
        Kind::Plain => hand.hook(id, Plain(label, shared.clone())),
    };
    let done = variant(done);
    let mut model = shared.lock();
    if let Ok(hook) = done {
        let member = model.future.members.get_mut(&id).expect("it stays");
        member.parts.push(Part {
            hook: Some(hook),
            kind,
            label,
            enabled: true,
        });
        model.all_hooks.push((hook, kind));
    }
    assert_eq!(done.map(drop), expected.map_err(str::to_owned));
}

/// Lets an active component that is free take steps in its handler.
fn batch(shared: &Shared, hand: &mut impl Hand) {
    let mut model = shared.lock();
    if model.busy.len() >= DEEPEST {
        return;
    }
    let able = model.now.parts().filter(|(_, part)| {
        part.kind == Kind::Active
            && part.enabled
            && model.future.has(part.label)
            && !model.busy.contains(&part.label)
    });
    let able: Vec<(MessageeId, u32)> = able.map(|(id, part)| (id, part.label)).collect();
    if able.is_empty() {
        return;
    }
    let (id, label) = able[model.below(able.len())];
    model.busy.push(label);
    drop(model);
    let receipt = hand.send(id.into(), Batch { label }).expect("it is there");
    assert!(receipt.consumed);
}

fn send(shared: &Shared, hand: &mut impl Hand, me: Option<MessageeId>) {
    let mut model = shared.lock();
    let Some(id) = model.any_id() else { return };
    let at = model.below(MNEMONICS.len());
    let recipients = [
        id.into(),
        Everyone,
        EveryoneElse,
        Me,
        Up(id),
        Down(id),
        MNEMONICS[at].into(),
    ];
    let to = recipients[model.below(recipients.len())];
    let ping = model.label();
    let expected = model.send(ping, me, to);
    drop(model);
    let sent = variant(hand.send(to, Ping(ping)));
    let sent = sent.map(|receipt| (receipt.received as usize, receipt.pending.into()));
    assert_eq!(sent, expected.map_err(str::to_owned), "{to}");
}

// Invariants that hold after each step.

fn check(manager: &MessageManager, model: &mut Model) {
    let (heard, expected) = (&mut model.heard, &mut model.expected);
    assert_eq!(std::mem::take(heard), std::mem::take(expected));

    assert_eq!(manager.len(), model.now.members.len());
    for (&id, member) in &model.now.members {
        assert!(manager.is_alive(id));
        assert_eq!(manager.parent(id), model.family.parent(id));
        assert!(manager.children(id).eq(model.family.children(id)));
        let hooks = member.parts.iter().filter_map(|part| part.hook);
        assert!(manager.hooks(id).eq(hooks));
        for part in &member.parts {
            let hook = part.hook.expect("it is alive");
            assert_eq!(manager.owner(hook), Ok(id));
            assert_eq!(manager.is_enabled(hook), Ok(part.enabled));
        }
        let first = |kind| {
            let mut parts = member.parts.iter();
            parts.find(|part| part.kind == kind).map(|part| part.label)
        };
        let active = manager.get::<Active>(id).ok().map(|part| part.0);
        assert_eq!(active, first(Kind::Active));
        let late = manager.get::<Late>(id).ok().map(|part| part.0);
        assert_eq!(late, first(Kind::Late));
        let plain = manager.get::<Plain>(id).ok().map(|part| part.0);
        assert_eq!(plain, first(Kind::Plain));
    }
    for (mnemonic, bound) in MNEMONICS.into_iter().zip(model.now.bound) {
        assert_eq!(manager.bound(mnemonic), bound);
    }
    for &id in &model.all {
        assert_eq!(manager.is_alive(id), model.now.members.contains_key(&id));
    }

    model.stored = manager.iter::<Active>().map(|(_, part)| part.0).collect();
    let late = manager.iter::<Late>().map(|(_, part)| part.0);
    model.stored.extend(late);
    let plain = manager.iter::<Plain>().map(|(_, part)| part.0);
    model.stored.extend(plain);
    assert_eq!(model.stored.len(), model.now.parts().count());
}

/// The outcome of a whole run.
#[derive(Debug, PartialEq, Eq)]
struct Log {
    /// The messages that were heard, and by whom.
    heard: Vec<(u32, u32)>,
    /// How many changes were refused because a messagee was leaving.
    refused: usize,
}

fn run(seed: u64, steps: usize) -> Log {
    let shared = Shared::new(seed);
    let mut manager = MessageManager::new();
    let mut heard = Vec::new();
    for _ in 0..steps {
        step(&shared, &mut manager, None);
        let mut model = shared.lock();
        model.settle(&manager);
        heard.extend_from_slice(&model.heard);
        check(&manager, &mut model);
        if model.all.len() > 400 {
            model.all.drain(..200);
        }
    }
    let (goodbyes, refused) = {
        let model = shared.lock();
        (model.goodbyes, model.refused.get())
    };
    assert!(
        goodbyes > steps / 100,
        "{goodbyes} messages while somebody left"
    );
    Log { heard, refused }
}

// holds: send.receipt, send.everyone-else, send.up-down-order, reentrancy.busy-kept, reentrancy.addresses-at-once,
// reentrancy.existence-waits, reentrancy.looks-as-before, reentrancy.leaving-unchangeable,
// reentrancy.leaving-skipped, reentrancy.newborn-send, messagees.despawn-takes-along, messagees.disabled,
// messagees.parent-cycle, messagees.mnemonic-bound-once, messagees.mnemonic-freed
#[test]
fn a_manager_tells_the_same_as_a_naive_model_whatever_happens() {
    for seed in [1, 0x9E37_79B9, 0xDEAD_BEEF_CAFE, 77] {
        let heard = run(seed, 1500).heard;
        assert!(heard.len() > 1000, "{} heard with seed {seed}", heard.len());
    }
    let refused: usize = (100..120).map(|seed| run(seed, 700).refused).sum();
    assert!(refused > 0, "nobody was changed who was leaving");
}

// holds: send.everyone-order-repeatable
#[test]
fn the_order_is_the_same_in_every_run_on_the_same_inputs() {
    assert_eq!(run(4711, 400), run(4711, 400));
}
