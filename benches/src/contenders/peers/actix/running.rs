//! Letting the actors run until they have handled what was sent.

use std::cell::Cell;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

/// How many messages are sent and not yet handled. Its clones share the number.
#[derive(Clone, Default)]
pub(super) struct Pending(Rc<Cell<usize>>);

impl Pending {
    /// So many were sent.
    pub(super) fn sent(&self, messages: usize) {
        self.0.set(self.0.get() + messages);
    }

    /// One is handled.
    pub(super) fn handled(&self) {
        self.0.set(self.0.get() - 1);
    }

    /// Lets the actors run until there is none left. It looks again each time the runtime has run
    /// as many tasks as it does at a stretch.
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
