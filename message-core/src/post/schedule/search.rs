//! A binary search that begins near a guess.

/// Like [`partition_point`](slice::partition_point), but looks near a guess first, then further and further away.
pub(super) fn partition_near<T>(
    items: &[T],
    guess: usize,
    is_before: impl Fn(&T) -> bool,
) -> usize {
    let (mut low, mut high, mut step) = (0, items.len(), 4);
    let guess = guess.min(high.saturating_sub(1));
    if items.get(guess).is_some_and(&is_before) {
        low = guess + 1;
        while low < high {
            let probe = (low + step).min(high) - 1;
            if !is_before(&items[probe]) {
                high = probe;
                break;
            }
            (low, step) = (probe + 1, 2 * step);
        }
    } else {
        high = guess;
        while low < high {
            let probe = high.saturating_sub(step);
            if is_before(&items[probe]) {
                low = probe + 1;
                break;
            }
            (high, step) = (probe, 2 * step);
        }
    }
    low + items[low..high].partition_point(is_before)
}

#[cfg(test)]
mod tests {
    use super::partition_near;

    #[test]
    fn it_finds_what_a_plain_search_finds_whatever_the_guess() {
        for len in 0..40 {
            let items: Vec<u32> = (0..len).collect();
            for sought in 0..=len {
                for guess in 0..=len as usize {
                    let found = partition_near(&items, guess, |item| *item < sought);
                    assert_eq!(found, sought as usize, "{len} {guess}");
                }
            }
        }
    }
}
