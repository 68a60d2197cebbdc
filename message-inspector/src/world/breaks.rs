//! Breaks: a world is paused before the next frame when a message of a type arrives.
//!
//! A break is watched by a trace sink, which sees each delivery and changes nothing. It is there only while somebody
//! looks, because nobody else could let the world go on.

use message_core::MessageManager;
use message_core::error::Receiver;
use message_core::trace::{TraceEvent, TraceSink, Traced};
use serde_json::{Value, json};

use crate::history::event::{name_of, told};
use crate::history::short;
use crate::shared::{Answer, Refusal};

/// The maximum number of breaks of a world.
const MOST: usize = 16;
/// The maximum length of a name, in bytes.
const LONGEST: usize = 300;

/// A message that is waited for.
#[derive(Clone, Debug)]
struct Break {
    id: u64,
    /// The full name of its type, or the part that people read.
    message: String,
    /// The id or the name of its receiver; empty for anyone.
    messagee: String,
}

impl Break {
    fn is_met_by(&self, event: &TraceEvent) -> bool {
        if self.message != event.message && self.message != short(event.message) {
            return false;
        }
        let receiver = event.what.receiver().and_then(Receiver::messagee);
        self.messagee.is_empty()
            || receiver.is_some_and(|id| {
                format!("{id:#}") == self.messagee
                    || name_of(id).is_some_and(|it| it == self.messagee)
            })
    }
}

/// Keeps the first delivery that meets a break.
struct Watch {
    breaks: Vec<Break>,
    met: Option<(u64, TraceEvent)>,
}

impl TraceSink for Watch {
    fn event(&mut self, event: TraceEvent) {
        if !matches!(event.what, Traced::Called { .. }) || self.met.is_some() {
            return;
        }
        if let Some(found) = self.breaks.iter().find(|it| it.is_met_by(&event)) {
            self.met = Some((found.id, event));
        }
    }

    fn is_full(&self) -> bool {
        self.met.is_some()
    }
}

/// The breaks of a world.
#[derive(Debug, Default)]
pub(super) struct Breaks {
    all: Vec<Break>,
    made: u64,
    /// Whether the sink has to be set or removed.
    is_stale: bool,
    is_watching: bool,
    /// The delivery that has paused the world, until it goes on.
    met: Option<Value>,
}

impl Breaks {
    /// Returns the delivery that has paused the world.
    pub(super) fn met(&self) -> Option<&Value> {
        self.met.as_ref()
    }

    /// Waits for the next message, from the next frame on.
    pub(super) fn go_on(&mut self, manager: &mut MessageManager) {
        self.met = None;
        self.pass(manager, true);
    }

    /// Returns `true` if a break was met since the last call: the world has to be paused.
    pub(super) fn pass(&mut self, manager: &mut MessageManager, is_looked_at: bool) -> bool {
        // The program itself may let a world go on.
        if !manager.clock().is_paused() {
            self.met = None;
        }
        // No break waits for messages that arrive while it is paused.
        let wants = is_looked_at && !self.all.is_empty() && self.met.is_none();
        if !wants && !self.is_watching {
            return false;
        }
        let watch = manager.trace_sink::<Watch>();
        let met = watch.and_then(|watch| watch.met.clone());
        // A world that nobody looks at is not paused.
        let met = met.filter(|_| is_looked_at);
        if let Some((id, event)) = &met {
            self.met = Some(json!({ "break": id, "event": told(event) }));
        }
        let wants = wants && met.is_none();
        if self.is_stale || wants != self.is_watching {
            let watch = wants.then(|| Watch {
                breaks: self.all.clone(),
                met: None,
            });
            manager.set_trace_sink(watch);
            (self.is_stale, self.is_watching) = (false, wants);
        }
        met.is_some()
    }

    pub(super) fn add(&mut self, message: &str, messagee: &str) -> Answer {
        if message.is_empty() || message.len() > LONGEST || messagee.len() > LONGEST {
            let text =
                format!("expected the name of a message, and names of at most {LONGEST} bytes");
            return Err(Refusal::bad(text));
        }
        let mut known = message_core::registry().messages();
        if !known.any(|info| info.name == message || short(info.name) == message) {
            return Err(Refusal::unknown(format!(
                "no message type is called `{message}`"
            )));
        }
        if self.all.len() >= MOST {
            return Err(Refusal::new(
                429,
                "busy",
                format!("{MOST} breaks are set: remove one first"),
            ));
        }
        self.made += 1;
        self.all.push(Break {
            id: self.made,
            message: message.to_owned(),
            messagee: messagee.to_owned(),
        });
        self.is_stale = true;
        Ok(self.told())
    }

    pub(super) fn remove(&mut self, id: u64) -> Answer {
        let before = self.all.len();
        self.all.retain(|it| it.id != id);
        if self.all.len() == before {
            return Err(Refusal::unknown(format!("there is no break {id}")));
        }
        self.is_stale = true;
        Ok(self.told())
    }

    pub(super) fn told(&self) -> Value {
        let all = self.all.iter().map(|it| {
            json!({
                "break": it.id,
                "message": it.message,
                "short": short(&it.message),
                "messagee": (!it.messagee.is_empty()).then_some(&it.messagee),
            })
        });
        json!({ "breaks": all.collect::<Vec<_>>(), "met": self.met })
    }
}
