//! W8: boxes, each of which owns the next one, and virtual calls from one to the next. In W8-two an
//! object consists of two boxes, and both are called.

use super::way::{Direct, Way};
use crate::compare::{HOPS, Size, Trial};
use crate::work::{Checksum, Pass, Relay};

trait Link<W> {
    fn pass(&mut self, pass: &Pass, way: &mut W);
    /// Adds the states from here to the end of the chain.
    fn add_to(&self, sum: &mut Checksum, number: usize);
}

/// An object of `N` components, the first of which knows the next object.
type Object<W, const N: usize> = [Box<dyn Link<W>>; N];

struct Hop<W, const N: usize> {
    relay: Relay,
    next: Option<Object<W, N>>,
}

impl<W: Way, const N: usize> Link<W> for Hop<W, N> {
    fn pass(&mut self, pass: &Pass, way: &mut W) {
        let hops = self.relay.pass(pass.hops);
        if let Some(next) = &mut self.next {
            send(next, &Pass { hops }, way);
        }
    }

    fn add_to(&self, sum: &mut Checksum, number: usize) {
        sum.add(number, &self.relay);
        for component in self.next.iter().flatten() {
            component.add_to(sum, number + 1);
        }
    }
}

/// The second component of an object of two, which sends nothing.
#[derive(Default)]
struct Echo(Relay);

impl<W> Link<W> for Echo {
    fn pass(&mut self, pass: &Pass, _: &mut W) {
        self.0.pass(pass.hops);
    }

    fn add_to(&self, sum: &mut Checksum, number: usize) {
        sum.add(number, &self.0);
    }
}

#[inline]
fn send<W: Way, const N: usize>(to: &mut Object<W, N>, pass: &Pass, way: &mut W) {
    way.call(|way| {
        for component in to {
            component.pass(pass, way);
        }
    });
}

struct Chains<W, const N: usize> {
    way: W,
    heads: Vec<Object<W, N>>,
    passes: usize,
}

pub(super) fn prepare<W: Way>(size: Size) -> Box<dyn Trial> {
    prepare_for::<W, 1>(size, |hop| [hop])
}

pub(super) fn prepare_two(size: Size) -> Box<dyn Trial> {
    prepare_for::<Direct, 2>(size, |hop| [hop, Box::new(Echo::default())])
}

fn prepare_for<W: Way, const N: usize>(
    size: Size,
    object: fn(Box<dyn Link<W>>) -> Object<W, N>,
) -> Box<dyn Trial> {
    let hop = |next| {
        let relay = Relay::default();
        object(Box::new(Hop { relay, next }))
    };
    let chain = |_| (1..HOPS).fold(hop(None), |next, _| hop(Some(next)));
    Box::new(Chains {
        way: W::default(),
        heads: (0..size.objects).map(chain).collect(),
        passes: size.passes,
    })
}

impl<W: Way, const N: usize> Trial for Chains<W, N> {
    fn run(&mut self) {
        for _ in 0..self.passes {
            for head in &mut self.heads {
                send(head, &Pass { hops: 1 }, &mut self.way);
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        let mut sum = Checksum::new();
        for (chain, head) in self.heads.iter().enumerate() {
            for component in head {
                component.add_to(&mut sum, chain * HOPS);
            }
        }
        sum.value().wrapping_add(self.way.checksum())
    }
}
