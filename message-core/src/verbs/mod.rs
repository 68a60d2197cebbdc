//! The verbs: the methods that a manager, a manager that acts on behalf of a messagee, and a context have in common.
//!
//! Each verb is written and documented once, in one of these files, and becomes a method of each type. It is passed to a
//! macro instead of being written inside one, so that the compiler quotes it in errors like other code. The types cannot
//! dereference to a common one instead: in `cx.cancel(Posts::all().to(cx.me()))`, the argument could not borrow `cx`. A
//! trait would have to be imported.
//!
//! The types differ in how they carry out a verb: see [`Speaker`](crate::send::Speaker), and `actor` in `manager` and
//! in `context`. Both files have the same methods. `cargo fmt` does not format the verbs.

/// Gives these methods to each type that can send.
macro_rules! verbs {
    ($($verb:tt)*) => {
        impl crate::manager::MessageManager { $($verb)* }
        impl crate::manager::SpeakingFor<'_> { $($verb)* }
        impl<R> crate::context::Context<'_, R> { $($verb)* }
    };
}

/// Gives these methods to a manager, and to one that acts on behalf of a messagee.
macro_rules! verbs_from_outside {
    ($($verb:tt)*) => {
        impl crate::manager::MessageManager { $($verb)* }
        impl crate::manager::SpeakingFor<'_> { $($verb)* }
    };
}

/// Gives these methods to a manager and to a context. One that acts on behalf of a messagee dereferences to the
/// manager.
macro_rules! verbs_without_sender {
    ($($verb:tt)*) => {
        impl crate::manager::MessageManager { $($verb)* }
        impl<R> crate::context::Context<'_, R> { $($verb)* }
    };
}

mod carrier;
mod mail;
mod messagees;
mod posting;
mod sending;
mod subscribing;
mod time;
mod tracing;
