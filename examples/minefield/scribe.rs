//! The scribe: counts the steps, when it is awake.

use std::fmt;

use message_core::mailbox::Cursor;
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
    /// A scribe who counts from now on, and what it misses too.
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

/// The system of the scribes.
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
