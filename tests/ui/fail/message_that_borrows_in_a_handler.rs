use message_core::prelude::*;

struct Said<'a>(&'a str);

struct Listener;

#[handlers]
impl Listener {
    #[on_receive]
    fn listen(&mut self, _: &Said<'_>) {}
}

fn main() {}
