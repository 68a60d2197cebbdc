//! World files: a file is refused, or instantiated and written back to one that is read.
#![no_main]

#[allow(dead_code)]
mod common;

use libfuzzer_sys::fuzz_target;
use message_core::prelude::*;
use message_data::{self as data, Selection, WorldFile};

fuzz_target!(|text: &str| {
    let Ok(file) = WorldFile::parse(text) else {
        return;
    };
    let mut manager = MessageManager::new();
    if file.instantiate(&mut manager).is_ok() {
        let written = data::write_world(&manager, &Selection::all());
        if let Ok(written) = written {
            WorldFile::parse(&written).expect("what was written can be read");
        }
    }
});
