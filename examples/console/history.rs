//! The lines of earlier runs, in a file.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// The number of lines that are kept.
pub const LINES: usize = 500;

/// Returns the last lines of the file, and removes the others from it. A file that is not there has none.
pub fn read(path: &Path) -> io::Result<Vec<String>> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(error),
    };
    let all: Vec<&str> = text.lines().collect();
    let kept = &all[all.len().saturating_sub(LINES)..];
    if kept.len() < all.len() {
        fs::write(path, kept.join("\n") + "\n")?;
    }
    Ok(kept.iter().map(|line| (*line).to_owned()).collect())
}

/// Adds a line to the file.
pub fn add(path: &Path, line: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    writeln!(file, "{line}")
}
