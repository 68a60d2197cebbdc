//! Limits on a peer: a meter for what it sends, and reports that cannot flood.

use std::collections::BTreeMap;
use std::time::Duration;

use super::config::SessionConfig;
use super::event::{Refusal, SessionEvent};
use crate::name::NodeName;

/// The frames and bytes of the second that began at `since`.
#[derive(Debug, Default)]
pub(super) struct Meter {
    since: Duration,
    frames: u64,
    bytes: u64,
}

impl Meter {
    /// Counts a frame. Returns `false` if it exceeds the limits.
    pub(super) fn passes(&mut self, len: usize, now: Duration, config: &SessionConfig) -> bool {
        if now.saturating_sub(self.since) >= Duration::from_secs(1) || now < self.since {
            *self = Self {
                since: now,
                ..Self::default()
            };
        }
        self.frames += 1;
        self.bytes += len as u64;
        self.frames <= config.frames_per_second && self.bytes <= config.bytes_per_second
    }
}

/// The refusals of one sender, and when they were last reported.
#[derive(Debug, Default)]
pub(crate) struct Reports {
    kinds: BTreeMap<Refusal, Report>,
}

#[derive(Debug, Default)]
struct Report {
    /// When the last refusal was reported.
    told: Option<Duration>,
    /// The number of refusals since then.
    count: u64,
}

impl Reports {
    /// Counts a refusal, and returns the report if one is due.
    pub(crate) fn add(
        &mut self,
        peer: Option<&NodeName>,
        kind: Refusal,
        what: impl FnOnce() -> String,
        now: Duration,
        interval: Duration,
    ) -> Option<SessionEvent> {
        let report = self.kinds.entry(kind).or_default();
        report.count += 1;
        if report
            .told
            .is_some_and(|told| now.saturating_sub(told) < interval)
        {
            return None;
        }
        report.told = Some(now);
        Some(SessionEvent::Refused {
            peer: peer.cloned(),
            kind,
            what: what(),
            count: std::mem::take(&mut report.count),
        })
    }
}
