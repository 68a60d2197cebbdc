//! W1-mnemonic, W1-group and W1-up: a send to a mnemonic, to a group, and to a messagee and its ancestors. A second
//! line of each row sends to the same messagees by their ids, one by one.

use message_core::prelude::*;

use super::names;
use super::send::Sends;
use super::world::World;
use crate::compare::{Size, Trial};
use crate::work::apart::named;
use crate::work::{self, Kind, with_kinds_apart};

/// Gives an address to each `N` messagees, and prepares the sends to these addresses.
fn prepare<const N: usize, A, S>(
    size: Size,
    mut address: impl FnMut(&mut MessageManager, [MessageeId; N]) -> A,
    send: S,
) -> Box<dyn Trial>
where
    A: Copy + 'static,
    S: Fn(&mut MessageManager, A, Kind) + 'static,
{
    let mut world = World::new(size.objects);
    let mut addresses = Vec::new();
    for numbers in work::audiences::<N>(size.objects) {
        let ids = numbers.map(|number| world.ids[number as usize]);
        addresses.push(address(&mut world.manager, ids));
    }
    let order = work::errands(addresses.len()).into_iter();
    let order = order.map(|(to, kind)| (addresses[to as usize], kind));
    Box::new(Sends {
        world,
        order: order.collect(),
        send,
        passes: size.passes,
    })
}

pub(super) fn prepare_mnemonics(size: Size) -> Box<dyn Trial> {
    let mut names = names::thousand_mnemonics().into_iter();
    let bind = |manager: &mut MessageManager, [id]: [MessageeId; 1]| {
        let name = names.next().expect("there are enough");
        manager.bind(name, id).expect("nobody has that name");
        name
    };
    prepare(size, bind, |manager, name, kind| {
        send_to(manager, name, kind, 1);
    })
}

pub(super) fn prepare_groups(size: Size) -> Box<dyn Trial> {
    let mut groups = names::hundred_groups().into_iter();
    let join = |manager: &mut MessageManager, ids: [MessageeId; 8]| {
        let group = groups.next().expect("there are enough");
        for id in ids {
            manager.join(group, id).expect("it is alive");
        }
        group
    };
    prepare(size, join, |manager, group, kind| {
        send_to(manager, group, kind, 8);
    })
}

pub(super) fn prepare_families(size: Size) -> Box<dyn Trial> {
    let adopt = |manager: &mut MessageManager, ids: [MessageeId; 4]| {
        for pair in ids.windows(2) {
            let adopted = manager.set_parent(pair[0], Some(pair[1]));
            adopted.expect("both are alive");
        }
        ids[0]
    };
    prepare(size, adopt, |manager, youngest, kind| {
        send_to(manager, Up(youngest), kind, 4);
    })
}

/// Prepares the sends to `N` messagees by their ids.
pub(super) fn prepare_ids<const N: usize>(size: Size) -> Box<dyn Trial> {
    let each = |manager: &mut MessageManager, ids: [MessageeId; N], kind| {
        for id in ids {
            send_to(manager, id, kind, 1);
        }
    };
    prepare(size, |_, ids| ids, each)
}

macro_rules! send_to {
    ($($kind:ident to $component:ident by $second:ident and $named:ident times $weight:literal,)*) => {
        #[inline]
        fn send_to(
            manager: &mut MessageManager,
            to: impl Into<Recipient>,
            kind: Kind,
            receivers: usize,
        ) {
            let receipt = match kind {
                $(Kind::$kind => manager.send(to, named::$kind { amount: 1.0 }),)*
            };
            let receipt = receipt.expect("there is somebody");
            assert_eq!(receipt.received as usize, receivers);
        }
    };
}
with_kinds_apart!(send_to);
