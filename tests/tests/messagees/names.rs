//! Names of messagees: giving, finding and printing them.

use std::cmp::Reverse;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::common::{Actor, Do, Ear, Note, Tested, first_hook, slot, stage};
use crate::letters::letters;
use message_core::lifecycle::Hooked;
use message_core::prelude::*;
use message_core::{
    PanicPolicy,
    error::Receiver,
    report::{Report, ReportTo},
};

mnemonic!(CHIEF);

/// Reports the name that each hooked messagee has at that moment.
struct Herald(mpsc::Sender<String>);

#[handlers]
impl Herald {
    #[on_receive]
    fn hooked(&mut self, hooked: &Hooked) {
        let _ = self.0.send(hooked.messagee.to_string());
    }
}

fn named(manager: &mut MessageManager, names: &[&str]) -> Vec<MessageeId> {
    let spawn = |name: &&str| manager.spawn_named(*name, ());
    names.iter().map(spawn).collect()
}

/// Returns the names of the messagees that match a pattern.
fn found(manager: &MessageManager, pattern: &str) -> Vec<String> {
    let names = manager.find(pattern).map(|id| manager.name(id));
    names
        .map(|name| name.expect("it has one").to_string())
        .collect()
}

// Giving.

// holds: messagees.set-name
#[test]
fn a_name_is_given_changed_and_taken_away() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn(());
    let name = |manager: &MessageManager| manager.name(id).map(|name| name.to_string());
    assert_eq!(name(&manager), None);
    manager.set_name(id, "Red Baron")?;
    assert_eq!(name(&manager).as_deref(), Some("Red Baron"));
    manager.set_name(id, String::from("Richthofen"))?;
    assert_eq!(name(&manager).as_deref(), Some("Richthofen"));
    for _ in 0..2 {
        manager.set_name(id, "")?;
        assert_eq!(name(&manager), None);
        assert_eq!(id.to_string(), "0v0");
    }
    assert!(manager.find("*").eq([]));
    Ok(())
}

// holds: messagees.spawn-named
#[test]
fn spawn_named_gives_a_name_before_the_messagee_is_told_of_its_components() -> Tested {
    let mut manager = MessageManager::new();
    let (tell, told) = mpsc::channel();
    let id = manager.spawn_named("Herald", (Herald(tell),));
    assert_eq!(manager.name(id).as_deref(), Some("Herald"));
    assert_eq!(told.recv()?, "0v0 \"Herald\"");
    let nobody = manager.spawn_named("", ());
    assert_eq!(manager.name(nobody), None);
    Ok(())
}

// holds: messagees.names-may-repeat
#[test]
fn names_need_not_differ() -> Tested {
    let mut manager = MessageManager::new();
    let goblins = named(&mut manager, &["goblin", "goblin"]);
    assert!(manager.find("goblin").eq(goblins.clone()));
    manager.set_name(goblins[0], "orc")?;
    assert!(manager.find("goblin").eq([goblins[1]]));
    Ok(())
}

// holds: messagees.other-manager
#[test]
fn who_is_gone_or_of_another_manager_cannot_be_named() -> Tested {
    let mut manager = MessageManager::new();
    let mut other = MessageManager::new();
    let [id, foreign] = [manager.spawn(()), other.spawn_named("foreign", ())];
    manager.despawn(id)?;
    assert_eq!(
        manager.set_name(id, "late"),
        Err(MessageeError::Absent {
            id,
            why: Absence::Gone
        })
    );
    let refused = manager.set_name(foreign, "stolen");
    assert_eq!(
        refused,
        Err(MessageeError::Absent {
            id: foreign,
            why: Absence::OtherManager
        })
    );
    assert_eq!((manager.name(id), manager.name(foreign)), (None, None));
    assert_eq!(other.name(foreign).as_deref(), Some("foreign"));
    Ok(())
}

// Finding.

// holds: messagees.find
#[test]
fn find_returns_those_who_are_alive_in_the_order_of_their_places() -> Tested {
    let mut manager = MessageManager::new();
    let ids = named(&mut manager, &["a", "a", "a", "a"]);
    manager.despawn(ids[1])?;
    manager.set_name(ids[3], "a")?;
    manager.set_name(ids[0], "a")?;
    assert!(manager.find("a").eq([ids[0], ids[2], ids[3]]));
    let newcomer = manager.spawn_named("a", ());
    assert_eq!(format!("{newcomer:#}"), "1v1");
    assert!(manager.find("a").eq([ids[0], newcomer, ids[2], ids[3]]));
    Ok(())
}

// holds: messagees.find-pattern, messagees.find
#[test]
fn a_pattern_matches_the_whole_name_with_wildcards() {
    let mut manager = MessageManager::new();
    manager.spawn(());
    named(
        &mut manager,
        &[
            "goblin",
            "goblin 1",
            "goblin 12",
            "Goblin",
            "hobgoblin",
            "g*",
            "g?",
            "g\\",
            "größe",
        ],
    );
    for (pattern, expected) in [
        ("goblin", vec!["goblin"]),
        ("goblin*", vec!["goblin", "goblin 1", "goblin 12"]),
        ("*goblin", vec!["goblin", "hobgoblin"]),
        (
            "*obl*",
            vec!["goblin", "goblin 1", "goblin 12", "Goblin", "hobgoblin"],
        ),
        ("goblin ?", vec!["goblin 1"]),
        ("goblin ??", vec!["goblin 12"]),
        ("?oblin", vec!["goblin", "Goblin"]),
        ("*o*o*", vec!["hobgoblin"]),
        ("gr??e", vec!["größe"]),
        ("g?", vec!["g*", "g?", "g\\"]),
        (r"g\*", vec!["g*"]),
        (r"g\?", vec!["g?"]),
        (r"g\\", vec!["g\\"]),
        ("g\\", vec!["g\\"]),
        (r"\goblin", vec!["goblin"]),
        ("", vec![]),
        ("elf*", vec![]),
    ] {
        assert_eq!(found(&manager, pattern), expected, "{pattern}");
    }
    assert_eq!(found(&manager, "**").len(), 9);
}

#[test]
fn a_pattern_with_many_wildcards_does_not_take_long() {
    let mut manager = MessageManager::new();
    manager.spawn_named("a".repeat(2_000), ());
    let began = Instant::now();
    assert_eq!(manager.find(&format!("{}b", "*a".repeat(500))).count(), 0);
    assert_eq!(manager.find(&format!("{}*", "*a".repeat(500))).count(), 1);
    assert_eq!(manager.find(&"*".repeat(10_000)).count(), 1);
    assert!(began.elapsed() < Duration::from_secs(5));
}

// In handlers.

// holds: reentrancy.addresses-at-once
#[test]
fn a_name_changes_at_once_in_a_handler() -> Tested {
    let (mut manager, _, actor) = stage();
    manager.set_name(actor, "before")?;
    let script = Do::new(move |cx| {
        cx.set_name(actor, "after").expect("it is alive");
        assert_eq!(cx.name(actor).as_deref(), Some("after"));
        assert!(cx.find("after").eq([actor]) && cx.find("before").eq([]));
        assert_eq!(cx.me().to_string(), "0v0 \"after\"");
    });
    manager.send(actor, script)?;
    assert_eq!(manager.name(actor).as_deref(), Some("after"));
    Ok(())
}

// holds: reentrancy.newborn-named, reentrancy.looks-as-before, reentrancy.leaving-unchangeable
#[test]
fn a_newborn_has_its_name_at_once_and_is_found_when_it_is_alive() -> Tested {
    let (mut manager, _, actor) = stage();
    let (put, get) = slot();
    let script = Do::new(move |cx| {
        let [first, second] = [cx.spawn_named("first", ()), cx.spawn(())];
        cx.set_name(second, "second").expect("it will be alive");
        assert_eq!(first.to_string(), "1v0 \"first\"");
        assert_eq!(cx.name(second).as_deref(), Some("second"));
        assert!(cx.find("*").eq([]));
        let stillborn = cx.spawn_named("third", ());
        cx.despawn(stillborn).expect("it will be alive");
        let refused = cx.set_name(stillborn, "late");
        assert_eq!(
            refused,
            Err(MessageeError::Absent {
                id: stillborn,
                why: Absence::Leaving
            })
        );
        put([first, second]);
    });
    manager.send(actor, script)?;
    assert!(manager.find("*").eq(get()));
    Ok(())
}

// holds: reentrancy.leaving-keeps-addresses, reentrancy.leaving-unchangeable
#[test]
fn one_that_is_leaving_keeps_its_name_is_found_and_cannot_be_named() -> Tested {
    let (mut manager, _, actor) = stage();
    let other = manager.spawn_named("other", ());
    let script = Do::new(move |cx| {
        cx.despawn(other).expect("it is alive");
        assert_eq!(cx.name(other).as_deref(), Some("other"));
        assert!(cx.find("other").eq([other]));
        let refused = cx.set_name(other, "late");
        assert_eq!(
            refused,
            Err(MessageeError::Absent {
                id: other,
                why: Absence::Leaving
            })
        );
    });
    manager.send(actor, script)?;
    assert!(manager.find("other").eq([]));
    Ok(())
}

#[test]
fn a_desk_finds_the_names_that_the_manager_finds() {
    let mut manager = MessageManager::new();
    let ids = named(&mut manager, &["one", "two"]);
    let desk = manager.desk();
    assert_eq!(desk.name(ids[1]).as_deref(), Some("two"));
    assert!(desk.find("t*").eq([ids[1]]) && desk.find("*").eq(ids));
}

// How long a name is known.

// holds: messagees.name-of-gone, messagees.id-prints-name
#[test]
fn the_name_of_one_that_is_gone_is_known() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn_named("Red Baron", ());
    manager.despawn(id)?;
    assert_eq!(manager.name(id).as_deref(), Some("Red Baron"));
    let error = manager.send(id, Note("")).expect_err("it is gone");
    let expected = format!(
        "`{}` was not delivered to messagee 0v0 \"Red Baron\": it is gone",
        Note::NAME
    );
    assert_eq!(error.to_string(), expected);
    Ok(())
}

// holds: messagees.newcomer-has-own-name, messagees.name-of-gone
#[test]
fn a_newcomer_in_the_same_place_does_not_have_the_name() -> Tested {
    let mut manager = MessageManager::new();
    let old = manager.spawn_named("old", ());
    manager.despawn(old)?;
    let newcomer = manager.spawn(());
    assert_eq!(
        (newcomer.to_string(), manager.name(newcomer)),
        ("0v1".into(), None)
    );
    manager.set_name(newcomer, "")?;
    assert_eq!(old.to_string(), "0v0 \"old\"");
    manager.set_name(newcomer, "new")?;
    assert_eq!(newcomer.to_string(), "0v1 \"new\"");
    // A place has one name: that of the other is forgotten.
    assert_eq!(old.to_string(), "0v0");
    Ok(())
}

// holds: messagees.name-of-gone, memory.shrink-to-fit
#[test]
fn shrink_to_fit_forgets_the_names_of_those_who_are_gone() -> Tested {
    let mut manager = MessageManager::new();
    let ids = named(&mut manager, &["gone", "alive"]);
    manager.despawn(ids[0])?;
    manager.shrink_to_fit();
    assert_eq!(
        (manager.name(ids[0]), ids[0].to_string()),
        (None, "0v0".into())
    );
    assert_eq!(manager.name(ids[1]).as_deref(), Some("alive"));
    Ok(())
}

// holds: messagees.name-of-gone
#[test]
fn managers_have_names_of_their_own() {
    let mut first = MessageManager::new();
    let mut second = MessageManager::new();
    let here = first.spawn_named("here", ());
    let there = second.spawn_named("there", ());
    assert!(first.find("*").eq([here]) && second.find("*").eq([there]));
    let error = first.send(there, Note("")).expect_err("it is of another");
    assert!(error.to_string().contains("0v0 \"there\""), "{error}");
    drop(second);
    assert_eq!(
        [here, there].map(|id| id.to_string()),
        ["0v0 \"here\"", "0v0"]
    );
}

// holds: messagees.id-prints-name
#[test]
fn a_name_is_printed_while_the_manager_drops_its_components() -> Tested {
    struct Last(Option<MessageeId>, mpsc::Sender<String>);

    impl Drop for Last {
        fn drop(&mut self) {
            if let Some(id) = self.0 {
                let _ = self.1.send(id.to_string());
            }
        }
    }

    let (tell, told) = mpsc::channel();
    let mut manager = MessageManager::new();
    let id = manager.spawn_named("it", (Last(None, tell),));
    manager.get_mut::<Last>(id)?.0 = Some(id);
    drop(manager);
    assert_eq!(told.recv()?, "0v0 \"it\"");
    Ok(())
}

// holds: messagees.id-prints-name
#[test]
fn another_thread_prints_the_names_too() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn_named("it", ());
    let printing = std::thread::spawn(move || (0..1_000).all(|_| !id.to_string().is_empty()));
    for number in 0..1_000 {
        manager.set_name(id, format!("it {number}"))?;
    }
    assert!(printing.join().is_ok_and(|printed| printed));
    let printed = std::thread::spawn(move || id.to_string()).join();
    assert_eq!(printed.ok().as_deref(), Some("0v0 \"it 999\""));
    Ok(())
}

// Printing.

// holds: messagees.id-prints-name, messagees.name-escaped, messagees.print-without-name
#[test]
fn an_id_prints_its_name_with_quotes_and_line_breaks_escaped() {
    let mut manager = MessageManager::new();
    let id = manager.spawn_named("the \"Baron\"\n", ());
    assert_eq!(id.to_string(), r#"0v0 "the \"Baron\"\n""#);
    assert_eq!(format!("{id:#}"), "0v0");
    assert_eq!(format!("{id:?}"), r#"MessageeId(0v0 "the \"Baron\"\n")"#);
    let from = Sender::Messagee(id);
    assert_eq!(from.to_string(), r#"messagee 0v0 "the \"Baron\"\n""#);
    assert_eq!(format!("{from:#}"), "messagee 0v0");
    let kin = [Recipient::Id(id), Up(id), Down(id)].map(|to| format!("{to:#}"));
    let expected = ["", " and its ancestors", " and its descendants"];
    assert_eq!(kin, expected.map(|more| format!("messagee 0v0{more}")));
}

// holds: messagees.print-width
#[test]
fn addresses_print_with_the_width_fill_and_alignment_that_is_asked_for() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn(());
    let hook = manager.hook(id, ())?;
    let subscription = manager.subscribe(Filter::of::<Note>(), |_, _| {});
    assert_eq!(
        format!("{id:>6}|{id:<6}|{id:^6}|{id:6}|"),
        "   0v0|0v0   | 0v0  |0v0   |"
    );
    assert_eq!(
        format!("{id:*>5}{hook:->5}{subscription:.>5}"),
        "**0v0--0v0..0v0"
    );
    // Never cut off.
    assert_eq!(format!("{id:1}{id:.1}{id:.1}"), "0v00v00v0");
    assert_eq!(format!("{:>8}", Sender::Outside), " outside");
    assert_eq!(format!("{Everyone:_<10}"), "everyone__");
    assert_eq!(format!("{:>9}", Recipient::Hook(hook)), " hook 0v0");
    let receiver = Receiver::Subscription {
        id: subscription,
        owner: None,
    };
    assert_eq!(format!("{receiver:>17}"), " subscription 0v0");
    manager.set_name(id, "Ö")?;
    assert_eq!(format!("{id:>9}|{id:#>9}"), "  0v0 \"Ö\"|##0v0 \"Ö\"");
    let from = Sender::Messagee(id);
    assert_eq!(format!("{from:^19}"), " messagee 0v0 \"Ö\"  ");
    Ok(())
}

// holds: messagees.id-prints-name
#[test]
fn errors_say_the_name() -> Tested {
    let mut manager = MessageManager::new();
    let ids = named(&mut manager, &["Ann", "Bob"]);
    manager.bind(CHIEF, ids[0])?;
    let refused = manager.bind(CHIEF, ids[1]).expect_err("it is bound");
    assert!(
        refused
            .to_string()
            .ends_with("is already bound to messagee 0v0 \"Ann\"")
    );
    manager.set_parent(ids[1], Some(ids[0]))?;
    let refused = manager.set_parent(ids[0], Some(ids[1]));
    let refused = refused.expect_err("that is a circle").to_string();
    assert!(
        refused.contains("0v0 \"Ann\"") && refused.contains("1v0 \"Bob\""),
        "{refused}"
    );
    Ok(())
}

// holds: messagees.id-prints-name
#[test]
fn an_error_at_a_limit_says_the_names_of_the_chain() -> Tested {
    let mut manager = MessageManager::with_config(ManagerConfig::new().max_depth(1));
    let log = crate::common::Log::default();
    let [rook, ear] = ["Rook", "Ear"].map(|name| manager.spawn_named(name, ()));
    manager.hook(rook, Actor::new("actor", &log))?;
    manager.hook(ear, Ear::new("ear", &log))?;
    let (put, get) = slot();
    let script = Do::new(move |cx| put(cx.send(ear, Note("too deep"))));
    manager.send(rook, script)?;
    let error = get().expect_err("the limit is reached").to_string();
    for name in ["messagee 0v0 \"Rook\"", "messagee 1v0 \"Ear\""] {
        assert!(error.contains(name), "{error}");
    }
    Ok(())
}

// holds: messagees.id-prints-name
#[test]
fn a_dead_letter_says_the_names() -> Tested {
    let (mut manager, _, actor) = stage();
    let said = letters(&mut manager);
    let (tell, told) = mpsc::channel();
    manager.subscribe(
        Filter::of::<message_core::lifecycle::DeadLetter>(),
        move |letter, _| {
            let _ = tell.send(letter.to_string());
        },
    );
    let target = manager.spawn_named("Red Baron", ());
    manager.set_name(actor, "Rook")?;
    let soon = Header::to(target).stage(Stage::Update).build()?;
    manager.speak_for(actor)?.post(&soon, Note("late"))?;
    manager.despawn(target)?;
    manager.tick(Duration::ZERO);
    let why = said.recv()?.why.to_string();
    assert_eq!(why, "messagee 1v0 \"Red Baron\" is gone");
    let text = told.recv()?;
    for name in ["messagee 0v0 \"Rook\"", "messagee 1v0 \"Red Baron\""] {
        assert!(text.contains(name), "{text}");
    }
    Ok(())
}

// holds: messagees.id-prints-name
#[test]
fn a_report_says_the_name() -> Tested {
    static REPORTED: std::sync::Mutex<Vec<String>> = std::sync::Mutex::new(Vec::new());

    fn keep(report: &Report) {
        let mut reported = REPORTED.lock().expect("nobody panics in it");
        reported.push(report.to_string());
    }

    let config = ManagerConfig::new().report_to(ReportTo::Function(keep));
    let mut manager = MessageManager::with_config(config.panic_policy(PanicPolicy::Unhook));
    let log = crate::common::Log::default();
    let actor = manager.spawn_named("Rook", (Actor::new("actor", &log),));
    manager.send(actor, Do::new(|_| panic!("as it shall")))?;
    let reported = REPORTED.lock().expect("nobody panics in it");
    assert!(
        reported[0].contains("messagee 0v0 \"Rook\""),
        "{reported:?}"
    );
    Ok(())
}

// Nothing else changes.

// holds: messagees.name-changes-no-delivery
#[test]
fn a_name_changes_nothing_of_what_is_delivered() -> Tested {
    let run = |names: bool| -> Result<Vec<String>, Box<dyn std::error::Error>> {
        let (mut manager, log, actor) = stage();
        let mut ears = Vec::new();
        for name in ["a", "b", "c"] {
            let ear = (Ear::new(name, &log),);
            let id = if names {
                manager.spawn_named("ear", ear)
            } else {
                manager.spawn(ear)
            };
            ears.push(id);
        }
        ears.sort_by_key(|&id| Reverse(id));
        manager.set_enabled(first_hook(&manager, ears[1]), false)?;
        if names {
            manager.set_name(actor, "actor")?;
        }
        manager.send(Everyone, Note("heard"))?;
        Ok(log.take())
    };
    assert_eq!(run(true)?, run(false)?);
    Ok(())
}

/// A search without wildcards finds the same as going through all names.
// holds: messagees.find-exact
#[test]
fn an_exact_name_is_found_whatever_became_of_the_others() -> Tested {
    let mut manager = MessageManager::new();
    let mut alive: Vec<MessageeId> = Vec::new();
    let mut draws = 7_u64;
    let mut draw = |end: usize| {
        draws = draws
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        usize::try_from(draws >> 40).expect("24 bits fit") % end
    };
    let all = ["a", "b", "a*", "", "ab"];
    for step in 0..2_000 {
        let name = all[draw(all.len())];
        match draw(4) {
            0 | 1 => alive.push(manager.spawn_named(name, ())),
            2 if !alive.is_empty() => manager.set_name(alive[draw(alive.len())], name)?,
            3 if !alive.is_empty() => {
                manager.despawn(alive.swap_remove(draw(alive.len())))?;
            }
            _ => {}
        }
        if step == 1_500 {
            manager.shrink_to_fit();
        }
        for (pattern, name) in [
            ("a", "a"),
            ("b", "b"),
            (r"a\*", "a*"),
            (r"\ab", "ab"),
            ("x", "x"),
        ] {
            let named = |&id: &MessageeId| manager.name(id).as_deref() == Some(name);
            let expected: Vec<MessageeId> = manager.messagees().filter(named).collect();
            assert!(
                manager.find(pattern).eq(expected),
                "{pattern} in step {step}"
            );
        }
    }
    Ok(())
}
