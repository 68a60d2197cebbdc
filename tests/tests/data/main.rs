//! Types that can be written and read by name.
#![allow(
    clippy::unused_self,
    reason = "a handler takes its component, used or not"
)]

mod bad_saves;
mod logs;
mod messages_by_name;
mod packed;
mod saved_mail;
mod saved_overhearing;
mod saved_programs;
mod saves;
mod text;
mod types;
mod upgrades;
mod values;
mod wires;
mod world_files;
