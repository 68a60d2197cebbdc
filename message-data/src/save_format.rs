//! The format of a save, version 1.
//!
//! [`save`](crate::save) writes this format. Numbers outside of values are
//! little-endian.
//!
//! # Outer form
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `MSGSAV`, `8A`, `0A` |
//! | 4 | the version of the format: 1. A program rejects a newer version |
//! | … | chunks, up to the one called `END.` |
//!
//! Each chunk:
//!
//! | bytes | what |
//! |---|---|
//! | 4 | the tag |
//! | 4 | the version of the chunk: 1 for all |
//! | 8 | the length of the content |
//! | 8 | XXH3-64 of the content, seeded by the tag and, above it, the version |
//! | … | the content: values in `MessagePack`, one after the other |
//!
//! Chunks that a program does not know are passed over and noted. Known chunks are in the order of the next table,
//! each at most once, except for `COMP`.
//!
//! # Chunks
//!
//! | tag | content |
//! |---|---|
//! | `TYPE` | the list of types: name, version, whether it is a message. Other chunks refer to a type by its place in the list |
//! | `CLCK` | the clock in nanoseconds, the frame, the fixed steps that it owes, scale and pause; whether the fixed step was set apart from the configuration, if it was |
//! | `MSGS` | for messagees and for hooks: the generation of each place, and the free places, the last to be used first; the messagees, with their hooks in order; families, names, mnemonics and groups; counts of dead letters and failures |
//! | `POST` | the number of messages posted; for each stage how far it has come; for each pending message everything but its content; then the contents |
//! | `COMP` | the components of one type: how many are enabled, the hook of each, then the values in storage order, the enabled ones first |
//! | `RETN` | retained messages, in order, each with the messagees that it reached |
//! | `NEWC` | the messagees that came alive after retained messages that reached everyone, each with the number of messages retained by then; missing if there are none |
//! | `MAIL` | the published messages that can be read now or later, by type and frame; how long each type retains them, including types without data; which types were read in the last pass of `FixedUpdate` |
//! | `SUBS` | for subscriptions: the generation of each place, and the free places, the last to be used first, with those of closures among them; the place of each listener in `HEAR`; missing if there are no places |
//! | `HEAR` | who overhears what and which message types wires wait for, in the order of the subscriptions; the retained messages that a subscription has missed; the messages that wait for a stage |
//! | `WIRE` | the number of wires made, and the wires that exist |
//! | `PRXY` | the name of the [carrier](crate::SavedCarrier), its state, and which messagees are proxies, with their destinations |
//! | `END.` | the number of chunks before it |
//!
//! `TYPE`, `CLCK`, `MSGS`, `POST` and `END.` are required. There is one `COMP` for each component type with hooked
//! components, so there may be none. The other chunks are optional.
//!
//! # Ids
//!
//! The id of a messagee or a hook is a number: the place in the lower 32 bits and the generation above. A ticket is
//! the number of posts before it. A save is equal, byte by byte, to a save of the manager that was restored from it,
//! if nothing has run in between.
//!
//! # Maps
//!
//! The entries of a map are sorted by the bytes of their keys, and the elements of a `HashSet` by their own
//! bytes. A `BTreeMap` and the maps of `indexmap` keep their own order.
//!
//! # What is not in it
//!
//! Subscriptions with closures; traces and their numbers; the places in the source where messages were posted, so
//! pending messages seem to be posted by the call of `restore`; the configuration; the messages that wait in an
//! [inlet](message_core::Inlet).
