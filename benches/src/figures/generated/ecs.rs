//! The text of a peer's generated program: the same message types, components and handlers, as events,
//! components and functions of an ECS.
//!
//! Each program is written as a user of that library would write it: an event type for each message, a function
//! for each handler, which names the event and the component that it needs, and a list of functions that
//! registers them with the world.

use std::fmt::Write;

use crate::generated::Program;
use crate::generated::source::{factor, parts, path};

/// The syntax of one library.
struct Dialect {
    head: &'static str,
    event: &'static str,
    /// The first field of an event, if it has one.
    target: &'static str,
    id: &'static str,
    add: &'static str,
    /// Spawns an entity with the component of a part.
    spawn: fn(usize) -> String,
    /// The parameters of a handler, and how it accesses its component.
    handler: fn(path: &str, component: usize) -> (String, &'static str, &'static str),
    /// Sends to `id`.
    send: fn(path: &str) -> String,
}

const EVENIO: Dialect = Dialect {
    head: "use evenio::prelude::*;\n",
    event: "TargetedEvent",
    target: "",
    id: "EntityId",
    add: "add_handler",
    spawn: |part| {
        format!("    let id = world.spawn();\n    world.insert(id, C{part}::default());\n")
    },
    handler: |path, component| {
        let parameters = format!("message: Receiver<{path}, &mut C{component}>");
        (parameters, "let it = message.query;", "message.event")
    },
    send: |path| format!("world.send_to(id, {path} {{ count: 1, weight: 0.5 }});"),
};

const BEVY: Dialect = Dialect {
    head: "use bevy_ecs::prelude::*;\n",
    event: "EntityEvent",
    target: "    pub entity: Entity,\n",
    id: "Entity",
    add: "add_observer",
    spawn: |part| format!("    let id = world.spawn(C{part}::default()).id();\n"),
    handler: |path, component| {
        let parameters = format!("message: On<{path}>, mut components: Query<&mut C{component}>");
        let reach = "let Ok(mut it) = components.get_mut(message.entity) else { return };";
        (parameters, reach, "message")
    },
    send: |path| format!("world.trigger({path} {{ entity: id, count: 1, weight: 0.5 }});"),
};

/// Returns the text of `src/main.rs` for evenio.
pub(super) fn evenio(program: &Program) -> String {
    text(&EVENIO, program)
}

/// Returns the text of `src/main.rs` for `bevy_ecs`.
pub(super) fn bevy(program: &Program) -> String {
    text(&BEVY, program)
}

fn text(dialect: &Dialect, program: &Program) -> String {
    let mut text = format!("//! Written by a program.\n\n{}", dialect.head);
    text.push_str(&main(dialect, program));
    for number in 0..program.components {
        // Writing to a string cannot fail.
        let _ = write!(text, "\nmod part{number} {{\nuse super::*;\n");
        text.push_str(&part(dialect, program, number));
        text.push_str("}\n");
    }
    text
}

/// Times the same steps as our programs: a world with all handlers, the first message, another world.
fn main(dialect: &Dialect, program: &Program) -> String {
    let (adds, runs) = (parts(program, "add_handlers"), parts(program, "run"));
    let spawn = (dialect.spawn)(0).replace("C0::", "part0::C0::");
    let send = (dialect.send)("part0::M0");
    let id = dialect.id;
    format!(
        "
type Send = fn(&mut World, {id});

fn world() -> World {{
    let mut world = World::new();
    const ADD: &[fn(&mut World)] = &[{adds}];
    for add_handlers in ADD {{
        add_handlers(&mut world);
    }}
    world
}}

fn main() {{
    let start = std::time::Instant::now();
    let mut world = world();
    let ready = start.elapsed();
{spawn}    {send}
    let sent = start.elapsed();
    let start = std::time::Instant::now();
    let another = self::world();
    let again = start.elapsed();
    drop(another);
    println!(\"{{}} {{}} {{}}\", ready.as_nanos(), sent.as_nanos(), again.as_nanos());
    const PARTS: &[fn(&mut World)] = &[{runs}];
    for run in PARTS {{
        run(&mut world);
    }}
}}
"
    )
}

fn part(dialect: &Dialect, program: &Program, part: usize) -> String {
    let mut text = format!(
        "
#[derive(Component, Default)]
pub struct C{part} {{
    pub sum: u64,
    pub weight: f32,
}}
"
    );
    let (event, target) = (dialect.event, dialect.target);
    let (mut adds, mut sends) = (String::new(), Vec::new());
    for message in (part..program.messages).step_by(program.components) {
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "
#[derive({event})]
pub struct M{message} {{
{target}    pub count: u64,
    pub weight: f32,
}}
"
        );
        if program.sends {
            let (id, send) = (dialect.id, (dialect.send)(&format!("M{message}")));
            let _ = write!(
                text,
                "\nfn send_m{message}(world: &mut World, id: {id}) {{\n    {send}\n}}\n"
            );
            sends.push(format!("send_m{message}"));
        }
    }
    for message in program.handled(part) {
        let (parameters, reach, event) = (dialect.handler)(&path(program, message), part);
        let factor = factor(part, message);
        let _ = write!(
            text,
            "
fn on_m{message}({parameters}) {{
    {reach}
    it.sum = it.sum.wrapping_mul({factor}).wrapping_add({event}.count ^ 1);
    it.weight += {event}.weight;
}}
"
        );
        let _ = writeln!(adds, "    world.{}(on_m{message});", dialect.add);
    }
    let (sends, spawn) = (sends.join(", "), (dialect.spawn)(part));
    let _ = write!(
        text,
        "
pub fn add_handlers(world: &mut World) {{
{adds}}}

pub fn run(world: &mut World) {{
{spawn}    const SENDS: &[Send] = &[{sends}];
    for send in SENDS {{
        send(world, id);
    }}
}}
"
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generated::{Contexts, Style};

    #[test]
    fn a_peer_has_as_many_message_types_and_handlers_as_we_have() {
        for (style, text) in [
            (Style::Evenio, evenio as fn(&Program) -> String),
            (Style::Bevy, bevy),
        ] {
            let program = Program {
                style,
                messages: 5,
                components: 2,
                handlers: 10,
                contexts: Contexts::Half,
                sends: true,
                posted: 0,
                published: 0,
            };
            let text = text(&program);
            assert_eq!(text.matches("Event)]\npub struct M").count(), 5, "{text}");
            assert_eq!(text.matches("\nfn on_m").count(), 10, "{text}");
            assert_eq!(text.matches("(on_m").count(), 10, "{text}");
            assert_eq!(text.matches("\nfn send_m").count(), 5, "{text}");
        }
    }
}
