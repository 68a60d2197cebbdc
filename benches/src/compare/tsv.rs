//! The figures for other programs: a line for each contender, separated by tabs.

use super::figures::Figures;

pub(super) const HEADING: &str = "workload\tcontender\tmedian_ns\tmin_ns\tmax_ns\tpeak_mib";

/// The line of one contender: nanoseconds an operation, and the most memory, or `-`.
pub(super) fn line(figures: &Figures) -> String {
    let peak = figures
        .peak_mib()
        .map_or_else(|| "-".to_owned(), |mib| format!("{mib:.1}"));
    format!(
        "{}\t{}\t{:.3}\t{:.3}\t{:.3}\t{peak}",
        figures.contender.workload,
        figures.contender.name,
        figures.median(),
        figures.min(),
        figures.max(),
    )
}
