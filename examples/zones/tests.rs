//! The road is the same on any number of threads, and nobody gets lost.

use crate::census::Register;
use crate::walker::Walker;
use crate::{FRAME, first, road};

fn run(threads: usize) -> (u64, usize, u32, u32) {
    let (mut rooms, counter) = road(threads, 60).expect("the names differ");
    for _ in 0..120 {
        rooms.frame(FRAME).expect("nobody panics");
    }
    let (mut walkers, mut greeted) = (0, 0);
    for zone in rooms.ids() {
        for (_, walker) in rooms.manager(zone).iter::<Walker>() {
            walkers += 1;
            greeted += walker.greeted();
        }
    }
    let harbor = rooms.manager(first(&rooms));
    let register = harbor.get::<Register>(counter).expect("it stays");
    (rooms.digest().total(), walkers, greeted, register.crossed)
}

#[test]
fn the_road_is_the_same_on_any_number_of_threads() {
    let one = run(1);
    let (_, walkers, greeted, crossed) = one;
    assert_eq!(walkers, 60);
    assert!(
        greeted > 1_000 && crossed > 100,
        "{greeted} greetings, {crossed} crossings"
    );
    assert_eq!([run(2), run(4)], [one, one]);
}
