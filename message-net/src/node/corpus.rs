//! The seed corpus for the fuzzer of batches: each kind of entry, in its current encoding.

use message_core::prelude::*;
use message_core::trace::TraceContext;
use message_data::to_bytes_with_ids;
use std::path::Path;

use crate::node::entry::{Address, Answer, Entry, Say, Target};
use crate::node::ledger::{Sum, Taken};
use crate::node::origin::{Back, Cause};
use crate::pack::{Packer, Unpacker};

/// Returns named batches. The target has one type, with the number 0, and exports one messagee as `m`.
#[allow(clippy::too_many_lines, reason = "a list, one kind after the other")]
fn batches() -> Vec<(&'static str, Vec<u8>)> {
    let header = Header::to(Everyone)
        .after_frames(1)
        .every_frames(2)
        .times(3);
    let header = header.build().expect("it does not contradict itself");
    let header = to_bytes_with_ids(&header, &mut Vec::new()).expect("it has data");
    let plain = Say {
        to: Target::Export("m"),
        from: None,
        of: 0,
        ids: Vec::new(),
        header: None,
        ask: None,
        // An array of one number.
        message: &[0x91, 7],
    };
    let say = |change: &dyn Fn(&mut Say<'_>)| {
        let mut say = plain.clone();
        change(&mut say);
        let mut to = Packer::default();
        Entry::Say(say).write(&mut to);
        to.0
    };
    let entries = |entries: &[Entry<'_>]| {
        let mut to = Packer::default();
        for entry in entries {
            entry.write(&mut to);
        }
        to.0
    };
    let said = say(&|_| {});
    // Another one, which follows without an entry.
    let again = [0xc4, 2, 0x91, 8];
    let posted = {
        let mut say = plain.clone();
        say.header = Some(&header);
        entries(&[Entry::Say(say)])
    };
    let first = Cause {
        send: 300,
        place: Some(0),
        named: Some("src/main.rs:3:5"),
        context: None,
    };
    let context = TraceContext {
        trace: [1; 16],
        span: [2; 8],
    };
    let next = Cause {
        send: 301,
        named: None,
        context: Some(context),
        ..first
    };
    let back = Back {
        sent: 300,
        frame: 80,
        number: Some(12),
        line: Some("src/zone.rs:12"),
    };
    let causes = [first, next].map(Entry::Cause);
    vec![
        ("say", said.clone()),
        (
            "run",
            [&*said, &again, &again, &posted, &said, &again].concat(),
        ),
        ("posted", posted),
        ("asked", say(&|say| say.ask = Some(1))),
        (
            "by_handle",
            [
                entries(&[Entry::Wants { name: "m" }]),
                say(&|say| say.to = Target::Handle(0)),
            ]
            .concat(),
        ),
        (
            "to_many",
            [
                say(&|say| say.to = Target::Group("g")),
                say(&|say| say.to = Target::Mnemonic("k")),
                say(&|say| say.to = Target::Outside),
            ]
            .concat(),
        ),
        (
            "with_ids",
            say(&|say| {
                say.from = Some(Address::Mine(3));
                say.ids = vec![
                    Address::Mine(1),
                    Address::Yours(Target::Handle(0)),
                    Address::Export("c/x"),
                ];
            }),
        ),
        (
            "refused",
            entries(&[Entry::Refused {
                say: &said,
                why: "no",
                back: None,
            }]),
        ),
        (
            "names",
            entries(&[
                Entry::Wants { name: "m" },
                Entry::Exported {
                    name: "x",
                    handle: Some(4),
                },
                Entry::Exported {
                    name: "x",
                    handle: None,
                },
                Entry::Group {
                    name: "g",
                    open: true,
                },
                Entry::Group {
                    name: "g",
                    open: false,
                },
            ]),
        ),
        (
            "answers",
            entries(&[
                Entry::Answer {
                    ticket: 0,
                    answer: Answer::Reply {
                        ids: vec![Address::Mine(5)],
                        bytes: &[7],
                    },
                    back: Some(back),
                },
                Entry::Answer {
                    ticket: 1,
                    answer: Answer::None { why: 3, text: "no" },
                    back: None,
                },
            ]),
        ),
        (
            "refused_traced",
            entries(&[Entry::Refused {
                say: &said,
                why: "no",
                back: Some(Back {
                    number: None,
                    line: None,
                    ..back
                }),
            }]),
        ),
        ("traced", [entries(&causes), said.clone()].concat()),
        (
            "ends",
            entries(&[
                Entry::Holds { handle: 9 },
                Entry::HoldsNoOther,
                Entry::Taken(Taken {
                    messages: 300,
                    refused: Sum {
                        messages: 2,
                        questions: 1,
                    },
                }),
                Entry::Released { handle: 0 },
                Entry::Ended { handle: 3 },
            ]),
        ),
    ]
}

#[test]
fn the_corpus_of_the_fuzzer_is_what_is_written_now() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus/batch");
    if std::env::var_os("WRITE_CORPUS").is_some() {
        std::fs::create_dir_all(&folder).expect("a folder for it");
        for (name, bytes) in batches() {
            let file = folder.join(format!("{name}.msgpack"));
            std::fs::write(file, bytes).expect("the disk has room");
        }
    }
    if !folder.exists() {
        // This is the package alone, without the repository.
        println!("SKIPPED: there is no fuzz/corpus/batch");
        return;
    }
    for (name, bytes) in batches() {
        let file = folder.join(format!("{name}.msgpack"));
        let there = std::fs::read(file).unwrap_or_default();
        assert_eq!(
            there, bytes,
            "{name}: `WRITE_CORPUS=1 cargo test -p message-net corpus` writes it"
        );
        let (mut from, mut said) = (Unpacker::new(&bytes), None);
        while !from.is_at_end() {
            Entry::next(&mut from, &mut said).expect("it was written here");
        }
    }
}
