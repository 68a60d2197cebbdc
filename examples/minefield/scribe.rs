//! The scribe: counts the steps, when it is awake.

use std::fmt;

use message_core::prelude::*;

use crate::Done;
use crate::messages::Step;

/// How many frames there are from one in which the scribe is awake to the next.
const NAP: u64 = 8;

/// For how many frames steps are kept: not as long as the scribe sleeps.
pub const KEPT: u64 = 5;

/// Somebody who counts. How far it has read is in its cursor.
pub struct Scribe {
    cursor: Cursor<Step>,
    /// What it has written down.
    pub notes: Vec<Note>,
}

/// How many steps there were since the note before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    frame: u64,
    /// How many steps were found.
    pub found: usize,
    /// How many are known to have been there, and were not kept.
    pub missed: u64,
}

impl Scribe {
    /// A scribe who counts from now on. A cursor that has never been used would not know what it
    /// has missed before.
    pub fn new(manager: &MessageManager) -> Self {
        let mut cursor = Cursor::new();
        let _ = manager.inbox().since(&mut cursor);
        Self {
            cursor,
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

/// The system of the scribes.
pub fn count(manager: &mut MessageManager) -> Done {
    let frame = manager.clock().frame();
    if !frame.is_multiple_of(NAP) {
        return Ok(());
    }
    let scribes = manager.iter::<Scribe>();
    let cursors: Vec<_> = scribes.map(|(id, scribe)| (id, scribe.cursor)).collect();
    for (id, mut cursor) in cursors {
        let found = manager.inbox().since(&mut cursor).count();
        let missed = cursor.missed();
        let scribe = manager.get_mut::<Scribe>(id)?;
        scribe.cursor = cursor;
        scribe.notes.push(Note {
            frame,
            found,
            missed,
        });
    }
    Ok(())
}
