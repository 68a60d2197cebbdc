//! Reading a subscriber's state back.
//!
//! A subscriber is a closure that the manager keeps, so it is `Send + 'static`: it owns its captures, which
//! nobody else can access. There are three ways to get data out:
//!
//! ```
//! use message_core::prelude::*;
//! use std::sync::{Arc, Mutex, mpsc};
//!
//! #[derive(Message)]
//! struct Score { points: u32 }
//!
//! #[derive(Default)]
//! struct Board { total: u32 }
//!
//! let mut manager = MessageManager::new();
//!
//! // 1. A component. The subscriber finds it by its id, and you do too.
//! let board = manager.spawn((Board::default(),));
//! manager.subscribe(Filter::of::<Score>(), move |score, cx| {
//!     if let Ok(mut board) = cx.get_mut::<Board>(board) {
//!         board.total += score.points;
//!     }
//! });
//!
//! // 2. A channel. Good for a log, which is read later and in order.
//! let (log, lines) = mpsc::channel();
//! manager.subscribe(Filter::of::<Score>(), move |score, _| {
//!     let _ = log.send(score.points);
//! });
//!
//! // 3. A shared value. `Send` requires `Arc` with a lock or an atomic; `Rc` with a cell does not compile.
//! let best = Arc::new(Mutex::new(0));
//! let seen = Arc::clone(&best);
//! manager.subscribe(Filter::of::<Score>(), move |score, _| {
//!     let mut seen = seen.lock().expect("no subscriber panicked");
//!     *seen = score.points.max(*seen);
//! });
//!
//! for points in [3, 9, 5] {
//!     manager.send(Everyone, Score { points })?;
//! }
//! assert_eq!(manager.get::<Board>(board)?.total, 17);
//! assert_eq!(lines.try_iter().collect::<Vec<_>>(), [3, 9, 5]);
//! assert_eq!(*best.lock().expect("no subscriber panicked"), 9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What the compiler says
//!
//! | error | what to write |
//! |---|---|
//! | E0593: closure is expected to take 2 arguments | `\|message, cx\|`, or `\|_, _\|` |
//! | E0373: closure may outlive the current function | `move`, and one of the three ways above; with `move` alone, the closure counts in its own copy, which nobody sees |
//! | E0597, E0521: a borrow does not live long enough | move an `Arc`, a sender or a clone into the closure, not a reference |
//! | E0631: expected `fn(&M, …)`, found `fn(&mut M, …)` | [`before()`](crate::Filter::before) at the filter: only an interceptor may change a message |
//! | E0599: no method `me` | [`Context::recipient`](crate::Context::recipient), or an id that is moved into the closure: a subscriber belongs to no component |
//! | E0609: no field on `&dyn AnyMessage` | `Filter::of::<M>()` instead of `Filter::all()` |
//! | E0277: cannot be sent between threads safely | `Arc` instead of `Rc`; a lock or an atomic instead of a cell |
//!
//! If the state is more than a counter, keep it in a component instead: it can have handlers, it is
//! listed by [`iter`](crate::Structure::iter), and a subscription
//! [owned](crate::MessageManager::subscribe_for) by its messagee ends with it.
//!
//! Next: [message or call?](super::message_or_call)
