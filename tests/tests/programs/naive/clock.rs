//! Frames and posts.

use super::send::{Receipt, Terms};
use super::world::{Id, Life, Message, Sent, World};
use crate::program::{After, Every, FIXED_UPDATE, Head, IMMEDIATE, NO_STAGE, Tie, To, What};
use crate::{ANSWER, FIXED_STEP, MOST_FIXED_STEPS};

const MILLISECOND: u64 = 1_000;

#[derive(Clone, Debug)]
pub(super) struct Post {
    pub(super) number: u64,
    pub(super) message: Message,
    pub(super) sender: Option<Id>,
    pub(super) to: To,
    pub(super) head: Head,
    /// When it is due, on its own clock; not known before its frame begins, if it waits for one.
    pub(super) due: Option<u64>,
    pub(super) due_frame: u64,
    pub(super) left: u64,
}

/// The outcome of a post.
#[derive(Clone, Copy, Debug)]
pub(super) enum Posted {
    Waits(u64),
    Sent(Receipt),
}

fn waits(head: Head) -> bool {
    head.after != After::Now || head.every != Every::Once
}

/// Returns the stage of a post: by default `Immediate`, or `Update` with a delay or a period.
fn stage(head: Head) -> usize {
    match head.stage {
        NO_STAGE if waits(head) => 0,
        NO_STAGE => IMMEDIATE,
        stage => stage,
    }
}

pub(super) fn contradicts_itself(head: Head) -> bool {
    let has_time = matches!(head.after, After::Milliseconds(_))
        || matches!(head.every, Every::Milliseconds(..));
    let by_frames = matches!(head.every, Every::Frames(..));
    let is_pending = matches!(head.tie, Tie::Bound | Tie::IfAlive | Tie::Key);
    (head.unscaled && !has_time)
        || (head.retains && head.every != Every::Once)
        || match stage(head) {
            IMMEDIATE => is_pending || waits(head),
            FIXED_UPDATE => by_frames,
            _ => false,
        }
}

/// Returns when a frame began, if it has.
fn began(frames: &[(u64, u64)], frame: u64) -> Option<u64> {
    let began = frames.iter().find(|(number, _)| *number == frame);
    began.map(|(_, time)| *time)
}

impl World {
    pub(super) fn post(
        &mut self,
        message: Message,
        me: Option<Id>,
        to: To,
        head: Head,
    ) -> Result<Posted, &'static str> {
        if contradicts_itself(head) {
            return Err("Header");
        }
        let requires_sender = matches!(to, To::Myself | To::AllButMe) || head.tie == Tie::Bound;
        if me.is_none() && requires_sender {
            return Err("NoSender");
        }
        let head = Head {
            stage: stage(head),
            ..head
        };
        if head.stage == IMMEDIATE {
            self.hand_over_to_freed();
            let to = self.address(to, me)?;
            let receipt = self.deliver(message, me, to, Terms::of(head));
            return if head.tie == Tie::Require && receipt.received + receipt.pending == 0 {
                Err("NotReceived")
            } else {
                Ok(Posted::Sent(receipt))
            };
        }
        match to {
            To::Bound(_) | To::UpFromBound(_) => {}
            _ => {
                self.resolve(to, me)?;
            }
        }
        if head.tie == Tie::Key {
            self.posts
                .retain(|post| post.head.tie != Tie::Key || post.sender != me);
        }
        self.posted += 1;
        let (mut due, mut due_frame, mut left) = (Some(self.time(head)), self.frame_number, 1);
        match head.after {
            After::Now => {}
            After::Milliseconds(delay) => due = due.map(|due| due + delay * MILLISECOND),
            After::Frames(frames) => (due, due_frame) = (None, self.frame_number + frames),
        }
        match head.every {
            Every::Once => {}
            Every::Milliseconds(period, times) => {
                due = due.map(|due| due + period * MILLISECOND);
                left = times;
            }
            Every::Frames(period, times) => {
                (due, due_frame, left) = (None, self.frame_number + period, times);
            }
        }
        self.posts.push(Post {
            number: self.posted,
            message,
            sender: me,
            to,
            head,
            due,
            due_frame,
            left,
        });
        Ok(Posted::Waits(self.posted))
    }

    pub(super) fn cancel(&mut self, doomed: impl Fn(&Post) -> bool) -> usize {
        let before = self.posts.len();
        self.posts.retain(|post| !doomed(post));
        before - self.posts.len()
    }

    /// Turns the messages bound to a sender that has gone into dead letters.
    pub(super) fn sender_dies(&mut self, id: Id) {
        let dies = |post: &Post| post.head.tie == Tie::Bound && post.sender == Some(id);
        for post in self.posts.clone().iter().filter(|post| dies(post)) {
            self.dead(post.message, "SenderDespawned");
        }
        self.posts.retain(|post| !dies(post));
    }

    /// Reports a dead letter, without its message if somebody receives that later: if it `is` one that is
    /// retained, or waits for a stage.
    pub(super) fn too_few(&mut self, message: Message, is: impl Fn(&Sent) -> bool) {
        let retained = self.retained.iter().map(|it| &it.sent);
        let staged = self.staged.iter().map(|it| &it.sent);
        if retained.chain(staged).any(is) {
            self.aside.push("dead: None, too few".into());
        } else {
            self.dead(message, "too few");
        }
    }

    pub(super) fn dead(&mut self, message: Message, why: &str) {
        let line = format!("dead: Some({}), {why}", message.number);
        self.aside.push(line);
    }

    pub(super) fn frame(&mut self, milliseconds: u64) {
        self.settle();
        for (number, from, to) in std::mem::take(&mut self.answers) {
            let message = Message {
                what: What::Note,
                number,
                fuel: 0,
                activator: None,
            };
            if self.messagees[to].life == Life::There {
                let _ = self.outermost(|world| world.send(message, Some(from), To::Id(to)));
            }
        }
        if self.owed > 0 {
            // A panic has left passes out.
            self.passed = self.frame_number;
        }
        let (is_first, before) = (self.fixed_now == 0 && self.owed == 0, self.now);
        self.frame_number += 1;
        self.unscaled_now += milliseconds * MILLISECOND;
        if !self.is_paused {
            self.now += milliseconds * MILLISECOND * u64::from(self.scale) / 100;
        }
        self.frames.push((self.frame_number, self.now));
        self.turn_mail(is_first && self.now > before);
        for post in &mut self.posts {
            post.due = post.due.or(began(&self.frames, post.due_frame));
        }
        self.drain();
        let step = FIXED_STEP * MILLISECOND;
        let owed = (self.now - self.fixed_now) / step;
        let most = u64::from(MOST_FIXED_STEPS);
        self.fixed_now += owed.saturating_sub(most) * step;
        self.owed = owed.min(most);
        while self.owed > 0 {
            self.owed -= 1;
            self.fixed_now += step;
            self.is_fixed = true;
            self.window = Some(std::mem::replace(&mut self.passed, self.frame_number));
            self.pass(FIXED_UPDATE);
            self.window = None;
            self.is_fixed = false;
        }
        for stage in 0..FIXED_UPDATE {
            self.pass(stage);
        }
        // A message written in one frame arrives in the next.
        let written = std::mem::take(&mut self.outbox);
        for (id, message, sender) in std::mem::replace(&mut self.on_the_way, written) {
            self.say(format!("f{id} has {}", message.number));
            if message.what == What::Act && message.fuel > 0 {
                let answers = sender.map(|sender| (message.number + ANSWER, id, sender));
                self.answers.extend(answers);
            }
        }
    }

    /// Returns whether a post is due: without a delay, in the next pass; after frames, once its frame has begun. A
    /// pass of `FixedUpdate` also delivers both before their time.
    fn is_due(&self, post: &Post) -> bool {
        let head = post.head;
        let by_time = matches!(head.after, After::Milliseconds(_))
            || matches!(head.every, Every::Milliseconds(..));
        post.due
            .is_some_and(|due| !by_time || due <= self.time(head))
    }

    /// Returns the time on the clock that a message waits on.
    fn time(&self, head: Head) -> u64 {
        if head.unscaled {
            self.unscaled_now
        } else if self.is_fixed {
            self.fixed_now
        } else {
            self.now
        }
    }

    /// Delivers the posts that are due in a stage.
    fn pass(&mut self, stage: usize) {
        // Posts made without a delay from now on wait for the next pass of this stage.
        let (last, staged) = (self.posted, self.count_staged(stage));
        loop {
            let due = self.posts.iter().filter(|post| {
                post.head.stage == stage && self.is_due(post) && post.number <= last
            });
            // The two clocks cannot be compared: posts on the unscaled one come last.
            let next = due.min_by_key(|post| (post.head.unscaled, post.due, post.number));
            let next = next.cloned();
            let Some(post) = next else { break };
            let at = self.posts.iter().position(|it| it.number == post.number);
            let at = at.expect("it is pending");
            let it = &mut self.posts[at];
            it.left -= 1;
            if it.left == 0 {
                self.posts.remove(at);
            } else {
                match post.head.every {
                    Every::Once => unreachable!("it comes again"),
                    Every::Milliseconds(period, _) => {
                        it.due = post.due.map(|due| due + period * MILLISECOND);
                    }
                    Every::Frames(period, _) => {
                        it.due_frame = post.due_frame + period;
                        it.due = began(&self.frames, it.due_frame);
                    }
                }
            }
            self.outermost(|world| world.arrives(&post));
        }
        self.pass_staged(stage, staged);
    }

    fn arrives(&mut self, post: &Post) {
        match self.address(post.to, post.sender) {
            Err(why) => {
                if why != "Unbound" {
                    self.posts.retain(|other| other.number != post.number);
                }
                if post.head.tie != Tie::IfAlive {
                    self.dead(post.message, why);
                }
            }
            Ok(to) => {
                let receipt = self.deliver(post.message, post.sender, to, Terms::of(post.head));
                if post.head.tie == Tie::Require && receipt.received + receipt.pending == 0 {
                    // A message that comes again is copied, so this one is still there.
                    let is_last = post.left == 1;
                    self.too_few(post.message, |sent| is_last && sent.at == receipt.at);
                }
            }
        }
    }
}
