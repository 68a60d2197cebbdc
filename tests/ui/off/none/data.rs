use message_core::data::WorldFile; //~ gated behind the `data` feature

#[derive(message_core::data::Data)] //~ gated behind the `data` feature
struct Health {
    hp: u32,
}

fn main() {}
