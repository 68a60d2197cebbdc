//! A game that loads a plugin, and a world file with components that only the plugin knows.
//!
//! ```text
//! hosts/plugin/run                        builds all and runs it
//! game PLUGIN.so WORLD.ron                with another plugin, or another file
//! ```

use std::env;
use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

use contract::{Chill, Health};
use message_core::data::WorldFile;
use message_core::prelude::*;

fn main() -> ExitCode {
    match play() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn play() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [library, world] = &*arguments else {
        return Err("expected two arguments: a plugin, and a world file".into());
    };
    // The manager is created before the plugin is loaded.
    let mut manager = MessageManager::new();
    let early = manager.send(Everyone, Chill { degrees: 1 })?;
    println!("before: {} received the cold", early.received);

    let checked = message_plugin::check(library)?;
    println!("checked: {}", checked.statement());
    // SAFETY: the plugin is built by the same command as this program.
    let plugin = unsafe { checked.load()? };
    println!("loaded: {}", plugin.name());

    let file = WorldFile::read(world)?;
    let made = file.instantiate(&mut manager)?;
    let pond = made.get("pond").ok_or("the file has no pond")?;
    for degrees in [4, 5] {
        let received = manager.send(Everyone, Chill { degrees })?.received;
        println!("{received} received {degrees} degrees of cold");
    }
    println!("pond: {} hp", manager.get::<Health>(pond)?.hp);
    manager.tick(Duration::from_millis(16));
    for mail in manager.inbox_any() {
        println!("published: {}", mail.message().name());
    }
    Ok(())
}
