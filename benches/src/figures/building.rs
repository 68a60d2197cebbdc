//! The build times that a user pays: for the library with all its dependencies, once; and for a crate of their
//! own, each time.

use crate::Failure;
use crate::crates;
use crate::figure::Figure;
use crate::generated::workshop::{Package, Profile, Workshop};
use crate::options::Options;

const LIBRARY: &str = "message-core: the library, its macros, all dependencies";

pub(crate) fn measure(options: &Options) -> Result<Vec<Figure>, Failure> {
    let workshop = Workshop::open(options.keep)?;
    let package = crates::ours(&workshop, options)?;
    let mut figures = Vec::new();
    for profile in [Profile::Debug, Profile::Release] {
        figures.extend(library(&package, profile, options.reps)?);
    }
    let profiles = [Profile::Check, Profile::Debug, Profile::Release];
    figures.extend(crates::measure(
        &workshop,
        options,
        &profiles,
        &crates::contenders(),
    )?);
    Ok(figures)
}

fn library(package: &Package, profile: Profile, reps: usize) -> Result<Vec<Figure>, Failure> {
    package.fetch()?;
    let mut took = Vec::new();
    for _ in 0..reps {
        took.push(package.took_dependency("message-core", profile)?);
    }
    let name = format!("build-library-{}", profile.name());
    Ok(crates::seconds(&name, LIBRARY, &took))
}
