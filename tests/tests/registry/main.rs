//! The contents of the registry. Each type here is listed: nothing else shares this program.

mod registry;
mod rows;
mod unlinked;
mod unused_messages;
