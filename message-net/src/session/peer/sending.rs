//! Sending: determines the frames that are due to another node and passes them to the link.

use std::time::Duration;

use super::{Answer, Me, Peer, Tell};
use crate::link::{Frame, Link, LinkError};
use crate::session::event::Refusal;
use crate::session::frame;

impl Peer {
    /// Sends the frames that are due.
    pub(in crate::session) fn send(&mut self, me: &Me, link: &mut dyn Link, tell: &mut Tell) {
        let now = tell.now;
        let is_due = self.calling && self.present && self.next_hello <= now;
        if is_due && self.answer == Answer::None {
            self.answer = Answer::Hello;
        }
        let answer = std::mem::replace(&mut self.answer, Answer::None);
        if answer != Answer::None && self.say(answer, me, link, tell) && self.calling {
            self.next_hello = now + self.hello_wait;
            self.hello_wait = (self.hello_wait * 2).min(me.config.max_hello_wait);
        }
        self.send_data(me, link, tell);
    }

    pub(super) fn send_data(&mut self, me: &Me, link: &mut dyn Link, tell: &mut Tell) {
        let (now, config) = (tell.now, &me.config);
        let room = me.max_frame.saturating_sub(frame::HEADER);
        let mut from = 0;
        while let Some(live) = &self.live {
            let load = if live.unreachable {
                None
            } else {
                live.outbox.due(from, room, now, config)
            };
            let is_due = |said: Duration| now.saturating_sub(said) >= config.heartbeat;
            let is_idle = from == 0 && live.said.is_none_or(is_due);
            let owes = live.inbox.owes(now, config.ack_delay) && !live.unreachable;
            if load.is_none() && !is_idle && !owes {
                return;
            }
            let frame = live.frame(me, load.as_ref());
            if !self.hand_over(frame, me, link, tell) {
                return;
            }
            let Some(live) = &mut self.live else { return };
            live.said = Some(now);
            live.inbox.told();
            let Some(load) = load else { return };
            let (behind, resent) = live.outbox.sent(&load, now, config);
            tell.counters.resent += resent;
            from = behind;
        }
    }

    /// Passes a frame to the link. Returns `true` if the link accepted it.
    pub(super) fn hand_over(
        &mut self,
        frame: Frame,
        me: &Me,
        link: &mut dyn Link,
        tell: &mut Tell,
    ) -> bool {
        let len = frame.len() as u64;
        match link.send(&self.name, frame) {
            Ok(()) => {
                tell.counters.frames_sent += 1;
                tell.counters.bytes_sent += len;
                true
            }
            Err(LinkError::Full | LinkError::Unknown(_)) => {
                tell.counters.not_taken += 1;
                false
            }
            Err(error @ (LinkError::TooLong { .. } | LinkError::Ended(_))) => {
                tell.counters.not_taken += 1;
                let (now, interval) = (tell.now, me.config.report_interval);
                let (peer, what) = (Some(&self.name), || error.to_string());
                let told = self.reports.add(peer, Refusal::Link, what, now, interval);
                tell.events.extend(told);
                false
            }
        }
    }
}
