//! Runs the rounds and checks that all contenders have done the same work.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::Command;

use super::arguments::{Arguments, CHILD};
use super::child::Told;
use super::contender::Contender;
use super::failure::Failure;
use super::figures::Figures;
use super::picture::Picture;
use super::tsv::Line;
use super::workload::Workload;
use super::{table, tsv};

/// Compares the contenders, and prints and writes the results workload by workload.
pub(super) fn run(arguments: &Arguments, contenders: &[Contender]) -> Result<(), Failure> {
    let mut file = arguments.tsv.as_deref().map(create).transpose()?;
    let picture = arguments.svg.as_deref().map(Picture::create).transpose()?;
    let mut lines = Vec::new();
    println!("{}", table::heading());
    for &workload in &arguments.workloads {
        let mut turns = Turns::new(workload, contenders, arguments.against.as_deref());
        turns.measure(arguments.repetitions)?;
        let Turns {
            figures, base, old, ..
        } = turns;
        print!("{}", table::rows(workload, &figures, base.as_ref(), &old));
        let floor = figures.iter().find(|it| it.contender.is_floor());
        let mut base = base.as_ref();
        let line = |it: &Figures| {
            let base = base.take_if(|_| it.contender.is_ours());
            Line::of(it, floor, base)
        };
        let new: Vec<Line> = figures.iter().map(line).collect();
        if let (Some(file), Some(path)) = (&mut file, &arguments.tsv) {
            let written = new.iter().try_for_each(|line| {
                writeln!(file, "{line}")?;
                file.flush()
            });
            written.map_err(|error| unwritable(path, &error))?;
        }
        lines.extend(new);
    }
    picture.map_or(Ok(()), |picture| picture.draw(&lines))
}

/// Opens the file before measuring, so that an unwritable path fails at once.
fn create(path: &Path) -> Result<BufWriter<File>, Failure> {
    let created = File::create(path).and_then(|file| {
        let mut file = BufWriter::new(file);
        writeln!(file, "{}", tsv::HEADING)?;
        file.flush()?;
        Ok(file)
    });
    created.map_err(|error| unwritable(path, &error))
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::Asked(format!(
        "`--tsv {}`: expected a file that can be written: {error}",
        path.display()
    ))
}

/// Returns message-core's row that a workload departs from. If that is the workload itself, it is the second line.
fn base(workload: Workload, contenders: &[Contender]) -> Option<Figures> {
    let from = workload.departure()?.from;
    let there = contenders.iter().filter(|it| it.workload == from);
    let mut ours = there.filter(|it| it.is_ours());
    ours.nth(usize::from(from == workload))
        .copied()
        .map(Figures::new)
}

/// The contenders of a workload, which take turns, and their measurements.
struct Turns<'p> {
    workload: Workload,
    figures: Vec<Figures>,
    /// The row that this one departs from.
    base: Option<Figures>,
    /// Another build of the program.
    other: Option<&'p Path>,
    /// The other build's figures for the lines of message-core, without times for lines that it does not know.
    old: Vec<Figures>,
}

impl<'p> Turns<'p> {
    fn new(workload: Workload, contenders: &[Contender], other: Option<&'p Path>) -> Self {
        let here = contenders.iter().filter(|it| it.workload == workload);
        let there = here.clone().filter(|it| other.is_some() && it.is_ours());
        Self {
            workload,
            figures: here.copied().map(Figures::new).collect(),
            base: base(workload, contenders),
            other,
            old: there.copied().map(Figures::new).collect(),
        }
    }

    /// Runs a warm-up round and then the rounds that count. In each round every contender runs in turn, followed
    /// by the row that this one departs from.
    fn measure(&mut self, rounds: usize) -> Result<(), Failure> {
        for round in 0..=rounds {
            let mut agreed = Agreed::new(self.workload);
            for figures in &mut self.figures {
                let told = ask(&figures.contender)?;
                let name = figures.contender.name;
                agreed.check(name, told)?;
                if round > 0 {
                    figures.add(told);
                }
                let Some(other) = self.other else { continue };
                let Some(old) = self.old.iter_mut().find(|it| it.contender.name == name) else {
                    continue;
                };
                let Some(told) = ask_build(other, &old.contender)? else {
                    continue;
                };
                agreed.check("the other build", told)?;
                if round > 0 {
                    old.add(told);
                }
            }
            if let Some(base) = &mut self.base {
                let told = ask(&base.contender)?;
                if round > 0 {
                    base.add(told);
                }
            }
        }
        Ok(())
    }
}

/// Checks that all contenders of a round have done the same work.
struct Agreed {
    workload: Workload,
    /// The first checksum, and the contender that computed it.
    first: Option<(&'static str, u64)>,
}

impl Agreed {
    fn new(workload: Workload) -> Self {
        let first = None;
        Self { workload, first }
    }

    fn check(&mut self, name: &'static str, told: Told) -> Result<(), Failure> {
        let first = *self.first.get_or_insert((name, told.checksum));
        if told.checksum != first.1 {
            return Err(disagree(self.workload, [first, (name, told.checksum)]));
        }
        Ok(())
    }
}

fn disagree(workload: Workload, [one, other]: [(&str, u64); 2]) -> Failure {
    Failure::Ran(format!(
        "{workload}: not all have done the same: the states of `{}` have the checksum {:016x}, \
         those of `{}` have {:016x}",
        one.0, one.1, other.0, other.1
    ))
}

/// Runs a contender in a fresh process.
fn ask(contender: &Contender) -> Result<Told, Failure> {
    let program = std::env::current_exe().map_err(|error| failed(contender, &error.to_string()))?;
    let told = ask_build(&program, contender)?;
    told.ok_or_else(|| failed(contender, "it does not know itself"))
}

/// Runs a contender in a fresh process of the given build of the program. Returns `None` if the build has no such row
/// or line.
fn ask_build(program: &Path, contender: &Contender) -> Result<Option<Told>, Failure> {
    let Contender { workload, name, .. } = contender;
    let output = Command::new(program)
        .args([CHILD, workload.name(), name])
        .output()
        .map_err(|error| failed(contender, &format!("{}: {error}", program.display())))?;
    let line = String::from_utf8_lossy(&output.stdout);
    if output.status.code() == Some(i32::from(Failure::ASKED)) {
        return Ok(None);
    }
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let why = format!("{}\n{}", output.status, said.trim_end());
        return Err(failed(contender, &why));
    }
    let told = line.parse().map(Some);
    told.map_err(|()| {
        failed(
            contender,
            &format!("expected what it has taken, found {line:?}"),
        )
    })
}

fn failed(contender: &Contender, why: &str) -> Failure {
    let Contender { workload, name, .. } = contender;
    Failure::Ran(format!("{workload}: `{name}` has failed: {why}"))
}

#[cfg(test)]
mod tests {
    use super::{Contender, Failure, Path, Turns, Workload, base, disagree};

    #[test]
    fn a_row_that_departs_from_another_is_measured_beside_it_by_message_core() {
        let named =
            |workload, name| Contender::new(workload, name, |_| unreachable!("nobody runs it"));
        let contenders = [
            named(Workload::W1Two, "message-core: a"),
            named(Workload::W1, "floor: b"),
            named(Workload::W1, "message-core: c"),
        ];
        let found = base(Workload::W1Two, &contenders).expect("it departs from W1");
        assert_eq!(found.contender.name, "message-core: c");
        assert!(base(Workload::W1, &contenders).is_none());
    }

    #[test]
    fn a_row_that_departs_from_itself_is_measured_beside_its_second_line() {
        let named =
            |name| Contender::new(Workload::W1Group, name, |_| unreachable!("nobody runs it"));
        let contenders = ["floor: a", "message-core: b", "message-core: c"].map(named);
        let found = base(Workload::W1Group, &contenders).expect("it departs from itself");
        assert_eq!(found.contender.name, "message-core: c");
    }

    #[test]
    fn another_build_is_asked_for_our_lines_alone() {
        let named = |name| Contender::new(Workload::W1, name, |_| unreachable!("nobody runs it"));
        let contenders = ["floor: a", "message-core: b", "peer c: d"].map(named);
        let old = |other| Turns::new(Workload::W1, &contenders, other).old;
        assert_eq!(old(None).len(), 0);
        let asked = old(Some(Path::new("old")));
        let lines: Vec<_> = asked.iter().map(|it| it.contender.name).collect();
        assert_eq!(lines, ["message-core: b"]);
    }

    #[test]
    fn who_disagrees_is_named_with_both_checksums() {
        let Failure::Ran(text) = disagree(Workload::W1, [("floor: a", 1), ("peer b: c", 2)]) else {
            panic!("it ran");
        };
        for part in ["W1", "`floor: a`", "…01", "`peer b: c`", "…02"] {
            assert!(
                text.contains(part.trim_start_matches('…')),
                "{part}: {text}"
            );
        }
    }
}
