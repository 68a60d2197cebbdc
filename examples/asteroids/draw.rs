//! The picture of a frame, drawn from what was published, without asking anybody.

use message_core::prelude::*;

use crate::body::{Kind, Position};
use crate::space::{HEIGHT, WIDTH};

const CELL: i32 = 1000;

pub fn draw(manager: &MessageManager) -> String {
    let mut cells = vec![vec![' '; cell(WIDTH)]; cell(HEIGHT)];
    for body in manager.inbox::<Position>() {
        let [row, column] = [body.at.y, body.at.x].map(cell);
        cells[row][column] = match body.kind {
            Kind::Ship => 'A',
            Kind::Shot => '.',
            Kind::Rock if body.radius < 1000 => 'o',
            Kind::Rock => 'O',
        };
    }
    let lines = cells.into_iter().map(String::from_iter);
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the row or the column of a coordinate.
fn cell(coordinate: i32) -> usize {
    (coordinate / CELL).unsigned_abs() as usize
}
