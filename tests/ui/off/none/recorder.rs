use message_core::prelude::*;
use message_core::trace::Recorder; //~ enable the feature `trace` of message-core

fn main() {
    let mut manager = MessageManager::new();
    manager.start_recording(Recorder::new(16)); //~ enable the feature `trace` of message-core
}
