//! The methods of features that are off: a call says which feature to enable.
//!
//! The compiler reports a disabled item by itself, but not a disabled method. A method that takes a value of a
//! disabled type needs no stand-in: a program names the type first. Each method here requires a trait that nothing
//! implements, mostly of its argument. A condition on the type itself is written `for<'a>`, so that the compiler
//! checks it where the method is called and not where it is defined. None of their code is compiled.
#![allow(
    clippy::must_use_candidate,
    clippy::needless_pass_by_value,
    clippy::unnecessary_wraps,
    clippy::unused_self,
    reason = "the signatures are those of the methods, and nothing of it is called"
)]

use crate::manager::MessageManager;
#[cfg(not(feature = "trace"))]
use crate::trace::Recorder;

#[cfg(not(feature = "trace"))]
#[diagnostic::on_unimplemented(
    message = "this method needs the feature `trace` of message-core",
    label = "enable the feature `trace` of message-core"
)]
pub trait FeatureTrace {}

#[diagnostic::on_unimplemented(
    message = "this method needs the feature `tracing` of message-core",
    label = "enable the feature `tracing` of message-core"
)]
pub trait FeatureTracing {}

#[cfg(not(feature = "trace"))]
#[doc(hidden)]
impl MessageManager {
    pub fn stop_recording(&mut self) -> Option<Recorder>
    where
        for<'a> Self: FeatureTrace,
    {
        None
    }

    pub fn recorder(&self) -> Option<std::cell::Ref<'_, Recorder>>
    where
        for<'a> Self: FeatureTrace,
    {
        None
    }

    pub fn explain(&self, _: impl FeatureTrace) -> Option<crate::trace::Explanation> {
        None
    }
}

#[cfg(not(feature = "trace"))]
#[doc(hidden)]
impl<R> crate::context::Context<'_, R> {
    pub fn explain(&self, _: impl FeatureTrace) -> Option<crate::trace::Explanation> {
        None
    }
}

#[doc(hidden)]
impl MessageManager {
    pub fn emit_tracing_events(&mut self, _: impl FeatureTracing) {}
}
