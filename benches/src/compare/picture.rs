//! The figures as a picture, which requires the feature `svg`.

use std::fs;
use std::path::{Path, PathBuf};

use super::failure::Failure;
use super::tsv::{self, Line};
use super::workload::Workload;

/// A file that the picture is written to at the end.
#[derive(Debug)]
pub(super) struct Picture {
    path: PathBuf,
}

impl Picture {
    /// Creates the file before measuring, if the feature for drawing is enabled.
    pub(super) fn create(path: &Path) -> Result<Self, Failure> {
        if !cfg!(feature = "svg") {
            return Err(Failure::Asked(
                "`--svg` needs the feature `svg`: \
                 cargo run --release -p message-benches --features svg --bin compare"
                    .to_owned(),
            ));
        }
        let path = path.to_owned();
        match fs::write(&path, "") {
            Ok(()) => Ok(Self { path }),
            Err(error) => Err(unwritable(&path, &error)),
        }
    }

    pub(super) fn draw(&self, lines: &[Line]) -> Result<(), Failure> {
        let svg = svg(lines)?;
        fs::write(&self.path, svg).map_err(|error| unwritable(&self.path, &error))
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Asked(format!(
        "`--svg {}`: expected a file that can be written: {error}",
        path.display()
    ))
}

/// Draws the given workloads of a file written by `--tsv`.
pub(super) fn draw_file(from: &Path, to: &Path, workloads: &[Workload]) -> Result<(), Failure> {
    let asked = |why: String| Failure::Asked(format!("`--from {}`: {why}", from.display()));
    let text = fs::read_to_string(from).map_err(|error| asked(error.to_string()))?;
    let mut lines = tsv::read(&text).map_err(asked)?;
    lines.retain(|line| workloads.contains(&line.workload));
    Picture::create(to)?.draw(&lines)
}

#[cfg(not(feature = "svg"))]
fn svg(_: &[Line]) -> Result<String, Failure> {
    unreachable!("a picture is made with the feature alone")
}

#[cfg(feature = "svg")]
fn svg(lines: &[Line]) -> Result<String, Failure> {
    let groups = groups(lines);
    if groups.is_empty() {
        return Err(Failure::Asked(
            "nothing to draw: expected figures of a workload that departs from no other".to_owned(),
        ));
    }
    let drawn = crate::picture::bars(
        "How many times as long as plain Rust does a message take?",
        "Shorter is better. The axis is logarithmic, and the nanoseconds are those of one operation.",
        &groups,
    );
    drawn.map_err(|error| Failure::Ran(format!("the picture cannot be drawn: {error}")))
}

/// Returns a group for each workload that departs from no other, with the floor first.
#[cfg(feature = "svg")]
fn groups(lines: &[Line]) -> Vec<crate::picture::Group> {
    use crate::picture::{Bar, Group, Role};

    let bar = |line: &Line| {
        let (role, label) = match line.contender.split_once(": ") {
            Some(("floor", rest)) => (Role::Floor, format!("plain Rust: {rest}")),
            Some(("message-core", _)) => (Role::Ours, line.contender.clone()),
            _ => {
                let name = line.contender.strip_prefix("peer ");
                (Role::Other, name.unwrap_or(&line.contender).to_owned())
            }
        };
        Some(Bar {
            label,
            ratio: line.ratio?,
            note: format!("{:.1} ns", line.median),
            role,
        })
    };
    let mut groups = Vec::new();
    for workload in Workload::ALL {
        let here = lines.iter().filter(|line| line.workload == workload);
        let bars: Vec<Bar> = here.filter_map(bar).collect();
        if workload.departure().is_none() && !bars.is_empty() {
            groups.push(Group {
                title: format!("{workload}: {}", workload.title()),
                bars,
            });
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(not(feature = "svg"))]
    #[test]
    fn without_the_feature_it_is_said_how_to_get_it() {
        let Err(Failure::Asked(text)) = Picture::create(Path::new("out.svg")) else {
            panic!("nothing can draw it");
        };
        assert!(text.contains("--features svg"), "{text}");
    }

    #[cfg(feature = "svg")]
    #[test]
    fn a_picture_names_each_contender_of_the_file() {
        let text = format!(
            "{}\n\
             W1\tfloor: virtual call\t8.5\t8.4\t8.6\t6.4\t1.0\t-\n\
             W1\tmessage-core: send\t15.2\t15.0\t16.0\t7.7\t1.81\t-\n\
             W1\tpeer evenio: targeted event\t24.7\t24.0\t25.0\t-\t2.92\t-\n\
             W1-two\tfloor: two calls\t10.0\t10.0\t10.0\t-\t1.0\t-\n\
             W4\tmessage-core: send_any\t33.2\t33.0\t34.0\t-\t4.28\t-\n",
            tsv::HEADING
        );
        let lines = tsv::read(&text).expect("it is right");
        let svg = svg(&lines).expect("it is drawn");
        for text in [
            Workload::W1.title(),
            "plain Rust: virtual call",
            "message-core: send",
            "evenio: targeted event",
            "2.92 ×  ·  24.7 ns",
            "message-core: send_any",
        ] {
            assert!(svg.contains(text), "{text}: {svg}");
        }
        assert!(!svg.contains("two calls"), "{svg}");
        let Err(Failure::Asked(why)) = super::svg(&[]) else {
            panic!("there is nothing to draw");
        };
        assert!(why.contains("nothing to draw"), "{why}");
    }
}
