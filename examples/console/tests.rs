use message_data::WorldFile;

use crate::completion::Words;
use crate::console::Console;
use crate::history;
use crate::village::{Bell, Health};

fn console() -> Console {
    let file = WorldFile::parse(crate::WORLD).expect("the world is right");
    Console::new(file).expect("a new manager has nothing that is in its way")
}

fn say(console: &mut Console, line: &str) -> String {
    let said = console.obey(line);
    said.unwrap_or_else(|error| format!("error: {error}"))
}

#[test]
fn the_demonstration_has_no_mistakes() {
    let mut console = console();
    for line in include_str!("demo.txt").lines() {
        let said = say(&mut console, line);
        assert!(!said.starts_with("error"), "{line}\n{said}");
    }
}

#[test]
fn what_is_spawned_is_hurt_and_dies() {
    let mut console = console();
    assert!(say(&mut console, "spawn goblin mok").ends_with("\"mok\""));
    say(&mut console, "send mok Damage(amount: 3, by: grib)");
    let mok = console.manager.find("mok").next().expect("it was spawned");
    assert_eq!(
        console
            .manager
            .get::<Health>(mok)
            .expect("it has health")
            .hp,
        5
    );
    assert!(
        say(&mut console, "inspect mok").contains("Mind(sight: 3, courage: 0, foe: Some(\"grib\")")
    );
    say(&mut console, "post mok 2 Damage(amount: 9, by: gate)");
    say(&mut console, "tick 3");
    assert!(!console.manager.is_alive(mok));
}

#[test]
fn components_are_attached_changed_and_removed() {
    let mut console = console();
    assert_eq!(
        say(&mut console, "attach bell Mind(sight: 3, foe: Some(grib))"),
        "Mind(sight: 3, courage: 0, foe: Some(\"grib\"), woken: 0)"
    );
    assert_eq!(
        say(&mut console, "change bell Mind(courage: 5)"),
        "Mind(sight: 3, courage: 5, foe: Some(\"grib\"), woken: 0)"
    );
    say(&mut console, "attach bell Mind");
    assert_eq!(
        say(&mut console, "change bell 2 Mind(foe: Some(gate))"),
        "Mind(sight: 0, courage: 0, foe: Some(\"gate\"), woken: 0)"
    );
    assert_eq!(say(&mut console, "remove bell 1 Mind"), "");
    let bell = say(&mut console, "inspect bell");
    assert!(!bell.contains("grib") && bell.contains("gate"), "{bell}");
    assert_eq!(say(&mut console, "remove bell Mind"), "");
    assert!(!say(&mut console, "inspect bell").contains("Mind"));
}

#[test]
fn the_wires_of_the_gate_ring_the_bell() {
    let mut console = console();
    say(&mut console, "send gate Open");
    say(&mut console, "tick 0.1");
    let bell = console.manager.find("bell").next().expect("there is one");
    assert_eq!(
        console.manager.get::<Bell>(bell).expect("it is one").rung,
        3
    );
    assert!(say(&mut console, "explain").contains("Ring"));
    say(&mut console, "wires 0 off");
    say(&mut console, "send gate Open");
    say(&mut console, "tick 0.1");
    assert_eq!(
        console.manager.get::<Bell>(bell).expect("it is one").rung,
        3
    );
}

#[test]
fn what_is_saved_is_restored() {
    let file = std::env::temp_dir().join(format!("console-{}.save", std::process::id()));
    let quoted = format!("\"{}\"", file.display());
    let mut console = console();
    say(&mut console, "spawn goblin mok");
    say(&mut console, "post mok 2 Damage(amount: 3, by: grib)");
    assert!(say(&mut console, &format!("save {quoted}")).contains("bytes written"));
    say(&mut console, "tick 3");
    let after = say(&mut console, "inspect mok");
    let said = say(&mut console, &format!("restore {quoted}"));
    std::fs::remove_file(&file).expect("it was written");
    assert!(said.starts_with("6 messagees"), "{said}");
    assert_ne!(say(&mut console, "inspect mok"), after);
    say(&mut console, "tick 3");
    assert_eq!(say(&mut console, "inspect mok"), after);
}

#[test]
fn a_log_is_looked_at_frame_by_frame_and_left_for_another_future() {
    let file = std::env::temp_dir().join(format!("console-{}.log", std::process::id()));
    let quoted = format!("\"{}\"", file.display());
    let mut console = console();
    say(&mut console, "spawn goblin mok");
    assert_eq!(say(&mut console, &format!("log {quoted}")), "");
    for line in [
        "tick",
        "post mok 2 Damage(amount: 3, by: grib)",
        "tick",
        "tick",
        "send gate Open",
        "tick",
    ] {
        say(&mut console, line);
    }
    assert!(say(&mut console, "log off").starts_with("6 inputs"));
    let said = say(&mut console, &format!("replay {quoted}"));
    assert!(said.starts_with("frame 4\n"), "{said}");
    std::fs::remove_file(&file).expect("it was written");

    let hurt = say(&mut console, "frame 3");
    assert!(
        hurt.contains("`console::village::Damage` posted by outside to"),
        "{hurt}"
    );
    assert!(
        hurt.contains("console.rs:") && hurt.contains("in `hurt`"),
        "{hurt}"
    );
    assert!(say(&mut console, "inspect mok").contains("hp: 5"));
    assert!(say(&mut console, "back").starts_with("frame 2\n"));
    assert!(say(&mut console, "inspect mok").contains("hp: 8"));
    assert!(say(&mut console, "on").starts_with("frame 3\n"));

    // Changes made now are in none of the files, and the log is as before.
    say(&mut console, "send mok Damage(amount: 4, by: grib)");
    assert!(say(&mut console, "inspect mok").contains("hp: 1"));
    assert!(say(&mut console, "frame 4").contains("Open"));
    let who = say(&mut console, "who mok Health hp");
    assert!(
        who.starts_with("frame 3: from 8 to 5 by `console::village::Damage` from outside"),
        "{who}"
    );
    assert!(
        who.contains("village.rs:") && who.contains("in `hurt`"),
        "{who}"
    );
    assert!(say(&mut console, "frame").starts_with("frame 3\n"));
    let never = say(&mut console, "who bell Bell");
    assert_eq!(never, "it has not changed in this log");
    let error = say(&mut console, "who mok Health ph");
    assert!(error.contains("has no field `ph`"), "{error}");
    assert!(say(&mut console, "frame 1").starts_with("frame 1\n"));
}

#[test]
fn a_mistake_says_what_was_meant() {
    let mut console = console();
    for (line, expected) in [
        ("spawn goblim", "did you mean `goblin`?"),
        ("send gate Opne", "did you mean `Open`?"),
        (
            "send gaet Open",
            "no messagee is called `gaet`: see `list`; did you mean `gate`?",
        ),
        ("send Evryone Open", "did you mean `Everyone`?"),
        ("send gate Damage(amuont: 3)", "did you mean `amount`?"),
        ("post gate soon Open", "expected a number of seconds"),
        ("attach gate Helth", "did you mean `Health`?"),
        ("attach gate Open", "`Open` is a message"),
        ("attach grob Health", "no messagee is called `grob`"),
        (
            "change gate Door(opne: true)",
            "column 18: `Door` has no field",
        ),
        (
            "  send  gate  Damage(amount: 1, by: grob)",
            "column 37: no messagee is called `grob`; did you mean `grib`?",
        ),
        ("attach \"gate\" Door(open: 3)", "column 26: "),
        (
            "change gate Mind(sight: 1)",
            "`gate` has no component `Mind`",
        ),
        (
            "change gate 2 Door()",
            "`gate` has 1 `Door`: expected a number",
        ),
        ("remove gate Dor", "did you mean `Door`?"),
        ("remove gate Door 1", "unexpected `1`"),
        ("remove gate", "an argument is missing"),
        ("frame 3", "no log is being replayed"),
        ("log off", "nothing is logged"),
        ("fly", "unknown command `fly`: see `help`"),
        (
            "sned gate Open",
            "unknown command `sned`: see `help`; did you mean `send`?",
        ),
        ("load no/such.ron", "no/such.ron: the file cannot be read"),
    ] {
        let said = say(&mut console, line);
        assert!(
            said.starts_with("error: ") && said.contains(expected),
            "{line}: {said}"
        );
    }
}

#[test]
fn commands_names_types_and_fields_are_completed() {
    let console = console();
    let words = Words {
        names: console.names(),
        templates: console.templates(),
    };
    for (line, begin, expected) in [
        ("sp", 0, &["spawn "][..]),
        ("re", 0, &["remove", "replay", "restore"]),
        ("spawn go", 6, &["goblin "]),
        ("inspect g", 8, &["gate", "grib", "gurk"]),
        ("send Ev", 5, &["Everyone "]),
        ("send gate Op", 10, &["Open", "Opened"]),
        ("send gate Da", 10, &["Damage("]),
        ("send gate Wa", 10, &["Wake "]),
        ("send mok Damage(am", 16, &["amount: "]),
        ("send mok Damage(amount: 3, by: gr", 31, &["grib"]),
        ("attach g", 7, &["gate", "grib", "gurk"]),
        ("attach gate He", 12, &["Health("]),
        ("attach gate Mind(si", 17, &["sight: "]),
        ("change gate D", 12, &["Door("]),
        ("change gate 2 D", 14, &["Door("]),
        ("remove gate Be", 12, &["Bell "]),
        ("tick ", 5, &[]),
    ] {
        let (at, mut found) = words.complete(line);
        found.sort_unstable();
        assert_eq!(
            (at, found),
            (begin, expected.iter().map(|it| (*it).to_owned()).collect()),
            "{line}"
        );
    }
}

#[test]
fn an_interrupted_line_is_dropped_and_the_console_goes_on() {
    use rustyline::error::ReadlineError::{Eof, Interrupted};
    let mut console = console();
    let lines = [
        Ok("spawn goblin mok".to_owned()),
        Err(Interrupted),
        Err(Interrupted),
        Ok("spawn goblin rok".to_owned()),
        Err(Eof),
    ];
    let mut lines = lines.into_iter();
    let mut names = Vec::new();
    let ended = crate::converse(&mut console, |words| {
        names = words.names;
        lines.next().expect("nothing is read after the end")
    });
    assert!(ended.is_ok());
    assert!(names.contains(&"mok".to_owned()) && names.contains(&"rok".to_owned()));
    assert!(crate::converse(&mut console, |_| Ok("quit".to_owned())).is_ok());
    assert!(console.is_over);
}

#[test]
fn the_greeting_names_the_world_and_the_help() {
    let greeting = crate::greeting(&console());
    assert_eq!(
        greeting,
        "A world with village, gate, bell, grib, gurk. `help` lists the commands, Tab completes, Ctrl-D leaves."
    );
}

#[test]
fn times_are_written_as_people_read_them() {
    let mut console = console();
    for (delay, due) in [
        ("0.25", "due in 250 ms"),
        ("1.5", "due in 1.5 s"),
        ("90", "due in 1 min 30 s"),
        ("3661", "due in 61 min 1 s"),
    ] {
        say(&mut console, &format!("post gate {delay} Open"));
        let pending = say(&mut console, "pending");
        assert!(pending.contains(due), "{pending}");
    }
    say(&mut console, "tick 1");
    let pending = say(&mut console, "pending");
    assert!(pending.contains("due in 500 ms"), "{pending}");
}

#[test]
fn the_last_lines_are_kept_between_runs() {
    let file = std::env::temp_dir().join(format!("console-{}.history", std::process::id()));
    let read = || history::read(&file).expect("it can be read");
    assert!(read().is_empty());
    let lines: Vec<String> = (0..history::LINES + 3)
        .map(|it| format!("tick {it}"))
        .collect();
    for line in &lines {
        history::add(&file, line).expect("it can be written");
    }
    assert_eq!(read(), lines[3..]);
    let rest = std::fs::read_to_string(&file).expect("it is there");
    assert_eq!(rest.lines().count(), history::LINES);
    history::add(&file, "quit").expect("it can be written");
    assert_eq!(read().last().map(String::as_str), Some("quit"));
    std::fs::remove_file(&file).expect("it was written");
}
