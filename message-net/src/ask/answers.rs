//! Reading and delivering answers, for each type of request that is asked.
//!
//! The function for a type is registered when the program first asks it, or by the configuration of a node. It
//! is kept for the lifetime of the process, because it depends on the type alone.

use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

use message_core::{AnyMessage, MessageId, MessageeId, Request};
use message_data::from_bytes_with_ids;
use serde::de::DeserializeOwned;

use crate::ask::{Answered, AskTicket, Unanswered};

/// Creates the message that delivers an answer.
type MakeAnswered =
    fn(AskTicket, MessageeId, Result<(&[u8], &[MessageeId]), Unanswered>) -> Box<dyn AnyMessage>;

static KNOWN: RwLock<BTreeMap<u64, MakeAnswered>> = RwLock::new(BTreeMap::new());

/// The types of requests whose answers can be delivered.
pub(crate) struct Answers;

impl Answers {
    /// Returns the message that delivers an answer, or `None` if the process has not asked that type.
    pub(crate) fn tell(
        of: u64,
        ticket: AskTicket,
        from: MessageeId,
        answer: Result<(&[u8], &[MessageeId]), Unanswered>,
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
            let read = |(bytes, ids): (&[u8], &[MessageeId])| {
                from_bytes_with_ids(bytes, ids).map_err(Unanswered::from)
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
