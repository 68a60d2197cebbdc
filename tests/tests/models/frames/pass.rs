//! The naive model's way through a frame: from one delivery, or dead letter, to the next that there
//! has to be.

use std::time::Duration;

use message_core::Envelope;
use message_core::lifecycle::DeadLetter;
use message_core::prelude::*;

use super::message::{Kind, read};
use super::naive::{Model, Post, Wait};
use super::people::{Audience, Part};

/// A post that is being delivered.
pub(crate) struct Current {
    post: Post,
    audience: Audience,
    got: usize,
}

impl Current {
    pub(crate) fn number(&self) -> u64 {
        self.post.number
    }
}

/// A dead letter that has to come.
#[derive(Debug)]
pub(crate) struct Letter {
    post: Post,
    got: usize,
    /// As the reason prints itself.
    why: String,
    has_message: bool,
    /// The moment at which it was due, if that is known.
    due: Option<(u64, u64)>,
}

impl Model {
    /// Begins a frame, and returns how many fixed steps were left out.
    pub(crate) fn begin_frame(&mut self, dt: Duration) -> u64 {
        let skipped = self.clock.begin_frame(dt);
        for post in &mut self.posts {
            let begins = post.plan.wait == Wait::Frames && post.due <= self.clock.frame();
            if begins && post.ready.is_none() {
                post.ready = Some(self.clock.now());
            }
        }
        (self.delivered, self.buried) = (0, 0);
        skipped
    }

    /// Checks that the component called is the next one expected.
    pub(crate) fn hear(
        &mut self,
        part: Part,
        (kind, number, heard): (Kind, u64, u32),
        told: Option<(MessageeId, Envelope)>,
    ) {
        let (current, at) = loop {
            assert!(self.letters.is_empty(), "untold: {:?}", self.letters);
            if let Some(current) = &self.current
                && let Some(at) = next_of(current, part)
            {
                break (self.current.as_mut().expect("it is there"), at);
            }
            assert!(self.go_on(), "nothing more is due");
        };
        let (id, expected) = current.audience.parts.remove(at);
        let post = &mut current.post;
        assert_eq!(part, expected, "{number} came for {post:?}");
        assert_eq!(
            (kind, number, heard),
            (post.plan.kind, post.number, post.heard),
            "for {post:?}"
        );
        post.heard += 1;
        current.got += usize::from(part.accepts(kind, number));
        self.heard += 1;
        if let Some((me, envelope)) = told {
            assert_eq!(me, id);
            let current = self.current.as_ref().expect("it is there");
            check_envelope(&envelope, &current.post, self.due_of(&current.post));
        }
        self.skip_leaving();
    }

    /// Checks a dead letter that the manager has reported: it must be the next one expected.
    pub(crate) fn read(&mut self, told: &DeadLetter) {
        let letter = loop {
            if let Some(letter) = self.letters.pop_front() {
                break letter;
            }
            assert!(self.go_on(), "nobody is missing: {told}");
        };
        let post = &letter.post;
        let why = format!("{:?}", told.why);
        assert_eq!((&why, told.got), (&letter.why, letter.got), "{letter:?}");
        assert_eq!(told.name, post.plan.kind.name());
        assert_eq!(told.wanted, post.plan.require as usize);
        let message = told.message.as_deref().map(read);
        let expected = letter.has_message.then_some((post.number, post.heard));
        assert_eq!(message, expected, "{letter:?}");
        check_envelope(&told.envelope, post, letter.due);
        self.buried += 1;
    }

    /// Finishes the planned passes: nothing more may be expected of them.
    pub(crate) fn end(&mut self) {
        while self.go_on() {
            assert!(self.letters.is_empty(), "untold: {:?}", self.letters);
        }
    }

    /// Ends the outermost send: despawned messagees go, and spawned ones come alive.
    pub(crate) fn settle(&mut self) {
        self.people.settle_births();
        for id in std::mem::take(&mut self.doomed) {
            for gone in self.people.despawn(id) {
                self.bury_bound(gone);
            }
        }
    }

    /// Finishes the current post and begins the next one that is due. Returns `false` if there is none.
    fn go_on(&mut self) -> bool {
        if let Some(current) = self.current.take() {
            assert!(
                current.audience.parts.is_empty(),
                "{:?} was not heard by {:?}",
                current.post,
                current.audience.parts
            );
            self.finish(current);
            return true;
        }
        loop {
            let due = self.posts.iter().filter(|post| post.in_pass);
            if let Some(next) = due.min_by_key(|post| post.order()) {
                let number = next.number;
                self.begin(number);
                return true;
            }
            self.clock.in_fixed = false;
            self.pass = self.planned.pop_front();
            let Some(stage) = self.pass else { return false };
            self.begin_pass(stage);
        }
    }

    fn begin_pass(&mut self, stage: Stage) {
        if stage == Stage::FixedUpdate {
            self.clock.begin_fixed_pass();
        }
        for post in &mut self.posts {
            post.in_pass = post.plan.stage == stage
                && (post.ready.is_some()
                    || match post.plan.wait {
                        Wait::Time => post.due <= self.clock.now(),
                        Wait::Unscaled => post.due <= self.clock.unscaled(),
                        Wait::Frames => false,
                    });
        }
    }

    fn begin(&mut self, number: u64) {
        let at = self.posts.iter().position(|post| post.number == number);
        let at = at.expect("it is pending");
        if self.posts[at].plan.period.is_some() {
            let frame = self.clock.frame();
            let most = self.most_repeats;
            let post = &mut self.posts[at];
            let (last, times) = post.in_frame;
            let times = if last == frame { times } else { 0 };
            if times == most {
                return self.leave_out(at);
            }
            post.in_frame = (frame, times + 1);
        }
        // A message that comes again is pending while it is delivered.
        let post = if self.posts[at].left == Some(1) {
            self.posts.remove(at)
        } else {
            self.posts[at].clone()
        };
        self.delivered += 1;
        let plan = &post.plan;
        match self.people.audience(plan.to, plan.sender, plan.kind) {
            Ok(audience) => {
                let got = 0;
                self.current = Some(Current {
                    post,
                    audience,
                    got,
                });
                self.skip_leaving();
            }
            Err(why) => {
                if why.starts_with("Gone") {
                    // It will never be back, so what repeats ends.
                    self.posts.retain(|post| post.number != number);
                }
                self.repeat(&post);
                self.bury(post, 0, why);
            }
        }
    }

    /// Skips the deliveries that are already due, one after the other.
    fn leave_out(&mut self, at: usize) {
        let clock = &self.clock;
        let post = &mut self.posts[at];
        let reached = match post.plan.wait {
            Wait::Time => clock.now(),
            Wait::Unscaled => clock.unscaled(),
            Wait::Frames => clock.frame(),
        };
        let period = post.plan.period.expect("it repeats");
        while post.due <= reached && post.left != Some(0) {
            post.due += period;
            post.left = post.left.map(|left| left - 1);
            self.skipped += 1;
        }
        (post.in_pass, post.ready) = (false, None);
        if post.left == Some(0) {
            self.posts.remove(at);
        }
    }

    /// Records a panic of a component: no other receiver hears the message, and the pass ends.
    pub(crate) fn panicked(&mut self) {
        let mut current = self.current.take().expect("somebody hears");
        // It has not come to counting that.
        current.post.heard -= 1;
        self.repeat(&current.post);
        self.clock.in_fixed = false;
        self.pass = None;
        self.planned.clear();
        for post in &mut self.posts {
            post.in_pass = false;
        }
        self.settle();
        self.panics += 1;
    }

    /// Removes messagees that were despawned meanwhile: they are no longer called.
    pub(crate) fn skip_leaving(&mut self) {
        if let Some(current) = &mut self.current {
            let people = &self.people;
            let parts = &mut current.audience.parts;
            parts.retain(|(id, _)| !people.is_leaving(*id));
        }
    }

    fn finish(&mut self, current: Current) {
        let Current {
            post,
            audience,
            got,
        } = current;
        let (plan, can_hear) = (&post.plan, audience.can_hear);
        self.repeat(&post);
        if got < plan.require as usize {
            let why = self.people.why_too_few(plan.to, got, can_hear);
            self.bury(post, got, why);
        }
        self.settle();
    }

    /// Schedules the next delivery of a repeating post, unless it was cancelled meanwhile.
    fn repeat(&mut self, done: &Post) {
        let Some(period) = done.plan.period else {
            return;
        };
        let mut posts = self.posts.iter_mut();
        let Some(post) = posts.find(|post| post.number == done.number) else {
            return;
        };
        post.heard = done.heard;
        post.left = post.left.map(|left| left - 1);
        post.due += period;
        post.ready = None;
        let (clock, due) = (&self.clock, post.due);
        post.in_pass = match post.plan.wait {
            Wait::Time => due <= clock.now(),
            Wait::Unscaled => due <= clock.unscaled(),
            Wait::Frames => due <= clock.frame(),
        };
        if post.plan.wait == Wait::Frames && post.in_pass {
            // Its frame has begun before this pass, which comes late.
            post.ready = Some(clock.beginning_of(due));
        }
    }

    fn bury(&mut self, post: Post, got: usize, why: String) {
        let due = self.due_of(&post);
        // A message that was to come again is not given away, unless its recipient is gone.
        let ends = post.left == Some(1) || why.starts_with("Gone");
        let has_message = ends || post.plan.kind.is_clone();
        self.letters.push_back(Letter {
            post,
            got,
            why,
            has_message,
            due,
        });
    }

    fn bury_bound(&mut self, sender: MessageeId) {
        let ends = |post: &mut Post| post.plan.bound && post.plan.sender == Some(sender);
        for post in self.posts.extract_if(.., ends) {
            self.letters.push_back(Letter {
                got: 0,
                why: format!("SenderDespawned {{ id: {sender:?} }}"),
                has_message: true,
                due: None,
                post,
            });
        }
    }

    /// Returns the time and the frame at which the post being delivered was due.
    fn due_of(&self, post: &Post) -> Option<(u64, u64)> {
        Some(match (post.plan.wait, post.ready) {
            (Wait::Frames, since) => (since?, post.due),
            (_, Some(since)) => (since, post.posted.frame),
            (_, None) => (post.due, self.clock.frame()),
        })
    }
}

fn check_envelope(envelope: &Envelope, post: &Post, due: Option<(u64, u64)>) {
    let plan = &post.plan;
    assert_eq!(envelope.sender, post.sender());
    assert_eq!(envelope.recipient, plan.to);
    assert_eq!(envelope.stage, plan.stage);
    assert_eq!(envelope.tags, plan.tags);
    assert_eq!(envelope.posted, post.posted);
    if let Some((time, frame)) = due {
        assert_eq!(envelope.due.time, Duration::from_nanos(time), "{post:?}");
        assert_eq!(envelope.due.frame, frame, "{post:?}");
    }
}

/// Returns which of the remaining receivers of a message hears it now: the first, unless the order is
/// that of the storage.
fn next_of(current: &Current, part: Part) -> Option<usize> {
    let mut parts = current.audience.parts.iter();
    if current.audience.any_order {
        parts.position(|(_, other)| *other == part)
    } else {
        parts.next().map(|_| 0)
    }
}
