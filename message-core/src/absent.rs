//! The methods of features that are off: a call says which feature to enable.
//!
//! The compiler reports a disabled item by itself, but not a disabled method. Each block of methods here has
//! a condition that does not hold. The condition is written `for<'a>`, so that the compiler checks it
//! where a method is called and not where it is defined. The methods are `#[inline]`, since a shared
//! library would export them otherwise, and none of their code is compiled.
#![allow(
    clippy::must_use_candidate,
    clippy::needless_pass_by_value,
    clippy::unnecessary_wraps,
    clippy::unused_self,
    reason = "the signatures are those of the methods, and nothing of it is called"
)]

#[cfg(not(feature = "trace"))]
use std::cell::Ref;
#[cfg(not(feature = "json"))]
use std::io;

#[cfg(not(feature = "data"))]
use crate::config::ManagerConfig;
#[cfg(not(feature = "trace"))]
use crate::context::Context;
#[cfg(not(all(feature = "tracing", feature = "data")))]
use crate::manager::MessageManager;
#[cfg(not(feature = "trace"))]
use crate::trace::{Explanation, TraceId};
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
#[doc(hidden)]
impl MessageManager
where
    for<'a> Self: FeatureTrace,
{
    #[inline]
    pub fn start_recording(&mut self, _recorder: Recorder) -> Option<Recorder> {
        None
    }

    #[inline]
    pub fn stop_recording(&mut self) -> Option<Recorder> {
        None
    }

    #[inline]
    pub fn recorder(&self) -> Option<Ref<'_, Recorder>> {
        None
    }

    #[inline]
    pub fn explain(&self, _id: TraceId) -> Option<Explanation> {
        None
    }
}

#[cfg(not(feature = "trace"))]
#[doc(hidden)]
impl<R> Context<'_, R> {
    // The compiler names the feature for a generic type only if the method has the condition itself.
    #[inline]
    pub fn explain(&self, _id: TraceId) -> Option<Explanation>
    where
        for<'a> Self: FeatureTrace,
    {
        None
    }
}

#[cfg(not(feature = "tracing"))]
#[doc(hidden)]
impl MessageManager
where
    for<'a> Self: FeatureTracing,
{
    #[inline]
    pub fn emit_tracing_events(&mut self, _emit: bool) {}
}

#[cfg(not(feature = "json"))]
#[doc(hidden)]
impl Recorder
where
    for<'a> Self: FeatureJson,
{
    #[inline]
    pub fn write_chrome_trace(&self, _: &TraceFilter, _: impl io::Write) -> io::Result<()> {
        Ok(())
    }

    #[inline]
    pub fn write_json_lines(&self, _: &TraceFilter, _: impl io::Write) -> io::Result<()> {
        Ok(())
    }
}

/// The types of their arguments and results are not there either.
#[cfg(not(feature = "data"))]
#[doc(hidden)]
impl MessageManager
where
    for<'a> Self: FeatureData,
{
    #[inline]
    pub fn instance<F>(&mut self, _file: &F) {}

    #[inline]
    pub fn instance_template<F>(&mut self, _file: &F, _template: &str, _name: &str) {}

    #[inline]
    pub fn write_world<S>(&self, _selection: &S) {}

    #[inline]
    pub fn wire<W>(&mut self, _wire: W) {}

    #[inline]
    pub fn save<O>(&mut self, _options: &O) {}

    #[inline]
    pub fn restore(_bytes: &[u8], _config: ManagerConfig) {}

    #[inline]
    pub fn start_log<S, O>(&mut self, _sink: S, _options: O) {}
}
