//! A hash of the sources of a crate, which distinguishes its builds.
//!
//! It covers the files in the folder `src`, whose changes make the compiler run again.

use std::path::{Path, PathBuf};
use std::{env, fs};

use proc_macro::{Literal, TokenStream, TokenTree};

pub(crate) fn hash() -> TokenStream {
    // Without Cargo, the location of the sources is unknown, and the version has to do.
    let folder = env::var_os("CARGO_MANIFEST_DIR").map(|folder| PathBuf::from(folder).join("src"));
    let text = folder.map_or_else(|| "unknown".to_owned(), |it| format!("{:016x}", of(&it)));
    TokenTree::from(Literal::string(&text)).into()
}

fn of(folder: &Path) -> u64 {
    let mut files = Vec::new();
    gather(folder, &mut files);
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    let mut named: Vec<_> = files
        .iter()
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
    fn hash_of(files: &[(&str, &str)]) -> std::io::Result<u64> {
        let name = format!("message-derive-{}-{:?}", std::process::id(), files);
        let name = name.replace(|c: char| !c.is_alphanumeric(), "-");
        let folder = env::temp_dir().join(name);
        for (path, text) in files {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap_or(&folder))?;
            fs::write(path, text)?;
        }
        let hash = of(&folder);
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
        let hashes = sources.map(hash_of);
        for (at, hash) in hashes.into_iter().enumerate() {
            let hash = hash?;
            for (other, files) in sources.into_iter().enumerate() {
                assert_eq!(hash_of(files)? == hash, at == other, "{at} and {other}");
            }
        }
        Ok(())
    }
}
