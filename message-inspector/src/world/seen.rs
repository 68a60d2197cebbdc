//! The messagees that have received something lately, so that those that are gone can still be shown.

use std::collections::{HashSet, VecDeque};
use std::time::{Duration, Instant};

use message_core::error::Receiver;
use message_core::trace::TraceEvent;
use message_core::{MessageManager, MessageeId};

use crate::builder::Builder;
use crate::shared::{Glimpse, Recorded, Seen};
use crate::world::messagees::{cut, value};

/// How many messagees are read after a frame.
const AT_ONCE: usize = 32;
/// How many messagees are watched, and how many of them are looked for after a frame.
const WATCHED: usize = 2_000;
const LOOKED_FOR: usize = 64;
/// How many components of a messagee are read, and the maximum length of the text of each, in bytes.
const COMPONENTS: usize = 8;
const LONGEST: usize = 512;
/// The time after which no further messagee is read after a frame.
const TIME: Duration = Duration::from_micros(500);

/// The messagees that are watched, those that were seen last at the back.
#[derive(Default)]
pub(super) struct Watch {
    order: VecDeque<MessageeId>,
    known: HashSet<MessageeId>,
    /// The types of components whose text is so long that writing it takes a while. They are not read.
    long: HashSet<String>,
}

impl Watch {
    /// Reads the receivers of the last frame, and finds out who is gone.
    pub(super) fn look(
        &mut self,
        manager: &MessageManager,
        settings: &Builder,
        recorded: &Recorded,
    ) -> Seen {
        let receivers = match recorded {
            Recorded::Nothing => HashSet::new(),
            Recorded::Own(own, _) => receivers(own.events().rev()),
            Recorded::Foreign(events, _) => receivers(events.iter().rev()),
            Recorded::Anew(events, _) => {
                // Those who were there in the other state have not gone.
                *self = Self::default();
                receivers(events.iter().rev())
            }
        };
        let mut gone: Vec<MessageeId> = Vec::new();
        if self.known.is_empty() {
            // A messagee that died before anyone looked is known only from the events.
            gone.extend(receivers.iter().filter(|&&id| !manager.is_alive(id)));
        }
        // Those that were seen last come first: many messagees live for a few frames only.
        let last = self.order.len().saturating_sub(AT_ONCE);
        let mut looked_for: Vec<MessageeId> = self.order.drain(last..).collect();
        let rest = self.order.len().min(LOOKED_FOR);
        let rest: Vec<MessageeId> = self.order.drain(..rest).collect();
        looked_for.splice(0..0, rest);
        for id in looked_for {
            if manager.is_alive(id) {
                self.order.push_back(id);
            } else {
                self.known.remove(&id);
                gone.push(id);
            }
        }
        let alive = receivers.into_iter().filter(|&id| manager.is_alive(id));
        let mut seen = Vec::new();
        let begun = Instant::now();
        for id in alive {
            if self.known.insert(id) {
                self.order.push_back(id);
            }
            if begun.elapsed() < TIME {
                seen.push(self.glimpse(manager, settings, id));
            }
        }
        while self.order.len() > WATCHED
            && let Some(id) = self.order.pop_front()
        {
            self.known.remove(&id);
        }
        Seen { seen, gone }
    }

    fn glimpse(&mut self, manager: &MessageManager, settings: &Builder, id: MessageeId) -> Glimpse {
        let hooks = manager.hooks(id).take(COMPONENTS);
        let values = hooks.map(|hook| {
            let component = manager.component_name(hook).unwrap_or_default();
            if self.long.contains(component) {
                return (component.to_owned(), Err("too long".to_owned()));
            }
            let text = value(manager, settings, hook, component).map(|(_, text)| text);
            if text.as_ref().is_ok_and(|text| text.len() > LONGEST) {
                self.long.insert(component.to_owned());
            }
            (component.to_owned(), text.map(|text| cut(text, LONGEST)))
        });
        Glimpse {
            id,
            values: values.collect(),
            name: manager.name(id).map(|name| name.to_string()),
        }
    }
}

/// Returns the newest receivers.
fn receivers<'e>(newest: impl Iterator<Item = &'e TraceEvent>) -> HashSet<MessageeId> {
    let mut all = HashSet::new();
    let receivers = newest.filter_map(|event| event.what.receiver().and_then(Receiver::messagee));
    for id in receivers {
        all.insert(id);
        if all.len() == AT_ONCE {
            break;
        }
    }
    all
}
