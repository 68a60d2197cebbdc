//! Why something happened, and everything it led to.

use std::collections::HashMap;

use message_core::trace::{TraceEvent, TraceId, Traced};
use serde_json::{Value, json};

use super::History;

/// The maximum number of consequences that are returned.
const MOST: usize = 500;
/// The maximum length of a chain.
const LONGEST: usize = 1_000;

impl History {
    pub(crate) fn cause(&self, id: u64) -> Option<Value> {
        let begins = self.begins();
        let id = TraceId::new(id).filter(|id| begins.contains_key(id))?;
        let mut chain = Vec::new();
        let mut unknown = None;
        let mut next = Some(id);
        while let Some(at) = next.filter(|_| chain.len() < LONGEST) {
            let Some(&event) = begins.get(&at) else {
                unknown = Some(at);
                break;
            };
            chain.push(event);
            // A cause that was set by hand can be any number.
            next = event.cause().filter(|&next| next < at);
        }
        let send = chain.first()?.send;
        chain.reverse();
        let outcome = self.events().filter(|event| match event.what {
            Traced::Sent { .. } | Traced::Arrived { .. } | Traced::CameBack { .. } => false,
            _ if send.is_none() => event.what.delivery() == Some(id),
            _ => event.send == send,
        });
        let (led_to, left_out) = self.led_to(id);
        Some(json!({
            "id": id.get(),
            "chain": chain.into_iter().map(|it| self.told(it)).collect::<Vec<_>>(),
            "unknown": unknown.map(TraceId::get),
            "outcome": outcome.take(MOST).map(|it| self.told(it)).collect::<Vec<_>>(),
            "led_to": led_to,
            "left_out": left_out,
        }))
    }

    /// Returns the sends and deliveries below one, in depth-first order.
    fn led_to(&self, id: TraceId) -> (Vec<Value>, usize) {
        let mut below: HashMap<TraceId, Vec<(TraceId, &TraceEvent)>> = HashMap::new();
        for event in self.events() {
            if let (Some(above), Some(number)) = (event.cause(), event.begun())
                && above < number
            {
                below.entry(above).or_default().push((number, event));
            }
        }
        let (mut steps, mut left_out) = (Vec::new(), 0);
        let mut ahead = vec![(0, id, None)];
        while let Some((depth, number, event)) = ahead.pop() {
            if let Some(event) = event {
                if steps.len() < MOST {
                    steps.push(json!({ "depth": depth, "event": self.told(event) }));
                } else {
                    left_out += 1;
                }
            }
            let next = below.remove(&number).into_iter().flatten().rev();
            ahead.extend(next.map(|(number, event)| (depth + 1, number, Some(event))));
        }
        (steps, left_out)
    }
}
