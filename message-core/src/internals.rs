//! The parts of a manager that `message-data` writes, restores and compares. Not part of the public interface: the crate
//! requires exactly its own version of this one.

use crate::address::MessageeId;
use crate::context::Context;
use crate::registry::MessageInfo;
use crate::subscription::{Filter, Overhear, WorldAccess};

pub use crate::carrier::Proxies;
pub use crate::caught::{FirstPanic, caught};
pub use crate::forms::{Form, Forms, FormsRow, IdKind, NameKind, TicketForm, known_name, name};
pub use crate::hash::HashedMap;
pub use crate::header::activated_by;
pub use crate::identity::{Identity, ManagerNumber, POST_BITS};
pub use crate::inlet::Letter;
pub use crate::inlet::question::Asker;
pub use crate::key::ids::Keyed;
pub use crate::key::{Key, Keys};
pub use crate::link::Entry;
pub use crate::link::backend::entries;
pub use crate::mailbox::column::column_of;
pub use crate::mailbox::frames::Mailbox;
pub use crate::mailbox::letters::Letters;
pub use crate::mailbox::postmarks::Postmark;
pub use crate::mailbox::table::Mailboxes;
pub use crate::manager::entrance::Inside;
pub use crate::message::Facts;
pub use crate::message::owned::AnyBox;
pub use crate::name::Name;
pub use crate::names::only_name_of;
pub use crate::names::pattern::{literal, matches as pattern_matches};
pub use crate::post::posting::PostCall;
pub use crate::post::schedule::find::Found;
pub use crate::post::schedule::repeat::Series;
pub use crate::post::schedule::stamp::PostMeta;
pub use crate::post::schedule::{BEGUN_AT_MOST, Lane, Record};
pub use crate::post::taken::cancel as cancel_posts;
pub use crate::post::ticket::{delivered_ticket, lost_ticket};
pub use crate::send::deferred::delivering::lock as lock_kept;
pub use crate::send::deferred::send::{Cover, KeptSend, OpenTo, Shared};
pub use crate::send::frame::{Frame, Subscribed};
pub use crate::send::sent::{Posted, ReportGuard, Sent};
pub use crate::send::verdict::Verdict;
pub use crate::storage::layouts::LayoutId;
pub use crate::storage::messagees::{HookRef, Messagees};
pub use crate::storage::pool::Pool;
pub use crate::storage::values::{AnyValues, Values};
pub use crate::structure::expected::Unborn;
pub use crate::structure::keys::IdKeys;
pub use crate::subscription::listener::{Hear, overhearer};
pub use crate::subscription::missed::Missed;
pub use crate::subscription::record::Subscription;
pub use crate::subscription::retained::{Entry as RetainedMessage, Reached, Retained};
pub use crate::subscription::subscriptions::Subscriptions;
pub use crate::subscription::terms::{Part, Terms};
pub use crate::time::clock::{LAST, check_clock, nanoseconds};
pub use crate::time::track::Timeline;
pub use crate::world::changes::Changes;
pub use crate::world::failures::Failures;
pub use crate::world::later::{hook, unhook};
pub use crate::world::notice::announce_restored;
pub use crate::world::{Attached, Attachment, Common, Listen, World};

/// Returns the world of a context.
pub fn world_of<'a, R>(cx: &Context<'a, R>) -> &'a World {
    cx.world()
}

/// Lets a messagee overhear, on these terms, the messages of a type or of all.
pub fn overhear(
    world: &mut World,
    owner: MessageeId,
    of: Option<&'static MessageInfo>,
    terms: Terms,
) {
    let mut filter = Filter::all();
    (filter.of, filter.terms) = (of, terms);
    let id = world.listen.subscriptions.reserve();
    filter.enter_overhearing(&mut WorldAccess::of(world, id, Some(owner)));
}
