//! The format of a save, version 1.
//!
//! What [`MessageManager::save`](crate::MessageManager::save) writes. Numbers outside of values are
//! little-endian.
//!
//! # Outer form
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `MSGSAV`, `8A`, `0A` |
//! | 4 | the version of the format: 1. A program refuses a newer one |
//! | … | chunks, up to the one that is called `END.` |
//!
//! Each chunk:
//!
//! | bytes | what |
//! |---|---|
//! | 4 | the tag |
//! | 4 | the version of the chunk: 1 for all |
//! | 8 | the length of the content |
//! | 8 | XXH3-64 of the content, seeded by the tag and, above it, the version |
//! | … | the content: values in `MessagePack`, one behind the other |
//!
//! Chunks that a program does not know are passed over, and noted. Known ones stand in the order of the
//! next table, each once, but for `COMP`.
//!
//! # Chunks
//!
//! | tag | content |
//! |---|---|
//! | `TYPE` | the list of types: name, version, whether it is a message. Other chunks name a type by its place in it |
//! | `CLCK` | the clock in nanoseconds, the frame, the steps that it owes, scale and pause; whether the fixed step was set apart from the configuration, if it was |
//! | `MSGS` | for messagees and for hooks: the generation of each place, and the free places, the last to be used first; who is there, with hooks in order; families, names, mnemonics and groups; counts of dead letters and failures |
//! | `POST` | how many messages were posted; for each stage how far it has come; for each pending message all but its content; then the contents |
//! | `COMP` | the components of one type: how many are enabled, the hook of each, then the values in storage order, the enabled ones first |
//! | `RETN` | retained messages, in order, each with whom it reached |
//! | `NEWC` | who came alive behind retained messages that reached everyone, each with how many had been retained by then; missing if nobody did |
//! | `MAIL` | what is published and can still be read or will be, by type and frame; how long each type retains it, also of types without data |
//! | `HEAR` | who overhears what and which message types wires wait for, in the order of the subscriptions; which retained messages a subscription has missed; what waits for a stage |
//! | `WIRE` | how many wires were made, and those that are there |
//! | `PRXY` | how many outboxes were opened; those that are there, with the messages that wait in them; which messagees are proxies, and by which outbox |
//! | `END.` | how many chunks there are before it |
//!
//! `TYPE`, `CLCK`, `MSGS`, `POST` and `END.` have to be there. There is one `COMP` for each component type of which
//! anything is hooked, perhaps none; the others may be missing.
//!
//! # Ids
//!
//! An id of a messagee or a hook is a number: the place in the lower 32 bits and the generation above.
//! A ticket is the number of posts before it. A save is equal, byte by byte, to one that is made of the manager that was restored from
//! it, if nothing has run meanwhile.
//!
//! # Maps
//!
//! The entries of a map are sorted by the bytes of their keys, and the elements of a `HashSet` by their own
//! bytes. A `BTreeMap` and the maps of `indexmap` keep their own order.
//!
//! # What is not in it
//!
//! Subscriptions; traces and their numbers; the places in the source where messages were posted, so what
//! was pending seems to be posted by the call of `restore`; the configuration; what waits in an
//! [inlet](crate::Inlet).
