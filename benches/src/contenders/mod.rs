//! All contenders, family by family.
//!
//! To add one, give a family's `contenders()` another [`Contender`], whose `prepare` makes a
//! [`Trial`](crate::compare::Trial) of the types in [`work`](crate::work). It does the work of its
//! row as its own documentation recommends, checks return values as a user would, and ends with
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

/// Returns all contenders, in the order in which they take turns.
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

#[cfg(test)]
mod tests {
    use super::all;
    use crate::compare::Workload;

    #[test]
    fn all_contenders_of_a_workload_end_with_the_same_states() {
        for workload in Workload::ALL {
            let mut first = None;
            for contender in all().iter().filter(|it| it.workload == workload) {
                let mut trial = (contender.prepare)(workload.small_size());
                trial.run();
                trial.run();
                let checksum = trial.checksum();
                let (agreed, other) = *first.get_or_insert((checksum, contender.name));
                assert_eq!(
                    checksum, agreed,
                    "{workload}: {} and {other}",
                    contender.name
                );
            }
        }
    }

    #[test]
    fn every_workload_has_one_floor_and_message_core() {
        for workload in Workload::ALL {
            let all = all();
            let here = || all.iter().filter(|it| it.workload == workload);
            assert_eq!(here().filter(|it| it.is_floor()).count(), 1, "{workload}");
            assert!(here().any(super::Contender::is_ours), "{workload}");
        }
    }

    #[test]
    fn nobody_is_named_twice_or_without_saying_what_they_are() {
        let all = all();
        for contender in &all {
            let same = |it: &&super::Contender| {
                it.workload == contender.workload && it.name == contender.name
            };
            assert_eq!(all.iter().filter(same).count(), 1, "{}", contender.name);
            let peer = contender.name.starts_with("peer ") && contender.name.contains(": ");
            assert!(
                peer || contender.is_floor() || contender.is_ours(),
                "{}",
                contender.name
            );
        }
    }
}
