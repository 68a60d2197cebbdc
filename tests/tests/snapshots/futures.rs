//! After a rewind there are two futures of one moment: what was given out in one of them means nothing in the other.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use message_core::carrier::{Carrier, Carrying};
use message_core::error::CarryError;
use message_core::input::ForeignInput;
use message_core::lifecycle::DeadLetter;
use message_core::prelude::*;
use message_core::registry::MessageIndex;
use message_core::{AnyMessage, PostKey};
use message_data::{Log, LogOptions};
use message_rooms::Rooms;

use crate::common::Tested;
use crate::{Add, Counter, FRAME, sum};

#[derive(Message, Clone, Debug)]
#[message(name = "snapshots.Text")]
struct Text(#[expect(dead_code, reason = "it has memory to drop")] String);

// holds: snapshots.ids
#[test]
fn a_ticket_of_another_future_cancels_nothing_that_was_delivered() -> Tested {
    let mut manager = MessageManager::new();
    let tree = manager.spawn((Counter::default(),));
    let snapshot = manager.snapshot()?;
    let old = manager.post(Header::to(tree).after(10 * FRAME), Add(1))?;
    manager.rewind(&snapshot)?;
    assert_eq!(manager.cancel(old), 0);
    manager.post(Header::to(tree).after(FRAME), Add(2))?;
    manager.tick(FRAME);
    assert_eq!(sum(&manager, tree), 2);
    assert_eq!(manager.cancel(old), 0, "it was delivered");
    assert_eq!(manager.inspect().pending_len(), 0);
    Ok(())
}

// holds: snapshots.ids
#[test]
fn a_ticket_of_another_future_cancels_no_message_of_another_type() -> Tested {
    let mut manager = MessageManager::new();
    let tree = manager.spawn((Counter::default(),));
    manager.post(Header::to(tree).after(100 * FRAME), Add(7))?;
    let snapshot = manager.snapshot()?;
    let old = manager.post(Header::to(tree).after(10 * FRAME), Add(1))?;
    manager.rewind(&snapshot)?;
    let post = |manager: &mut MessageManager| {
        let header = Header::to(tree)
            .after(2 * FRAME)
            .key(PostKey::from("snapshots.it"));
        manager.post(header, Text("x".into()))
    };
    let new = post(&mut manager)?;
    assert_eq!(manager.cancel(old), 0);
    assert_eq!(manager.cancel(new), 1);
    post(&mut manager)?;
    for _ in 0..20 {
        manager.tick(FRAME);
    }
    assert_eq!(manager.inspect().pending_len(), 1);
    Ok(())
}

/// The proxy that is back leads to nobody, since the rooms have forgotten its target.
// holds: snapshots.outside-stays
#[test]
fn a_proxy_that_is_back_does_not_lead_to_the_target_of_a_later_one() -> Tested {
    let mut rooms = Rooms::new();
    let [hall, attic] = ["hall", "attic"].map(|name| rooms.add(name, MessageManager::new()));
    let (hall, attic) = (hall?, attic?);
    let [owl, cat] = [(); 2].map(|()| rooms.manager_mut(attic).spawn((Counter::default(),)));
    let far_owl = rooms.proxy(hall, attic, owl)?;
    let snapshot = rooms.manager_mut(hall).snapshot()?;
    rooms.manager_mut(hall).despawn(far_owl)?;
    rooms.manager_mut(hall).rewind(&snapshot)?;
    assert!(rooms.manager(hall).is_alive(far_owl));
    let far_cat = rooms.proxy(hall, attic, cat)?;
    assert_ne!(far_cat, far_owl);
    let sent = rooms.manager_mut(hall).send(far_owl, Add(1));
    assert!(matches!(
        sent.expect_err("nobody is there").kind(),
        SendErrorKind::NotCarried {
            why: CarryError::Unreachable
        }
    ));
    rooms.manager_mut(hall).send(far_cat, Add(1))?;
    rooms.frame(FRAME)?;
    let manager = rooms.manager(attic);
    assert_eq!((sum(manager, owl), sum(manager, cat)), (0, 1));
    Ok(())
}

#[derive(Debug, Default)]
struct Ends(Vec<MessageeId>);

impl Carrier for Ends {
    fn carry(&self, _: u32, _: Carrying<'_>, _: &dyn AnyMessage) -> Result<(), CarryError> {
        Ok(())
    }

    fn has_carried(&self, _: MessageIndex) -> bool {
        true
    }

    fn note_end(&mut self, id: MessageeId) {
        self.0.push(id);
    }
}

#[derive(Debug)]
struct SpawnProxy;

impl ForeignInput for SpawnProxy {
    fn pass_to(&self, _: &mut dyn std::any::Any) {}
}

// holds: snapshots.outside-stays
#[test]
fn a_carrier_is_notified_of_a_proxy_whose_id_is_that_of_somebody_else() -> Tested {
    let mut manager = MessageManager::new();
    manager.carrier_mut::<Ends>();
    let root = manager.snapshot()?;
    let one = manager.spawn(());
    let first = manager.snapshot()?;
    manager.rewind(&root)?;
    assert_eq!(manager.carrier_mut::<Ends>().0, [one]);
    let proxy = manager.spawn_proxy(7, &SpawnProxy);
    assert_eq!(proxy, one);
    manager.rewind(&first)?;
    assert_eq!(manager.carrier_mut::<Ends>().0, [one, proxy]);
    Ok(())
}

// holds: snapshots.clone
#[test]
fn a_dead_letter_that_waits_for_a_stage_is_cloned() -> Tested {
    let mut manager = MessageManager::new();
    manager.subscribe(Filter::of::<DeadLetter>().stage(Stage::Update), |_, _| {});
    let gone = manager.spawn(());
    manager.post(Header::to(gone).stage(Stage::LateUpdate), Add(1))?;
    manager.despawn(gone)?;
    manager.tick(FRAME);
    let snapshot = manager.snapshot()?;
    manager.tick(FRAME);
    manager.rewind(&snapshot)?;
    Ok(())
}

thread_local! {
    static BURNS: Cell<bool> = const { Cell::new(false) };
}

struct Fuse;

impl Clone for Fuse {
    fn clone(&self) -> Self {
        assert!(!BURNS.get(), "it burns");
        Self
    }
}

message_core::cloned!(Fuse);

// holds: snapshots.clone-panics, snapshots.not-logged
#[test]
fn a_rewind_that_has_changed_nothing_is_not_in_a_log() -> Tested {
    let mut manager = MessageManager::new();
    let tree = manager.spawn((Fuse,));
    let snapshot = manager.snapshot()?;
    let _: Fuse = manager.unhook(manager.hook_of::<Fuse>(tree)?)?;
    Log::start(&mut manager, std::io::sink(), LogOptions::new())?;
    BURNS.set(true);
    assert!(catch_unwind(AssertUnwindSafe(|| manager.rewind(&snapshot))).is_err());
    BURNS.set(false);
    let report = Log::stop(&mut manager)?.expect("it was started");
    assert!(report.impure.is_empty(), "{:?}", report.impure);
    Ok(())
}
