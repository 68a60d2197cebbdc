//! The story, assembled from the notes of the observers.

use std::fmt::{self, Formatter};

use message_core::prelude::*;

use crate::game::Game;
use crate::log::{Line, Log};
use crate::map::{Map, Picture};
use crate::scribe::{Note, Scribe};

/// The number of pictures in a row.
const ABREAST: usize = 3;

/// The story of a game.
#[derive(Debug, PartialEq, Eq)]
pub struct Story {
    /// The published messages except the steps.
    pub lines: Vec<Line>,
    /// The pictures of the field.
    pub pictures: Vec<Picture>,
    /// The counts of steps.
    pub notes: Vec<Note>,
}

impl Story {
    /// Returns the story of a game so far.
    pub fn of(game: &Game) -> Result<Self, MessageeError> {
        Ok(Self {
            lines: game.watcher::<Log>()?.lines.clone(),
            pictures: game.watcher::<Map>()?.pictures.clone(),
            notes: game.watcher::<Scribe>()?.notes.clone(),
        })
    }

    /// Prints a line for each frame in which messages were published. The same message to several recipients
    /// is printed as one clause.
    fn tell_lines(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for frame in self.lines.chunk_by(|one, next| one.frame == next.frame) {
            let same =
                |one: &Line, next: &Line| (&one.sender, &one.words) == (&next.sender, &next.words);
            let clauses: Vec<_> = frame.chunk_by(same).map(clause).collect();
            writeln!(f, "{:2}  {}", frame[0].frame, clauses.join("; "))?;
        }
        Ok(())
    }

    fn tell_pictures(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for pictures in self.pictures.chunks(ABREAST) {
            for picture in pictures {
                let (title, width) = (format!("frame {}", picture.frame), picture.width() + 3);
                write!(f, "{title:<width$}")?;
            }
            writeln!(f)?;
            for row in 0..pictures[0].rows.len() {
                let rows: Vec<_> = pictures
                    .iter()
                    .map(|picture| picture.rows[row].as_str())
                    .collect();
                writeln!(f, "{}", rows.join("   "))?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Story {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.tell_lines(f)?;
        self.tell_pictures(f)?;
        let mut notes = self.notes.iter();
        notes.try_for_each(|note| writeln!(f, "{note}"))
    }
}

fn clause(said: &[Line]) -> String {
    let Line { sender, words, .. } = &said[0];
    let recipients: Vec<_> = said.iter().map(|line| line.recipient.as_str()).collect();
    format!("{sender} to {}: {words}", recipients.join(", "))
}
