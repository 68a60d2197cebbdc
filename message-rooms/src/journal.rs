//! One journal of all rooms.
//!
//! Each room has a [`Journal`] of its own, in a folder named after its number. After each frame, all of them hand over
//! what they have, and the numbers of their inputs are appended to the file `frames`. So the last complete line of that
//! file names the end of a frame that all journals have.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use message_data::journal::{Journal, JournalConfig, JournalError, Opened, Recovery, write_file};

use crate::desk::Desk;
use crate::far::RoomId;
use crate::gateway::{Gateway, enter};
use crate::rooms::Rooms;

/// The name of the file with the numbers of inputs after each frame. Its first line has the names of the rooms.
const FRAMES: &str = "frames";

/// The length of that file, in bytes, at which it is begun anew.
const LONGEST: usize = 1 << 20;

/// The journals of the rooms, which are being written.
#[derive(Debug)]
pub(crate) struct RoomsJournal {
    path: PathBuf,
    head: String,
    file: File,
    len: usize,
    journals: Vec<Journal>,
    failure: Option<String>,
}

/// Why the journal of rooms cannot be opened.
///
/// ```
/// use message_data::journal::JournalConfig;
/// use message_rooms::{Rooms, RoomsJournalError};
///
/// # let folder = std::env::temp_dir().join(format!("docs-rooms-names-{}", std::process::id()));
/// Rooms::new().open_journal(&folder, ["hall", "attic"], &JournalConfig::new())?;
/// let error = Rooms::new().open_journal(&folder, ["hall"], &JournalConfig::new());
/// assert!(matches!(error, Err(RoomsJournalError::OtherNames { .. })));
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RoomsJournalError {
    /// The journal of a room cannot be opened.
    #[error("room `{name}`: {error}")]
    Room {
        /// The name of the room.
        name: Arc<str>,
        /// The error of its journal.
        #[source]
        error: JournalError,
    },
    /// The file that names the moments between frames cannot be read or written.
    #[error("{}: {error}", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// The error.
        #[source]
        error: io::Error,
    },
    /// The journal is that of other rooms.
    #[error("the journal has the rooms {found}; expected {expected}")]
    OtherNames {
        /// The names in the journal.
        found: String,
        /// The names that were given.
        expected: String,
    },
    /// Two of the names are equal.
    #[error("two rooms are called `{name}`: expected a name of its own for each")]
    Twin {
        /// The name.
        name: Arc<str>,
    },
    /// There are rooms already.
    #[error("a journal has all rooms; expected none before, found {len}")]
    NotEmpty {
        /// The number of rooms.
        len: usize,
    },
}

impl Rooms {
    /// Opens a folder with one journal of all rooms, and adds rooms with these names. If there is no journal, the rooms
    /// are new. Otherwise they go on together, after the last complete frame. What the program has done after it is lost.
    ///
    /// Returns what was found for each room. If the process was killed before the end of its first frame, the rooms are new
    /// again.
    ///
    /// Call [`span`](Self::span) again each time, and [`register`](message_data::ask::register) the requests that are
    /// asked. Messages between rooms need [data](message_data::Data), also those that [`carried!`](crate::carried) names.
    /// A configuration that [stops a manager](JournalConfig::stop_on_failure) is not supported.
    ///
    /// # Errors
    ///
    /// Returns an error if there are rooms already, if two names are equal, if the journal is that of other rooms, or if
    /// the journal of a room cannot be opened.
    ///
    /// # Panics
    ///
    /// Panics if the function that [prepares](JournalConfig::prepare) a manager panics.
    ///
    /// ```
    /// use message_data::journal::JournalConfig;
    /// use message_rooms::Rooms;
    /// use std::time::Duration;
    ///
    /// # let folder = std::env::temp_dir().join(format!("docs-rooms-journal-{}", std::process::id()));
    /// let mut rooms = Rooms::with_threads(2);
    /// let found = rooms.open_journal(&folder, ["hall", "attic"], &JournalConfig::new())?;
    /// assert!(found[0].is_new);
    /// let hall = rooms.find("hall").expect("it was just added");
    /// rooms.manager_mut(hall).spawn_named("owl", ());
    /// for _ in 0..3 {
    ///     rooms.frame(Duration::from_millis(16))?;
    /// }
    /// let digest = rooms.digest();
    ///
    /// // The process is killed before the end of the fourth frame. The next one goes on after the third.
    /// rooms.manager_mut(hall).spawn_named("bat", ());
    /// # drop(rooms);
    /// let mut rooms = Rooms::with_threads(2);
    /// let found = rooms.open_journal(&folder, ["hall", "attic"], &JournalConfig::new())?;
    /// assert_eq!(found[0].frames, 3);
    /// assert_eq!(rooms.digest(), digest);
    /// # drop(rooms);
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open_journal<N: Into<Arc<str>>>(
        &mut self,
        folder: impl AsRef<Path>,
        names: impl IntoIterator<Item = N>,
        config: &JournalConfig,
    ) -> Result<Vec<Recovery>, RoomsJournalError> {
        let len = self.ids().len();
        if len > 0 {
            return Err(RoomsJournalError::NotEmpty { len });
        }
        let names: Vec<Arc<str>> = names.into_iter().map(Into::into).collect();
        let mut twins = names.iter().enumerate();
        if let Some((_, name)) = twins.find(|&(at, name)| names[..at].contains(name)) {
            let name = Arc::clone(name);
            return Err(RoomsJournalError::Twin { name });
        }
        let (path, head) = (folder.as_ref().join(FRAMES), format!("{names:?}\n"));
        let frames = read_frames(&path, &head)?;
        let newest_first = frames.iter().rev();
        let newest_first = newest_first.filter(|frame| frame.len() == names.len());
        let start = vec![0; names.len()];
        let mut reached = newest_first.chain([&start]).filter_map(|frame| {
            let opened = open_at(folder.as_ref(), &names, frame, config);
            opened.transpose().map(|opened| Ok((frame, opened?)))
        });
        let reached: Option<Result<_, RoomsJournalError>> = reached.next();
        let (frame, opened) = reached.expect("each journal has its beginning")?;
        let is_new = std::ptr::eq(frame, &raw const start);
        let first = if is_new { String::new() } else { line(frame) };
        let file = begin_file(&path, &head, &first);
        let file = file.map_err(|error| in_file(&path, error))?;
        let (mut found, mut journals) = (Vec::new(), Vec::new());
        for (name, opened) in names.into_iter().zip(opened) {
            let Opened {
                mut manager,
                journal,
                mut recovery,
            } = opened;
            let room = RoomId::of_place(self.ids().len());
            if manager.carrier::<Gateway>().is_none() {
                enter(&mut manager, room, true);
                Desk::open(room, &mut manager);
            }
            self.push(name, manager);
            recovery.is_new = is_new;
            found.push(recovery);
            journals.push(journal);
        }
        self.journal = Some(RoomsJournal {
            len: head.len() + first.len(),
            path,
            head,
            file,
            journals,
            failure: None,
        });
        Ok(found)
    }

    /// Returns why the journal of the rooms is not complete at this time, if it is not, and not yet made up for.
    ///
    /// ```
    /// use message_rooms::Rooms;
    ///
    /// assert_eq!(Rooms::new().journal_failure(), None);
    /// ```
    #[must_use]
    pub fn journal_failure(&self) -> Option<String> {
        let journal = self.journal.as_ref()?;
        let mut of_rooms = journal.journals.iter().zip(&self.all);
        let of_room = of_rooms.find_map(|(journal, room)| {
            let failure = journal.status().failure?;
            Some(format!("room `{}`: {failure}", room.name))
        });
        journal.failure.clone().or(of_room)
    }

    /// Hands over what all journals have, and notes that it is the end of a frame.
    pub(crate) fn note_frame(&mut self) {
        let Some(journal) = &mut self.journal else {
            return;
        };
        let rooms = journal.journals.iter().zip(&mut self.all);
        let inputs = rooms.map(|(journal, room)| journal.flush(&mut room.manager));
        let inputs: io::Result<Vec<u64>> = inputs.collect();
        let noted = inputs.and_then(|inputs| journal.note(&line(&inputs)));
        journal.failure = noted.err().map(|error| error.to_string());
    }
}

impl RoomsJournal {
    fn note(&mut self, line: &str) -> io::Result<()> {
        if self.len + line.len() > LONGEST || self.failure.is_some() {
            self.file = begin_file(&self.path, &self.head, line)?;
            self.len = self.head.len() + line.len();
            return Ok(());
        }
        self.len += line.len();
        self.file.write_all(line.as_bytes())
    }
}

/// Returns the line of a frame.
fn line(inputs: &[u64]) -> String {
    let inputs: Vec<String> = inputs.iter().map(u64::to_string).collect();
    inputs.join(" ") + "\n"
}

/// Writes a new file, which replaces the one before at once. Returns it, to be appended to.
fn begin_file(path: &Path, head: &str, line: &str) -> io::Result<File> {
    write_file(path, [head, line].concat().as_bytes())?;
    File::options().append(true).open(path)
}

/// Opens the journals of all rooms at a frame, given the numbers of their inputs. Returns `None` if one of them lacks
/// inputs: after a power failure, a journal may lack what was not synced.
fn open_at(
    folder: &Path,
    names: &[Arc<str>],
    frame: &[u64],
    config: &JournalConfig,
) -> Result<Option<Vec<Opened>>, RoomsJournalError> {
    let mut all = Vec::new();
    for (number, (name, &inputs)) in names.iter().zip(frame).enumerate() {
        let opened = Journal::open_until(folder.join(number.to_string()), config, inputs);
        let opened = opened.map_err(|error| {
            let name = Arc::clone(name);
            RoomsJournalError::Room { name, error }
        })?;
        if opened.recovery.inputs != inputs {
            return Ok(None);
        }
        all.push(opened);
    }
    Ok(Some(all))
}

fn in_file(file: &Path, error: io::Error) -> RoomsJournalError {
    let file = file.to_owned();
    RoomsJournalError::File { file, error }
}

/// Reads the numbers of inputs after each frame.
fn read_frames(path: &Path, head: &str) -> Result<Vec<Vec<u64>>, RoomsJournalError> {
    let text = match fs::read(path) {
        Ok(text) => String::from_utf8_lossy(&text).into_owned(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => head.to_owned(),
        Err(error) => return Err(in_file(path, error)),
    };
    let lines = text.strip_prefix(head);
    let lines = lines.ok_or_else(|| RoomsJournalError::OtherNames {
        found: text.lines().next().unwrap_or_default().to_owned(),
        expected: head.trim_end().to_owned(),
    })?;
    // A line that the process was writing when it was killed has no end.
    let lines = lines
        .split_inclusive('\n')
        .filter_map(|line| line.strip_suffix('\n'));
    let numbers = |line: &str| line.split(' ').map(str::parse).collect::<Result<_, _>>();
    Ok(lines.filter_map(|line| numbers(line).ok()).collect())
}
