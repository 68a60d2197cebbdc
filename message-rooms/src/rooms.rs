//! Several managers that step together.

use std::collections::HashMap;
use std::mem;
use std::sync::Arc;
use std::time::Duration;

use message_core::{FrameReport, Group, MessageManager, MessageeId};
use message_data::MessageeNumber;
use message_data::ask::FirstPanic;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::desk::Desk;
use crate::error::{FrameError, RoomError, RoomPanic};
use crate::far::{Far, RoomId, Who};
use crate::gateway::{Gateway, depart, enter, give_back, local, take_back};
#[cfg(feature = "journal")]
use crate::journal::RoomsJournal;
use crate::passage::Passage;
use crate::room::{Room, settle};

/// Several managers, called rooms, that step together on any number of threads.
///
/// During a frame, each room is on one thread and touches nothing of another one. What its messagees send to messagees
/// of other rooms waits until the next frame begins, and is then delivered: first everything from room 0, then
/// everything from room 1, and so on, each in the order sent. So the result does not depend on the number of threads.
///
/// A messagee of another room is known here by a [proxy](Self::proxy).
///
/// ```
/// use message_core::prelude::*;
/// use message_rooms::Rooms;
/// use std::time::Duration;
///
/// #[derive(Message, Clone)]
/// struct Knock { times: u32 }
///
/// message_rooms::carried!(Knock);
///
/// #[derive(Default)]
/// struct Door { heard: u32 }
///
/// #[handlers]
/// impl Door {
///     #[on_receive]
///     fn knock(&mut self, knock: &Knock) { self.heard += knock.times; }
/// }
///
/// let mut rooms = Rooms::with_threads(2);
/// let [hall, attic] = [rooms.add("hall", MessageManager::new())?, rooms.add("attic", MessageManager::new())?];
/// let door = rooms.manager_mut(attic).spawn((Door::default(),));
///
/// let far_door = rooms.proxy(hall, attic, door)?;
/// rooms.manager_mut(hall).send(far_door, Knock { times: 3 })?;
/// rooms.frame(Duration::from_millis(16))?;
/// assert_eq!(rooms.manager(attic).get::<Door>(door)?.heard, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Rooms {
    pub(crate) all: Vec<Room>,
    /// The threads; none if there is only one.
    pool: Option<ThreadPool>,
    spanning: Vec<Group>,
    /// The messagees of each room that had ended at the last barrier.
    ended: Vec<Vec<MessageeNumber>>,
    #[cfg(feature = "journal")]
    pub(crate) journal: Option<RoomsJournal>,
}

impl Rooms {
    /// Makes rooms that step one after the other, on the thread that calls.
    ///
    /// ```
    /// use message_rooms::Rooms;
    ///
    /// assert_eq!(Rooms::new().ids().len(), 0);
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes rooms that step on this number of threads; on the thread that calls if it is less than two.
    ///
    /// # Panics
    ///
    /// Panics if the threads cannot be started.
    ///
    /// ```
    /// use message_rooms::Rooms;
    ///
    /// let threads = std::thread::available_parallelism().map_or(1, usize::from);
    /// assert_eq!(Rooms::with_threads(threads).ids().len(), 0);
    /// ```
    #[must_use]
    pub fn with_threads(threads: usize) -> Self {
        let pool = (threads > 1).then(|| {
            let pool = ThreadPoolBuilder::new().num_threads(threads);
            let pool = pool.thread_name(|number| format!("rooms-{number}")).build();
            pool.unwrap_or_else(|error| panic!("the threads of rooms cannot be started: {error}"))
        });
        let rooms = Self::default();
        Self { pool, ..rooms }
    }

    /// Adds a manager as a room. Binds [`ROOMS`](crate::ROOMS) in it.
    ///
    /// # Errors
    ///
    /// [`RoomError::Twin`] if another room has this name. The manager is dropped then.
    ///
    /// # Panics
    ///
    /// Panics if the manager has a carrier, as that of a node of `message-net` has.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_rooms::Rooms;
    ///
    /// let mut rooms = Rooms::new();
    /// let hall = rooms.add("hall", MessageManager::new())?;
    /// assert!(rooms.add("hall", MessageManager::new()).is_err());
    /// assert_eq!(rooms.find("hall"), Some(hall));
    /// # Ok::<(), message_rooms::RoomError>(())
    /// ```
    pub fn add(
        &mut self,
        name: impl Into<Arc<str>>,
        mut manager: MessageManager,
    ) -> Result<RoomId, RoomError> {
        let name = name.into();
        if let Some(room) = self.find(&name) {
            let name = name.to_string();
            return Err(RoomError::Twin { name, room });
        }
        let id = RoomId::of_place(self.all.len());
        enter(&mut manager, id, false);
        Desk::open(id, &mut manager);
        self.push(name, manager);
        Ok(id)
    }

    /// Adds a manager that is that of the next room.
    pub(crate) fn push(&mut self, name: Arc<str>, manager: MessageManager) {
        self.all.push(Room {
            id: RoomId::of_place(self.all.len()),
            name,
            manager,
            incoming: Vec::new(),
            left: Vec::new(),
        });
        self.ended.push(Vec::new());
        let len = self.all.len();
        for room in &mut self.all {
            room.incoming.resize_with(len, Passage::default);
        }
        for group in self.spanning.clone() {
            self.join_all(group);
        }
    }

    /// Returns the rooms, in the order in which they were added.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_rooms::Rooms;
    ///
    /// let mut rooms = Rooms::new();
    /// let hall = rooms.add("hall", MessageManager::new())?;
    /// assert!(rooms.ids().eq([hall]));
    /// # Ok::<(), message_rooms::RoomError>(())
    /// ```
    #[must_use]
    pub fn ids(&self) -> impl ExactSizeIterator<Item = RoomId> + use<> {
        (0..self.all.len()).map(RoomId::of_place)
    }

    /// Returns the room with a name.
    ///
    /// ```
    /// use message_rooms::Rooms;
    ///
    /// assert_eq!(Rooms::new().find("hall"), None);
    /// ```
    #[must_use]
    pub fn find(&self, name: &str) -> Option<RoomId> {
        self.ids().find(|room| self.name(*room) == name)
    }

    /// Returns the name of a room.
    ///
    /// # Panics
    ///
    /// Panics if there is no such room.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_rooms::Rooms;
    ///
    /// let mut rooms = Rooms::new();
    /// let hall = rooms.add("hall", MessageManager::new())?;
    /// assert_eq!(rooms.name(hall), "hall");
    /// # Ok::<(), message_rooms::RoomError>(())
    /// ```
    #[must_use]
    pub fn name(&self, room: RoomId) -> &str {
        &self.all[room.at()].name
    }

    /// Returns the manager of a room.
    ///
    /// # Panics
    ///
    /// Panics if there is no such room.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_rooms::Rooms;
    ///
    /// let mut rooms = Rooms::new();
    /// let hall = rooms.add("hall", MessageManager::new())?;
    /// assert_eq!(rooms.manager(hall).clock().frame(), 0);
    /// # Ok::<(), message_rooms::RoomError>(())
    /// ```
    #[must_use]
    pub fn manager(&self, room: RoomId) -> &MessageManager {
        &self.all[room.at()].manager
    }

    /// Returns the manager of a room, to use it between two frames.
    ///
    /// # Panics
    ///
    /// Panics if there is no such room.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_rooms::Rooms;
    ///
    /// let mut rooms = Rooms::new();
    /// let hall = rooms.add("hall", MessageManager::new())?;
    /// let owl = rooms.manager_mut(hall).spawn_named("owl", ());
    /// assert!(rooms.manager(hall).is_alive(owl));
    /// # Ok::<(), message_rooms::RoomError>(())
    /// ```
    pub fn manager_mut(&mut self, room: RoomId) -> &mut MessageManager {
        &mut self.all[room.at()].manager
    }

    /// Returns the id by which the room `here` knows messagee `id` of another room: that of its proxy. Spawns the proxy
    /// if there is none.
    ///
    /// The proxy is an ordinary messagee without components. It can be sent and posted to, be in groups and families,
    /// and have names and mnemonics. Messages to it arrive when the next frame begins. The header of a post to it
    /// applies in the other room. If the messagee moves to another room, the proxy follows it. If the messagee ends, the
    /// proxy ends in the next frame.
    ///
    /// If the messagee is itself a proxy, or lives `here`, returns the id by which `here` knows what it represents.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such room, or if the messagee is not alive.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_rooms::Rooms;
    ///
    /// let mut rooms = Rooms::new();
    /// let [hall, attic] = [rooms.add("hall", MessageManager::new())?, rooms.add("attic", MessageManager::new())?];
    /// let owl = rooms.manager_mut(attic).spawn(());
    /// let far_owl = rooms.proxy(hall, attic, owl)?;
    /// assert!(rooms.manager(hall).is_proxy(far_owl));
    /// assert_eq!(rooms.proxy(hall, attic, owl)?, far_owl);
    /// # Ok::<(), message_rooms::RoomError>(())
    /// ```
    pub fn proxy(
        &mut self,
        here: RoomId,
        room: RoomId,
        id: MessageeId,
    ) -> Result<MessageeId, RoomError> {
        self.check(here)?;
        let target = self.home_of(room, id)?;
        Ok(local(&mut self.all[here.at()].manager, target))
    }

    /// Returns the room in which a messagee lives, and its id there. This differs from the arguments if the messagee is
    /// a proxy.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such room, or if the messagee is not alive.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_rooms::Rooms;
    ///
    /// let mut rooms = Rooms::new();
    /// let [hall, attic] = [rooms.add("hall", MessageManager::new())?, rooms.add("attic", MessageManager::new())?];
    /// let owl = rooms.manager_mut(attic).spawn(());
    /// let far_owl = rooms.proxy(hall, attic, owl)?;
    /// assert_eq!(rooms.home(hall, far_owl)?, Some((attic, owl)));
    /// # Ok::<(), message_rooms::RoomError>(())
    /// ```
    pub fn home(
        &self,
        room: RoomId,
        id: MessageeId,
    ) -> Result<Option<(RoomId, MessageeId)>, RoomError> {
        let Far { room, who } = self.home_of(room, id)?;
        let number = who.number();
        Ok(number.map(|number| (room, number.id_in(self.manager(room)))))
    }

    pub(crate) fn home_of(&self, room: RoomId, id: MessageeId) -> Result<Far, RoomError> {
        self.check(room)?;
        let Room { manager, name, .. } = &self.all[room.at()];
        let name = Arc::clone(name);
        let found = manager.check_stays(id);
        found.map_err(|error| RoomError::Messagee { name, error })?;
        Ok(Gateway::seen(manager).far_of(id))
    }

    pub(crate) fn check(&self, room: RoomId) -> Result<(), RoomError> {
        let len = self.all.len();
        if room.at() >= len {
            return Err(RoomError::NoRoom { room, len });
        }
        Ok(())
    }

    /// Makes a group span all rooms, including those that are added later: a message to the group in one room also
    /// reaches its members in the others, in their next frame.
    ///
    /// A proxy for the group of each other room joins the group in each room.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_rooms::Rooms;
    ///
    /// group!(GUARDS);
    ///
    /// let mut rooms = Rooms::new();
    /// let hall = rooms.add("hall", MessageManager::new())?;
    /// rooms.add("attic", MessageManager::new())?;
    /// rooms.span(GUARDS);
    /// assert_eq!(rooms.manager(hall).members(GUARDS).count(), 1);
    /// # Ok::<(), message_rooms::RoomError>(())
    /// ```
    pub fn span(&mut self, group: Group) {
        if !self.spanning.contains(&group) {
            self.spanning.push(group);
            self.join_all(group);
        }
    }

    fn join_all(&mut self, group: Group) {
        for here in self.ids() {
            for room in self.ids().filter(|&room| room != here) {
                let who = Who::Group(group);
                let manager = &mut self.all[here.at()].manager;
                let proxy = local(manager, Far { room, who });
                manager.join(group, proxy).expect("the proxy is alive");
            }
        }
    }

    /// Steps all rooms by a frame: calls [`tick`](MessageManager::tick) in each. Returns their reports, in order.
    ///
    /// # Errors
    ///
    /// Returns the rooms that have panicked. The others have finished the frame, and all of them can go on: the state of
    /// a room is as its manager leaves it after a panic.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_rooms::Rooms;
    /// use std::time::Duration;
    ///
    /// let mut rooms = Rooms::with_threads(2);
    /// let hall = rooms.add("hall", MessageManager::new())?;
    /// let reports = rooms.frame(Duration::from_millis(16))?;
    /// assert_eq!(reports[0].frame, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn frame(&mut self, dt: Duration) -> Result<Vec<FrameReport>, FrameError> {
        self.frame_with(|_, manager| manager.tick(dt))
    }

    /// Like [`frame`](Self::frame), but calls a function for each room instead of `tick`. Returns what it has returned,
    /// in the order of the rooms.
    ///
    /// When it is called, the messages of other rooms were delivered. It may be called for several rooms at the same
    /// time.
    ///
    /// # Errors
    ///
    /// Like [`frame`](Self::frame).
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_rooms::Rooms;
    /// use std::time::Duration;
    ///
    /// let mut rooms = Rooms::with_threads(2);
    /// let hall = rooms.add("hall", MessageManager::new())?;
    /// let delivered = rooms.frame_with(|_, manager| {
    ///     manager.begin_frame(Duration::from_millis(16));
    ///     manager.run_stage(Stage::Update)
    /// })?;
    /// assert_eq!(delivered, [0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn frame_with<T: Send>(
        &mut self,
        step: impl Fn(RoomId, &mut MessageManager) -> T + Sync,
    ) -> Result<Vec<T>, FrameError> {
        let mut panics = self.settle();
        panics.extend(self.carry_out_requests());
        panics.extend(self.settle());
        self.exchange();
        let (rooms, ended) = (&mut self.all, &self.ended);
        let run = |room: &mut Room| room.run(ended, &step);
        let done: Vec<Result<T, RoomPanic>> = match &self.pool {
            None => rooms.iter_mut().map(run).collect(),
            Some(pool) => pool.install(|| {
                let rooms = rooms.par_iter_mut().with_max_len(1);
                rooms.map(run).collect()
            }),
        };
        let done = done.into_iter();
        let done = done.filter_map(|done| done.map_err(|panic| panics.push(panic)).ok());
        let results: Vec<T> = done.collect();
        panics.extend(self.settle());
        self.take_back();
        #[cfg(feature = "journal")]
        self.note_frame();
        if panics.is_empty() {
            return Ok(results);
        }
        // The first one of each room is reported.
        panics.sort_by_key(|panic| panic.room);
        panics.dedup_by_key(|panic| panic.room);
        Err(FrameError { panics })
    }

    /// Settles what panics have left. Returns the rooms in which that panics.
    fn settle(&mut self) -> Vec<RoomPanic> {
        let settled = |room: &mut Room| {
            let mut panic = FirstPanic::default();
            settle(&mut room.manager, &mut panic);
            room.panic(panic)
        };
        self.all.iter_mut().filter_map(settled).collect()
    }

    /// The barrier: what the rooms have for each other changes hands.
    fn exchange(&mut self) {
        #[cfg(feature = "journal")]
        let needs_data = self.journal.is_some();
        #[cfg(not(feature = "journal"))]
        let needs_data = false;
        let all = self.all.iter_mut();
        let departures = all.map(|room| depart(&mut room.manager, needs_data));
        let mut departures: Vec<_> = departures.collect();
        for ((_, news), ended) in departures.iter_mut().zip(&mut self.ended) {
            *ended = mem::take(&mut news.ended);
        }
        for (source, (mut passages, news)) in departures.into_iter().enumerate() {
            // A message may name a messagee that had ended long before it got a proxy.
            for Far { room, who } in news.fresh {
                if let Who::Messagee(number) = who
                    && let manager = self.manager(room)
                    && !manager.is_alive(number.id_in(manager))
                {
                    self.ended[room.at()].push(number);
                }
            }
            passages.resize_with(self.all.len(), Passage::default);
            redirect(&mut passages, &news.moved);
            for (passage, target) in passages.iter_mut().zip(&mut self.all) {
                mem::swap(passage, &mut target.incoming[source]);
            }
            let source = &mut self.all[source];
            source.left = news.left;
            give_back(&mut source.manager, passages);
        }
    }

    /// Returns the messages that were not delivered to the rooms of their senders.
    fn take_back(&mut self) {
        for target in 0..self.all.len() {
            for source in 0..self.all.len() {
                for letter in mem::take(&mut self.all[target].incoming[source].returned) {
                    take_back(&mut self.all[source].manager, letter);
                }
            }
        }
    }
}

/// Sends the messages of a room after messagees that have moved.
fn redirect(passages: &mut [Passage], moved: &HashMap<Far, Far>) {
    if moved.is_empty() {
        return;
    }
    for target in 0..passages.len() {
        let gone = passages[target].redirect(RoomId::of_place(target), moved);
        for (to, letter) in gone {
            passages[to.at()].put(letter);
        }
    }
    for passage in passages {
        passage.put_in_order();
    }
}
