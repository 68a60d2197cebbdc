//! The ids of sends and deliveries for programs that follow requests through several processes.
//!
//! A send or a delivery has the trace id of its cause; without a cause, it begins a trace. Its span id follows from its
//! number. So what is kept is one trace id for each of the last numbers.

use std::collections::VecDeque;
use std::hash::{BuildHasher, RandomState};

use message_core::trace::{TraceContext, TraceEvent, TraceId, Traced};

/// The number of sends and deliveries whose traces are known. An effect of an earlier one begins a trace.
const MOST: usize = 1 << 16;

/// The traces of the last sends and deliveries.
#[derive(Debug, Default)]
pub(crate) struct Contexts {
    /// The traces by number, in ascending order.
    traces: VecDeque<(TraceId, [u8; 16])>,
    /// Makes the ids different from those of other managers and runs.
    seed: RandomState,
}

/// The ids of an event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ids {
    pub(crate) own: TraceContext,
    /// The span of its cause.
    pub(crate) parent: Option<[u8; 8]>,
}

impl Contexts {
    /// Returns the ids of an event. Takes note of it if a send, an arrival or a delivery begins with it.
    pub(crate) fn ids(&mut self, event: &TraceEvent) -> Option<Ids> {
        let number = event.what.delivery().or(event.send)?;
        let (cause, from) = match &event.what {
            Traced::Arrived { of } => (None, of.context),
            _ => (event.cause().filter(|&cause| cause != number), None),
        };
        let parent = from.or_else(|| self.of(cause?));
        let own = self.of(number).unwrap_or_else(|| {
            let trace = parent.map_or_else(|| self.new_trace(number), |parent| parent.trace);
            if event.begun().is_some() {
                self.keep(number, trace);
            }
            let span = self.span(number);
            TraceContext { trace, span }
        });
        let parent = parent.map(|parent| parent.span);
        Some(Ids { own, parent })
    }

    /// Returns the ids of a send or a delivery, if it is known.
    pub(crate) fn of(&self, number: TraceId) -> Option<TraceContext> {
        let at = self
            .traces
            .binary_search_by_key(&number, |(known, _)| *known);
        let (_, trace) = self.traces[at.ok()?];
        let span = self.span(number);
        Some(TraceContext { trace, span })
    }

    fn keep(&mut self, number: TraceId, trace: [u8; 16]) {
        // Numbers ascend, unless the manager was traced by another sink in the meantime.
        while self.traces.back().is_some_and(|(last, _)| *last >= number) {
            self.traces.pop_back();
        }
        if self.traces.len() >= MOST {
            self.traces.pop_front();
        }
        self.traces.push_back((number, trace));
    }

    fn span(&self, number: TraceId) -> [u8; 8] {
        // No id is zero.
        (self.seed.hash_one(number) | 1).to_be_bytes()
    }

    fn new_trace(&self, number: TraceId) -> [u8; 16] {
        let halves = [1_u8, 2].map(|half| self.seed.hash_one((number, half)));
        let [high, low] = halves.map(u128::from);
        (high << 64 | low | 1).to_be_bytes()
    }
}
