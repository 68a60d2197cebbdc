//! The story, as the passengers would tell it.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::mpsc;
use std::time::Duration;

use message_core::prelude::*;

use crate::building::{Building, GROUND};
use crate::messages::{Arrived, DoorsOpen, Escaped};
use crate::passenger::Passenger;

type Told = Result<(), Box<dyn Error>>;

/// Returns all messages of type `M` that are sent, with their sender and time.
fn heard<M: Message + Clone>(building: &mut Building) -> mpsc::Receiver<(Sender, Duration, M)> {
    let (tell, told) = mpsc::channel();
    let filter = Filter::of::<M>().hidden();
    building.manager.subscribe(filter, move |message: &M, cx| {
        let _ = tell.send((cx.sender(), cx.clock().now(), message.clone()));
    });
    told
}

#[test]
fn every_passenger_arrives_where_it_wanted_to_go() -> Told {
    for (seed, cabins) in (1..=20).flat_map(|seed| [(seed, 1), (seed, 2)]) {
        let mut building = Building::new(seed, cabins, 30)?;
        let passengers = building.manager.iter::<Passenger>();
        let wishes: BTreeMap<_, _> = passengers.map(|(id, it)| (id, it.to)).collect();
        let arrivals = heard::<Arrived>(&mut building);
        building.run();
        let arrived = arrivals
            .try_iter()
            .filter_map(|(who, _, it)| Some((who.id()?, it.floor)));
        assert_eq!(arrived.collect::<BTreeMap<_, _>>(), wishes);
        assert_eq!(building.manager.inspect().failure_count(), 0);
    }
    Ok(())
}

#[test]
fn while_it_burns_doors_open_on_the_ground_floor_only_and_everybody_gets_out() -> Told {
    let (fire, over) = (Duration::from_secs(50), Duration::from_secs(110));
    for seed in 1..=20 {
        let mut building = Building::new(seed, 2, 30)?;
        building.set_fire(fire)?;
        let opened = heard::<DoorsOpen>(&mut building);
        let arrived = heard::<Arrived>(&mut building);
        let escaped = heard::<Escaped>(&mut building);
        building.run();

        let meanwhile = opened
            .try_iter()
            .filter(|(_, at, _)| (fire..over).contains(at));
        let floors: Vec<_> = meanwhile.map(|(_, _, it)| it.floor).collect();
        assert!(!floors.is_empty(), "the cabins come down");
        assert!(floors.iter().all(|&floor| floor == GROUND), "{floors:?}");
        assert!(
            arrived
                .try_iter()
                .all(|(_, at, _)| !(fire..over).contains(&at))
        );
        let escaped = escaped.try_iter().count();
        assert!(escaped > 0);
        assert_eq!(building.on_the_way(), 0);
        assert_eq!(building.manager.inspect().failure_count(), 0);
    }
    Ok(())
}

#[test]
fn a_seed_is_a_story() -> Told {
    let story = |seed| -> Result<Vec<_>, Box<dyn Error>> {
        let mut building = Building::new(seed, 2, 12)?;
        building.set_fire(Duration::from_secs(60))?;
        building.run();
        Ok(building.log().collect())
    };
    assert_eq!(story(1)?, story(1)?);
    assert_ne!(story(1)?, story(2)?);
    Ok(())
}

#[test]
fn the_log_has_each_cause_before_its_effect() -> Told {
    let mut building = Building::new(1, 2, 12)?;
    building.run();
    let log: Vec<_> = building.log().collect();
    for pair in log.windows(2).filter(|pair| pair[1].contains("StopAt")) {
        assert!(pair[0].contains("Call"), "{} {}", pair[0], pair[1]);
    }
    Ok(())
}
