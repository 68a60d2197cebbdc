//! What is said in the building. What has the tag `STORY` is written into its log.

use message_core::prelude::*;

tag! {
    /// Worth a line in the log.
    pub STORY,
}

/// A passenger wants to go from this floor to another one. Sent to the controller.
#[derive(Message, Debug)]
#[message(tags(STORY))]
pub struct Call {
    pub floor: usize,
}

/// Asks a cabin how far off it is. One that is out of service does not answer.
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

/// The doors of a cabin are open at this floor. Sent to those in the cabin, then to those at the
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

/// Asks a cabin whether there is room, and if so, to go to this floor.
#[derive(Message, Debug)]
#[message(reply = bool)]
pub struct MayBoard {
    pub to: usize,
}

/// Somebody is in the doors: they stay open.
#[derive(Message, Debug)]
#[message(tags(STORY))]
pub struct HoldDoors;

/// A passenger has left the cabin.
#[derive(Message, Debug)]
pub struct Left;

/// A passenger is where it wants to be. Sent to everyone.
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

/// It burns. Sent to everyone.
#[derive(Message, Debug)]
#[message(tags(STORY))]
pub struct FireAlarm;

/// It does not burn any more. Sent to everyone.
#[derive(Message, Debug)]
#[message(tags(STORY))]
pub struct AllClear;
