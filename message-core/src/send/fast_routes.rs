//! What the short way of a send asks instead of all the lists: for each message type the one component
//! type that handles it, or that there are two, as long as nobody listens to it.

use crate::message::MessageIndex;

/// Stands where nobody can be sent to directly: no component type has this index.
const NONE: u32 = u32::MAX;

/// Is set in an index where somebody may hear the message. No component type has such an index.
const HEARD: u32 = 1 << 31;

/// Is set in an index where a panic ends with the component. No component type has such an index.
const GUARDED: u32 = 1 << 30;

/// Stands where two component types handle the message. No component type has this index.
const PAIR: u32 = 1 << 29;

#[derive(Debug, Default)]
pub(crate) struct FastRoutes {
    /// By message type, the only component type that handles it, or [`PAIR`] or [`NONE`].
    singles: Box<[u32]>,
    /// The same, as a send is told.
    open: Box<[u32]>,
    /// What stands in `open` when somebody listens to everything if nobody does now, or when nobody does
    /// if somebody does now.
    other: Box<[u32]>,
    /// Somebody listens to everything.
    all_heard: bool,
}

impl FastRoutes {
    /// Stands for two component types.
    pub(crate) const PAIR: u32 = PAIR;

    /// With the only handling component type of each message type that has just one, or [`PAIR`]. `guarded`:
    /// a panic ends with the component.
    pub(crate) fn new(singles: impl Iterator<Item = Option<u32>>, guarded: bool) -> Self {
        let guard = if guarded { GUARDED } else { 0 };
        let singles: Box<[u32]> = singles.map(|single| single.unwrap_or(NONE)).collect();
        let marked = |mark: u32| singles.iter().map(|single| single | mark).collect();
        Self {
            open: marked(guard),
            other: marked(guard | HEARD),
            all_heard: false,
            singles,
        }
    }

    /// The index of the only component type that handles the message, if there is just one, nobody
    /// listens, and panics go on; otherwise none, or one that no component type has.
    #[inline]
    pub(crate) fn component(&self, message: MessageIndex) -> Option<u32> {
        self.open.get(message.get()).copied()
    }

    /// The only component type that handles a message, of what [`component`](Self::component) has
    /// returned, if nobody listens and a panic ends with the component.
    #[inline]
    pub(crate) fn guarded(component: u32) -> Option<u32> {
        (component & (HEARD | GUARDED) == GUARDED).then_some(component & !GUARDED)
    }

    /// Returns `true` if somebody may listen to a message of which [`component`](Self::component) has
    /// returned that.
    #[inline]
    pub(crate) fn may_be_heard(component: u32) -> bool {
        component >= HEARD
    }

    /// The only component type that handles a message, of what [`component`](Self::component) has
    /// returned, if somebody may listen and panics go on.
    #[inline]
    pub(crate) fn heard(component: u32) -> Option<u32> {
        (component & (HEARD | GUARDED) == HEARD).then_some(component & !HEARD)
    }

    /// As [`heard`](Self::heard) of what [may be heard](Self::may_be_heard): where a panic ends with the
    /// component, or there is not just one type, an index that no component type has.
    #[inline]
    pub(crate) fn unheard(component: u32) -> u32 {
        component & !HEARD
    }

    /// The index of the only component type that handles the message, if there is just one, also if
    /// somebody listens.
    pub(crate) fn single(&self, message: MessageIndex) -> Option<u32> {
        let single = self.singles.get(message.get()).copied();
        single.filter(|&component| component < PAIR)
    }

    /// Somebody listens to a message type, or nobody any more.
    pub(crate) fn set_heard(&mut self, message: MessageIndex, heard: bool) {
        let routes = if self.all_heard {
            &mut self.other
        } else {
            &mut self.open
        };
        if let Some(route) = routes.get_mut(message.get())
            && *route != NONE
        {
            *route = if heard {
                *route | HEARD
            } else {
                *route & !HEARD
            };
        }
    }

    /// Somebody listens to everything, or nobody any more.
    pub(crate) fn set_all_heard(&mut self, all: bool) {
        if all != self.all_heard {
            self.all_heard = all;
            std::mem::swap(&mut self.open, &mut self.other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_heard_while_somebody_listens_to_everything_is_heard_afterwards() {
        let [one, other] = [MessageIndex(0), MessageIndex(1)];
        let mut routes = FastRoutes::new([Some(7), Some(8)].into_iter(), false);
        let told = |routes: &FastRoutes| {
            [one, other].map(|it| {
                let component = routes.component(it).expect("it is a known type");
                (component, FastRoutes::heard(component))
            })
        };
        let heard = |component| (component | HEARD, Some(component));
        routes.set_heard(one, true);
        for all in [true, true, false] {
            routes.set_all_heard(all);
        }
        assert_eq!(told(&routes), [heard(7), (8, None)]);
        routes.set_all_heard(true);
        routes.set_heard(one, false);
        routes.set_heard(other, true);
        assert_eq!(told(&routes), [heard(7), heard(8)]);
        for _ in 0..2 {
            routes.set_all_heard(false);
            assert_eq!(told(&routes), [(7, None), heard(8)]);
        }
    }

    #[test]
    fn a_pair_is_one_as_long_as_nobody_listens_and_panics_go_on() {
        let [pair, one] = [MessageIndex(0), MessageIndex(1)];
        let singles = [Some(PAIR), Some(7)];
        let mut routes = FastRoutes::new(singles.into_iter(), false);
        let told = |routes: &FastRoutes| [pair, one].map(|it| routes.component(it) == Some(PAIR));
        assert_eq!(told(&routes), [true, false]);
        assert_eq!([pair, one].map(|it| routes.single(it)), [None, Some(7)]);
        routes.set_heard(pair, true);
        assert_eq!(told(&routes), [false; 2]);
        routes.set_heard(pair, false);
        routes.set_all_heard(true);
        assert_eq!(told(&routes), [false; 2]);
        routes.set_all_heard(false);
        assert_eq!(told(&routes), [true, false]);
        let guarded = FastRoutes::new(singles.into_iter(), true);
        assert_eq!(told(&guarded), [false; 2]);
    }

    #[test]
    fn a_route_is_guarded_as_long_as_nobody_listens() {
        let [one, many] = [MessageIndex(0), MessageIndex(1)];
        let mut routes = FastRoutes::new([Some(7), None].into_iter(), true);
        let guarded = |routes: &FastRoutes| {
            [one, many].map(|it| FastRoutes::guarded(routes.component(it).unwrap_or(NONE)))
        };
        assert_eq!(guarded(&routes), [Some(7), None]);
        routes.set_heard(many, true);
        assert_eq!(guarded(&routes), [Some(7), None]);
        routes.set_heard(one, true);
        assert_eq!(guarded(&routes), [None; 2]);
        routes.set_all_heard(true);
        for it in [one, many] {
            routes.set_heard(it, false);
        }
        assert_eq!(guarded(&routes), [None; 2]);
        routes.set_all_heard(false);
        assert_eq!(guarded(&routes), [Some(7), None]);
        assert_eq!([one, many].map(|it| routes.single(it)), [Some(7), None]);
    }
}
