//! As many managers at once as a process can have, and one more. Its tests wait for each other, since no
//! other could make a manager meanwhile.

use std::error::Error;
use std::panic::catch_unwind;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use message_core::RegistryError;
use message_core::mailbox::{AnyCursor, Cursor};
use message_core::prelude::*;

const LIMIT: usize = 65_535;
const FRAME: Duration = Duration::from_millis(10);

#[derive(Message)]
struct Note;

fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn make() -> Result<MessageManager, &'static RegistryError> {
    MessageManager::try_new(ManagerConfig::new())
}

// holds: messagees.managers-share-no-id
#[test]
fn one_manager_more_than_can_be_alive_at_once_is_refused_until_one_is_dropped()
-> Result<(), Box<dyn Error>> {
    let _alone = alone();
    let mut managers = (0..LIMIT).map(|_| make()).collect::<Result<Vec<_>, _>>()?;
    let refused = make().err();
    assert_eq!(refused, Some(&RegistryError::TooManyManagers));
    assert!(catch_unwind(MessageManager::new).is_err());

    drop(managers.pop());
    let _newcomer = make()?;
    assert!(make().is_err());
    Ok(())
}

// holds: messagees.dropped-manager-ids
#[test]
fn an_id_of_a_dropped_manager_means_nothing_as_long_as_another_number_is_free()
-> Result<(), Box<dyn Error>> {
    let _alone = alone();
    let others = (0..60_000).map(|_| make()).collect::<Result<Vec<_>, _>>()?;
    let mut dropped = make()?;
    let id = dropped.spawn(());
    drop(dropped);
    for _ in 0..65_534 - others.len() {
        let mut manager = make()?;
        assert_ne!(manager.spawn(()), id);
        let refused = manager.set_parent(id, None);
        assert_eq!(
            refused,
            Err(MessageeError::Absent {
                id,
                why: Absence::OtherManager
            })
        );
    }
    Ok(())
}

/// All managers but one are alive, so each that is made has the number of the one before.
// holds: mail.cursor-new
#[test]
fn a_cursor_that_meets_another_manager_has_missed_nothing() -> Result<(), Box<dyn Error>> {
    let _alone = alone();
    let _others = (1..LIMIT).map(|_| make()).collect::<Result<Vec<_>, _>>()?;
    let mut first = make()?;
    let (mut typed, mut any) = (Cursor::<Note>::new(), AnyCursor::new());
    for _ in 0..5 {
        first.publish(Everyone, Note)?;
    }
    first.tick(FRAME);
    assert_eq!(first.inbox().since(&mut typed).count(), 5);
    assert_eq!(first.inbox_any().since(&mut any).count(), 5);
    drop(first);
    let manager = make()?;
    assert!(manager.inbox().since(&mut typed).is_empty());
    assert!(manager.inbox_any().since(&mut any).is_empty());
    assert_eq!((typed.missed(), any.missed()), (0, 0));
    Ok(())
}
