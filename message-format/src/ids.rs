//! Ids: values that only the program which reads them can interpret.
//!
//! An id is written as a name in one place and as a number in another, so its type accepts any value that describes
//! itself, and its form alone does not tell it apart from other such types. A [`Shape`](crate::Shape) recognizes it by
//! the expectation in its error: an id rejects a value that it cannot interpret with `expected`, followed by one of
//! these texts at the end.

/// The description of a messagee's id.
pub const A_MESSAGEE: &str = "the name of a messagee";

/// The description of a hook's id.
pub const A_HOOK: &str = "the name of a messagee and of a component of it";

/// The description of a subscription's id.
pub const A_SUBSCRIPTION: &str = "the number of a subscription";
