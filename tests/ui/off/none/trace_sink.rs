use message_core::trace::TraceSink; //~ enable the feature `trace` of message-core

fn main() {
    let _: Option<&dyn TraceSink> = None;
}
