//! Saves: bytes are refused, or make a manager whose save is read again.
#![no_main]

#[allow(dead_code)]
mod common;

use libfuzzer_sys::fuzz_target;
use message_core::ManagerConfig;
use message_data::{self as data, SaveOptions};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(restored) = data::restore(bytes, ManagerConfig::new()) {
        let mut manager = restored.manager;
        manager.tick(std::time::Duration::from_millis(16));
        let save = data::save(&mut manager, &SaveOptions::new()).expect("all types have data");
        data::restore(&save, ManagerConfig::new()).expect("what was saved is restored");
    }
});
