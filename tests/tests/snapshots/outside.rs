//! The surroundings of a manager, which do not go back.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use message_core::AnyMessage;
use message_core::carrier::{Carrier, Carrying};
use message_core::error::CarryError;
use message_core::input::ForeignInput;
use message_core::mailbox::Cursor;
use message_core::prelude::*;
use message_core::registry::MessageIndex;
use message_core::report::{Report, ReportTo};
use message_data::{Difference, Log as InputLog, LogOptions};
use message_trace::Recorder;

use crate::common::{Log, Tested};
use crate::{Add, Counter, FRAME, sum};

// holds: snapshots.outside-stays, snapshots.ids
#[test]
fn what_other_threads_have_sent_is_still_on_its_way() -> Tested {
    let mut manager = MessageManager::new();
    let tree = manager.spawn((Counter::default(),));
    let (inlet, header) = (manager.inlet(), Header::to(tree).build()?);
    inlet.try_post(&header, Add(1))?;
    let snapshot = manager.snapshot()?;
    manager.tick(FRAME);
    inlet.try_post(&header, Add(10))?;
    manager.rewind(&snapshot)?;
    assert_eq!((sum(&manager, tree), inlet.len()), (0, 1));
    manager.tick(FRAME);
    assert_eq!(sum(&manager, tree), 10);
    inlet.try_post(&header, Add(100))?;
    manager.tick(FRAME);
    assert_eq!(sum(&manager, tree), 110);
    Ok(())
}

// holds: snapshots.outside-stays
#[test]
fn a_cursor_goes_on_where_it_stopped() -> Tested {
    let mut manager = MessageManager::new();
    let mut cursor = Cursor::<Add>::new();
    let snapshot = manager.snapshot()?;
    let frame = |manager: &mut MessageManager, cursor: &mut Cursor<Add>, add| {
        manager.publish(Everyone, Add(add)).expect("there is room");
        manager.tick(FRAME);
        let read = manager.inbox::<Add>().since(cursor);
        (
            read.into_iter().map(|add| add.0).collect::<Vec<_>>(),
            cursor.missed(),
        )
    };
    assert_eq!(frame(&mut manager, &mut cursor, 1), (vec![1], 0));
    assert_eq!(frame(&mut manager, &mut cursor, 2), (vec![2], 0));
    manager.rewind(&snapshot)?;
    // It has read as many.
    assert_eq!(frame(&mut manager, &mut cursor, 1), (vec![], 0));
    Ok(())
}

// holds: snapshots.outside-stays
#[test]
fn a_trace_has_both_futures() -> Tested {
    let mut manager = MessageManager::new();
    let tree = manager.spawn((Counter::default(),));
    Recorder::new(100).start(&mut manager);
    let snapshot = manager.snapshot()?;
    manager.send(tree, Add(1))?;
    manager.rewind(&snapshot)?;
    manager.send(tree, Add(2))?;
    let recorder = Recorder::stop(&mut manager).expect("it was started");
    let sent = recorder.events().filter(|event| event.send.is_some());
    let mut numbers: Vec<_> = sent
        .filter_map(|event| event.send)
        .map(message_core::TraceId::get)
        .collect();
    numbers.dedup();
    assert_eq!(numbers, [1, 3]);
    Ok(())
}

#[derive(Debug, Default)]
struct Counts {
    carried: RefCell<usize>,
    ended: Vec<MessageeId>,
}

impl Carrier for Counts {
    fn carry(&self, _: u32, _: Carrying<'_>, _: &dyn AnyMessage) -> Result<(), CarryError> {
        *self.carried.borrow_mut() += 1;
        Ok(())
    }
    fn has_carried(&self, _: MessageIndex) -> bool {
        true
    }
    fn note_end(&mut self, id: MessageeId) {
        self.ended.push(id);
    }
}

#[derive(Debug)]
struct SpawnProxy;

impl ForeignInput for SpawnProxy {
    fn pass_to(&self, _: &mut dyn std::any::Any) {}
}

// holds: snapshots.outside-stays
#[test]
fn a_carrier_stays_and_is_told_who_is_gone() -> Tested {
    let mut manager = MessageManager::new();
    manager.carrier_mut::<Counts>();
    let far = manager.spawn_proxy(7, &SpawnProxy);
    let tree = manager.spawn(());
    let snapshot = manager.snapshot()?;
    manager.send(far, Add(1))?;
    let since = manager.spawn(());
    manager.despawn(far)?;
    manager.rewind(&snapshot)?;
    manager.send(far, Add(2))?;
    let carrier = manager.carrier_mut::<Counts>();
    assert_eq!(
        (*carrier.carried.borrow(), &carrier.ended[..]),
        (2, &[far, since][..])
    );
    assert!(manager.is_alive(tree));
    Ok(())
}

#[derive(Clone, Default)]
struct Fuse {
    burnt: u32,
}

#[handlers]
impl Fuse {
    #[on_receive]
    fn add(&mut self, add: &Add, cx: &mut Context<'_>) {
        self.burnt += add.0;
        cx.spawn_named("crater", ());
        panic!("bang");
    }
}

// holds: snapshots.settled
#[test]
fn what_a_panic_has_left_is_done_before() -> Tested {
    let mut manager = MessageManager::new();
    let fuse = manager.spawn((Fuse::default(),));
    let bang = |manager: &mut MessageManager| {
        let sent = catch_unwind(AssertUnwindSafe(|| manager.send(fuse, Add(1))));
        assert!(sent.is_err() && manager.find("crater").count() == 0);
    };
    let first = manager.snapshot()?;
    bang(&mut manager);
    let second = manager.snapshot()?;
    assert_eq!(manager.find("crater").count(), 1);
    manager.rewind(&first)?;
    assert_eq!(manager.find("crater").count(), 0);
    bang(&mut manager);
    manager.rewind(&second)?;
    assert_eq!(manager.find("crater").count(), 1);
    assert_eq!(manager.get::<Fuse>(fuse)?.burnt, 1);
    Ok(())
}

// holds: logs.difference-between
#[test]
fn two_managers_that_went_back_and_differ_are_told_apart_by_the_field() -> Tested {
    let [mine, yours] = [0, 5].map(|add| -> Result<_, Box<dyn std::error::Error>> {
        let mut manager = MessageManager::new();
        let tree = manager.spawn_named("tree", (Counter::default(),));
        let snapshot = manager.snapshot()?;
        manager.send(tree, Add(7))?;
        manager.rewind(&snapshot)?;
        manager.get_mut::<Counter>(tree)?.sum += add;
        Ok(manager)
    });
    let (mut mine, yours) = (mine?, yours?);
    let found = Difference::between(&mine, &yours).expect("one has five more");
    let field = ["Counter.sum", "0", "5"].map(str::to_owned);
    assert_eq!(found.field, Some(field.into()));
    assert_eq!(found.messagee.as_deref(), Some("0v0 \"tree\""));
    assert!(Difference::between(&mine, &mine).is_none());
    mine.spawn(());
    let found = Difference::between(&mine, &yours).expect("one has another messagee");
    assert_eq!((&*found.part, found.field), ("the structure", None));
    Ok(())
}

// holds: snapshots.not-logged
#[test]
fn a_log_tells_that_it_cannot_repeat_it() -> Tested {
    let told = Log::default();
    let heard = told.clone();
    let report = ReportTo::closure(move |report: &Report| {
        if let Report::NotLogged(what) = report {
            heard.add(what.clone());
        }
    });
    let mut manager = MessageManager::with_config(ManagerConfig::new().report_to(report));
    let tree = manager.spawn((Counter::default(),));
    InputLog::start(&mut manager, std::io::sink(), LogOptions::new())?;
    let snapshot = manager.snapshot()?;
    assert!(told.take().is_empty());
    manager.send(tree, Add(1))?;
    manager.rewind(&snapshot)?;
    let [what] = &told.take()[..] else {
        panic!("it is reported once");
    };
    assert!(
        what.contains("a rewind, whose snapshot is not in the log"),
        "{what}"
    );
    assert_eq!(manager.tick(FRAME).not_logged, 1);
    let report = InputLog::stop(&mut manager)?.expect("a log was written");
    assert_eq!(report.impure.len(), 1);
    Ok(())
}
