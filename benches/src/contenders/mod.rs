//! All who can do a workload, family by family.
//!
//! To add one: give a family's `contenders()` another [`Contender`], whose `prepare` makes a
//! [`Trial`](crate::compare::Trial) of the types in [`work`](crate::work). It does the work of its
//! row as its own documentation advises, looks at what is returned as a user would, and ends with
//! the same checksum as the others.

#[cfg(feature = "peers")]
mod classic;
mod floor;
mod ours;
#[cfg(feature = "peers")]
mod peers;
#[cfg(feature = "peers")]
mod queues;

use crate::compare::Contender;

/// All who can do a workload, in the order in which they take turns.
#[must_use]
pub fn all() -> Vec<Contender> {
    let mut all = floor::contenders();
    all.extend(ours::contenders());
    #[cfg(feature = "peers")]
    {
        all.extend(classic::contenders());
        all.extend(queues::contenders());
        all.extend(peers::contenders());
    }
    all
}
