//! Messages to messagees that do not handle them: which are counted, and which are reported.

use std::cell::RefCell;
use std::error::Error;
use std::ops::ControlFlow;
use std::time::Duration;

use message_core::Recipient::{EveryoneElse, Me};
use message_core::group;
use message_core::prelude::*;
use message_core::report::{Report, ReportTo};

type Tested = Result<(), Box<dyn Error>>;

#[derive(Message, Clone)]
#[message(name = "unhandled.Open", reply = u32)]
struct Open;

#[derive(Message)]
#[message(name = "unhandled.Go")]
struct Go(Box<dyn Fn(&mut Context<'_>) + Send + Sync>);

struct Frame;

struct Lock;

/// Answers with its number, or declines if it has none.
struct Hinge(Option<u32>);

#[handlers]
impl Hinge {
    #[on_receive]
    fn open(&self, _: &Open) -> Option<u32> {
        self.0
    }
}

struct Actor;

#[handlers]
impl Actor {
    #[on_receive]
    fn go(&self, go: &Go, cx: &mut Context<'_>) {
        (go.0)(cx);
    }
}

mnemonic!(DOOR = "unhandled.DOOR");

group!(DOORS);

/// Returns how often the message was counted.
fn opened(manager: &MessageManager) -> u64 {
    let unhandled = manager.inspect().unhandled();
    unhandled.iter().map(|it| it.count).sum()
}

// holds: unhandled.counted
#[test]
fn every_way_to_one_messagee_without_a_handler_is_counted() -> Tested {
    for components in 0..2 {
        let mut manager = MessageManager::new();
        let door = manager.spawn(());
        let actor = manager.spawn((Actor,));
        if components == 1 {
            manager.hook(door, Frame)?;
        }
        manager.bind(DOOR, door)?;
        manager.send(door, Open)?;
        manager.send(DOOR, Open)?;
        manager.send_mut(door, &mut Open)?;
        assert!(manager.request(door, Open).is_err());
        assert!(manager.request_all(DOOR, Open)?.is_empty());
        assert_eq!(opened(&manager), 5);
        manager.send_any(door, Box::new(Open))?;
        manager.speak_for(door)?.send(Me, Open)?;
        assert_eq!(opened(&manager), 7);
        manager.post(Header::to(door).after_frames(1), Open)?;
        manager.inlet().try_post(Header::to(door), Open)?;
        assert_eq!(opened(&manager), 7);
        manager.tick(Duration::ZERO);
        assert_eq!(opened(&manager), 9);
        let go = move |cx: &mut Context<'_>| {
            cx.send(door, Open).expect("it is there");
            let newborn = cx.spawn((Lock,));
            cx.send(newborn, Open).expect("it waits");
        };
        manager.send(actor, Go(Box::new(go)))?;
        assert_eq!(opened(&manager), 11);
    }
    Ok(())
}

// holds: unhandled.not-counted
#[test]
fn what_goes_to_many_or_to_a_hook_is_not_counted() -> Tested {
    let mut manager = MessageManager::new();
    let door = manager.spawn((Frame,));
    let hook = manager.hook(door, Lock)?;
    manager.join(DOORS, door)?;
    for to in [Everyone, DOORS.into(), Up(door), Down(door), hook.into()] {
        manager.send(to, Open)?;
    }
    manager.speak_for(door)?.send(EveryoneElse, Open)?;
    manager.post(Header::to(door).retain(), Open)?;
    manager.publish(door, Open)?;
    let actor = manager.spawn((Actor,));
    // A member that is not yet alive is still a member.
    let go = |cx: &mut Context<'_>| {
        let newborn = cx.spawn((Lock,));
        cx.join(DOORS, newborn).expect("it will be there");
        cx.send(DOORS, Open).expect("there are members");
    };
    manager.send(actor, Go(Box::new(go)))?;
    manager.despawn(door)?;
    assert!(manager.send(door, Open).is_err());
    assert!(
        manager.inspect().unhandled().is_empty(),
        "{:?}",
        manager.inspect().unhandled()
    );
    Ok(())
}

// holds: unhandled.has-handler
#[test]
fn who_has_a_handler_handles_it_whatever_comes_of_it() -> Tested {
    let mut manager = MessageManager::new();
    let door = manager.spawn((Frame,));
    let hinge = manager.hook(door, Hinge(None))?;
    manager.send(door, Open)?;
    assert!(manager.request(door, Open).is_err());
    manager.set_enabled(hinge, false)?;
    manager.send(door, Open)?;
    manager.subscribe(Filter::of::<Open>().hidden(), |_, _| {});
    manager.send(door, Open)?;
    assert_eq!(opened(&manager), 0);
    manager.unhook::<Hinge>(hinge)?;
    manager.send(door, Open)?;
    assert_eq!(opened(&manager), 1);
    Ok(())
}

// holds: unhandled.listeners
#[test]
fn a_listener_that_receives_it_handles_it() -> Tested {
    fn counted(filter: Filter<Open>) -> Result<u64, Box<dyn Error>> {
        let mut manager = MessageManager::new();
        let door = manager.spawn((Frame,));
        manager.subscribe(filter, |_, _| {});
        manager.bind(DOOR, door)?;
        manager.send(door, Open)?;
        manager.send(DOOR, Open)?;
        Ok(opened(&manager))
    }
    assert_eq!(counted(Filter::of::<Open>())?, 0);
    assert_eq!(counted(Filter::of::<Open>().stage(Stage::Update))?, 0);
    assert_eq!(counted(Filter::of::<Open>().hidden())?, 2);
    assert_eq!(counted(Filter::of::<Open>().to(DOORS))?, 2);

    let mut manager = MessageManager::new();
    let door = manager.spawn((Frame,));
    manager.subscribe(Filter::of::<Open>().when(|_| false), |_, _| {});
    manager.send(door, Open)?;
    assert_eq!(opened(&manager), 1);
    manager.reset_unhandled();
    let before = manager.subscribe(Filter::of::<Open>().before().hidden(), |_, _| {
        ControlFlow::Break(())
    });
    manager.send(door, Open)?;
    assert_eq!(opened(&manager), 0);
    assert!(manager.unsubscribe(before));
    manager.subscribe(Filter::of::<Open>().before(), |_, _| {
        ControlFlow::Continue(())
    });
    manager.send(door, Open)?;
    assert_eq!(opened(&manager), 1);
    Ok(())
}

// holds: unhandled.entries, unhandled.reset
#[test]
fn there_is_an_entry_for_each_message_and_list_of_components() -> Tested {
    let mut manager = MessageManager::new();
    let plain = manager.spawn((Frame, Lock));
    let same = manager.spawn((Frame, Lock));
    let turned = manager.spawn((Lock, Frame));
    let many = manager.spawn((Lock, Lock, Lock, Lock, Lock, Frame));
    for door in [turned, plain, many, same] {
        manager.send(door, Open)?;
        manager.send(door, Go(Box::new(|_| ())))?;
    }
    manager.send(same, Open)?;
    let line = line!() - 1;
    let [frame, lock, hinge, actor] = [
        std::any::type_name::<Frame>(),
        std::any::type_name::<Lock>(),
        std::any::type_name::<Hinge>(),
        std::any::type_name::<Actor>(),
    ];
    let unhandled = manager.inspect().unhandled();
    let all: Vec<(&str, &[&str], u64)> = unhandled
        .iter()
        .map(|it| (it.message, &it.components[..], it.count))
        .collect();
    let lists: [&[&str]; 3] = [
        &[frame, lock],
        &[lock, frame],
        &[lock, lock, lock, lock, lock, frame],
    ];
    let expected = [
        ("unhandled.Go", lists[0], 2),
        ("unhandled.Go", lists[1], 1),
        ("unhandled.Go", lists[2], 1),
        ("unhandled.Open", lists[0], 3),
        ("unhandled.Open", lists[1], 1),
        ("unhandled.Open", lists[2], 1),
    ];
    assert_eq!(all, expected);
    assert_eq!(
        (unhandled[3].place.file(), unhandled[3].place.line()),
        (file!(), line)
    );
    assert_eq!(
        (&unhandled[0].handled_by[..], &unhandled[3].handled_by[..]),
        (&[actor][..], &[hinge][..])
    );
    manager.reset_unhandled();
    assert!(manager.inspect().unhandled().is_empty());
    manager.send(plain, Open)?;
    assert_eq!(opened(&manager), 1);
    Ok(())
}

// holds: unhandled.entries
#[test]
fn an_entry_stays_as_it_is_when_its_messagees_are_gone() -> Tested {
    let mut manager = MessageManager::new();
    let door = manager.spawn((Frame,));
    manager.send(door, Open)?;
    let before = manager.inspect().unhandled();
    manager.despawn(door)?;
    manager.shrink_to_fit();
    let other = manager.spawn((Lock,));
    manager.send(other, Open)?;
    assert_eq!(manager.inspect().unhandled()[0], before[0]);
    assert_eq!(manager.inspect().unhandled().len(), 2);
    Ok(())
}

// holds: unhandled.frame-report
#[test]
fn a_frame_counts_what_nobody_handled_in_it() -> Tested {
    let mut manager = MessageManager::new();
    let door = manager.spawn((Frame,));
    manager.send(door, Open)?;
    manager.post(Header::to(door).every(Duration::from_millis(5)), Open)?;
    manager.inlet().try_post(Header::to(door), Open)?;
    let report = manager.tick(Duration::from_millis(10));
    assert_eq!(report.unhandled, 3);
    manager.reset_unhandled();
    manager.inlet().try_post(Header::to(door), Open)?;
    assert_eq!(manager.begin_frame(Duration::ZERO).unhandled, 1);
    assert_eq!(manager.tick(Duration::ZERO).unhandled, 0);
    Ok(())
}

thread_local! {
    static REPORTS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

fn note(report: &Report) {
    let text = match report {
        Report::Unhandled(unhandled) => {
            assert_eq!(report.message(), Some(unhandled.message));
            assert!(report.chain().is_none());
            report.to_string()
        }
        other => format!("not about unhandled messages: {other}"),
    };
    REPORTS.with_borrow_mut(|reports| reports.push(text));
}

// holds: unhandled.report-once
#[test]
fn each_entry_is_reported_once_when_the_outermost_send_ends() -> Tested {
    let config = ManagerConfig::new().report_to(ReportTo::Function(note));
    for reports in [false, true] {
        let mut manager = MessageManager::with_config(config.clone().report_unhandled(reports));
        let (door, gate) = (manager.spawn((Frame,)), manager.spawn((Frame, Lock)));
        let actor = manager.spawn((Actor,));
        let go = move |cx: &mut Context<'_>| {
            for to in [door, gate, door] {
                cx.send(to, Open).expect("it is there");
            }
            assert!(REPORTS.with_borrow(Vec::is_empty));
        };
        manager.send(actor, Go(Box::new(go)))?;
        let told = REPORTS.take();
        assert_eq!(told.len(), if reports { 2 } else { 0 });
        let [frame, lock, hinge] = [
            std::any::type_name::<Frame>(),
            std::any::type_name::<Lock>(),
            std::any::type_name::<Hinge>(),
        ];
        if reports {
            let first = format!(
                "a messagee has `{frame}`, which does not handle `unhandled.Open`; `{hinge}` would; sent at "
            );
            assert!(told[0].starts_with(&first), "{}", told[0]);
            let second = format!(
                "a messagee has `{frame}` and `{lock}`; neither handles `unhandled.Open`; `{hinge}` would; sent at "
            );
            assert!(told[1].starts_with(&second), "{}", told[1]);
        }
        manager.send(door, Open)?;
        assert!(REPORTS.take().is_empty());
        manager.reset_unhandled();
        manager.send(door, Open)?;
        assert_eq!(REPORTS.take().len(), usize::from(reports));
    }
    Ok(())
}

// holds: unhandled.counted
#[test]
fn a_message_whose_only_subscriber_declines_it_is_counted_each_time() -> Tested {
    let mut manager = MessageManager::new();
    let door = manager.spawn((Frame, Lock));
    manager.subscribe(Filter::of::<Open>(), |_, _| false);
    for count in 1..=3 {
        assert_eq!(manager.send(door, Open)?.received, 0);
        assert_eq!(opened(&manager), count);
    }
    let heard = manager.spawn((Frame,));
    manager.subscribe(Filter::of::<Open>(), |_, _| ());
    for _ in 0..3 {
        assert_eq!(manager.send(heard, Open)?.received, 1);
        assert_eq!(opened(&manager), 3);
    }
    Ok(())
}
