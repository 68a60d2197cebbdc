//! How the work of reading grows with the text, counted in steps.

use std::fmt::Write;

use message_format::DataError;
use message_format::steps::count;

use crate::WorldFile;

/// Returns the text of a world with `parts` parts.
fn world(begin: &str, parts: usize, end: &str, part: impl Fn(usize) -> String) -> String {
    let mut text = format!("World(version: 1, {begin}");
    for number in 0..parts {
        text += &part(number);
    }
    text + end + ")"
}

type Case = (&'static str, fn(usize) -> String);

fn long(parts: usize) -> String {
    "n".repeat(40 * parts)
}

/// Texts that made the reader look at everything for each part of them.
const CASES: &[Case] = &[
    ("messagees", |parts| {
        world("messagees: [", parts, "]", |it| {
            format!("(name: \"a {it}\"), ")
        })
    }),
    ("messagees of one name", |parts| {
        world("messagees: [", parts, "]", |_| "(name: \"a\"), ".to_owned())
    }),
    ("messagees without names", |parts| {
        world("messagees: [", parts, "]", |_| "(), ".to_owned())
    }),
    ("a parent that was renamed", |parts| {
        world("messagees: [(name: \"parent\"), ", parts, "]", |it| {
            format!("(name: \"child {it}\", parent: \"paretn\"), ")
        })
    }),
    ("as many parents that are not there", |parts| {
        world("messagees: [", parts, "]", |it| {
            format!("(name: \"child {it}\", parent: \"chlid {it}\"), ")
        })
    }),
    ("a chain of parents", |parts| {
        world("messagees: [", parts, "]", |it| {
            format!("(name: \"{it}\", parent: \"{}\"), ", it + 1)
        })
    }),
    ("a circle of parents", |parts| {
        world("messagees: [", parts, "]", |it| {
            format!("(name: \"{it}\", parent: \"{}\"), ", (it + 1) % parts)
        })
    }),
    ("two long names", |parts| {
        let name = long(parts);
        let text = format!("(name: \"{name}\"), (name: \"x\", parent: \"m{name}\")");
        world("messagees: [", 1, "]", |_| text.clone())
    }),
    (
        "children of one with a long name that name other parents",
        |parts| {
            let begin = format!("messagees: [(name: \"{}\", children: [", long(parts));
            world(&begin, parts, "])]", |it| {
                format!("(name: \"{it}\", parent: \"x\"), ")
            })
        },
    ),
    ("templates", |parts| {
        world("templates: {", parts, "}", |it| format!("\"t {it}\": (), "))
    }),
    ("templates of one name", |parts| {
        world("templates: {", parts, "}", |_| "\"t\": (), ".to_owned())
    }),
    ("templates from each other", |parts| {
        world("templates: {", parts, "}", |it| match it % 90 {
            0 => format!("\"t {it}\": (), "),
            _ => format!("\"t {it}\": (from: [\"t {}\"]), ", it - 1),
        })
    }),
    ("templates from each other in a long chain", |parts| {
        world("templates: {", parts, "}", |it| {
            format!("\"t {it}\": (from: [\"t {}\"]), ", it + 1)
        })
    }),
    ("a template from all others", |parts| {
        let mut from = String::new();
        for it in 0..parts {
            write!(from, "\"t {it}\", ").expect("it is a string");
        }
        let begin = format!("templates: {{\"all\": (from: [{from}]), ");
        world(&begin, parts, "}", |it| format!("\"t {it}\": (), "))
    }),
    ("templates that many messagees use together", |parts| {
        let mut text = world("templates: {", 90, "", |it| match it % 45 {
            0 => format!("\"t {it}\": (), "),
            _ => format!("\"t {it}\": (from: [\"t {}\"]), ", it - 1),
        });
        text.truncate(text.len() - 1);
        text += "}, messagees: [";
        for it in 0..parts {
            write!(text, "(name: \"{it}\", from: [\"t 44\", \"t 89\"]), ").expect("it is a string");
        }
        text + "])"
    }),
    ("templates that are used twice", |parts| {
        let begin = "templates: {\"a\": (), \"b\": (from: [\"a\"])}, messagees: [";
        world(begin, parts, "]", |it| {
            format!("(name: \"{it}\", from: [\"a\", \"b\", \"a\", \"b\"]), ")
        })
    }),
    ("unknown templates", |parts| {
        let begin = "templates: {\"goblin\": ()}, messagees: [";
        world(begin, parts, "]", |it| {
            format!("(name: \"{it}\", from: [\"golbin {it}\"]), ")
        })
    }),
    ("unknown types, mnemonics, groups and fields", |parts| {
        world("messagees: [", parts, "]", |it| {
            format!(
                "(name: \"{it}\", components: [A{it}(x: 3)], overrides: [B{it}], disabled: [\"C{it}\"], \
                 mnemonics: [\"m {it}\"], groups: [\"g {it}\"], nmae: 3, wires: [(), (on: D{it})]), "
            )
        })
    }),
    ("one unknown field many times", |parts| {
        world("messagees: [(name: \"a\", ", parts, ")]", |_| {
            "nmae: 3, ".to_owned()
        })
    }),
    ("members of an unknown group", |parts| {
        let mut text = world("messagees: [", parts, "], groups: {\"x\": [", |it| {
            format!("(name: \"{it}\"), ")
        });
        text.truncate(text.len() - 1);
        for it in 0..parts {
            write!(text, "\"{}\", \"{it}\", ", it / 2).expect("it is a string");
        }
        text + "]})"
    }),
    ("wires to others", |parts| {
        let mut text = world("messagees: [", parts, "], wires: [", |it| {
            format!("(name: \"{it}\"), ")
        });
        text.truncate(text.len() - 1);
        for it in 0..parts {
            write!(text, "(from: \"{it}\", to: \"x {it}\"), ").expect("it is a string");
        }
        text + "])"
    }),
    ("mistakes in one line", |parts| {
        world("messagees: [", parts, "]", |_| "3, ".to_owned())
    }),
];

// holds: world-files.linear
#[test]
fn the_steps_of_reading_are_in_proportion_to_the_text() {
    let mut wrong = String::new();
    for (name, text) in CASES {
        let steps = |parts: usize| {
            let text = text(parts);
            let steps = count(|| drop(WorldFile::parse(&text)));
            (text.len(), steps)
        };
        let (small, large) = (steps(1_000), steps(4_000));
        let growth = |of: fn((usize, usize)) -> usize| of(large) * 100 / of(small).max(1);
        let (text, work) = (growth(|it| it.0), growth(|it| it.1));
        // Names are sorted, which takes a little more than that. What grew with the square grew by 16.
        if work > text * 3 / 2 || large.1 > 150 * large.0 {
            writeln!(wrong, "{name}: bytes and steps {small:?}, {large:?}")
                .expect("it is a string");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

// holds: world-files.mistakes-bounded
#[test]
fn mistakes_beyond_those_that_are_reported_are_counted() {
    for (name, text) in CASES {
        let error = WorldFile::parse(&text(1_000));
        let Err(error) = error else { continue };
        let shown = error.errors().len();
        assert!(shown <= 100, "{name}: {shown}");
        assert!(
            error.more() == 0 || shown == 100,
            "{name}: {shown} and {}",
            error.more()
        );
        let places: Vec<_> = error.errors().iter().map(DataError::offset).collect();
        assert!(places.is_sorted(), "{name}");
        let longest = error.errors().iter().map(|it| it.what().len()).max();
        assert!(longest < Some(4_000), "{name}: {longest:?}");
    }
}
