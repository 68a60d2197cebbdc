// holds: plugins.not-with-linkme
message_core::plugin!("frost"); //~ a plugin needs the default linking backend

mod shared {
    message_core::shared!();
}

fn main() {
    println!("{}", shared::MESSAGE_BUILD);
}
