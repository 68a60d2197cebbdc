use message_core::prelude::*;

struct Damage;

mod peace {
    pub(crate) struct Heal;
}

struct Health;

#[handlers]
impl Health {
    #[on_receive]
    fn hurt(&mut self, _: &Damage) {}

    #[on_receive]
    fn heal(&mut self, _: &peace::Heal) -> Result<bool, std::fmt::Error> {
        Ok(true)
    }
}

fn main() {}
