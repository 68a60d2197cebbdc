//! Everything that one manager owns.
//!
//! Each subsystem is a type of its own, with the methods that need nothing else; the time, the config and
//! the like are passed to them. The methods of [`World`] need several subsystems.
//!
//! During a dispatch the world is shared (`&World`), and only the content of cells can change: the
//! components, addresses, the messages kept and posted, and [`Pending`], the queue of changes that wait
//! for the end of the outermost send ([`later`]). The outermost call holds
//! `&mut World` and makes these [`Changes`](changes::Changes).

pub(crate) mod changes;
mod despawn;
pub(crate) mod failures;
pub(crate) mod later;
pub(crate) mod notice;
mod pending;
mod room;

use std::any::Any;
use std::cell::{OnceCell, RefCell};
use std::panic::Location;
use std::sync::Arc;

pub use despawn::Children;
pub(crate) use despawn::despawn;
pub(crate) use failures::Failures;
pub(crate) use later::part_with;
pub(crate) use notice::Notice;
pub(crate) use pending::Pending;

use crate::address::MessageeId;
use crate::carrier::Proxies;
use crate::config::{ManagerConfig, PanicPolicy};
use crate::identity::Identity;
use crate::inlet::Inlet;
use crate::mailbox::Mailboxes;
use crate::message::Message;
use crate::post::{Schedule, Staged};
use crate::registry::Registry;
use crate::send::Kept;
use crate::structure::Structure;
use crate::subscription::{Around, Retained, Subscriptions};
use crate::time::Time;
use crate::trace::Tracer;

/// The line of a user's code that asked for a change.
type Place = &'static Location<'static>;

/// Everything that one manager owns. Its subsystems know nothing of each other.
///
/// They are dropped in this order: the inlet first, since other threads may post until then, and the identity last,
/// since its number is free for another manager as soon as nothing is left that shows an id.
pub struct World {
    pub outside: Outside,
    pub structure: Structure,
    pub waiting: Waiting,
    /// The messages posted for later.
    pub schedule: RefCell<Schedule>,
    pub listen: Listen,
    pub mail: Mailboxes,
    pub(crate) trace: Tracer,
    pub common: Common,
}

/// Connects the world with other threads, other managers and files.
#[derive(Default)]
pub struct Outside {
    /// The messages that other threads post, once an inlet was asked for.
    pub(crate) inlet: OnceCell<Inlet>,
    /// The wires, which post a message when another is received.
    pub wires: Attachment,
    /// Carries messages to messagees that live elsewhere.
    pub proxies: Proxies,
}

/// Something that a room below attaches to messagees and that ends with them, such as wires.
pub trait Attached: Any + Send {
    /// Takes the values attached to a messagee that is leaving. The caller drops them one by one.
    fn take_all_of(
        &mut self,
        id: MessageeId,
        subscriptions: &mut Subscriptions,
    ) -> Vec<Box<dyn Any + Send>>;

    /// Returns a copy, for a snapshot.
    fn copied(&self) -> Box<dyn Attached>;

    /// Takes everything. The caller drops the values one by one.
    fn take_all(&mut self) -> Vec<Box<dyn Any + Send>>;
}

/// A place for it, filled on first use.
pub type Attachment = OnceCell<Box<dyn Attached>>;

/// The messages, changes and reports that wait for the end of the outermost send.
#[derive(Default)]
pub struct Waiting {
    /// Messages for receivers that are busy.
    pub(crate) kept: Kept,
    /// Changes of the structure and of the listeners.
    pub pending: Pending,
    /// Failures to report.
    pub failures: Failures,
}

/// The listeners, and the messages kept for later ones.
#[doc(hidden)]
pub struct Listen {
    pub subscriptions: Subscriptions,
    pub staged: Staged,
    /// Written by sends.
    pub retained: RefCell<Retained>,
}

/// The data that every subsystem may read.
pub struct Common {
    pub config: ManagerConfig,
    pub(crate) registry: &'static Registry,
    pub time: Time,
    pub identity: Arc<Identity>,
    /// Whether inputs of a log are repeated.
    pub(crate) is_replaying: bool,
}

impl World {
    pub fn new(
        identity: Arc<Identity>,
        registry: &'static Registry,
        config: ManagerConfig,
    ) -> Self {
        // Without any depth nothing can be sent, and with required receivers each receipt is checked.
        let around = if config.max_depth == 0 || config.require > 0 {
            Around::Much
        } else if config.panic_policy == PanicPolicy::Propagate {
            Around::Nothing
        } else {
            Around::Catch
        };
        let structure = Structure::new(&identity, registry);
        let mut subscriptions = Subscriptions::new(identity.number, around);
        let messages = registry.messages.len();
        subscriptions.renew_plans(messages, &structure.messagees.layouts);
        let schedule = Schedule::new(&identity, config.max_repeats_per_frame);
        Self {
            outside: Outside::default(),
            structure,
            waiting: Waiting::default(),
            schedule: schedule.into(),
            listen: Listen {
                subscriptions,
                staged: Staged::default(),
                retained: RefCell::default(),
            },
            mail: Mailboxes::new(messages, config.max_published, identity.serial),
            trace: Tracer::new(config.wall_clock),
            common: Common {
                time: Time::new(config.fixed_step),
                config,
                registry,
                identity,
                is_replaying: false,
            },
        }
    }
}

impl Outside {
    /// Returns an inlet for other threads. It is made when it is first asked for.
    pub(crate) fn inlet(&self, config: &ManagerConfig) -> Inlet {
        let inlet = || Inlet::new(config.inlet_capacity as usize);
        self.inlet.get_or_init(inlet).clone()
    }
}

impl Listen {
    /// Returns `true` if any component type handles the message or anybody listens to it.
    pub(crate) fn is_heard<M: Message>(&self) -> bool {
        let table = M::FACTS.table();
        table.is_some_and(|table| table.len() > 0 || self.subscriptions.any_listens(table.index))
    }

    /// Like [`is_heard`](Self::is_heard), but includes subscriptions that are about to be made.
    pub(crate) fn may_be_heard<M: Message>(&self) -> bool {
        self.subscriptions.any_announced() || self.is_heard::<M>()
    }
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let subscriptions = self.listen.subscriptions.records.iter();
        f.debug_struct("World")
            .field("messagees", &self.structure.messagees.len())
            .field("subscriptions", &subscriptions.flatten().count())
            .field("clock", &self.common.time.reading())
            .finish_non_exhaustive()
    }
}
