//! Logs: bytes are refused, or repeated.
#![no_main]

#[allow(dead_code)]
mod common;

use libfuzzer_sys::fuzz_target;
use message_data::Replay;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(replayed) = Replay::of_bytes(bytes.to_vec()).run() {
        assert_eq!(replayed.panicked, None);
    }
});
