//! The state of a world at a glance.

use std::sync::atomic::Ordering;

use serde_json::{Value, json};

use super::{History, short};
use crate::shared::Slot;

impl History {
    pub(crate) fn now(&self, slot: &Slot) -> Value {
        let Self {
            reading, counts, ..
        } = self;
        let mut types: Vec<_> = counts.by_type.values().collect();
        types.sort_by(|a, b| {
            let order = b.spark.back().cmp(&a.spark.back());
            order
                .then(b.total.cmp(&a.total))
                .then(a.message.cmp(b.message))
        });
        let rate: u64 = types.iter().filter_map(|of| of.spark.back()).sum();
        let messages = types.iter().map(|of| {
            json!({
                "message": of.message,
                "short": short(of.message),
                "total": of.total,
                "rate": of.spark.back().copied().unwrap_or(0),
                "spark": of.spark,
            })
        });
        json!({
            "frame": reading.frame,
            "time": reading.time,
            "scale": reading.scale,
            "paused": reading.paused,
            "stepping": reading.stepping,
            "broke": reading.broke,
            "fps": counts.fps,
            "messagees": reading.messagees,
            "pending": reading.pending,
            "delivered": counts.total,
            "rate": rate,
            "failures": reading.failures,
            "dead_letters": reading.dead_letters,
            "skipped_repeats": reading.skipped_repeats,
            "messages": messages.collect::<Vec<_>>(),
            "sampling": {
                "count_every": reading.every,
                "trace_every": reading.every,
                "budget": reading.budget,
                "complete": reading.complete,
                "foreign": reading.foreign,
            },
            "dropped": {
                "events": self.missed,
                "batches": slot.dropped_batches.load(Ordering::Relaxed),
                "commands": slot.dropped_jobs.load(Ordering::Relaxed),
            },
        })
    }
}
