//! Types that can be written and read by name.
#![allow(
    clippy::unused_self,
    reason = "a handler takes its component, used or not"
)]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::float_cmp,
    reason = "numbers are drawn by their bits, and compared by them"
)]
#![allow(
    clippy::items_after_statements,
    clippy::option_option,
    reason = "a test declares the type that it reads, which is what the test is about"
)]

mod asked;
mod back;
mod bad_saves;
mod compatible;
mod component_texts;
mod components_by_text;
mod doors;
mod hostile_logs;
mod inputs;
mod logs;
mod messages_by_name;
mod packed;
mod proxies;
mod random_messages;
#[allow(clippy::unwrap_used, reason = "a test fails where it panics")]
mod repeated;
mod restored;
mod saved_mail;
mod saved_overhearing;
mod saved_programs;
mod saves;
mod shapes;
mod sorted;
mod text;
mod text_syntax;
mod travel;
mod types;
mod upgrades;
mod values;
mod wire_fields;
mod wires;
mod world_files;
mod world_hooks;
mod world_sharing;
mod world_templates;
mod worlds_in_handlers;
