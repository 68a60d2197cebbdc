//! A failing program is made smaller as long as it fails.

use crate::program::{End, Line, Program, Step};

/// The smallest program that is found by taking steps and lines away, one after the other, and still fails.
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

fn keep(program: &mut Program, smaller: Program, fails: impl Fn(&Program) -> bool) {
    if smaller != *program && fails(&smaller) {
        *program = smaller;
    }
}
