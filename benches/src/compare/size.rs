//! How much of a workload is done, and what is counted of it.

/// How much of a workload is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Objects, recipients or subscribers; chains in W8.
    pub objects: usize,
    /// Messages in W4, W5 and W6.
    pub messages: usize,
    /// Frames in W5.
    pub frames: usize,
    /// How often everything is done in one repetition, so that a repetition takes some
    /// milliseconds.
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

/// The hops of a chain in W8: so many objects, and a send to each.
pub const HOPS: usize = 8;

/// What counts as one operation of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// A send or a request to each object, a subscriber, or an object that comes and goes.
    Object,
    /// A delivery to one of two components of each object.
    Component,
    /// A message.
    Message,
    /// A hop of a chain.
    Hop,
}

impl Unit {
    /// Returns how many there are in a repetition.
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
