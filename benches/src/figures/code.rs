//! How much a program grows with each handler and each message type in it: the difference between two
//! generated programs, divided by how many more the one has than the other.
//!
//! Sizes are of the stripped file as cargo builds it for release. The code alone is the section that
//! holds the instructions; the whole file has the tables that go with them, for relocation, unwinding
//! and panics, too.

use std::path::Path;

use object::{Object, ObjectSection, SectionKind};

use crate::Failure;
use crate::figure::Figure;
use crate::generated::workshop::{Profile, Workshop};
use crate::generated::{Contexts, Program, Style};
use crate::options::Options;

const MESSAGES: usize = 500;
const HANDLERS: usize = 1_000;
const SENT: usize = 100;

/// The larger and the smaller program, and in how many things they differ.
struct Pair {
    figure: &'static str,
    contender: &'static str,
    larger: Program,
    smaller: Program,
    more: f64,
}

pub(crate) fn measure(options: &Options) -> Result<Vec<Figure>, Failure> {
    let workshop = Workshop::open(options.keep)?;
    let mut figures = Vec::new();
    for pair in pairs() {
        // The same package both times, so that nothing but the program differs.
        let size = |program: &Program| {
            let package = workshop.write("sized", program, "")?;
            package.fetch()?;
            package.build(Profile::Release)?;
            size(&package.binary())
        };
        // Built once: the same text becomes the same code.
        let (larger, smaller) = (size(&pair.larger)?, size(&pair.smaller)?);
        for (what, larger, smaller) in [
            ("text", larger.text, smaller.text),
            ("file", larger.file, smaller.file),
        ] {
            let figure = format!("{}-{what}", pair.figure);
            let bytes = (larger - smaller) / pair.more;
            figures.push(Figure::new(figure, pair.contender, bytes, "bytes"));
        }
    }
    Ok(figures)
}

fn pairs() -> [Pair; 5] {
    let handlers = |contender, style, contexts| {
        let larger = Program {
            style,
            messages: MESSAGES,
            components: HANDLERS / 10,
            handlers: HANDLERS,
            contexts,
            sends: false,
        };
        Pair {
            figure: "code-handler",
            contender,
            larger,
            smaller: Program {
                handlers: 0,
                ..larger
            },
            more: 1e3,
        }
    };
    // The first message is sent in both.
    let messages = |contender, style| {
        let larger = Program {
            style,
            messages: SENT + 1,
            components: HANDLERS / 10,
            handlers: 0,
            contexts: Contexts::Never,
            sends: true,
        };
        Pair {
            figure: "code-message",
            contender,
            larger,
            smaller: Program {
                messages: 1,
                ..larger
            },
            more: 1e2,
        }
    };
    [
        handlers(
            "message-core: handler without a context",
            Style::Macros,
            Contexts::Never,
        ),
        handlers(
            "message-core: handler with a context",
            Style::Macros,
            Contexts::Always,
        ),
        handlers(
            "floor: plain method behind a trait, called once",
            Style::Plain,
            Contexts::Never,
        ),
        messages("message-core: message type, sent once", Style::Macros),
        messages("floor: plain struct, made once", Style::Plain),
    ]
}

/// Bytes of a program.
struct Size {
    /// Its instructions.
    text: f64,
    /// The whole file.
    file: f64,
}

#[allow(clippy::cast_precision_loss, reason = "sizes far below 2^52")]
fn size(binary: &Path) -> Result<Size, Failure> {
    let bytes = std::fs::read(binary)?;
    let file = object::File::parse(&*bytes)?;
    let text = file
        .sections()
        .filter(|section| section.kind() == SectionKind::Text);
    Ok(Size {
        text: text.map(|section| section.size()).sum::<u64>() as f64,
        file: bytes.len() as f64,
    })
}
