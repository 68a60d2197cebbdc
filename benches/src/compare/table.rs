//! The figures for people.

use std::fmt::Write;

use super::figures::Figures;
use super::workload::Workload;

/// What stands above the columns.
pub(super) fn heading() -> String {
    format!(
        "{:<10} {:<44} {:>10} {:>10} {:>10} {:>8} {:>6} {:>8}",
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
        let target = if name.starts_with("message-core: ") {
            format!("{:.2}", workload.target())
        } else {
            String::new()
        };
        let peak = it
            .peak_mib()
            .map_or_else(|| "-".to_owned(), |mib| format!("{mib:.1}"));
        let _ = writeln!(
            text,
            "{workload:<10} {name:<44} {:>10.2} {:>10.2} {:>10.2} {ratio:>8} {target:>6} {peak:>8}",
            it.median(),
            it.min(),
            it.max(),
        );
    }
    text
}
