//! Makes a linker for WebAssembly keep the entries of a crate.
//!
//! The linker takes an object file from a library only if something in it is referenced by name. Nothing
//! references an entry by name: entries are found when the program starts. For other linkers, the compiler
//! names what has to be kept; for this one, it names only what is exported. Therefore the module of each
//! entry exports an empty function, which the compiler puts into the same object file.
//!
//! Names must be unique in a program. A name consists of the name of the crate, a hash of what Cargo passes
//! to the compiler to tell crates of the same name apart, and a number.

use std::env;
use std::sync::atomic::{AtomicU32, Ordering};

use proc_macro::TokenStream;

pub(crate) fn keep() -> TokenStream {
    static NUMBER: AtomicU32 = AtomicU32::new(0);

    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let name = Crate::of(env::args()).export(number);
    let item = format!(
        "const _: () = {{ #[unsafe(export_name = \"{name}\")] extern \"C\" fn kept() {{}} }};"
    );
    item.parse().expect("it is an item")
}

/// The crate that is being compiled.
struct Crate {
    name: String,
    hash: u64,
}

impl Crate {
    /// Reads the compiler's arguments: `--crate-name NAME`, `-C metadata=HASH`.
    fn of(arguments: impl Iterator<Item = String>) -> Self {
        let mut name = String::new();
        let mut hash = Fnv::new();
        let mut is_name = false;
        for argument in arguments {
            let option = argument.trim_start_matches("-C").trim_start();
            if is_name {
                name.clone_from(&argument);
            }
            if let Some((_, metadata)) = option.split_once("metadata=") {
                hash.add(metadata);
            }
            is_name = argument == "--crate-name";
        }
        // Distinguishes a program from a library of the same name if there is no metadata.
        for variable in ["CARGO_PKG_VERSION", "CARGO_BIN_NAME"] {
            hash.add(&env::var(variable).unwrap_or_default());
        }
        Self { name, hash: hash.0 }
    }

    fn export(&self, number: u32) -> String {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let name = self.name.replace(|c| !is_word(c), "_");
        format!("message_core_{name}_{:016x}_{number}", self.hash)
    }
}

/// A hash that is the same in every build.
struct Fnv(u64);

impl Fnv {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, text: &str) {
        // Adds a terminator, so that parts do not run into each other.
        for byte in text.bytes().chain([0]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn export(arguments: &[&str]) -> String {
        Crate::of(arguments.iter().map(ToString::to_string)).export(7)
    }

    #[test]
    fn crates_of_one_name_and_other_metadata_have_other_names() {
        let one = export(&["rustc", "--crate-name", "my_lib", "-C", "metadata=1f"]);
        let other = export(&["rustc", "--crate-name", "my_lib", "-C", "metadata=2f"]);
        assert!(one.starts_with("message_core_my_lib_") && one.ends_with("_7"));
        assert_ne!(one, other);
        let again = export(&["rustc", "--crate-name", "my_lib", "-Cmetadata=1f"]);
        assert_eq!(one, again);
    }

    #[test]
    fn a_name_consists_of_letters_digits_and_underscores() {
        let name = export(&["rustc", "--crate-name", "größe-2"]);
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'));
    }
}
