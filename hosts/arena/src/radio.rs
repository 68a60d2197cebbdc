//! The radio: calls that arrive a little later, if their sender is still alive. Everything with the tag
//! [`RADIO`] is received by one subscriber, which writes the log.

use std::fmt;
use std::time::Duration;

use message_core::SubscriptionId;
use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

use crate::referee::HQ;

tag! {
    /// Everything that is said over the radio.
    pub RADIO = "arena.Radio",
}

/// How long a call takes to arrive.
const LAG: Duration = Duration::from_millis(180);
/// How many lines the log keeps.
const LINES: usize = 7;

/// A call over the radio.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Call {
    Wave { number: u32, enemies: u32 },
    Cleared { number: u32 },
    Contact,
    Hit { left: i32 },
    ShieldDown,
    Mended,
    BombAway,
    ShipLost,
    Streak { length: u32 },
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wave { number, enemies } => write!(f, "wave {number}, {enemies} enemies inbound"),
            Self::Cleared { number } => write!(f, "wave {number} is cleared, well done"),
            Self::Contact => f.write_str("contact, engaging"),
            Self::Hit { left } => write!(f, "I am hit, {left} left"),
            Self::ShieldDown => f.write_str("my shield is down!"),
            Self::Mended => f.write_str("repaired, thank you"),
            Self::BombAway => f.write_str("bomb away, keep clear"),
            Self::ShipLost => f.write_str("we have lost the Falcon. Press R for another one"),
            Self::Streak { length } => write!(f, "{length} in a row!"),
        }
    }
}

/// Makes a call. It ends with its sender: if the sender is shot down meanwhile, the call is not delivered.
pub fn call(cx: &mut Context<'_>, call: Call) -> Result<(), SendError> {
    let header = Header::to(HQ).after(LAG).tags(RADIO).tied_to_sender();
    cx.post(header, call)?;
    Ok(())
}

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// When it was heard.
    pub at: Duration,
    /// The caller.
    pub from: String,
    /// The text.
    pub words: String,
}

/// The last lines. This component has no handlers, so it is never busy: the subscriber writes into it.
#[derive(Data, Serialize, Deserialize, Debug, Default)]
#[data(exact)]
pub struct RadioLog {
    /// The lines, oldest first.
    pub lines: Vec<Line>,
}

/// Keeps the log. The subscription is hidden, so it does not count as a receiver.
pub fn listen(manager: &mut MessageManager) -> SubscriptionId {
    manager.subscribe(Filter::all().tagged(RADIO).hidden(), |message, cx| {
        let words = match message.downcast_ref::<Call>() {
            Some(call) => call.to_string(),
            None => format!("{message:?}"),
        };
        let name = cx.sender().id().and_then(|id| cx.name(id));
        let from = name.map_or_else(|| "somebody".to_owned(), |name| name.to_string());
        let at = cx.clock().now();
        if let Some(hq) = cx.bound(HQ)
            && let Ok(mut log) = cx.get_mut::<RadioLog>(hq)
        {
            if log.lines.len() == LINES {
                log.lines.remove(0);
            }
            log.lines.push(Line { at, from, words });
        }
    })
}
