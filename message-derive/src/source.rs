//! A hash of the sources of a crate, by which another build of it is told.
//!
//! It covers the files in the folder `src`, whose changes let the compiler run again.

use std::path::{Path, PathBuf};
use std::{env, fs};

use proc_macro::{Literal, TokenStream, TokenTree};

pub(crate) fn hash() -> TokenStream {
    // Without Cargo nobody says where the sources are: then the version has to do.
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
