//! The messages on their way from one room to another.

use std::collections::HashMap;
use std::fmt;

use message_core::{
    Absence, AnyMessage, Header, MessageId, MessageManager, MessageeError, MessageeId, Recipient,
    SendError, SendErrorKind, Sender, SpeakingFor,
};
use message_data::ask::{ASKS, Asked, FirstPanic, Told};
use message_data::{DataError, MessageeNumber};
use serde::{Deserialize, Serialize};

use crate::column::{Column, column_of};
use crate::content::{CarriedHeader, Content, WrittenMessage};
use crate::far::{Far, RoomId, Who};
use crate::gateway::{Gateway, sender};

/// One message on its way, without its content.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Row {
    /// The number of the message among those that its room sends in a frame.
    pub(crate) number: u32,
    #[serde(skip)]
    pub(crate) spot: Spot,
    pub(crate) to: Who,
    /// The proxy that the message was sent to, in the sender's room.
    pub(crate) proxy: MessageeId,
    /// Its header if it has one, in a box because few have.
    pub(crate) header: Option<Box<CarriedHeader>>,
}

/// The place where a passage has the content of a message: the place of its [`Kind`], and its own among the messages there.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spot {
    kind: u32,
    at: usize,
}

/// Why a message is not delivered.
pub(crate) type Refusal = Box<dyn std::error::Error>;

/// Delivers the first messages of these rows that are of one kind, with a function that sends or posts one, given its place
/// and its recipient. Counts each in `delivered` first, so that a panic repeats none.
///
/// # Errors
///
/// Returns why the last one that was counted was not delivered.
#[inline]
pub(crate) fn deliver_run(
    rows: &[Row],
    delivered: &mut usize,
    from: &mut SpeakingFor<'_>,
    mut send: impl FnMut(&mut SpeakingFor<'_>, usize, Recipient, Option<Header>) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    for row in rows
        .iter()
        .take_while(|row| row.spot.kind == rows[0].spot.kind)
    {
        *delivered += 1;
        let to = row.to.recipient(from);
        let header = match &row.header {
            None => None,
            Some(header) => Some(header.read(to, from)?),
        };
        send(from, row.spot.at, to, header)?;
    }
    Ok(())
}

/// Returns `true` if a message was not delivered because its sender has ended. Nobody has received it then.
fn is_without_sender(why: &(dyn std::error::Error + 'static)) -> bool {
    let kind = why.downcast_ref().map(SendError::kind);
    matches!(kind, Some(SendErrorKind::Absent(Absence::Gone))) || why.is::<MessageeError>()
}

/// The sender of messages, and where their contents are. Those that are sent one after the other have one, so that it is not
/// looked up for each of them: W10.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Kind {
    from: Far,
    /// The place of the column, or `None` for messages that are written.
    column: Option<usize>,
}

/// The message that was added last: its sender, its column, and the place of its kind.
struct Last {
    sender: Sender,
    column: usize,
    kind: u32,
}

/// A message that is in no passage, because it was not delivered or is saved.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Letter {
    pub(crate) row: Row,
    from: Far,
    pub(crate) content: Content,
    /// Why it was not delivered.
    why: String,
}

impl Letter {
    /// Turns the message into a dead letter in the room of its sender.
    pub(crate) fn report(self, manager: &mut MessageManager) {
        let sender = match self.from {
            Far { room, who } if Some(room) == Gateway::seen(manager).room() => who.sender(manager),
            _ => Sender::Outside,
        };
        if let Ok(message) = self.content.read(manager) {
            manager.report_undelivered(self.row.proxy, sender, message, self.why.into());
        }
    }
}

/// The messages from one room to another, in the order sent.
///
/// The sender's room adds messages during its frame. Between two frames the whole passage is swapped for an empty one,
/// and the target delivers the messages in its frame. So no room touches anything of another one during a frame.
#[derive(Default)]
pub(crate) struct Passage {
    pub(crate) rows: Vec<Row>,
    kinds: Vec<Kind>,
    /// The last message, if another one may be added [again](Self::again) without a look-up.
    last: Option<Last>,
    /// The messages that are carried by value, by their type. They are cloned when they are delivered, so that one that is
    /// not delivered is still here.
    columns: Vec<(MessageId, Box<dyn Column>)>,
    /// The messages that are written.
    written: Vec<WrittenMessage>,
    /// The number of rows that were delivered.
    delivered: usize,
    /// The messages that were not delivered, until they are given back to the sender's room.
    pub(crate) returned: Vec<Letter>,
}

impl fmt::Debug for Passage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} messages", self.rows.len())
    }
}

impl Passage {
    /// Adds the content of a message if it has the sender and the type of the last one, and is carried by value. A
    /// specialisation before [`first`](Self::first): W10.
    #[inline]
    pub(crate) fn again(&mut self, sender: Sender, message: &dyn AnyMessage) -> Option<Spot> {
        let last = self.last.as_ref().filter(|last| last.sender == sender)?;
        let at = self.columns[last.column].1.push(message)?;
        let kind = last.kind;
        Some(Spot { kind, at })
    }

    /// Adds the content of a message that leaves its room.
    ///
    /// # Errors
    ///
    /// Returns an error if the message cannot be written.
    pub(crate) fn first(
        &mut self,
        sender: Sender,
        message: &dyn AnyMessage,
        room: &Gateway,
    ) -> Result<Spot, DataError> {
        let who = |id| Who::Messagee(MessageeNumber::of(id));
        let from = room.own(sender.id().map_or(Who::Outside, who));
        let Some(column) = self.column_of(message) else {
            return Ok(self.add_written(from, WrittenMessage::of(message, room)?));
        };
        let spot = self.add_typed(from, column, message);
        let kind = spot.kind;
        self.last = Some(Last {
            sender,
            column,
            kind,
        });
        Ok(spot)
    }

    /// Adds a message that was in no passage.
    pub(crate) fn put(&mut self, letter: Letter) {
        let spot = match letter.content {
            Content::Typed(message) => {
                let column = self.column_of(&*message);
                let column = column.expect("its type was carried by value");
                self.add_typed(letter.from, column, &*message)
            }
            Content::Written(message) => self.add_written(letter.from, message),
        };
        self.rows.push(Row { spot, ..letter.row });
    }

    /// Returns the place of the column of a message, if its type is carried by value.
    fn column_of(&mut self, message: &dyn AnyMessage) -> Option<usize> {
        let id = message.id();
        let known = self.columns.iter().position(|it| it.0 == id);
        if known.is_none() {
            self.columns.push((id, column_of(id)?));
        }
        Some(known.unwrap_or(self.columns.len() - 1))
    }

    fn add_typed(&mut self, from: Far, column: usize, message: &dyn AnyMessage) -> Spot {
        let at = self.columns[column].1.push(message);
        let at = at.expect("a column is found by the type of the message");
        self.spot(from, Some(column), at)
    }

    fn add_written(&mut self, from: Far, message: WrittenMessage) -> Spot {
        self.written.push(message);
        self.spot(from, None, self.written.len() - 1)
    }

    fn spot(&mut self, from: Far, column: Option<usize>, at: usize) -> Spot {
        self.last = None;
        let kind = Kind { from, column };
        if self.kinds.last() != Some(&kind) {
            self.kinds.push(kind);
        }
        let kind = u32::try_from(self.kinds.len() - 1);
        let kind = kind.expect("fewer than 2^32 messages fit into memory");
        Spot { kind, at }
    }

    /// Delivers the messages. If a handler panics, the next call continues with the next message.
    pub(crate) fn deliver(&mut self, manager: &mut MessageManager) {
        while let Some(first) = self.rows.get(self.delivered) {
            let Kind { from, column } = self.kinds[first.spot.kind as usize];
            let me = sender(manager, from);
            let mut from = manager.speak_for(me).expect("it was alive a moment ago");
            let (rows, delivered) = (&self.rows[self.delivered..], &mut self.delivered);
            let done = match column {
                Some(column) => self.columns[column].1.deliver(rows, delivered, &mut from),
                None => deliver_written(&self.written, rows, delivered, &mut from),
            };
            let Err(why) = done else { continue };
            if !from.is_alive(me) && is_without_sender(&*why) {
                // A handler has despawned it. The message goes on without a sender.
                self.delivered -= 1;
                continue;
            }
            let row = &self.rows[self.delivered - 1];
            let why = match row.to.recipient(&from) {
                Recipient::Id(id) if !from.is_alive(id) => "the messagee has ended".to_owned(),
                _ => why.to_string(),
            };
            let letter = self.letter(row);
            self.returned.push(Letter { why, ..letter });
        }
    }

    /// Drops all messages, and keeps the memory.
    pub(crate) fn clear(&mut self, panic: &mut FirstPanic) {
        self.rows.clear();
        self.kinds.clear();
        self.last = None;
        self.written.clear();
        self.delivered = 0;
        for (_, column) in &mut self.columns {
            column.clear(panic);
        }
    }

    /// Replaces the addresses of messagees that have moved to another room. Returns the messages that no longer belong
    /// into this passage, with their new rooms.
    pub(crate) fn redirect(
        &mut self,
        room: RoomId,
        moved: &HashMap<Far, Far>,
    ) -> Vec<(RoomId, Letter)> {
        let new = |far: Far| moved.get(&far).copied().unwrap_or(far);
        self.last = None;
        for kind in &mut self.kinds {
            kind.from = new(kind.from);
        }
        for message in &mut self.written {
            message.written.redirect(moved);
        }
        let mut gone = Vec::new();
        for mut row in std::mem::take(&mut self.rows) {
            let now = new(Far { room, who: row.to });
            row.to = now.who;
            if let Some(header) = &mut row.header {
                header.redirect(moved);
            }
            if now.room == room {
                self.rows.push(row);
            } else {
                gone.push((now.room, self.letter(&row)));
            }
        }
        gone
    }

    /// Sorts the messages by the order in which they were sent.
    pub(crate) fn put_in_order(&mut self) {
        self.rows.sort_by_key(|row| row.number);
    }

    /// Returns a copy of a message.
    fn letter(&self, row: &Row) -> Letter {
        let Kind { from, column } = self.kinds[row.spot.kind as usize];
        let content = match column {
            Some(column) => Content::Typed(self.columns[column].1.get(row.spot.at)),
            None => Content::Written(self.written[row.spot.at].clone()),
        };
        Letter {
            row: row.clone(),
            from,
            content,
            why: String::new(),
        }
    }

    /// Returns copies of the messages.
    pub(crate) fn letters(&self) -> Vec<Letter> {
        self.rows.iter().map(|row| self.letter(row)).collect()
    }
}

/// Delivers a run of messages that are written: see [`deliver_run`].
fn deliver_written(
    written: &[WrittenMessage],
    rows: &[Row],
    delivered: &mut usize,
    from: &mut SpeakingFor<'_>,
) -> Result<(), Refusal> {
    deliver_run(rows, delivered, from, |from, at, to, header| {
        // The sender of a question has to be there when it is answered.
        from.check_stays(from.me())?;
        let message = match written[at].read(from)?.downcast::<Asked>() {
            Ok(asked) => {
                answer(&asked, to, from);
                return Ok(());
            }
            Err(message) => message,
        };
        // Those who know that the messagee has asked tell it.
        let to = if message.is::<Told>() {
            ASKS.into()
        } else {
            to
        };
        match header {
            None => drop(from.send_any(to, message)?),
            Some(header) => drop(from.post_any(header, message)?),
        }
        Ok(())
    })
}

/// Asks on behalf of a proxy, and sends the answer back, even if a handler panics.
fn answer(asked: &Asked, to: Recipient, from: &mut SpeakingFor<'_>) {
    let mut panic = FirstPanic::default();
    let answer = asked.answer(|message| panic.catch(|| from.request_any(to, message)));
    let here: &mut MessageManager = from;
    panic.catch(|| here.send(asked.answer_to, answer).map(drop));
    panic.resume();
}
