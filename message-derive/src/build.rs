//! Finds out what distinguishes one build of the crate that is compiled from another.
//!
//! - `source` is a hash of the files in the folder `src`, whose changes make the compiler run again.
//! - `generated` is a hash of the sources that a build script has written.
//! - `features` and `cfg` are lists of what is passed to the compiler as `--cfg`.
//! - `metadata` is what Cargo passes as `-C metadata`: a hash of the package, its profile and its features, and of
//!   those of all its dependencies. The compiler puts it into symbols and into the ids of types, so builds in which it
//!   differs never fit.
//!
//! A macro runs in the process of the compiler, and reads its arguments and environment.

use std::path::{Path, PathBuf};
use std::{env, fs};

use proc_macro::{Literal, TokenStream, TokenTree};

/// Returns the fields as a literal: `KEY=VALUE`, separated by spaces.
pub(crate) fn facts() -> TokenStream {
    let folder = |name: &str| env::var_os(name).map(PathBuf::from);
    // Without Cargo, the location of the sources is unknown, and the version has to do.
    let source = folder("CARGO_MANIFEST_DIR").map(|folder| hash_of(&folder.join("src"), |_| true));
    let is_source = |file: &Path| file.extension().is_some_and(|it| it == "rs");
    let generated = folder("OUT_DIR").map(|folder| hash_of(&folder, is_source));
    let hex = |hash: Option<u64>| hash.map_or_else(String::new, |it| format!("{it:016x}"));
    let Settings {
        features,
        cfg,
        metadata,
    } = Settings::of(arguments());
    let text = format!(
        "source={} generated={} features={features} cfg={cfg} metadata={metadata}",
        hex(source),
        hex(generated),
    );
    TokenTree::from(Literal::string(&text)).into()
}

/// Returns the arguments of the compiler. Cargo passes them in a file when they are many.
fn arguments() -> impl Iterator<Item = String> {
    let lossy = env::args_os().map(|it| it.to_string_lossy().into_owned());
    lossy.flat_map(|argument| {
        let file = argument
            .strip_prefix('@')
            .and_then(|it| fs::read_to_string(it).ok());
        match file {
            Some(text) => text.lines().map(str::to_owned).collect(),
            None => vec![argument],
        }
    })
}

/// The settings of a build, as lists separated by commas.
#[derive(Debug, Default, PartialEq)]
struct Settings {
    features: String,
    cfg: String,
    metadata: String,
}

impl Settings {
    fn of(mut arguments: impl Iterator<Item = String>) -> Self {
        let (mut features, mut cfg, mut metadata) = (Vec::new(), Vec::new(), Vec::new());
        while let Some(argument) = arguments.next() {
            let mut value = |name: &str| {
                let rest = argument.strip_prefix(name)?;
                match rest.strip_prefix('=').unwrap_or(rest) {
                    "" => arguments.next(),
                    value => Some(value.to_owned()),
                }
            };
            if let Some(set) = value("--cfg") {
                let feature = set.strip_prefix("feature=\"");
                match feature.and_then(|it| it.strip_suffix('"')) {
                    Some(feature) => features.push(feature.to_owned()),
                    None => cfg.push(set),
                }
            } else if let Some(option) = value("-C").or_else(|| value("--codegen")) {
                metadata.extend(option.strip_prefix("metadata=").map(str::to_owned));
            }
        }
        let [features, cfg, metadata] = [features, cfg, metadata].map(|mut all| {
            all.sort();
            all.dedup();
            // Spaces, semicolons and control characters separate the parts of a statement.
            let separates = |it: char| it == ';' || it.is_whitespace() || it.is_control();
            all.join(",").replace(separates, "_")
        });
        Self {
            features,
            cfg,
            metadata,
        }
    }
}

/// Returns a hash of the names and contents of the files in a folder that are `wanted`.
fn hash_of(folder: &Path, wanted: impl Fn(&Path) -> bool) -> u64 {
    let mut files = Vec::new();
    gather(folder, &mut files);
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    let mut named: Vec<_> = files
        .iter()
        .filter(|file| wanted(file))
        .map(|file| {
            let name = file.strip_prefix(folder).unwrap_or(file);
            (name.to_string_lossy().replace('\\', "/"), file)
        })
        .collect();
    named.sort();
    for (name, file) in named {
        hash.write(name.as_bytes());
        hash.write(&[0]);
        hash.write(&fs::read(file).unwrap_or_default());
    }
    hash.0
}

fn gather(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            gather(&path, files);
        } else {
            files.push(path);
        }
    }
}

/// FNV-1a.
struct Fnv(u64);

impl Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the hash of a folder with these files: paths and texts.
    fn hash(files: &[(&str, &str)]) -> std::io::Result<u64> {
        let name = format!("message-derive-{}-{:?}", std::process::id(), files);
        let name = name.replace(|c: char| !c.is_alphanumeric(), "-");
        let folder = env::temp_dir().join(name);
        for (path, text) in files {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap_or(&folder))?;
            fs::write(path, text)?;
        }
        let hash = hash_of(&folder, |_| true);
        fs::remove_dir_all(&folder)?;
        Ok(hash)
    }

    #[test]
    fn sources_that_differ_have_other_hashes_and_the_same_ones_the_same() -> std::io::Result<()> {
        let sources: [&[(&str, &str)]; 6] = [
            &[("lib.rs", "mod a;")],
            &[("lib.rs", "mod b;")],
            &[("main.rs", "mod a;")],
            &[("lib.rs", "mod a;"), ("a.rs", "")],
            &[("lib.rs", "mod a;"), ("a/mod.rs", "")],
            &[("lib.rs", "a.rs"), ("mod a;", "")],
        ];
        let hashes = sources.map(hash);
        for (at, of_these) in hashes.into_iter().enumerate() {
            let of_these = of_these?;
            for (other, files) in sources.into_iter().enumerate() {
                assert_eq!(hash(files)? == of_these, at == other, "{at} and {other}");
            }
        }
        Ok(())
    }

    #[test]
    fn features_and_other_settings_are_read_in_any_form_and_order() {
        let settings = |line: &str| Settings::of(line.split(' ').map(str::to_owned));
        let expected = Settings {
            features: "deep,wide".to_owned(),
            cfg: "kind=\"a_b\",stormy".to_owned(),
            metadata: "77".to_owned(),
        };
        let kind = "kind=\"a;b\"";
        let line = format!(
            "rustc --cfg stormy -C metadata=77 --cfg feature=\"wide\" -C opt-level=3 --cfg {kind} --cfg feature=\"deep\""
        );
        assert_eq!(settings(&line), expected);
        let line = format!(
            "rustc --cfg=feature=\"deep\" --codegen metadata=77 --cfg=feature=\"wide\" --cfg={kind} --cfg=stormy"
        );
        assert_eq!(settings(&line), expected);
        let line = format!(
            "rustc -Cmetadata=77 --cfg=stormy --cfg={kind} --cfg=feature=\"wide\" --cfg=feature=\"deep\""
        );
        assert_eq!(settings(&line), expected);
        assert_eq!(
            settings("rustc --check-cfg cfg(stormy)"),
            Settings::default()
        );
    }
}
