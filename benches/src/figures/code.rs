//! The growth of a program with each handler and each message type in it: the difference between two
//! generated programs, divided by the difference in their counts. Also the size of a whole crate and its
//! build time, compared with the peers.
//!
//! Sizes are those of the stripped file that cargo builds for release. The code size is the section that
//! holds the instructions; the whole file also has the tables that go with them, for relocation, unwinding
//! and panics.

use crate::Failure;
use crate::crates::{self, size};
use crate::figure::Figure;
use crate::generated::workshop::{Profile, Workshop};
use crate::generated::{Contexts, Program, Style};
use crate::options::Options;

/// A pair differs in one message type out of this many: the larger program sends, posts or publishes it as well.
const SHARE: usize = 5;

/// The larger and the smaller program, and the number of things in which they differ.
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
    // The part `building` measures the same crates.
    if !options.wants("building") {
        let profiles = [Profile::Debug, Profile::Release];
        let mut styles = crates::contenders();
        styles.retain(|&style| style != Style::ByHand);
        figures.extend(crates::measure(&workshop, options, &profiles, &styles)?);
    }
    for pair in pairs(options.types) {
        // The same package both times, so that only the program differs.
        let size = |program: &Program| {
            let package = workshop.write("sized", program)?;
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

fn pairs(types: usize) -> [Pair; 7] {
    let more = types.div_ceil(SHARE);
    [
        handlers(
            types,
            "message-core: handler without a context",
            Style::Macros,
            Contexts::Never,
        ),
        handlers(
            types,
            "message-core: handler with a context",
            Style::Macros,
            Contexts::Always,
        ),
        handlers(
            types,
            "floor: plain method behind a trait, called once",
            Style::Plain,
            Contexts::Never,
        ),
        messages(more, "message-core: message type, sent once", Style::Macros),
        messages(more, "floor: plain struct, made once", Style::Plain),
        further(
            more,
            "code-posted",
            "message-core: message type that is sent, posted once too",
            |program, posted| Program { posted, ..program },
        ),
        further(
            more,
            "code-published",
            "message-core: message type that is sent, published once too",
            |program, published| Program {
                published,
                ..program
            },
        ),
    ]
}

/// Returns a pair with all handlers and with none.
#[allow(clippy::cast_precision_loss, reason = "counts far below 2^52")]
fn handlers(types: usize, contender: &'static str, style: Style, contexts: Contexts) -> Pair {
    let larger = Program {
        contexts,
        sends: false,
        ..Program::of_types(style, types)
    };
    Pair {
        figure: "code-handler",
        contender,
        larger,
        smaller: Program {
            handlers: 0,
            ..larger
        },
        more: larger.handlers as f64,
    }
}

/// Returns a pair that differs in the number of messages; both send the first one.
fn messages(more: usize, contender: &'static str, style: Style) -> Pair {
    let larger = Program {
        messages: more + 1,
        handlers: 0,
        contexts: Contexts::Never,
        ..Program::of_types(style, more)
    };
    pair(
        more,
        "code-message",
        contender,
        larger,
        Program {
            messages: 1,
            ..larger
        },
    )
}

/// Returns a pair of which both send all messages, and the smaller posts or publishes only the first.
fn further(
    more: usize,
    figure: &'static str,
    contender: &'static str,
    with: fn(Program, usize) -> Program,
) -> Pair {
    let program = Program::of_types(Style::Macros, more + 1);
    let (larger, smaller) = (with(program, more + 1), with(program, 1));
    pair(more, figure, contender, larger, smaller)
}

#[allow(clippy::cast_precision_loss, reason = "counts far below 2^52")]
fn pair(
    more: usize,
    figure: &'static str,
    contender: &'static str,
    larger: Program,
    smaller: Program,
) -> Pair {
    Pair {
        figure,
        contender,
        larger,
        smaller,
        more: more as f64,
    }
}
