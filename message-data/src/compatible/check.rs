//! Compares the types of the program with what the file records.

use std::fmt;

use message_format::{DataError, Reader, ShapeDifference, Unknown, pack};

use crate::compatible::record::{Record, Row};
use crate::data_type::DataType;
use crate::scope::Scope;
use crate::types::{find_of_kind, kind_name};

/// The differences between a file and the program.
pub(super) struct Checked {
    pub(super) unread: Vec<Unread>,
    pub(super) unrecorded: Vec<Unrecorded>,
}

impl Checked {
    pub(super) fn of(record: &Record, types: &[&'static DataType]) -> Self {
        let unread = record.rows.iter().filter_map(Unread::find).collect();
        let unrecorded = types.iter().filter_map(|ty| Unrecorded::find(ty, record));
        let unrecorded = unrecorded.collect();
        Self { unread, unrecorded }
    }
}

/// A row of the file that the program cannot read.
pub(super) struct Unread {
    pub(super) row: Row,
    why: Why,
}

enum Why {
    /// The program has no such type.
    Unknown,
    /// The program has an earlier version of the type.
    Newer(u32),
    /// A value of the earlier version is not read after the upgrade.
    Upgrade(DataError),
    /// The shapes differ, and a new version of the type would be this one.
    Differs(Vec<ShapeDifference>, u32),
}

impl Unread {
    fn find(row: &Row) -> Option<Self> {
        let why = why_unread(row)?;
        let row = row.clone();
        Some(Self { row, why })
    }
}

/// Returns the reason why a save with this type, version and shape cannot be read.
fn why_unread(row: &Row) -> Option<Why> {
    // Like the types of a save.
    let Ok(ty) = find_of_kind(&row.name, row.is_message) else {
        return Some(Why::Unknown);
    };
    if row.version > ty.version() {
        return Some(Why::Newer(ty.version()));
    }
    if row.version < ty.version() && ty.has_upgrade() {
        let samples = row.shape.samples();
        let mut failed = samples
            .iter()
            .filter_map(|it| upgraded(ty, row.version, it).err());
        return failed.next().map(Why::Upgrade);
    }
    let mut differences = ty.shape().differences(&row.shape);
    differences.retain(|difference| !difference.is_read);
    let next = ty.version().max(row.version + 1);
    (!differences.is_empty()).then_some(Why::Differs(differences, next))
}

/// Reads a value of an earlier version.
fn upgraded(ty: &DataType, version: u32, sample: &[u8]) -> Result<(), DataError> {
    Scope::Asking.during(|| {
        let tape = pack::read_all(sample)?;
        let tape = ty.upgraded_tape(version, &tape)?.unwrap_or(tape);
        ty.try_read(&mut Reader::new(&tape, 0, Unknown::Noted))
    })
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { row, why } = self;
        write!(f, "{row}, `{}`", row.shape)?;
        match why {
            Why::Unknown => {
                let kind = kind_name(row.is_message);
                write!(
                    f,
                    "\n    the {kind} no longer exists: restoring a save leaves it out\n    \
                     if the type was renamed, give it `#[data(alias = \"{}\")]`",
                    row.name
                )
            }
            Why::Newer(now) => write!(
                f,
                "\n    the type now has version {now}: expected at least {}",
                row.version
            ),
            Why::Upgrade(error) => {
                write!(
                    f,
                    "\n    a value of this shape cannot be read after its `upgrade`: {error}"
                )
            }
            Why::Differs(differences, next) => {
                for difference in differences {
                    write!(f, "\n    {}", Told(difference))?;
                }
                write!(
                    f,
                    "\n    or convert earlier values: `#[data(version = {next}, upgrade = …)]`"
                )
            }
        }
    }
}

/// A type that the file does not record as it is now.
pub(super) struct Unrecorded {
    pub(super) row: Row,
    /// The version that was recorded last, and the differences from it, if the type is not new.
    changes: Option<(u32, Vec<ShapeDifference>)>,
}

impl Unrecorded {
    fn find(ty: &DataType, record: &Record) -> Option<Self> {
        let row = Row::of(ty);
        if record.rows.contains(&row) {
            return None;
        }
        let is_earlier = |other: &&Row| {
            let is_named = other.name == row.name || ty.aliases().contains(&&*other.name);
            is_named && other.is_message == row.is_message
        };
        let before = record.rows.iter().rfind(is_earlier);
        let changes = before.map(|before| (before.version, row.shape.differences(&before.shape)));
        Some(Self { row, changes })
    }
}

impl fmt::Display for Unrecorded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { row, changes } = self;
        write!(f, "{row}, `{}`", row.shape)?;
        let Some((version, changes)) = changes else {
            return f.write_str("\n    it is new");
        };
        if *version != row.version {
            write!(f, "\n    it had version {version}")?;
        }
        for change in changes.iter().filter(|change| change.is_read) {
            write!(f, "\n    {}", Told(change))?;
        }
        Ok(())
    }
}

/// A difference, and what to do about it.
struct Told<'d>(&'d ShapeDifference);

impl fmt::Display for Told<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ShapeDifference {
            path,
            here,
            there,
            is_read,
        } = self.0;
        match &**path {
            "" => f.write_str("the value ")?,
            path => write!(f, "`{path}` ")?,
        }
        let last = path.rsplit(['.', ':']).next().unwrap_or_default();
        match (here, there, is_read) {
            (Some(here), Some(there), _) => write!(f, "was `{there}` and is `{here}`"),
            (Some(_), None, true) => f.write_str("is new"),
            (Some(_), None, false) => f.write_str(
                "is new and required: give it `#[serde(default)]`, or its earlier name as `#[serde(alias = \"…\")]`",
            ),
            (None, _, true) => write!(
                f,
                "is gone, and its value is ignored: if it was renamed, give it `#[serde(alias = \"{last}\")]`"
            ),
            (None, _, false) => write!(
                f,
                "is gone: keep the variant, or give the one in its place `#[serde(alias = \"{last}\")]`"
            ),
        }
    }
}
