//! The number of deliveries of each message type, second by second.

use std::collections::{HashMap, VecDeque};
use std::time::Instant;

use message_core::MessageId;

/// How many seconds are kept.
const SECONDS: usize = 60;

#[derive(Debug)]
pub(super) struct Count {
    pub(super) message: &'static str,
    pub(super) total: u64,
    /// How many of the deliveries were traced.
    traced: u64,
    now: u64,
    pub(super) spark: VecDeque<u64>,
}

#[derive(Debug)]
pub(super) struct Counts {
    pub(super) by_type: HashMap<MessageId, Count>,
    pub(super) total: u64,
    /// When this second began, and how many frames it has had.
    began: Instant,
    frames: u64,
    last_frame: Option<u64>,
    pub(super) fps: f64,
}

impl Default for Counts {
    fn default() -> Self {
        Self {
            by_type: HashMap::new(),
            total: 0,
            began: Instant::now(),
            frames: 0,
            last_frame: None,
            fps: 0.0,
        }
    }
}

impl Counts {
    fn of(&mut self, id: MessageId, message: &'static str) -> &mut Count {
        self.by_type.entry(id).or_insert_with(|| Count {
            message,
            total: 0,
            traced: 0,
            now: 0,
            spark: VecDeque::new(),
        })
    }

    pub(super) fn add(&mut self, id: MessageId, message: &'static str, count: u64) {
        self.total += count;
        let of = self.of(id, message);
        of.total += count;
        of.now += count;
    }

    pub(super) fn trace(&mut self, id: MessageId) {
        if let Some(of) = self.by_type.get_mut(&id) {
            of.traced += 1;
        }
    }

    pub(super) fn frame(&mut self, frame: u64) {
        let last = self.last_frame.replace(frame).unwrap_or(frame);
        self.frames += frame.saturating_sub(last);
    }

    #[allow(clippy::cast_precision_loss, reason = "2^53 deliveries are many")]
    pub(super) fn weight(&self, id: MessageId) -> f64 {
        let of = self.by_type.get(&id).filter(|of| of.traced > 0);
        of.map_or(1.0, |of| (of.total as f64 / of.traced as f64).max(1.0))
    }

    /// Ends a second, which may have been a little longer.
    #[allow(clippy::cast_precision_loss, reason = "2^53 frames are many")]
    pub(super) fn second(&mut self) {
        let passed = self.began.elapsed().as_secs_f64().max(0.001);
        self.began = Instant::now();
        self.fps = std::mem::take(&mut self.frames) as f64 / passed;
        for of in self.by_type.values_mut() {
            if of.spark.len() >= SECONDS {
                of.spark.pop_front();
            }
            of.spark.push_back(std::mem::take(&mut of.now));
        }
    }
}
