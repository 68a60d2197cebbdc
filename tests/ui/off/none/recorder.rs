use message_core::trace::Recorder;
use message_core::prelude::*;
use message_core::trace::Recorder; //~ enable the feature `trace` of message-core

fn main() {
    Recorder::new(16).start(&mut MessageManager::new());
}
