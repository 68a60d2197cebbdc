//! Plans: for each message type and [layout](crate::storage::LayoutId), which components receive the
//! message, and in which order.
//!
//! All messagees with the same components have the same stops, so these are found once, when a message of
//! the type is first sent to a messagee of the layout. They are kept until the registry is extended or the
//! layout is swept. Both happen only between outermost sends, so a send reads its stops in place.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};

use crate::handler::RouteTable;
use crate::message::MessageIndex;
use crate::send::Callee;
use crate::sort::sort_by_number;
use crate::storage::{FEW, HookRef, LayoutId, Layouts, Messagees, Record};
use crate::structure::Structure;

/// The least number of layouts for which a plan has room.
const LEAST_ROOM: usize = 32;

/// One component of a messagee that receives a message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop {
    pub(crate) component: u16,
    /// The [number](crate::handler::Route::number) of the route of the message type to that component type.
    pub(crate) route: u16,
    /// The component's place in hook order. Where the messagee has more components than fit in its record, [`FEW`] is
    /// added.
    place: u32,
}

impl Stop {
    /// Returns the callee at this stop.
    #[inline]
    pub(super) fn callee<'a>(
        self,
        table: &'a RouteTable,
        record: &Record,
        structure: &'a Structure,
    ) -> Callee<'a> {
        Callee {
            route: table.route(self.route),
            pool: structure.pools.at(self.component.into()),
            slot: self.slot(record, &structure.messagees),
        }
    }

    /// Returns the slot of the component: from the record, or from the list of a messagee with many components.
    #[inline]
    pub(crate) fn slot(self, record: &Record, messagees: &Messagees) -> u32 {
        match record.slot(self.place as usize) {
            Some(slot) => slot,
            None => messagees.slot_in_list(record, self.place as usize - FEW),
        }
    }
}

/// The only stop of a layout, if it is known: the number of its route, then its place, in 16 bits each. One word, so that a
/// send to the component that nearly all of the type's messages go to, that of the first route, makes one comparison: W1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SingleStop(u32);

impl SingleStop {
    /// There is no stop, there are several, or they are not known yet.
    pub(crate) const NONE: Self = Self(u32::MAX);

    fn of(stop: Stop) -> Option<Self> {
        let place = u16::try_from(stop.place).ok()?;
        Some(Self(u32::from(stop.route) << 16 | u32::from(place)))
    }

    /// Returns the slot of the component if its route is the first and its slot is in the record.
    #[inline]
    pub(crate) fn slot_of_first(self, record: &Record) -> Option<u32> {
        record.slot(self.0 as usize)
    }

    /// Returns the slot of the component if it is in the record.
    #[inline]
    pub(crate) fn slot(self, record: &Record) -> Option<u32> {
        record.slot((self.0 & u32::from(u16::MAX)) as usize)
    }

    /// Returns the number of its route, and the slot of the component if that is in the record.
    #[inline]
    pub(crate) fn route_and_slot(self, record: &Record) -> Option<(u16, u32)> {
        Some(((self.0 >> 16).try_into().ok()?, self.slot(record)?))
    }
}

impl Default for SingleStop {
    fn default() -> Self {
        Self::NONE
    }
}

type KnownStops = OnceCell<Box<[Stop]>>;

/// The only stop of each layout.
type Singles = OnceCell<Box<[Cell<SingleStop>]>>;

/// The stops of one message type, by layout.
#[derive(Default)]
struct Plan {
    /// The stop of a layout is found from the messagee in one step, since each further one delays the call: W1, W3-in.
    singles: Singles,
    /// The same while somebody may hear a message, or calls are traced. Then a send finds none in `singles`, so that it
    /// has nothing else to ask. Only one of the two tables is ever filled: they are swapped.
    aside: Singles,
    is_aside: bool,
    /// The stops of each layout.
    stops: OnceCell<Box<[KnownStops]>>,
}

impl Plan {
    fn known_singles(&self) -> &Singles {
        if self.is_aside {
            &self.aside
        } else {
            &self.singles
        }
    }

    fn known_singles_mut(&mut self) -> Option<&mut Box<[Cell<SingleStop>]>> {
        self.aside.get_mut().or(self.singles.get_mut())
    }
}

/// The plans of all message types.
#[derive(Default)]
pub(crate) struct Plans {
    by_message: Vec<Plan>,
    /// The number of layouts for which each plan has room as soon as it is used.
    room: usize,
}

impl Plans {
    /// Discards all plans, since the registry has this many message types now.
    pub(crate) fn renew(&mut self, messages: usize, layouts: &Layouts) {
        self.by_message.clear();
        self.by_message.resize_with(messages, Plan::default);
        self.make_room(layouts);
    }

    /// Makes room for new layouts and discards the plans of those that were swept.
    #[inline]
    pub(crate) fn follow(&mut self, layouts: &mut Layouts) {
        if layouts.len() > self.room || !layouts.swept.is_empty() {
            self.follow_changes(layouts);
        }
    }

    #[cold]
    fn follow_changes(&mut self, layouts: &mut Layouts) {
        self.make_room(layouts);
        for layout in std::mem::take(&mut layouts.swept) {
            for plan in &mut self.by_message {
                if let Some(singles) = plan.known_singles_mut() {
                    singles[layout.index()].take();
                }
                if let Some(stops) = plan.stops.get_mut() {
                    stops[layout.index()].take();
                }
            }
        }
    }

    fn make_room(&mut self, layouts: &Layouts) {
        if layouts.len() <= self.room {
            return;
        }
        // All are moved when there are more layouts, so there are at least twice as many each time.
        self.room = layouts.len().next_power_of_two().max(LEAST_ROOM);
        for plan in &mut self.by_message {
            grow(plan.known_singles_mut(), self.room);
            grow(plan.stops.get_mut(), self.room);
        }
    }

    /// Sets whether something has to be done around the sends of a message type, or of all.
    pub(crate) fn set_aside(
        &mut self,
        message: Option<MessageIndex>,
        is_aside: impl Fn(usize) -> bool,
    ) {
        let all = 0..self.by_message.len();
        let changed = message.map_or(all.clone(), |of| of.get()..all.end.min(of.get() + 1));
        for at in changed {
            let plan = &mut self.by_message[at];
            if plan.is_aside != is_aside(at) {
                plan.is_aside = !plan.is_aside;
                std::mem::swap(&mut plan.singles, &mut plan.aside);
            }
        }
    }

    /// Returns the only stop of a message at messagees of a layout, if it is known, there are no others, and nothing has
    /// to be done around the send.
    #[inline]
    pub(crate) fn single(&self, message: MessageIndex, layout: LayoutId) -> SingleStop {
        let plan = self.by_message.get(message.get());
        plan.map_or(SingleStop::NONE, |plan| single(&plan.singles, layout))
    }

    /// Returns `true` if something may have to be done around the sends of a message type.
    pub(crate) fn is_aside(&self, message: MessageIndex) -> bool {
        let plan = self.by_message.get(message.get());
        plan.is_some_and(|plan| plan.is_aside)
    }

    /// Like [`single`](Self::single), even if something has to be done around the send.
    #[inline]
    pub(crate) fn known_single(&self, message: MessageIndex, layout: LayoutId) -> SingleStop {
        let plan = self.by_message.get(message.get());
        plan.map_or(SingleStop::NONE, |plan| {
            single(plan.known_singles(), layout)
        })
    }

    /// Returns the stops of a message at messagees of a layout, if they are known.
    #[inline(always)] // A few loads: W1-two, W8-two.
    pub(crate) fn known(&self, message: MessageIndex, layout: LayoutId) -> Option<&[Stop]> {
        let stops = self.by_message.get(message.get())?.stops.get()?;
        Some(stops.get(layout.index())?.get()?)
    }

    /// Returns the stops of a message at a messagee, in the order in which they receive it: those of its layout, or of a
    /// crowded messagee its own.
    pub(crate) fn stops<'p>(
        &'p self,
        table: &RouteTable,
        record: &Record,
        messagees: &Messagees,
    ) -> Cow<'p, [Stop]> {
        match self.known(table.index, record.layout()) {
            Some(stops) => Cow::Borrowed(stops),
            None => self.find(table, record, messagees),
        }
    }

    /// Finds the stops of a messagee, and stores them unless its layout is [crowded](LayoutId::CROWDED).
    #[cold]
    fn find<'p>(
        &'p self,
        table: &RouteTable,
        record: &Record,
        messagees: &Messagees,
    ) -> Cow<'p, [Stop]> {
        let layout = record.layout();
        let components = messagees.components(record);
        let is_in_list = messagees.layouts.has_many(layout);
        let own = find(table, components, if is_in_list { FEW } else { 0 });
        let plan = self.by_message.get(table.index.get());
        let Some(plan) = plan.filter(|_| layout != LayoutId::CROWDED && layout.index() < self.room)
        else {
            return Cow::Owned(own);
        };
        let singles = plan.known_singles().get_or_init(|| empty(self.room));
        if let [stop] = own[..]
            && let Some(stop) = SingleStop::of(stop)
        {
            singles[layout.index()].set(stop);
        }
        let stops = plan.stops.get_or_init(|| empty(self.room));
        Cow::Borrowed(stops[layout.index()].get_or_init(|| own.into()))
    }
}

#[inline]
fn single(singles: &Singles, layout: LayoutId) -> SingleStop {
    let single = singles.get().and_then(|it| it.get(layout.index()));
    single.map_or(SingleStop::NONE, Cell::get)
}

/// Makes a table by layout.
fn empty<T: Default>(room: usize) -> Box<[T]> {
    (0..room).map(|_| T::default()).collect()
}

/// Makes room in a table by layout, if there is one.
fn grow<T: Default>(table: Option<&mut Box<[T]>>, room: usize) {
    if let Some(table) = table {
        let mut longer = std::mem::take(table).into_vec();
        longer.resize_with(room, T::default);
        *table = longer.into();
    }
}

/// Returns the components that have a route for a message, in order of priority, then of hooking.
fn find(
    table: &RouteTable,
    components: impl Iterator<Item = HookRef>,
    first_place: usize,
) -> Vec<Stop> {
    let stops = components.zip(first_place..).filter_map(|(at, place)| {
        Some(Stop {
            component: u16::try_from(at.component).ok()?,
            route: table.route_to(at.component)?.number,
            place: u32::try_from(place).ok()?,
        })
    });
    let mut stops: Vec<Stop> = stops.collect();
    if table.ranked {
        sort_by_number(&mut stops, |stop| table.route(stop.route).rank.into());
    }
    stops
}
