//! Counts steps of work in unit tests, so that a test can check how the work grows with a text, without a clock.
//! Nothing is counted otherwise.

#[cfg(test)]
thread_local! {
    static STEPS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Adds `count` steps.
#[inline]
pub(crate) fn step(count: usize) {
    #[cfg(test)]
    STEPS.set(STEPS.get() + count);
    #[cfg(not(test))]
    let _ = count;
}

/// Returns how many steps a function takes.
#[cfg(test)]
pub(crate) fn count(act: impl FnOnce()) -> usize {
    let before = STEPS.get();
    act();
    STEPS.get() - before
}
