//! The contract of `message-core`, sentence by sentence: see `tests/`.
//!
//! Each folder of `tests/` is one program and holds a section of the contract; each of its files is a
//! module of it. `tests/common` has the fixtures that several programs share. What messages and
//! handlers there are, and how many managers, belongs to a whole program. So a test that depends on
//! that is a program of its own, in a file next to the folders:
//!
//! | program | why it is alone |
//! |---|---|
//! | `contradictory_order`, `duplicate_ids` | its registry is an error |
//! | `kept_files` | it has the types of files that were written earlier, by their short names |
//! | `manual_registry`, `short_way_ends` | it publishes its registry by hand, before the first manager |
//! | `many_managers`, `too_many_managers` | it uses up the numbers of managers |
//! | `room`, `soak/` | it counts the memory of its process |
//! | `registry/` | it lists everything that is linked in |
