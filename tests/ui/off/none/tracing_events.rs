use message_core::prelude::*;

fn main() {
    message_core::emit_tracing_events(&mut MessageManager::new(), true); //~ gated behind the `tracing` feature
}
