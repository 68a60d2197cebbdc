//! The handshake with another node: hellos, their answers, and other runs with the same name.

use std::time::Duration;

use super::live::Live;
use super::{Answer, Me, Peer, Rival, Tell, two_of_one_name};
use crate::link::Link;
use crate::session::event::DownReason;
use crate::session::frame::{Body, Frame, Hello, Tags};
use crate::session::inbox::Inbox;
use crate::session::outbox::Outbox;

impl Peer {
    pub(super) fn hello(&mut self, run: u64, hello: Hello, asks: bool, me: &Me, tell: &mut Tell) {
        if self.refuses(run) {
            tell.counters.late += 1;
            return;
        }
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
        let (is_same_run, tag) = (run == live.run, live.tags.from);
        if let (Some((_, seen)), Some(next)) = (hello.seen, self.next_tag)
            && seen == next
        {
            // It answers the challenge, so its sender is alive and has no other session with this node.
            let why = if is_same_run {
                DownReason::GivenUp
            } else {
                DownReason::Restarted
            };
            self.end(why, me, tell);
            self.answered(run, hello, asks, me, tell);
        } else if !is_same_run {
            self.rival(run, hello, asks, tell);
        } else if hello.tag != tag {
            // The peer has ended the session, or somebody says so, or the hello is late.
            if asks {
                self.answer = Answer::Challenge(run, hello.tag);
            }
        } else {
            self.sign_of_life(me, tell);
            if asks {
                self.answer = Answer::Welcome;
            }
        }
    }

    /// Handles a hello while there is no session.
    fn answered(&mut self, run: u64, hello: Hello, asks: bool, me: &Me, tell: &mut Tell) {
        let before = self.known.replace((run, hello.tag));
        if before.is_some_and(|(known, tag)| known == run && hello.tag < tag) {
            // Either this hello is late, or the earlier one was not of the peer. Which one is unknown, so both
            // must name a new tag of this side: the sender of the earlier one may know what was accepted.
            tell.counters.late += 1;
            self.tag = tell.tags.issue();
        }
        if !self.calling {
            self.call(me, tell.now);
        }
        if hello.seen == Some((me.run, self.tag)) {
            self.begin(run, hello, me, tell);
            if asks {
                self.answer = Answer::Welcome;
            }
        } else if asks {
            self.answer = Answer::Hello;
        }
    }

    /// Handles the question whether this node has sent a hello. If it has, it says hello again, and names the tag
    /// of the question.
    pub(super) fn challenged(&mut self, run: u64, tags: Tags, tell: &mut Tell) {
        if self.live.is_some() || tags.to != self.tag {
            tell.counters.late += 1;
            return;
        }
        self.known = Some((run, tags.from));
        self.answer = Answer::Hello;
    }

    /// Handles a hello of another run while there is a session: either the peer has restarted and its earlier
    /// run is silent, or two nodes have the same name.
    fn rival(&mut self, run: u64, hello: Hello, asks: bool, tell: &Tell) {
        let now = tell.now;
        let Some(live) = &self.live else { return };
        if asks && live.unreachable {
            self.answer = Answer::Challenge(run, hello.tag);
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
    fn begin(&mut self, run: u64, hello: Hello, me: &Me, tell: &mut Tell) {
        if let Some(old) = self.old.take() {
            // Another run cannot know. If the hello does not mention the session, the peer has accepted nothing
            // in it.
            let knows = old.run == run;
            let told = hello
                .accepted
                .filter(|(tag, _)| knows && *tag == old.tags.to);
            let accepted = told.map_or(0, |(_, number)| number);
            self.lost(&old, accepted, knows, tell);
        }
        let mut outbox = Outbox::default();
        outbox.push(&me.hello, 0, me.max_frame);
        self.live = Some(Live {
            run,
            tags: Tags {
                from: hello.tag,
                to: self.tag,
            },
            outbox,
            inbox: Inbox::default(),
            up: false,
            unreachable: false,
            went: None,
            is_heard: true,
            silence: Duration::ZERO,
            complete: tell.now,
            said: None,
            max_batch: hello.max_batch,
        });
        self.calling = false;
        (self.rival, self.refused) = (None, None);
    }

    /// Sends an answer. Returns `true` if the link accepted it.
    pub(super) fn say(
        &mut self,
        answer: Answer,
        me: &Me,
        link: &mut dyn Link,
        tell: &mut Tell,
    ) -> bool {
        let what;
        let body = match (answer, &self.live) {
            (Answer::Hello, None) => Body::Hello(self.my_hello(self.tag, self.known, me)),
            (Answer::Welcome, Some(live)) => {
                Body::Welcome(self.my_hello(self.tag, Some((live.run, live.tags.from)), me))
            }
            (Answer::Challenge(to_run, to), Some(_)) => {
                let from = *self.next_tag.get_or_insert_with(|| tell.tags.issue());
                let tags = Tags { from, to };
                Body::Challenge { to_run, tags }
            }
            (Answer::Refuse, Some(live)) => {
                let Some(rival) = &self.rival else {
                    return false;
                };
                what = two_of_one_name(&self.name, (live.run, rival.run));
                Body::Refuse {
                    to_run: rival.run,
                    tags: None,
                    why: &what,
                }
            }
            (Answer::RefuseRun(tags), None) => {
                let Some(refused) = &self.refused else {
                    return false;
                };
                Body::Refuse {
                    to_run: refused.run,
                    tags: Some(tags),
                    why: &refused.why,
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
            accepted: accepted.map(|(_, tag, number)| (tag, number)),
            max_batch: me.config.max_batch as u64,
        }
    }
}
