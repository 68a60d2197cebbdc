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

#[cfg(test)]
mod tests {
    use super::{HEADING, line};
    use crate::compare::figures::Figures;
    use crate::compare::{Contender, Workload};

    #[test]
    fn a_line_has_a_field_for_each_of_the_heading() {
        let name = "message-core: post";
        let contender =
            Contender::new(Workload::W5Cancel, name, |_| unreachable!("nobody runs it"));
        let figures = Figures::of(contender, &[3.0, 1.25, 2.0], Some(1536));
        assert_eq!(
            line(&figures),
            "W5-cancel\tmessage-core: post\t2.000\t1.250\t3.000\t1.5"
        );
        let unknown = Figures::of(contender, &[1.0], None);
        assert_eq!(
            line(&unknown),
            "W5-cancel\tmessage-core: post\t1.000\t1.000\t1.000\t-"
        );
        let fields = [
            "workload",
            "contender",
            "median_ns",
            "min_ns",
            "max_ns",
            "peak_mib",
        ];
        assert_eq!(HEADING.split('\t').collect::<Vec<_>>(), fields);
    }
}
