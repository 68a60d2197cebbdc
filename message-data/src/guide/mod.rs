//! The pages of the [guide](message_core::guide) on data. This module contains no code.
//!
//! | page | what it shows |
//! |---|---|
//! | [A world from a file](world_files) | templates, messagees and wires in a text file |
//! | [Saving](saving) | saving a manager as bytes, and restoring it from them |
#![cfg_attr(
    feature = "files",
    doc = "| [Over releases](releases) | a test that old saves can still be read |"
)]
#![cfg_attr(
    feature = "files",
    doc = "| [A world that survives](survival) | a journal, from which a killed process goes on |"
)]
//! | [Why did this run differ?](replay) | logging all inputs, replaying them, and finding the difference |
//! | [After a crash](after_a_crash) | the last frames of inputs in a file, and the line that began it |
//! | [Going back](going_back) | any frame of a log, another future, and who has changed a field |

pub mod after_a_crash;
pub mod going_back;
#[cfg(feature = "files")]
pub mod releases;
pub mod replay;
pub mod saving;
#[cfg(feature = "files")]
pub mod survival;
pub mod world_files;
