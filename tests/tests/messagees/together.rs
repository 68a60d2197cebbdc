//! Messagees that have components of several types, and these components.

use std::error::Error;

use message_core::prelude::*;

type Tested = Result<(), Box<dyn Error>>;

#[derive(Debug, PartialEq)]
struct Place(u32);

#[derive(Debug, PartialEq)]
struct Speed(u32);

struct Label(&'static str);

/// Makes the number of its component types large.
struct Ballast<const N: usize>;

#[derive(Message)]
struct Look;

#[derive(Message)]
#[message(reply = Vec<MessageeId>)]
struct Count;

#[handlers]
impl Speed {
    #[on_receive]
    fn look(&mut self, _: &Look, cx: &mut Context<'_>) {
        // It runs itself, so it is left out.
        let others = cx.iter_all::<(Place, Speed)>();
        self.0 = u32::try_from(others.count()).expect("they are few");
    }

    #[on_receive]
    fn count(&self, _: &Count, cx: &mut Context<'_>) -> Vec<MessageeId> {
        cx.iter_all::<(Speed, Place)>().map(|(id, _)| id).collect()
    }
}

/// Returns a manager with messagees of several layouts, and the ids of those with a place and a speed, by place.
fn crowd() -> (MessageManager, Vec<MessageeId>) {
    let mut manager = MessageManager::new();
    let mut both = Vec::new();
    for at in 0..40 {
        let id = match at % 8 {
            0 => manager.spawn((Place(at), Speed(at))),
            1 => manager.spawn((Speed(at), Label("fast"), Place(at))),
            2 => manager.spawn((Place(at), Label("house"))),
            3 => manager.spawn((Speed(at),)),
            4 => manager.spawn((Place(at), Speed(at), Place(1_000), Speed(1_000))),
            5 => manager.spawn((
                Ballast::<0>,
                Ballast::<1>,
                Ballast::<2>,
                Ballast::<3>,
                Place(at),
                Speed(at),
            )),
            6 => {
                // More than a layout has.
                let id = manager.spawn(());
                for _ in 0..20 {
                    manager.hook(id, Label("many")).expect("it is alive");
                }
                manager.hook(id, Speed(at)).expect("it is alive");
                manager.hook(id, Place(at)).expect("it is alive");
                id
            }
            _ => manager.spawn(()),
        };
        if [0, 1, 4, 5, 6].contains(&(at % 8)) {
            both.push(id);
        }
    }
    (manager, both)
}

// holds: messagees.iter-all
#[test]
fn iter_all_finds_the_messagees_with_all_types_once_in_storage_order() -> Tested {
    let (mut manager, both) = crowd();
    let found: Vec<_> = manager.iter_all::<(Place, Speed)>().collect();
    assert!(found.iter().map(|(id, _)| *id).eq(both.iter().copied()));
    for (id, (place, speed)) in &found {
        assert_eq!((place.0, speed.0), (manager.get::<Place>(*id)?.0, place.0));
    }
    drop(found);
    let places = manager.iter_all::<(Place,)>().count();
    assert_eq!(places, both.len() + 5);
    let labelled = manager.iter_all::<(Label, Speed, Place)>();
    assert_eq!(
        labelled
            .filter(|(_, (label, ..))| label.0 == "fast")
            .count(),
        5
    );
    assert_eq!(manager.iter_all::<(Place, String)>().count(), 0);
    assert_eq!(manager.iter_all::<()>().count(), 0);
    assert_eq!(manager.iter_all::<(Place, Place)>().count(), places);

    // The disabled ones come last.
    manager.set_enabled(manager.hook_of::<Place>(both[0])?, false)?;
    let order = |manager: &MessageManager| -> Vec<MessageeId> {
        manager
            .iter_all::<(Place, Speed)>()
            .map(|(id, _)| id)
            .collect()
    };
    assert_eq!(order(&manager).last(), Some(&both[0]));
    manager.despawn(both[0])?;
    assert_eq!(order(&manager).len(), both.len() - 1);
    Ok(())
}

// holds: messagees.iter-all
#[test]
fn iter_all_in_a_handler_leaves_out_what_is_mutably_borrowed() -> Tested {
    let (mut manager, both) = crowd();
    // The component of a handler with `&self` is found.
    let mut counted = manager.request(both[3], Count)?;
    counted.sort();
    assert_eq!(counted, both);
    manager.send(both[0], Look)?;
    assert_eq!(manager.get::<Speed>(both[0])?.0 as usize, both.len() - 1);
    Ok(())
}

// holds: messagees.iter-all-mut
#[test]
fn iter_all_mut_changes_the_first_component_of_each_type() -> Tested {
    let (mut manager, both) = crowd();
    let mut ids = Vec::new();
    for (id, (speed, place)) in manager.iter_all_mut::<(Speed, Place)>() {
        assert_eq!(speed, &mut Speed(place.0));
        place.0 += 100;
        speed.0 *= 2;
        ids.push(id);
    }
    let order: Vec<_> = manager
        .iter_all::<(Speed, Place)>()
        .map(|(id, _)| id)
        .collect();
    assert_eq!(ids, order);
    for id in both {
        let place = manager.get::<Place>(id)?.0;
        assert_eq!(manager.get::<Speed>(id)?.0, 2 * (place - 100));
    }
    let untouched = manager
        .iter::<Place>()
        .filter(|(_, place)| place.0 == 1_000);
    assert_eq!(untouched.count(), 5);
    // All of them at once.
    let all: Vec<_> = manager.iter_all_mut::<(Place, Speed)>().collect();
    assert_eq!(all.len(), ids.len());
    assert_eq!(manager.iter_all_mut::<(Place, String)>().count(), 0);
    assert_eq!(manager.iter_all_mut::<()>().count(), 0);
    Ok(())
}

// holds: messagees.iter-all-mut
#[test]
#[should_panic(expected = "cannot borrow a component twice: expected different types")]
fn iter_all_mut_of_the_same_type_twice_panics() {
    let (mut manager, _) = crowd();
    let _ = manager.iter_all_mut::<(Place, Place)>();
}
