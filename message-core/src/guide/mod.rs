//! A tour in small, complete programs. This module contains no code.
//!
//! Each page fits on one screen and is self-contained. The exact rules are in the
//! [contract](crate::contract); the pages show how to use them.
//!
//! | page | what it shows |
//! |---|---|
//! | [First message](first_message) | a message, a component with a handler, a send |
//! | [Addresses](addresses) | an id, everyone, a mnemonic, a group, a family |
//! | [Replies](replies) | asking one receiver, asking all of them, filling in a message |
//! | [Time](time) | delays, stages, repetition, cancelling, pause |
//! | [Listening](listening) | subscribers, interceptors, and the order of an event log |
//! | [Pull](pull) | reading in this frame what was published in the last one |
//! | [Families and focus](families) | a modal dialog and a tab ring |
//! | [Errors](errors) | what can go wrong, and how it is reported |
//! | [Testing](testing) | how to test your own components |
//! | [`Busy`, and how to avoid it](busy) | a request that comes back to a running component |
//! | [A running component cannot veto](veto) | why not, and what to do instead |
//! | [Reading a subscriber's state](subscriber_state) | three ways to get data out of a closure |
//! | [Message or call?](message_or_call) | when to send a message, when to call a function, and what each costs |
//! | [Other threads](threads) | posting from a thread through an inlet, and asking |
//! | [Seeing](seeing) | recording, causes, `explain` |
//! | [A world from a file](https://docs.rs/message-data/latest/message_data/guide/world_files/) | templates, messagees and wires in a text file, with the crate `message-data` |
//! | [Saving](https://docs.rs/message-data/latest/message_data/guide/saving/) | saving a manager as bytes, and restoring it from them, with the crate `message-data` |
//! | [Why did this run differ?](https://docs.rs/message-data/latest/message_data/guide/replay/) | logging all inputs, replaying them, and finding the difference, with the crate `message-data` |
//! | [Over releases](https://docs.rs/message-data/latest/message_data/guide/releases/) | a test that old saves can still be read, with the crate `message-data` |
//! | [A world that survives](https://docs.rs/message-data/latest/message_data/guide/survival/) | a journal, from which a killed process goes on, with the crate `message-data` |
//! | [After a crash](https://docs.rs/message-data/latest/message_data/guide/after_a_crash/) | the last frames of inputs in a file, and the line that began it, with the crate `message-data` |
//! | [Going back](https://docs.rs/message-data/latest/message_data/guide/going_back/) | any frame of a log, another future, and who has changed a field, with the crate `message-data` |
//! | [Rollback](rollback) | going back some frames, and simulating them again |
//! | [Hosts](hosts) | a manager in any main loop: a window, a web page, Bevy, your own |
//! | [Coming from Bevy](from_bevy) | the same program in both, and what each does better |
//! | [Coming from actors](from_actors) | the same program in both, and what each does better |
//! | [Coming from signals and slots](from_signals) | the same program in both, and what each does better |
//! | [What it does not do](limits) | where to use something else |

pub mod addresses;
pub mod busy;
pub mod errors;
pub mod families;
pub mod first_message;
pub mod from_actors;
pub mod from_bevy;
pub mod from_signals;
pub mod hosts;
pub mod limits;
pub mod listening;
pub mod message_or_call;
pub mod pull;
pub mod replies;
pub mod rollback;
pub mod seeing;
pub mod subscriber_state;
pub mod testing;
pub mod threads;
pub mod time;
pub mod veto;
