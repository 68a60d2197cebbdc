//! Posts and questions of several threads in random orders of their steps. A wait has no timeout here, so a lost wake-up
//! is a deadlock, which `shuttle` reports.

use std::time::Duration;

use shuttle::future::block_on;
use shuttle::sync::Arc;
use shuttle::sync::atomic::{AtomicUsize, Ordering};
use shuttle::thread;

use crate::inlet::{AskError, InletError};
use crate::prelude::*;

/// The number of orders that each test tries. The environment variable `SHUTTLE_ORDERS` changes it.
fn in_many_orders(test: fn()) {
    let orders = std::env::var("SHUTTLE_ORDERS").map_or(5_000, |it| it.parse().expect("a number"));
    shuttle::check_random(test, orders);
    shuttle::check_pct(test, orders, 3);
}

const FRAME: Duration = Duration::from_millis(16);
/// Never ends here.
const PATIENCE: Duration = Duration::from_secs(1);

#[derive(Message)]
struct Note {
    author: usize,
    number: usize,
}

#[derive(Message)]
#[message(reply = usize)]
struct Count;

#[derive(Default)]
struct Desk(Vec<(usize, usize)>);

#[handlers]
impl Desk {
    #[on_receive]
    fn note(&mut self, note: &Note) {
        self.0.push((note.author, note.number));
    }

    #[on_receive]
    fn count(&self, _: &Count) -> usize {
        self.0.len()
    }
}

fn world(capacity: u32) -> (MessageManager, MessageeId) {
    let config = ManagerConfig::new().inlet_capacity(capacity);
    let mut manager = MessageManager::with_config(config);
    let desk = manager.spawn((Desk::default(),));
    (manager, desk)
}

#[test]
fn authors_that_wait_for_room_all_post_in_their_order() {
    in_many_orders(|| {
        let (mut manager, desk) = world(1);
        let authors: Vec<_> = (0..3)
            .map(|author| {
                let inlet = manager.inlet();
                thread::spawn(move || {
                    for number in 0..2 {
                        let posted =
                            inlet.post(Header::to(desk), Note { author, number }, PATIENCE);
                        posted.expect("there will be room");
                    }
                })
            })
            .collect();
        while manager.get::<Desk>(desk).expect("it is there").0.len() < 6 {
            manager.tick(FRAME);
            thread::yield_now();
        }
        for author in authors {
            author.join().expect("it did not panic");
        }
        let notes = &manager.get::<Desk>(desk).expect("it is there").0;
        for author in 0..3 {
            let of_author = notes.iter().filter(|it| it.0 == author);
            assert!(of_author.map(|it| it.1).eq(0..2), "{notes:?}");
        }
    });
}

#[test]
fn askers_that_wait_and_poll_are_woken() {
    in_many_orders(|| {
        let (mut manager, desk) = world(2);
        let (first, second) = (manager.inlet(), manager.inlet());
        let answered = Arc::new(AtomicUsize::new(0));
        let (waited, polled) = (Arc::clone(&answered), Arc::clone(&answered));
        thread::spawn(move || {
            assert_eq!(first.ask(desk, Count).wait(PATIENCE), Ok(0));
            waited.fetch_add(1, Ordering::SeqCst);
        });
        thread::spawn(move || {
            assert_eq!(block_on(second.ask(desk, Count)), Ok(0));
            polled.fetch_add(1, Ordering::SeqCst);
        });
        while answered.load(Ordering::SeqCst) < 2 {
            manager.tick(FRAME);
            thread::yield_now();
        }
    });
}

#[test]
fn nobody_waits_for_a_manager_that_was_dropped() {
    in_many_orders(|| {
        let (manager, desk) = world(1);
        let (first, second) = (manager.inlet(), manager.inlet());
        let author = thread::spawn(move || {
            let post = |number| first.post(Header::to(desk), Note { author: 0, number }, PATIENCE);
            // There is no room for the second one.
            post(0).and_then(|()| post(1))
        });
        let asking = thread::spawn(move || second.ask(desk, Count).wait(PATIENCE));
        drop(manager);
        let posted = author.join().expect("it did not panic");
        assert!(
            matches!(posted, Err(InletError::Closed { .. })),
            "{posted:?}"
        );
        let error = asking.join().expect("it did not panic");
        let error = error.expect_err("nobody answers");
        assert!(
            matches!(error, AskError::Closed { .. } | AskError::Full { .. }),
            "{error}"
        );
    });
}
