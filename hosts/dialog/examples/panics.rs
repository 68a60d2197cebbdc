//! A window whose handler panics at the first key. `terminal-test` checks that the terminal is restored.

use dialog::keys::Key;
use dialog::ring::FOCUS;
use dialog::screen::{Draw, View};
use dialog::{Failure, live};
use message_core::prelude::*;

struct Trap;

#[handlers]
impl Trap {
    #[on_receive]
    fn spring(&mut self, key: &Key) {
        panic!("`{key}` was pressed");
    }

    #[on_receive]
    fn draw(&self, _: &Draw) -> View {
        View::Window("Trap")
    }
}

fn main() -> Result<(), Failure> {
    let mut ui = MessageManager::new();
    let trap = ui.spawn((Trap,));
    ui.bind(FOCUS, trap)?;
    live::run(&mut ui, trap)
}
