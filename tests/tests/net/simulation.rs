//! Many worlds under random faults, seed by seed. `SIMULATION_SEEDS` sets the number of seeds for each test. The example
//! `simulation` runs more and larger ones.

use crate::simulated::{Size, repeat, run};

/// Runs seeds from the first one on, and some of them twice.
fn holds(first: u64) {
    let seeds = std::env::var("SIMULATION_SEEDS").map_or(50, |it| it.parse().expect("a number"));
    for seed in first..first + seeds {
        let first = run(seed, Size::Small);
        let wrong = &first.wrong;
        let again = repeat(seed, Size::Small);
        assert!(
            wrong.is_empty(),
            "seed {seed}: {wrong:#?}\nrepeat it: {again}"
        );
        if seed.is_multiple_of(10) {
            let second = run(seed, Size::Small);
            assert_eq!(first, second, "seed {seed} differs from itself: {again}");
        }
    }
}

// holds: net.in-order-once, net.long-cut, net.one-answer, net.watched-told, net.waiting-dead-letter
#[test]
fn every_message_is_accounted_for_once_and_in_order_under_random_faults() {
    holds(0);
}

// holds: net.logged, logs.same-inputs
#[test]
fn the_same_seed_gives_the_same_run_and_a_log_of_it_repeats_without_a_network() {
    holds(1_000_000);
}
