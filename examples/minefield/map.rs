//! The map: a view of the field from afar.

use std::collections::{BTreeMap, BTreeSet};

use message_core::prelude::*;

use crate::Done;
use crate::messages::{Blast, Leave, Step};
use crate::spot::Spot;
use crate::walker::GOAL;

/// How many rows are drawn.
const ROWS: u32 = 6;

/// The known part of the field, as published. The positions of mines become known too late.
#[derive(Default)]
pub struct Map {
    robots: BTreeMap<MessageeId, (char, Spot)>,
    craters: BTreeSet<Spot>,
    /// A picture for each frame in which something went off.
    pub pictures: Vec<Picture>,
}

/// A picture of the field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// The frame.
    pub frame: u64,
    /// The rows. Letters are robots, `*` goes off, `o` has gone off.
    pub rows: Vec<String>,
}

impl Picture {
    /// Returns the number of characters in a row.
    pub fn width(&self) -> usize {
        self.rows.first().map_or(0, String::len)
    }
}

impl Map {
    fn draw(&self, blasts: &[Spot]) -> Vec<String> {
        let sign = |spot: Spot| {
            let robot = self.robots.values().find(|&&(_, at)| at == spot);
            match robot {
                _ if blasts.contains(&spot) => '*',
                Some(&(letter, _)) => letter,
                None if self.craters.contains(&spot) => 'o',
                None => '.',
            }
        };
        let row = |row| {
            (0..GOAL)
                .map(|column| sign(Spot::new(column, row)))
                .collect()
        };
        (0..ROWS).map(row).collect()
    }
}

/// Runs the system of the maps, which draws a picture whenever something has gone off.
pub fn draw(desk: Desk<'_>) -> Done {
    for (_, mut map) in desk.iter_mut::<Map>() {
        for step in desk.inbox::<Step>() {
            if let Some(walker) = step.sender().id() {
                let letter = desk.name(walker).and_then(|name| name.chars().next());
                map.robots.insert(walker, (letter.unwrap_or('?'), step.to));
            }
        }
        for leave in desk.inbox::<Leave>() {
            map.robots
                .retain(|&walker, _| leave.sender() != walker.into());
        }
        let blasts = desk.inbox::<Blast>();
        let blasts: Vec<Spot> = blasts.iter().map(|blast| blast.at).collect();
        if !blasts.is_empty() {
            let rows = map.draw(&blasts);
            let frame = desk.clock().frame();
            map.pictures.push(Picture { frame, rows });
        }
        map.craters.extend(blasts);
    }
    Ok(())
}
