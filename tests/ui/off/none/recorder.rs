use message_core::trace::Recorder; //~ enable the feature `trace` of message-core

fn main() {
    let _ = Recorder::new(16);
}
