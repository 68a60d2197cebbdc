//! Counts steps of work with the feature `steps`, so that a test can check how the work grows with a text, without a
//! clock. Nothing is counted otherwise.

#[cfg(any(test, feature = "steps"))]
thread_local! {
    static STEPS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Adds `count` steps. Does nothing without the feature `steps`.
#[inline]
pub fn step(count: usize) {
    #[cfg(any(test, feature = "steps"))]
    STEPS.set(STEPS.get() + count);
    #[cfg(not(any(test, feature = "steps")))]
    let _ = count;
}

/// Returns how many steps a function takes. Needs the feature `steps`.
#[cfg(any(test, feature = "steps"))]
pub fn count(act: impl FnOnce()) -> usize {
    let before = STEPS.get();
    act();
    STEPS.get() - before
}
