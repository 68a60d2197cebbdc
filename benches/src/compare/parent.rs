//! The rounds, and whether all have done the same.

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

/// Compares, and prints and writes what was found, workload by workload.
pub(super) fn run(arguments: &Arguments, contenders: &[Contender]) -> Result<(), Failure> {
    let mut file = arguments.tsv.as_deref().map(create).transpose()?;
    let picture = arguments.svg.as_deref().map(Picture::create).transpose()?;
    let mut lines = Vec::new();
    println!("{}", table::heading());
    for &workload in &arguments.workloads {
        let here = contenders.iter().filter(|it| it.workload == workload);
        let mut figures: Vec<Figures> = here.copied().map(Figures::new).collect();
        let mut base = base(workload, contenders);
        measure(workload, &mut figures, base.as_mut(), arguments.repetitions)?;
        print!("{}", table::rows(workload, &figures, base.as_ref()));
        let floor = figures.iter().find(|it| it.contender.is_floor());
        let new: Vec<Line> = figures.iter().map(|it| Line::of(it, floor)).collect();
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

/// Opens the file before anything is measured: nobody waits to learn that it cannot be written.
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

/// The row that a workload departs from, as message-core does it.
fn base(workload: Workload, contenders: &[Contender]) -> Option<Figures> {
    let from = workload.departure()?.from;
    let mut there = contenders.iter().filter(|it| it.workload == from);
    there.find(|it| it.is_ours()).copied().map(Figures::new)
}

/// One round to warm up, then those that count; in each, every contender in turn, and who does the
/// row that this one departs from.
fn measure(
    workload: Workload,
    figures: &mut [Figures],
    mut base: Option<&mut Figures>,
    rounds: usize,
) -> Result<(), Failure> {
    for round in 0..=rounds {
        let mut first = None;
        for figures in &mut *figures {
            let told = ask(&figures.contender)?;
            let name = figures.contender.name;
            let (agreed, other) = *first.get_or_insert((told.checksum, name));
            if told.checksum != agreed {
                return Err(disagree(workload, [(other, agreed), (name, told.checksum)]));
            }
            if round > 0 {
                figures.add(told);
            }
        }
        if let Some(base) = base.as_deref_mut() {
            let told = ask(&base.contender)?;
            if round > 0 {
                base.add(told);
            }
        }
    }
    Ok(())
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
    let Contender { workload, name, .. } = contender;
    let failed = |why: String| Failure::Ran(format!("{workload}: `{name}` has failed: {why}"));
    let program = std::env::current_exe().map_err(|error| failed(error.to_string()))?;
    let output = Command::new(program)
        .args([CHILD, workload.name(), name])
        .output()
        .map_err(|error| failed(error.to_string()))?;
    let line = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(failed(format!("{}\n{}", output.status, said.trim_end())));
    }
    let told = line.parse();
    told.map_err(|()| failed(format!("expected what it has taken, found {line:?}")))
}

#[cfg(test)]
mod tests {
    use super::{Contender, Failure, Workload, base, disagree};

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
