//! Plugins and a program that share message-core. This test program has its own copy of message-core, so it
//! drives another program: the workspace in `hosts/plugin`, which Cargo builds here.
#![cfg(target_os = "linux")]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

/// An upper bound for a build, which is the slowest step; a program takes a second.
const LIMIT: Duration = Duration::from_secs(900);

struct Built {
    /// The options of Cargo for this profile.
    profile: &'static [&'static str],
    /// The folder with the libraries.
    folder: PathBuf,
    /// A folder for modified copies of libraries.
    scratch: PathBuf,
}

static BUILT: LazyLock<Built> = LazyLock::new(|| Built::with(&[], "debug"));
static RELEASE: LazyLock<Built> = LazyLock::new(|| Built::with(&["--release"], "release"));

/// Ways to build the plugin `rain`, each with a name: options of Cargo, and variables.
const WAYS: [(&str, &[&str], &[&str]); 4] = [
    ("wide", &["--features", "climate/wide"], &[]),
    ("stormy", &[], &["CLIMATE_STORMY"]),
    ("deep", &[], &["CLIMATE_DEEP"]),
    ("alone", &[], &[]),
];

impl Built {
    fn with(profile: &'static [&'static str], folder: &str) -> Self {
        let scratch = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(folder);
        fs::create_dir_all(&scratch).expect("the target folder can be written");
        let this = Self {
            profile,
            folder: target().join(folder),
            scratch,
        };
        // The shared libraries have the same names in each build. The last one is for the program.
        for (way, options, variables) in WAYS {
            this.build(&[&["-p", "rain"], options].concat(), variables);
            fs::copy(this.library("rain"), this.rain(way)).expect("it was built");
        }
        this.build(&["--workspace"], &[]);
        this
    }

    fn build(&self, options: &[&str], variables: &[&str]) {
        let mut command = cargo();
        command.arg("build").args(self.profile).args(options);
        command.envs(variables.iter().map(|name| (name, "1")));
        let output = ended(&mut command);
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{text}");
    }

    fn library(&self, name: &str) -> String {
        text(&self.folder.join(format!("lib{name}.so")))
    }

    /// Returns the path of the plugin `rain` that was built in another way.
    fn rain(&self, way: &str) -> String {
        text(&self.scratch.join(format!("librain-{way}.so")))
    }

    /// Returns the driver's answers.
    fn driven(&self, arguments: &[&str]) -> Vec<String> {
        let mut command = cargo();
        command.args(["run", "--quiet", "-p", "driver"]);
        command.args(self.profile).arg("--").args(arguments);
        let output = ended(&mut command);
        let (told, errors) = (output.stdout, String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{errors}");
        let told = String::from_utf8_lossy(&told);
        told.lines().map(str::to_owned).collect()
    }

    /// Checks that both check and load refuse a file, and that the errors contain these texts.
    fn assert_refused(&self, file: &str, texts: &[&str]) {
        let told = self.driven(&["know", "check", file, "load", file, "know"]);
        let [before, checked, loaded, after] = &*told else {
            panic!("four answers were expected: {told:?}");
        };
        for error in [checked, loaded] {
            assert!(error.starts_with("error: "), "{error}");
            for text in texts.iter().chain([&file]) {
                assert!(error.contains(text), "`{text}` is not in: {error}");
            }
        }
        assert_eq!(before, after);
    }
}

fn text(path: &Path) -> String {
    path.to_str()
        .expect("the target folder is a text")
        .to_owned()
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../hosts/plugin")
}

fn target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("hosts-plugin")
}

fn cargo() -> Command {
    let cargo = env::var_os("CARGO").unwrap_or("cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(workspace());
    command.env("CARGO_TARGET_DIR", target());
    command.stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs a command within the time limit and returns its output.
fn ended(command: &mut Command) -> Output {
    let child = command.spawn().expect("it can be started");
    let id = child.id();
    let waiting = thread::spawn(move || child.wait_with_output());
    let begun = Instant::now();
    while !waiting.is_finished() {
        if begun.elapsed() > LIMIT {
            let _ = Command::new("kill").arg(id.to_string()).status();
            panic!("{command:?} has not ended after {LIMIT:?}");
        }
        thread::sleep(Duration::from_millis(10));
    }
    let output = waiting.join().expect("it only waits");
    output.expect("its output can be read")
}

fn driven(arguments: &[&str]) -> Vec<String> {
    BUILT.driven(arguments)
}

fn library(name: &str) -> String {
    BUILT.library(name)
}

fn assert_refused(file: &str, texts: &[&str]) {
    BUILT.assert_refused(file, texts);
}

/// Makes a modified copy of the plugin `frost` and returns its path.
fn changed(name: &str, change: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut bytes = fs::read(library("frost")).expect("it was built");
    change(&mut bytes);
    let file = BUILT.scratch.join(name);
    fs::write(&file, bytes).expect("the target folder can be written");
    text(&file)
}

/// Replaces some bytes with as many others.
fn replace(bytes: &mut [u8], from: &str, to: &str) {
    let at = bytes
        .windows(from.len())
        .position(|it| it == from.as_bytes());
    let at = at.unwrap_or_else(|| panic!("`{from}` is in the file"));
    bytes[at..at + from.len()].copy_from_slice(to.as_bytes());
}

// holds: plugins.extend-at-work, plugins.taken-up, plugins.world-file-names, plugins.never-unloaded
#[test]
fn a_plugin_that_comes_after_the_first_manager_takes_part_as_if_linked_in() {
    let world = workspace().join("world.ron");
    let world = world.to_str().expect("the folder is a text");
    let frost = library("frost");
    let told = driven(&[
        "chill", "1", "world", world, "load", &frost, "world", world, "chill", "4", "chill", "1",
    ]);
    assert_eq!(told[0], "ok: 0 received, hp []");
    let place = format!("error: {world}:4:15: the plugin `frost` is not loaded: ");
    assert!(told[1].starts_with(&place), "{}", told[1]);
    assert!(told[1].ends_with("no plugin is loaded"), "{}", told[1]);
    let rest = [
        "ok: frost",
        "ok: pond,oak",
        "ok: 1 received, hp [16, 9]",
        "ok: 1 received, hp [15, 9]",
    ];
    assert_eq!(told[2..], rest);
}

// holds: plugins.world-file-names
#[test]
fn a_plugin_that_is_named_wrongly_in_a_world_file_is_an_error_with_the_nearest_name() {
    let world = BUILT.scratch.join("near.ron");
    let text = "World(\n    version: 1,\n    plugins: [\"forst\"],\n    messagees: [Messagee(name: \
                \"a\", components: [Nothing])],\n)";
    fs::write(&world, text).expect("the target folder can be written");
    let world = world.to_str().expect("the folder is a text");
    let told = driven(&["load", &library("frost"), "world", world]);
    let expected = format!(
        "error: {world}:3:15: the plugin `forst` is not loaded: expected the program to load it before it \
         reads the file; `frost` is loaded; did you mean `frost`?"
    );
    assert_eq!(told[1], expected);
}

// holds: plugins.loaded-twice
#[test]
fn a_plugin_is_loaded_once() {
    let frost = library("frost");
    let told = driven(&["load", &frost, "load", &frost, "know"]);
    assert_eq!(told[0], "ok: frost");
    let again = "is already loaded: expected a plugin with another name";
    assert!(
        told[1].contains("`frost`") && told[1].ends_with(again),
        "{}",
        told[1]
    );
    assert!(told[2].contains("plugins [\"frost\"]"), "{}", told[2]);
}

#[test]
fn a_file_that_is_not_there_is_an_error() {
    let missing = BUILT.scratch.join("missing.so");
    let missing = missing.to_str().expect("the folder is a text");
    assert_refused(missing, &["cannot be read: No such file"]);
}

// holds: plugins.file-refused
#[test]
fn a_truncated_plugin_is_no_library() {
    for (name, part) in [("half.so", 0.5), ("most.so", 0.999), ("head.so", 0.0005)] {
        let file = changed(name, |bytes| {
            #[allow(
                clippy::cast_possible_truncation,
                clippy::cast_precision_loss,
                clippy::cast_sign_loss,
                reason = "an approximate length is enough"
            )]
            bytes.truncate((bytes.len() as f64 * part) as usize);
        });
        assert_refused(
            &file,
            &["is not a plugin: expected a whole shared library", "found "],
        );
    }
    let empty = changed("empty.so", Vec::clear);
    assert_refused(&empty, &["found 0 bytes that are not a library"]);
}

// holds: plugins.file-refused
#[test]
fn what_is_no_library_is_refused() {
    let text = changed("text.so", |bytes| {
        *bytes = b"a text, and no library".to_vec();
    });
    assert_refused(
        &text,
        &[
            "expected a whole shared library",
            "22 bytes that are not a library",
        ],
    );
    let program = BUILT.folder.join("driver");
    let program = program.to_str().expect("the folder is a text");
    assert_refused(
        program,
        &["expected a whole shared library", "found a program"],
    );
    let other = changed("arm.so", |bytes| bytes[18] = 183);
    if cfg!(target_arch = "x86_64") {
        assert_refused(&other, &["for x86_64", "found a library for Aarch64"]);
    }
}

// holds: plugins.file-refused
#[test]
fn a_library_that_says_nothing_is_no_plugin() {
    assert_refused(
        &library("contract"),
        &["`message_core::plugin!()`", "found none"],
    );
    let cut = changed("cut.so", |bytes| {
        replace(bytes, "kind=plugin;", "kind=plague;");
    });
    assert_refused(&cut, &["`message_core::plugin!()`", "found none"]);
}

// holds: plugins.file-refused
#[test]
fn a_plugin_with_a_message_core_of_its_own_is_refused() {
    let parts = [
        "`alone`",
        "has its own message-core (message-core 0.1.0 ",
        "of the program (message-core 0.1.0 ",
    ];
    assert_refused(&library("alone"), &parts);
}

// holds: plugins.file-refused, plugins.statement-first
#[test]
fn a_plugin_of_another_compiler_or_build_is_refused_with_both_sides() {
    let file = changed("rustc.so", |bytes| replace(bytes, ";rustc=1.", ";rustc=9."));
    let parts = [
        "`frost`",
        "is from a different build",
        "rustc is `9.",
        "in the plugin, `1.",
        "in the program",
    ];
    assert_refused(&file, &parts);
    let file = changed("features.so", |bytes| {
        let features = " features=default,derive,internals";
        replace(bytes, features, &features.replace("default", "defauld"));
        replace(bytes, ";panic=unwind;", ";panic=unwine;");
    });
    assert_refused(
        &file,
        &[
            "features of message-core is `defauld,",
            "panic is `unwine` in the plugin, `unwind`",
        ],
    );
}

// holds: plugins.file-refused
#[test]
fn a_plugin_of_another_build_of_a_shared_crate_is_refused_with_both_sides() {
    let file = changed("shared.so", |bytes| {
        replace(bytes, "uses=contract 0.1.0 ", "uses=contract 0.9.0 ");
    });
    assert_refused(
        &file,
        &[
            "`frost`",
            "a different build of the shared crate `contract`",
            "version of contract is `0.9.0` in the plugin, `0.1.0` in the program;",
        ],
    );
    // The dependencies of a shared crate are compared, too: message-data has no symbol that every plugin needs.
    let file = changed("data.so", |bytes| {
        replace(bytes, " + message-data 0.1.0 ", " + message-data 0.9.0 ");
    });
    assert_refused(
        &file,
        &["version of message-data is `0.9.0` in the plugin, `0.1.0` in the program;"],
    );
    let file = changed("unshared.so", |bytes| {
        replace(bytes, "uses=contract", "uses=kontrakt");
    });
    assert_refused(
        &file,
        &["crate `kontrakt 0.1.0 ", "which the program does not have"],
    );
}

/// Checks how a plugin is received whose shared crate was built in other ways, by a program of the same profile.
fn assert_what_shapes_types_is_compared(built: &Built) {
    for (way, difference) in [
        (
            "wide",
            "features of climate is `wide` in the plugin, empty in the program;",
        ),
        (
            "stormy",
            "cfg of climate is `stormy` in the plugin, empty in the program;",
        ),
        ("deep", "generated of climate is `"),
    ] {
        let part = "a different build of the shared crate `climate` than the program: ";
        let expected = format!("{part}{difference}");
        built.assert_refused(&built.rain(way), &["`rain`", &expected]);
    }
    // The same build, by a command that builds only the plugin.
    for file in [built.rain("alone"), built.library("rain")] {
        let told = built.driven(&["load", &file, "rain"]);
        assert_eq!(told, ["ok: rain", "ok: 0 received"]);
    }
}

// holds: plugins.file-refused
#[test]
fn a_plugin_is_refused_if_a_shared_crate_has_types_with_other_fields() {
    assert_what_shapes_types_is_compared(&BUILT);
}

// holds: plugins.file-refused
#[test]
fn a_plugin_is_refused_if_a_shared_crate_has_types_with_other_fields_in_a_release_build() {
    assert_what_shapes_types_is_compared(&RELEASE);
}

// holds: plugins.file-refused
#[test]
fn a_plugin_with_a_copy_of_a_crate_that_the_program_has_is_refused() {
    let parts = [
        "`twice`",
        "contains the crate `weather 0.1.0 ",
        "the program has `weather 0.1.0 ",
        "dylib",
    ];
    assert_refused(&library("twice"), &parts);
}

// holds: plugins.statement-first
#[test]
fn a_plugin_that_needs_functions_that_nobody_has_is_refused_before_it_runs() {
    let file = changed("symbols.so", |bytes| {
        replace(bytes, "\0_ZN12message_core", "\0_ZN12nessage_core");
    });
    let told = driven(&["know", "check", &file, "load", &file, "know"]);
    assert!(
        told[1].starts_with("ok: kind=plugin;name=frost;"),
        "{}",
        told[1]
    );
    assert!(
        told[2].contains("`frost`") && told[2].contains("cannot be loaded"),
        "{}",
        told[2]
    );
    assert!(told[2].contains("nessage_core"), "{}", told[2]);
    assert_eq!(told[0], told[3]);
}

// holds: plugins.checked-copy
#[test]
fn a_plugin_that_is_gone_or_changed_between_check_and_load_is_refused() {
    let frost = library("frost");
    let told = driven(&[
        "know", "gone", &frost, "changed", &frost, "know", "load", &frost,
    ]);
    let gone = "can no longer be read";
    assert!(
        told[1].contains("`frost`") && told[1].contains(gone),
        "{}",
        told[1]
    );
    assert!(
        told[2].contains("has been changed; expected it to be unchanged since the check"),
        "{}",
        told[2]
    );
    assert_eq!(told[0], told[3]);
    assert_eq!(told[4], "ok: frost");
}

// holds: plugins.refused-duplicate, plugins.refused-leaves-nothing
#[test]
fn two_plugins_with_one_component_name_are_an_error_and_the_second_leaves_nothing_behind() {
    let (frost, twin) = (library("frost"), library("twin"));
    let world = workspace().join("world.ron");
    let world = world.to_str().expect("the folder is a text");
    let told = driven(&[
        "load", &frost, "know", "load", &twin, "know", "world", world, "chill", "4",
    ]);
    let error = &told[2];
    for text in [
        "`twin`",
        "two types are called `frost.Ice`",
        "frost/src/lib.rs:",
        "twin/src/lib.rs:",
    ] {
        assert!(error.contains(text), "`{text}` is not in: {error}");
    }
    assert_eq!(told[1], told[3]);
    assert_eq!(told[4..], ["ok: pond,oak", "ok: 1 received, hp [16, 9]"]);
    // On its own it is a plugin like any other.
    let told = driven(&["load", &twin, "know"]);
    assert!(
        told[1].ends_with("plugins [\"twin\"], melt true, twin true"),
        "{}",
        told[1]
    );
}
