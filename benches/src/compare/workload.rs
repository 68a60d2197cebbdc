//! What there is to do, and how much of it.

use std::fmt;

/// A row of the comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "`title` says what each is")]
pub enum Workload {
    W1,
    W2Of1k,
    W2Of100k,
    W2Of1M,
    W3Out,
    W3In,
    W4,
    W5,
    W5Cancel,
    W6,
    W6Batch,
    W7,
    W8,
}

/// How much of a workload is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Objects, recipients or subscribers; chains in W8.
    pub objects: usize,
    /// Messages in W4, W5, W6 and W6-batch.
    pub messages: usize,
    /// Frames in W5.
    pub frames: usize,
    /// How often everything is done in one repetition, so that a repetition takes some
    /// milliseconds.
    pub passes: usize,
}

/// The hops of a chain in W8: so many objects, and a send to each.
pub const HOPS: usize = 8;

impl Workload {
    /// All of them, in the order of the table.
    pub const ALL: [Self; 13] = [
        Self::W1,
        Self::W2Of1k,
        Self::W2Of100k,
        Self::W2Of1M,
        Self::W3Out,
        Self::W3In,
        Self::W4,
        Self::W5,
        Self::W5Cancel,
        Self::W6,
        Self::W6Batch,
        Self::W7,
        Self::W8,
    ];

    /// The broadcasts, which differ in nothing but the size.
    pub const W2: [Self; 3] = [Self::W2Of1k, Self::W2Of100k, Self::W2Of1M];

    /// As it is called in the table and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::W1 => "W1",
            Self::W2Of1k => "W2-1k",
            Self::W2Of100k => "W2-100k",
            Self::W2Of1M => "W2-1M",
            Self::W3Out => "W3-out",
            Self::W3In => "W3-in",
            Self::W4 => "W4",
            Self::W5 => "W5",
            Self::W5Cancel => "W5-cancel",
            Self::W6 => "W6",
            Self::W6Batch => "W6-batch",
            Self::W7 => "W7",
            Self::W8 => "W8",
        }
    }

    /// What is done.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::W1 => "a send to one of 10 000 objects of 4 components, 15 kinds, shuffled",
            Self::W2Of1k => "a broadcast to 1 000 objects of 2 reacting components, a delivery",
            Self::W2Of100k => "a broadcast to 100 000 objects of 2 reacting components, a delivery",
            Self::W2Of1M => "a broadcast to 1 000 000 objects of 2 reacting components, a delivery",
            Self::W3Out => "a request and its reply, from outside, shuffled",
            Self::W3In => "a request and its reply, from another object's handler, shuffled",
            Self::W4 => "a send to one object of 15 handlers, the kind known only at run time",
            Self::W5 => "1 000 000 messages due over 1 000 frames, posted and delivered, a message",
            Self::W5Cancel => "the same, with every second one cancelled before the first frame",
            Self::W6 => "1 000 000 messages published to 10 000 recipients, each reads its own",
            Self::W6Batch => {
                "1 000 000 messages published in batches of 100, one reader goes through all"
            }
            Self::W7 => "a message to 1 000 subscribers, a subscriber",
            Self::W8 => "a cascade of 8 nested sends, a hop",
        }
    }

    /// How many times as long as the floor message-core may take.
    #[must_use]
    pub fn target(self) -> f64 {
        match self {
            Self::W1 | Self::W5 | Self::W6 | Self::W6Batch => 2.0,
            Self::W2Of1k | Self::W2Of100k | Self::W2Of1M => 1.15,
            Self::W3Out | Self::W3In => 3.0,
            Self::W4 => 1.4,
            Self::W5Cancel => 1.3,
            Self::W7 => 1.0,
            Self::W8 => 5.0,
        }
    }

    /// How much of it is done in one repetition of the comparison.
    #[must_use]
    pub fn size(self) -> Size {
        let passes = |objects, passes| Size {
            objects,
            messages: 0,
            frames: 0,
            passes,
        };
        match self {
            Self::W1 | Self::W3Out | Self::W3In => passes(10_000, 50),
            Self::W2Of1k | Self::W7 => passes(1_000, 2_000),
            Self::W2Of100k => passes(100_000, 20),
            Self::W2Of1M => passes(1_000_000, 4),
            Self::W4 => Size {
                messages: 100_000,
                ..passes(1, 5)
            },
            Self::W5 | Self::W5Cancel => Size {
                messages: 1_000_000,
                frames: 1_000,
                ..passes(10_000, 1)
            },
            Self::W6 | Self::W6Batch => Size {
                messages: 1_000_000,
                ..passes(10_000, 1)
            },
            Self::W8 => passes(10_000 / HOPS, 100),
        }
    }

    /// The same with so little of it that a test is done at once.
    #[must_use]
    pub fn small_size(self) -> Size {
        let size = self.size();
        Size {
            objects: size.objects.min(100),
            messages: size.messages.min(1_000),
            frames: size.frames.min(10),
            passes: size.passes.min(3),
        }
    }

    /// How many sends, deliveries, requests, messages or hops that is.
    #[must_use]
    pub fn operations(self, size: Size) -> usize {
        let Size {
            objects,
            messages,
            passes,
            ..
        } = size;
        match self {
            Self::W1 | Self::W3Out | Self::W3In | Self::W7 => objects * passes,
            Self::W2Of1k | Self::W2Of100k | Self::W2Of1M => 2 * objects * passes,
            Self::W4 | Self::W5 | Self::W5Cancel | Self::W6 | Self::W6Batch => messages * passes,
            Self::W8 => HOPS * objects * passes,
        }
    }
}

impl fmt::Display for Workload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
