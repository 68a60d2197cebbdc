//! The scenario: who stands where, and what happens when. Read from a text file.

use std::collections::BTreeSet;
use std::fmt;
use std::fs;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::body::Side;
use crate::hazard::{Barrel, Trap};
use crate::messages::Order;
use crate::monster::Monster;
use crate::patrol::Mind;
use crate::shield::Shield;
use crate::soldier::Soldier;
use crate::tank::Tank;

/// A scenario. Each name in it is of one thing, and every name that is spoken of exists.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// How many turns are played at most.
    pub turns: u32,
    /// Who fights.
    pub fighters: Vec<Fighter>,
    /// Who takes orders together.
    #[serde(default)]
    pub squads: Vec<SquadList>,
    /// Traps by name.
    #[serde(default)]
    pub traps: Vec<(String, Trap)>,
    /// Barrels by name.
    #[serde(default)]
    pub barrels: Vec<(String, Barrel)>,
    /// What happens from outside.
    #[serde(default)]
    pub events: Vec<Event>,
}

/// One who fights.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fighter {
    /// The name.
    pub name: String,
    /// The side.
    pub side: Side,
    /// What it is.
    pub nature: Nature,
    /// The hit points.
    pub hp: NonZeroU32,
    /// The place.
    pub at: i32,
    /// What it can do.
    pub mind: Mind,
    /// The shield, if it bears one.
    #[serde(default)]
    pub shield: Option<Shield>,
}

/// What a fighter is: the component that reacts to what happens to it.
#[derive(Clone, Debug, Deserialize)]
pub enum Nature {
    /// Takes explosions and traps lightly.
    Tank(Tank),
    /// Is hurled about and gets angry.
    Monster(Monster),
    /// Takes cover.
    Soldier(Soldier),
}

/// A squad and who is in it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SquadList {
    /// The name.
    pub name: String,
    /// The names of its members.
    pub members: Vec<String>,
    /// How many losses it bears.
    pub nerve: u32,
}

/// Something that happens from outside.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// At the beginning of which turn. The first is 1.
    pub turn: u32,
    /// What.
    pub happens: Happening,
}

/// What can happen.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Happening {
    /// Something blows up.
    Explosion {
        /// Where.
        at: i32,
        /// How far it reaches.
        radius: u32,
        /// What it does.
        damage: u32,
    },
    /// Somebody is set on fire.
    Ignite {
        /// The name of the fighter.
        who: String,
        /// How long it burns.
        turns: u32,
        /// What each turn does.
        damage: u32,
    },
    /// A squad is given an order.
    Order {
        /// The name of the squad.
        squad: String,
        /// The order.
        order: Order,
    },
}

/// Why there is no scenario, and where in the file.
#[derive(Debug)]
pub struct ScenarioError {
    file: PathBuf,
    mistake: Mistake,
}

/// As `file:line:column: what`.
impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, mistake } = self;
        write!(f, "{}:", file.display())?;
        if let Some((line, column)) = mistake.place {
            write!(f, "{line}:{column}:")?;
        }
        write!(f, " {}", mistake.what)
    }
}

impl std::error::Error for ScenarioError {}

impl Scenario {
    /// Reads a scenario from a file.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is not a scenario, or speaks of somebody who is not in it.
    pub fn load(file: &Path) -> Result<Self, ScenarioError> {
        let text = fs::read_to_string(file).map_err(|why| Mistake {
            place: None,
            what: why.to_string(),
        });
        text.and_then(|text| Self::parse(&text))
            .map_err(|mistake| ScenarioError {
                file: file.to_owned(),
                mistake,
            })
    }

    fn parse(text: &str) -> Result<Self, Mistake> {
        let scenario: Self = ron::from_str(text).map_err(|error| Mistake {
            place: Some((error.span.start.line, error.span.start.col)),
            what: error.code.to_string(),
        })?;
        scenario.check_names(text)?;
        Ok(scenario)
    }

    /// Names are checked after the text is read, so their place is searched for in it.
    fn check_names(&self, text: &str) -> Result<(), Mistake> {
        let fighters: BTreeSet<_> = self.fighters.iter().map(|it| &it.name).collect();
        let squads: BTreeSet<_> = self.squads.iter().map(|it| &it.name).collect();
        for name in self.squads.iter().flat_map(|squad| &squad.members) {
            if !fighters.contains(name) {
                return Err(Mistake::nobody(text, "fighter", name));
            }
        }
        for event in &self.events {
            match &event.happens {
                Happening::Ignite { who, .. } if !fighters.contains(who) => {
                    return Err(Mistake::nobody(text, "fighter", who));
                }
                Happening::Order { squad, .. } if !squads.contains(squad) => {
                    return Err(Mistake::nobody(text, "squad", squad));
                }
                _ => {}
            }
        }
        let mut seen = BTreeSet::new();
        for name in self.names() {
            if !seen.insert(name) {
                return Err(Mistake::given_twice(text, name));
            }
        }
        Ok(())
    }

    /// The names of everything, those of several things several times.
    fn names(&self) -> impl Iterator<Item = &String> {
        let fighters = self.fighters.iter().map(|it| &it.name);
        let squads = self.squads.iter().map(|it| &it.name);
        let traps = self.traps.iter().map(|(name, _)| name);
        let barrels = self.barrels.iter().map(|(name, _)| name);
        fighters.chain(squads).chain(traps).chain(barrels)
    }
}

/// What is wrong with a text, and at which line and column, both from 1.
#[derive(Debug)]
struct Mistake {
    place: Option<(usize, usize)>,
    what: String,
}

impl Mistake {
    /// A name that nobody has, at the place where it is spoken of last.
    fn nobody(text: &str, kind: &str, name: &str) -> Self {
        let place = mentions(text, name).last();
        Self {
            place: place.map(|at| line_and_column(text, at)),
            what: format!("no {kind} has the name \"{name}\""),
        }
    }

    /// A name that is given to several, at the place where it is given again: after `name:`, or
    /// as the first of a pair.
    fn given_twice(text: &str, name: &str) -> Self {
        let given = |&at: &usize| {
            let before = text[..at].trim_end();
            before.ends_with("name:") || before.ends_with('(')
        };
        let place = mentions(text, name).filter(given).nth(1);
        Self {
            place: place.map(|at| line_and_column(text, at)),
            what: format!("more than one thing has the name \"{name}\""),
        }
    }
}

/// Where a name stands in the text.
fn mentions(text: &str, name: &str) -> impl Iterator<Item = usize> {
    let quoted = format!("\"{name}\"");
    let places: Vec<_> = text.match_indices(&quoted).map(|(at, _)| at).collect();
    places.into_iter()
}

fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let left = before.rsplit('\n').next().unwrap_or(before);
    let line = before.matches('\n').count() + 1;
    (line, left.chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mistake(text: &str) -> (Option<(usize, usize)>, String) {
        let mistake = Scenario::parse(text).expect_err("the text is wrong");
        (mistake.place, mistake.what)
    }

    #[test]
    fn the_scenario_beside_the_program_can_be_read() {
        let scenario = Scenario::parse(include_str!("skirmish.ron")).expect("it is right");
        assert_eq!(scenario.fighters.len(), 7);
    }

    #[test]
    fn an_unknown_field_is_told_with_its_place() {
        let (place, what) = mistake("(\n    turns: 3,\n    fighters: [],\n    weather: Rain,\n)");
        assert_eq!(place.map(|(line, _)| line), Some(4));
        assert!(what.contains("weather"), "{what}");
    }

    #[test]
    fn an_unknown_name_is_told_with_its_place() {
        let event = r#"(turn: 1, happens: Ignite(who: "nobody", turns: 1, damage: 1))"#;
        let text = format!("(\n  turns: 3,\n  fighters: [],\n  events: [{event}],\n)");
        let (place, what) = mistake(&text);
        assert_eq!(place, Some((4, 43)));
        assert_eq!(what, "no fighter has the name \"nobody\"");
    }

    #[test]
    fn a_name_that_is_given_twice_is_told_with_its_place() {
        let barrel = r#"("keg", (at: 1, radius: 1, damage: 1))"#;
        let text = format!("(turns: 1, fighters: [], barrels: [\n  {barrel},\n  {barrel},\n])");
        let (place, what) = mistake(&text);
        assert_eq!(place, Some((3, 4)));
        assert_eq!(what, "more than one thing has the name \"keg\"");
    }

    #[test]
    fn a_file_that_is_not_there_is_told_by_its_name() {
        let error = Scenario::load(Path::new("no/such.ron")).expect_err("there is no such file");
        assert!(error.to_string().starts_with("no/such.ron: "), "{error}");
    }
}
