//! Messages by name, as a console reads them: a text is refused, or is a message that is sent, written and read again.
#![no_main]

mod common;

use libfuzzer_sys::fuzz_target;
use message_core::prelude::*;
use message_core::report::ReportTo;
use message_data::{message_to_text, parse_message};
use std::cell::RefCell;

struct World {
    manager: MessageManager,
    mind: MessageeId,
}

impl World {
    fn new() -> Self {
        let config = ManagerConfig::new().report_to(ReportTo::Nobody);
        let mut manager = MessageManager::with_config(config);
        let mind = manager.spawn_named("grib", (common::Mind::default(),));
        manager.spawn_named("two words", ());
        Self { manager, mind }
    }
}

thread_local! {
    static WORLD: RefCell<World> = RefCell::new(World::new());
}

fuzz_target!(|text: &str| WORLD.with_borrow_mut(|world| {
    let Ok(message) = parse_message(text, &world.manager) else {
        return;
    };
    let written = message_to_text(&*message).expect("what was read can be written");
    let again = parse_message(&written, &world.manager).expect("what was written can be read");
    let twice = message_to_text(&*again).expect("it was written before");
    assert_eq!(twice, written);
    world
        .manager
        .send_any(world.mind, message)
        .expect("it is alive");
}));
