//! The last frames, as tracks of deliveries.

use std::collections::{BTreeMap, HashMap, HashSet};

use message_core::error::Receiver;
use message_core::trace::{TraceEvent, TraceId, TraceOutcome, Traced};
use message_core::{MessageeId, Recipient};
use serde_json::{Value, json};

use super::event::{messagee_of, name_of, reached_nobody, why};
use super::{History, short};

/// The parameters of a request for the timeline.
#[derive(Debug)]
pub(crate) struct Wanted {
    pub(crate) frames: u64,
    pub(crate) before: Option<u64>,
    pub(crate) message: Option<String>,
    pub(crate) messagee: Option<String>,
    pub(crate) search: Search,
    pub(crate) limit: usize,
}

/// How many words a search can have: each is looked for in every delivery that is kept.
const WORDS: usize = 16;

/// The words that a delivery has to have, and those that it must not have.
#[derive(Debug, Default)]
pub(crate) struct Search {
    has: Vec<String>,
    lacks: Vec<String>,
}

impl Search {
    /// Reads a search: words, those to leave out behind `-`. Returns an error if there are too many.
    pub(crate) fn of(text: &str) -> Result<Self, String> {
        let text = text.to_lowercase();
        let words = text.split_whitespace().filter(|&word| word != "-");
        let mut search = Self::default();
        for (nth, word) in words.enumerate() {
            if nth == WORDS {
                return Err(format!("a search has at most {WORDS} words"));
            }
            match word.strip_prefix('-') {
                Some(word) => search.lacks.push(word.to_owned()),
                None => search.has.push(word.to_owned()),
            }
        }
        Ok(search)
    }

    fn is_for_all(&self) -> bool {
        self.has.is_empty() && self.lacks.is_empty()
    }

    fn fits(&self, delivery: &Value) -> bool {
        const TEXTS: [&str; 7] = [
            "message",
            "from",
            "to",
            "recipient",
            "component",
            "handler",
            "outcome",
        ];
        if self.is_for_all() {
            return true;
        }
        let texts = TEXTS.map(|field| delivery[field].as_str().unwrap_or_default().to_lowercase());
        let has = |word: &String| texts.iter().any(|text| text.contains(word));
        self.has.iter().all(has) && !self.lacks.iter().any(has)
    }
}

impl Wanted {
    fn fits(&self, event: &TraceEvent) -> bool {
        let is_it =
            |id: Option<MessageeId>, wanted: &str| id.is_some_and(|id| format!("{id:#}") == wanted);
        let message = self.message.as_deref();
        message.is_none_or(|message| message == event.message)
            && self.messagee.as_deref().is_none_or(|wanted| {
                let receiver = event.what.receiver().and_then(Receiver::messagee);
                is_it(event.sender.id(), wanted)
                    || is_it(receiver, wanted)
                    || is_it(messagee_of(event.recipient), wanted)
            })
    }
}

/// The lanes of receivers, in the order of first use.
#[derive(Default)]
struct Lanes {
    known: HashMap<Option<MessageeId>, usize>,
    told: Vec<Value>,
}

impl Lanes {
    fn of(&mut self, id: Option<MessageeId>) -> usize {
        let Self { known, told } = self;
        *known.entry(id).or_insert_with(|| {
            let label = match id {
                None => "nobody in particular".to_owned(),
                Some(id) => name_of(id).unwrap_or_else(|| format!("{id:#}")),
            };
            told.push(json!({ "id": id.map(|id| format!("{id:#}")), "label": label }));
            told.len() - 1
        })
    }
}

/// The outcomes of deliveries and the times at which they ended.
struct Ends<'h> {
    returned: HashMap<TraceId, &'h TraceEvent>,
    erred: HashMap<TraceId, &'h TraceEvent>,
    /// The sends whose recipient does not handle them.
    unhandled: HashSet<TraceId>,
}

impl History {
    /// Returns the first and the last frame of which there are events.
    fn kept_frames(&self) -> Value {
        let frame = |event: &TraceEvent| event.moment.frame;
        let (first, last) = (self.events().next(), self.events().next_back());
        json!({ "first": first.map(frame), "last": last.map(frame) })
    }

    pub(crate) fn timeline(&self, wanted: &Wanted) -> Value {
        let begins = self.begins();
        let mut ends = Ends {
            returned: HashMap::new(),
            erred: HashMap::new(),
            unhandled: HashSet::new(),
        };
        for event in self.events() {
            match &event.what {
                Traced::Returned { delivery, .. } => ends.returned.insert(*delivery, event),
                Traced::Erred { delivery, .. } => ends.erred.insert(*delivery, event),
                Traced::Unhandled { .. } => {
                    ends.unhandled.extend(event.send);
                    None
                }
                _ => None,
            };
        }
        let mut lanes = Lanes::default();
        let mut frames: BTreeMap<u64, (f64, Vec<Value>)> = BTreeMap::new();
        let (mut count, mut left_out) = (0, 0);
        let (mut found, mut at) = (0, None);
        let before = wanted.before.unwrap_or(u64::MAX);
        // The newest first, so that the limit leaves out the oldest.
        for event in self.events().rev() {
            let frame = event.moment.frame;
            if frame >= before || !wanted.fits(event) {
                continue;
            }
            let Some((receiver, mut delivery)) = delivery(event, &begins, &ends) else {
                continue;
            };
            let is_left_out = count == wanted.limit;
            // A delivery that is only counted needs no names.
            if !is_left_out || !wanted.search.is_for_all() {
                for field in ["from", "to", "recipient"] {
                    let words = delivery[field].as_str().unwrap_or_default().to_owned();
                    delivery[field] = self.remembered.named(words).into();
                }
            }
            if !wanted.search.fits(&delivery) {
                continue;
            }
            if at.replace(frame) != Some(frame) {
                found += 1;
            }
            if found > wanted.frames {
                break;
            }
            if is_left_out {
                left_out += 1;
                continue;
            }
            count += 1;
            delivery["lane"] = lanes.of(receiver).into();
            let time = event.moment.time.as_secs_f64();
            let entry = frames.entry(frame).or_insert_with(|| (time, Vec::new()));
            entry.1.push(delivery);
        }
        let frames = frames.into_iter().map(|(frame, (time, mut deliveries))| {
            deliveries.reverse();
            json!({
                "frame": frame,
                "time": time,
                "cut": self.cuts.contains(&frame),
                "deliveries": deliveries,
            })
        });
        json!({
            "frames": frames.collect::<Vec<_>>(),
            "lanes": lanes.told,
            "left_out": left_out,
            "kept": self.kept_frames(),
        })
    }
}

/// Returns a delivery, or a send that reached nobody, with the messagee in whose lane it belongs.
fn delivery(
    event: &TraceEvent,
    begins: &HashMap<TraceId, &TraceEvent>,
    ends: &Ends<'_>,
) -> Option<(Option<MessageeId>, Value)> {
    let send = event.send.and_then(|send| begins.get(&send)).copied();
    let cause = match send.map(|send| &send.what) {
        Some(Traced::Sent { cause, .. }) => *cause,
        _ => None,
    };
    let nanoseconds = |time: std::time::Duration| u64::try_from(time.as_nanos()).unwrap_or(0);
    let at = nanoseconds(event.wall);
    let mut all = json!({
        "send": event.send.map(TraceId::get),
        "cause": cause.map(TraceId::get),
        "message": event.message,
        "short": short(event.message),
        "from": event.sender.to_string(),
        "recipient": event.recipient.to_string(),
        "at_ns": at,
        "took_ns": Value::Null,
        "component": Value::Null,
        "handler": Value::Null,
        "unheard": false,
    });
    let lane = match &event.what {
        Traced::Called {
            delivery,
            receiver,
            handler,
            ..
        } => {
            let returned = ends.returned.get(delivery);
            let outcome = match returned.map(|it| &it.what) {
                Some(Traced::Returned { outcome, .. }) => Some(outcome),
                _ => None,
            };
            let erred = ends.erred.get(delivery);
            let bad = erred.is_some()
                || matches!(outcome, Some(TraceOutcome::Failed | TraceOutcome::Panicked));
            let text = match (erred, outcome) {
                (Some(erred), _) => why(erred).map(|why| format!("failed: {why}")),
                (None, outcome) => outcome.map(ToString::to_string),
            };
            all["id"] = delivery.get().into();
            all["to"] = receiver.to_string().into();
            if let Receiver::Component { component, .. } = receiver {
                all["component"] = (*component).into();
            }
            all["handler"] = (*handler).into();
            all["took_ns"] = returned
                .map(|it| nanoseconds(it.wall).saturating_sub(at))
                .into();
            all["outcome"] = text.unwrap_or_else(|| "unknown".to_owned()).into();
            all["bad"] = bad.into();
            receiver.messagee()
        }
        Traced::Refused { .. } | Traced::Died { .. } => {
            all["id"] = event.send?.get().into();
            all["outcome"] = why(event).into();
            all["bad"] = true.into();
            nobody(event, &mut all)
        }
        Traced::Unhandled { messagee, .. } => {
            all["id"] = event.send?.get().into();
            all["outcome"] = why(event).into();
            all["bad"] = true.into();
            all["unheard"] = true.into();
            all["to"] = format!("messagee {messagee}").into();
            Some(*messagee)
        }
        Traced::Settled { .. } if reached_nobody(event) => {
            let send = event.send.filter(|send| !ends.unhandled.contains(send))?;
            all["id"] = send.get().into();
            let why = why(event);
            all["outcome"] = why
                .map_or("nobody received it".to_owned(), |why| {
                    format!("nobody received it: {why}")
                })
                .into();
            all["bad"] = true.into();
            all["unheard"] = true.into();
            nobody(event, &mut all)
        }
        _ => return None,
    };
    Some((lane, all))
}

/// Fills in the recipient of a send that reached nobody. Returns the messagee in whose lane it belongs.
fn nobody(event: &TraceEvent, all: &mut Value) -> Option<MessageeId> {
    all["to"] = event.recipient.to_string().into();
    match event.recipient {
        Recipient::Me => event.sender.id(),
        recipient => messagee_of(recipient),
    }
}
