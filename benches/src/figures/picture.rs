//! The growth as curves, which requires the feature `svg`.

use std::path::Path;

use crate::Failure;
use crate::figure::Sheet;

/// Fails with instructions for enabling drawing if it is not available.
pub(crate) fn ready() -> Result<(), Failure> {
    if cfg!(feature = "svg") {
        return Ok(());
    }
    let command = "cargo run --release -p message-benches --features svg --bin figures";
    Err(format!("--svg needs the feature `svg`: {command}").into())
}

/// Draws the output of `--tsv`.
pub(crate) fn draw_file(from: &Path, to: &Path) -> Result<(), Failure> {
    ready()?;
    let told = |why: String| format!("{}: {why}", from.display());
    let text = std::fs::read_to_string(from).map_err(|error| told(error.to_string()))?;
    let sheet = Sheet::read(&text).map_err(told)?;
    Ok(std::fs::write(to, svg(&sheet)?)?)
}

#[cfg(not(feature = "svg"))]
pub(crate) fn svg(_: &Sheet) -> Result<String, Failure> {
    Err("a picture is made with the feature `svg` alone".into())
}

#[cfg(feature = "svg")]
pub(crate) fn svg(sheet: &Sheet) -> Result<String, Failure> {
    let titles = [
        ("W1", "What does a send cost among more messagees?"),
        ("W2", "And each delivery of a broadcast?"),
    ];
    let panels = titles.map(|(workload, title)| panel(sheet, workload, title));
    if panels.iter().all(|panel| panel.curves.is_empty()) {
        return Err(
            "nothing to draw: expected figures of the part `growth`, such as W1-10k".into(),
        );
    }
    message_benches::picture::curves(&panels)
}

#[cfg(feature = "svg")]
fn panel(sheet: &Sheet, workload: &str, title: &str) -> message_benches::picture::Panel {
    use message_benches::picture::{Curve, Panel, Role};

    let mut curves: Vec<Curve> = Vec::new();
    for (count, size) in crate::growth::SIZES {
        let name = format!("{workload}-{size}");
        let here = sheet.figures().iter().filter(|it| it.name == name);
        for figure in here.filter(|it| it.value > 0.0) {
            #[allow(clippy::cast_precision_loss, reason = "at most a million")]
            let point = (count as f64, figure.value);
            let known = curves.iter_mut().find(|it| it.label == figure.contender);
            match known {
                Some(curve) => curve.points.push(point),
                None => curves.push(Curve {
                    label: figure.contender.clone(),
                    points: vec![point],
                    role: if figure.contender.starts_with("message-core") {
                        Role::Ours
                    } else {
                        Role::Floor
                    },
                }),
            }
        }
    }
    Panel {
        title: title.to_owned(),
        along: "messagees".to_owned(),
        up: "nanoseconds".to_owned(),
        curves,
    }
}

#[cfg(all(test, feature = "svg"))]
mod tests {
    use super::*;

    #[test]
    fn the_growth_is_drawn_with_a_curve_for_each_contender() {
        let text = "figure\tcontender\tvalue\tunit\n\
                    memory\tfloor: boxes\t64\tbytes\n\
                    W1-1k\tmessage-core: send to an id\t12.0\tns\n\
                    W1-1M\tmessage-core: send to an id\t80.0\tns\n\
                    W1-1k\tfloor: virtual call\t6.0\tns\n";
        let sheet = Sheet::read(text).expect("it is right");
        let svg = svg(&sheet).expect("it is drawn");
        for text in [
            "message-core: send to an id",
            "floor: virtual call",
            "messagees",
        ] {
            assert!(svg.contains(text), "{text}: {svg}");
        }
        let empty = super::svg(&Sheet::default()).expect_err("there is nothing");
        assert!(empty.to_string().contains("nothing to draw"), "{empty}");
    }
}
