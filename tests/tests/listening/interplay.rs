//! Where subscriptions, kept messages, stages and dead letters meet.

use std::error::Error;
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use message_core::PostKey;
use message_core::Recipient::Me;
use message_core::error::Undelivered;
use message_core::lifecycle::{DeadLetter, HandlerFailed};
use message_core::prelude::*;

type Tested = Result<(), Box<dyn Error>>;

#[derive(Message)]
struct Bad;

#[derive(Message, Debug, Clone, PartialEq)]
struct Note(u32);

/// Not `Clone`.
#[derive(Message)]
struct Tour;

group!(CREW);

/// Fails on `Bad`, and sends itself another when it hears of a failure.
#[derive(Default)]
struct Whiner {
    tries: usize,
    failures: usize,
}

#[handlers]
impl Whiner {
    #[on_receive]
    fn fail(&mut self, _: &Bad, cx: &mut Context<'_>) -> Result<(), String> {
        self.tries += 1;
        Err(format!("{} cannot", cx.me()))
    }

    #[on_receive]
    fn whine(&mut self, _: &HandlerFailed, cx: &mut Context<'_>) -> Result<(), SendError> {
        self.failures += 1;
        cx.send(Me, Bad)?;
        Ok(())
    }
}

#[derive(Default)]
struct Reader {
    read: Vec<u32>,
}

#[handlers]
impl Reader {
    #[on_receive]
    fn read(&mut self, note: &Note) {
        self.read.push(note.0);
    }
}

fn letters(manager: &mut MessageManager) -> Receiver<Undelivered> {
    let (said, letters) = channel();
    manager.subscribe(Filter::of::<DeadLetter>().hidden(), move |letter, _| {
        said.send(letter.why.clone()).expect("the test listens");
    });
    letters
}

// holds: send.failure-while-telling
#[test]
fn a_failure_on_the_way_of_telling_a_failure_is_not_told_even_if_it_was_kept_meanwhile() -> Tested {
    let mut manager = MessageManager::new();
    let whiner = manager.spawn((Whiner::default(),));
    assert_eq!(manager.send(whiner, Bad)?.failed, 2);
    let whiner = manager.get::<Whiner>(whiner)?;
    assert_eq!((whiner.tries, whiner.failures), (2, 1));
    Ok(())
}

// holds: subscriptions.made-in-handler
#[test]
fn a_subscription_made_by_the_handler_that_fails_hears_of_the_failure() -> Tested {
    #[derive(Default)]
    struct Careful {
        tours: usize,
    }
    #[handlers]
    impl Careful {
        #[on_receive]
        fn fail(&mut self, _: &Tour, cx: &mut Context<'_>) -> Result<(), String> {
            cx.subscribe(Filter::of::<HandlerFailed>(), |failed, cx| {
                let sent = cx.send(failed.messagee, Note(1));
                sent.expect("it is alive");
            });
            self.tours += 1;
            Err("too far".to_owned())
        }
    }

    let mut manager = MessageManager::new();
    let careful = manager.spawn((Careful::default(), Reader::default()));
    manager.send(careful, Tour)?;
    assert_eq!(manager.get::<Reader>(careful)?.read, [1]);
    Ok(())
}

// holds: subscriptions.busy-before-dead-letter
#[test]
fn what_a_busy_interceptor_had_accepted_and_nobody_receives_then_is_a_dead_letter() -> Tested {
    let mut manager = MessageManager::new();
    let letters = letters(&mut manager);
    let wanted = Header::to(CREW).require(1).build()?;
    manager.subscribe(Filter::of::<Note>().before(), move |note, cx| {
        if note.0 == 0 {
            cx.post(&wanted, Note(1)).expect("it waits");
        }
        ControlFlow::Continue(())
    });
    let reader = manager.spawn((Reader::default(),));
    manager.send(reader, Note(0))?;
    let why = letters.try_recv()?;
    assert!(matches!(why, Undelivered::EmptyGroup { .. }), "{why:?}");

    // Two are wanted and two are there, which nobody could know while it waited.
    let two = Header::to(CREW).require(2).build()?;
    let mut manager = MessageManager::new();
    let crew = [(); 2].map(|()| manager.spawn((Reader::default(),)));
    for one in crew {
        manager.join(CREW, one)?;
    }
    manager.subscribe(Filter::of::<Note>().before(), move |note, cx| {
        if note.0 == 0 {
            cx.post(&two, Note(2)).expect("it waits");
        }
        ControlFlow::Continue(())
    });
    manager.send(crew[0], Note(0))?;
    assert_eq!(manager.get::<Reader>(crew[0])?.read, [2, 0]);
    assert_eq!(manager.get::<Reader>(crew[1])?.read, [2]);
    Ok(())
}

// holds: subscriptions.once
#[test]
fn one_that_is_once_and_did_not_receive_its_message_waits_for_another() -> Tested {
    let mut manager = MessageManager::new();
    let reader = manager.spawn((Reader::default(),));
    let (heard, told) = channel();
    let once = Filter::of::<Tour>().once().stage(Stage::Update);
    manager.subscribe(once, move |_, _| heard.send(()).expect("the test listens"));
    // Not `Clone`, and it stays with its sender.
    manager.send_mut(reader, &mut Tour)?;
    manager.tick(Duration::ZERO);
    assert!(told.try_recv().is_err());
    manager.send(reader, Tour)?;
    manager.send(reader, Tour)?;
    manager.tick(Duration::ZERO);
    manager.tick(Duration::ZERO);
    assert_eq!(told.try_iter().count(), 1);
    Ok(())
}

// holds: subscriptions.once, headers.max-pending
#[test]
fn one_that_finds_no_room_in_its_stage_does_not_count_and_waits_for_another() -> Tested {
    let config = ManagerConfig::new().max_pending(1);
    let mut manager = MessageManager::with_config(config);
    let letters = letters(&mut manager);
    let reader = manager.spawn(());
    let (heard, told) = channel();
    let late = Filter::of::<Note>().stage(Stage::LateUpdate);
    let first = manager.subscribe(late.clone(), |_, _| ());
    manager.subscribe(late.once(), move |note, _| {
        heard.send(note.0).expect("the test listens");
    });
    assert_eq!(manager.send(reader, Note(1))?.pending, 1);
    assert!(matches!(letters.try_recv()?, Undelivered::Refused { .. }));
    manager.tick(Duration::ZERO);
    manager.unsubscribe(first);
    manager.send(reader, Note(2))?;
    manager.tick(Duration::ZERO);
    assert_eq!(told.try_iter().collect::<Vec<_>>(), [2]);
    Ok(())
}

// holds: time.key-drop-panics
#[test]
fn a_panic_in_the_drop_of_a_replaced_message_leaves_the_new_one_under_its_key() -> Tested {
    #[derive(Message)]
    struct Fragile(bool);
    impl Drop for Fragile {
        fn drop(&mut self) {
            assert!(!self.0, "broken");
        }
    }

    let mut manager = MessageManager::new();
    let shelf = manager.spawn(());
    let header = Header::to(shelf).after_frames(1).key("vase").build()?;
    manager.post(&header, Fragile(true))?;
    let post = || manager.post(&header, Fragile(false));
    let broken = std::panic::catch_unwind(std::panic::AssertUnwindSafe(post));
    assert!(broken.is_err());
    assert!(manager.has_pending(PostKey::from("vase")));
    manager.post(&header, Fragile(false))?;
    assert_eq!(manager.pending_posts(Posts::all()).len(), 1);
    assert_eq!(manager.tick(Duration::ZERO).delivered, 1);
    Ok(())
}
