//! W4: the kind is an index into a table of function pointers.

use std::hint::black_box;

use crate::compare::{Size, Trial};
use crate::work::{self, Ai, Checksum, Health, Kind, Position, Render, with_kinds};

/// One object with all its components.
struct Whole {
    position: Position,
    health: Health,
    ai: Ai,
    render: Render,
}

/// Access to a component by its type.
trait Part<C> {
    fn part(&mut self) -> &mut C;
}

macro_rules! parts {
    ($($component:ident in $field:ident,)*) => {
        $(
            impl Part<$component> for Whole {
                #[inline]
                fn part(&mut self) -> &mut $component {
                    &mut self.$field
                }
            }
        )*
    };
}
parts! {
    Position in position,
    Health in health,
    Ai in ai,
    Render in render,
}

type Handler = fn(&mut Whole, amount: f32);

macro_rules! table {
    ($($kind:ident to $component:ident by $method:ident times $weight:literal,)*) => {
        /// The handlers, in the order of [`Kind::ALL`].
        static HANDLERS: [Handler; Kind::ALL.len()] = [
            $(|whole, amount| Part::<$component>::part(whole).touch(amount * $weight),)*
        ];
    };
}
with_kinds!(table);

struct OneObject {
    whole: Whole,
    order: Vec<Kind>,
    passes: usize,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    Box::new(OneObject {
        whole: Whole {
            position: Position::new(0),
            health: Health::new(0),
            ai: Ai::new(0),
            render: Render::new(0),
        },
        order: work::kinds(size.messages),
        passes: size.passes,
    })
}

impl Trial for OneObject {
    fn run(&mut self) {
        for _ in 0..self.passes {
            let amount = black_box(1.0);
            for &kind in &self.order {
                HANDLERS[kind as usize](&mut self.whole, amount);
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        let mut sum = Checksum::new();
        sum.add(0, &self.whole.position);
        sum.add(0, &self.whole.health);
        sum.add(0, &self.whole.ai);
        sum.add(0, &self.whole.render);
        sum.value()
    }
}
