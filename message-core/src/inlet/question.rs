//! A question from another thread, and the future of its answer.
//!
//! The answer goes through a channel with room for one. The waker of the last poll is next to it, behind a lock that is
//! held only to move a waker in or out: no user code runs meanwhile.

use std::any::Any;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::PoisonError;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use crate::inlet::channel::NEVER_WAITS;
use crate::inlet::sync::mpsc::{Receiver, SyncSender, sync_channel};
use crate::inlet::sync::{Arc, Mutex};
use crate::inlet::{AskError, Inlet};

/// The answer to a question that was [asked](Inlet::ask) through an inlet: a future that needs no runtime, and on
/// which a thread can [wait](Self::wait).
///
/// The question is on its way whether the answer is polled or not. If this is dropped, only the answer is lost.
///
/// ```
/// use message_core::prelude::*;
/// use std::time::Duration;
///
/// #[derive(Message)]
/// #[message(reply = u32)]
/// struct GetScore;
///
/// struct Score(u32);
///
/// #[handlers]
/// impl Score {
///     #[on_receive]
///     fn get(&self, _: &GetScore) -> u32 { self.0 }
/// }
///
/// let mut manager = MessageManager::new();
/// let score = manager.spawn((Score(7),));
/// let inlet = manager.inlet();
///
/// let display = async move { inlet.ask(score, GetScore).await.map(|points| format!("{points} points")) };
/// # let mut display = Box::pin(display);
/// # let mut poll = || display.as_mut().poll(&mut std::task::Context::from_waker(std::task::Waker::noop()));
/// # assert!(poll().is_pending());
/// // An executor runs `display`, and the main loop runs frames.
/// manager.tick(Duration::from_millis(16));
/// # assert_eq!(poll(), std::task::Poll::Ready(Ok("7 points".to_owned())));
/// ```
#[must_use = "an answer that is dropped is lost: `post` a message that needs none"]
pub struct Answer<R> {
    receiver: Receiver<Result<R, AskError>>,
    waker: Arc<LastWaker>,
    message: &'static str,
}

impl<R> Answer<R> {
    /// Blocks this thread until the question is answered or the timeout ends. A timeout that no clock can measure,
    /// such as [`Duration::MAX`], has no end. With [`Duration::ZERO`], this only looks whether the answer is there.
    ///
    /// The thread that owns the manager must not wait here: the manager answers when it begins a frame. Neither should
    /// an async task: it blocks the thread of its executor.
    ///
    /// This is not for WebAssembly: without threads, and on `wasm32-unknown-unknown`, it does not wait. If the answer
    /// is not there, the error is [`AskError::TimedOut`] at once.
    ///
    /// # Errors
    ///
    /// Returns the reason why there is no answer. After [`AskError::TimedOut`] the answer can still come: wait again.
    ///
    /// ```
    /// use message_core::AskError;
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// #[message(reply = bool)]
    /// struct IsReady;
    ///
    /// let mut manager = MessageManager::new();
    /// let rock = manager.spawn(());
    /// let mut answer = manager.inlet().ask(rock, IsReady);
    /// assert!(matches!(answer.wait(Duration::ZERO), Err(AskError::TimedOut { .. })));
    /// manager.tick(Duration::from_millis(16));
    /// assert!(matches!(answer.wait(Duration::ZERO), Err(AskError::NoAnswer(_))));
    /// ```
    pub fn wait(&mut self, timeout: Duration) -> Result<R, AskError> {
        let answer = if NEVER_WAITS {
            self.receiver.try_recv().ok()
        } else {
            self.receiver.recv_timeout(timeout).ok()
        };
        let message = self.message;
        answer.unwrap_or(Err(AskError::TimedOut { message, timeout }))
    }
}

impl<R> Future for Answer<R> {
    type Output = Result<R, AskError>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        // Before looking: an answer that comes now finds the waker.
        swap(&self.waker, Some(cx.waker().clone()));
        self.receiver.try_recv().map_or(Poll::Pending, Poll::Ready)
    }
}

impl<R> fmt::Debug for Answer<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Answer")
            .field("message", &self.message)
            .finish_non_exhaustive()
    }
}

/// The waker of the last poll.
type LastWaker = Mutex<Option<Waker>>;

/// Replaces a waker. Its `Drop`, which is user code, is left to the caller.
fn swap(last: &LastWaker, waker: Option<Waker>) -> Option<Waker> {
    let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
    std::mem::replace(&mut *last, waker)
}

/// The manager's end of a question. Wakes the asker when it is dropped, with an error unless the question is answered.
struct Promise<R> {
    sender: SyncSender<Result<R, AskError>>,
    waker: Arc<LastWaker>,
    inlet: Inlet,
    message: &'static str,
}

impl<R> Drop for Promise<R> {
    fn drop(&mut self) {
        let message = self.message;
        let error = if self.inlet.is_closed() {
            AskError::Closed { message }
        } else {
            AskError::Dropped { message }
        };
        // There is no room for it behind an answer.
        let _ = self.sender.try_send(Err(error));
        if let Some(waker) = swap(&self.waker, None) {
            waker.wake();
        }
    }
}

/// Takes the answer to a question, whose type is not known, to the asker.
pub type Asker = Box<dyn FnOnce(Result<Box<dyn Any>, AskError>) + Send>;

/// Returns the two ends of a question.
pub(super) fn question<R: Send + 'static>(
    inlet: &Inlet,
    message: &'static str,
) -> (Asker, Answer<R>) {
    let (sender, receiver) = sync_channel(1);
    let waker = Arc::<LastWaker>::default();
    let answer = Answer {
        receiver,
        waker: Arc::clone(&waker),
        message,
    };
    let promise = Promise {
        sender,
        waker,
        inlet: inlet.clone(),
        message,
    };
    let asker = move |answer: Result<Box<dyn Any>, AskError>| {
        let answer = answer.map(|answer| *answer.downcast().expect("a reply has its type"));
        let _ = promise.sender.try_send(answer);
    };
    (Box::new(asker), answer)
}
