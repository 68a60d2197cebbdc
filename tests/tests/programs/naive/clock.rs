//! Frames, and what is posted.

use super::world::{Id, Message, World};
use crate::program::{After, Every, Head, Tie, To};

#[derive(Clone, Debug)]
pub(super) struct Post {
    pub(super) number: u64,
    pub(super) message: Message,
    pub(super) sender: Option<Id>,
    pub(super) to: To,
    pub(super) head: Head,
    /// When it is due; not known before its frame begins, if it waits for one.
    pub(super) due: Option<u64>,
    pub(super) due_frame: u64,
    pub(super) left: u64,
}

impl World {
    pub(super) fn post(
        &mut self,
        message: Message,
        me: Option<Id>,
        to: To,
        head: Head,
    ) -> Result<u64, &'static str> {
        if me.is_none() {
            if matches!(to, To::Myself | To::AllButMe) {
                return Err("NoSender");
            }
            if head.tie == Tie::Bound {
                return Err("NobodyToBind");
            }
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
        let (mut due, mut due_frame, mut left) = (Some(self.now), self.frame_number, 1);
        match head.after {
            After::Now => {}
            After::Milliseconds(delay) => due = Some(self.now + delay),
            After::Frames(frames) => (due, due_frame) = (None, self.frame_number + frames),
        }
        match head.every {
            Every::Once => {}
            Every::Milliseconds(period, times) => {
                due = due.map(|due| due + period);
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
        Ok(self.posted)
    }

    pub(super) fn cancel(&mut self, doomed: impl Fn(&Post) -> bool) -> usize {
        let before = self.posts.len();
        self.posts.retain(|post| !doomed(post));
        before - self.posts.len()
    }

    /// The messages that it has tied to itself die with it.
    pub(super) fn sender_dies(&mut self, id: Id) {
        let dies = |post: &Post| post.head.tie == Tie::Bound && post.sender == Some(id);
        for post in self.posts.clone().iter().filter(|post| dies(post)) {
            self.dead(post, "SenderDespawned");
        }
        self.posts.retain(|post| !dies(post));
    }

    fn dead(&mut self, post: &Post, why: &str) {
        let line = format!("dead: Some({}), {why}", post.message.number);
        self.aside.push(line);
    }

    pub(super) fn frame(&mut self, milliseconds: u64) {
        self.frame_number += 1;
        self.now += milliseconds;
        let (frame, now) = (self.frame_number, self.now);
        for post in &mut self.posts {
            if post.due.is_none() && post.due_frame <= frame {
                post.due = Some(now);
            }
        }
        for stage in 0..3 {
            self.pass(stage);
        }
    }

    /// Delivers what is due in a stage.
    fn pass(&mut self, stage: usize) {
        // What is posted without a delay from now on waits for the next pass of this stage.
        let last = self.posted;
        loop {
            let due = self.posts.iter().filter(|post| {
                post.head.stage == stage
                    && post.due.is_some_and(|due| due <= self.now)
                    && post.number <= last
            });
            let next = due.min_by_key(|post| (post.due, post.number)).cloned();
            let Some(post) = next else { return };
            let at = self.posts.iter().position(|it| it.number == post.number);
            let at = at.expect("it is pending");
            let it = &mut self.posts[at];
            it.left -= 1;
            if it.left == 0 {
                self.posts.remove(at);
            } else {
                match post.head.every {
                    Every::Once => unreachable!("it comes again"),
                    Every::Milliseconds(period, _) => it.due = post.due.map(|due| due + period),
                    Every::Frames(period, _) => {
                        (it.due, it.due_frame) = (None, post.due_frame + period);
                    }
                }
            }
            self.outermost(|world| world.arrives(&post));
        }
    }

    fn arrives(&mut self, post: &Post) {
        match self.resolve(post.to, post.sender) {
            Err(why) => {
                if why != "Unbound" {
                    self.posts.retain(|other| other.number != post.number);
                }
                if post.head.tie != Tie::IfAlive {
                    self.dead(post, why);
                }
            }
            Ok(to) => {
                let receipt = self.deliver(post.message, post.sender, to);
                if post.head.tie == Tie::Require && receipt.received + receipt.pending == 0 {
                    self.dead(post, "too few");
                }
            }
        }
    }
}
