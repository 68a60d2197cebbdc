//! Opening the folder of a journal: finding the newest state, and repeating the inputs after it.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use message_core::MessageManager;
use message_format::Bytes;

use crate::journal::config::JournalConfig;
use crate::journal::folder::{Folder, TEMPORARY, write_atomically};
use crate::journal::segments::SegmentName;
use crate::log::{End, Parts, Run, Source, next_input};
use crate::{DataError, ReplayError, RestoreNote, SaveError};

/// The name of the file that counts recoveries which have not come to an end.
const ATTEMPTS: &str = "recovering";

/// A report on the files that were found in the folder of a journal.
///
/// ```
/// use message_data::journal::{Journal, JournalConfig, Opened};
///
/// # let folder = std::env::temp_dir().join(format!("docs-recovery-{}", std::process::id()));
/// let Opened { recovery, .. } = Journal::open(&folder, &JournalConfig::new())?;
/// assert!(recovery.is_new);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Recovery {
    /// `true` if there was no journal, and the manager is new.
    pub is_new: bool,
    /// The number of frames that were recovered, in all.
    pub frames: u64,
    /// The number of inputs that were recovered, in all.
    pub inputs: u64,
    /// The number of inputs that were repeated now, after the newest state.
    pub repeated: u64,
    /// The number of bytes at the end of the newest file that are no complete input. They are what was being written when
    /// the process ended.
    pub torn: u64,
    /// The files whose state is damaged. An earlier state was used.
    pub damaged: Vec<String>,
    /// Why inputs were lost, if [`accept_loss`](JournalConfig::accept_loss) allows that.
    pub lost: Option<String>,
    /// `true` if the last input was left out, because [recoveries](JournalConfig::skip_after) have not come to an end.
    pub skipped: bool,
    /// The panic of the last input, if it has panicked again.
    pub panicked: Option<String>,
    /// The differences between the program that has written the state and this one.
    pub notes: Vec<RestoreNote>,
}

/// Why a journal cannot be opened. No segment was changed, and the next attempt finds what this one has found.
///
/// ```
/// use message_data::journal::{Journal, JournalConfig, JournalError};
///
/// # let file = std::env::temp_dir().join(format!("docs-no-folder-{}", std::process::id()));
/// std::fs::write(&file, "no folder")?;
/// let error = Journal::open(&file, &JournalConfig::new()).expect_err("it is a file");
/// assert!(matches!(error, JournalError::File { .. }));
/// # std::fs::remove_file(&file)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// A file or the folder cannot be read or written.
    #[error("{}: {error}", file.display())]
    File {
        /// The file or folder.
        file: PathBuf,
        /// The error.
        #[source]
        error: io::Error,
    },
    /// Another manager has the journal open, in this process or another one.
    #[error("the journal is in use by {0}: a journal belongs to one manager at a time")]
    InUse(String),
    /// No file has a state that can be restored.
    #[error(
        "no state of this journal can be restored, the newest one for this reason: {0}; to start afresh, move \
         its files away"
    )]
    NoState(ReplayError),
    /// A file is damaged before its end, or has an input that cannot be repeated.
    #[error(
        "the journal is damaged after {frames} frames and {inputs} inputs: {error}; to continue from there and \
         lose what follows, open it with `JournalConfig::accept_loss`"
    )]
    Damaged {
        /// The number of frames that can be recovered.
        frames: u64,
        /// The number of inputs that can be recovered.
        inputs: u64,
        /// The damage or the input, and its place.
        #[source]
        error: ReplayError,
        /// The manager as far as it was recovered. Its inputs are not logged.
        manager: Reached,
    },
    /// The state of the manager cannot be saved, and a segment begins with it.
    #[error("a journal begins with a save of the state, which failed: {0}")]
    Save(#[from] SaveError),
}

/// The manager as far as it was recovered, in an [error](JournalError::Damaged).
///
/// ```
/// use message_core::MessageManager;
/// use message_data::journal::JournalError;
///
/// /// Returns the manager before the damage.
/// fn before_the_damage(error: JournalError) -> Option<MessageManager> {
///     match error {
///         JournalError::Damaged { manager, .. } => Some(manager.into_manager()),
///         _ => None,
///     }
/// }
/// # _ = before_the_damage;
/// ```
pub struct Reached(Box<Mutex<MessageManager>>);

impl Reached {
    /// Returns the manager.
    #[must_use]
    pub fn into_manager(self) -> MessageManager {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Reached {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Reached").finish_non_exhaustive()
    }
}

impl JournalError {
    pub(super) fn of(file: &str) -> impl FnOnce(io::Error) -> Self {
        let file = PathBuf::from(file);
        move |error| Self::File { file, error }
    }
}

/// A segment that was read.
struct Read {
    name: SegmentName,
    source: Arc<Source>,
}

impl Read {
    fn of(name: SegmentName, folder: &dyn Folder) -> Result<Self, JournalError> {
        let file = name.to_string();
        let bytes = folder.read(&file).map_err(JournalError::of(&file))?;
        let source = Arc::new(Source {
            bytes,
            file: Some(file.into()),
        });
        Ok(Self { name, source })
    }
}

/// A manager that was recovered.
pub(super) struct Recovered {
    pub(super) manager: MessageManager,
    pub(super) report: Recovery,
    /// The number of the last segment.
    pub(super) sequence: u64,
}

/// Recovers the manager of a folder, with at most that many inputs.
pub(super) fn recover(
    folder: &dyn Folder,
    config: &JournalConfig,
    most: u64,
) -> Result<Recovered, JournalError> {
    let names = folder.names().map_err(JournalError::of("its folder"))?;
    let mut segments: Vec<_> = names
        .iter()
        .filter_map(|it| SegmentName::parse(it))
        .collect();
    segments.sort_unstable();
    let Some(&newest) = segments.last() else {
        let mut manager = MessageManager::with_config(config.manager.clone());
        (config.prepare)(&mut manager);
        let report = Recovery {
            is_new: true,
            ..Recovery::default()
        };
        return Ok(Recovered {
            manager,
            report,
            sequence: 0,
        });
    };
    let attempts = Attempts::begin(folder, newest, config)?;
    let later = segments.partition_point(|segment| segment.first <= most);
    let later = segments.split_off(later);
    let recovered = repeat(&segments, folder, config, attempts.skips, most);
    if recovered.is_err() {
        // It has come to an end.
        attempts.take_back(folder)?;
    }
    let mut recovered = recovered?;
    for segment in later {
        let name = segment.to_string();
        folder.remove(&name).map_err(JournalError::of(&name))?;
    }
    recovered.sequence = newest.sequence;
    Ok(recovered)
}

/// Restores the newest state that is whole, and repeats the inputs of all segments after it.
fn repeat(
    segments: &[SegmentName],
    folder: &dyn Folder,
    config: &JournalConfig,
    skips: bool,
    most: u64,
) -> Result<Recovered, JournalError> {
    let mut report = Recovery::default();
    let (base, mut manager, mut read) = restore(segments, folder, config, &mut report)?;
    (config.prepare)(&mut manager);
    report.inputs = read.name.first;
    let mut next = segments[base + 1..].iter().copied();
    let error = loop {
        let after = next.next();
        // Inputs behind the beginning of the next segment are in that one, too, or were given up when it was begun.
        let (from, until) = (read.name.first, after.map_or(most, |after| after.first));
        let ends = match read.source.parts() {
            Ok(mut parts) if until >= from => {
                let (torn, damage) = end_of(&mut parts, &read.source.bytes, after.is_none());
                report.torn = torn;
                let mut run = Run::new(&read.source, parts.inputs, manager);
                report.skipped = skips && after.is_none() && run.leave_out_last();
                let error = run.go_on(until - from).err();
                let went = run.into_replayed(false);
                manager = went.manager;
                report.inputs = from + went.inputs;
                report.panicked = went.panicked;
                // Damage behind the last input that is wanted does no harm.
                let damage = damage.filter(|_| report.inputs < most);
                error.or(damage.map(|damage| read.source.in_file(damage)))
            }
            Ok(_) => Some(read.wrong("the segment after this one was begun at an earlier input")),
            Err(damage) => Some(damage),
        };
        let Some(after) = after else {
            break ends;
        };
        if after.first < from || report.inputs < after.first {
            let missing = || read.wrong("inputs between this segment and the next one are lost");
            break Some(ends.unwrap_or_else(missing));
        }
        read = Read::of(after, folder)?;
    };
    report.repeated = report.inputs - segments[base].first;
    report.frames = manager.clock().frame();
    match error {
        Some(error) if config.accepts_loss => report.lost = Some(error.to_string()),
        Some(error) => {
            return Err(JournalError::Damaged {
                frames: report.frames,
                inputs: report.inputs,
                error,
                manager: Reached(Box::new(Mutex::new(manager))),
            });
        }
        None => {}
    }
    Ok(Recovered {
        manager,
        report,
        sequence: 0,
    })
}

/// Returns how many bytes at the end of a segment were being written when the process ended, and the damage if there is
/// other one.
fn end_of(parts: &mut Parts, bytes: &[u8], is_newest: bool) -> (u64, Option<DataError>) {
    let (place, damage) = match std::mem::replace(&mut parts.end, End::Whole) {
        End::Whole => return (0, None),
        End::Cut(place) => (place as usize, DataError::new(CUT).at(place)),
        End::Damaged(damage) => (damage.place() as usize, damage),
    };
    let is_torn = is_newest && nothing_follows(bytes, place);
    if is_torn {
        return ((bytes.len() - place) as u64, None);
    }
    (0, Some(damage))
}

const CUT: &str = "this input is cut off, but others follow";

impl Read {
    fn wrong(&self, what: &str) -> ReplayError {
        self.source.in_file(DataError::new(what).at(0))
    }
}

/// Restores the newest state that is not damaged. Returns the place of its segment.
fn restore(
    segments: &[SegmentName],
    folder: &dyn Folder,
    config: &JournalConfig,
    report: &mut Recovery,
) -> Result<(usize, MessageManager, Read), JournalError> {
    let mut first_error = None;
    for (at, &name) in segments.iter().enumerate().rev() {
        let read = Read::of(name, folder)?;
        let start = read.source.parts().and_then(|parts| {
            let start = parts.start;
            start.map_err(|error| read.source.in_file(error))
        });
        let restored = start.and_then(|start| {
            let save = &read.source.bytes[start];
            crate::restore(save, config.manager.clone()).map_err(ReplayError::from)
        });
        match restored {
            Ok(restored) => {
                report.notes = restored.notes;
                return Ok((at, restored.manager, read));
            }
            Err(error) => {
                report.damaged.push(name.to_string());
                first_error.get_or_insert(error);
            }
        }
    }
    let later =
        || DataError::new("each of its states comes after the last input that is wanted").into();
    Err(JournalError::NoState(first_error.unwrap_or_else(later)))
}

/// The recoveries of a journal that have not come to an end, this one included.
struct Attempts {
    /// Whether the configured number is reached, so that the last input has to be left out.
    skips: bool,
    /// The content of the file before, if it is used.
    before: Option<Vec<u8>>,
}

impl Attempts {
    /// Counts a recovery that begins.
    fn begin(
        folder: &dyn Folder,
        newest: SegmentName,
        config: &JournalConfig,
    ) -> Result<Self, JournalError> {
        let Some(most) = config.skips_after else {
            return Ok(Self {
                skips: false,
                before: None,
            });
        };
        let before = folder.read(ATTEMPTS).unwrap_or_default();
        let text = String::from_utf8_lossy(&before);
        let count = text
            .split_once(' ')
            .filter(|(name, _)| *name == newest.to_string());
        let count: u32 = count.map_or(0, |(_, count)| count.parse().unwrap_or_default());
        let now = format!("{newest} {}", count.saturating_add(1));
        write_atomically(folder, ATTEMPTS, now.as_bytes()).map_err(JournalError::of(ATTEMPTS))?;
        Ok(Self {
            skips: count >= most,
            before: Some(before),
        })
    }

    /// Does not count this one.
    fn take_back(&self, folder: &dyn Folder) -> Result<(), JournalError> {
        match &self.before {
            Some(before) => {
                let written = write_atomically(folder, ATTEMPTS, before);
                written.map_err(JournalError::of(ATTEMPTS))
            }
            None => Ok(()),
        }
    }
}

/// Removes what a recovery that has come to an end no longer needs.
pub(super) fn clear(folder: &dyn Folder) -> io::Result<()> {
    for name in folder.names()? {
        if name == ATTEMPTS || name.ends_with(TEMPORARY) {
            folder.remove(&name)?;
        }
    }
    Ok(())
}

/// Returns `true` if no input is found behind a place, up to a length.
fn nothing_follows(log: &[u8], place: usize) -> bool {
    let rest = log.get(place + 1..).unwrap_or_default();
    let begins = |at: usize| {
        let window = &rest[at..rest.len().min(at + LONGEST_FOUND)];
        let input = Bytes::new(window).and_then(|mut bytes| next_input(&mut bytes));
        matches!(input, Ok(Some(input)) if !input.is_empty())
    };
    !(0..rest.len()).any(begins)
}

/// The greatest length of an input that is found.
const LONGEST_FOUND: usize = 4 << 10;
