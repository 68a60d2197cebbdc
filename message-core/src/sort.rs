//! Sorting by a number, compiled once for all lists: a sort of the standard library is five to twenty kilobytes for
//! each type of values.

/// Sorts numbers, each with the place of its value. Among equal numbers the first place comes first.
#[inline(never)]
pub(crate) fn sort_numbers(numbers: &mut [(u64, usize)]) {
    numbers.sort_unstable();
}

/// Sorts values by a number. Equal ones stay in their order.
pub(crate) fn sort_by_number<T>(values: &mut Vec<T>, number: impl Fn(&T) -> u64) {
    if values.is_sorted_by_key(&number) {
        return;
    }
    let mut numbers: Vec<_> = values.iter().map(number).zip(0..).collect();
    sort_numbers(&mut numbers);
    let mut unsorted: Vec<Option<T>> = values.drain(..).map(Some).collect();
    let sorted = numbers.iter().filter_map(|&(_, at)| unsorted[at].take());
    values.extend(sorted);
}

/// Returns the number by which larger priorities come first.
pub(crate) fn highest_first(priority: i32) -> u64 {
    u64::from(priority.abs_diff(i32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_sorted_and_equal_ones_stay_in_their_order() {
        let mut values: Vec<(u64, usize)> = (0..100).map(|at| (at as u64 * 7 % 10, at)).collect();
        let mut expected = values.clone();
        expected.sort_unstable();
        sort_by_number(&mut values, |(number, _)| *number);
        assert_eq!(values, expected);
        sort_by_number(&mut values, |(_, at)| u64::MAX - *at as u64);
        assert!(values.is_sorted_by_key(|(_, at)| std::cmp::Reverse(*at)));
    }

    #[test]
    fn the_highest_priority_comes_first() {
        let mut priorities = vec![0, i32::MIN, 5, i32::MAX, -1];
        sort_by_number(&mut priorities, |priority| highest_first(*priority));
        assert_eq!(priorities, [i32::MAX, 5, 0, -1, i32::MIN]);
    }
}
