// holds: plugins.not-with-linkme
fn main() {
    let _ = message_core::extend_registry(); //~ the registry cannot be extended with the feature `linkme`
}
