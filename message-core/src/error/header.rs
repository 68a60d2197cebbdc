//! Contradictions in a header.

/// The error of a header that contradicts itself.
///
/// ```
/// use message_core::prelude::*;
/// use std::time::Duration;
///
/// let both = Header::to(Everyone).after(Duration::from_secs(1)).after_frames(3).build();
/// let error = both.expect_err("one delay is allowed");
/// assert!(error.to_string().contains("delay"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HeaderError {
    /// The message is delivered at once, so it cannot be delayed or repeated.
    #[error(
        "the header has stage `Immediate` and a delay or a period: expected another stage, or \
         none of `after`, `after_frames`, `every`, `every_frames`"
    )]
    DelayedImmediate,
    /// There is a delay in time, and one in frames.
    #[error("the header has two delays: expected one of `after` and `after_frames`")]
    TwoDelays,
    /// There is more than one of these: a period in time, one in frames, one by passes.
    #[error("the header has two periods: expected one of `every`, `every_frames` and `every_pass`")]
    TwoPeriods,
    /// The delay is in time and the period in frames, or the other way round.
    #[error(
        "the header's delay and period have different units: expected `after` with `every`, or \
         `after_frames` with `every_frames`"
    )]
    MixedUnits,
    /// The period is zero.
    #[error("the header has a period of zero: expected at least one nanosecond or one frame")]
    ZeroPeriod,
    /// The number of deliveries is zero.
    #[error("the header repeats zero times: expected at least one time")]
    ZeroTimes,
    /// The number of deliveries is given, and no period.
    #[error(
        "the header has `times` and no period: expected `every`, `every_frames` or `every_pass`"
    )]
    TimesWithoutPeriod,
    /// The header is for the unscaled clock, and has no time to measure with it.
    #[error("the header is `unscaled` and has no time: expected `after` or `every` as well")]
    NothingUnscaled,
    /// The message is delivered at once, so it is never pending under a key.
    #[error("the header has stage `Immediate` and a key: expected another stage, or no key")]
    ImmediateKey,
    /// There is no key, under which a message could be pending already.
    #[error("the header has `keep_phase` or `unless_pending`, and no key: expected `key` as well")]
    RenewalWithoutKey,
    /// The message is delivered at once, so it cannot outlive its sender or a component.
    #[error(
        "the header has stage `Immediate`, and `tied_to_sender` or `until_unhooked`: expected \
         another stage, or neither of them"
    )]
    ImmediateTied,
    /// The message is delivered at once, so its recipient has to be alive now.
    #[error(
        "the header has stage `Immediate` and `if_alive`: expected another stage, or no `if_alive`"
    )]
    ImmediateIfAlive,
    /// `FixedUpdate` has passes by its own clock: none in some frames, several in others.
    #[error(
        "the header repeats by frames in stage `FixedUpdate`, whose passes do not follow the \
         frames: expected `every_pass`, `every`, or another stage"
    )]
    FixedByFrames,
    /// A message that repeats is delivered again, so it cannot be kept as the last one.
    #[error("the header both repeats and is retained: expected one of `every` and `retain`")]
    RetainedRepeat,
}
