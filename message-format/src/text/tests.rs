use crate::options::TextOptions;
use crate::steps::count;
use crate::text::{print, read};

/// Texts of about `length` bytes, each of a kind that a reader would read in quadratic time if it looked ahead or
/// back without bound.
fn texts(length: usize) -> Vec<String> {
    let times = |part: &str| part.repeat(length / part.len());
    let list = |part: &str| format!("[{}]", times(part));
    vec![
        list("1,"),
        list("1..2,"),
        list("-1.5e-3f32,"),
        list("\"a\\u{41}\\x41\\\n\","),
        list("b\"\\xff\","),
        list("r##\"\"#\"##,"),
        list("/* /* */ */(a/**/,),"),
        list("( ),(/**/),(a:(1)),"),
        list("Some(r#Some(None)),"),
        list("{\"a\":a},"),
        list("\u{e9}\u{301}(x:1),"),
        format!("\"{}\"", times("\\u{41}")),
        format!("r\"{}\"", times("\\")),
        format!("br##\"{}\"##", times("\"#")),
        times("1"),
        format!("0.{}e5", times("1_")),
        times("#![enable(implicit_some,)]") + "1",
        times(" /**/\n") + "1",
    ]
}

// holds: data.readers-are-linear
#[test]
fn a_text_of_any_kind_is_read_and_written_in_steps_proportional_to_its_length() {
    const LENGTH: usize = 5_000;
    for (short, long) in texts(LENGTH).iter().zip(texts(4 * LENGTH)) {
        let head: String = short.chars().take(40).collect();
        let steps = |text: &str| {
            let mut tape = None;
            let reading = count(|| tape = read(text, TextOptions::new()).ok());
            let writing = tape.map_or(0, |tape| count(|| drop(print(&tape, 0))));
            // Cut off in the middle, it is refused.
            let half = text.char_indices().nth(text.chars().count() / 2);
            let half = &text[..half.expect("it is long").0];
            [
                reading,
                writing,
                count(|| drop(read(half, TextOptions::new()))),
            ]
        };
        let (few, many) = (steps(short), steps(&long));
        assert!(few[0] >= LENGTH / 2, "{head}: {few:?}");
        for (few, many) in few.into_iter().zip(many) {
            assert!(many <= 5 * few + 100, "{head}: {few} steps, then {many}");
        }
    }
}
