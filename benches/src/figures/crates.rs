//! The same crate for every contender: its build time and its size.
//!
//! The crate is a program that sends every message in one place and spawns every component in one place.
//! It is linked as well, unless it is only checked. It is built from scratch with cargo's defaults, with all
//! its dependencies built already. A peer's handlers take only what they need of the event and the component;
//! every other handler of ours also takes a context.

use std::path::Path;

use object::{Object, ObjectSection, SectionKind};

use crate::Failure;
use crate::cpu::Took;
use crate::figure::Figure;
use crate::generated::workshop::{Package, Profile, Workshop};
use crate::generated::{Program, Style};
use crate::options::Options;
use crate::turns;

const CONTENDERS: [(&str, &str, Style); 5] = [
    ("message-core: macros", "macros", Style::Macros),
    (
        "message-core: implemented by hand",
        "by-hand",
        Style::ByHand,
    ),
    ("floor: plain methods behind a trait", "plain", Style::Plain),
    (
        "peer evenio: targeted events and handlers",
        "with-evenio",
        Style::Evenio,
    ),
    (
        "peer bevy_ecs: entity events and observers",
        "with-bevy",
        Style::Bevy,
    ),
];

/// Returns the contenders: the peers take part only if the feature of that name is enabled.
pub(crate) fn contenders() -> Vec<Style> {
    let all = CONTENDERS.iter().map(|&(.., style)| style);
    let peers = cfg!(feature = "peers");
    all.filter(|style| peers || !matches!(style, Style::Evenio | Style::Bevy))
        .collect()
}

/// Writes the crate that uses our macros, ready to be built with its dependencies.
pub(crate) fn ours(workshop: &Workshop, options: &Options) -> Result<Package, Failure> {
    let (_, name, style) = CONTENDERS[0];
    workshop.write(name, &Program::of_types(style, options.types))
}

/// Builds the crates of the given styles, profile by profile, in turns.
pub(crate) fn measure(
    workshop: &Workshop,
    options: &Options,
    profiles: &[Profile],
    styles: &[Style],
) -> Result<Vec<Figure>, Failure> {
    let here = CONTENDERS
        .iter()
        .filter(|(.., style)| styles.contains(style));
    let mut packages = Vec::new();
    for &(contender, name, style) in here {
        // First a nearly empty program, so that the dependencies are built.
        let package = workshop.write(name, &Program::of_types(style, 1))?;
        package.fetch()?;
        for &profile in profiles {
            package.build(profile)?;
        }
        workshop.write(name, &Program::of_types(style, options.types))?;
        packages.push((contender, package));
    }
    let mut figures = Vec::new();
    for &profile in profiles {
        let took = in_turns(&packages, profile, options.reps)?;
        let name = format!("build-crate-{}", profile.name());
        for ((contender, package), took) in packages.iter().zip(&took) {
            figures.extend(seconds(&name, contender, took));
            figures.extend(sizes(contender, package, profile)?);
        }
    }
    // Groups figures of one kind together, in the order of the contenders.
    figures.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(figures)
}

fn in_turns(
    packages: &[(&str, Package)],
    profile: Profile,
    reps: usize,
) -> Result<Vec<Vec<Took>>, Failure> {
    let mut took = vec![Vec::new(); packages.len()];
    for _ in 0..reps {
        for ((_, package), took) in packages.iter().zip(&mut took) {
            took.push(package.took(profile)?);
        }
    }
    Ok(took)
}

/// Returns the median seconds, by the wall clock and of all processors.
pub(crate) fn seconds(name: &str, contender: &str, took: &[Took]) -> Vec<Figure> {
    let wall = turns::median(took.iter().map(|took| took.wall).collect());
    let mut figures = vec![Figure::new(name, contender, wall, "s")];
    let cpu: Option<Vec<f64>> = took.iter().map(|took| took.cpu).collect();
    if let Some(cpu) = cpu {
        let name = format!("{name}-cpu");
        figures.push(Figure::new(name, contender, turns::median(cpu), "s"));
    }
    figures
}

/// Returns the size of the program that was built last. A release build is stripped; for a debug build only the
/// size of the file is returned, which is mostly debug information.
#[allow(clippy::cast_precision_loss, reason = "sizes far below 2^52")]
fn sizes(contender: &str, package: &Package, profile: Profile) -> Result<Vec<Figure>, Failure> {
    let one = |name, value| Figure::new(name, contender, value, "bytes");
    Ok(match profile {
        Profile::Check => Vec::new(),
        Profile::Debug => {
            let file = std::fs::metadata(package.binary_of(profile))?;
            vec![one("crate-debug-file", file.len() as f64)]
        }
        Profile::Release => {
            let size = size(&package.binary())?;
            vec![
                one("crate-release-text", size.text),
                one("crate-release-file", size.file),
            ]
        }
    })
}

/// The size of a program in bytes.
pub(crate) struct Size {
    /// The size of its instructions.
    pub(crate) text: f64,
    /// The size of the whole file.
    pub(crate) file: f64,
}

#[allow(clippy::cast_precision_loss, reason = "sizes far below 2^52")]
pub(crate) fn size(binary: &Path) -> Result<Size, Failure> {
    let bytes = std::fs::read(binary)?;
    let file = object::File::parse(&*bytes)?;
    let text = file
        .sections()
        .filter(|section| section.kind() == SectionKind::Text);
    Ok(Size {
        text: text.map(|section| section.size()).sum::<u64>() as f64,
        file: bytes.len() as f64,
    })
}
