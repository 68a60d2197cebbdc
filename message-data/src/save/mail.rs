//! Published messages: the letters that can be read, and those of the frame in progress.

use message_core::{MessageId, registry};
use message_format::Packer;
use serde::{Deserialize, Serialize};

use crate::save::Restoring;
use crate::save::catalog::{Catalog, id_of};
use crate::save::chunks::{Body, put};
use crate::save::error::{RestoreError, SaveError};
use crate::save::mailboxes::{OpenMailbox, SavedBox, SavedCounts, SavedEnvelope};
use crate::save::survey::{SavedMessage, messages};

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

/// The mailboxes that are saved, and the messages of all letters in them.
pub(super) struct Saved<'w> {
    boxes: Vec<BoxRow>,
    bare: Vec<BareRow>,
    letters: Vec<SavedMessage<'w, SavedEnvelope>>,
}

pub(super) fn survey<'w>(opened: &'w [OpenMailbox<'_>], catalog: &mut Catalog<'_>) -> Saved<'w> {
    let (mut boxes, mut bare, mut saved) = (Vec::new(), Vec::new(), Vec::new());
    for mailbox in opened {
        let (known, frames) = (mailbox.state(), mailbox.frames());
        let is_empty = frames.iter().all(|(_, letters)| letters.is_empty());
        if is_empty && known.is_new() {
            continue;
        }
        // Visits each letter, so that those without data are counted.
        let frames = frames.into_iter().map(|(frame, letters)| {
            let own = messages(letters, catalog, |unsaved| unsaved.published += 1);
            let letters = own.iter().map(|letter| letter.told).collect();
            saved.extend(own);
            FrameRow { frame, letters }
        });
        let frames: Vec<_> = frames.collect();
        let id = id_of(mailbox.of);
        if let Some(of) = catalog.message_type(id) {
            boxes.push(BoxRow { of, known, frames });
        } else {
            // How long it retains mail, and how much it had.
            let on = id.to_bits();
            bare.push(BareRow { on, known });
        }
    }
    Saved {
        boxes,
        bare,
        letters: saved,
    }
}

pub(super) fn write(
    counts: SavedCounts,
    saved: Saved<'_>,
    packer: &mut Packer,
) -> Result<(), SaveError> {
    let Saved {
        boxes,
        bare,
        letters,
    } = saved;
    let head = Head {
        counts,
        boxes,
        bare,
    };
    put(packer, "a published message", &head)?;
    let mut letters = letters.iter();
    letters.try_for_each(|letter| letter.write(packer))
}

impl Restoring {
    pub(super) fn read_mail(&mut self, mut body: Body<'_>) -> Result<(), RestoreError> {
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
            let known = types.message(row.of, &body)?;
            if std::mem::replace(&mut known.was_read, true) {
                return Err(body.wrong("the mailbox of a type is listed twice"));
            }
            let mut frames = Vec::new();
            for FrameRow { frame, letters } in row.frames {
                let mut with_messages = Vec::new();
                for letter in letters {
                    let message = known.read_message(&mut body)?;
                    with_messages.extend(message.map(|message| (letter, message)));
                }
                frames.push((frame, with_messages));
            }
            let data = known.message_data();
            if let Some(index) = data.and_then(|data| data.facts.index()) {
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
        body.finish()
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
