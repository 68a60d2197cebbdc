//! The size of a workload, and its units.

/// The size of a workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// The number of objects, recipients or subscribers; chains in W8.
    pub objects: usize,
    /// The number of messages in W4, W5 and W6.
    pub messages: usize,
    /// The number of frames in W5.
    pub frames: usize,
    /// The number of passes in one repetition, chosen so that a repetition takes a few milliseconds.
    pub passes: usize,
}

impl Size {
    pub(super) const fn of_objects(objects: usize, passes: usize) -> Self {
        Self {
            objects,
            messages: 0,
            frames: 0,
            passes,
        }
    }

    pub(super) const fn of_messages(messages: usize, objects: usize, passes: usize) -> Self {
        Self {
            objects,
            messages,
            frames: 0,
            passes,
        }
    }

    pub(super) const fn in_frames(self, frames: usize) -> Self {
        Self { frames, ..self }
    }
}

/// The number of hops in a chain of W8: one object and one send for each.
pub const HOPS: usize = 8;

/// The operation that a row counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// A send or a request to each object, a subscriber, or an object that is spawned and despawned.
    Object,
    /// A delivery to one of two components of each object.
    Component,
    /// A message.
    Message,
    /// A hop of a chain.
    Hop,
}

impl Unit {
    /// Returns the number of operations in a repetition.
    pub(super) const fn count(self, size: Size) -> usize {
        let each = match self {
            Self::Object => size.objects,
            Self::Component => 2 * size.objects,
            Self::Message => size.messages,
            Self::Hop => HOPS * size.objects,
        };
        each * size.passes
    }
}
