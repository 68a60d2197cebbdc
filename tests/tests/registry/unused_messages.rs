//! Message types that nobody uses.

use std::error::Error;

use message_core::prelude::*;

/// A message that is never used.
#[derive(Message)]
#[message(name = "unused.forgotten")]
struct Forgotten;

#[derive(Message)]
#[message(name = "unused.published")]
struct Published;

#[derive(Message)]
#[message(name = "unused.read")]
struct Read;

#[derive(Message)]
#[message(name = "unused.heard")]
struct Heard;

fn unused(manager: &MessageManager) -> Vec<&'static str> {
    let unused = manager.inspect().unused_messages();
    unused
        .iter()
        .map(|message| message.name)
        .filter(|name| name.starts_with("unused.") || name.starts_with("message_core"))
        .collect()
}

// holds: failures.unused-messages
#[test]
fn the_message_types_that_nobody_uses_are_found() -> Result<(), Box<dyn Error>> {
    let mut manager = MessageManager::new();
    manager.subscribe(Filter::all(), |_, _| {});
    let all = [
        "unused.forgotten",
        "unused.heard",
        "unused.published",
        "unused.read",
    ];
    assert_eq!(unused(&manager), all);
    let heard = manager.subscribe(Filter::of::<Heard>(), |_, _| {});
    manager.publish(Everyone, Published)?;
    assert_eq!(manager.inbox::<Read>().count(), 0);
    assert_eq!(unused(&manager), ["unused.forgotten"]);
    let places = manager.inspect().unused_messages().into_iter();
    let forgotten = places.filter(|it| it.name == "unused.forgotten");
    assert!(forgotten.map(|it| it.place.file).eq([file!()]));
    manager.unsubscribe(heard);
    assert_eq!(unused(&manager), ["unused.forgotten", "unused.heard"]);
    Ok(())
}
