//! The format of texts.
