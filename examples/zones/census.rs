//! Counts the walkers that cross a border.

use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

group! {
    /// The counters of crossings, in any zone.
    pub CENSUS
}

/// The walker is about to cross a border.
#[derive(Message, Data, Serialize, Deserialize)]
#[data(name = "zones.Crossed", exact)]
pub struct Crossed;

/// A crossing, for those who count them. It names the walker, so its id is translated on the way to other zones.
#[derive(Message, Data, Serialize, Deserialize, Clone)]
#[data(name = "zones.Report", exact)]
struct Report {
    who: MessageeId,
}

/// A second component of each walker: it reports crossings.
#[derive(Data, Serialize, Deserialize)]
#[data(name = "zones.Census", exact)]
pub struct Census;

#[handlers]
impl Census {
    #[on_receive]
    #[expect(clippy::unused_self, reason = "a handler takes its component")]
    fn crossed(&mut self, _: &Crossed, cx: &mut Context<'_>) -> Result<(), SendError> {
        let who = cx.me();
        cx.send(CENSUS, Report { who }).map(drop)
    }
}

/// Counts crossings.
#[derive(Data, Serialize, Deserialize, Default)]
#[serde(default)]
#[data(name = "zones.Register")]
pub struct Register {
    pub crossed: u32,
    /// The walker that has crossed a border last.
    last: Option<MessageeId>,
}

#[handlers]
impl Register {
    #[on_receive]
    fn report(&mut self, report: &Report) {
        self.crossed += 1;
        self.last = Some(report.who);
    }
}
