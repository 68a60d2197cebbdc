//! Programs on which the manager and the model once differed, as they were printed.

use crate::holds;
use crate::program::End::{Consumes, Panics, Returns};
use crate::program::Kind::{Actor, Calm, Quick};
use crate::program::Line::{
    Bind, Despawn, Enable, Follow, Hook, Intercept, Listen, Overhear, Parent, Pause, Post, Scale,
    Send, Spawn, Subscribe, Unbind, Unhook, Unsubscribe, Wire,
};
use crate::program::Step::{Do, Frame, Save, Settle};
use crate::program::To::{All, AllButMe, Bound, DownFrom, Group, Id, Myself, Part, UpFrom};
use crate::program::What::{Act, Note};
use crate::program::{After, Every, Head, Hears, Line, NO_STAGE, Program, Script, Tie};

/// A header with the first stage, and nothing else.
const ONCE: Head = Head {
    stage: 0,
    after: After::Now,
    every: Every::Once,
    unscaled: false,
    tie: Tie::No,
    tags: 0,
    retains: false,
};

fn script(lines: Vec<Line>) -> Script {
    Script {
        lines,
        end: Returns,
    }
}

/// A component that takes messages with `&self` while it runs receives new ones after those kept for it.
// holds: reentrancy.waits-behind-kept
#[test]
fn a_send_to_everyone_waits_behind_what_is_kept_for_a_component() {
    holds(&Program {
        scripts: vec![Script {
            lines: vec![Send(Id(0), Note), Send(All, Act)],
            end: Returns,
        }],
        far: 0,
        caught: false,
        steps: vec![Do(Spawn(vec![(Calm, 0)], None)), Do(Send(Id(0), Act))],
    });
}

// holds: wires.mnemonic-when-sent
#[test]
fn a_wire_fires_for_whom_the_mnemonic_was_bound_to() {
    holds(&Program {
        scripts: vec![Script {
            lines: vec![Unbind(0, 0)],
            end: Returns,
        }],
        far: 0,
        caught: false,
        steps: vec![
            Do(Spawn(vec![(Actor, 0)], None)),
            Do(Bind(0, 0)),
            Do(Wire(0, Act, ONCE, UpFrom(0), Note)),
            Do(Send(Bound(0), Act)),
        ],
    });
}

/// To be hooked comes first; to be disabled is a later change.
// holds: reentrancy.new-hook-disabled
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
        far: 0,
        caught: false,
        steps: vec![Do(Spawn(vec![(Actor, 0)], None)), Do(Send(Id(0), Act))],
    });
}

/// The pending count of a send to a newborn includes components, even those that overhear, but no interceptor.
// holds: send.receipt, overhearing.counts
#[test]
fn neither_interceptors_nor_who_overhears_without_components_will_receive() {
    let hears = Hears { what: Act, ..NOTE };
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
        far: 0,
        caught: false,
        steps: vec![
            Do(Intercept(hears, false)),
            Do(Spawn(vec![(Actor, 0)], None)),
            Do(Spawn(vec![], None)),
            Do(Overhear(1, hears)),
            Do(Send(Id(0), Act)),
        ],
    });
}

const NOTE: Hears = Hears {
    what: Note,
    from: None,
    to: None,
    tags: 0,
    once: false,
    hidden: false,
    stage: None,
    retained: false,
};

/// The component takes an `Act` while it runs, and no `Note`: that one is kept when its send ends. A subscriber
/// sends an `Act` before that.
// holds: reentrancy.waits-behind-kept
#[test]
fn a_send_waits_behind_what_will_be_kept_when_an_earlier_one_ends() {
    holds(&Program {
        scripts: vec![
            Script {
                lines: vec![Send(AllButMe, Act)],
                end: Returns,
            },
            Script {
                lines: vec![Send(UpFrom(1), Note)],
                end: Returns,
            },
        ],
        far: 0,
        caught: false,
        steps: vec![
            Do(Spawn(vec![], None)),
            Do(Spawn(vec![(Calm, 1)], None)),
            Do(Follow(NOTE, 0, Some(0))),
            Do(Send(Id(1), Act)),
        ],
    });
}

/// The message to the newborn is delivered after the subscription takes effect, which was made before it.
// holds: subscriptions.pause-at-once
#[test]
fn a_subscription_that_is_paused_where_it_was_made_hears_nothing() {
    let hears = Hears { what: Act, ..NOTE };
    holds(&Program {
        scripts: vec![
            Script {
                lines: vec![
                    Subscribe(hears),
                    Spawn(vec![(Actor, 1)], None),
                    Send(Id(1), Act),
                    Listen(0, false),
                ],
                end: Returns,
            },
            Script {
                lines: vec![],
                end: Returns,
            },
        ],
        far: 0,
        caught: false,
        steps: vec![
            Do(Spawn(vec![(Actor, 0)], None)),
            Do(Send(Id(0), Act)),
            Do(Listen(0, true)),
            Do(Send(Id(1), Act)),
        ],
    });
}

// holds: messagees.leaving-subscriptions
#[test]
fn a_subscription_of_the_same_dispatch_ends_when_its_owner_is_leaving() {
    let hears = Hears { what: Act, ..NOTE };
    holds(&Program {
        scripts: vec![Script {
            lines: vec![
                Overhear(0, hears),
                Despawn(0, false),
                Listen(0, false),
                Unsubscribe(0),
            ],
            end: Returns,
        }],
        far: 0,
        caught: false,
        steps: vec![Do(Spawn(vec![(Actor, 0)], None)), Do(Send(Id(0), Act))],
    });
}

/// The subscriber is called before the message it hears is kept for the newborn.
// holds: reentrancy.newborn-order
#[test]
fn what_a_subscriber_sends_to_a_newborn_waits_behind_what_it_has_heard() {
    holds(&Program {
        scripts: vec![
            script(vec![
                Spawn(vec![(Calm, 1)], None),
                Parent(0, Some(2)),
                Send(DownFrom(2), Note),
            ]),
            script(vec![Send(DownFrom(2), Note)]),
        ],
        far: 0,
        caught: false,
        steps: vec![
            Do(Spawn(vec![], None)),
            Do(Spawn(vec![(Actor, 0)], None)),
            Do(Follow(NOTE, 1, None)),
            Do(Send(Id(1), Act)),
        ],
    });
}

/// The subscriber consumes the `Note`, so the busy component does not receive it.
// holds: send.break-consumes, reentrancy.waits-behind-kept
#[test]
fn what_was_consumed_is_not_waited_for() {
    holds(&Program {
        scripts: vec![Script {
            lines: vec![Send(AllButMe, Note), Send(AllButMe, Act)],
            end: Consumes,
        }],
        far: 0,
        caught: false,
        steps: vec![
            Do(Spawn(vec![(Calm, 0)], None)),
            Do(Spawn(vec![(Actor, 0), (Actor, 0)], None)),
            Do(Follow(
                Hears {
                    hidden: true,
                    ..NOTE
                },
                0,
                None,
            )),
            Do(Send(Id(1), Act)),
        ],
    });
}

// holds: reentrancy.leaving-skipped
#[test]
fn a_component_that_is_to_come_receives_nothing_if_its_messagee_is_leaving() {
    holds(&Program {
        scripts: vec![
            script(vec![
                Spawn(vec![(Calm, 1), (Calm, 1)], None),
                Despawn(1, false),
                Send(Part(0), Note),
            ]),
            script(vec![]),
        ],
        far: 0,
        caught: false,
        steps: vec![Do(Spawn(vec![(Actor, 0)], None)), Do(Send(Id(0), Act))],
    });
}

/// A subscription with a stage of its own waits for it, after the component that was busy.
#[test]
fn what_a_component_consumes_later_does_not_reach_a_stage() {
    let hears = Hears {
        what: Act,
        stage: Some(1),
        ..NOTE
    };
    holds(&Program {
        scripts: vec![Script {
            lines: vec![Send(UpFrom(0), Act)],
            end: Consumes,
        }],
        far: 0,
        caught: false,
        steps: vec![
            Do(Spawn(vec![(Actor, 0)], None)),
            Do(Subscribe(hears)),
            Do(Send(All, Act)),
            Frame(11),
        ],
    });
}

#[test]
fn a_message_to_a_hook_has_its_addressee_in_its_stage_though_the_component_is_gone() {
    let hears = Hears {
        stage: Some(0),
        ..NOTE
    };
    holds(&Program {
        scripts: vec![script(vec![])],
        far: 0,
        caught: false,
        steps: vec![
            Do(Spawn(vec![(Calm, 0), (Calm, 0)], None)),
            Do(Follow(hears, 0, None)),
            Do(Send(Part(0), Note)),
            Do(Unhook(0)),
            Frame(29),
        ],
    });
}

#[test]
fn a_subscription_that_ends_before_the_send_will_not_receive_in_its_stage() {
    let staged = Hears {
        stage: Some(2),
        ..NOTE
    };
    holds(&Program {
        scripts: vec![script(vec![Unsubscribe(0)])],
        far: 0,
        caught: false,
        steps: vec![
            Do(Spawn(vec![], None)),
            Do(Follow(staged, 0, None)),
            Do(Follow(NOTE, 0, None)),
            Do(Send(DownFrom(0), Note)),
        ],
    });
}

#[test]
fn a_pause_of_the_time_carries_out_first_what_a_panic_has_left() {
    holds(&Program {
        scripts: vec![Script {
            lines: vec![Send(Myself, Act)],
            end: Panics,
        }],
        far: 0,
        caught: true,
        steps: vec![
            Do(Spawn(vec![(Actor, 0)], None)),
            Do(Send(Id(0), Act)),
            Do(Pause(false)),
            Do(Scale(50)),
        ],
    });
}

/// The message kept for both is with the first one when the second one could receive it.
#[test]
fn after_a_panic_a_message_that_is_kept_for_two_comes_to_one_after_the_other() {
    holds(&Program {
        scripts: vec![Script {
            lines: vec![Send(Myself, Act)],
            end: Panics,
        }],
        far: 0,
        caught: true,
        steps: vec![
            Do(Spawn(vec![(Actor, 0), (Actor, 0)], None)),
            Do(Send(UpFrom(0), Act)),
            Frame(17),
            Settle,
            Settle,
        ],
    });
}

/// A new subscription that overhears: a message retained meanwhile is received anew.
#[test]
fn what_was_retained_in_the_same_dispatch_is_overheard() {
    let head = Head {
        stage: NO_STAGE,
        retains: true,
        ..ONCE
    };
    let hears = Hears {
        what: Act,
        retained: true,
        ..NOTE
    };
    holds(&Program {
        scripts: vec![
            script(vec![Overhear(0, hears), Send(AllButMe, Act)]),
            script(vec![Post(head, UpFrom(1), Act)]),
        ],
        far: 0,
        caught: false,
        steps: vec![
            Do(Spawn(vec![(Actor, 0)], None)),
            Do(Spawn(vec![], None)),
            Do(Spawn(vec![(Calm, 1)], None)),
            Do(Overhear(
                0,
                Hears {
                    retained: false,
                    ..hears
                },
            )),
            Do(Send(Group(1), Act)),
        ],
    });
}

/// The mnemonic refers to its binding when the message was sent, even if a receiver unbinds it.
#[test]
fn a_filter_that_asks_for_a_mnemonic_hears_what_was_sent_to_it() {
    let hears = Hears {
        what: Act,
        to: Some(Bound(0)),
        ..NOTE
    };
    holds(&Program {
        scripts: vec![script(vec![Unbind(0, 0)])],
        far: 0,
        caught: false,
        steps: vec![
            Do(Spawn(vec![(Actor, 0)], None)),
            Do(Bind(0, 0)),
            Do(Subscribe(hears)),
            Do(Send(Bound(0), Act)),
        ],
    });
}

#[test]
fn what_was_consumed_before_a_save_is_not_received_in_its_stage() {
    let hears = Hears {
        what: Act,
        stage: Some(1),
        ..NOTE
    };
    holds(&Program {
        scripts: vec![Script {
            lines: vec![Send(Id(0), Act)],
            end: Consumes,
        }],
        far: 0,
        caught: false,
        steps: vec![
            Do(Spawn(vec![(Actor, 0)], None)),
            Do(Spawn(vec![(Quick, 0)], None)),
            Do(Overhear(1, hears)),
            Do(Send(Id(0), Act)),
            Save,
            Frame(23),
        ],
    });
}

#[test]
fn a_restored_messagee_with_many_components_is_despawned_as_before() {
    holds(&Program {
        scripts: vec![script(vec![Hook(5, Actor, 0)]), script(vec![])],
        far: 0,
        caught: false,
        steps: vec![
            Do(Spawn(vec![(Calm, 0)], None)),
            Do(Hook(1, Calm, 0)),
            Do(Send(Id(10), Act)),
            Do(Send(All, Act)),
            Do(Spawn(vec![(Calm, 0)], Some(0))),
            Do(Send(All, Act)),
            Do(Send(Id(10), Act)),
            Save,
            Do(Despawn(6, false)),
        ],
    });
}

/// The first pass of `FixedUpdate` comes in the second frame, and finds what was published before the first.
// holds: mail.fixed-once
#[test]
fn a_handler_in_the_first_fixed_pass_finds_what_was_published_frames_ago() {
    let head = Head { stage: 3, ..ONCE };
    holds(&Program {
        scripts: vec![script(vec![Line::Read(0, true)])],
        far: 0,
        caught: false,
        steps: vec![
            Do(Spawn(vec![(Actor, 0)], None)),
            Do(Line::Publish(Id(0))),
            Frame(6),
            Do(Post(head, All, Act)),
            Frame(4),
        ],
    });
}

// holds: required.lost-whole, required.not-received
#[test]
fn what_waits_for_a_newborn_and_is_consumed_unseen_has_too_few_receivers() {
    holds(&Program {
        scripts: vec![
            Script {
                lines: vec![],
                end: Returns,
            },
            Script {
                lines: vec![],
                end: Returns,
            },
            Script {
                lines: vec![],
                end: Returns,
            },
            Script {
                lines: vec![
                    Intercept(
                        Hears {
                            what: Act,
                            from: None,
                            to: None,
                            tags: 0,
                            once: true,
                            hidden: true,
                            stage: None,
                            retained: false,
                        },
                        true,
                    ),
                    Spawn(vec![(Actor, 0), (Actor, 3)], None),
                    Post(
                        Head {
                            stage: 5,
                            after: After::Now,
                            every: Every::Once,
                            unscaled: false,
                            tie: Tie::Require,
                            tags: 0,
                            retains: true,
                        },
                        UpFrom(3),
                        Act,
                    ),
                ],
                end: Returns,
            },
            Script {
                lines: vec![],
                end: Returns,
            },
        ],
        far: 0,
        caught: false,
        steps: vec![
            Do(Spawn(vec![(Actor, 3)], None)),
            Do(Send(DownFrom(5), Act)),
        ],
    });
}

/// The first of three is still in its stage when the last finds no receiver.
// holds: required.not-received
#[test]
fn the_last_of_a_repeating_message_is_not_the_one_that_waits_for_a_stage() {
    let head = Head {
        stage: 5,
        every: Every::Milliseconds(5, 3),
        tie: Tie::Require,
        ..ONCE
    };
    let hears = Hears {
        what: Act,
        from: None,
        to: None,
        tags: 0,
        once: true,
        hidden: false,
        stage: Some(0),
        retained: false,
    };
    holds(&Program {
        scripts: vec![script(vec![]), script(vec![])],
        far: 0,
        caught: false,
        steps: vec![
            Do(Spawn(vec![(Actor, 1)], None)),
            Do(Line::Letter(head, Group(0), Act)),
            Do(Overhear(9, hears)),
            Frame(15),
            Frame(24),
        ],
    });
}
