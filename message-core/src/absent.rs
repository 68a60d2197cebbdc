//! The methods of features that are off: a call says which feature to enable.
//!
//! The compiler reports a disabled item by itself, but not a disabled method. Each method here has a
//! condition that does not hold. The condition is written `for<'a>`, so that the compiler checks it
//! where the method is called and not where it is defined. The methods are `#[inline]`, since a shared
//! library would export them otherwise, and none of their code is compiled.
#![allow(
    clippy::must_use_candidate,
    clippy::needless_pass_by_value,
    clippy::unnecessary_wraps,
    clippy::unused_self,
    reason = "the signatures are those of the methods, and nothing of it is called"
)]

#[cfg(not(feature = "json"))]
use std::io;

#[cfg(not(feature = "data"))]
use crate::config::ManagerConfig;
#[cfg(not(feature = "trace"))]
use crate::context::Context;
#[cfg(not(all(feature = "tracing", feature = "data")))]
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

#[cfg(not(feature = "data"))]
#[diagnostic::on_unimplemented(
    message = "this method needs the feature `data` of message-core",
    label = "enable the feature `data` of message-core"
)]
pub trait FeatureData {}

#[cfg(not(feature = "trace"))]
mod trace {
    use std::cell::Ref;

    use super::{Context, FeatureTrace, MessageManager};
    use crate::trace::{Explanation, Recorder, TraceId};

    #[doc(hidden)]
    impl MessageManager {
        #[inline]
        pub fn start_recording(&mut self, _recorder: Recorder) -> Option<Recorder>
        where
            for<'a> Self: FeatureTrace,
        {
            None
        }

        #[inline]
        pub fn stop_recording(&mut self) -> Option<Recorder>
        where
            for<'a> Self: FeatureTrace,
        {
            None
        }

        #[inline]
        pub fn recorder(&self) -> Option<Ref<'_, Recorder>>
        where
            for<'a> Self: FeatureTrace,
        {
            None
        }

        #[inline]
        pub fn explain(&self, _id: TraceId) -> Option<Explanation>
        where
            for<'a> Self: FeatureTrace,
        {
            None
        }
    }

    #[doc(hidden)]
    impl<R> Context<'_, R> {
        #[inline]
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
    #[inline]
    pub fn emit_tracing_events(&mut self, _emit: bool)
    where
        for<'a> Self: FeatureTracing,
    {
    }
}

#[cfg(not(feature = "json"))]
#[doc(hidden)]
impl Recorder {
    #[inline]
    pub fn write_chrome_trace(&self, _: &TraceFilter, _: impl io::Write) -> io::Result<()>
    where
        for<'a> Self: FeatureJson,
    {
        Ok(())
    }

    #[inline]
    pub fn write_json_lines(&self, _: &TraceFilter, _: impl io::Write) -> io::Result<()>
    where
        for<'a> Self: FeatureJson,
    {
        Ok(())
    }
}

/// The types of their arguments and results are not there either.
#[cfg(not(feature = "data"))]
#[doc(hidden)]
impl MessageManager {
    #[inline]
    pub fn instance<F>(&mut self, _file: &F)
    where
        for<'a> Self: FeatureData,
    {
    }

    #[inline]
    pub fn instance_template<F>(&mut self, _file: &F, _template: &str, _name: &str)
    where
        for<'a> Self: FeatureData,
    {
    }

    #[inline]
    pub fn write_world<S>(&self, _selection: &S)
    where
        for<'a> Self: FeatureData,
    {
    }

    #[inline]
    pub fn wire<W>(&mut self, _wire: W)
    where
        for<'a> Self: FeatureData,
    {
    }

    #[inline]
    pub fn save<O>(&mut self, _options: &O)
    where
        for<'a> Self: FeatureData,
    {
    }

    #[inline]
    pub fn restore(_bytes: &[u8], _config: ManagerConfig)
    where
        for<'a> Self: FeatureData,
    {
    }

    #[inline]
    pub fn start_log<S, O>(&mut self, _sink: S, _options: O)
    where
        for<'a> Self: FeatureData,
    {
    }
}
