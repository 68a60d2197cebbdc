//! The naive list: every pending post, in the order posted, searched from end to end and sorted
//! whenever an order is asked for.

use std::collections::{HashSet, VecDeque};
use std::time::Duration;

use message_core::Recipient::{EveryoneElse, Me};
use message_core::prelude::*;
use message_core::{PostKey, TagSet};
use message_core::{
    post::{Due, PendingPost},
    time::Moment,
};

use super::clock::{Clock, nanoseconds};
use super::message::Kind;
use super::pass::{Current, Letter};
use super::people::People;

/// On which clock a post waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Wait {
    Time,
    Frames,
    Unscaled,
}

/// A post as its header describes it, and its sender.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) kind: Kind,
    pub(crate) to: Recipient,
    pub(crate) sender: Option<MessageeId>,
    pub(crate) stage: Stage,
    pub(crate) wait: Wait,
    pub(crate) delay: Option<u64>,
    pub(crate) period: Option<u64>,
    pub(crate) times: Option<u64>,
    pub(crate) key: Option<PostKey>,
    /// Whether the key is one of the sender.
    pub(crate) own_key: bool,
    pub(crate) bound: bool,
    pub(crate) require: u32,
    pub(crate) tags: TagSet,
}

#[derive(Clone, Debug)]
pub(crate) struct Post {
    pub(crate) number: u64,
    pub(crate) ticket: Ticket,
    pub(crate) plan: Plan,
    pub(crate) posted: Moment,
    /// The time on the clock that it waits on.
    pub(crate) due: u64,
    /// Since when it is ready for the next pass, if it is without a delay or its frame has begun.
    pub(crate) ready: Option<u64>,
    pub(crate) left: Option<u64>,
    pub(crate) heard: u32,
    /// The frame of its last delivery, and how many there were in that frame.
    pub(crate) in_frame: (u64, u64),
    /// Whether the current pass delivers it.
    pub(crate) in_pass: bool,
}

impl Post {
    /// Returns the key by which a pass is sorted.
    pub(crate) fn order(&self) -> (bool, u64, u64) {
        match self.ready {
            Some(since) => (false, since, self.number),
            None => (self.plan.wait == Wait::Unscaled, self.due, self.number),
        }
    }

    /// Returns the clock and the reading at which it is due, in the order of a list.
    fn listed(&self) -> (Wait, u64) {
        match self.ready {
            Some(since) => (Wait::Time, since),
            None => (self.plan.wait, self.due),
        }
    }

    pub(crate) fn sender(&self) -> Sender {
        self.plan.sender.map_or(Sender::Outside, Sender::Messagee)
    }

    fn is_to(&self, to: Recipient) -> bool {
        let own = |recipient| match (recipient, self.plan.sender) {
            (Me, Some(id)) => Recipient::Id(id),
            _ => recipient,
        };
        own(self.plan.to) == own(to)
    }
}

/// A choice of posts.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Choice {
    Ticket(Ticket),
    Key(PostKey),
    From(Sender),
    To(Recipient, Kind),
    Stage(Stage, Kind),
    Tags(TagSet),
    All,
}

impl Choice {
    pub(crate) fn posts(self) -> Posts {
        match self {
            Self::Ticket(ticket) => ticket.into(),
            Self::Key(key) => key.into(),
            Self::From(sender) => Posts::all().from(sender),
            Self::To(to, kind) => kind.posts().to(to),
            Self::Stage(stage, kind) => kind.posts().stage(stage),
            Self::Tags(tags) => Posts::all().tagged(tags),
            Self::All => Posts::all(),
        }
    }

    /// Returns the choice as it is meant by the messagee called `Me`.
    pub(crate) fn seen_from(self, me: Option<MessageeId>) -> Self {
        match (self, me) {
            (Self::To(Me, kind), Some(id)) => Self::To(id.into(), kind),
            _ => self,
        }
    }

    fn covers(self, post: &Post) -> bool {
        match self {
            Self::Ticket(ticket) => post.ticket == ticket,
            Self::Key(key) => post.plan.key == Some(key),
            Self::From(sender) => post.sender() == sender,
            Self::To(to, kind) => post.plan.kind == kind && post.is_to(to),
            Self::Stage(stage, kind) => post.plan.kind == kind && post.plan.stage == stage,
            Self::Tags(tags) => post.plan.tags.intersects(tags),
            Self::All => true,
        }
    }
}

fn reading(due: Due) -> (Wait, u64) {
    match due {
        Due::Now(time) | Due::At(time) => (Wait::Time, nanoseconds(time)),
        Due::Frame(frame) => (Wait::Frames, frame),
        Due::Unscaled(time) => (Wait::Unscaled, nanoseconds(time)),
        _ => panic!("{due:?} is on no clock"),
    }
}

pub(crate) struct Model {
    pub(crate) clock: Clock,
    pub(crate) people: People,
    pub(crate) posts: Vec<Post>,
    /// How many may be pending.
    limit: usize,
    /// How many deliveries of one that repeats a frame may have.
    pub(crate) most_repeats: u64,
    /// Number of pending posts above which fewer are posted than cancelled or delivered.
    pub(crate) crowd: usize,
    /// How many were accepted and refused.
    pub(crate) posted: u64,
    pub(crate) refused: u64,
    /// The upcoming passes, the current one, and the post it is delivering.
    pub(crate) planned: VecDeque<Stage>,
    pub(crate) pass: Option<Stage>,
    pub(crate) current: Option<Current>,
    /// The messagees that are despawned when the outermost send returns.
    pub(crate) doomed: Vec<MessageeId>,
    /// The dead letters that are reported next.
    pub(crate) letters: VecDeque<Letter>,
    pub(crate) delivered: usize,
    pub(crate) buried: u64,
    pub(crate) heard: u64,
    /// How many deliveries of those that repeat were left out, in all frames.
    pub(crate) skipped: u64,
    pub(crate) panics: u64,
}

impl Model {
    pub(crate) fn new(clock: Clock, limit: usize, most_repeats: u32, crowd: usize) -> Self {
        Self {
            clock,
            people: People::default(),
            posts: Vec::new(),
            limit,
            // A limit of 0 would never end.
            most_repeats: u64::from(most_repeats.max(1)),
            crowd,
            posted: 0,
            refused: 0,
            planned: VecDeque::new(),
            pass: None,
            current: None,
            doomed: Vec::new(),
            letters: VecDeque::new(),
            delivered: 0,
            buried: 0,
            heard: 0,
            skipped: 0,
            panics: 0,
        }
    }

    fn moment(&self) -> Moment {
        Moment {
            time: Duration::from_nanos(self.clock.now()),
            frame: self.clock.frame(),
        }
    }

    /// Returns the name of the error that refuses a post, if any.
    pub(crate) fn refusal(&self, plan: &Plan) -> Option<&'static str> {
        let from_outside = plan.sender.is_none();
        let gone = match plan.to {
            Recipient::Id(id) | Recipient::Up(id) | Recipient::Down(id) => {
                !self.people.is_known(id)
            }
            _ => false,
        };
        let alone = match plan.to {
            Recipient::Id(id) => Some(id),
            Me => plan.sender,
            _ => None,
        };
        let leaving = alone.is_some_and(|id| self.people.is_leaving(id));
        let replaces = plan.key.is_some_and(|key| self.has(Choice::Key(key)));
        match () {
            () if from_outside && (plan.bound || matches!(plan.to, Me | EveryoneElse)) => {
                Some("NoSender")
            }
            () if gone => Some("Gone"),
            () if leaving => Some("Leaving"),
            () if self.posts.len() >= self.limit && !replaces => Some("Pending"),
            () => None,
        }
    }

    pub(crate) fn post(&mut self, plan: Plan, ticket: Ticket) {
        if let Some(key) = plan.key {
            self.cancel(Choice::Key(key));
        }
        self.posted += 1;
        // A repeating post without a delay waits for one period.
        let delay = plan.delay.or(plan.period).unwrap_or(0);
        let clock = match plan.wait {
            Wait::Time => self.clock.now(),
            Wait::Unscaled => self.clock.unscaled(),
            Wait::Frames => self.clock.frame(),
        };
        self.posts.push(Post {
            number: self.posted,
            ticket,
            plan,
            posted: self.moment(),
            due: clock + delay,
            ready: (delay == 0 && plan.wait != Wait::Unscaled).then(|| self.clock.now()),
            left: plan.times.or(plan.period.is_none().then_some(1)),
            heard: 0,
            in_frame: (0, 0),
            in_pass: false,
        });
    }

    pub(crate) fn cancel(&mut self, choice: Choice) -> usize {
        let before = self.posts.len();
        self.posts.retain(|post| !choice.covers(post));
        before - self.posts.len()
    }

    /// Returns whether cancelling drops a message that counts itself. One that is being delivered is dropped
    /// later.
    pub(crate) fn drops_counted(&self, choice: Choice) -> bool {
        let delivered = self.current.as_ref().map(Current::number);
        let mut posts = self.posts.iter().filter(|post| choice.covers(post));
        posts.any(|post| post.plan.kind.is_counted() && Some(post.number) != delivered)
    }

    pub(crate) fn has(&self, choice: Choice) -> bool {
        self.posts.iter().any(|post| choice.covers(post))
    }

    /// Compares the list of pending posts while none of them is being delivered.
    pub(crate) fn check_list(&self, pending: &[PendingPost], choice: Choice) {
        let mut posts: Vec<&Post> = self.posts.iter().collect();
        posts.retain(|post| choice.covers(post));
        posts.sort_by_key(|post| (post.listed(), post.number));
        assert_eq!(pending.len(), posts.len());
        for (pending, post) in pending.iter().zip(posts) {
            assert_eq!(pending.ticket, post.ticket, "{pending:?} for {post:?}");
            assert_eq!(reading(pending.due), post.listed(), "{post:?}");
            let ready = matches!(pending.due, Due::Now(_));
            assert!(ready || post.ready.is_none(), "{pending:?}");
            let plan = &post.plan;
            assert_eq!(pending.message, plan.kind.name());
            assert_eq!(pending.sender, post.sender());
            assert_eq!(pending.recipient, plan.to);
            assert_eq!(pending.stage, plan.stage);
            assert_eq!(pending.posted, post.posted);
            assert_eq!(pending.tags, plan.tags);
            assert_eq!(pending.key, plan.key);
            assert_eq!(pending.deliveries, post.left);
        }
    }

    /// Compares the pending posts in the middle of a pass, ignoring their order.
    pub(crate) fn check_tickets(&self, pending: &[PendingPost]) {
        let pending: HashSet<Ticket> = pending.iter().map(|pending| pending.ticket).collect();
        let posts: HashSet<Ticket> = self.posts.iter().map(|post| post.ticket).collect();
        assert_eq!(pending, posts);
    }
}
