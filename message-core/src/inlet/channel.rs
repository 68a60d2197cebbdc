//! The queue between the inlets and the outlet: first in, first out, with bounded room.
//!
//! The room is counted and not allocated up front: memory is allocated for the letters in the queue. The
//! queue is behind a lock, which is held only briefly: no user code runs meanwhile, and nothing is
//! dropped. The outlet takes the letters one by one, so a letter counts until its turn has come.
//!
//! On WebAssembly without threads, no other thread could make room, and WebAssembly in a page has no
//! clock: threads do not wait there.

use std::collections::VecDeque;
use std::sync::PoisonError;
use std::time::Duration;

use crate::inlet::sync::{Arc, Condvar, Mutex, MutexGuard};
use crate::inlet::{Inlet, Letter};

/// `true` where nobody can wait: the wait would not end, or the clock would abort the program.
pub(super) const NEVER_WAITS: bool = cfg!(all(
    target_family = "wasm",
    any(target_os = "unknown", not(target_feature = "atomics"))
));
/// Room for this many letters is never given back.
const ROOM_KEPT: usize = 64;

/// The reason why there is no room.
pub(super) enum Refusal {
    Full,
    Closed,
}

#[derive(Default)]
pub(super) struct Channel {
    state: Mutex<State>,
    /// Notified when there is room, or the channel is closed.
    room: Condvar,
    pub(super) capacity: usize,
}

#[derive(Default)]
pub(super) struct State {
    pub(super) queue: VecDeque<Letter>,
    /// The number of threads that wait for room.
    waiting: usize,
    pub(super) is_closed: bool,
}

impl Inlet {
    /// Creates an inlet with room for `capacity` messages, or for one if that is 0.
    pub(crate) fn new(capacity: usize) -> Self {
        let channel = Channel {
            capacity: capacity.max(1),
            ..Channel::default()
        };
        let (channel, cause) = (Arc::new(channel), None);
        Self { channel, cause }
    }

    /// Returns the queue when it has room for a letter. With a timeout, waits that long for it, if the thread
    /// [can wait](NEVER_WAITS).
    pub(super) fn with_room(
        &self,
        timeout: Option<Duration>,
    ) -> Result<MutexGuard<'_, State>, Refusal> {
        let Channel { room, capacity, .. } = &*self.channel;
        let is_full = |state: &mut State| state.queue.len() >= *capacity;
        let mut state = self.lock();
        if let Some(timeout) = timeout
            && !NEVER_WAITS
            && is_full(&mut state)
        {
            state.waiting += 1;
            let waits = |state: &mut State| is_full(state) && !state.is_closed;
            let waited = room.wait_timeout_while(state, timeout, waits);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
            state.waiting -= 1;
        }
        if state.is_closed {
            Err(Refusal::Closed)
        } else if is_full(&mut state) {
            Err(Refusal::Full)
        } else {
            Ok(state)
        }
    }

    /// Returns the number of letters that can be taken out now. Gives back the memory that a spike has left.
    pub(crate) fn begin(&self) -> usize {
        let queue = &mut self.lock().queue;
        queue.shrink_to(queue.len().saturating_mul(4).max(ROOM_KEPT));
        queue.len()
    }

    /// Takes the next letter out.
    pub(crate) fn take(&self) -> Option<Letter> {
        let mut state = self.lock();
        let letter = state.queue.pop_front()?;
        let is_awaited = state.waiting > 0;
        drop(state);
        if is_awaited {
            self.channel.room.notify_one();
        }
        Some(letter)
    }

    /// Closes the channel, since the manager is dropped: nothing can be put in any more, and threads that wait for room
    /// are notified. Returns the letters in it.
    pub(crate) fn close(&self) -> VecDeque<Letter> {
        let mut state = self.lock();
        state.is_closed = true;
        let queue = std::mem::take(&mut state.queue);
        drop(state);
        self.channel.room.notify_all();
        queue
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        let state = self.channel.state.lock();
        state.unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::panic::Location;

    use super::*;
    use crate::address::Recipient;
    use crate::header::Header;
    use crate::message::{Message, NoReply};

    struct Note;

    impl Message for Note {
        type Reply = NoReply;
        const NAME: &'static str = "note";
    }

    // holds: threads.capacity
    #[test]
    fn room_that_is_not_used_takes_no_memory() {
        let inlet = Inlet::new(usize::MAX);
        assert_eq!(inlet.lock().queue.capacity(), 0);
        for _ in 0..100 {
            let header = Header::to(Recipient::Everyone).build();
            let state = inlet.with_room(None);
            state.ok().expect("there is room").queue.push_back(Letter {
                header: header.expect("it has a recipient"),
                message: Box::new(Note),
                place: Location::caller(),
                logged: None,
                cause: None,
                asker: None,
            });
        }
        assert!(inlet.lock().queue.capacity() <= 256);
        assert_eq!(inlet.close().len(), 100);
        assert_eq!(inlet.lock().queue.capacity(), 0);
    }
}
