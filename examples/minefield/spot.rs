//! A spot on the field.

use std::fmt;

/// A position on the field. Robots walk to the right.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    /// The distance from the left.
    pub column: u32,
    /// The distance from the top.
    pub row: u32,
}

impl Spot {
    /// Creates a spot.
    pub const fn new(column: u32, row: u32) -> Self {
        Self { column, row }
    }

    /// Returns the spot to the right.
    pub fn ahead(self) -> Self {
        Self::new(self.column + 1, self.row)
    }

    /// Returns the number of steps to another spot, if diagonal steps are allowed.
    pub fn distance(self, to: Self) -> u32 {
        let columns = self.column.abs_diff(to.column);
        columns.max(self.row.abs_diff(to.row))
    }
}

/// Prints column and row, such as `7/2`.
impl fmt::Debug for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.column, self.row)
    }
}
