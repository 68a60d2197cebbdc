//! Snapshots, and going back to them.
#![allow(
    clippy::unused_self,
    reason = "a handler takes its component, used or not"
)]

#[path = "../common/mod.rs"]
mod common;

mod errors;
mod futures;
mod going_back;
mod memory;
mod outside;
mod subscriptions;

use std::time::Duration;

use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

/// The time of a frame.
const FRAME: Duration = Duration::from_millis(10);

/// Adds to a counter.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug, PartialEq)]
#[data(exact, name = "snapshots.Add")]
struct Add(u32);

/// Has a handler with a context, so each has a cell of its own.
#[derive(Data, Serialize, Deserialize, Clone, Default, Debug)]
#[serde(default)]
#[data(name = "snapshots.Counter")]
struct Counter {
    sum: u32,
    heard: Vec<u32>,
}

#[handlers]
impl Counter {
    #[on_receive]
    fn add(&mut self, add: &Add, _: &mut Context<'_>) {
        self.sum += add.0;
        self.heard.push(add.0);
    }
}

/// Has no handlers.
#[derive(Data, Serialize, Deserialize, Clone, Copy, Default, Debug, PartialEq)]
#[serde(default)]
#[data(name = "snapshots.Place")]
struct Place {
    x: i32,
}

message_core::cloned!(Place);

/// Has a handler without a context, so all of them are packed.
#[derive(Data, Serialize, Deserialize, Clone, Copy, Default, Debug, PartialEq)]
#[serde(default)]
#[data(name = "snapshots.Packed")]
struct Packed {
    sum: u32,
}

#[handlers]
impl Packed {
    #[on_receive]
    fn add(&mut self, add: &Add) {
        self.sum += add.0;
    }
}

// A snapshot moves to another thread, as its manager does.
const _: () = {
    const fn is_send<T: Send>() {}
    is_send::<message_core::Snapshot>();
};

fn sum(manager: &MessageManager, id: MessageeId) -> u32 {
    manager.get::<Counter>(id).expect("it has one").sum
}
