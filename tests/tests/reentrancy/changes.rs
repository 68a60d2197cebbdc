//! Changes made during a send: the structural changes that handlers request, when they take effect, who
//! receives messages sent meanwhile, and which changes are refused.

use crate::common::{Actor, Do, Ear, Log, Note, Tested, Who, first_hook, slot, stage};
use crate::watchers::Clerk;
use message_core::Children;
use message_core::Recipient::{EveryoneElse, Me};
use message_core::prelude::*;

mnemonic!(WORLD, HOME);

// When changes take effect.

// holds: reentrancy.existence-waits, reentrancy.looks-as-before
#[test]
fn what_a_handler_spawns_has_its_id_at_once_and_is_alive_when_the_outermost_send_returns() -> Tested
{
    let (mut manager, log, actor) = stage();
    let other = manager.spawn((Actor::new("other", &log),));
    let (put, get) = slot();
    let ear = Ear::new("newborn", &log);
    let nested = Do::new(move |cx| {
        let id = cx.spawn((ear,));
        assert!(!cx.is_alive(id));
        put(id);
    });
    let script = Do::new(move |cx| {
        cx.send(other, nested).expect("sent");
        let receipt = cx.send(Everyone, Note("too early")).expect("sent");
        assert_eq!((receipt.received, receipt.pending), (1, 1));
        assert_eq!(cx.iter::<Ear>().count(), 0);
    });
    manager.send(actor, script)?;
    let newborn = get();
    assert!(manager.is_alive(newborn));
    assert_eq!(log.take(), ["other: too early", "actor: too early"]);
    manager.send(newborn, Note("now"))?;
    assert_eq!(log.take(), ["newborn: now"]);
    Ok(())
}

// holds: reentrancy.existence-waits, reentrancy.looks-as-before
#[test]
fn what_a_handler_hooks_has_its_hook_at_once_and_receives_when_the_outermost_send_returns() -> Tested
{
    let (mut manager, log, actor) = stage();
    let (put, get) = slot();
    let ear = Ear::new("ear", &log);
    let script = Do::new(move |cx| {
        put(cx.hook(actor, ear).expect("it is alive"));
        let receipt = cx.send(Me, Note("too early")).expect("sent");
        assert_eq!((receipt.received, receipt.pending), (0, 1));
        assert!(cx.get::<Ear>(actor).is_err());
    });
    manager.send(actor, script)?;
    let hook = get();
    assert_eq!(manager.owner(hook)?, actor);
    assert_eq!(manager.hooks(actor).last(), Some(hook));
    assert_eq!(log.take(), ["actor: too early"]);
    assert_eq!(manager.send(actor, Note("now"))?.received, 2);
    Ok(())
}

// holds: reentrancy.leaving-skipped, reentrancy.existence-waits, reentrancy.looks-as-before
#[test]
fn what_a_handler_unhooks_is_there_until_the_outermost_send_returns_and_receives_nothing() -> Tested
{
    let (mut manager, log, actor) = stage();
    let ear = manager.spawn((Ear::new("ear", &log), Ear::new("stays", &log)));
    let hook = first_hook(&manager, ear);
    let script = Do::new(move |cx| {
        cx.unhook(hook).expect("it is hooked");
        assert_eq!(cx.get::<Ear>(ear).expect("still there").name, "ear");
        cx.send(ear, Note("!")).expect("sent");
        cx.send(Everyone, Note("all")).expect("sent");
        assert_eq!(cx.request(ear, Who), Ok("stays"));
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["stays: !", "stays: all", "actor: all"]);
    assert_eq!(manager.hooks(ear).count(), 1);
    assert_eq!(
        manager.owner(hook),
        Err(MessageeError::NotHooked {
            hook,
            why: Absence::Gone
        })
    );
    Ok(())
}

// holds: reentrancy.looks-as-before, reentrancy.leaving-keeps-addresses, reentrancy.leaving-skipped,
// reentrancy.leaving
#[test]
fn what_a_handler_despawns_is_there_until_the_outermost_send_returns_and_receives_nothing() -> Tested
{
    let (mut manager, log, actor) = stage();
    let parent = manager.spawn((Ear::new("parent", &log),));
    let child = manager.spawn((Ear::new("child", &log),));
    manager.set_parent(child, Some(parent))?;
    manager.bind(WORLD, child)?;
    let script = Do::new(move |cx| {
        cx.despawn(parent).expect("it is alive");
        assert!(cx.is_alive(parent) && cx.is_alive(child));
        assert_eq!(cx.bound(WORLD), Some(child));
        for to in [Down(parent), Up(child)] {
            assert_eq!(cx.send(to, Note("")), Ok(Receipt::default()), "{to}");
        }
        for to in [Recipient::Id(parent), WORLD.into()] {
            let refused = cx.send(to, Note(""));
            assert!(
                matches!(
                    refused.map_err(SendError::into_kind),
                    Err(SendErrorKind::Absent(Absence::Leaving))
                ),
                "{to}"
            );
        }
        cx.send(EveryoneElse, Note("")).expect("sent");
    });
    manager.send(actor, script)?;
    assert!(log.take().is_empty());
    assert!(!manager.is_alive(parent) && !manager.is_alive(child));
    assert_eq!(manager.bound(WORLD), None);
    assert_eq!(manager.len(), 1);
    Ok(())
}

// holds: reentrancy.addresses-at-once
#[test]
fn addresses_and_what_is_enabled_change_at_once() -> Tested {
    let (mut manager, log, actor) = stage();
    let ear = manager.spawn((Ear::new("ear", &log),));
    let hook = first_hook(&manager, ear);
    let script = Do::new(move |cx| {
        cx.bind(WORLD, ear).expect("it is free");
        cx.set_parent(ear, Some(actor)).expect("no cycle");
        assert_eq!(cx.bound(WORLD), Some(ear));
        assert_eq!(cx.parent(ear), Some(actor));
        assert!(cx.children(actor).eq([ear]));
        cx.send(WORLD, Note("by name")).expect("it is bound");
        cx.set_enabled(hook, false).expect("it is hooked");
        assert_eq!(cx.is_enabled(hook), Ok(false));
        assert_eq!(cx.send(ear, Note("!")), Ok(Receipt::default()));
        assert_eq!(cx.send(Down(actor), Note("!")).map(|it| it.received), Ok(0));
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["ear: by name", "actor: !"]);
    assert_eq!(manager.bound(WORLD), Some(ear));
    assert_eq!(manager.parent(ear), Some(actor));
    assert!(!manager.is_enabled(hook)?);
    let script = Do::new(move |cx| {
        cx.unbind(WORLD, ear).expect("it is bound to it");
        cx.set_parent(ear, None).expect("it is alive");
        assert_eq!(cx.bound(WORLD), None);
        assert_eq!(cx.parent(ear), None);
        let unbound = cx.send(WORLD, Note("!"));
        assert!(matches!(
            unbound.map_err(SendError::into_kind),
            Err(SendErrorKind::Absent(Absence::Unbound))
        ));
        cx.set_enabled(hook, true).expect("it is hooked");
        cx.send(ear, Note("again")).expect("sent");
        cx.send(EveryoneElse, Note("all")).expect("sent");
        assert_eq!(cx.request(ear, Who), Ok("ear"));
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["ear: again", "ear: all"]);
    assert!(manager.is_enabled(hook)?);
    assert_eq!(manager.send(Everyone, Note("still"))?.received, 2);
    Ok(())
}

// holds: reentrancy.receivers-at-begin
#[test]
fn a_send_that_is_under_way_keeps_its_receivers_less_those_who_were_disabled_since() -> Tested {
    /// Enables and disables when it hears a word.
    struct Switcher(Option<(HookId, HookId)>);
    #[handlers]
    impl Switcher {
        #[on_receive(priority = 1)]
        fn note(&mut self, _: &Note, cx: &mut Context<'_>) {
            if let Some((off, on)) = self.0 {
                cx.set_enabled(off, false).expect("it is hooked");
                cx.set_enabled(on, true).expect("it is hooked");
            }
        }
    }
    for to_everyone in [true, false] {
        let (mut manager, log) = (MessageManager::new(), Log::default());
        let id = manager.spawn((
            Switcher(None),
            Ear::new("first", &log),
            Ear::new("second", &log),
        ));
        let hooks: Vec<HookId> = manager.hooks(id).collect();
        manager.set_enabled(hooks[2], false)?;
        manager.get_mut::<Switcher>(id)?.0 = Some((hooks[1], hooks[2]));
        let to = if to_everyone { Everyone } else { id.into() };
        let receipt = manager.send(to, Note("now"))?;
        assert_eq!(receipt.received, 1, "the one is off, the other was");
        manager.get_mut::<Switcher>(id)?.0 = None;
        assert_eq!(manager.send(to, Note("then"))?.received, 2);
        assert_eq!(log.take(), ["second: then"]);
    }
    Ok(())
}

// holds: reentrancy.addresses-at-once
#[test]
fn one_that_is_disabled_and_enabled_in_one_dispatch_is_enabled() -> Tested {
    let (mut manager, log, actor) = stage();
    let ear = manager.spawn((Ear::new("ear", &log),));
    let hook = first_hook(&manager, ear);
    let script = Do::new(move |cx| {
        for enabled in [false, true, false, true] {
            cx.set_enabled(hook, enabled).expect("it is hooked");
            let sent = cx.send(ear, Note("!")).map(|it| it.received);
            assert_eq!(sent, Ok(u32::from(enabled)));
            assert_eq!(cx.is_enabled(hook), Ok(enabled));
        }
    });
    manager.send(actor, script)?;
    assert_eq!(log.take(), ["ear: !", "ear: !"]);
    assert_eq!(manager.send(ear, Note("!"))?.received, 1);
    Ok(())
}

// holds: reentrancy.mnemonic-when-sent, subscriptions.busy-before
#[test]
fn a_message_that_waits_for_an_interceptor_goes_to_whom_its_mnemonic_was_bound() -> Tested {
    let (mut manager, log, actor) = stage();
    let (old, new) = (
        manager.spawn((Ear::new("old", &log),)),
        manager.spawn((Ear::new("new", &log),)),
    );
    manager.bind(WORLD, old)?;
    let interceptor = Filter::of::<Note>().before();
    manager.subscribe(
        interceptor,
        move |note: &mut Note, cx: &mut SubscriberContext<'_>| {
            if note.0 == "first" {
                let sent = cx.send(WORLD, Note("second"));
                assert_eq!(sent.map(|it| it.pending), Ok(1));
                cx.unbind(WORLD, old).expect("it is bound to it");
                cx.bind(WORLD, new).expect("it is free");
            }
            std::ops::ControlFlow::Continue(())
        },
    );
    manager.send(actor, Note("first"))?;
    assert_eq!(log.take(), ["old: second", "actor: first"]);
    Ok(())
}

// holds: reentrancy.existence-waits, reentrancy.leaving-skipped
#[test]
fn changes_take_effect_in_the_order_asked_for() -> Tested {
    let (mut manager, log, actor) = stage();
    let clerk = manager.spawn((Clerk::new("clerk", &log),));
    let clerk_hook = first_hook(&manager, clerk);
    log.take();
    let (one, two) = (Ear::new("one", &log), Actor::new("two", &log));
    let script = Do::new(move |cx| {
        let hook = cx.hook(clerk, one).expect("alive");
        cx.hook(clerk, two).expect("alive");
        cx.unhook(hook).expect("it will be hooked");
        cx.despawn(clerk).expect("alive");
        let refused = cx.unhook(clerk_hook);
        assert!(matches!(
            refused,
            Err(MessageeError::NotHooked {
                why: Absence::Leaving,
                ..
            })
        ));
    });
    manager.send(actor, script)?;
    // A messagee that is about to leave hears only the farewells.
    let expected = [
        "clerk: despawning",
        "clerk: unhooking Clerk",
        "clerk: unhooking Actor",
    ];
    assert_eq!(log.take(), expected);
    assert!(!manager.is_alive(clerk));
    Ok(())
}

// Receivers of a send during which something changes.

// holds: reentrancy.receivers-at-begin
#[test]
fn the_receivers_of_a_send_are_those_present_when_it_began() -> Tested {
    /// At each word, one more of its kind.
    struct Breeder(Log);
    #[handlers]
    impl Breeder {
        #[on_receive]
        fn note(&mut self, _: &Note, cx: &mut Context<'_>) {
            self.0.add("heard");
            cx.spawn((Self(self.0.clone()),));
            cx.hook(cx.me(), Self(self.0.clone())).expect("alive");
        }
    }
    let (mut manager, log) = (MessageManager::new(), Log::default());
    manager.spawn((Breeder(log.clone()),));
    assert_eq!(manager.send(Everyone, Note(""))?.received, 1);
    assert_eq!(log.take().len(), 1);
    assert_eq!(manager.send(Everyone, Note(""))?.received, 3);
    assert_eq!(manager.iter::<Breeder>().count(), 9);
    Ok(())
}

/// Ends others when it hears a word.
#[derive(Default)]
struct Assassin {
    despawn: Option<MessageeId>,
    unhook: Option<HookId>,
    heard: usize,
}

#[handlers]
impl Assassin {
    #[on_receive(priority = 1)]
    fn note(&mut self, _: &Note, cx: &mut Context<'_>) -> Result<(), MessageeError> {
        self.heard += 1;
        self.despawn.map_or(Ok(()), |id| cx.despawn(id))?;
        self.unhook.map_or(Ok(()), |hook| cx.unhook(hook))
    }
}

// holds: reentrancy.leaving-skipped, reentrancy.receivers-at-begin
#[test]
fn one_of_another_type_that_was_despawned_or_unhooked_meanwhile_is_skipped() -> Tested {
    let (mut manager, log, _) = stage();
    let ears = manager.spawn((Ear::new("one", &log), Ear::new("two", &log)));
    let victim = manager.spawn((Ear::new("three", &log), Actor::new("four", &log)));
    let assassin = Assassin {
        despawn: Some(victim),
        unhook: Some(first_hook(&manager, ears)),
        heard: 0,
    };
    manager.spawn((assassin,));
    assert_eq!(manager.send(Everyone, Note("!"))?.received, 3);
    assert_eq!(log.take(), ["actor: !", "two: !"]);
    Ok(())
}

// holds: reentrancy.leaving-skipped
#[test]
fn one_of_the_same_type_that_was_despawned_meanwhile_is_skipped() -> Tested {
    let mut manager = MessageManager::new();
    let killer = manager.spawn((Assassin::default(),));
    let victim = manager.spawn((Assassin::default(),));
    manager.spawn((Assassin::default(),));
    manager.get_mut::<Assassin>(killer)?.despawn = Some(victim);
    let receipt = manager.send(Everyone, Note(""))?;
    assert_eq!((receipt.received, receipt.failed), (2, 0));
    assert!(!manager.is_alive(victim));
    Ok(())
}

// holds: reentrancy.leaving-skipped
#[test]
fn one_of_the_same_type_that_was_unhooked_meanwhile_is_skipped() -> Tested {
    let mut manager = MessageManager::new();
    let id = manager.spawn((Assassin::default(), Assassin::default()));
    let hook = manager.hooks(id).nth(1);
    manager.get_mut::<Assassin>(id)?.unhook = hook;
    assert_eq!(manager.send(id, Note(""))?.received, 1);
    assert_eq!(manager.hooks(id).count(), 1);
    manager.hook(id, Assassin::default())?;
    let hook = manager.hooks(id).nth(1);
    manager.get_mut::<Assassin>(id)?.unhook = hook;
    assert_eq!(manager.send(Everyone, Note(""))?.received, 1);
    Ok(())
}

// holds: reentrancy.leaving-skipped
#[test]
fn one_that_despawns_itself_has_received_it_and_receives_nothing_more() -> Tested {
    let (mut manager, log, actor) = stage();
    manager.hook(actor, Ear::new("ear", &log))?;
    let script = Do::new(move |cx| {
        cx.send(Me, Note("before")).expect("sent");
        cx.despawn(actor).expect("alive");
        let refused = cx.send(Me, Note("after"));
        assert!(matches!(
            refused,
            Err(error) if *error.kind() == SendErrorKind::Absent(Absence::Leaving) && error.to() == Some(actor.into())
        ));
        assert_eq!(cx.me(), actor);
    });
    assert_eq!(manager.send(actor, script)?.received, 1);
    assert_eq!(log.take(), ["ear: before"]);
    assert!(!manager.is_alive(actor));
    Ok(())
}

// holds: reentrancy.leaving-skipped
#[test]
fn what_was_kept_for_one_that_was_unhooked_meanwhile_is_not_delivered() -> Tested {
    let (mut manager, log, actor) = stage();
    let script = Do::new(move |cx| {
        assert_eq!(cx.send(actor, Note("kept")).expect("kept").pending, 1);
        let me = cx.my_hook();
        cx.unhook(me).expect("hooked");
    });
    manager.send(actor, script)?;
    assert!(log.take().is_empty());
    assert_eq!(manager.hooks(actor).count(), 0);
    Ok(())
}

// Changes that are refused at once.

// holds: reentrancy.leaving-unchangeable
#[test]
fn what_is_going_to_happen_anyway_is_refused_the_second_time() -> Tested {
    let (mut manager, log, actor) = stage();
    let parent = manager.spawn((Ear::new("parent", &log),));
    let child = manager.spawn((Ear::new("child", &log),));
    manager.set_parent(child, Some(parent))?;
    let hook = first_hook(&manager, child);
    let own = first_hook(&manager, actor);
    let script = Do::new(move |cx| {
        cx.despawn(parent).expect("alive");
        for id in [parent, child] {
            assert_eq!(
                cx.despawn(id),
                Err(MessageeError::Absent {
                    id,
                    why: Absence::Leaving
                })
            );
            let refused = cx.set_parent(id, None);
            assert_eq!(
                refused,
                Err(MessageeError::Absent {
                    id,
                    why: Absence::Leaving
                })
            );
            let refused = cx.bind(WORLD, id);
            assert_eq!(
                refused,
                Err(MessageeError::Absent {
                    id,
                    why: Absence::Leaving
                })
            );
            let refused = cx.hook(id, ());
            assert_eq!(
                refused,
                Err(MessageeError::Absent {
                    id,
                    why: Absence::Leaving
                })
            );
        }
        assert_eq!(
            cx.unhook(hook),
            Err(MessageeError::NotHooked {
                hook,
                why: Absence::Leaving
            })
        );
        let refused = cx.set_enabled(hook, true);
        assert_eq!(
            refused,
            Err(MessageeError::NotHooked {
                hook,
                why: Absence::Leaving
            })
        );
        cx.unhook(own).expect("hooked");
        let refused = cx.unhook(own);
        assert_eq!(
            refused,
            Err(MessageeError::NotHooked {
                hook: own,
                why: Absence::Leaving
            })
        );
    });
    manager.send(actor, script)?;
    assert_eq!(manager.messagees().collect::<Vec<_>>(), [actor]);
    assert_eq!(manager.hooks(actor).count(), 0);
    Ok(())
}

// holds: reentrancy.addresses-at-once, messagees.mnemonic-bound-once
#[test]
fn a_mnemonic_that_is_going_to_be_bound_is_bound_already() -> Tested {
    let (mut manager, _, actor) = stage();
    let (one, two) = (manager.spawn(()), manager.spawn(()));
    let mnemonic = WORLD.name();
    let script = Do::new(move |cx| {
        cx.bind(WORLD, one).expect("free");
        let already = MessageeError::AlreadyBound { mnemonic, to: one };
        assert_eq!(cx.bind(WORLD, two), Err(already.clone()));
        assert_eq!(cx.bind(WORLD, one), Err(already));
        let to = Some(one);
        let not = MessageeError::NotBound {
            mnemonic,
            id: two,
            to,
        };
        assert_eq!(cx.unbind(WORLD, two), Err(not));
        cx.unbind(WORLD, one).expect("it will be bound");
        cx.bind(WORLD, two).expect("it will be free");
        cx.bind(HOME, two).expect("one messagee may have several");
    });
    manager.send(actor, script)?;
    assert_eq!(manager.bound(WORLD), Some(two));
    assert_eq!(manager.bound(HOME), Some(two));
    Ok(())
}

// holds: reentrancy.leaving-mnemonic-rebound
#[test]
fn the_mnemonic_of_one_that_is_going_to_be_despawned_is_free_to_be_bound() -> Tested {
    let (mut manager, _, actor) = stage();
    let (one, two) = (manager.spawn(()), manager.spawn(()));
    manager.bind(WORLD, one)?;
    let script = Do::new(move |cx| {
        cx.despawn(one).expect("alive");
        cx.bind(WORLD, two).expect("it will be free");
    });
    manager.send(actor, script)?;
    assert_eq!(manager.bound(WORLD), Some(two));
    Ok(())
}

// holds: messagees.parent-cycle, reentrancy.addresses-at-once
#[test]
fn a_cycle_is_refused_over_changes_that_are_pending() -> Tested {
    let (mut manager, _, actor) = stage();
    let [a, b, c] = [(); 3].map(|()| manager.spawn(()));
    manager.set_parent(b, Some(a))?;
    let script = Do::new(move |cx| {
        let refused = cx.set_parent(a, Some(b));
        let cycle = MessageeError::Cycle {
            child: a,
            parent: b,
        };
        assert_eq!(refused, Err(cycle));
        cx.set_parent(c, Some(b)).expect("no cycle");
        let refused = cx.set_parent(a, Some(c));
        let cycle = MessageeError::Cycle {
            child: a,
            parent: c,
        };
        assert_eq!(refused, Err(cycle));
        cx.set_parent(b, None).expect("alive");
        cx.set_parent(a, Some(c)).expect("no cycle any more");
    });
    manager.send(actor, script)?;
    assert_eq!(manager.parent(a), Some(c));
    assert_eq!(manager.parent(c), Some(b));
    assert_eq!(manager.parent(b), None);
    Ok(())
}

// holds: reentrancy.addresses-at-once, messagees.despawn-takes-along
#[test]
fn a_child_that_is_given_away_before_does_not_follow_and_one_that_came_before_does() -> Tested {
    let (mut manager, _, actor) = stage();
    let [parent, own, foster] = [(); 3].map(|()| manager.spawn(()));
    manager.set_parent(own, Some(parent))?;
    let (put, get) = slot();
    let script = Do::new(move |cx| {
        let newborn = cx.spawn(());
        cx.set_parent(own, Some(foster)).expect("no cycle");
        cx.set_parent(newborn, Some(parent)).expect("no cycle");
        cx.despawn(parent).expect("alive");
        let refused = cx.set_parent(newborn, None);
        assert_eq!(
            refused,
            Err(MessageeError::Absent {
                id: newborn,
                why: Absence::Leaving
            })
        );
        put(newborn);
    });
    manager.send(actor, script)?;
    assert!(!manager.is_alive(parent) && !manager.is_alive(get()));
    assert_eq!(manager.parent(own), Some(foster));
    Ok(())
}

// holds: messagees.despawn-takes-along
#[test]
fn children_are_given_to_the_grandparent_when_asked() -> Tested {
    let (mut manager, _, actor) = stage();
    let [grand, parent, one, two] = [(); 4].map(|()| manager.spawn(()));
    manager.set_parent(parent, Some(grand))?;
    manager.set_parent(one, Some(parent))?;
    manager.set_parent(two, Some(parent))?;
    let script = Do::new(move |cx| {
        cx.despawn_with(parent, Children::Reparent).expect("alive");
        cx.set_parent(one, None).expect("it stays");
    });
    manager.send(actor, script)?;
    assert_eq!(manager.children(grand).collect::<Vec<_>>(), [two]);
    assert_eq!(manager.parent(one), None);
    assert!(!manager.is_alive(parent));
    Ok(())
}

#[test]
fn changes_from_outside_that_are_made_twice_are_errors() -> Tested {
    let (mut manager, _, actor) = stage();
    let hook = first_hook(&manager, actor);
    manager.unhook::<Actor>(hook)?;
    let refused = manager.unhook::<Actor>(hook).err();
    assert_eq!(
        refused,
        Some(MessageeError::NotHooked {
            hook,
            why: Absence::Gone
        })
    );
    manager.despawn(actor)?;
    let refused = manager.despawn(actor);
    assert_eq!(
        refused,
        Err(MessageeError::Absent {
            id: actor,
            why: Absence::Gone
        })
    );
    Ok(())
}

// holds: messagees.errors-change-nothing
#[test]
fn a_component_unhooked_as_another_type_stays_hooked() -> Tested {
    let (mut manager, log, actor) = stage();
    let hook = first_hook(&manager, actor);
    let refused = manager.unhook::<Ear>(hook).err();
    assert!(matches!(
        refused,
        Some(MessageeError::WrongComponent { .. })
    ));
    manager.send(actor, Note("still here"))?;
    assert_eq!(log.take(), ["actor: still here"]);
    Ok(())
}
