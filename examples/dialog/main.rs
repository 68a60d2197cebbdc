//! A user interface in text mode: a form, and modal dialogs over it.
//!
//! This example shows:
//!
//! - the focus is a mnemonic, `FOCUS`. A key is sent `Up` from the focused widget, and the first
//!   component that can use the key consumes it (`widgets.rs`);
//! - a tab ring consists of the children of a messagee. Moving the focus takes effect at once, in the
//!   same handler, even to a widget that was spawned in the same handler (`ring.rs`);
//! - a modal dialog is a child of the form that lets no key through. It opens over the focused widget,
//!   restores the focus when it closes, and takes its buttons with it (`modal.rs`);
//! - a frame is drawn from the answers to one request that is sent `Down` the tree (`screen.rs`).
//!
//! It reads its keys from a script, so it does not need a terminal. Run it with
//! `cargo run --release --example dialog`, or with your own keys:
//! `-- --keys "Ada<Tab>London<Tab><Enter><Esc>"`. `tests.rs` asserts what the frames only show.

#![expect(
    unreachable_pub,
    reason = "nothing of a program can be reached from outside"
)]
#![expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "a handler takes its message by reference"
)]

#[path = "../common/arguments.rs"]
mod arguments;
mod form;
mod keys;
mod modal;
mod ring;
mod screen;
#[cfg(test)]
mod tests;
mod widgets;

use std::error::Error;
use std::process::ExitCode;

use message_core::prelude::*;

use arguments::Usage;
use form::Form;
use keys::Key;
use ring::FOCUS;

const USAGE: Usage = Usage {
    name: "dialog",
    about: "A form and modal dialogs in text mode. Plays keys and prints frames.",
    options: &[(
        "--keys KEYS",
        "Keys to press: characters, <Tab>, <BackTab>, <Enter>, <Esc>, <Backspace>.",
    )],
    look: &[
        (
            "dialog/widgets.rs",
            "a widget consumes the keys that it uses",
        ),
        (
            "dialog/modal.rs",
            "a modal dialog is a child that lets no key through",
        ),
        (
            "dialog/screen.rs",
            "one request, `Down` the tree, draws a frame",
        ),
    ],
};

/// Saves without a name, corrects that, and answers both ways whether to leave.
const SCRIPT: &str = "<Tab><Tab><Enter>x<Esc><BackTab><BackTab>Ada<Tab>Londom<Backspace>n<Tab><Enter>\
                      <BackTab>!<Esc><Tab><Enter><Esc><Enter>";

fn main() -> ExitCode {
    let given = USAGE.read();
    let script = given.value("--keys").map(|keys| keys.to_string_lossy());
    let keys = match keys::parse(script.as_deref().unwrap_or(SCRIPT)) {
        Ok(keys) => keys,
        Err(error) => {
            eprintln!("dialog: {error}");
            return ExitCode::from(2);
        }
    };
    match play(&keys) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("dialog: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Presses the keys one by one and prints the screen; only once for consecutive characters.
fn play(keys: &[Key]) -> Result<(), Box<dyn Error>> {
    let mut ui = MessageManager::new();
    ui.subscribe(Filter::of::<form::Saved>(), |saved, _| {
        println!("saved: {} of {}", saved.name, saved.city);
    });
    let form = Form::open(&mut ui)?;
    println!("{}", screen::draw(&mut ui, form)?);
    for (at, &key) in keys.iter().enumerate() {
        print!("{key}");
        let is_typing = |key: Option<&Key>| matches!(key, Some(Key::Char(_)));
        press(&mut ui, key)?;
        if is_typing(Some(&key)) && is_typing(keys.get(at + 1)) {
            continue;
        }
        println!();
        if !ui.is_alive(form) {
            println!("the form is closed");
            break;
        }
        println!("{}", screen::draw(&mut ui, form)?);
    }
    Ok(())
}

/// Sends a key to the focused widget, and on to the widgets around it.
fn press(ui: &mut MessageManager, key: Key) -> Result<(), SendError> {
    if let Some(focused) = ui.bound(FOCUS) {
        ui.send(Up(focused), key)?;
    }
    Ok(())
}
