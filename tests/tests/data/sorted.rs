//! Maps and sets without order: equal values are written alike, whatever their hashers begin with.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Debug;
use std::hash::{BuildHasher, DefaultHasher, Hasher};
use std::time::Duration;

use message_core::prelude::*;
use message_data::{
    self as data, Data, Digest, Log, LogOptions, Replay, SaveOptions, Selection, SyncTest,
};
use serde::de::DeserializeOwned;
use serde::ser::SerializeSeq;
use serde::{Deserialize, Serialize, Serializer};

thread_local! {
    static SEED: Cell<u64> = const { Cell::new(0) };
}

/// A hasher with a seed of its own for each map.
#[derive(Clone)]
struct Seeded(u64);

impl Default for Seeded {
    fn default() -> Self {
        Self(SEED.replace(SEED.get() + 1))
    }
}

impl BuildHasher for Seeded {
    type Hasher = DefaultHasher;

    fn build_hasher(&self) -> DefaultHasher {
        let mut hasher = DefaultHasher::new();
        hasher.write_u64(self.0);
        hasher
    }
}

type Map<K, V> = HashMap<K, V, Seeded>;
type Set<T> = HashSet<T, Seeded>;

/// Makes a value with two seeds, in two orders of insertion.
fn twice<T>(make: impl Fn(&mut dyn Iterator<Item = u32>) -> T) -> [T; 2] {
    [make(&mut (0..40)), make(&mut (0..40).rev())]
}

/// Returns the text of two equal values. Checks that their bytes and texts are equal and their bytes read back.
fn alike<T: Serialize + DeserializeOwned + PartialEq + Debug>(values: &[T; 2]) -> String {
    assert_eq!(values[0], values[1]);
    let [bytes, others] = values
        .each_ref()
        .map(|it| data::to_bytes(it).expect("bytes"));
    assert_eq!(bytes, others, "the bytes differ");
    let [text, other] = values.each_ref().map(|it| data::to_text(it).expect("text"));
    assert_eq!(text, other, "the text differs");
    assert_eq!(&data::from_bytes::<T>(&bytes).expect("read"), &values[0]);
    text
}

/// Like [`alike`], but also checks that the text reads back to the same value.
fn written<T: Serialize + DeserializeOwned + PartialEq + Debug>(values: &[T; 2]) -> String {
    let text = alike(values);
    assert_eq!(&data::from_text::<T>(&text).expect("read"), &values[0]);
    text
}

#[derive(Serialize, Deserialize, Debug, PartialEq, Eq, Hash, Clone)]
struct Spot {
    x: i32,
    name: String,
}

#[derive(Serialize, Deserialize, Debug, PartialEq, Eq, Hash, Clone)]
enum Kind {
    Plain,
    Of(u32),
    At { spot: Spot },
}

#[derive(Serialize, Deserialize, Debug, PartialEq, Eq, Hash, Clone)]
struct Number(i64);

fn spot(number: u32) -> Spot {
    Spot {
        x: number.cast_signed() - 20,
        name: format!("spot {number}"),
    }
}

fn kind(number: u32) -> Kind {
    match number {
        0 => Kind::Plain,
        1..20 => Kind::Of(number),
        _ => Kind::At { spot: spot(number) },
    }
}

// holds: data.unordered
#[test]
fn maps_and_sets_without_order_are_written_sorted() {
    let numbers = twice(|all| all.map(|it| it.cast_signed() - 20).collect::<Set<i32>>());
    let text = written(&numbers);
    assert!(text.starts_with("[\n    -20,\n    -19,"), "{text}");

    let words = twice(|all| {
        all.map(|it| (format!("{it:03}"), it))
            .collect::<Map<String, u32>>()
    });
    let text = written(&words);
    assert!(
        text.starts_with("{\n    \"000\": 0,\n    \"001\": 1,"),
        "{text}"
    );

    written(&twice(|all| {
        all.map(|it| (Number(it.into()), kind(it)))
            .collect::<Map<_, _>>()
    }));
    written(&twice(|all| {
        all.map(|it| (spot(it), Some(it))).collect::<Map<_, _>>()
    }));
    written(&twice(|all| all.map(kind).collect::<Set<_>>()));
    written(&twice(|all| {
        all.map(|it| Some(it).filter(|it| *it > 0))
            .collect::<Set<_>>()
    }));
    written(&twice(|all| {
        all.map(|it| (it % 3 == 0, it))
            .collect::<Set<(bool, u32)>>()
    }));
}

// holds: data.unordered
#[test]
fn maps_and_sets_inside_of_others_are_written_sorted() {
    written(&twice(|all| {
        let all: Vec<u32> = all.collect();
        let set = |from: u32| all.iter().map(|it| it * from).collect::<Set<u32>>();
        // The order of the list counts, that of its sets does not.
        vec![set(3), set(1), set(2)]
    }));
    written(&twice(|all| {
        let all: Vec<u32> = all.collect();
        let inner = |of: u32| all.iter().map(|&it| (it + of, Some(spot(it)))).collect();
        let outer = all.iter().map(|&it| (it, inner(it)));
        outer.collect::<Map<u32, Map<u32, Option<Spot>>>>()
    }));
    written(&twice(|all| {
        let sets: Vec<Vec<u32>> = all.map(|it| vec![300 - it, it]).collect();
        sets.into_iter()
            .map(|it| (it.clone(), Some(it)))
            .collect::<Map<_, _>>()
    }));
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Flat {
    zeal: u32,
    #[serde(flatten)]
    rest: Map<String, u32>,
    anger: u32,
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
#[serde(tag = "type")]
enum Tagged {
    Of(Map<String, u32>),
    With {
        kinds: Set<Kind>,
        spots: Map<String, Spot>,
    },
}

// holds: data.unordered
#[test]
fn maps_of_flattened_and_tagged_types_are_written_sorted() {
    let rest = |all: &mut dyn Iterator<Item = u32>| all.map(|it| (format!("n{it}"), it)).collect();
    written(&twice(|all| Flat {
        zeal: 1,
        rest: rest(all),
        anger: 2,
    }));
    written(&twice(|all| Tagged::Of(rest(all))));
    alike(&twice(|all| {
        let all: Vec<u32> = all.collect();
        Tagged::With {
            kinds: all.iter().map(|&it| kind(it)).collect(),
            spots: all.iter().map(|&it| (it.to_string(), spot(it))).collect(),
        }
    }));
}

// holds: data.unordered
#[test]
fn the_standard_hasher_and_hashbrown_are_known() {
    written(&twice(|all| all.collect::<HashSet<u32>>()));
    written(&twice(|all| {
        all.map(|it| (it, it)).collect::<HashMap<u32, u32>>()
    }));
    written(&twice(|all| {
        all.collect::<hashbrown::HashSet<u32, Seeded>>()
    }));
    written(&twice(|all| {
        all.map(|it| (it, it))
            .collect::<hashbrown::HashMap<u32, u32, Seeded>>()
    }));
}

// holds: data.order-kept
#[test]
fn what_has_an_order_keeps_it() {
    let map: indexmap::IndexMap<&str, u32> = [("b", 1), ("a", 2), ("c", 3)].into();
    assert_eq!(
        data::to_text(&map).expect("text"),
        r#"{"b": 1, "a": 2, "c": 3}"#
    );
    let bytes = data::to_bytes(&map).expect("bytes");
    let back: indexmap::IndexMap<String, u32> = data::from_bytes(&bytes).expect("read");
    assert!(back.keys().eq(["b", "a", "c"]));

    let set: indexmap::IndexSet<u32> = [3, 1, 2].into();
    assert_eq!(data::to_text(&set).expect("text"), "[3, 1, 2]");
    assert_eq!(data::to_text(&vec![3, 1, 2]).expect("text"), "[3, 1, 2]");
    let sorted: BTreeMap<Reverse, u32> = (0..3).map(|it| (Reverse(it), it)).collect();
    assert_eq!(data::to_text(&sorted).expect("text"), "{2: 2, 1: 1, 0: 0}");
}

/// Ordered by its own mind.
#[derive(Serialize, PartialEq, Eq)]
#[serde(transparent)]
struct Reverse(u32);

impl Ord for Reverse {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        other.0.cmp(&self.0)
    }
}

impl PartialOrd for Reverse {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// An invalid map that has a key twice.
struct Doubled;

impl Serialize for Doubled {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([("b", 9), ("a", 2), ("b", 1), ("a", 1)])
    }
}

// holds: data.unordered
#[test]
fn entries_of_one_key_stay_in_their_order() {
    let text = data::to_text(&Doubled).expect("text");
    assert_eq!(text, r#"{"a": 2, "a": 1, "b": 9, "b": 1}"#);
    let bytes = data::to_bytes(&Doubled).expect("bytes");
    let expected = [
        0x84, 0xa1, b'a', 2, 0xa1, b'a', 1, 0xa1, b'b', 9, 0xa1, b'b', 1,
    ];
    assert_eq!(bytes, expected);
}

/// A set that does not identify itself as one, so that it is written as a list.
#[derive(Deserialize, Debug, PartialEq, Default)]
#[serde(transparent)]
struct Hidden(Set<u32>);

impl Serialize for Hidden {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.0.len()))?;
        for number in &self.0 {
            list.serialize_element(number)?;
        }
        list.end()
    }
}

impl<'a> IntoIterator for &'a Hidden {
    type Item = &'a u32;
    type IntoIter = std::collections::hash_set::Iter<'a, u32>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Helped {
    #[serde(serialize_with = "data::sorted")]
    hidden: Hidden,
}

// holds: data.sorted
#[test]
fn a_set_that_is_written_as_a_list_is_sorted_by_the_helper() {
    let [one, other] = twice(|all| Hidden(all.collect()));
    assert_ne!(
        data::to_bytes(&one).expect("bytes"),
        data::to_bytes(&other).expect("bytes")
    );
    let helped = [one, other].map(|hidden| Helped { hidden });
    written(&helped);
    // The same holds for every other format.
    let [json, other] = helped
        .each_ref()
        .map(|it| serde_json::to_string(it).expect("JSON"));
    assert_eq!(json, other);
}

#[derive(Message, Data, Serialize, Deserialize, Clone)]
#[data(name = "sorted.Remark", exact)]
struct Remark {
    about: Set<MessageeId>,
}

#[derive(Data, Serialize, Deserialize, Default)]
#[data(name = "sorted.Ledger")]
#[serde(default)]
struct Ledger {
    seen: Map<MessageeId, Set<String>>,
    counts: Map<String, u32>,
}

#[handlers]
impl Ledger {
    #[on_receive]
    fn note(&mut self, note: &Remark) {
        for &id in &note.about {
            let seen = self.seen.entry(id).or_default();
            let next = format!("time {}", seen.len());
            *self.counts.entry(next.clone()).or_default() += 1;
            seen.insert(next);
        }
    }
}

fn world() -> MessageManager {
    let mut manager = MessageManager::new();
    let mut ids: Vec<MessageeId> = Vec::new();
    for number in 0..20 {
        ids.push(manager.spawn_named(format!("ledger {number}"), (Ledger::default(),)));
    }
    let note = Remark {
        about: ids.into_iter().collect(),
    };
    manager
        .post(Header::to(Everyone).every_frames(1), note)
        .expect("it is pending");
    manager
}

// holds: data.unordered
#[test]
fn saves_digests_and_world_files_of_equal_worlds_are_equal() {
    let [mut one, mut other] = [world(), world()];
    for manager in [&mut one, &mut other] {
        for _ in 0..5 {
            manager.tick(Duration::from_millis(16));
        }
    }
    assert_eq!(Digest::of(&one), Digest::of(&other));
    let options = SaveOptions::new();
    let [save, second] = [&mut one, &mut other].map(|it| data::save(it, &options).expect("a save"));
    assert!(save == second, "the saves differ");
    let mut restored = data::restore(&save, ManagerConfig::new()).expect("it is a save");
    assert!(data::save(&mut restored.manager, &options).expect("a save") == save);
    let everyone = Selection::all();
    let [text, second] = [&one, &other].map(|it| data::write_world(it, &everyone).expect("a text"));
    assert_eq!(text, second);
    SyncTest::new(world).assert_deterministic(6);
}

// holds: data.unordered
#[test]
fn an_equal_map_is_not_taken_for_a_difference() {
    thread_local! {
        static MADE: Cell<u32> = const { Cell::new(0) };
    }
    let make = || {
        let mut manager = MessageManager::new();
        let counts = |last: u32| {
            (0..20)
                .map(|it| (it.to_string(), it))
                .chain([("last".into(), last)])
        };
        for (name, last) in [("equal", 7), ("other", MADE.replace(MADE.get() + 1))] {
            let counts = counts(last).collect();
            manager.spawn_named(
                name,
                (Ledger {
                    counts,
                    ..Ledger::default()
                },),
            );
        }
        manager
    };
    let run = || SyncTest::new(make).assert_deterministic(1);
    let panic = std::panic::catch_unwind(run).expect_err("the second world has another number");
    let text = panic.downcast_ref::<String>().expect("it is a text");
    assert!(
        text.contains("\"other\"") && text.contains("Ledger.counts[\"last\"]"),
        "{text}"
    );
}

// holds: data.unordered
#[test]
fn a_log_of_a_world_with_maps_is_repeated() {
    let folder = std::env::temp_dir();
    let path = folder.join(format!("sorted-{}.log", std::process::id()));
    let mut manager = world();
    let file = std::fs::File::create(&path).expect("a file");
    let options = LogOptions::new().digest_every(1);
    Log::start(&mut manager, file, options).expect("a log");
    for _ in 0..5 {
        manager.tick(Duration::from_millis(16));
    }
    Log::stop(&mut manager).expect("the file is written");
    let replayed = Replay::open(&path).expect("the log is there").run();
    assert_eq!(replayed.expect("it does the same").digests, 5);
    std::fs::remove_file(&path).expect("the file is there");
}
