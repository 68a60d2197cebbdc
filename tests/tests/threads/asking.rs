//! Questions through the inlet: answered when a frame begins, for threads that wait and for async tasks.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context as Cx, Poll, Wake, Waker};
use std::thread;
use std::time::Duration;

use crate::common::{Do, Note, Tested, Who, panic_of};
use crate::inlets::{HERE, NOBODY, STEP, framed, framed_with, to};
use crate::letters::letters;
use message_core::Recipient::Me;
use message_core::prelude::*;
use message_core::trace::{SentBy, Traced};
use message_core::{Answer, AskError, Inlet};
use message_trace::{Recorder, TraceFilter};

/// Time limit for anything that must not hang.
const PATIENCE: Duration = Duration::from_secs(100);

/// Asks the receiver to do something first.
#[derive(Message)]
#[message(reply = u32)]
struct Count(Do);

/// Counts, fails, declines and panics.
#[derive(Default)]
struct Counter {
    count: u32,
    places: Vec<u32>,
}

#[handlers]
impl Counter {
    #[on_receive]
    fn count(&mut self, count: &mut Count, cx: &mut Context<'_>) -> u32 {
        assert_eq!(cx.sender(), Sender::Outside);
        self.places.push(cx.envelope().place.line());
        count.0.run(cx);
        self.count += 1;
        self.count
    }

    #[on_receive]
    fn note(&mut self, note: &Note) {
        self.count += note.0.parse::<u32>().unwrap_or(0);
    }

    #[on_receive]
    fn fail(&mut self, refuse: &Refuse) -> Result<Option<u8>, HandlerError> {
        match refuse {
            Refuse::Fail => Err("broken".into()),
            Refuse::Decline => Ok(None),
            Refuse::Panic => panic!("the counter panics"),
        }
    }
}

#[derive(Message)]
#[message(reply = u8)]
enum Refuse {
    Fail,
    Decline,
    Panic,
}

fn count() -> Count {
    Count(Do::new(|_| {}))
}

/// A waker that counts, and does something when it is called.
struct Bell {
    rung: AtomicUsize,
    then: Box<dyn Fn() + Send + Sync>,
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.rung.fetch_add(1, Ordering::SeqCst);
        (self.then)();
    }
}

fn bell(then: impl Fn() + Send + Sync + 'static) -> Arc<Bell> {
    Arc::new(Bell {
        rung: AtomicUsize::new(0),
        then: Box::new(then),
    })
}

fn poll<R>(answer: &mut Answer<R>, bell: &Arc<Bell>) -> Poll<Result<R, AskError>> {
    let waker = Waker::from(Arc::clone(bell));
    Pin::new(answer).poll(&mut Cx::from_waker(&waker))
}

/// Returns an answer that must be there.
fn now<R>(answer: &mut Answer<R>) -> Result<R, AskError> {
    answer.wait(Duration::ZERO)
}

fn counting() -> (MessageManager, MessageeId, Inlet) {
    let mut manager = MessageManager::new();
    let counter = manager.spawn((Counter::default(),));
    let inlet = manager.inlet();
    (manager, counter, inlet)
}

// holds: threads.ask, threads.order
#[test]
fn a_question_takes_its_turn_among_the_messages_and_is_answered_when_a_frame_begins() -> Tested {
    let (mut manager, counter, inlet) = counting();
    let mut first = inlet.ask(counter, count());
    let line = line!() - 1;
    inlet.try_post(&to(counter), Note("10"))?;
    let mut second = inlet.ask(counter, count());
    assert_eq!(inlet.len(), 3);
    assert!(matches!(now(&mut first), Err(AskError::TimedOut { .. })));
    assert_eq!(manager.tick(STEP).drained, 3);
    assert_eq!((now(&mut first)?, now(&mut second)?), (1, 12));
    let places = &manager.get::<Counter>(counter)?.places;
    assert_eq!(*places, [line, line + 3]);
    Ok(())
}

// holds: threads.ask
#[test]
fn many_threads_ask_through_clones_of_an_inlet_and_each_gets_its_own_answer() -> Tested {
    let (mut manager, counter, inlet) = counting();
    let ask = |_| {
        let inlet = inlet.clone();
        let ask = move || inlet.ask(counter, count()).wait(PATIENCE);
        thread::spawn(move || (0..100).map(|_| ask()).collect::<Result<Vec<u32>, _>>())
    };
    let threads: Vec<_> = (0..4).map(ask).collect();
    while !threads.iter().all(thread::JoinHandle::is_finished) {
        manager.tick(STEP);
        thread::yield_now();
    }
    let mut answers = Vec::new();
    for thread in threads {
        let own = thread.join().expect("it does not panic")?;
        assert!(own.is_sorted());
        answers.extend(own);
    }
    answers.sort_unstable();
    assert!(answers.into_iter().eq(1..=400));
    Ok(())
}

// holds: threads.ask
#[test]
fn interceptors_mnemonics_and_several_receivers_are_those_of_a_request() -> Tested {
    let (mut manager, _, actor, ear) = framed();
    manager.bind(HERE, ear)?;
    let mut everyone = manager.inlet().ask(Everyone, Who);
    let mut by_mnemonic = manager.inlet().ask(HERE, Who);
    manager.tick(STEP);
    assert_eq!(now(&mut everyone)?, manager.request(Everyone, Who)?);
    assert_eq!(now(&mut by_mnemonic)?, "ear");
    let mut later = manager.inlet().ask(HERE, Who);
    manager.unbind(HERE, ear)?;
    manager.bind(HERE, actor)?;
    manager.tick(STEP);
    assert_eq!(now(&mut later)?, "actor");
    Ok(())
}

// holds: threads.ask-settled
#[test]
fn the_answer_comes_when_what_follows_is_settled_and_before_the_next_message() -> Tested {
    let (mut manager, counter, inlet) = counting();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = |what: &'static str| {
        let seen = Arc::clone(&seen);
        move || seen.lock().expect("nobody panics").push(what)
    };
    let (answered, settled, next) = (log("answered"), log("settled"), log("next"));
    manager.subscribe(
        Filter::of::<message_core::lifecycle::Despawning>(),
        move |_, _| settled(),
    );
    manager.subscribe(Filter::of::<Note>(), move |_, _| next());
    let other = manager.spawn(());
    let despawn = Do::new(move |cx| cx.despawn(other).expect("it is alive"));
    let mut answer = inlet.ask(counter, Count(despawn));
    inlet.try_post(&to(counter), Note("0"))?;
    assert!(poll(&mut answer, &bell(answered)).is_pending());
    manager.tick(STEP);
    assert_eq!(now(&mut answer)?, 1);
    assert_eq!(
        *seen.lock().expect("nobody panics"),
        ["settled", "answered", "next"]
    );
    Ok(())
}

// holds: threads.ask-errors
#[test]
fn an_error_says_why_there_is_no_answer_and_there_is_no_dead_letter() -> Tested {
    let (mut manager, counter, inlet) = counting();
    let said = letters(&mut manager);
    let rock = manager.spawn(());
    let gone = manager.spawn(());
    manager.despawn(gone)?;
    let mut unhandled = inlet.ask(rock, count());
    let mut fails = inlet.ask(counter, Refuse::Fail);
    let mut declines = inlet.ask(counter, Refuse::Decline);
    let mut nobody = inlet.ask(NOBODY, count());
    let mut dead = inlet.ask(gone, count());
    // Refused at once.
    assert!(matches!(
        now(&mut inlet.ask(Me, count())),
        Err(AskError::Refused(_))
    ));
    let report = manager.tick(STEP);
    assert_eq!((report.drained, report.dead_letters), (5, 0));
    assert!(said.try_recv().is_err());
    assert!(matches!(now(&mut unhandled), Err(AskError::NoAnswer(_))));
    assert!(matches!(now(&mut declines), Err(AskError::NoAnswer(_))));
    assert!(matches!(now(&mut nobody), Err(AskError::Gone(_))));
    assert!(matches!(now(&mut dead), Err(AskError::Gone(_))));
    let Err(AskError::NoAnswer(error)) = now(&mut fails) else {
        return Err("the handler fails".into());
    };
    let source = std::error::Error::source(&error).ok_or("it has the handler's error")?;
    assert_eq!(source.to_string(), "broken");
    Ok(())
}

// holds: threads.ask-errors, threads.capacity
#[test]
fn questions_take_room_in_the_inlet_and_one_without_room_fails_at_once() -> Tested {
    let (mut manager, _, actor, _) = framed_with(ManagerConfig::new().inlet_capacity(2));
    let inlet = manager.inlet();
    inlet.try_post(&to(actor), Note("1"))?;
    let mut asked = inlet.ask(actor, Who);
    let mut full = inlet.ask(actor, Who);
    let message = Who::NAME;
    let error = AskError::Full {
        message,
        capacity: 2,
    };
    assert_eq!(poll(&mut full, &bell(|| {})), Poll::Ready(Err(error)));
    assert!(inlet.try_post(&to(actor), Note("2")).is_err());
    manager.tick(STEP);
    assert_eq!(now(&mut asked)?, "actor");
    assert!(inlet.is_empty());
    Ok(())
}

// holds: threads.ask-errors, threads.closed
#[test]
fn whoever_waits_when_the_manager_is_dropped_gets_an_error() {
    let (manager, _, actor, _) = framed();
    let inlet = manager.inlet();
    let mut polled = inlet.ask(actor, Who);
    let bell = bell(|| {});
    assert!(poll(&mut polled, &bell).is_pending());
    let asks = inlet.clone();
    let waits = thread::spawn(move || asks.ask(actor, Who).wait(PATIENCE));
    while inlet.len() < 2 {
        thread::yield_now();
    }
    drop(manager);
    let closed = AskError::Closed { message: Who::NAME };
    assert_eq!(waits.join().expect("no panic"), Err(closed.clone()));
    assert_eq!(bell.rung.load(Ordering::SeqCst), 1);
    assert_eq!(now(&mut polled), Err(closed.clone()));
    assert_eq!(now(&mut inlet.ask(actor, Who)), Err(closed));
}

// holds: threads.ask-errors, threads.panic-while-drained
#[test]
fn a_panic_drops_its_question_and_leaves_the_next_for_the_next_frame() -> Tested {
    let (mut manager, counter, inlet) = counting();
    let mut panics = inlet.ask(counter, Refuse::Panic);
    let mut next = inlet.ask(counter, count());
    assert_eq!(panic_of(|| manager.tick(STEP)), "the counter panics");
    let message = Refuse::NAME;
    assert_eq!(now(&mut panics), Err(AskError::Dropped { message }));
    assert!(now(&mut next).is_err());
    manager.tick(STEP);
    assert_eq!(now(&mut next)?, 1);
    Ok(())
}

// holds: threads.ask-timeout
#[test]
fn a_wait_that_ends_in_time_can_go_on_later() -> Tested {
    let (mut manager, counter, inlet) = counting();
    let mut answer = inlet.ask(counter, count());
    for timeout in [Duration::ZERO, STEP] {
        let message = Count::NAME;
        assert_eq!(
            answer.wait(timeout),
            Err(AskError::TimedOut { message, timeout })
        );
    }
    manager.tick(STEP);
    assert_eq!(answer.wait(Duration::MAX)?, 1);
    // It was returned.
    assert!(now(&mut answer).is_err());
    Ok(())
}

// holds: threads.ask-dropped
#[test]
fn without_its_future_a_question_is_delivered_all_the_same() -> Tested {
    let (mut manager, counter, inlet) = counting();
    let bell = bell(|| {});
    let mut answer = inlet.ask(counter, count());
    assert!(poll(&mut answer, &bell).is_pending());
    drop(answer);
    assert_eq!(manager.tick(STEP).drained, 1);
    assert_eq!(manager.get::<Counter>(counter)?.count, 1);
    Ok(())
}

// holds: threads.ask-woken
#[test]
fn the_waker_of_the_last_poll_is_woken_once_and_may_use_the_inlet_and_the_answer() -> Tested {
    let (mut manager, counter, inlet) = counting();
    let answer = Arc::new(Mutex::new(inlet.ask(counter, count())));
    let (shared, asks) = (Arc::clone(&answer), inlet.clone());
    let first = bell(|| {});
    let last = bell(move || {
        let mut answer = shared.lock().expect("nobody panics");
        assert_eq!(now(&mut answer), Ok(1));
        *answer = asks.ask(counter, count());
    });
    for bell in [&first, &first, &last] {
        let mut answer = answer.lock().expect("nobody panics");
        assert!(poll(&mut *answer, bell).is_pending());
    }
    manager.tick(STEP);
    let rung = [&first, &last].map(|bell| bell.rung.load(Ordering::SeqCst));
    assert_eq!(rung, [0, 1]);
    manager.tick(STEP);
    assert_eq!(now(&mut *answer.lock().expect("nobody panics"))?, 2);
    Ok(())
}

// holds: threads.ask
#[test]
fn a_trace_has_the_request_and_the_cause_that_the_asker_named() -> Tested {
    let (mut manager, counter, inlet) = counting();
    Recorder::new(100).start(&mut manager);
    manager.send(counter, Note("0"))?;
    let causes =
        Recorder::of(&manager).and_then(|recorder| recorder.events().find_map(|event| event.send));
    let mut answer = inlet.with_cause(causes).ask(counter, count());
    let mut refused = inlet.ask(NOBODY, count());
    manager.tick(STEP);
    assert!(now(&mut answer).is_ok() && now(&mut refused).is_err());
    let recorder = Recorder::stop(&mut manager).ok_or("it was started")?;
    let questions = TraceFilter::of::<Count>();
    let mut sent = recorder
        .select(&questions)
        .filter_map(|event| match event.what {
            Traced::Sent { by, cause, .. } => Some((by, cause)),
            _ => None,
        });
    assert_eq!(sent.next(), Some((SentBy::Request, causes)));
    assert_eq!(sent.next(), Some((SentBy::Request, None)));
    let is_refused = |what: &Traced| matches!(what, Traced::Refused { .. });
    assert!(
        recorder
            .select(&questions)
            .any(|event| is_refused(&event.what))
    );
    Ok(())
}

// holds: threads.inlet
#[test]
fn an_answer_can_be_sent_to_another_thread_or_task() {
    fn is_future<T: Future + Send + Unpin + std::fmt::Debug + 'static>(_: &T) {}
    let (_manager, counter, inlet) = counting();
    let answer = inlet.ask(counter, count());
    is_future(&answer);
    assert!(format!("{answer:?}").starts_with("Answer { message: "));
}
