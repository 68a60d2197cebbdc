//! A console for a manager: spawn from templates, send and post messages by name, look at components, attach, change
//! and remove them, tick, explain, switch wires, load and write world files.
//!
//! In a terminal, it has a history, which it keeps in a file between runs, and the tab key completes commands, names,
//! message types and fields. Ctrl-C drops the line, Ctrl-D leaves. Without a terminal, or with a file, it is scripted: it executes the lines one after the
//! other, prints each of them, and exits with code 1 if one failed.
//!
//! Run it with `cargo run --release -p message-console --example console`, or
//! `-- examples/console/demo.txt` for a demonstration.

#![expect(
    unreachable_pub,
    reason = "nothing of a program can be reached from outside"
)]

#[path = "../common/arguments.rs"]
mod arguments;
mod completion;
mod console;
mod history;
#[cfg(test)]
mod tests;
mod village;

use std::error::Error;
use std::io::{BufRead, BufReader, IsTerminal, stdin};
use std::path::Path;
use std::process::ExitCode;

use arguments::Usage;
use completion::Words;
use console::Console;
use message_data::WorldFile;
use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use rustyline::{Config, Editor};

const USAGE: Usage = Usage {
    name: "console",
    about: "A command line for a manager.",
    options: &[
        ("--world FILE", "The world file to load first."),
        (
            "--history FILE",
            "Where a terminal's lines are kept. Default: .message-console in the home folder.",
        ),
        ("SCRIPT", "A file with commands. Default: standard input."),
    ],
    look: &[
        (
            "console/village.rs",
            "components and messages that can be named in a line",
        ),
        (
            "console/console.rs",
            "`send` parses a message by its name; `inspect` writes components as text",
        ),
        (
            "console/console.ron",
            "the world, with wires from the gate to the bell",
        ),
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
    let history = match given.value("--history") {
        Some(file) => Some(file.into()),
        None => std::env::home_dir().map(|home| home.join(".message-console")),
    };
    match run(world, script, history.as_deref()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns `true` if there were no errors.
fn run(
    world: WorldFile,
    script: Option<&Path>,
    history: Option<&Path>,
) -> Result<bool, Box<dyn Error>> {
    let console = Console::new(world)?;
    match script {
        Some(script) => {
            let file = std::fs::File::open(script);
            let file = file.map_err(|error| format!("{}: {error}", script.display()))?;
            play(console, BufReader::new(file))
        }
        None if stdin().is_terminal() => talk(console, history).map(|()| true),
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
            Ok(text) => print_lines(&text),
            Err(error) => {
                eprintln!("line {number}: {error}");
                is_good = false;
            }
        }
        if console.is_over {
            break;
        }
    }
    Ok(is_good)
}

/// Reads lines from a terminal.
fn talk(mut console: Console, history: Option<&Path>) -> Result<(), Box<dyn Error>> {
    let config = Config::builder().max_history_size(history::LINES)?.build();
    let history_of_run = MemHistory::with_config(&config);
    let mut editor: Editor<Words, _> = Editor::with_history(config, history_of_run)?;
    if let Some(path) = history {
        for line in history::read(path)? {
            editor.add_history_entry(line)?;
        }
    }
    println!("{}", greeting(&console));
    converse(&mut console, |words| {
        editor.set_helper(Some(words));
        let line = editor.readline("> ")?;
        // Nothing is added for a line that is empty or repeats the last one.
        if editor.add_history_entry(&line)?
            && let Some(path) = history
        {
            history::add(path, &line)?;
        }
        Ok(line)
    })?;
    Ok(())
}

/// Says which world it is, and how to go on.
fn greeting(console: &Console) -> String {
    let names = console.names().join(", ");
    format!("A world with {names}. `help` lists the commands, Tab completes, Ctrl-D leaves.")
}

/// Executes the lines that are read. An interrupted line is dropped.
fn converse(
    console: &mut Console,
    mut read: impl FnMut(Words) -> rustyline::Result<String>,
) -> rustyline::Result<()> {
    while !console.is_over {
        let words = Words {
            names: console.names(),
            templates: console.templates(),
        };
        let line = match read(words) {
            Ok(line) => line,
            Err(ReadlineError::Interrupted) => continue,
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(error),
        };
        match console.obey(&line) {
            Ok(text) => print_lines(&text),
            Err(error) => eprintln!("{error}"),
        }
    }
    Ok(())
}

fn print_lines(text: &str) {
    if !text.is_empty() {
        println!("{}", text.trim_end());
    }
}
