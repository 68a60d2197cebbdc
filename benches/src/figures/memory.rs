//! What a messagee takes of the heap, when its four components have no fields.
//!
//! Tables double when they are full. So it is told twice: for a round number, as somebody would find
//! it, and for a power of two, where tables are just full and nothing is slack.

use crate::Failure;
use crate::figure::Figure;
use crate::generated::workshop;
use crate::options::Options;
use crate::turns;

const CONTENDERS: &[(&str, &str)] = &[
    ("message-core: handlers without a context", "plain"),
    ("message-core: handlers with a context", "with-context"),
    (
        "message-core: without a context, everybody replaced once",
        "replaced",
    ),
    ("floor: four Box<dyn> each", "boxes"),
    ("floor: one Vec for each component, with owners", "columns"),
    #[cfg(feature = "peers")]
    ("peer bevy_ecs: an entity of four components", "bevy"),
    #[cfg(feature = "peers")]
    ("peer hecs: an entity of four components", "hecs"),
];

const SIZES: [(&str, &str); 2] = [("memory-100k", "100000"), ("memory-full", "131072")];

pub(crate) fn measure(_: &Options) -> Result<Vec<Figure>, Failure> {
    let probe = workshop::own_binary("state_probe")?;
    let mut figures = Vec::new();
    for (figure, size) in SIZES {
        for &(contender, work) in CONTENDERS {
            // Counted, not timed: once is enough.
            let bytes = turns::numbers(&probe, &[work, size])?;
            figures.push(Figure::new(figure, contender, bytes[0], "bytes"));
        }
    }
    Ok(figures)
}
