//! Values that are dropped together are dropped one by one: the first panic of a `Drop` propagates, and
//! the others are dropped nevertheless.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::{Actor, Do, Log, Note, Tested, panic_of, stage};
use message_core::lifecycle::{HandlerPanicked, Hooked};
use message_core::prelude::*;
use message_core::{Children, PanicPolicy};

mnemonic!(NEWS_DESK);

/// Counts how many were dropped, and panics each time.
#[derive(Clone, Debug)]
struct Thorn(&'static str, Arc<AtomicUsize>);

impl Drop for Thorn {
    fn drop(&mut self) {
        self.1.fetch_add(1, Ordering::Relaxed);
        panic!("{} pricks", self.0);
    }
}

/// Makes thorns, and counts how many of them were dropped.
#[derive(Default)]
struct Rose(Arc<AtomicUsize>);

impl Rose {
    fn thorn(&self, name: &'static str) -> Thorn {
        Thorn(name, Arc::clone(&self.0))
    }

    fn dropped(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

#[expect(dead_code, reason = "it is there to be dropped")]
struct Stem(Thorn);

/// Carries one along.
#[derive(Message)]
#[expect(dead_code, reason = "it is there to be dropped")]
struct Bouquet(Thorn);

/// Answered with one.
#[derive(Message)]
#[message(reply = Thorn)]
struct Pick;

/// Answers, and spawns a messagee that panics when it is hooked.
struct Florist(Thorn);

#[handlers]
impl Florist {
    #[on_receive]
    fn pick(&mut self, _: &Pick, cx: &mut Context<'_>) -> Thorn {
        cx.spawn((Startled,));
        self.0.clone()
    }
}

/// Panics when it comes alive.
struct Startled;

#[handlers]
impl Startled {
    #[on_receive]
    fn hooked(&mut self, _: &Hooked) {
        panic!("startled");
    }
}

// holds: reentrancy.drop-panic-family
#[test]
fn two_components_of_one_messagee_that_panic_when_dropped_are_both_dropped() {
    let (rose, mut manager) = (Rose::default(), MessageManager::new());
    let id = manager.spawn((Stem(rose.thorn("first")), Stem(rose.thorn("second"))));
    assert_eq!(panic_of(|| manager.despawn(id)), "first pricks");
    assert_eq!(rose.dropped(), 2);
    assert!(!manager.is_alive(id) && manager.is_empty());
    manager.spawn(());
    assert_eq!(manager.len(), 1);
}

// holds: reentrancy.drop-panic-family
#[test]
fn components_of_a_parent_and_its_child_are_all_dropped() -> Tested {
    let (rose, mut manager) = (Rose::default(), MessageManager::new());
    let parent = manager.spawn((Stem(rose.thorn("parent")),));
    for name in ["child", "other child"] {
        let child = manager.spawn((Stem(rose.thorn(name)),));
        manager.set_parent(child, Some(parent))?;
    }
    let panic = panic_of(|| manager.despawn_with(parent, Children::Follow));
    assert_eq!((panic.as_str(), rose.dropped()), ("parent pricks", 3));
    assert!(manager.is_empty());
    Ok(())
}

// holds: reentrancy.drop-panic-family
#[test]
fn two_closures_of_one_owner_are_both_dropped() -> Tested {
    let (rose, mut manager) = (Rose::default(), MessageManager::new());
    let owner = manager.spawn(());
    for name in ["first", "second"] {
        let thorn = rose.thorn(name);
        manager.subscribe_for(owner, Filter::of::<Note>(), move |_, _| {
            let _ = &thorn;
        })?;
    }
    let panic = panic_of(|| manager.despawn(owner));
    assert_eq!((panic.as_str(), rose.dropped()), ("first pricks", 2));
    assert_eq!(manager.send(Everyone, Note("nobody hears"))?.received, 0);
    Ok(())
}

// holds: reentrancy.drop-panic-family
#[test]
fn two_messages_bound_to_one_sender_are_both_dropped() -> Tested {
    let (rose, mut manager) = (Rose::default(), MessageManager::new());
    let (sender, to) = (manager.spawn(()), manager.spawn(()));
    let header = Header::to(to).after_frames(3).tied_to_sender().build()?;
    for name in ["first", "second"] {
        let bouquet = Bouquet(rose.thorn(name));
        manager.speak_for(sender)?.post(&header, bouquet)?;
    }
    let panic = panic_of(|| manager.despawn(sender));
    assert_eq!((panic.as_str(), rose.dropped()), ("first pricks", 2));
    assert!(!manager.has_pending(Posts::all()));
    Ok(())
}

// holds: reentrancy.drop-panic-family
#[test]
fn two_messages_retained_for_one_messagee_are_both_dropped() -> Tested {
    let (rose, mut manager) = (Rose::default(), MessageManager::new());
    let id = manager.spawn(());
    let up = Header::to(Up(id)).retain().build()?;
    let own = Header::to(id).retain().build()?;
    manager.post(&own, Bouquet(rose.thorn("own")))?;
    manager.post(&up, Bouquet(rose.thorn("up")))?;
    let panic = panic_of(|| manager.despawn(id));
    assert!(panic.ends_with(" pricks"), "{panic}");
    assert_eq!(rose.dropped(), 2);
    Ok(())
}

// holds: reentrancy.drop-panic-family
#[test]
fn values_of_every_kind_that_end_with_a_messagee_are_dropped() -> Tested {
    let (rose, mut manager) = (Rose::default(), MessageManager::new());
    let id = manager.spawn((Stem(rose.thorn("component")),));
    let thorn = rose.thorn("closure");
    manager.subscribe_for(id, Filter::of::<Note>(), move |_, _| {
        let _ = &thorn;
    })?;
    let bound = Header::to(Everyone)
        .after_frames(1)
        .tied_to_sender()
        .build()?;
    manager
        .speak_for(id)?
        .post(&bound, Bouquet(rose.thorn("bound")))?;
    let retained = Header::to(id).retain().build()?;
    manager.post(&retained, Bouquet(rose.thorn("retained")))?;
    assert!(catch_unwind(AssertUnwindSafe(|| manager.despawn(id))).is_err());
    assert_eq!(rose.dropped(), 4);
    assert!(manager.is_empty() && !manager.has_pending(Posts::all()));
    Ok(())
}

// holds: reentrancy.panic-after-result
#[test]
fn the_answer_of_a_request_is_dropped_when_settling_panics() -> Tested {
    /// Holds something that has to be given back.
    #[derive(Clone, Debug)]
    struct Guard(Arc<AtomicUsize>);

    impl Drop for Guard {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[derive(Message)]
    #[message(name = "messagees::dropping::Borrow", reply = Guard)]
    struct Borrow;

    struct Library(Arc<AtomicUsize>);

    #[handlers]
    impl Library {
        #[on_receive]
        fn lend(&mut self, _: &Borrow, cx: &mut Context<'_>) -> Guard {
            cx.spawn((Startled,));
            Guard(Arc::clone(&self.0))
        }
    }

    let (mut manager, returned) = (MessageManager::new(), Arc::default());
    let library = manager.spawn((Library(Arc::clone(&returned)),));
    assert_eq!(panic_of(|| manager.request(library, Borrow)), "startled");
    assert_eq!(returned.load(Ordering::Relaxed), 1);
    assert_eq!(
        panic_of(|| manager.request_all(library, Borrow)),
        "startled"
    );
    assert_eq!(returned.load(Ordering::Relaxed), 2);
    let mut speaker = manager.speak_for(library)?;
    assert_eq!(panic_of(|| speaker.request(Me, Borrow)), "startled");
    assert_eq!(returned.load(Ordering::Relaxed), 3);
    Ok(())
}

// holds: reentrancy.panic-after-result
#[test]
fn an_answer_that_panics_when_dropped_does_not_hide_the_panic_before() {
    let (rose, mut manager) = (Rose::default(), MessageManager::new());
    let florist = manager.spawn((Florist(rose.thorn("answer")),));
    assert_eq!(panic_of(|| manager.request(florist, Pick)), "startled");
    assert_eq!(rose.dropped(), 1);
    assert_eq!(panic_of(|| manager.despawn(florist)), "answer pricks");
    assert_eq!(rose.dropped(), 2);
}

/// A payload whose own `Drop` panics.
struct Grenade(Arc<AtomicUsize>);

impl Drop for Grenade {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
        std::panic::panic_any("the payload explodes");
    }
}

/// Panics with a [`Grenade`].
struct Bomber(Arc<AtomicUsize>);

#[handlers]
impl Bomber {
    #[on_receive]
    fn note(&mut self, _: &Note, _: &mut Context<'_>) {
        std::panic::panic_any(Grenade(Arc::clone(&self.0)));
    }
}

// holds: reentrancy.payload-drop-panics
#[test]
fn under_unhook_a_panic_payload_whose_drop_panics_ends_with_the_component() -> Tested {
    let config = ManagerConfig::new().panic_policy(PanicPolicy::Unhook);
    let (mut manager, log) = (MessageManager::with_config(config), Log::default());
    let (exploded, told) = (Arc::default(), log.clone());
    let id = manager.spawn((
        Bomber(Arc::clone(&exploded)),
        Actor::new("behind", &log),
        Bomber(Arc::clone(&exploded)),
    ));
    manager.subscribe(Filter::of::<HandlerPanicked>().hidden(), move |it, _| {
        told.add(it.panic.clone());
    });
    let receipt = manager.send(id, Note("falls"))?;
    assert_eq!((receipt.received, receipt.failed), (3, 2));
    assert_eq!(exploded.load(Ordering::Relaxed), 2);
    let expected = [
        "behind: falls",
        "non-string panic payload",
        "non-string panic payload",
    ];
    assert_eq!(log.take(), expected);
    assert!(manager.get::<Bomber>(id).is_err());
    Ok(())
}

/// How often a [`Hydra`] was dropped.
static HEADS: AtomicUsize = AtomicUsize::new(0);

/// A payload whose `Drop` panics with another of its kind, without end.
struct Hydra;

impl Drop for Hydra {
    fn drop(&mut self) {
        HEADS.fetch_add(1, Ordering::Relaxed);
        std::panic::panic_any(Hydra);
    }
}

// holds: reentrancy.payload-drop-panics, reentrancy.unhook-subscriber
#[test]
fn under_unhook_payloads_that_panic_without_end_are_given_up() -> Tested {
    let config = ManagerConfig::new().panic_policy(PanicPolicy::Unhook);
    let mut manager = MessageManager::with_config(config);
    let id = manager.subscribe(Filter::of::<Note>(), |_, _| std::panic::panic_any(Hydra));
    manager.send(Everyone, Note("strike"))?;
    assert!(!manager.unsubscribe(id));
    assert!(HEADS.load(Ordering::Relaxed) > 1);
    Ok(())
}

// holds: reentrancy.unhook-subscriber, reentrancy.payload-drop-panics
#[test]
fn under_unhook_a_subscriber_with_such_a_payload_ends_too() -> Tested {
    let config = ManagerConfig::new().panic_policy(PanicPolicy::Unhook);
    let (mut manager, log) = (MessageManager::with_config(config), Log::default());
    let (exploded, heard): (Arc<AtomicUsize>, _) = (Arc::default(), log.clone());
    let payload = Arc::clone(&exploded);
    let id = manager.subscribe(Filter::of::<Note>(), move |_, _| {
        std::panic::panic_any(Grenade(Arc::clone(&payload)));
    });
    manager.subscribe(Filter::of::<Note>(), move |note, _| heard.add(note.0));
    manager.send(Everyone, Note("once"))?;
    assert!(!manager.unsubscribe(id));
    assert_eq!(log.take(), ["once"]);
    assert_eq!(exploded.load(Ordering::Relaxed), 1);
    Ok(())
}

// holds: reentrancy.drop-panic-family, reentrancy.panic-loses-nothing
#[test]
fn what_a_handler_despawned_is_dropped_one_by_one_and_the_rest_goes_on() -> Tested {
    let (mut manager, log, actor) = stage();
    let rose = Rose::default();
    let id = manager.spawn((Stem(rose.thorn("first")), Stem(rose.thorn("second"))));
    let script = Do::new(move |cx| {
        assert!(cx.despawn(id).is_ok());
        let child = cx.spawn(());
        assert!(cx.bind(NEWS_DESK, child).is_ok());
    });
    assert_eq!(panic_of(|| manager.send(actor, script)), "first pricks");
    assert_eq!(rose.dropped(), 2);
    manager.send(actor, Note("goes on"))?;
    assert!(manager.bound(NEWS_DESK).is_some());
    assert_eq!(log.take(), ["actor: goes on"]);
    Ok(())
}
