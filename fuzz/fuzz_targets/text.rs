//! Text in RON syntax: whatever it says, it is read or refused; what is read is written and read again.
#![no_main]

#[allow(dead_code)]
mod common;

use libfuzzer_sys::fuzz_target;
use message_data as data;

use common::Mood;

fuzz_target!(|text: &str| {
    if let Ok(moods) = data::from_text::<Vec<Mood>>(text) {
        let written = data::to_text(&moods).expect("what was read can be written");
        let again: Vec<Mood> = data::from_text(&written).expect("what was written can be read");
        assert_eq!(format!("{again:?}"), format!("{moods:?}"));
    }
});
