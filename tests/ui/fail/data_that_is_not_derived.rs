use message_data::Data;

struct Health {
    hp: u32,
}

fn name<D: Data>() -> &'static str {
    D::TYPE.name()
}

fn main() {
    name::<Health>();
}
