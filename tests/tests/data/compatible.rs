//! `assert_compatible`: data that earlier versions of a program have written can still be read.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::Command;

use expect_test::{Expect, expect};
use message_core::prelude::*;
use message_data::{Data, DataError, Upgrade, assert_compatible_where};
use serde::{Deserialize, Serialize};

#[derive(Data, Serialize, Deserialize, Default)]
#[serde(default)]
#[data(name = "compatible.Bear", alias = "compatible.Cub")]
struct Bear {
    hp: u16,
    #[serde(alias = "colour")]
    fur: String,
}

#[derive(Message, Data, Serialize, Deserialize)]
#[data(name = "compatible.Roar", exact)]
struct Roar {
    volume: f32,
    tone: Tone,
}

#[derive(Serialize, Deserialize)]
enum Tone {
    Deep,
    Shrill(u8),
}

#[derive(Data, Serialize, Deserialize, Default)]
#[serde(default)]
#[data(name = "compatible.Hive", version = 3, upgrade = upgrade)]
struct Hive {
    bees: u32,
    queen: Option<MessageeId>,
}

/// Version 1 had the bees as a text, and version 2 in a list.
fn upgrade(fields: &mut Upgrade) -> Result<(), DataError> {
    if fields.version() == 2 {
        let bees: Vec<String> = fields.take("bees")?;
        fields.set("bees", &bees.len())?;
    }
    Ok(())
}

/// Version 1 had a variant `Huge`, and the upgrade leaves it.
#[derive(Data, Serialize, Deserialize, Default)]
#[serde(default)]
#[data(name = "compatible.Nest", version = 2, upgrade = keep)]
struct Nest {
    kind: Kind,
}

#[derive(Serialize, Deserialize, Default)]
enum Kind {
    #[default]
    Small,
    Large(u8),
}

#[expect(clippy::unnecessary_wraps, reason = "an upgrade can fail")]
fn keep(_: &mut Upgrade) -> Result<(), DataError> {
    Ok(())
}

const NOW: [&str; 4] = [
    r#"Component("compatible.Bear", 1, "Bear(hp?: u16, fur|colour?: str)")"#,
    r#"Component("compatible.Hive", 3, "Hive(bees?: u32, queen?: Option<MessageeId>)")"#,
    r#"Component("compatible.Nest", 2, "Nest(kind?: Kind{Small, Large(u8)})")"#,
    r#"Message("compatible.Roar", 1, "Roar(volume: f32, tone: Tone{Deep, Shrill(u8)})")"#,
];

/// A file with lines, which is removed in the end.
struct File(PathBuf);

impl File {
    fn none(name: &str) -> Self {
        let name = format!("compatible-{name}-{}.ron", std::process::id());
        Self(std::env::temp_dir().join(name))
    }

    fn of(name: &str, lines: &[&str]) -> Self {
        let file = Self::none(name);
        std::fs::write(&file.0, format!("[{}]", lines.join(",\n"))).expect("it can be written");
        file
    }

    /// Returns the lines of the file without comments.
    fn lines(&self) -> Vec<String> {
        let text = std::fs::read_to_string(&self.0).expect("it is there");
        let lines = text.lines().filter_map(|line| line.strip_prefix("    "));
        lines
            .map(|line| line.trim_end_matches(',').to_owned())
            .collect()
    }

    /// Returns the text with which the check fails, without the path.
    fn check(&self) -> Result<(), String> {
        let checked = catch_unwind(AssertUnwindSafe(|| {
            assert_compatible_where(&self.0, |ty| ty.name().starts_with("compatible."));
        }));
        checked.map_err(|panic| {
            let text = panic.downcast::<String>().expect("a text");
            text.replace(self.0.to_str().expect("Unicode"), "shapes.ron")
        })
    }

    /// Checks in another process, as with `UPDATE_SHAPES=… cargo test`. Returns `true` if it succeeds.
    fn update(&self, how: &str) -> bool {
        let child = Command::new(std::env::current_exe().expect("a test has a file"))
            .args(["--exact", "compatible::a_child_updates_the_file"])
            .envs([
                ("UPDATE_SHAPES", how),
                (FILE, self.0.to_str().expect("Unicode")),
            ])
            .output();
        child.expect("it can be started").status.success()
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

const FILE: &str = "COMPATIBLE_FILE";

/// Not a test by itself: see [`File::update`].
#[test]
fn a_child_updates_the_file() {
    if let Ok(file) = std::env::var(FILE) {
        assert_compatible_where(file, |ty| ty.name().starts_with("compatible."));
    }
}

#[track_caller]
fn fails(lines: &[&str], expected: &Expect) {
    let mut all = NOW.to_vec();
    all.extend(lines);
    let file = File::of(&format!("{:?}", std::thread::current().id()), &all);
    expected.assert_eq(&file.check().expect_err("it differs"));
}

// holds: data.compatible
#[test]
fn a_file_that_records_the_types_as_they_are_is_right() {
    assert_eq!(File::of("right", &NOW).check(), Ok(()));
}

// holds: data.compatible
#[test]
fn a_changed_type_a_required_field_and_a_lost_variant_cannot_be_read() {
    fails(
        &[
            r#"Component("compatible.Bear", 1, "Bear(hp?: u8)")"#,
            r#"Message("compatible.Roar", 1, "Roar(volume: f32, tone: Tone{Deep, Soft})")"#,
            r#"Message("compatible.Roar", 1, "Roar(volume: f32)")"#,
        ],
        &expect![[r#"
            shapes.ron records what saves can contain, but these types can no longer be read:

            - component `compatible.Bear`, version 1, `Bear(hp?: u8)`
                `Bear.hp` was `u8` and is `u16`
                or convert earlier values: `#[data(version = 2, upgrade = …)]`

            - message `compatible.Roar`, version 1, `Roar(volume: f32, tone: Tone{Deep, Soft})`
                `Roar.tone::Soft` is gone: keep the variant, or give the one in its place `#[serde(alias = "Soft")]`
                or convert earlier values: `#[data(version = 2, upgrade = …)]`

            - message `compatible.Roar`, version 1, `Roar(volume: f32)`
                `Roar.tone` is new and required: give it `#[serde(default)]`, or its earlier name as `#[serde(alias = "…")]`
                or convert earlier values: `#[data(version = 2, upgrade = …)]`

            If there are no such saves any more, delete these lines, or run `UPDATE_SHAPES=forget cargo test`.
        "#]],
    );
}

// holds: data.compatible
#[test]
fn a_type_that_is_gone_and_one_of_a_later_version_cannot_be_read() {
    fails(
        &[
            r#"Component("compatible.Wolf", 1, "Wolf(legs: u8)")"#,
            r#"Component("compatible.Roar", 1, "Roar()")"#,
            r#"Component("compatible.Bear", 2, "Bear(hp?: u16)")"#,
        ],
        &expect![[r#"
            shapes.ron records what saves can contain, but these types can no longer be read:

            - component `compatible.Wolf`, version 1, `Wolf(legs: u8)`
                the component no longer exists: restoring a save leaves it out
                if the type was renamed, give it `#[data(alias = "compatible.Wolf")]`

            - component `compatible.Roar`, version 1, `Roar()`
                the component no longer exists: restoring a save leaves it out
                if the type was renamed, give it `#[data(alias = "compatible.Roar")]`

            - component `compatible.Bear`, version 2, `Bear(hp?: u16)`
                the type now has version 1: expected at least 2

            If there are no such saves any more, delete these lines, or run `UPDATE_SHAPES=forget cargo test`.
        "#]],
    );
}

// holds: data.compatible
#[test]
fn what_is_read_passes() {
    let read = [
        // Fields with defaults are new, and one is gone.
        r#"Component("compatible.Bear", 1, "Bear(claws: u8)")"#,
        // An alias of a field, and one of the type.
        r#"Component("compatible.Bear", 1, "Bear(colour: str)")"#,
        r#"Component("compatible.Cub", 1, "Cub(hp: u16)")"#,
        // Fewer variants.
        r#"Message("compatible.Roar", 1, "Roar(volume: f32, tone: Tone{Deep})")"#,
    ];
    let all = [&NOW[..], &read].concat();
    assert_eq!(File::of("read", &all).check(), Ok(()));
}

// holds: data.compatible
#[test]
fn an_earlier_version_is_read_by_the_upgrade() {
    let second = r#"Component("compatible.Hive", 2, "Hive(bees: [str])")"#;
    assert_eq!(
        File::of("upgrade", &[&NOW[..], &[second]].concat()).check(),
        Ok(())
    );
    fails(
        &[r#"Component("compatible.Hive", 1, "Hive(bees: str)")"#],
        &expect![[r#"
            shapes.ron records what saves can contain, but these types can no longer be read:

            - component `compatible.Hive`, version 1, `Hive(bees: str)`
                a value of this shape cannot be read after its `upgrade`: byte 6: invalid type: string "", expected u32

            If there are no such saves any more, delete these lines, or run `UPDATE_SHAPES=forget cargo test`.
        "#]],
    );
}

// holds: data.compatible
#[test]
fn each_variant_of_an_earlier_version_is_read_by_the_upgrade() {
    fails(
        &[
            r#"Component("compatible.Nest", 1, "Nest(kind: Kind{Small, Large(u8)})")"#,
            r#"Component("compatible.Nest", 1, "Nest(kind: Kind{Small, Huge(u8)})")"#,
        ],
        &expect![[r"
            shapes.ron records what saves can contain, but these types can no longer be read:

            - component `compatible.Nest`, version 1, `Nest(kind: Kind{Small, Huge(u8)})`
                a value of this shape cannot be read after its `upgrade`: byte 7: there is no variant `Huge`; there are `Small`, `Large`

            If there are no such saves any more, delete these lines, or run `UPDATE_SHAPES=forget cargo test`.
        "]],
    );
}

// holds: data.compatible
#[test]
fn types_that_are_new_or_have_changed_have_to_be_recorded() {
    let file = File::of(
        "unrecorded",
        &[
            NOW[2],
            r#"Component("compatible.Bear", 1, "Bear(claws?: u8, fur|colour?: str)")"#,
            r#"Component("compatible.Hive", 2, "Hive(bees?: [str], queen?: Option<MessageeId>)")"#,
            r#"Message("compatible.Roar", 1, "Roar(volume: f32, tone: Tone{Deep})")"#,
        ],
    );
    expect![[r#"
        shapes.ron does not record these types as they are now; everything that it records can be read:

        - component `compatible.Bear`, version 1, `Bear(hp?: u16, fur|colour?: str)`
            `Bear.hp` is new
            `Bear.claws` is gone, and its value is ignored: if it was renamed, give it `#[serde(alias = "claws")]`

        - component `compatible.Hive`, version 3, `Hive(bees?: u32, queen?: Option<MessageeId>)`
            it had version 2

        - message `compatible.Roar`, version 1, `Roar(volume: f32, tone: Tone{Deep, Shrill(u8)})`
            `Roar.tone::Shrill` is new

        Run `UPDATE_SHAPES=1 cargo test` to record them, and commit the file.
    "#]].assert_eq(&file.check().expect_err("some are missing"));
}

// holds: data.compatible-record
#[test]
fn an_update_adds_what_is_new_and_keeps_what_was_there() {
    let file = File::none("new");
    expect!["shapes.ron does not exist yet, but has to record these types:"].assert_eq(
        file.check()
            .expect_err("there is no file")
            .lines()
            .next()
            .unwrap_or_default(),
    );
    assert!(file.update("1"));
    assert_eq!(file.lines(), NOW);
    assert_eq!(file.check(), Ok(()));

    let earlier = r#"Component("compatible.Bear", 1, "Bear(hp?: u16)")"#;
    let file = File::of("kept", &[NOW[1], earlier]);
    assert!(file.update("1"));
    assert_eq!(file.lines(), [earlier, NOW[0], NOW[1], NOW[2], NOW[3]]);
}

// holds: data.compatible-record
#[test]
fn what_cannot_be_read_is_removed_only_on_request() {
    let lost = r#"Component("compatible.Bear", 1, "Bear(hp?: u8)")"#;
    let file = File::of("lost", &[lost, NOW[1]]);
    assert!(!file.update("1"), "one line cannot be read");
    assert_eq!(file.lines(), [lost, NOW[0], NOW[1], NOW[2], NOW[3]]);
    assert!(file.update("forget"));
    assert_eq!(file.lines(), NOW);
    assert!(!file.update("yes"), "no such update");
}

// holds: data.compatible-record
#[test]
fn a_damaged_file_is_an_error_with_its_place_and_stays_as_it_is() {
    let cases = [
        "[",
        "[\n<<<<<<< HEAD\n]",
        "[Component(\"a\", 1)]",
        "[\n    Component(\"a\", 1, \"A(x: u33)\"),\n]",
        "(1, 2)",
    ];
    let mut errors = String::new();
    let file = File::none("damaged");
    for text in cases {
        std::fs::write(&file.0, text).expect("it can be written");
        errors += &(file.check().expect_err(text) + "\n");
        assert!(!file.update("forget"));
        assert_eq!(std::fs::read_to_string(&file.0).ok().as_deref(), Some(text));
    }
    expect![[r"
        shapes.ron:1:2: the text ends here: expected a value
        shapes.ron:2:1: expected a value, found `<`
        shapes.ron:1:2: invalid length 2, expected tuple variant Line::Component with 3 elements
        shapes.ron:2:5: the shape of `a`: byte 5: there is no type `u33`
        shapes.ron:1:2: expected one of `Component`, `Message`, found the integer `1`
    "]]
    .assert_eq(&errors);
}
