//! A crate with strict lints: the code that macros generate here must be as clean as code
//! written by hand, wherever they find `message-core`.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, clippy::pedantic)]

pub mod renamed_crate;
pub mod through_engine;
