//! The verbs: the methods that a manager, a manager that acts on behalf of a messagee, and a context have in common.
//!
//! Each verb is written and documented once, in one of these files, and becomes a method of each type. They cannot be
//! one type that the three dereference to: in `cx.join(GROUP, cx.me())`, the argument could not borrow `cx`. A trait
//! would have to be imported. The types differ in how they carry out a verb: see [`Speaker`](crate::send::Speaker).

/// Makes these methods those of each type that messages are sent from.
macro_rules! verbs {
    ($($verb:tt)*) => {
        impl crate::manager::MessageManager { $($verb)* }
        impl crate::manager::AsMessagee<'_> { $($verb)* }
        impl<R> crate::context::Context<'_, R> { $($verb)* }
    };
}

/// Makes these methods those of a manager, and of one that acts on behalf of a messagee.
macro_rules! verbs_from_outside {
    ($($verb:tt)*) => {
        impl crate::manager::MessageManager { $($verb)* }
        impl crate::manager::AsMessagee<'_> { $($verb)* }
    };
}

mod mail;
mod posting;
mod sending;
