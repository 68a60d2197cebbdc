//! The medic: mends one robot at a time, in the order in which they were wounded.

use std::collections::VecDeque;

use message_core::prelude::*;

use crate::Done;
use crate::messages::{Order, Wounded};
use crate::walker::has_left;

mnemonic! {
    /// The messagee that the wounded call.
    pub MEDIC = "medic",
}

/// How many frames it takes to mend a robot.
const WORK: u32 = 2;

/// The messagee bound to [`MEDIC`].
#[derive(Default)]
pub struct Medic {
    patients: VecDeque<MessageeId>,
    worked: u32,
}

impl Medic {
    /// Works for a frame. Returns the robot that is mended by that, if any.
    fn work(&mut self) -> Option<MessageeId> {
        self.worked = if self.patients.is_empty() {
            0
        } else {
            self.worked + 1
        };
        if self.worked < WORK {
            return None;
        }
        self.worked = 0;
        self.patients.pop_front()
    }
}

/// Runs the system of the medic.
pub fn mend(desk: Desk<'_>) -> Done {
    let Some(me) = desk.bound(MEDIC) else {
        return Ok(());
    };
    let mut medic = desk.get_mut::<Medic>(me)?;
    medic.patients.retain(|&patient| !has_left(desk, patient));
    let calls = desk.inbox::<Wounded>().to(MEDIC);
    medic
        .patients
        .extend(calls.iter().filter_map(|call| call.sender().id()));
    if let Some(patient) = medic.work() {
        desk.speak_for(me)?.publish(patient, Order::Advance)?;
    }
    Ok(())
}
