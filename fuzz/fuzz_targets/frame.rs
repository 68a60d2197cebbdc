//! Frames between nodes: bytes are refused, or are a frame that is written and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(written) = message_net::rewrite_frame(bytes) {
        let again = message_net::rewrite_frame(&written).expect("what was written can be read");
        assert_eq!(again, written);
    }
});
