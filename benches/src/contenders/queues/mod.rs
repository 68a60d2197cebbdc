//! W5 with queues from the standard library and from published crates.
//!
//! Only the queues differ: messages that are due hit a `Vec` of components, as in the floor.

mod by_frame;
mod harness;
mod heaps;
mod plain;
mod radix;
mod wheel;

use crate::compare::{Contender, Workload};

pub(super) fn contenders() -> Vec<Contender> {
    let one = Contender::new;
    let posts = |name, prepare| one(Workload::W5, name, prepare);
    let cancels = |name, prepare| one(Workload::W5Cancel, name, prepare);
    vec![
        posts(
            "peer plain: ring of one Vec, made anew",
            plain::prepare_ring,
        ),
        posts(
            "peer std: BTreeMap<frame, Vec>",
            harness::prepare::<by_frame::ByFrame>,
        ),
        posts("peer std: BinaryHeap", harness::prepare::<heaps::Binary>),
        posts(
            "peer dary_heap: QuaternaryHeap",
            harness::prepare::<heaps::Quaternary>,
        ),
        posts(
            "peer radix-heap: RadixHeapMap",
            harness::prepare::<radix::Radix>,
        ),
        posts(
            "peer hierarchical_hash_wheel_timer: QuadWheel",
            harness::prepare::<wheel::Wheel>,
        ),
        cancels(
            "peer std: BTreeMap<frame, Vec<Option>>",
            harness::prepare_with_cancel::<by_frame::ByFrameWithCancel>,
        ),
        cancels(
            "peer std: BinaryHeap, skips cancelled",
            harness::prepare_with_cancel::<heaps::BinaryWithCancel>,
        ),
        cancels(
            "peer hierarchical_hash_wheel_timer: cancellable",
            harness::prepare_with_cancel::<wheel::WheelWithCancel>,
        ),
        one(
            Workload::W6,
            "peer plain: one Vec, read in one pass",
            plain::prepare_mail,
        ),
    ]
}
