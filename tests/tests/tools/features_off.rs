//! Using an item without its feature is an error that names the feature. `ui/off` contains a folder
//! of programs for each set of features; a line with an error ends with `//~` and the error's text.
//!
//! The programs are a package of their own, because one workspace has one set of features.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// The compiler's errors, by program and line.
type Errors = BTreeMap<String, BTreeMap<u64, String>>;

#[test]
fn what_needs_a_feature_names_it() {
    check("none", "");
}

#[test]
fn what_a_handler_needs_a_further_feature_for_names_it() {
    check("derive", "\"derive\"");
}

fn check(set: &str, features: &str) {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("ui/off")
        .join(set);
    let errors = errors_of(set, &sources, features);
    let mut programs = 0;
    for program in fs::read_dir(&sources).expect("the programs are here") {
        let path = program.expect("they can be listed").path();
        let name = path
            .file_stem()
            .expect("a file")
            .to_string_lossy()
            .into_owned();
        let text = fs::read_to_string(&path).expect("a program is text");
        let expected: BTreeMap<u64, &str> = (1..)
            .zip(text.lines())
            .filter_map(|(line, text)| Some((line, text.split_once("//~ ")?.1)))
            .collect();
        let empty = BTreeMap::new();
        let found = errors.get(&name).unwrap_or(&empty);
        assert!(found.keys().eq(expected.keys()), "{name}: {found:#?}");
        for (line, expected) in expected {
            assert!(found[&line].contains(expected), "{name}: {}", found[&line]);
            assert!(
                !found[&line].contains("Nightly"),
                "{name}: {}",
                found[&line]
            );
        }
        programs += 1;
    }
    assert!(programs > 0);
}

/// Compiles all programs of a folder with these features of the library alone.
fn errors_of(set: &str, sources: &Path, features: &str) -> Errors {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let package = Path::new(env!("CARGO_TARGET_TMPDIR")).join("off").join(set);
    let bin = package.join("src/bin");
    let _ = fs::remove_dir_all(&bin);
    fs::create_dir_all(&bin).expect("the target directory can be written");
    for program in fs::read_dir(sources).expect("the programs are here") {
        let path = program.expect("they can be listed").path();
        let name = path.file_name().expect("a file");
        fs::copy(&path, bin.join(name)).expect("a program can be copied");
    }
    // The same versions as in the workspace, so that nothing is to be downloaded.
    fs::copy(workspace.join("Cargo.lock"), package.join("Cargo.lock")).expect("a lock file");
    let manifest = format!(
        "[package]\nname = \"off\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies.message-core]\n\
         path = '{}'\ndefault-features = false\nfeatures = [{features}]\n",
        workspace.join("message-core").display(),
    );
    fs::write(package.join("Cargo.toml"), manifest).expect("the manifest can be written");

    let output = Command::new(env!("CARGO"))
        .args(["check", "--bins", "--keep-going", "--offline", "--quiet"])
        .args(["--message-format", "json", "--target-dir"])
        .arg(package.with_file_name("target"))
        .current_dir(&package)
        .output()
        .expect("cargo can be run");
    let mut errors = Errors::new();
    let mut built = false;
    for message in String::from_utf8_lossy(&output.stdout).lines() {
        let message: Value = serde_json::from_str(message).expect("a message is JSON");
        built |= message["target"]["name"] == "message_core";
        if message["message"]["level"] != "error" {
            continue;
        }
        let spans = message["message"]["spans"].as_array().into_iter().flatten();
        let mut primary = spans.filter(|span| span["is_primary"] == true);
        let mut span = primary.next();
        // The line that invokes the macro, if one expands to the mistake.
        while let Some(outer) = span.map(|span| &span["expansion"]["span"])
            && !outer.is_null()
        {
            span = Some(outer);
        }
        let line = span.and_then(|span| span["line_start"].as_u64());
        let (Some(line), Some(name)) = (line, message["target"]["name"].as_str()) else {
            continue; // The sum of the errors.
        };
        let rendered = message["message"]["rendered"].as_str().unwrap_or_default();
        let of_the_line = errors.entry(name.to_owned()).or_default().entry(line);
        of_the_line.or_default().push_str(rendered);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(built, "the library is compiled: {said}");
    errors
}
