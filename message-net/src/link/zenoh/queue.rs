//! The two queues between the caller of a link and the threads of zenoh.
//!
//! Outgoing frames wait in the [`Outbox`] for the thread of the link. Incoming events wait in the [`Inbox`] for
//! a poll, in order of arrival. Both are bounded in frames and in bytes. The caller and zenoh's callbacks hold
//! a lock only for the duration of a push or a pop, and never while calling into zenoh.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::presence::Presence;
use crate::link::{Frame, LinkEvent};
use crate::name::NodeName;

/// The capacity of a queue.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    pub(super) frames: usize,
    pub(super) bytes: usize,
}

impl Bound {
    /// Returns `true` if there is room for a frame. An empty queue always has room for one.
    fn allows(self, frames: usize, bytes: usize, frame: usize) -> bool {
        frames == 0 || (frames < self.frames && bytes.saturating_add(frame) <= self.bytes)
    }
}

/// A frame and the node that it is for.
pub(super) type Addressed = (NodeName, Frame);

/// Nothing panics while holding one of these locks, and the protected data is consistent at all times.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Frames that wait to be passed to zenoh.
#[derive(Debug)]
pub(super) struct Outbox {
    bound: Bound,
    state: Mutex<Leaving>,
    wake: Condvar,
}

#[derive(Debug, Default)]
struct Leaving {
    frames: VecDeque<Addressed>,
    bytes: usize,
    closing: bool,
}

impl Outbox {
    pub(super) fn new(bound: Bound) -> Self {
        Self {
            bound,
            state: Mutex::default(),
            wake: Condvar::new(),
        }
    }

    /// Queues a frame. Returns `false` if there is no room.
    pub(super) fn push(&self, to: &NodeName, frame: Frame) -> bool {
        let mut state = lock(&self.state);
        let room = self
            .bound
            .allows(state.frames.len(), state.bytes, frame.len());
        if room {
            state.bytes += frame.len();
            state.frames.push_back((to.clone(), frame));
            drop(state);
            self.wake.notify_one();
        }
        room
    }

    /// Takes all waiting frames. If there are none, waits for one, up to the given time.
    pub(super) fn take(&self, wait: Duration) -> VecDeque<Addressed> {
        let state = lock(&self.state);
        let mut state = if state.frames.is_empty() && !state.closing {
            self.wake
                .wait_timeout(state, wait)
                .map_or_else(|poisoned| poisoned.into_inner().0, |(state, _)| state)
        } else {
            state
        };
        state.bytes = 0;
        std::mem::take(&mut state.frames)
    }

    /// Asks the thread of the link to end.
    pub(super) fn close(&self) {
        lock(&self.state).closing = true;
        self.wake.notify_all();
    }

    /// Returns `true` if the thread of the link must end.
    pub(super) fn is_closing(&self) -> bool {
        lock(&self.state).closing
    }

    /// Waits for the given time, or until the thread of the link must end. Returns `true` in the latter case.
    pub(super) fn pause(&self, wait: Duration) -> bool {
        let until = Instant::now() + wait;
        let mut state = lock(&self.state);
        while !state.closing {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            state = self
                .wake
                .wait_timeout(state, left)
                .map_or_else(|poisoned| poisoned.into_inner().0, |(state, _)| state);
        }
        true
    }
}

/// The received events and frames that wait to be polled.
#[derive(Debug)]
pub(super) struct Inbox {
    bound: Bound,
    state: Mutex<Arrived>,
}

#[derive(Debug)]
struct Arrived {
    entries: VecDeque<Entry>,
    frames: usize,
    bytes: usize,
    presence: Presence,
    /// The number of the session whose tokens count.
    session: u64,
    /// The event for the next poll, before all others.
    next: Option<LinkEvent>,
}

#[derive(Debug)]
enum Entry {
    Frame(NodeName, Vec<u8>),
    /// The presence of this node changed: [`Presence`] has the details.
    Changed(NodeName),
    Told(LinkEvent),
}

impl Inbox {
    pub(super) fn new(bound: Bound, presence: Presence) -> Self {
        Self {
            bound,
            state: Mutex::new(Arrived {
                entries: VecDeque::new(),
                frames: 0,
                bytes: 0,
                presence,
                session: 0,
                next: None,
            }),
        }
    }

    /// Queues a frame. Returns `false` if there is no room.
    pub(super) fn push(&self, from: NodeName, frame: Vec<u8>) -> bool {
        let mut state = lock(&self.state);
        let room = self.bound.allows(state.frames, state.bytes, frame.len());
        if room {
            state.frames += 1;
            state.bytes += frame.len();
            state.entries.push_back(Entry::Frame(from, frame));
        }
        room
    }

    /// Appends an event.
    pub(super) fn tell(&self, event: LinkEvent) {
        lock(&self.state).entries.push_back(Entry::Told(event));
    }

    /// Begins a session in which this node is the given instance: all known nodes have gone. Returns the number
    /// of the session.
    pub(super) fn begin(&self, instance: &str) -> u64 {
        let mut state = lock(&self.state);
        state.session += 1;
        let gone = state.presence.begin(instance);
        state.entries.extend(gone.into_iter().map(Entry::Changed));
        state.session
    }

    /// Takes note that a token has appeared or vanished, unless the notice comes from an earlier session.
    pub(super) fn noticed(&self, session: u64, node: &NodeName, instance: &str, is_there: bool) {
        let mut state = lock(&self.state);
        if session != state.session {
            return;
        }
        let is_marked = if is_there {
            state.presence.appeared(node, instance, Instant::now())
        } else {
            state.presence.vanished(node, instance)
        };
        if is_marked {
            state.entries.push_back(Entry::Changed(node.clone()));
        }
    }

    /// Returns `true` if a node is present.
    pub(super) fn has(&self, node: &NodeName) -> bool {
        lock(&self.state).presence.has(node)
    }

    /// Returns the instances of this node's own name that are to be reported now.
    pub(super) fn rivals(&self) -> Vec<String> {
        lock(&self.state).presence.rivals(Instant::now())
    }

    /// Takes the next event.
    pub(super) fn poll(&self) -> Option<LinkEvent> {
        let mut state = lock(&self.state);
        if let Some(event) = state.next.take() {
            return Some(event);
        }
        loop {
            match state.entries.pop_front()? {
                Entry::Frame(from, frame) => {
                    state.frames -= 1;
                    state.bytes -= frame.len();
                    return Some(LinkEvent::Frame { from, frame });
                }
                Entry::Told(event) => return Some(event),
                Entry::Changed(node) => {
                    let change = state.presence.take(&node);
                    if change.went {
                        state.next = change.came.then(|| LinkEvent::Came(node.clone()));
                        return Some(LinkEvent::Went(node));
                    }
                    if change.came {
                        return Some(LinkEvent::Came(node));
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(name: &str) -> NodeName {
        NodeName::new(name).expect("a name")
    }

    const BOUND: Bound = Bound {
        frames: 3,
        bytes: 10,
    };

    #[test]
    fn a_queue_is_bounded_in_frames_and_in_bytes() {
        let outbox = Outbox::new(BOUND);
        assert!(outbox.push(&node("a"), vec![0; 4].into()));
        assert!(outbox.push(&node("a"), vec![0; 4].into()));
        assert!(!outbox.push(&node("a"), vec![0; 4].into()), "bytes");
        assert!(outbox.push(&node("a"), vec![].into()));
        assert!(!outbox.push(&node("a"), vec![].into()), "frames");
        assert_eq!(outbox.take(Duration::ZERO).len(), 3);
        assert!(
            outbox.push(&node("a"), vec![0; 99].into()),
            "one frame always"
        );
    }

    #[test]
    fn what_came_is_polled_in_its_order() {
        let inbox = Inbox::new(BOUND, Presence::new(node("me"), Duration::ZERO));
        let session = inbox.begin("me");
        let is_there = |instance, is| inbox.noticed(session, &node("zone"), instance, is);
        is_there("1", true);
        assert!(inbox.push(node("zone"), vec![1]));
        is_there("1", false);
        inbox.tell(LinkEvent::Trouble("late".to_owned()));
        assert_eq!(
            inbox.poll(),
            Some(LinkEvent::Frame {
                from: node("zone"),
                frame: vec![1]
            }),
            "a node that came and went before the first poll is not told"
        );
        assert_eq!(inbox.poll(), Some(LinkEvent::Trouble("late".to_owned())));
        assert_eq!(inbox.poll(), None);

        is_there("2", true);
        assert_eq!(inbox.poll(), Some(LinkEvent::Came(node("zone"))));
        is_there("2", false);
        is_there("3", true);
        assert_eq!(inbox.poll(), Some(LinkEvent::Went(node("zone"))));
        assert_eq!(inbox.poll(), Some(LinkEvent::Came(node("zone"))));
        assert_eq!(inbox.poll(), None);

        inbox.begin("me again");
        is_there("4", true);
        assert_eq!(inbox.poll(), Some(LinkEvent::Went(node("zone"))));
        assert_eq!(inbox.poll(), None, "what a session says that is over");
    }
}
