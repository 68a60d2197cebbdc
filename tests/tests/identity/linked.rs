//! The registry of a program that names a crate without using anything from it.

use message_tests_unnamed as _;

// holds: identity.linked-entries
#[test]
fn a_crate_that_is_named_is_linked_in_with_its_messages_and_handlers() {
    let registry = message_core::registry();
    let knock = registry
        .message_named("unnamed.knock")
        .expect("the crate is named");
    let handlers: Vec<_> = registry.handlers_of(knock.id).collect();
    assert_eq!(handlers.len(), 1);
    assert_eq!(handlers[0].method, "knock");
}
