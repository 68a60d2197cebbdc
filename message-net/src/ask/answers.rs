//! Reading and delivering answers, for each type of request that is asked.
//!
//! The function for a type is registered when the program first asks it, or by the configuration of a node. It
//! is kept for the lifetime of the process, because it depends on the type alone.

use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

use message_core::{AnyMessage, MessageId, MessageeId, Request};
use message_data::from_bytes_within;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::ask::{Answered, AskTicket, Unanswered};

/// A reply that a node has received.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Reply {
    pub(crate) bytes: Vec<u8>,
    /// The ids in it.
    pub(crate) ids: Vec<MessageeId>,
    /// The number of bytes of memory that it can take while it is read.
    pub(crate) memory: usize,
}

/// Creates the message that delivers an answer.
type MakeAnswered = fn(AskTicket, MessageeId, Result<&Reply, Unanswered>) -> Box<dyn AnyMessage>;

static KNOWN: RwLock<BTreeMap<u64, MakeAnswered>> = RwLock::new(BTreeMap::new());

/// The types of requests whose answers can be delivered.
pub(crate) struct Answers;

impl Answers {
    /// Returns the message that delivers an answer, or `None` if the process has not asked that type.
    pub(crate) fn tell(
        of: u64,
        ticket: AskTicket,
        from: MessageeId,
        answer: Result<&Reply, Unanswered>,
    ) -> Option<Box<dyn AnyMessage>> {
        let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner);
        let make = known.get(&of).copied();
        drop(known);
        make.map(|make| make(ticket, from, answer))
    }
}

/// Registers a type of request, so that its answers can be delivered. Returns the number of the type.
pub(crate) fn askable<M: Request>() -> u64
where
    M::Reply: DeserializeOwned + Send,
{
    let of = number(M::ID);
    let is_known = |known: &BTreeMap<u64, MakeAnswered>| known.contains_key(&of);
    if !is_known(&KNOWN.read().unwrap_or_else(PoisonError::into_inner)) {
        let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(of, |ticket, from, answer| {
            let read = |reply: &Reply| {
                from_bytes_within(&reply.bytes, &reply.ids, &mut { reply.memory })
                    .map_err(Unanswered::from)
            };
            Box::new(Answered::<M> {
                ticket,
                from,
                answer: answer.and_then(read),
            })
        });
    }
    of
}

fn number(id: MessageId) -> u64 {
    id.to_bits()
}

#[cfg(test)]
mod tests {
    use super::*;
    use message_core::Message;
    use message_core::prelude::MessageManager;
    use message_data::Data;

    #[derive(Message, Data, Serialize, Deserialize)]
    #[message(reply = Vec<[u64; 32]>)]
    #[data(name = "net.answers.GetRows", exact)]
    struct GetRows;

    // holds: net.message-memory
    #[test]
    fn an_answer_is_bounded_in_the_memory_that_it_takes() {
        let of = askable::<GetRows>();
        let from = MessageManager::new().spawn(());
        let bytes = message_data::to_bytes(&vec![[1_u64; 32]; 10]).expect("it has no ids");
        let read = |memory| {
            let (bytes, ids) = (bytes.clone(), Vec::new());
            let reply = Reply { bytes, ids, memory };
            let told = Answers::tell(of, AskTicket(1), from, Ok(&reply)).expect("it is asked");
            let told = told.downcast::<Answered<GetRows>>().expect("its answer");
            told.answer.map(|rows| rows.len())
        };
        assert_eq!(read(20_000), Ok(10));
        let why = read(2_000).expect_err("it has 320 numbers");
        assert!(why.to_string().contains("at most 2000 bytes"), "{why}");
    }
}
