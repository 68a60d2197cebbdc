//! The heap memory that a messagee takes if its four components have no fields.
//!
//! Tables double when they are full. Therefore two numbers are reported: for a round count, as users would
//! see it, and for a power of two, for which tables are exactly full and have no slack.

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
            // Bytes are counted, not timed, so one run suffices.
            let bytes = turns::numbers(&probe, &[work, size])?;
            figures.push(Figure::new(figure, contender, bytes[0], "bytes"));
        }
    }
    Ok(figures)
}
