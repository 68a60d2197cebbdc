//! The methods of features that are off: a call says which feature to enable.
//!
//! The compiler says so itself of an item, but not of a method. Each method here has a condition
//! that does not hold. It is written `for<'a>`, because the compiler then checks it where the method
//! is called, and not where it stands.
#![allow(
    clippy::must_use_candidate,
    clippy::needless_pass_by_value,
    clippy::unnecessary_wraps,
    clippy::unused_self,
    reason = "the signatures are those of the methods, and nothing of it is called"
)]

#[cfg(not(feature = "json"))]
use std::io;

#[cfg(not(feature = "trace"))]
use crate::context::Context;
#[cfg(not(feature = "tracing"))]
use crate::manager::MessageManager;
#[cfg(not(feature = "json"))]
use crate::trace::{Recorder, TraceFilter};

#[cfg(not(feature = "trace"))]
#[diagnostic::on_unimplemented(
    message = "this method needs the feature `trace` of message-core",
    label = "enable the feature `trace` of message-core"
)]
pub trait FeatureTrace {}

#[cfg(not(feature = "tracing"))]
#[diagnostic::on_unimplemented(
    message = "this method needs the feature `tracing` of message-core",
    label = "enable the feature `tracing` of message-core"
)]
pub trait FeatureTracing {}

#[cfg(not(feature = "json"))]
#[diagnostic::on_unimplemented(
    message = "this method needs the feature `json` of message-core",
    label = "enable the feature `json` of message-core"
)]
pub trait FeatureJson {}

#[cfg(not(feature = "trace"))]
mod trace {
    use std::cell::Ref;

    use super::{Context, FeatureTrace, MessageManager};
    use crate::trace::{Explanation, Recorder, TraceId};

    #[doc(hidden)]
    impl MessageManager {
        pub fn start_recording(&mut self, _recorder: Recorder) -> Option<Recorder>
        where
            for<'a> Self: FeatureTrace,
        {
            None
        }

        pub fn stop_recording(&mut self) -> Option<Recorder>
        where
            for<'a> Self: FeatureTrace,
        {
            None
        }

        pub fn recorder(&self) -> Option<Ref<'_, Recorder>>
        where
            for<'a> Self: FeatureTrace,
        {
            None
        }

        pub fn explain(&self, _id: TraceId) -> Option<Explanation>
        where
            for<'a> Self: FeatureTrace,
        {
            None
        }
    }

    #[doc(hidden)]
    impl<R> Context<'_, R> {
        pub fn explain(&self, _id: TraceId) -> Option<Explanation>
        where
            for<'a> Self: FeatureTrace,
        {
            None
        }
    }
}

#[cfg(not(feature = "tracing"))]
#[doc(hidden)]
impl MessageManager {
    pub fn emit_tracing_events(&mut self, _emit: bool)
    where
        for<'a> Self: FeatureTracing,
    {
    }
}

#[cfg(not(feature = "json"))]
#[doc(hidden)]
impl Recorder {
    pub fn write_chrome_trace(&self, _: &TraceFilter, _: impl io::Write) -> io::Result<()>
    where
        for<'a> Self: FeatureJson,
    {
        Ok(())
    }

    pub fn write_json_lines(&self, _: &TraceFilter, _: impl io::Write) -> io::Result<()>
    where
        for<'a> Self: FeatureJson,
    {
        Ok(())
    }
}
