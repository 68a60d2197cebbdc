//! A failing program is made smaller as long as it fails.

use crate::program::{
    After, End, Every, Head, Hears, IMMEDIATE, Line, NO_STAGE, Program, Step, Tie,
};

/// Removes steps and lines one after the other, and returns the smallest program found that still fails.
pub(crate) fn shrink(mut program: Program, fails: impl Fn(&Program) -> bool) -> Program {
    loop {
        let before = program.clone();
        // Many steps at once, then one by one.
        let mut length = program.steps.len().div_ceil(2).max(1);
        loop {
            let mut at = program.steps.len();
            while at > 0 {
                at = at.saturating_sub(length);
                let mut smaller = program.clone();
                let end = (at + length).min(smaller.steps.len());
                smaller.steps.drain(at..end);
                keep(&mut program, smaller, &fails);
                at = at.min(program.steps.len());
            }
            if length == 1 {
                break;
            }
            length /= 2;
        }
        for script in 0..program.scripts.len() {
            for line in (0..program.scripts[script].lines.len()).rev() {
                let mut smaller = program.clone();
                smaller.scripts[script].lines.remove(line);
                keep(&mut program, smaller, &fails);
            }
            let mut smaller = program.clone();
            smaller.scripts[script].end = End::Returns;
            keep(&mut program, smaller, &fails);
        }
        if program.far > 0 {
            let mut smaller = program.clone();
            smaller.far -= 1;
            keep(&mut program, smaller, &fails);
        }
        let mut smaller = program.clone();
        smaller.caught = false;
        keep(&mut program, smaller, &fails);
        // Plainer lines.
        for script in 0..program.scripts.len() {
            for line in 0..program.scripts[script].lines.len() {
                for plainer in plainer(&program.scripts[script].lines[line]) {
                    let mut smaller = program.clone();
                    smaller.scripts[script].lines[line] = plainer;
                    keep(&mut program, smaller, &fails);
                }
            }
        }
        for step in 0..program.steps.len() {
            let Step::Do(line) = &program.steps[step] else {
                continue;
            };
            for plainer in plainer(line) {
                let mut smaller = program.clone();
                smaller.steps[step] = Step::Do(plainer);
                keep(&mut program, smaller, &fails);
            }
        }
        // Fewer components.
        for step in 0..program.steps.len() {
            while let Step::Do(Line::Spawn(parts, _)) = &program.steps[step] {
                let mut shorter = None;
                for part in 0..parts.len() {
                    let mut smaller = program.clone();
                    if let Step::Do(Line::Spawn(parts, _)) = &mut smaller.steps[step] {
                        parts.remove(part);
                    }
                    if fails(&smaller) {
                        shorter = Some(smaller);
                        break;
                    }
                }
                match shorter {
                    Some(shorter) => program = shorter,
                    None => break,
                }
            }
        }
        if program == before {
            return program;
        }
    }
}

/// Returns variants of the line, each with one part of its header or its filter removed.
fn plainer(line: &Line) -> Vec<Line> {
    let with_head = |head: Head| -> Option<Line> {
        Some(match line.clone() {
            Line::Post(_, to, what) => Line::Post(head, to, what),
            Line::Letter(_, to, what) => Line::Letter(head, to, what),
            Line::Wire(from, on, _, to, what) => Line::Wire(from, on, head, to, what),
            _ => return None,
        })
    };
    let with_hears = |hears: Hears| -> Option<Line> {
        Some(match line.clone() {
            Line::Subscribe(_) => Line::Subscribe(hears),
            Line::Follow(_, script, owner) => Line::Follow(hears, script, owner),
            Line::Intercept(_, consumes) => Line::Intercept(hears, consumes),
            Line::Overhear(id, _) => Line::Overhear(id, hears),
            _ => return None,
        })
    };
    match *line {
        Line::Post(head, to, what) => {
            let mut all = heads(head, with_head);
            if head.stage >= IMMEDIATE {
                all.push(Line::Send(to, what));
            }
            all
        }
        Line::Letter(head, ..) | Line::Wire(_, _, head, ..) => heads(head, with_head),
        Line::Subscribe(hears)
        | Line::Follow(hears, ..)
        | Line::Intercept(hears, _)
        | Line::Overhear(_, hears) => filters(hears, with_hears),
        _ => Vec::new(),
    }
}

fn heads(head: Head, line: impl Fn(Head) -> Option<Line>) -> Vec<Line> {
    let plainer = [
        Head { tags: 0, ..head },
        Head {
            tie: Tie::No,
            ..head
        },
        Head {
            retains: false,
            ..head
        },
        Head {
            unscaled: false,
            ..head
        },
        Head {
            every: Every::Once,
            ..head
        },
        Head {
            after: After::Now,
            ..head
        },
        Head {
            stage: NO_STAGE,
            ..head
        },
    ];
    plainer.into_iter().filter_map(line).collect()
}

fn filters(hears: Hears, line: impl Fn(Hears) -> Option<Line>) -> Vec<Line> {
    let plainer = [
        Hears {
            from: None,
            ..hears
        },
        Hears { to: None, ..hears },
        Hears { tags: 0, ..hears },
        Hears {
            once: false,
            ..hears
        },
        Hears {
            hidden: false,
            ..hears
        },
        Hears {
            stage: None,
            ..hears
        },
        Hears {
            retained: false,
            ..hears
        },
    ];
    plainer.into_iter().filter_map(line).collect()
}

fn keep(program: &mut Program, smaller: Program, fails: impl Fn(&Program) -> bool) {
    if smaller != *program && fails(&smaller) {
        *program = smaller;
    }
}
