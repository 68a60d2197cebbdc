//! Shows the form in the terminal, or plays keys and prints the frames: `cargo run --release -- --help`.

use std::io::{IsTerminal, stdin, stdout};
use std::process::ExitCode;

use dialog::form::Form;
use dialog::{Failure, keys, live, script};
use message_core::prelude::*;

const HELP: &str = "\
A form and modal dialogs in a terminal. Tab moves the focus, Escape closes, Ctrl-C quits.

    cargo run --release [-- --keys KEYS]

  --keys KEYS  needs no terminal: presses the keys and prints the frames. Keys are characters, <Tab>,
               <BackTab>, <Enter>, <Esc> and <Backspace>, such as 'Ada<Tab>London<Tab><Enter><Esc>'
  --help       prints this text";

fn main() -> ExitCode {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let given: Vec<&str> = given.iter().map(String::as_str).collect();
    let done = match *given {
        [] => show(),
        ["--keys", keys] => match keys::parse(keys) {
            Ok(keys) => script::play(&keys).map(|frames| print!("{frames}")),
            Err(mistake) => return wrong(&mistake),
        },
        ["--help"] => {
            println!("{HELP}");
            Ok(())
        }
        _ => return wrong(&format!("unknown arguments {given:?}\n{HELP}")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("dialog: {error}");
            ExitCode::FAILURE
        }
    }
}

fn wrong(why: &str) -> ExitCode {
    eprintln!("dialog: {why}");
    ExitCode::from(2)
}

fn show() -> Result<(), Failure> {
    if !stdin().is_terminal() || !stdout().is_terminal() {
        return Err("the input and the output are no terminal: expected `--keys KEYS`".into());
    }
    let mut ui = MessageManager::new();
    let form = Form::open(&mut ui)?;
    live::run(&mut ui, form)
}
