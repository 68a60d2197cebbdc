//! Thousands of managers, one after the other and at once: none is taken for another.

mod common;

use std::time::Duration;

use common::{Ear, Log, Note, Tested};
use message_core::prelude::*;

/// All tests together make fewer than 65 535 managers, so no number comes again.
const MANY: usize = 10_000;
const FRAME: Duration = Duration::from_millis(10);

/// Makes a manager and drops it, many times.
fn each_of_many(mut look: impl FnMut(&mut MessageManager) -> Tested) -> Tested {
    (0..MANY).try_for_each(|_| look(&mut MessageManager::new()))
}

// holds: messagees.dropped-manager-ids
#[test]
fn what_a_dropped_manager_has_given_out_means_nothing_in_those_made_next() -> Tested {
    let log = Log::default();
    let header = Header::to(Everyone).after(FRAME).build()?;
    let mut first = MessageManager::new();
    let id = first.spawn(());
    let hook = first.hook(id, Ear::new("first", &log))?;
    let subscription = first.subscribe(Filter::of::<Note>(), |_, _| {});
    let ticket = first.post(&header, Note("first"))?;
    drop(first);
    each_of_many(|manager| {
        let ear = manager.spawn((Ear::new("newcomer", &log),));
        assert!(manager.is_alive(ear) && !manager.is_alive(id));
        let refused = manager.send(id, Note("for the first"));
        assert!(
            matches!(
                refused.as_ref().map_err(SendError::kind),
                Err(SendErrorKind::Absent(Absence::OtherManager))
            ),
            "{refused:?}"
        );
        let refused = manager.set_enabled(hook, false);
        assert_eq!(
            refused,
            Err(MessageeError::NotHooked {
                hook,
                why: Absence::OtherManager
            })
        );
        manager.subscribe(Filter::of::<Note>(), |_, _| {});
        assert!(!manager.unsubscribe(subscription));
        manager.post(&header, Note("newcomer"))?;
        assert_eq!(manager.cancel(ticket), 0);
        Ok(())
    })?;
    assert!(log.take().is_empty());
    Ok(())
}

// holds: messagees.newcomer-has-own-name, messagees.name-of-gone
#[test]
fn the_name_of_a_dropped_managers_messagee_is_not_that_of_those_made_next() -> Tested {
    let mut first = MessageManager::new();
    let old = first.spawn_named("old", ());
    drop(first);
    let mut name_it = false;
    each_of_many(|manager| {
        let id = manager.spawn(());
        assert_eq!((manager.name(id), manager.find("*").count()), (None, 0));
        assert_eq!(id.to_string(), format!("{id:#}"));
        if name_it {
            manager.set_name(id, "new")?;
        }
        name_it = !name_it;
        assert_eq!(old.to_string(), format!("{old:#}"));
        Ok(())
    })
}

// holds: messagees.managers-share-no-id
#[test]
fn thousands_of_managers_that_are_alive_at_once_are_told_apart() -> Tested {
    let make = || {
        let mut manager = MessageManager::new();
        let id = manager.spawn(());
        (manager, id)
    };
    for _ in 0..2 {
        let mut managers: Vec<_> = (0..5_000).map(|_| make()).collect();
        let ids: Vec<_> = managers.iter().map(|(_, id)| *id).collect();
        let (last, own) = managers.last_mut().ok_or("there are some")?;
        for id in ids {
            let expected = (id != *own).then_some(MessageeError::Absent {
                id,
                why: Absence::OtherManager,
            });
            assert_eq!(last.set_parent(id, None).err(), expected);
        }
    }
    Ok(())
}

#[test]
fn ids_print_alike_in_all_managers() {
    for _ in 0..100 {
        let mut manager = MessageManager::new();
        assert_eq!(manager.spawn(()).to_string(), "0v0");
    }
}
