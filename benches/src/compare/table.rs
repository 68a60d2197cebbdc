//! The figures for people.

use std::fmt::Write;

use super::figures::Figures;
use super::workload::Workload;

/// What stands above the columns.
pub(super) fn heading() -> String {
    format!(
        "{:<10} {:<48} {:>10} {:>10} {:>10} {:>8} {:>6} {:>8}",
        "workload", "contender", "median ns", "min ns", "max ns", "ratio", "target", "peak MiB"
    )
}

/// A line for each contender, below one that says what they did.
///
/// The ratio is that to the floor, the median over the rounds; the target is what message-core is to
/// reach.
pub(super) fn rows(workload: Workload, figures: &[Figures]) -> String {
    let floor = figures.iter().find(|it| it.contender.is_floor());
    let mut text = format!("\n{workload}: {}\n", workload.title());
    for it in figures {
        let name = it.contender.name;
        let ratio = floor.map_or_else(|| "-".to_owned(), |floor| format!("{:.2}", it.ratio(floor)));
        let target = if it.contender.is_ours() {
            format!("{:.2}", workload.target())
        } else {
            String::new()
        };
        let peak = it
            .peak_mib()
            .map_or_else(|| "-".to_owned(), |mib| format!("{mib:.1}"));
        let _ = writeln!(
            text,
            "{workload:<10} {name:<48} {:>10.2} {:>10.2} {:>10.2} {ratio:>8} {target:>6} {peak:>8}",
            it.median(),
            it.min(),
            it.max(),
        );
    }
    text
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
        let text = rows(Workload::W1, &figures);
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
}
