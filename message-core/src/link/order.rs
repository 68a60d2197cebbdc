//! The order of the handlers of one message type: by priority, then as `before` and `after` say, then
//! by the name of the component type.
//!
//! Handlers of one priority are put on levels: one that runs after another is on a later level. So
//! those that say nothing of each other stay on one level, where the components of a messagee have
//! their turn in the order of hooking.

use std::any::TypeId;

use smallvec::SmallVec;

use crate::handler::HandlerSpec;
use crate::registry::{OrderStep, RegistryError};
use crate::sort::{highest_first, sort_by_number};

/// A rank for each handler of a message type: most have few.
pub(super) type Ranks = SmallVec<[u32; 8]>;

/// A handler that is to be put in order.
pub(super) trait Ordered {
    fn spec(&self) -> &HandlerSpec;
    fn component(&self) -> TypeId;
    fn component_name(&self) -> &'static str;
}

/// Sorts the handlers of a message type, which come sorted by the names of their components. Returns
/// for each its level over all priorities, from 0.
pub(super) fn sort<H: Ordered>(
    message: &'static str,
    handlers: &mut Vec<H>,
) -> Result<Ranks, RegistryError> {
    sort_by_number(handlers, |handler| highest_first(handler.spec().priority));
    let says_nothing =
        |handler: &H| handler.spec().before.is_empty() && handler.spec().after.is_empty();
    if handlers.iter().all(says_nothing) {
        return Ok(ranks(
            handlers.iter().map(|handler| handler.spec().priority),
        ));
    }
    let runs_before = edges(handlers);
    let levels = levels(&runs_before, handlers).map_err(|circle| {
        let step = |&at: &usize| OrderStep {
            component: handlers[at].component_name(),
            priority: handlers[at].spec().priority,
            place: handlers[at].spec().place,
        };
        RegistryError::ContradictoryOrder {
            message,
            circle: circle.iter().map(step).collect(),
        }
    })?;
    let key = |handler: &H, level: usize| {
        // There are fewer levels than handlers.
        highest_first(handler.spec().priority) << u32::BITS | level as u64
    };
    let mut keyed: Vec<(u64, H)> = handlers
        .drain(..)
        .zip(levels)
        .map(|(handler, level)| (key(&handler, level), handler))
        .collect();
    sort_by_number(&mut keyed, |(key, _)| *key);
    let ranks = ranks(keyed.iter().map(|(key, _)| *key));
    handlers.extend(keyed.into_iter().map(|(_, handler)| handler));
    Ok(ranks)
}

/// Returns the ranks of keys that are sorted. Equal keys have the same rank.
fn ranks<K: PartialEq>(keys: impl Iterator<Item = K>) -> Ranks {
    let mut last = None;
    let mut rank = 0;
    let ranks = keys.map(|key| {
        let known = last.replace(key);
        rank += u32::from(known.is_some() && known != last);
        rank
    });
    ranks.collect()
}

/// Returns, for each handler, the handlers that run before it because of `before` and `after`.
fn edges<H: Ordered>(handlers: &[H]) -> Vec<Vec<usize>> {
    let find = |component: TypeId| {
        handlers
            .iter()
            .position(|handler| handler.component() == component)
    };
    let mut runs_before = vec![Vec::new(); handlers.len()];
    for (at, handler) in handlers.iter().enumerate() {
        for component in handler.spec().before {
            if let Some(later) = find(component()) {
                runs_before[later].push(at);
            }
        }
        for component in handler.spec().after {
            runs_before[at].extend(find(component()));
        }
    }
    runs_before
}

/// Returns the level of each handler among those of its priority. An error is a circle: each runs
/// before the next, and the last before the first.
fn levels<H: Ordered>(
    runs_before: &[Vec<usize>],
    handlers: &[H],
) -> Result<Vec<usize>, Vec<usize>> {
    let priority = |at: usize| handlers[at].spec().priority;
    let mut levels = vec![None; handlers.len()];
    for at in 0..handlers.len() {
        // Higher priorities run first, whatever else is said.
        if let Some(&before) = runs_before[at]
            .iter()
            .find(|&&before| priority(before) < priority(at))
        {
            return Err(vec![before, at]);
        }
        visit(at, runs_before, &priority, &mut levels, &mut Vec::new())?;
    }
    Ok(levels.into_iter().flatten().collect())
}

fn visit(
    at: usize,
    runs_before: &[Vec<usize>],
    priority: &dyn Fn(usize) -> i32,
    levels: &mut [Option<usize>],
    path: &mut Vec<usize>,
) -> Result<usize, Vec<usize>> {
    if let Some(level) = levels[at] {
        return Ok(level);
    }
    if let Some(begin) = path.iter().position(|&known| known == at) {
        // The circle was found from the last to the first. Report it from the one with the first name.
        let mut circle = path[begin..].to_vec();
        circle.reverse();
        let first = (0..circle.len()).min_by_key(|&at| circle[at]);
        circle.rotate_left(first.unwrap_or(0));
        return Err(circle);
    }
    path.push(at);
    let mut level = 0;
    for &before in &runs_before[at] {
        if priority(before) == priority(at) {
            level = level.max(1 + visit(before, runs_before, priority, levels, path)?);
        }
    }
    path.pop();
    levels[at] = Some(level);
    Ok(level)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Place;

    struct Handler(HandlerSpec, TypeId, &'static str);

    impl Ordered for Handler {
        fn spec(&self) -> &HandlerSpec {
            &self.0
        }

        fn component(&self) -> TypeId {
            self.1
        }

        fn component_name(&self) -> &'static str {
            self.2
        }
    }

    fn handler<C: 'static>(
        priority: i32,
        before: &'static [fn() -> TypeId],
        after: &'static [fn() -> TypeId],
    ) -> Handler {
        let place = Place { file: "f", line: 1 };
        let spec = HandlerSpec::new("method", priority, false, place).ordered(before, after);
        Handler(spec, TypeId::of::<C>(), std::any::type_name::<C>())
    }

    /// Names and ranks in order, or the error.
    fn sorted(mut handlers: Vec<Handler>) -> Result<Vec<(&'static str, u32)>, String> {
        let ranks = sort("m", &mut handlers).map_err(|error| error.to_string())?;
        let names = handlers.iter().map(Ordered::component_name);
        Ok(names.zip(ranks).collect())
    }

    // holds: send.before-after
    #[test]
    fn priorities_come_first_then_levels_then_names() {
        let order = sorted(vec![
            handler::<i8>(0, &[], &[TypeId::of::<u8>]),
            handler::<u8>(0, &[], &[]),
            handler::<u16>(0, &[], &[]),
            handler::<u32>(5, &[TypeId::of::<i8>], &[]),
            handler::<u64>(-1, &[], &[TypeId::of::<u8>, TypeId::of::<()>]),
        ]);
        let expected = [("u32", 0), ("u8", 1), ("u16", 1), ("i8", 2), ("u64", 3)];
        assert_eq!(order, Ok(expected.to_vec()));
    }

    // holds: send.contradictory-order
    #[test]
    fn what_contradicts_a_priority_is_an_error() {
        let order = sorted(vec![
            handler::<i8>(0, &[TypeId::of::<u8>], &[]),
            handler::<u8>(3, &[], &[]),
        ]);
        let expected = "the handlers of `m` cannot be put in order: `i8` at f:1 is said to run \
                        before `u8` at f:1, which runs first since its priority is higher (3 and \
                        0); give them one priority, or say nothing of their order";
        assert_eq!(order, Err(expected.to_owned()));
    }

    // holds: send.contradictory-order
    #[test]
    fn one_that_runs_before_itself_is_a_circle() {
        let order = sorted(vec![handler::<i8>(0, &[TypeId::of::<i8>], &[])]);
        let expected = "the handlers of `m` cannot be put in order: `i8` at f:1 is said to run \
                        before `i8`; take one `before` or `after` away";
        assert_eq!(order, Err(expected.to_owned()));
    }
}
