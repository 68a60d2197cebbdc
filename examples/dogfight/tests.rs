//! The story, as a pilot would tell it.

use std::error::Error;
use std::time::Duration;

use message_core::PostKey;
use message_core::Recipient::Me;
use message_core::prelude::*;

use crate::base::Base;
use crate::dice::Dice;
use crate::guns::Guns;
use crate::logbook::Logbook;
use crate::messages::{Aim, Bombed, Hit, UnderAttack};
use crate::radio::{RADIO, Radio, SHOUT};
use crate::sky::{FRAME, Sky};
use crate::squadron::Squadron;
use crate::{SEED, fight};

type Told = Result<(), Box<dyn Error>>;

/// Two Hawks, and a Crow who only shoots when a test says so.
struct Scene {
    sky: Sky,
    kestrel: MessageeId,
    falcon: MessageeId,
    rook: MessageeId,
}

impl Scene {
    fn new() -> Result<Self, Box<dyn Error>> {
        let mut dice = Dice::new(1);
        let mut sky = Sky::new()?;
        let hawks = sky.take_off(Squadron::Hawks, &["Kestrel", "Falcon"], &mut dice)?;
        let crows = sky.take_off(Squadron::Crows, &["Rook"], &mut dice)?;
        Ok(Self {
            sky,
            kestrel: hawks[0],
            falcon: hawks[1],
            rook: crows[0],
        })
    }

    /// Lets Rook hit somebody `times` times.
    fn hit(&mut self, victim: MessageeId, times: u32) -> Told {
        for _ in 0..times {
            let mut rook = self.sky.manager.speak_for(self.rook)?;
            assert_eq!(rook.send(victim, Hit)?.received, 1);
        }
        Ok(())
    }

    fn fly(&mut self, frames: u32) {
        self.sky.fly(FRAME * frames);
    }

    fn lines(&self, kind: &str) -> Vec<String> {
        let mut books = self.sky.manager.iter::<Logbook>();
        let lines = books.next().map(|(_, book)| {
            let lines = book.of_kind(kind);
            lines.into_iter().map(str::to_owned).collect()
        });
        lines.unwrap_or_default()
    }

    fn quarry(&self, pilot: MessageeId) -> Result<Option<MessageeId>, MessageeError> {
        Ok(self.sky.manager.get::<Guns>(pilot)?.quarry())
    }
}

#[test]
fn a_shout_arrives_a_fifth_of_a_second_later_at_update_and_not_before() -> Told {
    let mut scene = Scene::new()?;
    scene.hit(scene.kestrel, 1)?;
    scene.fly(12);
    assert_eq!(
        scene.sky.manager.clock().now(),
        Duration::from_millis(192),
        "8 ms too early"
    );
    assert_eq!(scene.quarry(scene.falcon)?, None);

    let manager = &mut scene.sky.manager;
    let steps = manager.begin_frame(FRAME).fixed_steps;
    for _ in 0..steps {
        assert_eq!(manager.run_stage(Stage::FixedUpdate), 0);
    }
    assert!(manager.has_pending(PostKey::from((SHOUT, scene.kestrel))));
    assert_eq!(manager.run_stage(Stage::Update), 1);
    assert!(!manager.has_pending(PostKey::from((SHOUT, scene.kestrel))));

    assert_eq!(scene.quarry(scene.falcon)?, Some(scene.rook));
    assert_eq!(
        scene.lines("radio"),
        ["Kestrel to the Hawks: under attack by Rook (said at 0.000, heard at Update)"]
    );
    Ok(())
}

#[test]
fn a_shout_of_a_pilot_who_is_shot_down_first_never_arrives_and_its_dead_letter_says_so() -> Told {
    let mut scene = Scene::new()?;
    scene.hit(scene.kestrel, 2)?;
    scene.fly(6);
    scene.hit(scene.kestrel, 1)?;
    let lost = ["Kestrel to Falcon: under attack by Rook; Kestrel was shot down first"];
    assert_eq!(scene.lines("lost"), lost, "at once, and not when it is due");
    scene.fly(20);
    assert_eq!(scene.lines("lost"), lost);
    assert!(scene.lines("radio").is_empty());
    assert_eq!(scene.quarry(scene.falcon)?, None);
    Ok(())
}

#[test]
fn a_second_shout_replaces_the_one_on_its_way() -> Told {
    let mut scene = Scene::new()?;
    scene.hit(scene.kestrel, 1)?;
    scene.fly(6);
    scene.hit(scene.kestrel, 1)?;
    assert_eq!(
        scene
            .sky
            .manager
            .pending_posts(Posts::all().tagged(RADIO))
            .len(),
        1
    );
    scene.fly(20);
    assert_eq!(
        scene.lines("radio"),
        ["Kestrel to Falcon: under attack by Rook (said at 0.096, heard at Update)"]
    );
    assert!(
        scene.lines("lost").is_empty(),
        "what is replaced is not lost"
    );
    Ok(())
}

#[test]
fn the_shouts_of_two_pilots_do_not_replace_each_other() -> Told {
    let mut scene = Scene::new()?;
    scene.hit(scene.kestrel, 1)?;
    scene.hit(scene.falcon, 1)?;
    scene.fly(20);
    assert_eq!(scene.lines("radio").len(), 2);
    Ok(())
}

#[test]
fn a_shout_to_the_squadron_may_go_unheard() -> Told {
    let mut scene = Scene::new()?;
    let rook = scene.rook;
    let mut kestrel = scene.sky.manager.speak_for(scene.kestrel)?;
    kestrel.send(rook, Hit)?;
    scene.fly(20);
    let radio = scene.lines("radio");
    assert!(radio[0].starts_with("Rook to the Crows"), "{radio:?}");
    assert!(scene.lines("lost").is_empty());
    Ok(())
}

#[test]
fn a_shout_to_a_wingman_who_is_shot_down_meanwhile_is_a_dead_letter() -> Told {
    let mut scene = Scene::new()?;
    scene.hit(scene.kestrel, 2)?;
    scene.hit(scene.falcon, 3)?;
    scene.fly(20);
    let lost = scene.lines("lost");
    assert_eq!(
        lost,
        [
            "Falcon to Kestrel: under attack by Rook; Falcon was shot down first",
            "Kestrel to Falcon: under attack by Rook; Falcon is gone",
        ]
    );
    Ok(())
}

#[test]
fn a_wingman_whose_radio_is_broken_does_not_hear_and_the_log_does_not_count() -> Told {
    let mut scene = Scene::new()?;
    scene.hit(scene.falcon, 2)?;
    scene.fly(20);
    scene.hit(scene.kestrel, 2)?;
    scene.fly(20);
    assert_eq!(scene.lines("radio").len(), 2, "who only listens hears both");
    let lost = scene.lines("lost");
    assert_eq!(lost.len(), 1);
    assert!(lost[0].starts_with("Kestrel to Falcon"), "{lost:?}");
    assert!(lost[0].ends_with("was left out or declined it"), "{lost:?}");
    Ok(())
}

#[test]
fn without_a_wingman_the_base_is_called() -> Told {
    let mut scene = Scene::new()?;
    scene.hit(scene.falcon, 3)?;
    scene.hit(scene.kestrel, 2)?;
    scene.fly(20);
    let tower = scene.sky.manager.bound(Squadron::Hawks.base());
    let tower = tower.expect("nobody has bombed it");
    assert_eq!(scene.sky.manager.get::<Base>(tower)?.calls, 1);
    Ok(())
}

#[test]
fn a_call_to_a_base_that_is_bombed_is_a_dead_letter() -> Told {
    let mut scene = Scene::new()?;
    scene.hit(scene.falcon, 3)?;
    scene.hit(scene.kestrel, 2)?;
    scene.sky.send_bombers(Squadron::Hawks, FRAME)?;
    assert!(scene.sky.manager.has_pending(Posts::of::<Bombed>()));
    scene.fly(20);
    let lost = scene.lines("lost");
    assert_eq!(
        lost[1..],
        ["Kestrel to the tower: under attack by Rook; no messagee is bound to `the tower`"]
    );
    Ok(())
}

#[test]
fn guns_fire_until_their_pilot_is_shot_down_and_then_fall_silent_without_a_word() -> Told {
    let mut scene = Scene::new()?;
    scene.sky.open_fire()?;
    let bursts = |scene: &Scene| scene.sky.manager.pending_posts(Posts::of::<Aim>()).len();
    assert_eq!(bursts(&scene), 3);
    scene.hit(scene.kestrel, 3)?;
    assert_eq!(bursts(&scene), 2);
    assert!(
        scene
            .lines("lost")
            .iter()
            .all(|line| line.contains("under attack"))
    );
    Ok(())
}

#[test]
fn a_radio_hears_its_comrades_and_not_itself() -> Told {
    let mut scene = Scene::new()?;
    let by = scene.rook;
    let kestrel = scene.kestrel;
    let mut falcon = scene.sky.manager.speak_for(scene.falcon)?;
    assert_eq!(falcon.send(kestrel, UnderAttack { by })?.received, 1);
    assert_eq!(falcon.send(Me, UnderAttack { by })?.received, 0);
    assert_eq!(scene.sky.manager.iter::<Radio>().count(), 3);
    Ok(())
}

#[test]
fn every_run_of_a_fight_is_the_same_and_this_one_shows_everything() -> Told {
    let text = |sky: Sky| Ok::<_, MessageeError>(format!("{}{sky}", sky.logbook()?));
    let told = text(fight(SEED)?)?;
    assert_eq!(told, text(fight(SEED)?)?);
    for end in [
        "was shot down first",
        "Raven is gone",
        "left out or declined",
        "no messagee is bound to `the carrier`",
        "to the tower: under attack by Rook (said",
        "the Hawks: 0 in the air",
    ] {
        assert!(told.contains(end), "{end} in\n{told}");
    }
    Ok(())
}
