//! The traits of handlers, for code that implements one by hand or is generic over handlers. Other handlers
//! are written with [`#[handlers]`](macro@crate::handlers).
//!
//! [`HandlerReturn`] lists what a handler may return.

// The functions that are compiled for each handler are in `run`, the only place where a handler is called,
// except that `parallel` calls parallel ones. `routes` lists them for each message type.

#[cfg(feature = "rayon")]
pub(crate) mod parallel;
#[allow(missing_docs, reason = "for the expansions of the macro alone")]
pub(crate) mod probe;
pub(crate) mod receives;
pub(crate) mod returned;
pub(crate) mod routes;
pub(crate) mod row;
pub(crate) mod run;

#[cfg(feature = "rayon")]
pub use parallel::ParallelReturn;
#[cfg(feature = "rayon")]
#[doc(hidden)]
pub use parallel::shared_by_threads;
pub use receives::HandlerSpec;
pub(crate) use receives::Receives;
pub use returned::{HandlerReturn, Outcome, StopAt};
pub(crate) use routes::{Route, RouteTable, Tables};
pub(crate) use row::HandlerRow;

pub use crate::context::{ForHandler, ForSubscriber};
pub use crate::storage::{Access, Exclusive, Shared};
