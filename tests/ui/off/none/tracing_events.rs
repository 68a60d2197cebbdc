use message_core::prelude::*;

fn main() {
    MessageManager::new().emit_tracing_events(true); //~ enable the feature `tracing` of message-core
}
