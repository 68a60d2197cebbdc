//! A crate that allows itself nothing: what the macros write here has to be as clean as what is
//! written by hand, wherever they find `message-core`.
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, clippy::pedantic)]

pub mod renamed_crate;
pub mod through_engine;
