//! Saves: bytes are refused, or make a manager whose save is read again.
#![no_main]

#[allow(dead_code)]
mod common;

use libfuzzer_sys::fuzz_target;
use message_core::ManagerConfig;
use message_core::data::SaveOptions;
use message_core::prelude::*;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(restored) = MessageManager::restore(bytes, ManagerConfig::new()) {
        let mut manager = restored.manager;
        manager.tick(std::time::Duration::from_millis(16));
        let save = manager.save(&SaveOptions::new()).expect("all types have data");
        MessageManager::restore(&save, ManagerConfig::new()).expect("what was saved is restored");
    }
});
