//! The queue between the inlets and the outlet: first in, first out, with bounded room.
//!
//! The room is counted and not allocated up front: memory is allocated for the items in the queue. The
//! queue is behind a lock, which is held only briefly: no user code runs meanwhile, and nothing is
//! dropped. The outlet takes the items one by one, so an item counts until its turn has come.
//!
//! On WebAssembly without threads, no other thread could make room, and WebAssembly in a page has no
//! clock: threads do not wait there.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// `true` where nobody can wait for room: the wait would not end, or the clock would abort the program.
const NEVER_WAITS: bool = cfg!(all(
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

pub(super) struct Channel<T> {
    state: Mutex<State<T>>,
    /// Notified when there is room, or the channel is closed.
    room: Condvar,
    pub(super) capacity: usize,
}

pub(super) struct State<T> {
    pub(super) queue: VecDeque<T>,
    /// The number of threads that wait for room.
    waiting: usize,
    pub(super) is_closed: bool,
}

impl<T> Channel<T> {
    pub(super) fn new(capacity: usize) -> Self {
        let state = State {
            queue: VecDeque::new(),
            waiting: 0,
            is_closed: false,
        };
        Self {
            state: Mutex::new(state),
            room: Condvar::new(),
            capacity,
        }
    }

    /// Returns the queue when it has room for an item. With a timeout, waits that long for it, if the thread
    /// [can wait](NEVER_WAITS).
    pub(super) fn with_room(
        &self,
        timeout: Option<Duration>,
    ) -> Result<MutexGuard<'_, State<T>>, Refusal> {
        let is_full = |state: &mut State<T>| state.queue.len() >= self.capacity;
        let mut state = self.lock();
        if let Some(timeout) = timeout
            && !NEVER_WAITS
            && is_full(&mut state)
        {
            state.waiting += 1;
            let waits = |state: &mut State<T>| is_full(state) && !state.is_closed;
            let waited = self.room.wait_timeout_while(state, timeout, waits);
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

    /// Takes the first item out.
    pub(super) fn take(&self) -> Option<T> {
        let mut state = self.lock();
        let item = state.queue.pop_front()?;
        let is_awaited = state.waiting > 0;
        drop(state);
        if is_awaited {
            self.room.notify_one();
        }
        Some(item)
    }

    /// Gives back the memory that a spike has left.
    pub(super) fn shrink(&self) {
        let queue = &mut self.lock().queue;
        queue.shrink_to(queue.len().saturating_mul(4).max(ROOM_KEPT));
    }

    /// Closes the channel, so that nothing can be put in any more. Returns the items in it.
    pub(super) fn close(&self) -> VecDeque<T> {
        let mut state = self.lock();
        state.is_closed = true;
        let queue = std::mem::take(&mut state.queue);
        drop(state);
        self.room.notify_all();
        queue
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // holds: threads.capacity
    #[test]
    fn room_that_is_not_used_takes_no_memory() {
        let channel = Channel::new(usize::MAX);
        assert_eq!(channel.lock().queue.capacity(), 0);
        for item in 0..100 {
            let state = channel.with_room(None);
            state.ok().expect("there is room").queue.push_back(item);
        }
        assert!(channel.lock().queue.capacity() <= 256);
        assert_eq!(channel.close().len(), 100);
        assert_eq!(channel.lock().queue.capacity(), 0);
    }
}
