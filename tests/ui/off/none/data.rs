use message_data as data; //~ gated behind the `data` feature
use message_data::WorldFile; //~ gated behind the `data` feature
use message_data::proxy; //~ gated behind the `data` feature

#[derive(message_data::Data)] //~ gated behind the `data` feature
struct Health {
    hp: u32,
}

fn main() {}
