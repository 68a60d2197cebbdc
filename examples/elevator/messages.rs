//! The messages of the building. Those with the tag `STORY` are written to its log.

use message_core::prelude::*;

tag! {
    /// Messages that are logged.
    pub STORY,
}

/// A passenger wants to go from this floor to another one. Sent to the controller.
#[derive(Message, Debug)]
#[message(tags(STORY))]
pub struct Call {
    pub floor: usize,
}

/// Asks a cabin for its distance. A cabin that is out of service does not answer.
#[derive(Message, Debug)]
#[message(reply = usize)]
pub struct HowFar {
    pub floor: usize,
}

/// Tells a cabin to stop at a floor.
#[derive(Message, Debug)]
#[message(tags(STORY))]
pub struct StopAt {
    pub floor: usize,
}

/// The doors of a cabin are open at this floor. Sent to everyone in the cabin, then to everyone at the
/// floor; the sender is the cabin.
#[derive(Message, Debug, Clone)]
#[message(tags(STORY))]
pub struct DoorsOpen {
    pub floor: usize,
}

/// The doors are closed. Sent by the doors to their own cabin.
#[derive(Message, Debug)]
#[message(tags(STORY))]
pub struct DoorsClosed;

/// Asks a cabin whether there is room. If so, the cabin also stops at this floor.
#[derive(Message, Debug)]
#[message(reply = bool)]
pub struct MayBoard {
    pub to: usize,
}

/// Somebody is in the doorway, so the doors stay open.
#[derive(Message, Debug)]
#[message(tags(STORY))]
pub struct HoldDoors;

/// A passenger has left the cabin.
#[derive(Message, Debug)]
pub struct Left;

/// A passenger has arrived. Sent to everyone.
#[derive(Message, Debug, Clone)]
#[message(tags(STORY))]
pub struct Arrived {
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "the log prints it, the tests read it")
    )]
    pub floor: usize,
}

/// A passenger has left the building because of the fire. Sent to everyone.
#[derive(Message, Debug, Clone)]
#[message(tags(STORY))]
pub struct Escaped;

/// There is smoke. Sent to the alarm.
#[derive(Message, Debug)]
#[message(tags(STORY))]
pub struct Smoke;

/// There is a fire. Sent to everyone.
#[derive(Message, Debug)]
#[message(tags(STORY))]
pub struct FireAlarm;

/// The fire is out. Sent to everyone.
#[derive(Message, Debug)]
#[message(tags(STORY))]
pub struct AllClear;
