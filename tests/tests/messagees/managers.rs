//! Managers: closed systems, side by side and from thread to thread.

use std::error::Error;
use std::sync::{Arc, Mutex};

use message_core::Children;
use message_core::prelude::*;

type Tested = Result<(), Box<dyn Error>>;

#[derive(Message)]
struct Ping;

#[derive(Message)]
#[message(reply = u32)]
struct Count;

#[derive(Default)]
struct Ears {
    heard: u32,
}

#[handlers]
impl Ears {
    #[on_receive]
    fn hear(&mut self, _: &Ping) {
        self.heard += 1;
    }

    #[on_receive]
    fn count(&self, _: &Count) -> u32 {
        self.heard
    }
}

mnemonic!(PLAYER);

#[test]
fn managers_side_by_side_share_nothing() -> Tested {
    let mut world = MessageManager::new();
    let mut menu = MessageManager::new();
    let orc = world.spawn((Ears::default(),));
    let button = menu.spawn((Ears::default(), Ears::default()));
    assert_eq!(world.send(Everyone, Ping)?.received, 1);
    assert_eq!(menu.send(Everyone, Ping)?.received, 2);
    assert_eq!(menu.send(Everyone, Ping)?.received, 2);
    assert_eq!(world.get::<Ears>(orc)?.heard, 1);
    assert_eq!(menu.get::<Ears>(button)?.heard, 2);
    assert_eq!((world.len(), menu.len()), (1, 1));
    assert_eq!(world.iter::<Ears>().count(), 1);
    menu.despawn(button)?;
    assert!(world.is_alive(orc));
    drop(menu);
    assert_eq!(world.request(orc, Count)?, 1);
    Ok(())
}

#[test]
fn each_manager_has_its_own_limits() -> Tested {
    let mut strict = MessageManager::with_config(ManagerConfig::new().max_depth(0));
    let mut lenient = MessageManager::try_new(ManagerConfig::default())?;
    let (one, two) = (strict.spawn(()), lenient.spawn(()));
    assert!(strict.send(one, Ping).is_err());
    assert!(lenient.send(two, Ping).is_ok());
    Ok(())
}

/// Returns a messagee with one component.
fn one() -> Result<(MessageManager, MessageeId, HookId), MessageeError> {
    let mut manager = MessageManager::new();
    let id = manager.spawn(());
    let hook = manager.hook(id, Ears::default())?;
    Ok((manager, id, hook))
}

// holds: messagees.other-manager
#[test]
fn an_id_of_another_manager_cannot_be_written_to() -> Tested {
    let (mut world, own, _) = one()?;
    let (_menu, id, _) = one()?;
    assert_eq!(own.to_string(), id.to_string());
    assert_ne!(own, id);
    let other = |message| SendError::new(message, id, SendErrorKind::Absent(Absence::OtherManager));
    assert_eq!(world.send(id, Ping), Err(other(Ping::NAME)));
    assert_eq!(world.send(Up(id), Ping), Err(other(Ping::NAME)));
    assert_eq!(world.send(Down(id), Ping), Err(other(Ping::NAME)));
    assert_eq!(world.send_mut(id, &mut Ping), Err(other(Ping::NAME)));
    assert_eq!(world.request(id, Count), Err(other(Count::NAME)));
    assert_eq!(world.request_all(id, Count), Err(other(Count::NAME)));
    let sent = world.speak_for(own)?.send(id, Ping);
    assert_eq!(sent, Err(other(Ping::NAME)));
    assert_eq!(world.get::<Ears>(own)?.heard, 0);
    Ok(())
}

// holds: messagees.other-manager, messagees.errors-change-nothing
#[test]
fn an_id_of_another_manager_is_refused_wherever_a_messagee_is_named() -> Tested {
    let (mut world, own, _) = one()?;
    let (_menu, id, _) = one()?;
    let other = MessageeError::Absent {
        id,
        why: Absence::OtherManager,
    };
    assert_eq!(world.despawn(id), Err(other.clone()));
    let reparent = Children::Reparent;
    assert_eq!(world.despawn_with(id, reparent), Err(other.clone()));
    let hooked = world.hook(id, Ears::default());
    assert_eq!(hooked, Err(other.clone()));
    assert_eq!(world.get::<Ears>(id).err(), Some(other.clone()));
    assert_eq!(world.get_mut::<Ears>(id).err(), Some(other.clone()));
    assert_eq!(world.set_parent(id, Some(own)), Err(other.clone()));
    assert_eq!(world.set_parent(own, Some(id)), Err(other.clone()));
    assert_eq!(world.bind(PLAYER, id), Err(other.clone()));
    assert_eq!(world.unbind(PLAYER, id), Err(other.clone()));
    assert_eq!(world.speak_for(id).err(), Some(other));
    assert!(!world.is_alive(id));
    assert_eq!(world.parent(id), None);
    assert_eq!(world.children(id).count(), 0);
    assert_eq!(world.hooks(id).count(), 0);

    assert!(world.is_alive(own));
    assert_eq!(world.iter::<Ears>().count(), 1);
    assert_eq!(world.parent(own), None);
    assert_eq!(world.bound(PLAYER), None);
    Ok(())
}

// holds: messagees.other-manager
#[test]
fn a_hook_of_another_manager_is_refused() -> Tested {
    let (mut world, own, own_hook) = one()?;
    let (_menu, _, hook) = one()?;
    let other = MessageeError::NotHooked {
        hook,
        why: Absence::OtherManager,
    };
    assert_eq!(world.unhook::<Ears>(hook).err(), Some(other.clone()));
    let reached = world.component_mut::<Ears>(hook).err();
    assert_eq!(reached, Some(other.clone()));
    assert_eq!(world.owner(hook), Err(other.clone()));
    assert_eq!(world.set_enabled(hook, false), Err(other.clone()));
    assert_eq!(world.is_enabled(hook), Err(other));
    assert_eq!(world.is_enabled(own_hook), Ok(true));
    assert_eq!(world.send(own, Ping)?.received, 1);
    Ok(())
}

#[test]
fn a_manager_can_be_moved_to_another_thread() {
    fn is_send<T: Send>(_: &T) -> bool {
        true
    }
    assert!(is_send(&MessageManager::new()));
}

// holds: messagees.other-manager
#[test]
fn a_world_is_built_on_a_loader_thread_and_swapped_in() -> Tested {
    let mut current = MessageManager::new();
    let old = current.spawn((Ears::default(),));
    current.send(old, Ping)?;

    let thread = std::thread::spawn(|| {
        let mut world = MessageManager::new();
        let player = world.spawn((Ears::default(),));
        world.bind(PLAYER, player)?;
        world.send(PLAYER, Ping)?;
        world.send(PLAYER, Ping)?;
        Ok::<_, Box<dyn Error + Send + Sync>>((world, player))
    });
    let loaded = thread.join().expect("the loader does not panic");
    let (mut world, player) = loaded.map_err(|error| error.to_string())?;

    std::mem::swap(&mut current, &mut world);
    assert_eq!(current.request(PLAYER, Count)?, 2);
    assert_eq!(current.send(player, Ping)?.received, 1);
    let foreign = SendError::new(
        Ping::NAME,
        old,
        SendErrorKind::Absent(Absence::OtherManager),
    );
    assert_eq!(current.send(old, Ping), Err(foreign));
    assert_eq!(world.request(old, Count)?, 1);
    Ok(())
}

#[test]
fn managers_run_on_several_threads_at_once() {
    let threads: Vec<_> = (1..=4)
        .map(|count| {
            std::thread::spawn(move || {
                let mut manager = MessageManager::new();
                let id = manager.spawn((Ears::default(),));
                for _ in 0..1000 * count {
                    manager.send(Everyone, Ping)?;
                }
                Ok::<_, SendError>((manager.request(id, Count)?, 1000 * count))
            })
        })
        .collect();
    for thread in threads {
        let result = thread.join().expect("no thread panics");
        let (heard, sent) = result.expect("no send fails");
        assert_eq!(heard, sent);
    }
}

mod order {
    //! The order of delivery to everyone, and that it is the same in every run.

    use super::{Arc, Error, Mutex};
    use message_core::Recipient::EveryoneElse;
    use message_core::prelude::*;

    type Lines = Arc<Mutex<Vec<String>>>;

    #[derive(Message)]
    struct Tick {
        round: u32,
    }

    #[derive(Message)]
    struct Echo {
        round: u32,
    }

    macro_rules! noisy {
        ($($name:ident)*) => {
            $(
                struct $name {
                    number: usize,
                    lines: Lines,
                }

                #[handlers]
                impl $name {
                    #[on_receive]
                    fn tick(&mut self, tick: &Tick, cx: &mut Context<'_>) -> Result<(), SendError> {
                        self.write("tick", tick.round);
                        if self.number % 3 == 0 {
                            cx.send(EveryoneElse, Echo { round: tick.round })?;
                        }
                        Ok(())
                    }

                    #[on_receive]
                    fn echo(&self, echo: &Echo) {
                        self.write("echo", echo.round);
                    }
                }

                impl $name {
                    fn write(&self, what: &str, round: u32) {
                        let (name, number) = (stringify!($name), self.number);
                        let mut lines = self.lines.lock().expect("nobody panics");
                        lines.push(format!("{name} {number}: {what} {round}"));
                    }
                }
            )*
        };
    }

    noisy!(Cat Ant Bee);

    /// Runs a program that spawns, despawns, disables and sends to everyone. Returns the lines it writes.
    fn run() -> Result<Vec<String>, Box<dyn Error>> {
        let lines = Lines::default();
        let mut manager = MessageManager::new();
        let mut ids = Vec::new();
        for number in 0..9 {
            let lines = || Arc::clone(&lines);
            ids.push(manager.spawn((
                Cat {
                    number,
                    lines: lines(),
                },
                Ant {
                    number,
                    lines: lines(),
                },
            )));
            let bee = Bee {
                number,
                lines: lines(),
            };
            let hook = manager.hook(ids[number], bee)?;
            manager.set_enabled(hook, number % 4 != 1)?;
        }
        for round in 0..4 {
            manager.send(Everyone, Tick { round })?;
            manager.despawn(ids.remove(1))?;
            let lines = Arc::clone(&lines);
            manager.spawn((Bee { number: 99, lines },));
        }
        let lines = lines.lock().expect("nobody panics");
        Ok(lines.clone())
    }

    // holds: send.everyone-order-repeatable
    #[test]
    fn the_order_is_the_same_in_every_run_on_the_same_inputs() -> super::Tested {
        let first = run()?;
        assert!(first.len() > 200);
        for _ in 0..5 {
            assert_eq!(run()?, first);
        }
        Ok(())
    }

    // holds: send.everyone-order
    #[test]
    fn everyone_goes_component_type_by_component_type_in_storage_order() -> super::Tested {
        let lines = Lines::default();
        let mut manager = MessageManager::new();
        for number in [1, 2] {
            let lines = || Arc::clone(&lines);
            manager.spawn((
                Cat {
                    number,
                    lines: lines(),
                },
                Bee {
                    number,
                    lines: lines(),
                },
                Ant {
                    number,
                    lines: lines(),
                },
            ));
        }
        manager.send(Everyone, Tick { round: 0 })?;
        let lines = lines.lock().expect("nobody panics");
        assert_eq!(
            *lines,
            [
                "Ant 1: tick 0",
                "Ant 2: tick 0",
                "Bee 1: tick 0",
                "Bee 2: tick 0",
                "Cat 1: tick 0",
                "Cat 2: tick 0",
            ]
        );
        Ok(())
    }

    // holds: send.everyone-order
    #[test]
    fn storage_order_is_that_of_spawning_while_nothing_was_removed() -> super::Tested {
        let lines = Lines::default();
        let mut manager = MessageManager::new();
        for number in [1, 2, 4, 5, 7] {
            let lines = Arc::clone(&lines);
            manager.spawn((Bee { number, lines },));
        }
        manager.send(Everyone, Echo { round: 0 })?;
        let lines = lines.lock().expect("nobody panics");
        let numbers = lines.iter().map(|line| line.replace(": echo 0", ""));
        let numbers: Vec<String> = numbers.collect();
        assert_eq!(numbers, ["Bee 1", "Bee 2", "Bee 4", "Bee 5", "Bee 7"]);
        Ok(())
    }
}
