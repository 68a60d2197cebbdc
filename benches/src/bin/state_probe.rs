//! Counts the heap memory of messagees with four empty components, and prints the bytes for each.
//! `figures` runs it.
//!
//! Run it as `state_probe WORK COUNT`, with one of the works in [`WORKS`]. It is a program of its own because
//! the counting allocator would slow down the measurements of `figures`.

use std::any::Any;
use std::process::ExitCode;

use message_core::Bundle;
use message_core::prelude::*;
use peak_alloc::PeakAlloc;

#[global_allocator]
static HEAP: PeakAlloc = PeakAlloc;

/// Returns the bytes per object for a number of objects.
type Work = fn(usize) -> f64;

const WORKS: &[(&str, Work)] = &[
    ("plain", plain),
    ("with-context", with_context),
    ("replaced", replaced),
    ("boxes", boxes),
    ("columns", columns),
    #[cfg(feature = "peers")]
    ("bevy", bevy),
    #[cfg(feature = "peers")]
    ("hecs", hecs),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let asked = match &*arguments {
        [work, count] => {
            let work = WORKS.iter().find(|(name, _)| name == work);
            work.zip(count.parse().ok().filter(|&count| count > 0))
        }
        _ => None,
    };
    let Some(((_, measure), count)) = asked else {
        eprintln!("expected state_probe WORK COUNT");
        return ExitCode::from(2);
    };
    println!("{}", measure(count));
    ExitCode::SUCCESS
}

#[derive(Message)]
struct Poke;

macro_rules! components {
    ($($name:ident)*) => {
        $(
            #[derive(Clone, Copy)]
            struct $name;

            #[handlers]
            impl $name {
                #[on_receive]
                fn poke(&mut self, _: &Poke) {}
            }
        )*
    };
}

macro_rules! components_with_context {
    ($($name:ident)*) => {
        $(
            #[derive(Clone, Copy)]
            struct $name;

            #[handlers]
            impl $name {
                #[on_receive]
                fn poke(&mut self, _: &Poke, _: &mut Context<'_>) {}
            }
        )*
    };
}

components! { A B C D }
components_with_context! { AndA AndB AndC AndD }

/// Returns the bytes per messagee of a manager whose components never send.
fn plain(count: usize) -> f64 {
    spawned(count, (A, B, C, D))
}

/// Returns the bytes per messagee of a manager whose components may send.
fn with_context(count: usize) -> f64 {
    spawned(count, (AndA, AndB, AndC, AndD))
}

/// Like [`plain`], but after all messagees have been replaced and unused memory has been released.
fn replaced(count: usize) -> f64 {
    drop(MessageManager::new());
    held(count, || {
        let mut manager = MessageManager::new();
        let gone: Vec<MessageeId> = (0..count).map(|_| manager.spawn((A, B, C, D))).collect();
        for id in gone {
            let despawned = manager.despawn(id);
            despawned.expect("it was spawned and has not gone");
        }
        for _ in 0..count {
            manager.spawn((A, B, C, D));
        }
        manager.shrink_to_fit();
        manager
    })
}

fn spawned<B: Bundle + Copy>(count: usize, bundle: B) -> f64 {
    // The first manager creates the registry, which is not counted.
    drop(MessageManager::new());
    held(count, || {
        let mut manager = MessageManager::new();
        for _ in 0..count {
            manager.spawn(bundle);
        }
        manager
    })
}

/// Returns the bytes per object if an object is four boxed components.
fn boxes(count: usize) -> f64 {
    held(count, || {
        let mut objects: Vec<[Box<dyn Any + Send>; 4]> = Vec::new();
        for _ in 0..count {
            objects.push([Box::new(A), Box::new(B), Box::new(C), Box::new(D)]);
        }
        objects
    })
}

/// Returns the bytes per object if every component type has a `Vec` of components and their owners.
fn columns(count: usize) -> f64 {
    held(count, || {
        let mut columns = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for owner in (0_u32..).take(count) {
            columns.0.push((owner, A));
            columns.1.push((owner, B));
            columns.2.push((owner, C));
            columns.3.push((owner, D));
        }
        columns
    })
}

#[cfg(feature = "peers")]
macro_rules! bevy_components {
    ($($name:ident)*) => {
        $(
            impl bevy_ecs::component::Component for $name {
                const STORAGE_TYPE: bevy_ecs::component::StorageType =
                    bevy_ecs::component::StorageType::Table;
                type Mutability = bevy_ecs::component::Mutable;
            }
        )*
    };
}
#[cfg(feature = "peers")]
bevy_components! { A B C D }

/// Returns the bytes per entity of four components in a world of `bevy_ecs`.
#[cfg(feature = "peers")]
fn bevy(count: usize) -> f64 {
    held(count, || {
        let mut world = bevy_ecs::world::World::new();
        for _ in 0..count {
            world.spawn((A, B, C, D));
        }
        world
    })
}

/// Returns the bytes per entity of four components in a world of hecs.
#[cfg(feature = "peers")]
fn hecs(count: usize) -> f64 {
    held(count, || {
        let mut world = hecs::World::new();
        for _ in 0..count {
            world.spawn((A, B, C, D));
        }
        world
    })
}

/// Returns the heap bytes held by the result of `make`, divided by `count`.
#[allow(clippy::cast_precision_loss, reason = "counts far below 2^52")]
fn held<T>(count: usize, make: impl FnOnce() -> T) -> f64 {
    let before = HEAP.current_usage();
    let kept = make();
    let bytes = HEAP.current_usage() - before;
    drop(kept);
    bytes as f64 / count as f64
}
