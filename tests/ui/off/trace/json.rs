use message_core::prelude::*;
use message_core::trace::{Recorder, TraceFilter};

fn main() {
    let mut manager = MessageManager::new();
    manager.start_recording(Recorder::new(16));
    let recorder = manager.stop_recording().unwrap();
    let all = TraceFilter::all();
    recorder.write_chrome_trace(&all, std::io::stdout()).unwrap(); //~ enable the feature `json` of message-core
    recorder.write_json_lines(&all, std::io::stdout()).unwrap(); //~ enable the feature `json` of message-core
}
