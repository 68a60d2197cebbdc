//! What is said of source texts: compile errors, features that are off, and examples in the docs.

mod documented;
mod features_off;
mod guidelines;
mod ui;
