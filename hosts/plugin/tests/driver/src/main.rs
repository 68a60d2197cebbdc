//! Performs the actions given as arguments with plugins, and prints one line for each: for the tests.
//!
//! | argument | action |
//! |---|---|
//! | `check PATH` | the file is checked |
//! | `load PATH` | it is checked and loaded |
//! | `gone PATH` | its copy is removed between check and load |
//! | `changed PATH` | its copy is changed between check and load |
//! | `world PATH` | a world file is read and instantiated, in the manager that was created first |
//! | `chill N` | everyone receives N degrees of cold |
//! | `rain` | everyone receives rain |
//! | `know` | the numbers of messages and components, the plugins, and whether names of `twin` are known |

use std::env;
use std::error::Error;
use std::fs;

use contract::{Chill, Health};
use message_core::data::WorldFile;
use message_core::prelude::*;
use message_plugin::{Kind, statements};

fn main() {
    // Use the crate of which each has a copy.
    let _ = weather::Wind;
    let mut manager = MessageManager::new();
    let mut arguments = env::args().skip(1);
    while let Some(what) = arguments.next() {
        let to = if ["know", "rain"].contains(&&*what) {
            None
        } else {
            arguments.next()
        };
        match done(&mut manager, &what, &to.unwrap_or_default()) {
            Ok(answer) => println!("ok: {answer}"),
            Err(error) => println!("error: {}", error.to_string().replace('\n', " | ")),
        }
    }
}

fn done(manager: &mut MessageManager, what: &str, to: &str) -> Result<String, Box<dyn Error>> {
    Ok(match what {
        "check" => message_plugin::check(to)?.statement().to_string(),
        "load" | "gone" | "changed" => {
            let checked = message_plugin::check(to)?;
            match what {
                "gone" => fs::remove_file(checked.copy())?,
                "changed" => fs::write(checked.copy(), "something else")?,
                _ => {}
            }
            // SAFETY: the tests build the plugins with this program.
            unsafe { checked.load()? }.name().to_owned()
        }
        "world" => {
            let made = WorldFile::read(to)?.instantiate(manager)?;
            let names: Vec<&str> = made.iter().map(|(name, _)| name).collect();
            names.join(",")
        }
        "chill" => {
            let degrees = to.parse()?;
            let received = manager.send(Everyone, Chill { degrees })?.received;
            let hp: Vec<u32> = manager
                .iter::<Health>()
                .map(|(_, health)| health.hp)
                .collect();
            format!("{received} received, hp {hp:?}")
        }
        "rain" => {
            let receipt = manager.send(Everyone, climate::Rain::default())?;
            format!("{} received", receipt.received)
        }
        "know" => {
            let registry = message_core::registry();
            let plugins = statements().filter(|it| it.kind() == Kind::Plugin);
            let plugins: Vec<String> = plugins.map(|it| it.name().to_owned()).collect();
            let mut names = message_core::data::declared_mnemonics();
            format!(
                "{} messages, {} components, plugins {plugins:?}, melt {}, twin {}",
                registry.messages().len(),
                registry.components().len(),
                registry.message_named("twin.Melt").is_some(),
                names.any(|name| name.name().contains("TWIN") || name.name().contains("twin")),
            )
        }
        _ => return Err(format!("`{what}` is nothing that can be done").into()),
    })
}
