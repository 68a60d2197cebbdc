//! As many managers at once as a process can have, and one more. Its tests wait for each other, since no
//! other could make a manager meanwhile.

use std::collections::HashSet;
use std::error::Error;
use std::panic::catch_unwind;
use std::sync::{Mutex, MutexGuard, PoisonError};

use message_core::RegistryError;
use message_core::data::{Data, SaveOptions};
use message_core::prelude::*;
use serde::{Deserialize, Serialize};

const LIMIT: usize = 65_535;

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
    let expected = RegistryError::TooManyManagers { limit: LIMIT };
    assert_eq!(refused, Some(&expected));
    assert!(catch_unwind(MessageManager::new).is_err());

    let mut last = managers.pop().ok_or("there are some")?;
    let id = last.spawn(());
    drop(last);
    let mut newcomer = make()?;
    assert_ne!(newcomer.spawn(()), id);
    assert!(make().is_err());
    Ok(())
}

/// All managers but one are alive, so each that is made has the number of the one before.
// holds: messagees.dropped-manager-ids
#[test]
fn no_id_comes_again_however_many_messagees_the_managers_of_a_number_have_had()
-> Result<(), Box<dyn Error>> {
    let _alone = alone();
    let _others = (1..LIMIT).map(|_| make()).collect::<Result<Vec<_>, _>>()?;
    let mut ids = HashSet::new();
    let (mut earlier, mut last) = (None, None);
    // More than there are generations of a place.
    for lives in [1, 10, 30_000, 30_000, 50_000, 7, 60_000, 60_000] {
        let mut manager = make()?;
        let others: Vec<_> = (0..lives % 11).map(|_| manager.spawn(())).collect();
        for life in 0..lives {
            let id = manager.spawn(());
            assert!(ids.insert(id), "{id} has come again in life {life}");
            if let Some(id) = earlier {
                assert!(!manager.is_alive(id));
                let refused = manager.set_parent(id, None);
                assert_eq!(refused, Err(MessageeError::OtherManager { id }));
            }
            manager.despawn(id)?;
            last = Some(id);
        }
        earlier = last;
        assert!(others.into_iter().all(|id| ids.insert(id)));
    }
    Ok(())
}

/// Notes whom it has met, by id.
#[derive(Data, Serialize, Deserialize, Default, Debug)]
#[data(name = "too_many.Guest")]
#[serde(default)]
struct Guest {
    met: Vec<MessageeId>,
    own: Option<HookId>,
}

fn place(id: MessageeId) -> u32 {
    let text = id.to_string();
    let place = text.split('v').next().and_then(|place| place.parse().ok());
    place.expect("an id begins with its place")
}

/// All managers but two are alive: the one that is saved and the one that is restored. Those of their
/// numbers before them have used up the generations of their places.
// holds: saves.save-of-restored, saves.ids-inside, saves.goes-on
#[test]
fn a_manager_whose_places_begin_behind_those_of_others_is_restored_as_it_was()
-> Result<(), Box<dyn Error>> {
    let _alone = alone();
    let _others = (2..LIMIT).map(|_| make()).collect::<Result<Vec<_>, _>>()?;
    for _ in 0..2 {
        let mut earlier = make()?;
        for _ in 0..60_000 {
            let id = earlier.spawn((Guest::default(),));
            earlier.despawn(id)?;
        }
    }
    let mut manager = make()?;
    let ids: Vec<MessageeId> = (0..5).map(|_| manager.spawn((Guest::default(),))).collect();
    assert!(!ids[0].to_string().starts_with("0v"), "{}", ids[0]);
    for &id in &ids {
        let own = manager.hooks(id).next();
        let guest = manager.get_mut::<Guest>(id)?;
        (guest.met, guest.own) = (ids.clone(), own);
    }
    for gone in [ids[1], ids[3]] {
        manager.despawn(gone)?;
    }
    let bytes = manager.save(&SaveOptions::new())?;
    let mut restored = MessageManager::restore(&bytes, ManagerConfig::new())?.manager;
    assert_eq!(restored.save(&SaveOptions::new())?, bytes);
    let there: Vec<MessageeId> = restored.messagees().collect();
    assert_eq!(there.len(), 3);
    for &id in &there {
        let own = restored.hooks(id).next();
        let guest = restored.get::<Guest>(id)?;
        assert_eq!(
            (guest.met[0], guest.met[2], guest.met[4], guest.own),
            (there[0], there[1], there[2], own)
        );
    }
    // The places that are free are taken by the next, as in the manager that was saved.
    let next = [(); 3].map(|()| manager.spawn(()));
    let again = [(); 3].map(|()| restored.spawn(()));
    assert_eq!(
        next.map(|id| place(id) - place(ids[0])),
        again.map(|id| place(id) - place(there[0]))
    );
    assert!(restored.is_alive(again[0]) && !there.contains(&again[0]));
    Ok(())
}
