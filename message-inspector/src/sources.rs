//! The links by which the page opens lines of source in an editor.

use std::env;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::builder::Builder;

/// The link of Visual Studio Code.
pub(crate) const VSCODE: &str = "vscode://file/{file}:{line}:{column}";

/// Returns the link of the editor, and the folder of the sources.
pub(crate) fn editor(settings: &Builder) -> Value {
    let sources = settings.sources.clone().or_else(workspace);
    let sources = sources.unwrap_or_default();
    json!({ "link": settings.editor, "sources": sources.to_string_lossy() })
}

/// Returns the nearest folder with a `Cargo.lock`, or else the current directory.
fn workspace() -> Option<PathBuf> {
    let here = env::current_dir().ok()?;
    let mut above = here.ancestors();
    let found = above.find(|folder| folder.join("Cargo.lock").is_file());
    Some(found.unwrap_or(&here).to_path_buf())
}
