//! The messages on their way from one room to another.

use std::collections::HashMap;

use message_core::registry::MessageIndex;
use message_core::{AnyMessage, Header, MessageManager, MessageeId, Sender};
use message_data::DataError;
use serde::{Deserialize, Serialize};

use crate::column::{Column, Content, column_for};
use crate::far::{Far, RoomId};
use crate::gateway::{Gateway, local, sender};
use crate::row::{CarriedHeader, Row, place};

/// The messages from one room to another, in the order sent.
///
/// The sender's room adds messages during its frame. Between two frames the whole passage is swapped for an empty one,
/// and the target delivers the messages in its frame. So no room touches anything of another one during a frame.
#[derive(Debug, Default)]
pub(crate) struct Passage {
    pub(crate) rows: Vec<Row>,
    /// The number of rows that were delivered.
    pub(crate) delivered: usize,
    /// The messages, by the number of their type.
    columns: Vec<Option<Box<dyn Column>>>,
    /// The messages that were not delivered, until they are given back to the sender's room.
    pub(crate) returned: Vec<Letter>,
}

/// A message that is in no passage, because it was not delivered or is saved.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Letter {
    pub(crate) row: Row,
    pub(crate) content: Content,
    pub(crate) header: Option<CarriedHeader>,
    /// Why it was not delivered.
    pub(crate) why: String,
}

impl Letter {
    /// Turns the message into a dead letter in the room of its sender.
    pub(crate) fn report(self, manager: &mut MessageManager) {
        let sender = match self.row.from {
            Far { room, who } if Some(room) == Gateway::seen(manager).room => who.sender(manager),
            _ => Sender::Outside,
        };
        let Ok(message) = self.content.read(|far| local(manager, far)) else {
            return;
        };
        manager.report_undelivered(self.row.proxy, sender, message, self.why.into());
    }
}

/// Why a message has a column.
const HAS_IT: &str = "the column of a message is opened before it is added";

impl Passage {
    /// Adds a message. `far_of` returns the address of a messagee of the sender's room.
    ///
    /// # Errors
    ///
    /// Returns an error if the message or its header cannot leave the room, or if the message needs data and has none.
    #[inline]
    pub(crate) fn push(
        &mut self,
        mut row: Row,
        header: Option<&Header>,
        message: &dyn AnyMessage,
        far_of: &dyn Fn(MessageeId) -> Far,
        needs_data: bool,
    ) -> Result<(), DataError> {
        let column = match self.column(row.column) {
            Some(column) => column,
            column => column.insert(column_for(message, needs_data)?),
        };
        row.at = column.push(message, header, far_of)?;
        self.rows.push(row);
        Ok(())
    }

    /// Returns the place of the column of a type.
    fn column(&mut self, of: u32) -> &mut Option<Box<dyn Column>> {
        let of = of as usize;
        if self.columns.len() <= of {
            self.columns.resize_with(of + 1, || None);
        }
        &mut self.columns[of]
    }

    /// Delivers the messages. If a handler panics, the next call continues with the next message.
    pub(crate) fn deliver(&mut self, manager: &mut MessageManager) {
        while let Some(&first) = self.rows.get(self.delivered) {
            let sender = sender(manager, first.from);
            let from = manager.speak_for(sender);
            let mut from = from.expect("it was alive a moment ago");
            let column = self.columns[first.column as usize].as_mut();
            let column = column.expect(HAS_IT);
            let rows = &self.rows[self.delivered..];
            let sent = column.send(rows, &mut self.delivered, &mut from);
            if let Err((why, content)) = sent {
                let row = self.rows[self.delivered - 1];
                self.returned.push(Letter {
                    row,
                    content,
                    header: None,
                    why,
                });
            }
        }
    }

    /// Forgets all messages, and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.rows.clear();
        self.delivered = 0;
        for column in self.columns.iter_mut().flatten() {
            column.clear();
        }
    }

    /// Replaces the addresses of messagees that have moved to another room. Returns the messages that no longer belong
    /// into this passage, with their new targets.
    pub(crate) fn redirect(&mut self, room: RoomId, moved: &HashMap<Far, Far>) -> Vec<(Far, Row)> {
        for column in self.columns.iter_mut().flatten() {
            column.redirect(moved);
        }
        let new = |far: Far| moved.get(&far).copied().unwrap_or(far);
        let mut gone = Vec::new();
        self.rows.retain_mut(|row| {
            row.from = new(row.from);
            let now = new(Far { room, who: row.to });
            row.to = now.who;
            if now.room != room {
                gone.push((now, *row));
            }
            now.room == room
        });
        gone
    }

    /// Moves a message of another passage here. [`put_in_order`](Self::put_in_order) is to be called afterwards.
    pub(crate) fn adopt(&mut self, from: &mut Self, mut row: Row) {
        let column = from.column(row.column).as_mut();
        let column = column.expect(HAS_IT);
        row.at = column.move_to(self.column(row.column), row.at);
        self.rows.push(row);
    }

    /// Sorts the messages by the order in which they were sent.
    pub(crate) fn put_in_order(&mut self) {
        self.rows.sort_by_key(|row| row.number);
    }

    /// Returns copies of the messages.
    pub(crate) fn letters(&self) -> Vec<Letter> {
        let letter = |&row: &Row| {
            let column = self.columns[row.column as usize].as_ref();
            let (content, header) = column.expect(HAS_IT).get(row.at);
            let why = String::new();
            Letter {
                row,
                content,
                header,
                why,
            }
        };
        self.rows.iter().map(letter).collect()
    }

    /// Adds a message that was saved. Returns the number of its type.
    pub(crate) fn put(&mut self, letter: Letter) -> Result<MessageIndex, String> {
        let (index, column) = letter.content.column().ok_or("no message has its type")?;
        let of = place(index.get());
        let at = self
            .column(of)
            .get_or_insert(column)
            .put(letter.content, letter.header);
        self.rows.push(Row {
            column: of,
            at,
            ..letter.row
        });
        Ok(index)
    }
}
