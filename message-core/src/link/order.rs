//! The order of the handlers of one message type: by priority, then as `before` and `after` say, then
//! by the name of the component type.
//!
//! Handlers of one priority are put on levels: one that runs after another is on a later level. So
//! those that say nothing of each other stay on one level, where the components of a messagee have
//! their turn in the order of hooking.

use std::any::TypeId;
use std::cmp::Ordering;

use crate::handler::HandlerRow;
use crate::registry::{OrderStep, RegistryError};
use crate::sort::{highest_first, sort_by_number};

/// Sorts the handlers of a message type, which come sorted by the names of their components. Returns
/// each with its rank: its level over all priorities, from 0.
pub(super) fn sort<'h>(
    message: &'static str,
    handlers: Vec<&'h HandlerRow>,
) -> Result<Vec<(u32, &'h HandlerRow)>, RegistryError> {
    let levels = levels(&handlers).map_err(|circle| {
        let step = |&at: &usize| OrderStep {
            component: (handlers[at].component_name)(),
            priority: handlers[at].spec.priority,
            place: handlers[at].spec.place,
        };
        RegistryError::ContradictoryOrder {
            message,
            circle: circle.iter().map(step).collect(),
        }
    })?;
    let keyed = handlers.into_iter().zip(levels).map(|(row, level)| {
        let key = highest_first(row.spec.priority) << u32::BITS | u64::from(level);
        (key, row)
    });
    let mut keyed: Vec<_> = keyed.collect();
    sort_by_number(&mut keyed, |(key, _)| *key);
    let levels = (0..).zip(keyed.chunk_by(|(key, _), (next, _)| key == next));
    let ranked = levels.flat_map(|(rank, rows)| rows.iter().map(move |(_, row)| (rank, *row)));
    Ok(ranked.collect())
}

/// Returns, for each handler, the handlers that run before it because of `before` and `after`.
fn edges(handlers: &[&HandlerRow]) -> Vec<Vec<usize>> {
    let find = |component: &fn() -> TypeId| {
        let mut rows = handlers.iter();
        rows.position(|row| row.component() == component())
    };
    let mut runs_before = vec![Vec::new(); handlers.len()];
    for (at, row) in handlers.iter().enumerate() {
        for later in row.spec.before.iter().filter_map(find) {
            runs_before[later].push(at);
        }
        runs_before[at].extend(row.spec.after.iter().filter_map(find));
    }
    runs_before
}

/// Returns the level of each handler among those of its priority. An error is a circle: each runs
/// before the next, and the last before the first.
fn levels(handlers: &[&HandlerRow]) -> Result<Vec<u32>, Vec<usize>> {
    let runs_before = edges(handlers);
    let (mut levels, mut path) = (vec![None; handlers.len()], Vec::new());
    for at in 0..handlers.len() {
        visit(at, handlers, &runs_before, &mut levels, &mut path)?;
    }
    Ok(levels.into_iter().flatten().collect())
}

fn visit(
    at: usize,
    handlers: &[&HandlerRow],
    runs_before: &[Vec<usize>],
    levels: &mut [Option<u32>],
    path: &mut Vec<usize>,
) -> Result<u32, Vec<usize>> {
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
        // Higher priorities run first, whatever else is said.
        let priority = |at: usize| handlers[at].spec.priority;
        match priority(before).cmp(&priority(at)) {
            Ordering::Less => return Err(vec![before, at]),
            Ordering::Equal => {
                level = level.max(1 + visit(before, handlers, runs_before, levels, path)?);
            }
            Ordering::Greater => {}
        }
    }
    path.pop();
    levels[at] = Some(level);
    Ok(level)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handler::HandlerSpec;
    use crate::lifecycle::Hooked;
    use crate::message::Message;
    use crate::registry::Place;

    fn handler<C: 'static>(
        priority: i32,
        before: &'static [fn() -> TypeId],
        after: &'static [fn() -> TypeId],
    ) -> HandlerRow {
        let place = Place { file: "f", line: 1 };
        HandlerRow {
            component: TypeId::of::<C>,
            component_name: std::any::type_name::<C>,
            message: Hooked::FACTS,
            spec: HandlerSpec::new("method", priority, false, place).ordered(before, after),
            shared: true,
            takes_context: false,
            #[cfg(feature = "rayon")]
            parallel: false,
            run: &(),
            call: |_, _, _, _, _| unreachable!("nobody is called"),
            walk: |_, _, _, _, _| unreachable!("nobody is called"),
        }
    }

    /// Names and ranks in order, or the error.
    fn sorted(rows: &[HandlerRow]) -> Result<Vec<(&'static str, u32)>, String> {
        let sorted = sort("m", rows.iter().collect()).map_err(|error| error.to_string())?;
        let named = |(rank, row): (u32, &HandlerRow)| ((row.component_name)(), rank);
        Ok(sorted.into_iter().map(named).collect())
    }

    // holds: send.before-after
    #[test]
    fn priorities_come_first_then_levels_then_names() {
        let order = sorted(&[
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
        let order = sorted(&[
            handler::<i8>(0, &[TypeId::of::<u8>], &[]),
            handler::<u8>(3, &[], &[]),
        ]);
        let expected = "the handlers of `m` cannot be ordered: `i8` at f:1 is declared to run \
                        before `u8` at f:1, which runs first because its priority is higher (3 and 0); give them \
                        the same priority, or remove the `before` or `after`";
        assert_eq!(order, Err(expected.to_owned()));
    }

    // holds: send.contradictory-order
    #[test]
    fn one_that_runs_before_itself_is_a_circle() {
        let order = sorted(&[handler::<i8>(0, &[TypeId::of::<i8>], &[])]);
        let expected = "the handlers of `m` cannot be ordered: `i8` at f:1 is declared to run \
                        before `i8`; remove one `before` or `after`";
        assert_eq!(order, Err(expected.to_owned()));
    }
}
