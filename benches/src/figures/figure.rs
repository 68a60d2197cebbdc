//! A measured figure, and its formats: a table and tab-separated rows.

use std::fmt::Write;

/// One measured value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Figure {
    /// The name of the measurement, such as `spawn` or `W1-100k`.
    pub(crate) name: String,
    /// The name of the contender, such as `message-core: …` or `floor: …`.
    pub(crate) contender: String,
    pub(crate) value: f64,
    pub(crate) unit: String,
}

impl Figure {
    pub(crate) fn new(
        name: impl Into<String>,
        contender: impl Into<String>,
        value: f64,
        unit: impl Into<String>,
    ) -> Self {
        Self {
            name: name.into(),
            contender: contender.into(),
            value,
            unit: unit.into(),
        }
    }
}

const HEADING: &str = "figure\tcontender\tvalue\tunit";

/// All figures of a run.
#[derive(Debug, Default)]
pub(crate) struct Sheet(Vec<Figure>);

impl Sheet {
    pub(crate) fn add(&mut self, figures: Vec<Figure>) {
        self.0.extend(figures);
    }

    /// Reads the output of [`Sheet::tsv`]; an error names its line.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let mut lines = text.lines().zip(1..);
        let heading = lines.next().map_or("", |(line, _)| line);
        if heading != HEADING {
            let expected = HEADING.replace('\t', ", ");
            return Err(format!(
                "line 1: expected {expected} between tabs, found `{heading}`"
            ));
        }
        let figures = lines.map(|(line, at)| {
            let fields: Vec<&str> = line.split('\t').collect();
            let [name, contender, value, unit] = fields[..] else {
                let found = fields.len();
                return Err(format!(
                    "line {at}: expected 4 fields between tabs, found {found}"
                ));
            };
            match value.parse::<f64>() {
                Ok(number) if number.is_finite() => Ok(Figure::new(name, contender, number, unit)),
                _ => Err(format!("line {at}: expected a number, found `{value}`")),
            }
        });
        figures.collect::<Result<_, _>>().map(Self)
    }

    #[cfg(any(feature = "svg", test))]
    pub(crate) fn figures(&self) -> &[Figure] {
        &self.0
    }

    /// Returns a heading, and then a line for each figure.
    pub(crate) fn tsv(&self) -> String {
        let mut text = format!("{HEADING}\n");
        for it in &self.0 {
            let value = number(it.value);
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{}\t{}\t{value}\t{}", it.name, it.contender, it.unit);
        }
        text
    }
}

/// Returns the figures in human-readable form, in columns.
pub(crate) fn table(figures: &[Figure]) -> String {
    let width = |text: fn(&Figure) -> &str| {
        let widths = figures.iter().map(|it| text(it).chars().count());
        widths.max().unwrap_or(0)
    };
    let names = width(|it| &it.name);
    let contenders = width(|it| &it.contender);
    let mut text = String::new();
    for it in figures {
        let value = number(it.value);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "  {:<names$}  {:<contenders$}  {value:>10} {}",
            it.name, it.contender, it.unit
        );
    }
    text
}

/// Formats a value with its significant digits: no more than three after the first one, if there is a
/// fraction.
fn number(value: f64) -> String {
    match value.abs() {
        1000.0.. => format!("{value:.0}"),
        100.0.. => format!("{value:.1}"),
        10.0.. => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures() -> Vec<Figure> {
        vec![
            Figure::new("spawn", "message-core: four components", 123.456, "ns"),
            Figure::new("memory-100k", "floor: boxes", 64.0, "bytes"),
        ]
    }

    #[test]
    fn a_row_is_four_columns_between_tabs_under_a_heading() {
        let mut sheet = Sheet::default();
        sheet.add(figures());
        let expected = "figure\tcontender\tvalue\tunit\n\
                        spawn\tmessage-core: four components\t123.5\tns\n\
                        memory-100k\tfloor: boxes\t64.00\tbytes\n";
        assert_eq!(sheet.tsv(), expected);
    }

    #[test]
    fn what_was_written_is_read() {
        let text = "figure\tcontender\tvalue\tunit\nmemory-100k\tfloor: boxes\t64.00\tbytes\n";
        let sheet = Sheet::read(text).expect("it is right");
        assert_eq!(sheet.figures(), &figures()[1..]);
        for (text, expected) in [
            ("", "line 1: expected figure, contender, value, unit"),
            (&text[1..], "found `igure"),
            (
                &text.replace("\tbytes", ""),
                "line 2: expected 4 fields between tabs, found 3",
            ),
            (
                &text.replace("64.00", "much"),
                "line 2: expected a number, found `much`",
            ),
        ] {
            let mistake = Sheet::read(text).expect_err("it is wrong");
            assert!(mistake.contains(expected), "{mistake}");
        }
    }

    #[test]
    fn the_columns_of_a_table_stand_below_each_other() {
        let expected = "  spawn        message-core: four components       123.5 ns\n  \
                        memory-100k  floor: boxes                        64.00 bytes\n";
        assert_eq!(table(&figures()), expected);
    }

    #[test]
    fn a_value_is_shown_with_as_many_digits_as_say_something() {
        let shown = [0.0123, 1.2345, 12.345, 123.45, 12_345.6].map(number);
        assert_eq!(shown, ["0.012", "1.234", "12.35", "123.5", "12346"]);
    }
}
