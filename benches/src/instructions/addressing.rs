//! Sends to addresses that represent messagees. An operation is a delivery, as in `send`.

use std::hint::black_box;

use message_core::prelude::*;
use message_core::{Group, Mnemonic};

use crate::{Function, OPERATIONS, Round};

pub(crate) const FUNCTIONS: [Function; 3] = [
    Function::new("send-mnemonic", send_mnemonic),
    Function::new("send-group", send_group),
    Function::new("send-up", send_up),
];

mnemonic!(NORTH, EAST, SOUTH, WEST);
const NAMES: [Mnemonic; 4] = [NORTH, EAST, SOUTH, WEST];

group!(SPADES, HEARTS, DIAMONDS, CLUBS);
const GROUPS: [Group; 4] = [SPADES, HEARTS, DIAMONDS, CLUBS];

/// The number of members in a group.
const MEMBERS: usize = 8;

/// The number of messagees in a family, each the only child of the next.
const FAMILY: usize = 4;

/// The number of families.
const FAMILIES: usize = 10;

#[derive(Message)]
struct Letter(u64);

#[derive(Message)]
struct Order(u64);

#[derive(Message)]
struct Plea(u64);

sums!(Desk of Letter, Soldier of Order, Parent of Plea);

fn send_mnemonic() -> Round {
    let mut manager = MessageManager::new();
    for name in NAMES {
        let id = manager.spawn((Desk(0),));
        manager.bind(name, id).expect("nobody has that name");
    }
    Box::new(move || {
        for (&name, number) in NAMES.iter().cycle().zip(0..OPERATIONS as u64) {
            let sent = manager.send(name, Letter(black_box(number)));
            assert!(sent.is_ok());
        }
    })
}

fn send_group() -> Round {
    let mut manager = MessageManager::new();
    for group in GROUPS {
        for _ in 0..MEMBERS {
            let id = manager.spawn((Soldier(0),));
            manager.join(group, id).expect("it is alive");
        }
    }
    let sends = (OPERATIONS / MEMBERS) as u64;
    Box::new(move || {
        for (&group, number) in GROUPS.iter().cycle().zip(0..sends) {
            let sent = manager.send(group, Order(black_box(number)));
            assert!(sent.is_ok());
        }
    })
}

fn send_up() -> Round {
    let mut manager = MessageManager::new();
    let mut youngest = Vec::new();
    for _ in 0..FAMILIES {
        let family = [(); FAMILY].map(|()| manager.spawn((Parent(0),)));
        for pair in family.windows(2) {
            let adopted = manager.set_parent(pair[0], Some(pair[1]));
            adopted.expect("both are alive");
        }
        youngest.push(family[0]);
    }
    let sends = (OPERATIONS / FAMILY) as u64;
    Box::new(move || {
        for (&id, number) in youngest.iter().cycle().zip(0..sends) {
            let sent = manager.send(Up(id), Plea(black_box(number)));
            assert!(sent.is_ok());
        }
    })
}
