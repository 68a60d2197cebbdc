//! What keeps a peer from taking too much: a meter of what it sends, and reports that do not flood.

use std::collections::BTreeMap;
use std::time::Duration;

use super::config::SessionConfig;
use super::event::{Refusal, SessionEvent};
use crate::name::NodeName;

/// What has come within the second that began at `since`.
#[derive(Debug, Default)]
pub(super) struct Meter {
    since: Duration,
    frames: u64,
    bytes: u64,
}

impl Meter {
    /// Counts a frame. Returns `false` if it is one too many.
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

/// What was refused of one sender, and when that was told.
#[derive(Debug, Default)]
pub(crate) struct Reports {
    kinds: BTreeMap<Refusal, Report>,
}

#[derive(Debug, Default)]
struct Report {
    /// When the last one was told.
    told: Option<Duration>,
    /// How many there are since then.
    count: u64,
}

impl Reports {
    /// Counts a refusal, and returns what is to be told now.
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
