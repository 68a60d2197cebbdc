//! Files that were damaged: recovered, or refused with the place; never a wrong world.

use message_core::prelude::*;
use message_core::report::ReportTo;
use message_data::Digest;
use message_data::journal::{Journal, JournalConfig, JournalError};

use crate::memory::Memory;
use crate::world::{Reference, mix, step};

fn config() -> JournalConfig {
    let manager = ManagerConfig::new().report_to(ReportTo::Nobody);
    let config = JournalConfig::new().manager(manager).sync_in_frame();
    config.segment_frames(40).keep(2)
}

/// A journal of that many inputs.
fn written(inputs: u64) -> Memory {
    let memory = Memory::default();
    let opened = Journal::open_in(&memory.folder(), &config()).expect("it is new");
    let mut manager = opened.manager;
    for number in 0..inputs {
        step(&mut manager, number);
    }
    memory
}

// holds: journal.damage, journal.accept-loss, journal.as-far-as
#[test]
fn a_damaged_file_is_recovered_or_refused_and_never_gives_a_wrong_world() {
    let cases = std::env::var("JOURNAL_CASES").ok();
    let cases = cases.map_or(400, |cases| cases.parse().expect("a number"));
    let mut reference = Reference::new();
    let (mut refused, mut whole) = (0, 0);
    for case in 0..cases {
        let inputs = 300 + mix(case) % 200;
        let memory = written(inputs);
        let names = memory.file_names();
        let dice = mix(case ^ 0x4d);
        let at = usize::try_from(dice).unwrap_or(usize::MAX);
        memory.change(&names[at % names.len()], |bytes| {
            let place = at / 7 % bytes.len();
            match dice % 5 {
                0 => bytes.truncate(place),
                1 => bytes[place] ^= 1 << (dice >> 32 & 7),
                2 => bytes[place..].fill(0),
                3 => drop(bytes.drain(place..(place + 9).min(bytes.len()))),
                _ => {
                    let end = (place + 64).min(bytes.len());
                    for byte in &mut bytes[place..end] {
                        *byte = mix(u64::from(*byte) ^ dice).to_le_bytes()[0];
                    }
                }
            }
        });
        for config in [config(), config().accept_loss()] {
            match Journal::open_in(&memory.folder(), &config) {
                Ok(opened) => {
                    let reached = opened.recovery.inputs;
                    assert!(reached <= inputs, "case {case}");
                    let expected = reference.after(reached);
                    assert_eq!(&Digest::of(&opened.manager), expected, "case {case}");
                    whole += u32::from(reached == inputs);
                    break;
                }
                Err(JournalError::Damaged {
                    inputs: reached,
                    error,
                    manager,
                    ..
                }) => {
                    assert!(reached <= inputs, "case {case}");
                    let expected = reference.after(reached);
                    let manager = manager.into_manager();
                    assert_eq!(&Digest::of(&manager), expected, "case {case}");
                    let text = error.to_string();
                    assert!(text.contains(".journal"), "case {case}: {text}");
                    refused += 1;
                }
                Err(error) => panic!("case {case}: {error}"),
            }
        }
    }
    assert!(
        refused > cases / 20 && whole > 0,
        "{refused} refused, {whole} whole"
    );
}

// holds: journal.damaged-state
#[test]
fn a_damaged_state_is_made_up_for_by_the_segments_before_it() {
    let memory = written(500);
    let names = memory.file_names();
    let newest = names.last().expect("there are some");
    memory.change(newest, |bytes| bytes[200] ^= 1);
    let opened = Journal::open_in(&memory.folder(), &config()).expect("an earlier one is whole");
    assert_eq!(&opened.recovery.damaged, std::slice::from_ref(newest));
    assert_eq!(opened.recovery.inputs, 500);
    assert_eq!(&Digest::of(&opened.manager), Reference::new().after(500));
}

// holds: journal.no-state
#[test]
fn a_journal_without_any_state_is_not_overwritten() {
    let memory = written(100);
    for name in memory.file_names() {
        memory.change(&name, |bytes| bytes.truncate(20));
    }
    let before = memory.file_names();
    let error = Journal::open_in(&memory.folder(), &config()).expect_err("nothing is whole");
    assert!(matches!(&error, JournalError::NoState(_)), "{error}");
    assert_eq!(memory.file_names(), before);
}

// holds: journal.accept-loss, journal.damage
#[test]
fn what_a_recovery_has_given_up_does_not_come_back() {
    for case in 0..40 {
        let (memory, mut reference) = (written(300), Reference::new());
        let names = memory.file_names();
        let newest = names.last().expect("there are some").clone();
        // Somewhere in its inputs, behind the state.
        memory.change(&newest, |bytes| {
            let place = bytes.len() - 1 - usize::try_from(mix(case) % 150).expect("small");
            bytes[place] ^= 0x40;
        });
        let config = config().accept_loss();
        let mut reached = 0;
        // Each life goes on for a few inputs more, and is recovered by the next.
        for life in 0..4 {
            let opened = Journal::open_in(&memory.folder(), &config).expect("it is accepted");
            let mut manager = opened.manager;
            let inputs = opened.recovery.inputs;
            assert!(life == 0 || inputs == reached, "case {case}, life {life}");
            let expected = reference.after(inputs);
            assert_eq!(&Digest::of(&manager), expected, "case {case}, life {life}");
            for number in inputs..inputs + 5 {
                step(&mut manager, number);
            }
            reached = inputs + 5;
        }
    }
}

// holds: journal.damage
#[test]
fn a_length_that_claims_too_much_is_damage_and_not_the_end() {
    let memory = written(300);
    let names = memory.file_names();
    let newest = names.last().expect("there are some");
    let mut refused = 0;
    for at in 0..200 {
        let memory = memory.after_power_failure(0);
        memory.change(newest, |bytes| {
            let place = bytes.len() - 400 + at;
            bytes[place] = 0xff;
        });
        match Journal::open_in(&memory.folder(), &config()) {
            Err(JournalError::Damaged { .. }) => refused += 1,
            Ok(opened) => assert_eq!(opened.recovery.inputs, 300, "at {at}"),
            Err(error) => panic!("{error}"),
        }
    }
    assert!(refused > 150, "{refused}");
}
