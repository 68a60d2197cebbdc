//! Over releases: types change, and saves of earlier versions have to be read.
//!
//! Most changes need nothing. A field can be added if it has a default, moved, or removed; a variant can be added. For the
//! others, the type says how earlier values are read:
//!
//! | change | what reads earlier values |
//! |---|---|
//! | a type is renamed | `#[data(alias = "zoo.Bear")]`, with the full name that it had |
//! | a field or a variant is renamed | `#[serde(alias = "hp")]` |
//! | a new field is required | `#[serde(default)]`, for the field or the struct |
//! | the type of a field changes | `#[data(version = 2, upgrade = …)]`: a function that converts the fields |
//! | a component or a message is not needed any more | nothing: [`restore`](crate::restore) leaves it out, and notes it |
//!
//! It is easy to forget one. With the feature `files`, a test remembers:
//!
//! ```no_run
//! #[test]
//! fn old_saves_are_read() {
//!     message_data::assert_compatible("shapes.ron");
//! }
//! ```
//!
//! `shapes.ron` is next to the `Cargo.toml` of the test, and is committed. `UPDATE_SHAPES=1 cargo test` writes it:
//!
//! ```ron
//! [
//!     Component("zoo.Bear", 1, "Bear(hp?: u8, name?: str)"),
//!     Message("zoo.Roar", 1, "Roar(volume: f32)"),
//! ]
//! ```
//!
//! If somebody now makes `hp` a `u16`, the test fails:
//!
//! ```text
//! shapes.ron records what saves can contain, but these types can no longer be read:
//!
//! - component `zoo.Bear`, version 1, `Bear(hp?: u8, name?: str)`
//!     `Bear.hp` was `u8` and is `u16`
//!     or convert earlier values: `#[data(version = 2, upgrade = …)]`
//! ```
//!
//! After the upgrade is written, the same command adds a line for version 2. The one for version 1 stays, and the test goes
//! on calling the upgrade with a value of that shape. A type that is new, or has changed in a way that is read, has to be
//! recorded by the same command, so that a review sees it.
//!
//! Lines of types that were never released, and of saves that nobody has any more, can be deleted.
//! `UPDATE_SHAPES=forget cargo test` deletes those that cannot be read.
//!
//! The test compares what is read. It does not know what a value means: if `hp` is counted in tenths from now on, raise the
//! version, and write an upgrade.
//!
//! Next: [A world that survives](super::survival)
