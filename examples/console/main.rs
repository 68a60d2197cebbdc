//! A console for a manager: spawn from templates, send and post messages by name, look at components, attach, change
//! and remove them, tick, explain, switch wires, load and write world files.
//!
//! In a terminal, it has a history, and the tab key completes commands, names, message types and
//! fields. Without a terminal, or with a file, it is scripted: it executes the lines one after the
//! other, prints each of them, and exits with code 1 if one failed.
//!
//! Run it with `cargo run --release --example console`, or
//! `-- examples/console/demo.txt` for a demonstration.

#![expect(
    unreachable_pub,
    reason = "nothing of a program can be reached from outside"
)]

#[path = "../common/arguments.rs"]
mod arguments;
mod completion;
mod console;
#[cfg(test)]
mod tests;
mod village;

use std::error::Error;
use std::io::{BufRead, BufReader, IsTerminal, stdin};
use std::path::Path;
use std::process::ExitCode;

use arguments::Usage;
use completion::Words;
use console::{Answer, Console};
use message_data::WorldFile;
use rustyline::Editor;
use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;

const USAGE: Usage = Usage {
    name: "console",
    about: "A command line for a manager.",
    options: &[
        ("--world FILE", "The world file to load first."),
        ("SCRIPT", "A file with commands. Default: standard input."),
    ],
};

/// The built-in world.
const WORLD: &str = include_str!("console.ron");

fn main() -> ExitCode {
    let given = USAGE.read();
    let world = match given.value("--world") {
        Some(file) => WorldFile::read(Path::new(file)),
        None => WorldFile::parse(WORLD),
    };
    let world = match world {
        Ok(world) => world,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    let script = given.value("SCRIPT").map(Path::new);
    match run(world, script) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns `true` if there were no errors.
fn run(world: WorldFile, script: Option<&Path>) -> Result<bool, Box<dyn Error>> {
    let console = Console::new(world)?;
    match script {
        Some(script) => {
            let file = std::fs::File::open(script);
            let file = file.map_err(|error| format!("{}: {error}", script.display()))?;
            play(console, BufReader::new(file))
        }
        None if stdin().is_terminal() => talk(console).map(|()| true),
        None => play(console, stdin().lock()),
    }
}

/// Executes one line after the other.
fn play(mut console: Console, lines: impl BufRead) -> Result<bool, Box<dyn Error>> {
    let mut is_good = true;
    for (number, line) in (1..).zip(lines.lines()) {
        let line = line?;
        println!("> {line}");
        match console.obey(&line) {
            Ok(Answer::Text(text)) => print_lines(&text),
            Ok(Answer::Quit) => break,
            Err(error) => {
                eprintln!("line {number}: {error}");
                is_good = false;
            }
        }
    }
    Ok(is_good)
}

/// Reads lines from a terminal.
fn talk(mut console: Console) -> Result<(), Box<dyn Error>> {
    let history = MemHistory::new();
    let mut editor: Editor<Words, _> = Editor::with_history(rustyline::Config::default(), history)?;
    loop {
        editor.set_helper(Some(Words {
            names: console.names(),
            templates: console.templates(),
        }));
        let line = match editor.readline("> ") {
            Ok(line) => line,
            Err(ReadlineError::Eof | ReadlineError::Interrupted) => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        editor.add_history_entry(&line)?;
        match console.obey(&line) {
            Ok(Answer::Text(text)) => print_lines(&text),
            Ok(Answer::Quit) => return Ok(()),
            Err(error) => eprintln!("{error}"),
        }
    }
}

fn print_lines(text: &str) {
    if !text.is_empty() {
        println!("{}", text.trim_end());
    }
}
