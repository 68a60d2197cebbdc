//! The stages of a frame, in which posted messages are delivered.

use std::fmt;

/// The stage of a frame in which a posted message is delivered. A [`tick`](crate::MessageManager::tick)
/// runs the stages in this order; the fixed step decides how often `FixedUpdate` runs.
///
/// The names follow what game engines call the parts of their frame.
///
/// ```
/// use message_core::prelude::*;
/// use std::sync::mpsc;
/// use std::time::Duration;
///
/// #[derive(Message)]
/// struct Step(Stage);
///
/// let mut manager = MessageManager::new();
/// let (log, order) = mpsc::channel();
/// manager.subscribe(Filter::of::<Step>(), move |step, _| {
///     let _ = log.send(step.0);
/// });
/// for stage in [Stage::EndOfFrame, Stage::LateUpdate, Stage::Update, Stage::Immediate] {
///     manager.post(&Header::to(Everyone).stage(stage).build()?, Step(stage))?;
/// }
/// manager.tick(Duration::from_millis(16));
/// let expected = [Stage::Immediate, Stage::Update, Stage::LateUpdate, Stage::EndOfFrame];
/// assert!(order.try_iter().eq(expected));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Stage {
    /// At once, like a send.
    #[default]
    Immediate,
    /// In each step of the fixed clock: none, one or several in a frame.
    FixedUpdate,
    /// Once a frame.
    Update,
    /// Once a frame, after everything of `Update`.
    LateUpdate,
    /// Once a frame, after everything else.
    EndOfFrame,
}

impl Stage {
    /// The stages that messages can wait for, in the order of the frame.
    pub const WAITING: [Self; 4] = [
        Self::FixedUpdate,
        Self::Update,
        Self::LateUpdate,
        Self::EndOfFrame,
    ];

    /// Returns the place in [`WAITING`](Self::WAITING), or `None` for `Immediate`.
    pub(crate) fn lane(self) -> Option<usize> {
        (self as usize).checked_sub(1)
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}
