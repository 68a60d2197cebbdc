//! The messages that the programs exchange. All programs have these types.

use std::time::Duration;

use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

group! {
    /// All walkers in all zones.
    pub CROWD
}

/// The hub sends one to each zone in every frame.
#[derive(Message, Data, Serialize, Deserialize)]
#[data(name = "cluster.Beat", exact)]
pub(crate) struct Beat {
    pub(crate) number: u64,
}

/// The reply of a zone to each beat.
#[derive(Message, Data, Serialize, Deserialize)]
#[data(name = "cluster.Echo", exact)]
pub(crate) struct Echo {
    pub(crate) number: u64,
}

/// A shout to all walkers, wherever they are.
#[derive(Message, Data, Serialize, Deserialize, Clone)]
#[data(name = "cluster.Shout", exact)]
pub(crate) struct Shout {
    pub(crate) words: String,
}

/// Asks how many walkers are in the zone.
#[derive(Message, Data, Serialize, Deserialize)]
#[message(reply = u32)]
#[data(name = "cluster.HowMany")]
pub(crate) struct HowMany;

/// A walker that crosses the border, with its pending posts.
#[derive(Message, Data, Serialize, Deserialize)]
#[data(name = "cluster.Arrive", exact)]
pub(crate) struct Arrive {
    pub(crate) walker: Walker,
    /// The remaining time for each song that was posted in the other zone.
    pub(crate) songs: Vec<Duration>,
}

/// A walker sings when this is due, wherever it is by then.
#[derive(Message, Data, Serialize, Deserialize)]
#[data(name = "cluster.Sing")]
pub(crate) struct Sing;

/// A walker.
#[derive(Data, Serialize, Deserialize, Default, Clone, Debug)]
#[serde(default)]
#[data(name = "cluster.Walker")]
pub(crate) struct Walker {
    pub(crate) name: String,
    /// The number of steps from the border where it came in.
    pub(crate) steps: u32,
    pub(crate) crossings: u32,
    pub(crate) songs: u32,
    pub(crate) heard: u32,
}
