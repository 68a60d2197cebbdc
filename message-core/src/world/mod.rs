//! Everything that one manager owns.
//!
//! Each subsystem is a type of its own, with the methods that need nothing else; the time, the config and
//! the like are passed to them. The methods of [`World`] need several subsystems.
//!
//! During a dispatch the world is shared (`&World`), and only the content of cells can change: the
//! components, [`Addresses`], the messages kept and posted, and [`Pending`], the queue of changes that wait
//! for the end of the outermost send. The outermost call holds `&mut World` and makes these changes.

mod access;
mod addresses;
#[cfg(feature = "data")]
mod attached;
mod check;
mod desk;
mod despawn;
mod failures;
mod keys;
mod naming;
mod pending;
mod room;
#[cfg(feature = "data")]
mod saved;
mod settle;
mod structure;
mod switch;

use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

pub(crate) use addresses::{Addresses, Ids, Mnemonics};
#[cfg(feature = "data")]
pub(crate) use attached::{Attached, Attachment, LogSlot};
pub(crate) use check::{Hooking, Presence};
pub use despawn::Children;
pub(crate) use failures::Failures;
use keys::IdKeys;
pub(crate) use pending::{Pending, Task};
pub(crate) use structure::drop_removed;
pub(crate) use switch::Switches;

use crate::config::{ManagerConfig, PanicPolicy};
use crate::identity::Identity;
use crate::inlet::{Inlet, Outlet};
use crate::key::Key;
use crate::mailbox::Mailboxes;
use crate::names::Names;
use crate::post::{Schedule, Staged};
use crate::registry::Registry;
use crate::send::{Kept, Plans, Proxies};
use crate::storage::{Hooks, Messagees, Pools};
use crate::subscription::{Retained, Subscriptions};
use crate::time::Time;
use crate::trace::Tracer;

/// Everything that one manager owns. Its subsystems know nothing of each other.
///
/// They are dropped in this order: the inlet first, since other threads may post until then, and the identity last,
/// since its number is free for another manager as soon as nothing is left that shows an id.
pub(crate) struct World {
    pub(crate) outside: Outside,
    pub(crate) structure: Structure,
    pub(crate) plans: Plans,
    pub(crate) waiting: Waiting,
    /// The messages posted for later.
    pub(crate) schedule: RefCell<Schedule>,
    pub(crate) listen: Listen,
    pub(crate) mail: Mailboxes,
    pub(crate) trace: Tracer,
    pub(crate) common: Common,
}

/// Connects the world with other threads, other managers and files.
pub(crate) struct Outside {
    /// The messages that other threads post, once an inlet was asked for.
    pub(crate) inlet: OnceCell<Outlet>,
    #[cfg(feature = "data")]
    pub(crate) log: LogSlot,
    /// The wires, which post a message when another is received.
    #[cfg(feature = "data")]
    pub(crate) wires: Attachment,
    /// The outboxes for messagees of other managers.
    pub(crate) proxies: Proxies,
}

/// The messagees, what they consist of, and where they can be found. Knows nothing of messages.
pub(crate) struct Structure {
    pub(crate) messagees: Messagees,
    pub(crate) hooks: Hooks,
    pub(crate) addresses: Addresses,
    pub(crate) switches: Switches,
    pub(crate) pools: Pools,
    pub(crate) keys: IdKeys,
}

/// What waits for the end of the outermost send.
#[derive(Default)]
pub(crate) struct Waiting {
    /// Messages for receivers that are busy.
    pub(crate) kept: Kept,
    /// Changes of the structure and of the listeners.
    pub(crate) pending: Pending,
    /// Failures to report.
    pub(crate) failures: Failures,
}

/// The listeners, and what is kept for later ones.
pub(crate) struct Listen {
    pub(crate) subscriptions: Subscriptions,
    pub(crate) staged: Staged,
    pub(crate) retained: Retained,
}

/// What every subsystem may ask.
pub(crate) struct Common {
    pub(crate) config: ManagerConfig,
    registry: &'static Registry,
    pub(crate) time: Time,
    pub(crate) names: Names,
    pub(crate) identity: Arc<Identity>,
}

impl World {
    pub(crate) fn new(
        identity: Arc<Identity>,
        registry: &'static Registry,
        config: ManagerConfig,
    ) -> Self {
        let guards = config.panic_policy != PanicPolicy::Propagate;
        // Without any depth nothing can be sent, and with required receivers each receipt is checked.
        let shut = config.max_depth == 0 || config.require > 0;
        let messagees = Messagees::default();
        let mut plans = Plans::default();
        plans.renew(registry.messages.len(), &messagees.layouts);
        let schedule = Schedule::new(&identity, config.max_pending, config.max_repeats_per_frame);
        Self {
            outside: Outside {
                inlet: OnceCell::new(),
                #[cfg(feature = "data")]
                log: LogSlot::default(),
                #[cfg(feature = "data")]
                wires: Attachment::default(),
                proxies: Proxies::new(),
            },
            structure: Structure {
                messagees,
                hooks: Hooks::default(),
                addresses: Addresses::default(),
                switches: Switches::default(),
                pools: Pools::new(&registry.component_types, registry.end_of_components()),
                keys: IdKeys::new(identity.number()),
            },
            plans,
            waiting: Waiting::default(),
            schedule: schedule.into(),
            listen: Listen {
                subscriptions: Subscriptions::new(
                    identity.number(),
                    guards,
                    shut,
                    registry.messages.len(),
                ),
                staged: Staged::default(),
                retained: Retained::default(),
            },
            mail: Mailboxes::new(registry.messages.len(), config.max_published),
            trace: Tracer::new(config.wall_clock),
            common: Common {
                config,
                registry,
                time: Time::new(config.fixed_step),
                names: Names::new(&identity),
                identity,
            },
        }
    }

    /// Returns an inlet for other threads, which is made when it is first asked for.
    pub(crate) fn inlet(&self) -> Inlet {
        let capacity = self.common.config.inlet_capacity;
        let outlet = self.outside.inlet.get_or_init(|| Outlet::new(capacity));
        outlet.inlet()
    }

    /// Takes up the types that were added to the registry since the manager was made.
    #[inline]
    pub(crate) fn take_up(&mut self) {
        if let Some(newest) = Registry::published()
            && !std::ptr::eq(newest, self.common.registry)
        {
            self.take_up_from(newest);
        }
    }

    #[cold]
    fn take_up_from(&mut self, newest: &'static Registry) {
        self.common.registry = newest;
        let end = newest.end_of_components();
        self.structure.pools.take_up(&newest.component_types, end);
        self.plans
            .renew(newest.messages.len(), &self.structure.messagees.layouts);
        self.listen.subscriptions.renew_quiet(newest.messages.len());
        self.mail.grow(newest.messages.len());
    }

    /// Changes the recorders of the trace.
    #[cfg(feature = "trace")]
    pub(crate) fn change_trace<T>(&mut self, change: impl FnOnce(&mut Tracer) -> T) -> T {
        let changed = change(&mut self.trace);
        let is_on = self.trace.is_in_use();
        let guards = self.common.config.panic_policy != PanicPolicy::Propagate;
        self.listen
            .subscriptions
            .set_instrumented(is_on || guards, is_on);
        self.schedule.get_mut().set_traced(is_on);
        self.mail.end_run();
        changed
    }

    /// Returns `true` if this manager gave out a key, or an earlier one with the same number.
    #[cold]
    fn owns(&self, key: Key) -> bool {
        key.manager() == self.common.identity.number()
    }
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("World")
            .field("messagees", &self.structure.messagees.len())
            .field("kept", &self.waiting.kept)
            .field("subscriptions", &self.listen.subscriptions.len())
            .field("clock", &self.common.time.reading())
            .finish_non_exhaustive()
    }
}
