//! The scribe: counts the steps while it is awake.

use std::fmt;

use message_core::mailbox::Cursor;
use message_core::prelude::*;

use crate::Done;
use crate::messages::Step;

/// The interval at which the scribe is awake, in frames.
const NAP: u64 = 8;

/// The number of frames for which steps are kept: less than the scribe sleeps.
pub const KEPT: u64 = 5;

/// A messagee that counts. Its cursor stores how far it has read.
pub struct Scribe {
    cursor: Cursor<Step>,
    /// The notes.
    pub notes: Vec<Note>,
}

/// The number of steps since the previous note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    frame: u64,
    /// The number of steps found.
    pub found: usize,
    /// The number of steps that are known to have been published but were not kept.
    pub missed: u64,
}

impl Scribe {
    /// Creates a scribe that counts from now on, including the steps it misses.
    pub fn new(desk: Desk<'_>) -> Self {
        Self {
            cursor: desk.inbox().cursor(),
            notes: Vec::new(),
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            frame,
            found,
            missed,
        } = self;
        write!(
            f,
            "{frame:2}  Scribe: {found} steps, and {missed} slept through"
        )
    }
}

/// Runs the system of the scribes.
pub fn count(desk: Desk<'_>) -> Done {
    let frame = desk.clock().frame();
    if !frame.is_multiple_of(NAP) {
        return Ok(());
    }
    for (_, mut scribe) in desk.iter_mut::<Scribe>() {
        let found = desk.inbox().since(&mut scribe.cursor).count();
        let missed = scribe.cursor.missed();
        scribe.notes.push(Note {
            frame,
            found,
            missed,
        });
    }
    Ok(())
}
