//! Checks of source texts: compile errors, disabled features, and examples in the docs.

mod documented;
mod features_off;
mod guidelines;
mod ui;
