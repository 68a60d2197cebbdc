//! What a user pays to build: the library with all it depends on, once; and a crate of their own, each
//! time.
//!
//! Builds are clean and as cargo does them by default. The crate is a program with every message sent
//! in one place and every component spawned in one place, and is linked, too, unless it is only
//! checked.

use crate::Failure;
use crate::figure::Figure;
use crate::generated::workshop::{Package, Profile, Workshop};
use crate::generated::{Contexts, Program, Style};
use crate::options::Options;
use crate::turns;

const LIBRARY: &str = "message-core: the library, its macros, all dependencies";

const CONTENDERS: [(&str, &str, Style); 3] = [
    ("message-core: macros", "macros", Style::Macros),
    (
        "message-core: implemented by hand",
        "by-hand",
        Style::ByHand,
    ),
    ("floor: plain methods behind a trait", "plain", Style::Plain),
];

const fn program(style: Style) -> Program {
    Program {
        style,
        messages: 500,
        components: 100,
        handlers: 1_000,
        contexts: Contexts::Half,
        sends: true,
    }
}

pub(crate) fn measure(options: &Options) -> Result<Vec<Figure>, Failure> {
    let workshop = Workshop::open(options.keep)?;
    let mut packages = Vec::new();
    for (_, name, style) in CONTENDERS {
        packages.push(workshop.write(name, &program(style), "")?);
    }
    let mut figures = Vec::new();
    for profile in [Profile::Debug, Profile::Release] {
        let seconds = library(&packages[0], profile, options.reps)?;
        let figure = format!("build-library-{}", profile.name());
        figures.push(Figure::new(figure, LIBRARY, seconds, "s"));
    }
    for profile in [Profile::Check, Profile::Debug, Profile::Release] {
        let seconds = crates(&packages, profile, options.reps)?;
        for ((contender, ..), seconds) in CONTENDERS.iter().zip(seconds) {
            let figure = format!("build-crate-{}", profile.name());
            figures.push(Figure::new(figure, *contender, seconds, "s"));
        }
    }
    Ok(figures)
}

fn library(package: &Package, profile: Profile, reps: usize) -> Result<f64, Failure> {
    package.fetch()?;
    let mut seconds = Vec::new();
    for _ in 0..reps {
        seconds.push(package.seconds_of_dependency("message-core", profile)?);
    }
    Ok(turns::median(seconds))
}

fn crates(packages: &[Package], profile: Profile, reps: usize) -> Result<Vec<f64>, Failure> {
    for package in packages {
        package.fetch()?;
        package.build(profile)?;
    }
    let mut runs = Vec::new();
    for _ in 0..reps {
        let seconds = packages.iter().map(|package| package.seconds(profile));
        runs.push(seconds.collect::<Result<Vec<f64>, Failure>>()?);
    }
    Ok(turns::medians(&runs))
}
