//! Published messages: the letters that can be read, and those of the frame in progress.

use message_core::internals::Mailboxes;
use message_core::{MessageId, registry};
use message_format::Packer;
use serde::{Deserialize, Serialize};

use crate::save::Restoring;
use crate::save::catalog::{Catalog, id_of};
use crate::save::chunks::{Body, put, put_message};
use crate::save::error::{RestoreError, SaveError};
use crate::save::mailboxes::{OpenMailbox, SavedBox, SavedCounts, SavedEnvelope};

/// The header before the messages.
#[derive(Serialize, Deserialize)]
struct Head {
    counts: SavedCounts,
    boxes: Vec<BoxRow>,
    /// The mailboxes of types that are not written: only what is known of them.
    #[serde(default)]
    bare: Vec<BareRow>,
}

/// A mailbox without letters, of a type without data.
#[derive(Serialize, Deserialize)]
struct BareRow {
    /// The number of the message type in every program.
    on: u64,
    known: SavedBox,
}

#[derive(Serialize, Deserialize)]
struct BoxRow {
    /// The number of the type.
    of: u32,
    known: SavedBox,
    /// The frames with their letters. The last frame is in progress.
    frames: Vec<FrameRow>,
}

#[derive(Serialize, Deserialize)]
struct FrameRow {
    frame: u64,
    letters: Vec<SavedEnvelope>,
}

pub(super) fn write(
    mail: &Mailboxes,
    catalog: &mut Catalog<'_>,
    packer: &mut Packer,
) -> Result<(), SaveError> {
    let opened = OpenMailbox::all(mail);
    let (mut boxes, mut bare, mut messages) = (Vec::new(), Vec::new(), Vec::new());
    for mailbox in &opened {
        let (known, all) = (mailbox.state(), mailbox.frames());
        if all.iter().all(|(_, letters)| letters.is_empty()) && known.is_new() {
            continue;
        }
        // Visits each letter, so that those without data are counted.
        let mut frames = Vec::new();
        for (frame, all) in all {
            let mut letters = Vec::new();
            for (letter, message) in all {
                let known = catalog.message(message, |unsaved| unsaved.published += 1);
                if let Some((_, data)) = known {
                    letters.push(letter);
                    messages.push((data, message));
                }
            }
            frames.push(FrameRow { frame, letters });
        }
        let id = id_of(mailbox.of);
        if let Some(of) = catalog.message_type(id) {
            boxes.push(BoxRow { of, known, frames });
        } else {
            // How long it retains mail, and how much it had.
            let on = id.to_bits();
            bare.push(BareRow { on, known });
        }
    }
    let counts = SavedCounts::of(mail);
    let head = Head {
        counts,
        boxes,
        bare,
    };
    put(packer, "a published message", &head)?;
    let mut messages = messages.into_iter();
    messages.try_for_each(|(data, message)| put_message(packer, data, message))
}

impl Restoring {
    pub(super) fn read_mail(&mut self, body: &mut Body<'_>) -> Result<(), RestoreError> {
        let (types, mail, place) = (&mut self.types, &mut self.world.mail, self.place);
        let Head {
            counts,
            boxes,
            bare,
        } = body.read()?;
        for row in &boxes {
            check(row, counts, mail.frame).map_err(|what| body.wrong(what))?;
        }
        if counts.begun > counts.next || counts.next > u64::MAX / 2 {
            return Err(body.wrong("the number of published messages is impossible"));
        }
        counts.restore(mail);
        for row in boxes {
            let known = types.message(row.of, body)?;
            let index = known.index();
            if std::mem::replace(&mut known.was_read, true) {
                return Err(body.wrong("the mailbox of a type is listed twice"));
            }
            let mut frames = Vec::new();
            for FrameRow { frame, letters } in row.frames {
                let mut with_messages = Vec::new();
                for letter in letters {
                    let message = types.read_message(row.of, body)?;
                    with_messages.extend(message.map(|(_, message)| (letter, message)));
                }
                frames.push((frame, with_messages));
            }
            if let Some(index) = index {
                row.known.restore(mail, index, frames, place);
            }
        }
        for BareRow { on, known } in bare {
            if known.end > u64::MAX / 2 {
                return Err(body.wrong("a mailbox has more letters than were published"));
            }
            let info = registry().message(MessageId::from_bits(on));
            let Some(of) = info.map(|info| info.index) else {
                continue;
            };
            if mail.cells[of.get()].get().is_some() {
                return Err(body.wrong("the mailbox of a type is listed twice"));
            }
            known.restore(mail, of, vec![(0, Vec::new())], place);
        }
        Ok(())
    }
}

/// Returns an error if no mailbox can be like this.
fn check(row: &BoxRow, counts: SavedCounts, now: u64) -> Result<(), String> {
    let Some((writing, readable)) = row.frames.split_last() else {
        return Err("a mailbox has no frame that is under way".to_owned());
    };
    let letters: u64 = readable
        .iter()
        .map(|frame| frame.letters.len() as u64)
        .sum();
    if letters > row.known.end || row.known.end > u64::MAX / 2 {
        return Err("a mailbox has more letters than were published".to_owned());
    }
    if !readable.is_sorted_by(|a, b| a.frame < b.frame) {
        return Err("the frames of a mailbox are out of order".to_owned());
    }
    if readable
        .iter()
        .any(|frame| frame.frame >= now || frame.letters.is_empty())
    {
        return Err("a frame that can be read is not over, or empty".to_owned());
    }
    if writing.frame > now {
        return Err("letters belong to a frame that has not begun".to_owned());
    }
    let numbers = row.frames.iter().flat_map(|frame| &frame.letters);
    let mut numbers = numbers.map(|letter| letter.number).peekable();
    while let Some(number) = numbers.next() {
        if numbers.peek().is_some_and(|next| *next <= number) || number >= counts.next {
            return Err(format!("letter {number} is out of order"));
        }
    }
    Ok(())
}
