//! Processes that are killed: the test runs itself as a child, and kills it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use message_data::Digest;
use message_data::journal::{Journal, JournalConfig, Opened};

use crate::common::Tested;
use crate::opening::Folder;
use crate::world::{Reference, is_frame, mix, step};

const FOLDER: &str = "JOURNAL_FOLDER";

fn config() -> JournalConfig {
    let config = JournalConfig::new().segment_frames(50);
    config.sync_every(Duration::from_millis(5))
}

/// Runs until it is killed. Prints after each frame how many inputs came before it.
fn live(folder: &str) -> Tested {
    let Opened {
        mut manager,
        recovery,
        ..
    } = Journal::open(folder, &config())?;
    let mut out = std::io::stdout().lock();
    for number in recovery.inputs.. {
        step(&mut manager, number);
        if is_frame(number) {
            writeln!(out, "frame {number}")?;
        }
    }
    Ok(())
}

/// Starts another process that lives in this folder.
fn child(folder: &Folder) -> std::io::Result<Child> {
    Command::new(std::env::current_exe()?)
        .args([
            "--exact",
            "kills::a_killed_process_loses_at_most_one_frame",
            "--nocapture",
        ])
        .env(FOLDER, &folder.0)
        .stdout(Stdio::piped())
        .spawn()
}

// holds: journal.locked
#[test]
fn the_lock_of_a_process_ends_when_that_is_killed() -> Tested {
    let folder = Folder::new("locked-by-child");
    let mut child = child(&folder)?;
    let out = child.stdout.take().expect("it is piped");
    let mut lines = BufReader::new(out).lines().map_while(Result::ok);
    assert!(lines.any(|line| line.starts_with("frame ")), "it lives");
    let error = Journal::open(&folder.0, &config()).expect_err("the child has it open");
    let who = format!("in use by process {}, `journal-", child.id());
    assert!(error.to_string().contains(&who), "{error}");
    child.kill()?;
    child.wait()?;
    Journal::open(&folder.0, &config())?;
    Ok(())
}

// holds: journal.kill
#[test]
fn a_killed_process_loses_at_most_one_frame() -> Tested {
    if let Ok(folder) = std::env::var(FOLDER) {
        return live(&folder);
    }
    let kills = std::env::var("JOURNAL_KILLS").ok();
    let kills: u64 = kills.map_or(25, |kills| kills.parse().expect("a number"));
    let (folder, mut reference) = (Folder::new("killed"), Reference::new());
    let mut before = 0;
    for kill in 0..kills {
        let mut child = child(&folder)?;
        let out = child.stdout.take().expect("it is piped");
        let reader = std::thread::spawn(move || {
            let lines = BufReader::new(out).lines().map_while(Result::ok);
            let frames = lines.filter_map(|line| line.strip_prefix("frame ")?.parse().ok());
            frames.last()
        });
        std::thread::sleep(Duration::from_millis(5 + mix(kill) % 30));
        child.kill()?;
        child.wait()?;
        let last: Option<u64> = reader.join().expect("it reads");
        let Opened {
            manager, recovery, ..
        } = Journal::open(&folder.0, &config())?;
        let at_least = last.unwrap_or(before);
        let reached = recovery.inputs;
        assert!(reached >= at_least, "kill {kill}: {reached} of {at_least}");
        assert_eq!(
            &Digest::of(&manager),
            reference.after(reached),
            "kill {kill}"
        );
        before = reached;
    }
    assert!(before > kills, "{before} inputs");
    println!("{kills} kills, {before} inputs");
    Ok(())
}
