//! Queries that consoles, inspectors and editors make of a manager: all of them are read-only.

use std::collections::BTreeSet;
use std::time::Duration;

use message_core::prelude::*;
use message_data::{declared_groups, declared_mnemonics};

type Tested = Result<(), Box<dyn std::error::Error>>;

mnemonic! { ASKED_GATE, ASKED_TOWER, ASKED_NOBODY, }
group! { ASKED_GUARDS, ASKED_EMPTY, }

#[derive(Message, Debug)]
struct Knock(u32);

/// How often it was knocked at.
struct Lock(u32);

#[handlers]
impl Lock {
    #[on_receive]
    fn knock(&mut self, knock: &Knock) {
        self.0 += knock.0;
    }
}

// holds: asking.serial
#[test]
fn no_two_managers_have_the_same_serial() {
    let mut serials = BTreeSet::new();
    for _ in 0..100 {
        assert!(serials.insert(MessageManager::new().inspect().serial()));
    }
}

// holds: asking.messagee-written
#[test]
fn a_messagee_is_found_by_its_written_id_while_it_is_alive() -> Tested {
    let mut manager = MessageManager::new();
    let ids: Vec<_> = (0..50).map(|_| manager.spawn((Lock(0),))).collect();
    for &id in &ids {
        let written = format!("{id:#}");
        assert_eq!(manager.inspect().parse_messagee(&written), Some(id));
        for wrong in [
            format!("+{written}"),
            format!(" {written}"),
            format!("{written} "),
            format!("0{written}"),
            written.replace('v', ""),
            written.replace('v', "V"),
        ] {
            assert_eq!(manager.inspect().parse_messagee(&wrong), None, "{wrong}");
        }
    }
    for wrong in [
        "",
        "v",
        "1v",
        "v1",
        "99999v1",
        "1v1v1",
        "-1v0",
        "18446744073709551616v0",
    ] {
        assert_eq!(manager.inspect().parse_messagee(wrong), None, "{wrong}");
    }
    let gone = format!("{:#}", ids[7]);
    manager.despawn(ids[7])?;
    assert_eq!(manager.inspect().parse_messagee(&gone), None);
    let newcomer = manager.spawn((Lock(0),));
    assert_eq!(manager.inspect().parse_messagee(&gone), None);
    assert_eq!(
        manager.inspect().parse_messagee(&format!("{newcomer:#}")),
        Some(newcomer)
    );
    Ok(())
}

// holds: asking.component-name
#[test]
fn a_component_has_the_name_of_its_type_while_it_is_hooked() -> Tested {
    let mut manager = MessageManager::new();
    let gate = manager.spawn((Lock(0),));
    let hook = manager.hook_of::<Lock>(gate)?;
    assert_eq!(
        manager.component_name(hook),
        Some(std::any::type_name::<Lock>())
    );
    manager.unhook::<Lock>(hook)?;
    assert_eq!(manager.component_name(hook), None);
    Ok(())
}

// holds: asking.pending-len, asking.pending-message
#[test]
fn what_is_pending_is_counted_and_shown() -> Tested {
    let mut manager = MessageManager::new();
    let gate = manager.spawn((Lock(0),));
    let mut tickets = Vec::new();
    for number in 0..20 {
        let later = Header::to(gate).after(Duration::from_millis(number + 1));
        tickets.push(manager.post(later, Knock(u32::try_from(number)?))?);
        assert_eq!(
            manager.inspect().pending_len(),
            manager.pending_posts(Posts::all()).len()
        );
    }
    let shown = manager
        .inspect()
        .pending_message(tickets[3])
        .map(|it| format!("{:?}", &*it));
    assert_eq!(shown.as_deref(), Some("Knock(3)"));
    manager.cancel(tickets[3]);
    assert!(manager.inspect().pending_message(tickets[3]).is_none());
    manager.tick(Duration::from_millis(10));
    assert!(manager.inspect().pending_message(tickets[9]).is_none());
    assert!(manager.inspect().pending_message(tickets[10]).is_some());
    assert_eq!(manager.inspect().pending_len(), 10);
    assert_eq!(
        manager.inspect().pending_len(),
        manager.pending_posts(Posts::all()).len()
    );
    Ok(())
}

// holds: asking.dead-letters
#[test]
fn each_dead_letter_is_counted() -> Tested {
    let mut manager = MessageManager::new();
    let nobody = manager.spawn(());
    for count in 0..5 {
        assert_eq!(manager.inspect().dead_letter_count(), count);
        manager.post(Header::to(nobody).stage(Stage::Update).require(1), Knock(0))?;
        manager.tick(Duration::ZERO);
    }
    Ok(())
}

// holds: asking.addresses-of
#[test]
fn the_addresses_of_a_messagee_are_listed_while_it_has_them() -> Tested {
    let mut manager = MessageManager::new();
    let gate = manager.spawn((Lock(0),));
    assert!(manager.mnemonics_of(gate).is_empty() && manager.groups_of(gate).is_empty());
    manager.bind(ASKED_TOWER, gate)?;
    manager.bind(ASKED_GATE, gate)?;
    manager.join(ASKED_GUARDS, gate)?;
    // They are sorted by name.
    assert_eq!(manager.mnemonics_of(gate), [ASKED_GATE, ASKED_TOWER]);
    assert_eq!(manager.groups_of(gate), [ASKED_GUARDS]);
    manager.unbind(ASKED_GATE, gate)?;
    manager.leave(ASKED_GUARDS, gate)?;
    assert_eq!(manager.mnemonics_of(gate), [ASKED_TOWER]);
    assert!(manager.groups_of(gate).is_empty());
    Ok(())
}

// holds: asking.declared
#[test]
fn all_mnemonics_and_groups_of_the_program_are_listed_once_by_name() {
    let mnemonics: Vec<_> = declared_mnemonics().collect();
    for declared in [ASKED_GATE, ASKED_TOWER, ASKED_NOBODY] {
        assert_eq!(mnemonics.iter().filter(|it| **it == declared).count(), 1);
    }
    assert!(mnemonics.is_sorted_by(|a, b| a.name() < b.name()));
    let groups: Vec<_> = declared_groups().collect();
    for declared in [ASKED_GUARDS, ASKED_EMPTY] {
        assert_eq!(groups.iter().filter(|it| **it == declared).count(), 1);
    }
    assert!(groups.is_sorted_by(|a, b| a.name() < b.name()));
}
