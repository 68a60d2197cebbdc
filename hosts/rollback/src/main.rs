//! Plays a duel over a bad connection, and tells how it went.

use rollback::duel;
use rollback::lossy::Faults;
use rollback::rollback::Failure;

fn main() -> Result<(), Failure> {
    let faults = Faults {
        lost: 15,
        repeated: 5,
        delay: 6,
    };
    let outcome = duel::play(600, faults, |_| {})?;
    let [mine, yours] = outcome.rewinds;
    println!("{} frames over UDP, with {faults:?}", outcome.frames);
    println!("the worlds went back {mine} and {yours} times");
    println!("the ships were destroyed {:?} times", outcome.lost);
    let [mine, yours] = outcome.hashes;
    match (outcome.difference, mine == yours) {
        (None, true) => println!("the states of all {} frames are equal", mine.len()),
        (None, false) => return Err("the states differ".into()),
        (Some(difference), _) => return Err(format!("{difference:?}").into()),
    }
    Ok(())
}
