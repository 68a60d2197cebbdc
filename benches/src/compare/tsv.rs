//! The figures for other programs, one tab-separated line per contender, and a reader for them.

use std::fmt;
use std::str::FromStr;

use super::figures::Figures;
use super::workload::Workload;

pub(super) const HEADING: &str =
    "workload\tcontender\tmedian_ns\tmin_ns\tmax_ns\tpeak_mib\tratio\tbase";

/// The results of one contender.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Line {
    pub(super) workload: Workload,
    pub(super) contender: String,
    /// The nanoseconds per operation.
    pub(super) median: f64,
    pub(super) min: f64,
    pub(super) max: f64,
    /// The peak memory in MiB; `-` if it is not known.
    pub(super) peak: Option<f64>,
    /// The median of the ratios to the floor in each round; `-` without a floor.
    pub(super) ratio: Option<f64>,
    /// The median of the ratios in each round to the row that this one departs from; `-` without one.
    pub(super) base: Option<f64>,
}

impl Line {
    pub(super) fn of(figures: &Figures, floor: Option<&Figures>, base: Option<&Figures>) -> Self {
        Self {
            workload: figures.contender.workload,
            contender: figures.contender.name.to_owned(),
            median: figures.median(),
            min: figures.min(),
            max: figures.max(),
            peak: figures.peak_mib(),
            ratio: floor.map(|floor| figures.ratio(floor)),
            base: base.map(|base| figures.ratio(base)),
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            workload,
            contender,
            median,
            min,
            max,
            peak,
            ratio,
            base,
        } = self;
        write!(
            f,
            "{workload}\t{contender}\t{median:.3}\t{min:.3}\t{max:.3}\t"
        )?;
        match peak {
            Some(mib) => write!(f, "{mib:.1}\t")?,
            None => f.write_str("-\t")?,
        }
        match ratio {
            Some(ratio) => write!(f, "{ratio:.3}\t")?,
            None => f.write_str("-\t")?,
        }
        match base {
            Some(base) => write!(f, "{base:.3}"),
            None => f.write_str("-"),
        }
    }
}

/// Parses a line. The error describes the mistake; the function that reads the file adds the line number.
impl FromStr for Line {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let fields: Vec<&str> = text.split('\t').collect();
        let [workload, contender, median, min, max, peak, ratio, base] = fields[..] else {
            let found = fields.len();
            return Err(format!("expected 8 fields between tabs, found {found}"));
        };
        let mut all = Workload::ALL.into_iter();
        Ok(Self {
            workload: all
                .find(|it| it.name() == workload)
                .ok_or_else(|| format!("expected the name of a workload, found `{workload}`"))?,
            contender: contender.to_owned(),
            median: number("median_ns", median)?,
            min: number("min_ns", min)?,
            max: number("max_ns", max)?,
            peak: number_or_none("peak_mib", peak)?,
            ratio: number_or_none("ratio", ratio)?,
            base: number_or_none("base", base)?,
        })
    }
}

fn number(field: &str, text: &str) -> Result<f64, String> {
    let parsed = text.parse().ok();
    let parsed = parsed.filter(|number: &f64| number.is_finite() && *number > 0.0);
    parsed.ok_or_else(|| format!("{field}: expected a number above 0, found `{text}`"))
}

fn number_or_none(field: &str, text: &str) -> Result<Option<f64>, String> {
    match text {
        "-" => Ok(None),
        _ => number(field, text).map(Some),
    }
}

/// Reads the output of a run; an error names its line.
pub(super) fn read(text: &str) -> Result<Vec<Line>, String> {
    let mut lines = text.lines().zip(1..);
    match lines.next() {
        Some((HEADING, _)) => {}
        found => {
            let expected = HEADING.replace('\t', ", ");
            let found = found.map_or("", |(found, _)| found);
            return Err(format!(
                "line 1: expected {expected} between tabs, found `{found}`"
            ));
        }
    }
    lines
        .map(|(line, number)| line.parse().map_err(|why| format!("line {number}: {why}")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{HEADING, Line, read};
    use crate::compare::figures::Figures;
    use crate::compare::{Contender, Workload};

    fn named(name: &'static str) -> Contender {
        Contender::new(Workload::W5Cancel, name, |_| unreachable!("nobody runs it"))
    }

    #[test]
    fn a_line_has_a_field_for_each_of_the_heading() {
        let figures = Figures::of(named("message-core: post"), &[3.0, 1.25, 2.0], Some(1536));
        let floor = Figures::of(named("floor: ring"), &[1.0, 1.0, 1.0], None);
        assert_eq!(
            Line::of(&figures, Some(&floor), Some(&figures)).to_string(),
            "W5-cancel\tmessage-core: post\t2.000\t1.250\t3.000\t1.5\t2.000\t1.000"
        );
        assert_eq!(
            Line::of(&floor, None, None).to_string(),
            "W5-cancel\tfloor: ring\t1.000\t1.000\t1.000\t-\t-\t-"
        );
        let fields = [
            "workload",
            "contender",
            "median_ns",
            "min_ns",
            "max_ns",
            "peak_mib",
            "ratio",
            "base",
        ];
        assert_eq!(HEADING.split('\t').collect::<Vec<_>>(), fields);
    }

    #[test]
    fn what_was_written_is_read() {
        let figures = Figures::of(named("message-core: post"), &[3.0, 1.25, 2.0], Some(1536));
        let line = Line::of(&figures, Some(&figures), None);
        assert_eq!(read(&format!("{HEADING}\n{line}\n")), Ok(vec![line]));
        assert_eq!(read(HEADING), Ok(vec![]));
    }

    #[test]
    fn a_mistake_is_told_with_its_line_and_what_was_expected() {
        let right = "W1\tfloor: a\t1.0\t1.0\t1.0\t-\t1.0\t-";
        for (text, expected) in [
            ("", "line 1: expected workload, contender, median_ns"),
            ("W1\tfloor: a\n", "between tabs, found `W1\tfloor: a`"),
            (
                &format!("{HEADING}\n{right}\nW1\tfloor: a\n"),
                "line 3: expected 8 fields between tabs, found 2",
            ),
            (
                &format!("{HEADING}\n{}\n", right.replace("W1", "W77")),
                "line 2: expected the name of a workload, found `W77`",
            ),
            (
                &format!("{HEADING}\n{right}\n{}", right.replacen("1.0", "fast", 1)),
                "line 3: median_ns: expected a number above 0, found `fast`",
            ),
            (
                &format!("{HEADING}\n{}", right.replacen('-', "-7", 1)),
                "line 2: peak_mib: expected a number above 0, found `-7`",
            ),
            (
                &format!("{HEADING}\n{}", right.replacen("1.0", "NaN", 1)),
                "line 2: median_ns: expected a number above 0, found `NaN`",
            ),
        ] {
            let mistake = read(text).expect_err("it is wrong");
            assert!(mistake.contains(expected), "{mistake}");
        }
    }
}
