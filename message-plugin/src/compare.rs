//! Compares a plugin's statement with the program's.

use std::path::Path;

use crate::build;
use crate::error::{Difference, PluginError};
use crate::statement::{Kind, Statement, statements};

/// The fields that must be equal, in addition to the build of message-core.
const FIELDS: [&str; 6] = [
    "rustc",
    "target",
    "panic",
    "opt",
    "debug_assertions",
    "flags",
];

/// Returns the plugin's statement among those in its file, if it matches the program.
pub(crate) fn check(path: &Path, found: &[Statement]) -> Result<Statement, PluginError> {
    let mut plugins = found.iter().filter(|it| it.kind() == Kind::Plugin);
    let Some(it) = plugins.next().cloned() else {
        return Err(PluginError::NoStatement { path: path.into() });
    };
    let (name, path) = (it.name().to_owned(), path.to_owned());
    if let Some(own) = found.iter().find(|it| it.kind() == Kind::Core) {
        return Err(PluginError::OwnCore {
            plugin: name,
            path,
            its: core_of(own),
            ours: core_of(&core()),
        });
    }
    let differences = differences(&it, &core());
    if !differences.is_empty() {
        return Err(PluginError::OtherBuild {
            plugin: name,
            path,
            differences,
        });
    }
    let ours: Vec<Statement> = statements().collect();
    let shared = |wanted: &str| {
        let mut shared = ours.iter().filter(|it| it.kind() == Kind::Shared);
        let shared = shared.find(|it| it.name() == wanted);
        shared.map(|it| build_of(it).to_owned())
    };
    let own = found.iter().filter(|it| it.kind() == Kind::Shared);
    for own in own {
        if let Some(ours) = shared(own.name()) {
            return Err(PluginError::CrateTwice {
                plugin: name,
                path,
                its: build_of(own).to_owned(),
                ours,
            });
        }
    }
    for its in it.uses() {
        let shared_name = build::name(its);
        let Some(ours) = shared(shared_name) else {
            if found.iter().any(|own| build_of(own) == its) {
                continue;
            }
            return Err(PluginError::NoShared {
                plugin: name,
                path,
                its: its.to_owned(),
            });
        };
        let differences = build::named(build::differences(its, &ours));
        if !differences.is_empty() {
            return Err(PluginError::OtherShared {
                plugin: name,
                path,
                shared: shared_name.to_owned(),
                differences,
            });
        }
    }
    check_name(&it, &path)?;
    Ok(it)
}

/// Checks that no plugin of that name is loaded.
pub(crate) fn check_name(it: &Statement, path: &Path) -> Result<(), PluginError> {
    let mut loaded = statements().filter(|other| other.kind() == Kind::Plugin);
    if loaded.any(|other| other.name() == it.name()) {
        return Err(PluginError::LoadedAlready {
            plugin: it.name().to_owned(),
            path: path.into(),
        });
    }
    Ok(())
}

/// Returns the program's statement about message-core.
fn core() -> Statement {
    let core = statements().find(|it| it.kind() == Kind::Core);
    core.expect("message-core leaves a statement in each program")
}

fn differences(its: &Statement, ours: &Statement) -> Vec<Difference> {
    let value = |statement: &Statement, what| statement.field(what).unwrap_or_default().to_owned();
    let mut differences = build::differences(&value(its, "core"), &value(ours, "core"));
    let fields = FIELDS.iter();
    differences.extend(
        fields.filter_map(|&what| Difference::between(what, &value(its, what), &value(ours, what))),
    );
    build::named(differences)
}

fn core_of(statement: &Statement) -> String {
    let [core, rustc] = ["core", "rustc"].map(|key| statement.field(key).unwrap_or("unknown"));
    format!("{core}, rustc {rustc}")
}

fn build_of(statement: &Statement) -> &str {
    statement.field("build").unwrap_or("unknown")
}
