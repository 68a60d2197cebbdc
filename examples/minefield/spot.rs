//! A spot of the field.

use std::fmt;

/// A place in a row of the field. Robots walk to the right.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    /// How far it is from the left.
    pub column: u32,
    /// How far it is from the top.
    pub row: u32,
}

impl Spot {
    /// The spot there.
    pub const fn new(column: u32, row: u32) -> Self {
        Self { column, row }
    }

    /// The spot to the right.
    pub fn ahead(self) -> Self {
        Self::new(self.column + 1, self.row)
    }

    /// How many steps it is to there, when steps may go askew.
    pub fn distance(self, to: Self) -> u32 {
        let columns = self.column.abs_diff(to.column);
        columns.max(self.row.abs_diff(to.row))
    }
}

/// Prints column and row, as `7/2`.
impl fmt::Debug for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.column, self.row)
    }
}
