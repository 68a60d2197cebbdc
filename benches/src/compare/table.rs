//! The figures in human-readable form.

use std::fmt::Write;

use super::figures::Figures;
use super::workload::Workload;

/// Returns the column headings.
pub(super) fn heading() -> String {
    format!(
        "{:<12} {:<48} {:>10} {:>10} {:>10} {:>8} {:>6} {:>8}",
        "workload", "contender", "median ns", "min ns", "max ns", "ratio", "target", "peak MiB"
    )
}

/// Returns a heading with the workload's title, and then a line for each contender.
///
/// The ratio is relative to the floor and is the median over the rounds; the target is the goal for
/// message-core. The first line of message-core ends with its ratio to `base`, the row that this one departs
/// from, and the goal for that ratio. Each line that another build was measured for ends with the ratio to that
/// build, `old`.
pub(super) fn rows(
    workload: Workload,
    figures: &[Figures],
    base: Option<&Figures>,
    old: &[Figures],
) -> String {
    let floor = figures.iter().find(|it| it.contender.is_floor());
    let mut beside = departure(workload, figures, base);
    let mut text = format!("\n{workload}: {}\n", workload.title());
    for it in figures {
        let name = it.contender.name;
        let ratio = floor.map_or_else(|| "-".to_owned(), |floor| format!("{:.2}", it.ratio(floor)));
        let ours = it.contender.is_ours();
        let target = workload.target().filter(|_| ours);
        let target = target.map_or_else(String::new, |target| format!("{target:.2}"));
        let beside = beside.take_if(|_| ours).unwrap_or_default();
        let old = old.iter().find(|old| old.contender.name == name);
        let old = old.map_or_else(String::new, |old| beside_old(it, old));
        let peak = it
            .peak_mib()
            .map_or_else(|| "-".to_owned(), |mib| format!("{mib:.1}"));
        let _ = writeln!(
            text,
            "{workload:<12} {name:<48} {:>10.2} {:>10.2} {:>10.2} {ratio:>8} {target:>6} {peak:>8}{beside}{old}",
            it.median(),
            it.min(),
            it.max(),
        );
    }
    text
}

/// Formats the ratio of a line to another build: `÷old 0.920, which took 12.34 ns`.
fn beside_old(new: &Figures, old: &Figures) -> String {
    let median = old.median();
    if median.is_nan() {
        return "  ÷old -, which does not know it".to_owned();
    }
    format!("  ÷old {:.3}, which took {median:.2} ns", new.ratio(old))
}

/// Formats the ratio of message-core in this row to the row that it departs from:
/// `×W1 1.83 (goal 2.00), W1 took 12.34 ns`.
fn departure(workload: Workload, figures: &[Figures], base: Option<&Figures>) -> Option<String> {
    let departure = workload.departure()?;
    let ours = figures.iter().find(|it| it.contender.is_ours())?;
    let goal = departure.goal;
    let from = match departure.from {
        from if from == workload => "plain",
        from => from.name(),
    };
    Some(match base {
        Some(base) => {
            let (ratio, median) = (ours.ratio(base), base.median());
            format!("  ×{from} {ratio:.2} (goal {goal:.2}), {from} took {median:.2} ns")
        }
        None => format!("  ×{from} - (goal {goal:.2}), nobody did {from}"),
    })
}

#[cfg(test)]
mod tests {
    use super::rows;
    use crate::compare::figures::Figures;
    use crate::compare::{Contender, Workload};

    #[test]
    fn a_row_tells_the_ratio_to_the_floor_and_ours_what_it_is_to_reach() {
        let named = |name| Contender::new(Workload::W1, name, |_| unreachable!("nobody runs it"));
        let figures = [
            Figures::of(named("floor: a"), &[10.0, 12.0, 14.0], Some(2048)),
            Figures::of(named("message-core: b"), &[20.0, 36.0, 28.0], Some(3072)),
            Figures::of(named("peer c: d"), &[30.0, 36.0, 42.0], None),
        ];
        let text = rows(Workload::W1, &figures, None, &[]);
        let words = |name: &str| -> Vec<String> {
            let line = text.lines().find_map(|line| Some(line.split_once(name)?.1));
            let words = line.expect("it has a line").split_whitespace();
            words.map(str::to_owned).collect()
        };
        assert_eq!(
            words("floor: a"),
            ["12.00", "10.00", "14.00", "1.00", "2.0"]
        );
        let ours = ["28.00", "20.00", "36.00", "2.00", "2.00", "3.0"];
        assert_eq!(words("message-core: b"), ours);
        assert_eq!(words("peer c: d"), ["36.00", "30.00", "42.00", "3.00", "-"]);
    }

    #[test]
    fn a_row_that_departs_from_another_tells_how_far_and_how_far_it_may() {
        let named =
            |workload, name| Contender::new(workload, name, |_| unreachable!("nobody runs it"));
        let figures = [
            Figures::of(named(Workload::W1Two, "floor: a"), &[10.0, 10.0], None),
            Figures::of(
                named(Workload::W1Two, "message-core: b"),
                &[18.0, 40.0],
                None,
            ),
            Figures::of(
                named(Workload::W1Two, "message-core: c"),
                &[20.0, 40.0],
                None,
            ),
        ];
        let base = Figures::of(named(Workload::W1, "message-core: b"), &[10.0, 20.0], None);
        let text = rows(Workload::W1Two, &figures, Some(&base), &[]);
        let told: Vec<&str> = text.lines().filter(|line| line.contains('×')).collect();
        let [line] = told[..] else {
            panic!("one line tells it: {text}");
        };
        assert!(line.contains("message-core: b"), "{line}");
        assert!(
            line.ends_with("×W1 1.90 (goal 2.00), W1 took 15.00 ns"),
            "{line}"
        );
        let alone = rows(Workload::W1Two, &figures, None, &[]);
        assert!(
            alone.contains("×W1 - (goal 2.00), nobody did W1"),
            "{alone}"
        );
    }

    #[test]
    fn a_line_tells_how_it_is_beside_another_build() {
        let named = |name| Contender::new(Workload::W1, name, |_| unreachable!("nobody runs it"));
        let (floor, ours) = (named("floor: a"), named("message-core: b"));
        let figures = [
            Figures::of(floor, &[10.0, 10.0], None),
            Figures::of(ours, &[18.0, 20.0], None),
        ];
        let old = |times| [Figures::of(ours, times, None)];
        let text = rows(Workload::W1, &figures, None, &old(&[20.0, 40.0]));
        assert!(
            text.ends_with("÷old 0.700, which took 30.00 ns\n"),
            "{text}"
        );
        assert_eq!(text.matches('÷').count(), 1, "{text}");
        let text = rows(Workload::W1, &figures, None, &old(&[]));
        assert!(text.ends_with("÷old -, which does not know it\n"), "{text}");
    }
}
