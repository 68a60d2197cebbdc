//! What is done around deliveries when somebody asks for it: they are traced, or a panic ends with
//! the component that has panicked.

pub(crate) mod call;
mod watch;
