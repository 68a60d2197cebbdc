//! A message that two component types handle, sent to one messagee. Where its delivery begins makes no
//! difference.

use std::ops::ControlFlow;

use crate::common::{Log, Tested};
use message_core::prelude::*;
use message_core::{AnyMessage, Receipt};

/// Makes the named component act after it has logged its name.
#[derive(Message, Clone)]
struct Both {
    by: &'static str,
    act: Act,
}

#[derive(Clone, Copy, Debug)]
enum Act {
    Nothing,
    Fail,
    Consume,
    Disable(HookId),
    Unhook(HookId),
    DespawnMe,
    SendAgain,
}

/// Asks the component with this name; no other answers.
#[derive(Message)]
#[message(reply = &'static str)]
struct Ask(&'static str);

/// Handled without a context.
#[derive(Message)]
struct Count;

macro_rules! component {
    ($name:ident) => {
        struct $name(Log);

        #[handlers]
        impl $name {
            #[on_receive]
            fn both(
                &mut self,
                both: &Both,
                cx: &mut Context<'_>,
            ) -> Result<ControlFlow<()>, &'static str> {
                self.0.add(stringify!($name));
                if both.by == stringify!($name) {
                    return act(both.act, cx, &self.0);
                }
                Ok(ControlFlow::Continue(()))
            }

            #[on_receive]
            fn declined(&mut self, both: &Declinable) -> bool {
                self.0.add(stringify!($name));
                both.0 != stringify!($name)
            }

            #[on_receive]
            fn ask(&self, ask: &Ask) -> Option<&'static str> {
                self.0.add(stringify!($name));
                (ask.0 == stringify!($name)).then_some(stringify!($name))
            }

            #[on_receive]
            fn count(&mut self, _: &Count) {
                self.0.add(stringify!($name));
            }
        }
    };
}

/// Declined by the component of that name.
#[derive(Message)]
struct Declinable(&'static str);

component!(One);
component!(Two);

fn act(act: Act, cx: &mut Context<'_>, log: &Log) -> Result<ControlFlow<()>, &'static str> {
    let me = cx.me();
    match act {
        Act::Nothing => {}
        Act::Fail => return Err("the test asked for it"),
        Act::Consume => return Ok(ControlFlow::Break(())),
        // The second time it may be gone.
        Act::Disable(hook) => log.add(format!("{}", cx.set_enabled(hook, false).is_ok())),
        Act::Unhook(hook) => log.add(format!("{}", cx.unhook(hook).is_ok())),
        Act::DespawnMe => log.add(format!("{}", cx.despawn(me).is_ok())),
        Act::SendAgain => {
            let (by, act) = ("", Act::Nothing);
            let receipt = cx.send(me, Both { by, act });
            log.add(format!("{receipt:?}"));
        }
    }
    Ok(ControlFlow::Continue(()))
}

/// A manager, its log, and three messagees: with both components, with both in the other order, with one.
struct Stage {
    manager: MessageManager,
    log: Log,
    messagees: [MessageeId; 3],
    /// One and Two of the first messagee, and of the second.
    hooks: [[HookId; 2]; 2],
}

impl Stage {
    fn new(long_way: bool) -> Result<Self, MessageeError> {
        let (mut manager, log) = (MessageManager::new(), Log::default());
        if long_way {
            manager.subscribe(Filter::all().hidden(), |_: &dyn AnyMessage, _| {});
        }
        let messagees = [(); 3].map(|()| manager.spawn(()));
        let [first, second, third] = messagees;
        let one = manager.hook(first, One(log.clone()))?;
        let hooks_of_first = [one, manager.hook(first, Two(log.clone()))?];
        let two = manager.hook(second, Two(log.clone()))?;
        let hooks_of_second = [manager.hook(second, One(log.clone()))?, two];
        manager.hook(third, Two(log.clone()))?;
        Ok(Self {
            manager,
            log,
            messagees,
            hooks: [hooks_of_first, hooks_of_second],
        })
    }
}

/// The result of a send, and its receivers in order.
type Told = (Result<Receipt, SendError>, Vec<String>);

// holds: send.to-id-order
#[test]
fn components_of_two_types_receive_in_the_order_of_hooking() -> Tested {
    let Stage {
        mut manager,
        log,
        messagees: [first, second, third],
        hooks,
    } = Stage::new(false)?;
    for (to, names) in [
        (first, &["One", "Two"][..]),
        (second, &["Two", "One"]),
        (third, &["Two"]),
    ] {
        assert_eq!(manager.send(to, Count)?.received as usize, names.len());
        assert_eq!(log.take(), names);
        let (by, act) = ("", Act::Nothing);
        assert_eq!(
            manager.send(to, Both { by, act })?.received as usize,
            names.len()
        );
        assert_eq!(log.take(), names);
    }
    let [[one, _], [_, two]] = hooks;
    drop(manager.unhook::<One>(one)?);
    manager.hook(first, One(log.clone()))?;
    manager.set_enabled(two, false)?;
    assert_eq!(manager.send(first, Count)?.received, 2);
    assert_eq!(log.take(), ["Two", "One"]);
    assert_eq!(manager.send(second, Count)?.received, 1);
    assert_eq!(log.take(), ["One"]);
    // With two of a type, all of them.
    manager.hook(first, Two(log.clone()))?;
    assert_eq!(manager.send(first, Count)?.received, 3);
    assert_eq!(log.take(), ["Two", "One", "Two"]);
    manager.despawn(third)?;
    assert!(matches!(
        manager.send(third, Count).map_err(SendError::into_kind),
        Err(SendErrorKind::Absent(Absence::Gone))
    ));
    Ok(())
}

// holds: subscriptions.hidden
#[test]
fn what_a_component_of_two_types_does_has_the_same_effect_on_either_way() -> Tested {
    let told = |long_way: bool, of: usize, by, act: fn([HookId; 2]) -> Act| {
        let mut stage = Stage::new(long_way)?;
        let hooks = stage.hooks[of];
        let act = act(hooks);
        let mut told: Vec<Told> = Vec::new();
        for _ in 0..2 {
            let receipt = stage.manager.send(stage.messagees[of], Both { by, act });
            told.push((receipt, stage.log.take()));
        }
        Ok::<_, MessageeError>(told)
    };
    let acts: [fn([HookId; 2]) -> Act; 9] = [
        |_| Act::Nothing,
        |_| Act::Fail,
        |_| Act::Consume,
        |[one, _]| Act::Disable(one),
        |[_, two]| Act::Disable(two),
        |[one, _]| Act::Unhook(one),
        |[_, two]| Act::Unhook(two),
        |_| Act::DespawnMe,
        |_| Act::SendAgain,
    ];
    for act in acts {
        for (of, by) in [(0, "One"), (0, "Two"), (1, "One"), (1, "Two")] {
            let (short, long) = (told(false, of, by, act)?, told(true, of, by, act)?);
            let text = |told: &[Told]| format!("{told:?}");
            // Ids differ from manager to manager only in its number.
            let same = short
                .iter()
                .zip(&long)
                .all(|((one, log), (other, others))| {
                    (one.is_ok() == other.is_ok())
                        && (one.is_err() || one == other)
                        && (log == others)
                });
            assert!(same, "{by} of {of}: {} or {}", text(&short), text(&long));
        }
    }
    Ok(())
}

// holds: send.request-first-answer, send.to-id-order
#[test]
fn the_first_of_two_types_that_answers_is_the_last_that_is_asked() -> Tested {
    for long_way in [false, true] {
        let mut stage = Stage::new(long_way)?;
        let [first, second, third] = stage.messagees;
        for (to, name, asked) in [
            (first, "One", &["One"][..]),
            (first, "Two", &["One", "Two"]),
            (second, "One", &["Two", "One"]),
            (third, "Two", &["Two"]),
        ] {
            assert_eq!(stage.manager.request(to, Ask(name))?, name);
            assert_eq!(stage.log.take(), asked);
        }
        let nobody = stage.manager.request(first, Ask("nobody"));
        assert!(matches!(
            nobody.map_err(SendError::into_kind),
            Err(SendErrorKind::NoAnswer { .. })
        ));
        assert_eq!(stage.log.take(), ["One", "Two"]);
    }
    Ok(())
}

// holds: send.receipt
#[test]
fn who_declines_a_message_of_two_types_is_not_counted() -> Tested {
    for long_way in [false, true] {
        let mut stage = Stage::new(long_way)?;
        let [first, _, third] = stage.messagees;
        for (to, name, received) in [
            (first, "One", 1),
            (first, "Two", 1),
            (third, "Two", 0),
            (first, "", 2),
        ] {
            let receipt = stage.manager.send(to, Declinable(name))?;
            assert_eq!((receipt.received, receipt.consumed), (received, false));
        }
        assert_eq!(stage.log.take().len(), 7);
    }
    Ok(())
}
