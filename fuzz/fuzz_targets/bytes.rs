//! MessagePack: whatever it says, it is read or refused; what is read is written and read again.
#![no_main]

#[allow(dead_code)]
mod common;

use libfuzzer_sys::fuzz_target;
use message_data as data;

use common::Mood;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(moods) = data::from_bytes::<Vec<Mood>>(bytes) {
        let written = data::to_bytes(&moods).expect("what was read can be written");
        let again: Vec<Mood> = data::from_bytes(&written).expect("what was written can be read");
        assert_eq!(format!("{again:?}"), format!("{moods:?}"));
    }
    let mut memory = 4096;
    if let Ok(limited) = data::from_bytes_within::<Vec<Mood>>(bytes, &[], &mut memory) {
        let moods: Vec<Mood> = data::from_bytes(bytes).expect("it can be read with a limit");
        assert_eq!(format!("{limited:?}"), format!("{moods:?}"));
    }
});
