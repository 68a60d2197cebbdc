//! Mail that is read in passes of `FixedUpdate`, of which a frame has none, one or several.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::common::{Tested, panic_of};
use message_core::mailbox::{AnyCursor, Cursor};
use message_core::prelude::*;

const fn ms(count: u64) -> Duration {
    Duration::from_millis(count)
}

#[derive(Message)]
struct Hit(u32);

/// Counts those that have not been dropped.
#[derive(Message)]
struct Solid {
    _alive: Arc<()>,
}

#[derive(Message)]
struct Step;

type Read = Box<dyn FnMut(&Context<'_>) + Send>;

/// Reads mail in each step.
struct Reader(Read);

#[handlers]
impl Reader {
    #[on_receive]
    fn step(&mut self, _: &Step, cx: &mut Context<'_>) {
        (self.0)(cx);
    }
}

/// Lets a handler read in each step.
fn reads(manager: &mut MessageManager, read: impl FnMut(&Context<'_>) + Send + 'static) {
    manager.spawn((Reader(Box::new(read)),));
}

/// Makes a manager in which a [`Step`] is sent in each pass of `FixedUpdate`.
fn manager(step: Duration) -> MessageManager {
    stepping(ManagerConfig::new().fixed_step(step))
}

fn stepping(config: ManagerConfig) -> MessageManager {
    let mut manager = MessageManager::with_config(config);
    let header = Header::to(Everyone).stage(Stage::FixedUpdate).every_pass();
    manager.post(header, Step).expect("there is room");
    manager
}

/// Reads in each pass, by type and among all types, with and without a cursor. Returns what each way has found.
fn readers(manager: &mut MessageManager) -> [Receiver<u32>; 4] {
    let (send, receive): (Vec<_>, Vec<_>) = (0..4).map(|_| channel()).unzip();
    let (mut cursor, mut any) = (Cursor::new(), AnyCursor::new());
    reads(manager, move |cx| {
        let typed = |inbox: message_core::mailbox::Inbox<'_, Hit>| {
            inbox.iter().map(|hit| hit.0).collect::<Vec<_>>()
        };
        let of_any = |inbox: message_core::mailbox::AnyInbox<'_>| {
            let hits = inbox.iter();
            hits.filter_map(|mail| mail.downcast_ref().map(|Hit(hit)| *hit))
                .collect()
        };
        let found: [Vec<u32>; 4] = [
            typed(cx.inbox()),
            typed(cx.inbox().since(&mut cursor)),
            of_any(cx.inbox_any()),
            of_any(cx.inbox_any().since(&mut any)),
        ];
        assert_eq!((cursor.missed(), any.missed()), (0, 0));
        for (found, send) in found.into_iter().zip(&send) {
            for hit in found {
                send.send(hit).expect("it is read");
            }
        }
    });
    receive.try_into().expect("there are four")
}

// holds: mail.fixed-once
#[test]
fn a_reader_in_each_fixed_pass_finds_each_message_once() -> Tested {
    for (frame, step) in [(16, 100), (50, 16), (16, 16), (7, 15), (100, 10), (1, 250)] {
        let mut manager = manager(ms(step));
        let readers = readers(&mut manager);
        for hit in 0..1_000 {
            manager.publish(Everyone, Hit(hit))?;
            manager.tick(ms(frame));
        }
        // Enough for one more pass.
        for _ in 0..=step / frame {
            manager.tick(ms(frame));
        }
        for reader in readers {
            assert!(reader.try_iter().eq(0..1_000), "{frame} and {step}");
        }
    }
    Ok(())
}

// holds: mail.fixed-once
#[test]
fn so_it_does_when_time_is_paused_and_when_handlers_publish() {
    let mut manager = manager(ms(40));
    let readers = readers(&mut manager);
    let mut next = 0..;
    manager.subscribe(Filter::of::<Step>(), move |_, cx| {
        let hit = next.next().expect("it has no end");
        cx.publish(Everyone, Hit(hit)).expect("there is room");
    });
    let mut passes = 0;
    for frame in 0..400_u32 {
        manager.set_paused(frame / 10 % 3 == 1);
        let report = manager.tick(ms([0, 5, 30, 170][frame as usize % 4]));
        passes += report.fixed_steps;
    }
    manager.set_paused(false);
    manager.tick(ms(40));
    for reader in readers {
        assert!(reader.try_iter().eq(0..passes));
    }
}

// holds: mail.fixed-once, mail.inbox-is-last-frame, mail.retention
#[test]
fn outside_of_fixed_passes_the_mail_is_that_of_the_last_frame() -> Tested {
    for retention in [1, 3] {
        let mut manager = manager(ms(100));
        manager.set_mail_retention::<Hit>(retention);
        let readers = readers(&mut manager);
        for hit in 0..100 {
            manager.publish(Everyone, Hit(hit))?;
            manager.tick(ms(16));
            assert!(manager.inbox::<Hit>().iter().map(|hit| hit.0).eq([hit]));
            assert_eq!(manager.inbox_any().count(), 1);
            let found = usize::try_from(retention.min(u64::from(hit) + 1))?;
            let mut cursor = Cursor::<Hit>::new();
            assert_eq!(manager.inbox().since(&mut cursor).count(), found);
            let mut any = AnyCursor::new();
            assert_eq!(manager.inbox_any().since(&mut any).count(), found);
        }
        assert!(readers[0].try_iter().eq(0..100));
    }
    Ok(())
}

// holds: mail.fixed-once, mail.retention
#[test]
fn mail_that_is_never_to_be_found_is_not_found_in_a_fixed_pass() -> Tested {
    let mut manager = manager(ms(40));
    manager.set_mail_retention::<Hit>(0);
    manager.subscribe(Filter::of::<Step>(), |_, cx| {
        assert!(cx.inbox::<Hit>().is_empty() && cx.inbox_any().is_empty());
    });
    for hit in 0..20 {
        manager.publish(Everyone, Hit(hit))?;
        manager.tick(ms(16));
    }
    Ok(())
}

/// Publishes a message in each of 100 frames. Returns the most that were there at once.
fn most(mut manager: MessageManager, mut frame: impl FnMut(&mut MessageManager, u32)) -> usize {
    let alive = Arc::new(());
    let mut most = 0;
    for at in 0..100 {
        let solid = Solid {
            _alive: Arc::clone(&alive),
        };
        manager.publish(Everyone, solid).expect("there is room");
        frame(&mut manager, at);
        most = most.max(Arc::strong_count(&alive) - 1);
    }
    most
}

// holds: mail.fixed-bound
#[test]
fn mail_that_no_fixed_pass_reads_is_not_kept_for_one() {
    let every = |dt| move |manager: &mut MessageManager, _| _ = manager.tick(ms(dt));
    // Before the first pass, nobody knows.
    assert_eq!(most(manager(ms(200)), every(10)), 20);
    let late = |manager: &mut MessageManager, at| {
        manager.tick(if at == 0 { ms(200) } else { ms(10) });
    };
    assert_eq!(most(manager(ms(200)), late), 1);
    // Time does not advance, or there are no passes.
    assert_eq!(most(manager(ms(200)), every(0)), 1);
    assert_eq!(most(manager(ms(0)), every(10)), 1);
    // The host runs none.
    let host = |manager: &mut MessageManager, _| {
        manager.begin_frame(ms(10));
        manager.run_stage(Stage::Update);
    };
    assert_eq!(most(manager(ms(20)), host), 2);
}

// holds: mail.fixed-bound
#[test]
fn what_a_subscriber_reads_in_a_fixed_pass_keeps_nothing_for_the_next_one() {
    let mut manager = manager(ms(200));
    manager.subscribe(Filter::of::<Step>(), |_, cx| {
        let _ = (cx.inbox::<Solid>().count(), cx.inbox_any().count());
    });
    let late = |manager: &mut MessageManager, at| {
        manager.tick(if at == 0 { ms(200) } else { ms(10) });
    };
    assert_eq!(most(manager, late), 1);
}

// holds: mail.fixed-bound
#[test]
fn at_most_as_many_letters_are_kept_for_a_fixed_pass_as_can_be_published_in_a_frame() {
    let mut manager = stepping(ManagerConfig::new().fixed_step(ms(10)).max_published(12));
    reads(&mut manager, |cx| {
        let _ = cx.inbox::<Solid>().count();
    });
    let paused = |manager: &mut MessageManager, at| {
        manager.set_paused(at > 0);
        manager.tick(ms(10));
    };
    assert_eq!(most(manager, paused), 12);
}

// holds: mail.fixed-once
#[test]
fn a_fixed_pass_that_panics_counts_as_one() -> Tested {
    let mut manager = manager(ms(30));
    let readers = readers(&mut manager);
    let header = Header::to(Everyone).stage(Stage::FixedUpdate).after(ms(30));
    manager.subscribe(Filter::of::<Hit>(), |_, _| panic!("it broke"));
    manager.post(header, Hit(99))?;
    manager.publish(Everyone, Hit(0))?;
    assert_eq!(panic_of(|| manager.tick(ms(30))), "it broke");
    // The panic has ended the pass.
    assert_eq!(manager.inbox::<Hit>().count(), 1);
    manager.publish(Everyone, Hit(1))?;
    manager.tick(ms(10));
    assert!(manager.inbox::<Hit>().iter().map(|hit| hit.0).eq([1]));
    manager.tick(ms(20));
    assert!(readers[0].try_iter().eq([0, 1]));
    Ok(())
}
