//! Saves that are damaged, made up, of other versions, or of another program.

use std::panic::catch_unwind;
use std::time::Duration;

use message_core::Ticket;
use message_core::prelude::*;
use message_data::{
    self as data, Data, DataError, RestoreError, RestoreNote, RestoredManager, SaveOptions,
    Upgrade, Wire,
};
use serde::{Deserialize, Serialize};

use crate::saves::saved;
use crate::values::Lottery;

mnemonic!(CHIEF);
group!(HERD);

#[derive(Data, Serialize, Deserialize, Default, Debug, PartialEq, Clone)]
#[data(name = "bad.Cow", alias = "bad.Calf", version = 3, upgrade = grow)]
#[serde(default)]
struct Cow {
    weight: u32,
    friends: Vec<MessageeId>,
}

fn grow(fields: &mut Upgrade) -> Result<(), DataError> {
    if fields.version() < 2 {
        fields.rename("mass", "weight");
    }
    if fields.version() < 3 && fields.has("weight") {
        let tons: u32 = fields.take("weight")?;
        fields.set("weight", &(1000 * tons))?;
    }
    Ok(())
}

#[handlers]
impl Cow {
    #[on_receive]
    fn moo(&mut self, moo: &Moo) {
        self.weight += moo.0;
    }
}

#[derive(Message, Data, Serialize, Deserialize, Debug, Clone)]
#[data(name = "bad.Moo")]
struct Moo(u32);

/// Returns a world with some of everything.
fn meadow() -> MessageManager {
    let mut manager = MessageManager::new();
    let ids: Vec<MessageeId> = (0..4).map(|weight| manager.spawn((cow(weight),))).collect();
    let mut build = || -> Result<(), Box<dyn std::error::Error>> {
        manager.get_mut::<Cow>(ids[1])?.friends = vec![ids[0], ids[3]];
        manager.set_parent(ids[1], Some(ids[0]))?;
        manager.set_parent(ids[2], Some(ids[1]))?;
        manager.bind(CHIEF, ids[3])?;
        manager.join(HERD, ids[2])?;
        manager.set_name(ids[0], "Berta")?;
        manager.despawn(ids[3])?;
        manager.post(Header::to(ids[1]).every_frames(3).key("moo"), Moo(1))?;
        manager.post(Header::to(ids[2]).after(Duration::from_secs(3)), Moo(2))?;
        manager.post(Header::to(Everyone).retain(), Moo(3))?;
        manager.publish(ids[0], Moo(4))?;
        data::add_wire(
            &mut manager,
            Wire::on::<Moo>(ids[0]).send("Berta", Moo(6)).times(3),
        )?;
        manager.overhear(ids[1], Filter::of::<Moo>().to(ids[0]).stage(Stage::Update))?;
        manager.send(ids[0], Moo(7))?;
        manager.tick(Duration::from_millis(16));
        manager.publish(Everyone, Moo(5))?;
        Ok(())
    };
    build().expect("all of this is allowed");
    manager
}

fn cow(weight: u32) -> Cow {
    Cow {
        weight,
        friends: Vec::new(),
    }
}

fn restore(bytes: &[u8]) -> Result<RestoredManager, RestoreError> {
    data::restore(bytes, ManagerConfig::new())
}

/// Like [`restore`], but also runs the restored manager for a few frames.
fn restore_and_run(bytes: &[u8]) -> bool {
    let Ok(RestoredManager { mut manager, .. }) = restore(bytes) else {
        return false;
    };
    for _ in 0..4 {
        manager.tick(Duration::from_millis(16));
        manager.spawn((cow(1),));
        let _ = manager.send(Everyone, Moo(1));
        let _ = manager.publish(Everyone, Moo(1));
        let _ = manager.post(Header::to(Everyone).after_frames(1), Moo(1));
    }
    let all: Vec<MessageeId> = manager.iter::<Cow>().map(|(id, _)| id).collect();
    for id in all {
        let _ = manager.despawn(id);
    }
    let _ = data::save(&mut manager, &SaveOptions::new());
    true
}

// holds: saves.damaged
#[test]
fn every_truncation_is_refused_with_its_place() {
    let bytes = saved(&mut meadow());
    for len in 0..bytes.len() {
        match restore(&bytes[..len]) {
            Err(RestoreError::NotASave) => assert!(len < 12),
            Err(RestoreError::Wrong { offset, .. }) => assert!(offset <= len),
            other => panic!("{len} bytes: {other:?}"),
        }
    }
    let mut longer = bytes.clone();
    longer.push(0);
    let error = restore(&longer).expect_err("a byte follows");
    assert!(error.to_string().contains("1 bytes follow"), "{error}");
    assert!(restore(&bytes).is_ok());
}

// holds: saves.damaged
#[test]
fn every_flipped_bit_is_refused() {
    let bytes = saved(&mut meadow());
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << bit;
            assert!(restore(&flipped).is_err(), "bit {bit} of byte {at}");
        }
    }
}

/// Returns the chunks of a save: where each begins, and its content.
fn chunks(bytes: &[u8]) -> Vec<(usize, std::ops::Range<usize>)> {
    let (mut at, mut chunks) = (12, Vec::new());
    while at < bytes.len() {
        let len = u64::from_le_bytes(bytes[at + 8..at + 16].try_into().expect("eight bytes"));
        let begin = at + 24;
        let end = begin + usize::try_from(len).expect("it is there");
        chunks.push((at, begin..end));
        at = end;
    }
    chunks
}

/// Puts a right checksum on the chunk that begins there.
fn sign(bytes: &mut [u8], at: usize, content: std::ops::Range<usize>) {
    let tag = u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    let version = u32::from_le_bytes(bytes[at + 4..at + 8].try_into().expect("four bytes"));
    let seed = u64::from(tag) | u64::from(version) << 32;
    let sum = xxhash_rust::xxh3::xxh3_64_with_seed(&bytes[content], seed);
    bytes[at + 16..at + 24].copy_from_slice(&sum.to_le_bytes());
}

// holds: saves.damaged
#[test]
fn hostile_bytes_with_a_right_checksum_are_refused_or_read_without_a_panic() {
    let bytes = saved(&mut meadow());
    let places = chunks(&bytes);
    let mut lottery = Lottery(77);
    let mut below = |end: usize| usize::try_from(lottery.below(end as u64)).expect("it is below");
    let (mut read, mut refused) = (0, 0);
    for _ in 0..20_000 {
        let mut hostile = bytes.clone();
        let (at, content) = places[below(places.len())].clone();
        for _ in 0..=below(3) {
            let byte = content.start + below(content.len());
            hostile[byte] = match below(4) {
                0 => 0xff,
                1 => 0,
                2 => hostile[byte].wrapping_add(1),
                _ => u8::try_from(below(256)).expect("a byte"),
            };
        }
        sign(&mut hostile, at, content);
        let outcome = catch_unwind(|| restore_and_run(&hostile));
        match outcome {
            Ok(true) => read += 1,
            Ok(false) => refused += 1,
            Err(_) => {
                let place = std::env::temp_dir().join("hostile.save");
                std::fs::write(&place, &hostile).expect("it can be written");
                panic!("a hostile save panics: {}", place.display());
            }
        }
    }
    // Some change a number or a text.
    assert!(
        read > 1000 && refused > 1000,
        "{read} read, {refused} refused"
    );
}

/// Returns a save with the content of one chunk changed, as a value.
fn with_chunk(bytes: &[u8], tag: [u8; 4], change: impl FnOnce(Vec<u8>) -> Vec<u8>) -> Vec<u8> {
    let places = chunks(bytes);
    let place = places.iter().find(|(at, _)| bytes[*at..*at + 4] == tag);
    let (at, content) = place.expect("it is there").clone();
    let changed = change(bytes[content.clone()].to_vec());
    let mut all = bytes[..content.start].to_vec();
    all[at + 8..at + 16].copy_from_slice(&(changed.len() as u64).to_le_bytes());
    all.extend_from_slice(&changed);
    sign(&mut all, at, content.start..content.start + changed.len());
    all.extend_from_slice(&bytes[content.end..]);
    all
}

/// Changes the contents of all chunks, and signs them again.
pub(crate) fn with_every_chunk(bytes: &[u8], change: impl Fn(&mut [u8])) -> Vec<u8> {
    let mut all = bytes.to_vec();
    for (at, content) in chunks(bytes) {
        change(&mut all[content.clone()]);
        sign(&mut all, at, content);
    }
    all
}

type Object = std::collections::BTreeMap<String, serde_json::Value>;

/// Like [`with_chunk`], but changes only the first value of the chunk, as JSON.
fn with_value(bytes: &[u8], tag: [u8; 4], change: impl FnOnce(&mut Object)) -> Vec<u8> {
    with_chunk(bytes, tag, |content| {
        let mut rest = &content[..];
        let mut object: Object = rmp_serde::from_read(&mut rest).expect("it begins with a map");
        change(&mut object);
        let mut changed = rmp_serde::to_vec_named(&object).expect("it can be written");
        changed.extend_from_slice(rest);
        changed
    })
}

fn refusal(bytes: &[u8]) -> String {
    let error = restore(bytes).expect_err("it is no good");
    error.to_string()
}

/// Sets a field.
fn set(key: &'static str, json: &'static str) -> Box<dyn Fn(&mut Object)> {
    Box::new(move |object| {
        let value = serde_json::from_str(json).expect("it is JSON");
        assert!(object.insert(key.to_owned(), value).is_some());
    })
}

// holds: saves.damaged
#[test]
fn what_no_manager_can_be_like_is_refused() {
    let bytes = saved(&mut meadow());
    let structure = |change: &dyn Fn(&mut Object)| {
        refusal(&with_value(&bytes, *b"MSGS", |object| change(object)))
    };
    assert!(restore(&with_value(&bytes, *b"MSGS", |_| {})).is_ok());
    for (change, expected) in [
        (set("hooked", "[0, 1, 1]"), "hook 1 appears twice"),
        (set("hooked", "[0, 1]"), "too few hooks"),
        (
            set("hooked", "[0, 1, 2, 2]"),
            "1 hooks belong to no messagee",
        ),
        (set("hooked", "[0, 1, 9]"), "there is no slot 9 for hooks"),
        (
            set("hooked", "[0, 1, 3]"),
            "hook 3 exists, but its slot is free",
        ),
        (
            set("counts", "[1, 1]"),
            "there are 3 messagees, but 2 counts",
        ),
        (set("alive", "[0, 2, 1]"), "out of order"),
        (
            set("alive", "[0, 1, 3]"),
            "messagee 3 exists, but its slot is free",
        ),
        (set("alive", "[0, 1, 7]"), "there is no slot 7"),
        (
            set("families", "[[0, [1]], [1, [2, 0]]]"),
            "its own ancestor",
        ),
        (set("families", "[[0, [0]]]"), "its own ancestor"),
        (set("families", "[[0, [1]], [1, [1]]]"), "two parents"),
        (
            set("families", "[[0, [3]]]"),
            "messagee 3 is a child, but does not exist",
        ),
        (
            set("families", "[[3, [1]]]"),
            "messagee 3 is listed as a parent twice, or does not exist",
        ),
        (
            set("mnemonics", "[[\"x\", 3]]"),
            "bound to `x` is messagee 3",
        ),
        (set("mnemonics", "[[\"x\", 1], [\"x\", 2]]"), "bound twice"),
        (
            set("groups", "[[\"x\", [9]]]"),
            "a member of `x` is messagee 9",
        ),
        (
            set("names", "[[4294967296, \"x\"]]"),
            "has a name, but is not the number",
        ),
        (
            set(
                "messagees",
                "{\"generations\": [0, 0, 0, 1], \"free\": [3, 3]}",
            ),
            "slot 3 of messagees is free twice",
        ),
        (
            set(
                "messagees",
                "{\"generations\": [0, 0, 70000, 1], \"free\": [3]}",
            ),
            "70000",
        ),
        (
            set("hooks", "{\"generations\": [0, 0, 0, 1, 0], \"free\": [9]}"),
            "slot 9 of hooks is free, but does not exist",
        ),
    ] {
        let error = structure(&*change);
        assert!(error.contains(expected), "{error}: expected {expected}");
        assert!(error.starts_with("byte "), "{error}");
    }
}

// holds: saves.damaged
#[test]
fn components_and_readings_that_cannot_be_are_refused() {
    let bytes = saved(&mut meadow());
    for (key, json, expected) in [
        ("enabled", "4", "4 of 3 components are enabled"),
        ("of", "17", "there is no type 17"),
        ("of", "1", "is not allowed here"),
        ("hooks", "[0, 1, 1]", "hook 1 has two components"),
        (
            "hooks",
            "[0, 1, 3]",
            "the component of hook 3 belongs to no messagee",
        ),
        ("hooks", "[0, 1]", "3 of 2 components are enabled"),
    ] {
        let value: serde_json::Value = serde_json::from_str(json).expect("it is JSON");
        let changed = with_value(&bytes, *b"COMP", |object| {
            assert!(object.insert(key.to_owned(), value).is_some());
        });
        let error = refusal(&changed);
        assert!(error.contains(expected), "{error}: expected {expected}");
    }
    let clock = |key: &'static str, json: &'static str| {
        let value: serde_json::Value = serde_json::from_str(json).expect("it is JSON");
        refusal(&with_value(&bytes, *b"CLCK", |object| {
            assert!(object.insert(key.to_owned(), value).is_some());
        }))
    };
    assert!(clock("fixed_now", "99000000").contains("ahead of the time"));
    assert!(clock("scale", "-1.0").contains("invalid time scale"));
    assert!(clock("now", "18446744073709551615").contains("`now` is 18446744073709551615"));
}

#[derive(Data, Serialize, Deserialize, Default, Debug)]
#[data(name = "bad.Stub")]
#[serde(default)]
struct Stub {
    ticket: Option<Ticket>,
}

/// The numbers of tickets count from 0: there are three.
// holds: saves.damaged, saves.ids-inside
#[test]
fn a_ticket_that_was_not_given_out_yet_is_refused() -> Result<(), Box<dyn std::error::Error>> {
    let mut manager = MessageManager::new();
    let id = manager.spawn((Stub::default(),));
    for number in 0..3 {
        let ticket = manager.post(Header::to(id).after_frames(9), Moo(number))?;
        manager.get_mut::<Stub>(id)?.ticket = Some(ticket);
    }
    let bytes = saved(&mut manager);
    let with_number = |number: u8| {
        with_chunk(&bytes, *b"COMP", |mut content| {
            let ticket = |window: &[u8]| window == [0x92, 2, 0];
            let mut found = content.windows(3).enumerate();
            let at = found.find(|(_, window)| ticket(window));
            let (at, _) = at.expect("a ticket is a pair of its number and 0");
            content[at + 1] = number;
            content
        })
    };
    for number in 0..3 {
        let mut restored = restore(&with_number(number))?.manager;
        let ticket = restored.get::<Stub>(id_of_stub(&restored))?.ticket;
        assert_eq!(restored.cancel(ticket.ok_or("it was saved")?), 1);
    }
    let error = refusal(&with_number(3));
    assert!(
        error.contains("this is not the number of a ticket"),
        "{error}"
    );
    Ok(())
}

fn id_of_stub(manager: &MessageManager) -> MessageeId {
    let mut stubs = manager.iter::<Stub>();
    stubs.next().map(|(id, _)| id).expect("there is one")
}

// holds: saves.newer-version
#[test]
fn a_newer_format_names_both_versions() {
    let mut bytes = saved(&mut meadow());
    bytes[8] = 2;
    let error = restore(&bytes).expect_err("it is newer");
    assert!(matches!(
        error,
        RestoreError::NewerFormat { found: 2, known: 1 }
    ));
    assert!(error.to_string().contains("format 2") && error.to_string().contains("up to 1"));
}

/// Returns a save whose table of types is changed.
fn with_types(bytes: &[u8], change: impl FnOnce(&mut Vec<Object>)) -> Vec<u8> {
    with_chunk(bytes, *b"TYPE", |content| {
        let mut rows: Vec<Object> = rmp_serde::from_slice(&content).expect("it is a list");
        change(&mut rows);
        rmp_serde::to_vec_named(&rows).expect("it can be written")
    })
}

// holds: saves.newer-version
#[test]
fn a_newer_version_of_a_type_names_both_versions() {
    let bytes = with_types(&saved(&mut meadow()), |rows| {
        rows[0].insert("version".to_owned(), 4.into());
    });
    let error = refusal(&bytes);
    assert_eq!(
        error,
        "the save has version 4 of `bad.Cow`, but this program has version 3"
    );
}

// holds: saves.earlier-version, data.upgrade
#[test]
fn an_older_version_of_a_type_is_upgraded() {
    let bytes = saved(&mut meadow());
    for version in [1, 2] {
        let older = with_types(&bytes, |rows| {
            rows[0].insert("version".to_owned(), version.into());
            rows[0].insert("name".to_owned(), "bad.Calf".into());
        });
        let restored = restore(&older).expect("it is upgraded");
        let mut weights: Vec<u32> = restored
            .manager
            .iter::<Cow>()
            .map(|(_, it)| it.weight)
            .collect();
        weights.sort_unstable();
        assert!(
            weights.iter().all(|weight| weight % 1000 == 0),
            "{weights:?}"
        );
        assert_eq!(restored.notes, []);
    }
}

// holds: saves.unknown-type
#[test]
fn unknown_types_are_passed_over_and_noted() -> Result<(), Box<dyn std::error::Error>> {
    let bytes = saved(&mut meadow());
    let without_messages = with_types(&bytes, |rows| {
        rows[1].insert("name".to_owned(), "bad.Gone".into());
    });
    let RestoredManager {
        mut manager, notes, ..
    } = restore(&without_messages)?;
    let [
        RestoreNote::UnknownType {
            name,
            components: 0,
            messages,
        },
    ] = &notes[..]
    else {
        panic!("{notes:?}");
    };
    assert_eq!((&**name, *messages), ("bad.Gone", 8));
    assert!(!manager.has_pending(message_core::Posts::all()));
    assert_eq!(manager.iter::<Cow>().count(), 3);
    assert_eq!(manager.inbox_any().iter().count(), 0);
    assert_eq!(manager.send(Everyone, Moo(1))?.received, 3);

    let without_components = with_types(&bytes, |rows| {
        rows[0].insert("name".to_owned(), "bad.Gone".into());
    });
    let RestoredManager {
        mut manager, notes, ..
    } = restore(&without_components)?;
    assert!(matches!(
        &notes[..],
        [RestoreNote::UnknownType {
            components: 3,
            messages: 0,
            ..
        }]
    ));
    assert_eq!(manager.send(Everyone, Moo(1))?.received, 0);
    let berta = manager.find("Berta").next().expect("she is there");
    manager.hook(berta, cow(1))?;
    assert_eq!(manager.send(berta, Moo(1))?.received, 1);
    manager.tick(Duration::from_secs(4));
    assert!(data::save(&mut manager, &SaveOptions::new()).is_ok());
    Ok(())
}

// holds: saves.unknown-type, data.unknown-field-in-bytes
#[test]
fn unknown_fields_and_chunks_are_noted() -> Result<(), RestoreError> {
    let bytes = with_chunk(&saved(&mut meadow()), *b"COMP", |content| {
        let text = String::from_utf8_lossy(&content).into_owned();
        assert!(text.contains("weight"));
        content
            .windows(6)
            .position(|window| window == b"weight")
            .into_iter()
            .fold(content.clone(), |mut content, at| {
                content[at..at + 6].copy_from_slice(b"height");
                content
            })
    });
    let mut bytes = bytes;
    let (last, content) = chunks(&bytes).last().expect("there is one").clone();
    let mut new = b"NEW!".to_vec();
    new.extend_from_slice(&7u32.to_le_bytes());
    new.extend_from_slice(&3u64.to_le_bytes());
    new.extend_from_slice(&[0; 8]);
    new.extend_from_slice(b"abc");
    sign(&mut new, 0, 24..27);
    let chunks = data::from_bytes::<u32>(&bytes[content.clone()]).expect("a number") + 1;
    let end = data::to_bytes(&chunks).expect("it can be written");
    bytes[content.clone()].copy_from_slice(&end);
    sign(&mut bytes, last, content);
    bytes.splice(last..last, new);
    let notes = restore(&bytes)?.notes;
    let told: Vec<String> = notes.iter().map(RestoreNote::to_string).collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert_eq!(told[0], "the chunk `NEW!` is unknown");
    assert!(
        told[1].contains("height") && told[1].contains("skipped 1 times"),
        "{told:?}"
    );
    Ok(())
}

// holds: saves.damaged, data.nesting-limit
#[test]
fn what_is_nested_too_deeply_is_refused() {
    let bytes = saved(&mut meadow());
    let deep = with_chunk(&bytes, *b"COMP", |_| {
        let mut content = vec![0x91; 100_000];
        content.push(0);
        content
    });
    let error = refusal(&deep);
    assert!(error.contains("nested too deeply"), "{error}");
    let long = with_chunk(&bytes, *b"COMP", |_| vec![0xdd, 0xff, 0xff, 0xff, 0xff, 0]);
    let error = refusal(&long);
    assert!(
        error.contains("a list of 4294967295 entries begins here"),
        "{error}"
    );
}

// holds: saves.damaged
#[test]
fn a_chunk_that_is_missing_or_double_is_refused() {
    let bytes = saved(&mut meadow());
    let places = chunks(&bytes);
    for (at, content) in &places {
        let whole = *at..content.end;
        let mut without = bytes.clone();
        without.drain(whole.clone());
        assert!(restore(&without).is_err());
        let mut twice = bytes.clone();
        twice.splice(*at..*at, bytes[whole].iter().copied());
        assert!(restore(&twice).is_err());
    }
}
