//! A world whose inputs depend on their number alone, so that its state after each of them is known.

use std::time::Duration;

use message_core::prelude::*;
use message_data::{Data, Digest};
use serde::{Deserialize, Serialize};

#[derive(Data, Serialize, Deserialize, Clone, Default)]
#[data(name = "journal.Counter")]
#[serde(default)]
pub(crate) struct Counter {
    pub(crate) sum: u64,
    called: u32,
}

#[derive(Message, Data, Serialize, Deserialize, Clone)]
#[data(name = "journal.Add", exact)]
pub(crate) struct Add {
    pub(crate) by: u64,
    /// How often it is passed on, a frame later each time.
    pub(crate) again: u32,
}

#[handlers]
impl Counter {
    #[on_receive]
    fn add(&mut self, add: &Add, cx: &mut Context<'_>) -> Result<(), SendError> {
        self.sum = self.sum.wrapping_mul(31).wrapping_add(add.by);
        self.called += 1;
        if add.again > 0 {
            let again = add.again - 1;
            let header = Header::to(cx.me()).after_frames(1).if_alive();
            cx.post(header, Add { again, ..*add })?;
        }
        Ok(())
    }
}

/// The number of frames in a row of inputs is about a third of their number.
const FRAME: Duration = Duration::from_millis(16);

/// A number that looks random.
pub(crate) fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Whether the input with that number begins a frame.
pub(crate) fn is_frame(number: u64) -> bool {
    mix(number) % 9 < 3
}

/// Carries out the input with that number, which is exactly one.
pub(crate) fn step(manager: &mut MessageManager, number: u64) {
    let dice = mix(number);
    let (by, count) = (dice >> 8, manager.len());
    let some = |manager: &MessageManager| {
        let at = usize::try_from(by % count as u64).expect("it is small");
        manager.messagees().nth(at).expect("there are as many")
    };
    let add = Add {
        by,
        again: (by % 3) as u32,
    };
    match dice % 9 {
        0..=2 => drop(manager.tick(FRAME)),
        _ if count < 3 => _ = manager.spawn((Counter::default(),)),
        3 if count < 40 => {
            let name = format!("counter {number}");
            manager.spawn_named(name, (Counter::default(), Counter::default()));
        }
        4 => {
            let id = some(manager);
            manager.despawn(id).expect("it is alive");
        }
        5 => {
            let header = Header::to(some(manager)).after(Duration::from_millis(by % 100));
            manager.post(header, add).expect("it is alive");
        }
        6 => {
            manager.send(Everyone, add).expect("it is sent");
        }
        7 => {
            manager.publish(Everyone, add).expect("it is published");
        }
        _ => {
            let to = some(manager);
            manager.send(to, add).expect("it is alive");
        }
    }
}

/// The same inputs without a journal.
pub(crate) struct Reference {
    manager: MessageManager,
    digests: Vec<Digest>,
}

impl Reference {
    pub(crate) fn new() -> Self {
        let manager = MessageManager::new();
        let digests = vec![Digest::of(&manager)];
        Self { manager, digests }
    }

    /// The state after that many inputs.
    pub(crate) fn after(&mut self, inputs: u64) -> &Digest {
        while self.digests.len() as u64 <= inputs {
            step(&mut self.manager, self.digests.len() as u64 - 1);
            self.digests.push(Digest::of(&self.manager));
        }
        &self.digests[usize::try_from(inputs).expect("it is small")]
    }
}
