//! Subscriptions: their [filters](Filter), their closures, and who hears a message.
//!
//! Interceptors, subscribers, those with a stage, messagees that overhear and wires are all records (`record`) in the same
//! lists (`index`). A message is handed from one to the next in one loop (`hearing`), which asks the filter and calls the
//! closure.

mod filter;
mod hearing;
mod index;
mod list;
pub(crate) mod listen;
pub(crate) mod listener;
pub(crate) mod missed;
mod overhearing;
mod places;
pub(crate) mod record;
pub(crate) mod retained;
mod returned;
pub(crate) mod rewind;
pub(crate) mod subscriptions;
pub(crate) mod terms;

pub use filter::{Before, Filter, Interceptor};
pub(crate) use hearing::tell_later;
use index::Found;
use list::List;
pub(crate) use listen::WorldAccess;
pub use listen::{Listen, Overhear};
use listener::{Hear, Subject};
use missed::Missed;
pub(crate) use record::Subscription;
pub(crate) use retained::{Entry, Reached, Retained};
pub use returned::{InterceptorReturn, SubscriberReturn};
pub(crate) use rewind::SavedSubscriptions;
pub(crate) use subscriptions::{Around, Subscriptions};
pub(crate) use terms::Part;
use terms::{Asked, Terms};
