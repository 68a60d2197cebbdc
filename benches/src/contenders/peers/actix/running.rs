//! Runs the actors until they have handled all messages.

use std::cell::Cell;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

/// The number of messages that are sent but not yet handled. Clones share the number.
#[derive(Clone, Default)]
pub(super) struct Pending(Rc<Cell<usize>>);

impl Pending {
    /// Adds messages that have been sent.
    pub(super) fn sent(&self, messages: usize) {
        self.0.set(self.0.get() + messages);
    }

    /// Subtracts a message that has been handled.
    pub(super) fn handled(&self) {
        self.0.set(self.0.get() - 1);
    }

    /// Runs the actors until no message is left. It checks again each time the runtime has run as many tasks
    /// as it does in a row.
    pub(super) async fn none_left(&self) {
        let look = |context: &mut std::task::Context<'_>| {
            if self.0.get() == 0 {
                return Poll::Ready(());
            }
            context.waker().wake_by_ref();
            Poll::Pending
        };
        poll_fn(look).await;
    }
}
