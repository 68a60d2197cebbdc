//! Types missing from the registry of a program that depends on a crate but never names it.

use message_core::MessageId;

#[test]
fn a_crate_that_is_only_listed_in_cargo_toml_is_not_linked_in() {
    let registry = message_core::registry();
    assert!(registry.message_named("unnamed.knock").is_none());
    let knock = MessageId::of_name("unnamed.knock");
    assert_eq!(registry.handlers_of(knock).count(), 0);
}
