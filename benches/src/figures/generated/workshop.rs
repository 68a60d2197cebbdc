//! The place where generated programs are written and built: a folder in the target folder, which is deleted
//! when the workshop is dropped, unless it is to be kept for inspection.
//!
//! Each program is a package with a workspace of its own, separate from ours, and is built with cargo's own
//! defaults. It has the lock file of our workspace, so that it is built with the same versions, and is built
//! offline if everything has already been fetched.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Failure;
use crate::cpu::{self, Took};
use crate::generated::{Program, Style, source};

/// The way in which something is built.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Profile {
    /// Types and borrows only: `cargo check`.
    Check,
    Debug,
    Release,
}

impl Profile {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Check => "check",
            Self::Debug => "debug",
            Self::Release => "release",
        }
    }

    fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Check => &["check"],
            Self::Debug => &["build"],
            Self::Release => &["build", "--release"],
        }
    }
}

/// The folder, and how cargo is called in it.
#[derive(Debug)]
pub(crate) struct Workshop {
    folder: PathBuf,
    keep: bool,
}

/// One generated package.
#[derive(Debug)]
pub(crate) struct Package {
    folder: PathBuf,
    /// The target folder. Dependencies are shared with other packages of the workshop.
    target: PathBuf,
    name: String,
}

impl Workshop {
    pub(crate) fn open(keep: bool) -> Result<Self, Failure> {
        let name = format!("figures-{}", std::process::id());
        let folder = target_folder().join(name);
        fs::create_dir_all(&folder)?;
        Ok(Self { folder, keep })
    }

    /// Writes a program's package. Packages share their dependencies.
    pub(crate) fn write(&self, name: &str, program: &Program) -> Result<Package, Failure> {
        let folder = self.folder.join(name);
        fs::create_dir_all(folder.join("src"))?;
        fs::write(folder.join("Cargo.toml"), manifest(name, program.style))?;
        fs::write(folder.join("src/main.rs"), source::text(program))?;
        fs::copy(workspace().join("Cargo.lock"), folder.join("Cargo.lock"))?;
        let target = self.folder.join("target");
        let name = name.to_owned();
        Ok(Package {
            folder,
            target,
            name,
        })
    }
}

impl Drop for Workshop {
    fn drop(&mut self) {
        if self.keep {
            println!("left in {}", self.folder.display());
            return;
        }
        if let Err(error) = fs::remove_dir_all(&self.folder) {
            eprintln!("{} could not be removed: {error}", self.folder.display());
        }
    }
}

impl Package {
    /// Builds the package with all its dependencies.
    pub(crate) fn build(&self, profile: Profile) -> Result<(), Failure> {
        self.cargo(profile.arguments())
    }

    /// Returns the build time of the package alone, with all its dependencies built already.
    pub(crate) fn took(&self, profile: Profile) -> Result<Took, Failure> {
        // Removes everything of the package, including incremental state.
        let release = matches!(profile, Profile::Release);
        let clean: &[&str] = if release {
            &["clean", "--release", "-p", &self.name]
        } else {
            &["clean", "-p", &self.name]
        };
        self.cargo(clean)?;
        self.timed(profile.arguments())
    }

    /// Returns the build time of a dependency of the package, including that dependency's own dependencies.
    pub(crate) fn took_dependency(
        &self,
        dependency: &str,
        profile: Profile,
    ) -> Result<Took, Failure> {
        if self.target.exists() {
            fs::remove_dir_all(&self.target)?;
        }
        let arguments = [profile.arguments(), &["-p", dependency]].concat();
        self.timed(&arguments)
    }

    /// Returns the path of the program's release build.
    pub(crate) fn binary(&self) -> PathBuf {
        self.binary_of(Profile::Release)
    }

    /// Returns the path of the program's build with the given profile.
    pub(crate) fn binary_of(&self, profile: Profile) -> PathBuf {
        let file = format!("{}{}", self.name, std::env::consts::EXE_SUFFIX);
        self.target.join(profile.name()).join(file)
    }

    fn timed(&self, arguments: &[&str]) -> Result<Took, Failure> {
        cpu::timed(|| self.cargo(arguments))
    }

    /// Fetches the package's dependencies, so that no build waits for them.
    pub(crate) fn fetch(&self) -> Result<(), Failure> {
        let offline = self.call(&["fetch", "--offline"])?;
        if !offline.status.success() {
            succeeded(&self.name, &self.call(&["fetch"])?)?;
        }
        Ok(())
    }

    fn cargo(&self, arguments: &[&str]) -> Result<(), Failure> {
        let arguments = [arguments, &["--offline", "--target-dir"]].concat();
        let output = self.command(&arguments).arg(&self.target).output()?;
        succeeded(&self.name, &output)
    }

    fn call(&self, arguments: &[&str]) -> Result<std::process::Output, Failure> {
        Ok(self.command(arguments).output()?)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO"));
        command.current_dir(&self.folder).args(arguments);
        // Builds as a user would, regardless of our own settings.
        for setting in ["CARGO_INCREMENTAL", "CARGO_TARGET_DIR", "RUSTFLAGS"] {
            command.env_remove(setting);
        }
        // The compiler of the same toolchain: a package may request another one in its own folder.
        let compiler = Path::new(env!("CARGO"))
            .with_file_name(format!("rustc{}", std::env::consts::EXE_SUFFIX));
        if compiler.exists() {
            command.env("RUSTC", compiler);
        }
        command
    }
}

fn succeeded(name: &str, output: &std::process::Output) -> Result<(), Failure> {
    if output.status.success() {
        return Ok(());
    }
    // A mistake repeats in every handler; the first few errors suffice.
    let said = String::from_utf8_lossy(&output.stderr);
    let reason: Vec<&str> = said.lines().take(40).collect();
    let reason = reason.join("\n");
    Err(format!("{name} could not be built: {reason}").into())
}

/// Builds another program of this package, which has the counting allocator, and returns its
/// path.
pub(crate) fn own_binary(name: &str) -> Result<PathBuf, Failure> {
    let target = target_folder();
    let output = Command::new(env!("CARGO"))
        .current_dir(workspace())
        .args(["build", "--release", "-p", "message-benches", "--bin", name])
        .args(if cfg!(feature = "peers") {
            &["--features", "peers"][..]
        } else {
            &[]
        })
        .arg("--target-dir")
        .arg(&target)
        .output()?;
    succeeded(name, &output)?;
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    Ok(target.join("release").join(file))
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn target_folder() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(target) => PathBuf::from(target),
        None => workspace().join("target"),
    }
}

/// Returns the manifest of a package outside our workspace that depends on the library of its style, if it has one.
fn manifest(name: &str, style: Style) -> String {
    let dependency = match style {
        Style::Plain => String::new(),
        Style::Evenio => "evenio = \"0.6\"\n".to_owned(),
        Style::Bevy => {
            "bevy_ecs = { version = \"0.20\", default-features = false, features = [\"std\"] }\n"
                .to_owned()
        }
        Style::Macros | Style::ByHand => {
            // Quoted, as required in a manifest.
            let path = workspace().join("message-core").display().to_string();
            format!("message-core = {{ path = {path:?} }}\n")
        }
    };
    format!(
        "[package]
name = {name:?}
version = \"0.0.0\"
edition = \"2024\"
publish = false

[dependencies]
{dependency}
[profile.release]
strip = true

[workspace]
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_has_a_workspace_of_its_own_and_our_library_where_it_is_used() {
        let with = manifest("many", Style::Macros);
        assert!(with.contains("name = \"many\"") && with.ends_with("[workspace]\n"));
        assert!(with.contains("message-core = { path = "));
        for (style, peer) in [(Style::Evenio, "evenio = "), (Style::Bevy, "bevy_ecs = ")] {
            assert!(manifest("many", style).contains(peer));
        }
        for style in [Style::Plain, Style::Evenio, Style::Bevy] {
            assert!(!manifest("many", style).contains("message-core"));
        }
    }
}
