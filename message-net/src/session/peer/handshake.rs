//! The handshake with another node: hellos, their answers, and other runs with the same name.

use std::cmp::Ordering;

use super::live::Live;
use super::{Answer, Me, Peer, Rival, Tell, two_of_one_name};
use crate::link::Link;
use crate::session::event::DownReason;
use crate::session::frame::{Body, Frame, Hello};
use crate::session::inbox::Inbox;
use crate::session::outbox::Outbox;

impl Peer {
    pub(super) fn hello(
        &mut self,
        run: u64,
        hello: Hello,
        asks: bool,
        me: &Me,
        tell: &mut Tell<'_>,
    ) {
        if hello.seen.is_some_and(|(run, _)| run != me.run) {
            // The hello is for an earlier run of this node.
            tell.counters.late += 1;
            if self.live.is_none() {
                self.answer = Answer::Hello;
            }
            return;
        }
        let Some(live) = &self.live else {
            return self.answered(run, hello, asks, me, tell);
        };
        if run != live.run {
            return self.rival(run, hello, asks, me, tell);
        }
        match hello.tag.cmp(&live.tag) {
            Ordering::Less => tell.counters.late += 1,
            Ordering::Equal => {
                self.sign_of_life(me, tell);
                if asks {
                    self.answer = Answer::Welcome;
                }
            }
            Ordering::Greater => {
                self.end(DownReason::GivenUp, me, tell);
                self.answered(run, hello, asks, me, tell);
            }
        }
    }

    /// Handles a hello while there is no session.
    fn answered(&mut self, run: u64, hello: Hello, asks: bool, me: &Me, tell: &mut Tell<'_>) {
        if let Some((known, tag)) = self.known
            && known == run
            && hello.tag < tag
        {
            tell.counters.late += 1;
            return;
        }
        self.known = Some((run, hello.tag));
        if !self.calling {
            self.call(me, tell.now);
        }
        let seen = hello.seen.map_or(0, |(_, tag)| tag);
        if seen > self.tag {
            // This side has forgotten the peer, but the peer has not forgotten this side.
            self.tag = seen + 1;
        }
        if seen == self.tag {
            self.begin(run, hello, me, tell);
            if asks {
                self.answer = Answer::Welcome;
            }
        } else if asks {
            self.answer = Answer::Hello;
        }
    }

    /// Handles a hello of another run while there is a session: either the peer has restarted and its earlier
    /// run is silent, or two nodes have the same name.
    fn rival(&mut self, run: u64, hello: Hello, asks: bool, me: &Me, tell: &mut Tell<'_>) {
        let now = tell.now;
        let Some(live) = &self.live else { return };
        if hello.seen == Some((me.run, live.epoch + 1)) {
            // The rival has answered the challenge, so it is alive.
            self.end(DownReason::Restarted, me, tell);
            self.answered(run, hello, asks, me, tell);
            return;
        }
        let silence = now.saturating_sub(live.heard);
        if asks && (live.unreachable || silence >= me.config.unreachable_after) {
            self.answer = Answer::Challenge;
        }
        let first = match &self.rival {
            Some(rival) if rival.run == run => rival.first,
            _ => now,
        };
        self.rival = Some(Rival {
            run,
            tag: hello.tag,
            first,
            last: now,
        });
    }

    /// Begins the session after the handshake.
    fn begin(&mut self, run: u64, hello: Hello, me: &Me, tell: &mut Tell<'_>) {
        if let Some(old) = self.old.take() {
            let told = hello.accepted.filter(|(epoch, _)| *epoch == old.epoch);
            // If the hello does not mention the epoch, the peer has accepted nothing in it.
            let accepted = told.map_or(0, |(_, number)| number);
            self.lost(&old.batches, accepted, old.run == run, tell);
        }
        let mut outbox = Outbox::default();
        outbox.push(me.hello.clone(), 0, me.max_frame);
        self.live = Some(Live {
            run,
            tag: hello.tag,
            epoch: self.tag.max(hello.tag),
            outbox,
            inbox: Inbox::default(),
            up: false,
            unreachable: false,
            went: None,
            heard: tell.now,
            said: None,
            max_batch: hello.max_batch,
        });
        self.calling = false;
        self.rival = None;
    }

    /// Sends an answer. Returns `true` if the link accepted it.
    pub(super) fn say(
        &mut self,
        answer: Answer,
        me: &Me,
        link: &mut dyn Link,
        tell: &mut Tell<'_>,
    ) -> bool {
        let what;
        let body = match (answer, &self.live) {
            (Answer::Hello, None) => Body::Hello(self.my_hello(self.tag, self.known, me)),
            (Answer::Welcome, Some(live)) => {
                Body::Welcome(self.my_hello(self.tag, Some((live.run, live.tag)), me))
            }
            (Answer::Challenge, Some(live)) => {
                let seen = self.rival.as_ref().map(|rival| (rival.run, rival.tag));
                Body::Hello(self.my_hello(live.epoch + 1, seen, me))
            }
            (Answer::Refuse, Some(live)) => {
                let Some(rival) = &self.rival else {
                    return false;
                };
                what = two_of_one_name(&self.name, (live.run, rival.run));
                Body::Refuse {
                    to_run: rival.run,
                    why: &what,
                }
            }
            // The state has changed in the meantime.
            _ => return false,
        };
        let mut bytes = Vec::new();
        let (from, run) = (me.name.as_str(), me.run);
        Frame { from, run, body }.write(&mut bytes);
        self.hand_over(bytes.into(), me, link, tell)
    }

    fn my_hello(&self, tag: u64, seen: Option<(u64, u64)>, me: &Me) -> Hello {
        let accepted = self
            .accepted
            .filter(|(run, ..)| seen.is_some_and(|seen| seen.0 == *run));
        Hello {
            tag,
            seen,
            accepted: accepted.map(|(_, epoch, number)| (epoch, number)),
            max_batch: me.config.max_batch as u64,
        }
    }
}
