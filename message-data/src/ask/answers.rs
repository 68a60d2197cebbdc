//! Writing, reading and delivering answers, for each type of request that is asked.
//!
//! The functions for a type are registered when the program first asks it, or by [`register`]. They are kept for the
//! lifetime of the process, because they depend on the type alone.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

use message_core::{AnyMessage, MessageId, MessageeId, Request};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, AskTicket, Unanswered};
use crate::{Data, DataError, from_bytes_within, to_bytes_with_ids};

/// A reply that has come from another manager.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Reply {
    /// The reply, written.
    pub bytes: Vec<u8>,
    /// The ids in it.
    pub ids: Vec<MessageeId>,
    /// The number of bytes of memory that it can take while it is read.
    pub memory: usize,
}

/// A function that writes a reply, and collects the ids in it.
pub type WriteReply = fn(Box<dyn Any>, &mut Vec<MessageeId>) -> Result<Vec<u8>, DataError>;

/// The functions for a type of request.
#[derive(Clone, Copy)]
struct Functions {
    /// Creates the message that delivers an answer.
    tell: fn(AskTicket, MessageeId, Result<Reply, Unanswered>) -> Box<dyn AnyMessage>,
    write: WriteReply,
}

static KNOWN: RwLock<BTreeMap<u64, Functions>> = RwLock::new(BTreeMap::new());

fn functions(of: u64) -> Option<Functions> {
    let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
    known.get(&of).copied()
}

/// Returns the message that delivers an answer, or `None` if the process does not know the type.
pub(super) fn tell(
    of: u64,
    ticket: AskTicket,
    from: MessageeId,
    answer: Result<Reply, Unanswered>,
) -> Option<Box<dyn AnyMessage>> {
    Some((functions(of)?.tell)(ticket, from, answer))
}

/// Writes the reply to a request that was made in this process.
pub(super) fn write(of: MessageId, reply: Box<dyn Any>) -> Result<Reply, DataError> {
    let missing = || DataError::new("its type is not registered in this process");
    let functions = functions(of.to_bits()).ok_or_else(missing)?;
    let mut ids = Vec::new();
    let bytes = (functions.write)(reply, &mut ids)?;
    let memory = usize::MAX;
    Ok(Reply { bytes, ids, memory })
}

/// Makes the answers to requests of this type readable, also those to requests that the program asked in an earlier run
/// and that a save, a log or a journal contains. [`ask`](crate::ask::Ask::ask) does the same for requests of this run, so
/// only a program that goes on from a file has to call this.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::Data;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Message, Data, Serialize, Deserialize)]
/// #[message(reply = u32)]
/// #[data(name = "docs.register.GetHp", exact)]
/// struct GetHp;
///
/// message_data::ask::register::<GetHp>();
/// ```
pub fn register<M: Request + Data>()
where
    M::Reply: Serialize + DeserializeOwned + Send,
{
    let of = M::ID.to_bits();
    if functions(of).is_some() {
        return;
    }
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    known.insert(
        of,
        Functions {
            tell: |ticket, from, answer| {
                let read = |Reply { bytes, ids, memory }: Reply| {
                    from_bytes_within(&bytes, &ids, &mut { memory }).map_err(Unanswered::from)
                };
                Box::new(Answered::<M> {
                    ticket,
                    from,
                    answer: answer.and_then(read),
                })
            },
            write: write_reply::<M>,
        },
    );
}

/// Writes the reply to a request of this type.
///
/// # Errors
///
/// Returns the error of its `Serialize`.
///
/// # Panics
///
/// Panics if the reply is not that of such a request.
pub fn write_reply<M: Request>(
    reply: Box<dyn Any>,
    ids: &mut Vec<MessageeId>,
) -> Result<Vec<u8>, DataError>
where
    M::Reply: Serialize,
{
    let reply: Box<M::Reply> = reply
        .downcast()
        .expect("the answer to a request is of the request's reply type");
    to_bytes_with_ids(&*reply, ids)
}

#[cfg(test)]
mod tests {
    use super::*;
    use message_core::Message;
    use message_core::prelude::MessageManager;

    #[derive(Message, Data, Serialize, Deserialize)]
    #[message(reply = Vec<[u64; 32]>)]
    #[data(name = "data.answers.GetRows", exact)]
    struct GetRows;

    // holds: net.message-memory
    #[test]
    fn an_answer_is_bounded_in_the_memory_that_it_takes() {
        register::<GetRows>();
        let of = GetRows::ID.to_bits();
        let from = MessageManager::new().spawn(());
        let bytes = crate::to_bytes(&vec![[1_u64; 32]; 10]).expect("it has no ids");
        let read = |memory| {
            let (bytes, ids) = (bytes.clone(), Vec::new());
            let reply = Reply { bytes, ids, memory };
            let told = tell(of, AskTicket(1), from, Ok(reply)).expect("it is asked");
            let told = told.downcast::<Answered<GetRows>>().expect("its answer");
            told.answer.map(|rows| rows.len())
        };
        assert_eq!(read(20_000), Ok(10));
        let why = read(2_000).expect_err("it has 320 numbers");
        assert!(why.to_string().contains("at most 2000 bytes"), "{why}");
    }
}
