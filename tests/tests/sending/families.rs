//! Families: parents, children, and how they change.

use std::error::Error;

use message_core::Children;
use message_core::prelude::*;

type Tested = Result<(), Box<dyn Error>>;

#[derive(Message)]
#[message(reply = char)]
struct Name;

struct Named(char);

#[handlers]
impl Named {
    #[on_receive]
    fn name(&self, _: &Name) -> char {
        self.0
    }
}

/// Nine messagees, named by letters:
///
/// ```text
/// a ─ b ─ d
///   │   └ e ─ h
///   └ c ─ f
///       └ g
/// z
/// ```
struct Family {
    manager: MessageManager,
    ids: Vec<(char, MessageeId)>,
}

impl Family {
    fn new() -> Result<Self, MessageeError> {
        let mut manager = MessageManager::new();
        let ids = "abcdefghz".chars();
        let ids: Vec<_> = ids.map(|it| (it, manager.spawn((Named(it),)))).collect();
        let mut family = Self { manager, ids };
        for pair in ["ab", "ac", "bd", "be", "cf", "cg", "eh"] {
            let mut pair = pair.chars().map(|name| family.id(name));
            let (parent, child) = (pair.next(), pair.next());
            let child = child.expect("a pair has two names");
            family.manager.set_parent(child, parent)?;
        }
        Ok(family)
    }

    fn id(&self, name: char) -> MessageeId {
        let found = self.ids.iter().find(|(it, _)| *it == name);
        found.expect("there is one of that name").1
    }

    fn name(&self, id: MessageeId) -> char {
        let found = self.ids.iter().find(|(_, it)| *it == id);
        found.expect("it is one of the family").0
    }

    fn children(&self, name: char) -> String {
        let children = self.manager.children(self.id(name));
        children.map(|id| self.name(id)).collect()
    }

    fn parent(&self, name: char) -> Option<char> {
        let parent = self.manager.parent(self.id(name));
        parent.map(|id| self.name(id))
    }

    fn set_parent(&mut self, child: char, parent: char) -> Result<(), MessageeError> {
        let (child, parent) = (self.id(child), self.id(parent));
        self.manager.set_parent(child, Some(parent))
    }

    /// Returns the names of the messagees that are alive, in order.
    fn alive(&self) -> String {
        let ids = self.ids.iter();
        let alive = ids.filter(|(_, id)| self.manager.is_alive(*id));
        alive.map(|(name, _)| *name).collect()
    }

    /// Returns the names of those that answer, in the order of delivery.
    fn roll(&mut self, to: Recipient) -> Result<String, SendError> {
        let answers = self.manager.request_all(to, Name)?;
        Ok(answers.into_iter().map(|(_, name)| name).collect())
    }
}

#[test]
fn a_messagee_has_the_parent_it_was_given() -> Tested {
    let family = Family::new()?;
    assert_eq!(family.parent('a'), None);
    assert_eq!(family.parent('b'), Some('a'));
    assert_eq!(family.parent('h'), Some('e'));
    Ok(())
}

#[test]
fn children_stand_in_the_order_in_which_they_came() -> Tested {
    let mut family = Family::new()?;
    assert_eq!(family.children('a'), "bc");
    assert_eq!(family.children('b'), "de");
    assert_eq!(family.children('h'), "");
    family.set_parent('z', 'a')?;
    assert_eq!(family.children('a'), "bcz");
    family.set_parent('b', 'a')?;
    assert_eq!(family.children('a'), "czb");
    Ok(())
}

#[test]
fn a_child_that_gets_another_parent_leaves_the_first_and_takes_its_own_along() -> Tested {
    let mut family = Family::new()?;
    family.set_parent('e', 'c')?;
    assert_eq!(family.parent('e'), Some('c'));
    assert_eq!(family.children('b'), "d");
    assert_eq!(family.children('c'), "fge");
    assert_eq!(family.children('e'), "h");
    Ok(())
}

#[test]
fn a_child_can_be_nobodys_again() -> Tested {
    let mut family = Family::new()?;
    let f = family.id('f');
    family.manager.set_parent(f, None)?;
    assert_eq!(family.parent('f'), None);
    assert_eq!(family.children('c'), "g");
    family.manager.set_parent(f, None)?;
    assert_eq!(family.parent('f'), None);
    Ok(())
}

// holds: messagees.parent-cycle, messagees.errors-change-nothing
#[test]
fn a_cycle_is_refused_and_changes_nothing() -> Tested {
    let mut family = Family::new()?;
    for (child, parent) in [('a', 'a'), ('a', 'b'), ('a', 'h'), ('b', 'h'), ('e', 'h')] {
        let refused = MessageeError::Cycle {
            child: family.id(child),
            parent: family.id(parent),
        };
        assert_eq!(family.set_parent(child, parent), Err(refused));
    }
    assert_eq!(family.parent('a'), None);
    assert_eq!(family.parent('b'), Some('a'));
    assert_eq!(family.parent('e'), Some('b'));
    assert_eq!(family.roll(Down(family.id('a')))?, "abdehcfg");
    Ok(())
}

// holds: messagees.parent-cycle
#[test]
fn what_was_a_cycle_is_none_once_the_link_between_is_gone() -> Tested {
    let mut family = Family::new()?;
    let b = family.id('b');
    assert!(family.set_parent('a', 'b').is_err());
    family.manager.set_parent(b, None)?;
    family.set_parent('a', 'b')?;
    assert_eq!(family.roll(Down(b))?, "bdehacfg");
    Ok(())
}

// holds: send.up-down-order
#[test]
fn up_is_the_messagee_then_its_ancestors() -> Tested {
    let mut family = Family::new()?;
    assert_eq!(family.roll(Up(family.id('h')))?, "heba");
    assert_eq!(family.roll(Up(family.id('a')))?, "a");
    Ok(())
}

// holds: send.up-down-order
#[test]
fn down_is_the_messagee_then_its_descendants_in_pre_order() -> Tested {
    let mut family = Family::new()?;
    assert_eq!(family.roll(Down(family.id('a')))?, "abdehcfg");
    assert_eq!(family.roll(Down(family.id('b')))?, "bdeh");
    assert_eq!(family.roll(Down(family.id('h')))?, "h");
    Ok(())
}

// holds: send.to-id-order
#[test]
fn an_id_alone_is_the_messagee_without_its_family() -> Tested {
    let mut family = Family::new()?;
    assert_eq!(family.roll(family.id('b').into())?, "b");
    Ok(())
}

// holds: messagees.despawn-takes-along
#[test]
fn children_follow_a_despawned_messagee_with_their_own_children() -> Tested {
    let mut family = Family::new()?;
    let b = family.id('b');
    family.manager.despawn(b)?;
    assert_eq!(family.alive(), "acfgz");
    assert_eq!(family.children('a'), "c");
    assert_eq!(family.roll(Everyone)?.len(), 5);
    Ok(())
}

// holds: messagees.despawn-takes-along
#[test]
fn the_default_is_that_children_follow() -> Tested {
    let mut family = Family::new()?;
    let b = family.id('b');
    assert_eq!(Children::default(), Children::Follow);
    family.manager.despawn_with(b, Children::Follow)?;
    assert_eq!(family.alive(), "acfgz");
    Ok(())
}

// holds: messagees.despawn-takes-along
#[test]
fn children_are_given_to_the_grandparent_when_asked() -> Tested {
    let mut family = Family::new()?;
    let b = family.id('b');
    family.manager.despawn_with(b, Children::Reparent)?;
    assert_eq!(family.alive(), "acdefghz");
    assert_eq!(family.children('a'), "cde");
    assert_eq!(family.parent('d'), Some('a'));
    assert_eq!(family.parent('e'), Some('a'));
    assert_eq!(family.children('e'), "h");
    Ok(())
}

// holds: messagees.despawn-takes-along
#[test]
fn children_of_one_without_parent_are_nobodys_when_it_goes_alone() -> Tested {
    let mut family = Family::new()?;
    let a = family.id('a');
    family.manager.despawn_with(a, Children::Reparent)?;
    assert_eq!(family.alive(), "bcdefghz");
    assert_eq!((family.parent('b'), family.parent('c')), (None, None));
    assert_eq!(family.children('b'), "de");
    Ok(())
}

#[test]
fn a_newcomer_in_the_place_of_a_despawned_one_has_no_family() -> Tested {
    for children in [Children::Follow, Children::Reparent] {
        let mut family = Family::new()?;
        let b = family.id('b');
        let before = family.manager.len();
        family.manager.despawn_with(b, children)?;
        let gone = before - family.manager.len();
        for _ in 0..gone {
            let new = family.manager.spawn((Named('n'),));
            assert_eq!(family.manager.parent(new), None);
            assert_eq!(family.manager.children(new).count(), 0);
            assert_eq!(family.roll(Down(new))?, "n");
        }
        assert!(!family.children('a').contains('n'));
    }
    Ok(())
}

// holds: messagees.errors-change-nothing
#[test]
fn a_messagee_that_is_gone_can_be_neither_parent_nor_child() -> Tested {
    let mut family = Family::new()?;
    let d = family.id('d');
    family.manager.despawn(d)?;
    let gone = MessageeError::Absent {
        id: d,
        why: Absence::Gone,
    };
    assert_eq!(family.set_parent('d', 'a'), Err(gone.clone()));
    assert_eq!(family.set_parent('z', 'd'), Err(gone));
    assert_eq!(family.parent('z'), None);
    assert_eq!(family.children('a'), "bc");
    Ok(())
}

// holds: send.up-down-order, messagees.despawn-takes-along
#[test]
fn a_long_line_of_ancestors_is_walked_and_despawned() -> Tested {
    let mut manager = MessageManager::new();
    let mut line = vec![manager.spawn((Named('n'),))];
    for _ in 0..1000 {
        let child = manager.spawn((Named('n'),));
        manager.set_parent(child, line.last().copied())?;
        line.push(child);
    }
    let (first, last) = (line[0], line[1000]);
    let answers = manager.request_all(Up(last), Name)?;
    let walked: Vec<MessageeId> = answers.iter().map(|(id, _)| *id).collect();
    line.reverse();
    assert_eq!(walked, line);
    manager.despawn(first)?;
    assert!(manager.is_empty());
    Ok(())
}
