//! Leaves in the library what tells one build of it from another, for the statements of plugins: compiler,
//! target, panics and flags. It asks the compiler once, and reads no file.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let var = |name: &str| env::var(name).unwrap_or_default();
    let rustc = Command::new(var("RUSTC")).arg("-vV").output();
    let rustc = rustc.map_or_else(|_| String::new(), |told| lossy(&told.stdout));
    let told = |key: &str| {
        let mut lines = rustc.lines().filter_map(|line| line.strip_prefix(key));
        lines.next().unwrap_or("unknown").trim().to_owned()
    };
    let debug = env::var_os("CARGO_CFG_DEBUG_ASSERTIONS").is_some();
    let fields = [
        (
            "rustc",
            format!("{} {}", told("release:"), told("commit-hash:")),
        ),
        ("target", var("TARGET")),
        ("panic", var("CARGO_CFG_PANIC")),
        ("opt", var("OPT_LEVEL")),
        ("debug_assertions", debug.to_string()),
        (
            "flags",
            var("CARGO_ENCODED_RUSTFLAGS").replace('\u{1f}', " "),
        ),
    ];
    // A statement is a list of fields with semicolons behind them, between control characters.
    let plain = |text: &str| text.replace(|it: char| it == ';' || it.is_control(), " ");
    let fields = fields.map(|(key, value)| format!("{key}={};", plain(&value)));
    println!("cargo:rustc-env=MESSAGE_CORE_BUILD={}", fields.concat());
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
