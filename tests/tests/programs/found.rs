//! Programs on which the manager and the model once differed, as they were printed.

use crate::holds;
use crate::program::Kind::{Actor, Calm};
use crate::program::Line::{Bind, Enable, Hook, Intercept, Overhear, Send, Spawn, Unbind, Wire};
use crate::program::Step::Do;
use crate::program::To::{All, Bound, Id, Part, UpFrom};
use crate::program::What::{Act, Note};
use crate::program::{After, End::Returns, Every, Head, Hears, Program, Script, Tie};

/// A component that takes messages with `&self` while it runs waits behind what is kept for it.
#[test]
fn a_send_to_everyone_waits_behind_what_is_kept_for_a_component() {
    holds(&Program {
        scripts: vec![Script {
            lines: vec![Send(Id(0), Note), Send(All, Act)],
            end: Returns,
        }],
        steps: vec![Do(Spawn(vec![(Calm, 0)], None)), Do(Send(Id(0), Act))],
    });
}

#[test]
fn a_wire_fires_for_whom_the_mnemonic_was_bound_to() {
    let head = Head {
        stage: 0,
        after: After::Now,
        every: Every::Once,
        unscaled: false,
        tie: Tie::No,
    };
    holds(&Program {
        scripts: vec![Script {
            lines: vec![Unbind(0, 0)],
            end: Returns,
        }],
        steps: vec![
            Do(Spawn(vec![(Actor, 0)], None)),
            Do(Bind(0, 0)),
            Do(Wire(0, Act, head, UpFrom(0), Note)),
            Do(Send(Bound(0), Act)),
        ],
    });
}

/// To be hooked comes first; to be disabled is a later change.
#[test]
fn what_waits_for_a_new_component_comes_before_its_disabling() {
    holds(&Program {
        scripts: vec![
            Script {
                lines: vec![Hook(0, Calm, 1), Enable(0, false), Send(Part(0), Note)],
                end: Returns,
            },
            Script {
                lines: vec![],
                end: Returns,
            },
        ],
        steps: vec![Do(Spawn(vec![(Actor, 0)], None)), Do(Send(Id(0), Act))],
    });
}

/// What a send to a newborn will come to counts components, those that overhear too, and no interceptor.
#[test]
fn neither_interceptors_nor_who_overhears_without_components_will_receive() {
    let hears = Hears {
        what: Act,
        from: None,
        to: None,
        once: false,
        hidden: false,
    };
    holds(&Program {
        scripts: vec![
            Script {
                lines: vec![Spawn(vec![(Calm, 1)], None), Send(UpFrom(2), Act)],
                end: Returns,
            },
            Script {
                lines: vec![],
                end: Returns,
            },
        ],
        steps: vec![
            Do(Intercept(hears, false)),
            Do(Spawn(vec![(Actor, 0)], None)),
            Do(Spawn(vec![], None)),
            Do(Overhear(1, hears)),
            Do(Send(Id(0), Act)),
        ],
    });
}
