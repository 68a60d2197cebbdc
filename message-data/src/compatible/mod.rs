//! A test that what earlier versions of a program have written can still be read.

mod check;
mod record;

use std::fmt::Display;
use std::io;
use std::path::Path;

use crate::compatible::check::Checked;
use crate::compatible::record::Record;
use crate::data_type::DataType;
use crate::types::types;

/// The environment variable that lets the test change its file.
const UPDATE: &str = "UPDATE_SHAPES";

/// Checks in a test that saves and logs of earlier versions of the program can still be read. A file, which is committed
/// with the program, records the name, the version and the [shape](DataType::shape) of each type with data.
///
/// The test fails if
///
/// - a type can no longer read a version and shape that the file records, or does not exist any more. The error says what
///   has changed and what to do, such as adding an `alias`, a default or an `upgrade`;
/// - a type is not recorded as it is now. `UPDATE_SHAPES=1 cargo test` adds it. Nothing is removed, so the file lists
///   everything that a save can contain.
///
/// Once nobody has saves with a shape any more, delete its line. `UPDATE_SHAPES=forget cargo test` deletes all lines that
/// cannot be read.
///
/// If a type has an [`upgrade`](macro@crate::Data), that is called with a value of the recorded shape, in which numbers are
/// 1 and texts are empty. A shape says what is read: what a type writes with a `Serialize` of its own, and what is read
/// from any value, is not compared.
///
/// All types that are linked into the test are recorded, in a path that is relative to the package of the test. If the test
/// declares types of its own, use [`assert_compatible_where`].
///
/// # Panics
///
/// Panics if the test fails, if the file cannot be read or written, and if it does not have the expected form.
///
/// ```no_run
/// #[test]
/// fn old_saves_are_read() {
///     message_data::assert_compatible("shapes.ron");
/// }
/// ```
#[track_caller]
pub fn assert_compatible(file: impl AsRef<Path>) {
    assert_compatible_where(file, |_| true);
}

/// Like [`assert_compatible`], but records only types for which the function returns `true`. Types that the file records are
/// always checked.
///
/// # Panics
///
/// Panics under the same conditions as [`assert_compatible`].
///
/// ```no_run
/// #[test]
/// fn old_saves_are_read() {
///     message_data::assert_compatible_where("shapes.ron", |ty| ty.name().starts_with("zoo."));
/// }
/// ```
#[track_caller]
pub fn assert_compatible_where(file: impl AsRef<Path>, is_recorded: impl Fn(&DataType) -> bool) {
    let types: Vec<_> = types().filter(|ty| is_recorded(ty)).collect();
    let update = Update::asked();
    let found = update.and_then(|update| run(file.as_ref(), update, &types));
    if let Err(why) = found {
        panic!("{why}");
    }
}

/// The changes of the file that are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Update {
    Nothing,
    /// Types that are not recorded are added.
    Add,
    /// Types that cannot be read are removed, too.
    Forget,
}

impl Update {
    /// Returns what the environment says.
    fn asked() -> Result<Self, String> {
        match std::env::var(UPDATE).as_deref() {
            Err(_) | Ok("" | "0") => Ok(Self::Nothing),
            Ok("1") => Ok(Self::Add),
            Ok("forget") => Ok(Self::Forget),
            Ok(other) => Err(format!(
                "{UPDATE} is `{other}`: expected `1` to record the types that are new or have changed, or `forget` \
                 to also remove what cannot be read"
            )),
        }
    }
}

/// Compares the types with the file, and updates it.
///
/// # Errors
///
/// Returns the text for the user: what differs and was not updated, or why the file cannot be used.
fn run(file: &Path, update: Update, types: &[&'static DataType]) -> Result<(), String> {
    // Cargo sets it for each test, whose current folder may be another one.
    let package = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    let file = &Path::new(&package).join(file);
    let shown = file.display();
    let text = match std::fs::read_to_string(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        text => Some(text.map_err(|error| format!("{shown}: {error}"))?),
    };
    let read = text.as_deref().map(|text| Record::read(text, file));
    let read = read.transpose().map_err(|error| error.to_string())?;
    let is_missing = read.is_none();
    let mut record = read.unwrap_or_default();
    let Checked { unread, unrecorded } = Checked::of(&record, types);
    let adds = update != Update::Nothing && !unrecorded.is_empty();
    let forgets = update == Update::Forget && !unread.is_empty();
    if forgets {
        record.remove(&unread);
    }
    if adds {
        record.add(&unrecorded);
    }
    if adds || forgets {
        let written = crate::save::write_file(file, record.text().as_bytes());
        written.map_err(|error| format!("{shown}: {error}"))?;
    }
    let mut text = String::new();
    if !unread.is_empty() && !forgets {
        let what = "records what saves can contain, but these types can no longer be read";
        let cure = format!(
            "If there are no such saves any more, delete these lines, or run `{UPDATE}=forget cargo test`."
        );
        text += &list(file, what, &unread, &cure);
    }
    if !unrecorded.is_empty() && !adds {
        let what = if is_missing {
            "does not exist yet, but has to record these types"
        } else if unread.is_empty() {
            "does not record these types as they are now; everything that it records can be read"
        } else {
            "does not record these types as they are now, either"
        };
        let cure = format!("Run `{UPDATE}=1 cargo test` to record them, and commit the file.");
        text += &list(file, what, &unrecorded, &cure);
    }
    if text.is_empty() { Ok(()) } else { Err(text) }
}

fn list<T: Display>(file: &Path, what: &str, findings: &[T], cure: &str) -> String {
    let lines: Vec<String> = findings.iter().map(|it| format!("- {it}\n\n")).collect();
    format!("{} {what}:\n\n{}{cure}\n", file.display(), lines.concat())
}
