//! The queue between the inlets and the outlet: first in, first out, with bounded room.
//!
//! The room is counted and not allocated up front: memory is allocated for the items in the queue. The
//! queue is behind a lock, which is held only briefly: no user code runs meanwhile, and nothing is
//! dropped. When a frame begins, the outlet takes the whole queue at once and leaves an empty one. It
//! hands out the items it has [taken](Taken) one by one, without the lock; until an item is handed out,
//! it counts as being in the inlet.
//!
//! A thread that waits for room first counts itself as waiting and then looks for room; the outlet
//! first makes room and then looks for waiting threads, and takes the lock before it wakes one.
//! Therefore no room stays empty while a thread waits for it.
//!
//! On WebAssembly without threads, no other thread could make room, and WebAssembly in a page has no
//! clock: threads do not wait there.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The number of times that a thread looks for room before it waits to be woken, which takes much longer.
const LOOKS: u32 = 16;
/// `true` where nobody can wait for room: the wait would not end, or the clock would abort the program.
const NEVER_WAITS: bool = cfg!(all(
    target_family = "wasm",
    any(target_os = "unknown", not(target_feature = "atomics"))
));
/// Room for this many letters is never given back.
const ROOM_KEPT: usize = 64;

/// The reason why an item was not taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    Full,
    TimedOut(Duration),
    Closed,
}

pub(super) struct Channel<T> {
    state: Mutex<State<T>>,
    /// Notified when there is room for one more item, and when the channel is closed.
    room: Condvar,
    /// The number of items that are in the queue, or taken and not handed out. Grows only under the lock.
    count: AtomicUsize,
    /// The number of threads that wait for room. Changes only under the lock.
    waiting: AtomicUsize,
    capacity: usize,
}

struct State<T> {
    queue: VecDeque<T>,
    is_closed: bool,
}

impl<T> Channel<T> {
    pub(super) fn new(capacity: usize) -> Self {
        let state = State {
            queue: VecDeque::new(),
            is_closed: false,
        };
        Self {
            state: Mutex::new(state),
            room: Condvar::new(),
            count: AtomicUsize::new(0),
            waiting: AtomicUsize::new(0),
            capacity,
        }
    }

    pub(super) fn capacity(&self) -> usize {
        self.capacity
    }

    pub(super) fn len(&self) -> usize {
        self.count.load(SeqCst)
    }

    pub(super) fn is_closed(&self) -> bool {
        self.lock().is_closed
    }

    fn is_full(&self) -> bool {
        self.len() >= self.capacity
    }

    /// Puts something in if there is room at once, and otherwise gives it back.
    pub(super) fn try_put(&self, item: T) -> Result<(), (Refusal, T)> {
        self.put_in(self.lock(), item)
    }

    /// Puts an item in. Waits for room for at most `timeout`, if the thread [can wait](NEVER_WAITS). A
    /// timeout that no clock can measure never expires.
    pub(super) fn put(&self, item: T, timeout: Duration) -> Result<(), (Refusal, T)> {
        match self.try_put(item) {
            Err((Refusal::Full, item)) if NEVER_WAITS => Err((Refusal::TimedOut(timeout), item)),
            Err((Refusal::Full, item)) => self.put_later(item, timeout),
            done => done,
        }
    }

    #[cold]
    fn put_later(&self, item: T, timeout: Duration) -> Result<(), (Refusal, T)> {
        let deadline = Instant::now().checked_add(timeout);
        let left = || deadline.map(|end| end.saturating_duration_since(Instant::now()));
        let mut looks = 0;
        while looks < LOOKS && self.is_full() && left().is_none_or(|left| !left.is_zero()) {
            looks += 1;
            thread::yield_now();
        }
        let mut state = self.lock();
        self.waiting.fetch_add(1, SeqCst);
        while self.is_full() && !state.is_closed {
            let left = left();
            if left.is_some_and(|left| left.is_zero()) {
                self.waiting.fetch_sub(1, SeqCst);
                return Err((Refusal::TimedOut(timeout), item));
            }
            state = match left {
                None => self
                    .room
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner),
                Some(left) => {
                    let waited = self.room.wait_timeout(state, left);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
        self.waiting.fetch_sub(1, SeqCst);
        self.put_in(state, item)
    }

    fn put_in(&self, mut state: MutexGuard<'_, State<T>>, item: T) -> Result<(), (Refusal, T)> {
        if state.is_closed {
            return Err((Refusal::Closed, item));
        }
        if self.is_full() {
            return Err((Refusal::Full, item));
        }
        state.queue.push_back(item);
        self.count.fetch_add(1, SeqCst);
        Ok(())
    }

    /// Makes room after an item that was taken has been handed out.
    fn make_room(&self) {
        self.count.fetch_sub(1, SeqCst);
        if self.waiting.load(SeqCst) > 0 {
            // A thread that is about to wait does wait when the lock is free.
            drop(self.lock());
            self.room.notify_one();
        }
    }

    /// Closes the channel: from now on it takes nothing in, and nobody waits. Returns the items that
    /// were still in the queue, to be dropped when the lock is free.
    pub(super) fn close(&self) -> VecDeque<T> {
        let mut state = self.lock();
        state.is_closed = true;
        let queue = std::mem::take(&mut state.queue);
        self.count.store(0, SeqCst);
        drop(state);
        self.room.notify_all();
        queue
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The items that the outlet has taken out of a channel, to be handed out one by one.
pub(super) struct Taken<T>(VecDeque<T>);

impl<T> Taken<T> {
    pub(super) fn new() -> Self {
        Self(VecDeque::new())
    }

    /// Takes all items of the channel, and puts them behind those left from before. Returns the number
    /// of items to be handed out.
    pub(super) fn take_all(&mut self, channel: &Channel<T>) -> usize {
        if channel.len() > self.0.len() {
            if self.0.is_empty() {
                // The room changes hands, too. After a spike it is given back.
                let most = ROOM_KEPT.max(channel.len().saturating_mul(4));
                if self.0.capacity() > most {
                    self.0 = VecDeque::new();
                }
                std::mem::swap(&mut self.0, &mut channel.lock().queue);
            } else {
                self.0.append(&mut channel.lock().queue);
            }
        }
        self.0.len()
    }

    /// Hands out the item that was put in first.
    pub(super) fn hand_out(&mut self, channel: &Channel<T>) -> Option<T> {
        let item = self.0.pop_front()?;
        channel.make_room();
        Some(item)
    }

    /// Takes the remaining items, when the channel is closed.
    pub(super) fn take_rest(&mut self) -> VecDeque<T> {
        std::mem::take(&mut self.0)
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
            assert_eq!(channel.try_put(item), Ok(()));
        }
        assert!(channel.lock().queue.capacity() <= 256);
        assert_eq!(channel.close().len(), 100);
        assert_eq!(channel.lock().queue.capacity(), 0);
    }
}
