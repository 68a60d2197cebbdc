//! Rocks, which split when they are hit.

use message_core::prelude::*;

use crate::body::{Body, Kind};
use crate::dice::Dice;
use crate::score::Destroyed;
use crate::shot::Hit;
use crate::space::Vector;

group! {
    /// All rocks.
    pub ROCKS,
}

pub struct Rock {
    /// The size: 3 is large. A rock of size 1 does not split.
    size: i32,
    dice: Dice,
}

/// Returns the components of a rock that flies in a random direction.
pub fn rock(size: i32, at: Vector, dice: &mut Dice) -> (Body, Rock) {
    let mut component = || i32::try_from(dice.below(161)).map_or(0, |it| it - 80);
    let body = Body {
        kind: Kind::Rock,
        at,
        radius: 600 * size,
        speed: Vector {
            x: component(),
            y: component(),
        },
    };
    let dice = dice.split();
    (body, Rock { size, dice })
}

#[handlers]
impl Rock {
    #[on_receive]
    fn hit(&mut self, hit: &Hit, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        let at = cx.get::<Body>(cx.me())?.at;
        if self.size > 1 {
            for _ in 0..2 {
                let half = cx.spawn(rock(self.size - 1, at, &mut self.dice));
                cx.join(ROCKS, half)?;
            }
        }
        let points = match self.size {
            1 => 100,
            2 => 50,
            _ => 20,
        };
        cx.send(Everyone, Destroyed { by: hit.by, points })?;
        cx.despawn(cx.me())?;
        Ok(())
    }
}
