//! The text of a generated program.
//!
//! As in a hand-written program, the items are in modules: each component with its handlers and
//! some of the message types. Every handler does about the same amount of work, with a number of its own
//! in it, so that the compiler cannot merge two of them.
//!
//! `main` measures and prints, in nanoseconds: the time from its beginning until the first manager was ready and
//! until the first message was delivered, and the time that a second manager took.

use std::fmt::Write;

use crate::generated::{Program, Style, ecs};

/// Returns the text of `src/main.rs`.
pub(crate) fn text(program: &Program) -> String {
    let head = match program.style {
        Style::Macros => "use message_core::prelude::*;\n",
        Style::ByHand => {
            "use message_core::prelude::*;\n\
             use message_core::{NoReply, Receives, Registry, RegistryBuilder, handler::{Exclusive, HandlerSpec, Outcome}, registry::Place};\n"
        }
        Style::Plain => "use std::hint::black_box;\n",
        Style::Evenio => return ecs::evenio(program),
        Style::Bevy => return ecs::bevy(program),
    };
    let mut text = format!("//! Written by a program.\n\n{head}");
    let main = if program.style == Style::Plain {
        plain_main(program)
    } else {
        managed_main(program)
    };
    text.push_str(&main);
    for part in 0..program.components {
        // Writing to a string cannot fail.
        let _ = write!(text, "\nmod part{part} {{\nuse super::*;\n");
        let messages = (part..program.messages).step_by(program.components);
        for message in messages {
            text.push_str(&declare_message(program.style, message));
        }
        text.push_str(&declare_component(program, part));
        text.push_str(&functions(program, part));
        text.push_str("}\n");
    }
    text
}

/// Returns the path of a message type.
pub(super) fn path(program: &Program, message: usize) -> String {
    format!("crate::part{}::M{message}", message % program.components)
}

/// Returns the number that is unique to a handler.
pub(super) fn factor(component: usize, message: usize) -> usize {
    2 * (component + 1_000 * message) + 3
}

fn declare_message(style: Style, number: usize) -> String {
    let derive = match style {
        Style::Macros => "#[derive(Message)]\n",
        _ => "",
    };
    let implementation = match style {
        Style::ByHand => format!(
            "
impl Message for M{number} {{
    type Reply = NoReply;
    const NAME: &'static str = \"generated::M{number}\";
}}
"
        ),
        _ => String::new(),
    };
    format!(
        "
{derive}pub struct M{number} {{
    pub count: u64,
    pub weight: f32,
}}
{implementation}"
    )
}

fn declare_component(program: &Program, component: usize) -> String {
    let context = program.takes_context(component) && program.style != Style::Plain;
    let (block, method) = match program.style {
        Style::Macros => ("#[handlers]\n", "    #[on_receive]\n"),
        _ => ("", ""),
    };
    let (parameter, own) = if context {
        (", cx: &mut Context<'_>", "u64::from(cx.is_from_me())")
    } else {
        ("", "1")
    };
    let mut methods = String::new();
    let mut written_out = String::new();
    for message in program.handled(component) {
        let path = path(program, message);
        let factor = factor(component, message);
        // Writing to a string cannot fail.
        let _ = write!(
            methods,
            "{method}    pub fn on_m{message}(&mut self, message: &{path}{parameter}) {{
        self.sum = self.sum.wrapping_mul({factor}).wrapping_add(message.count ^ {own});
        self.weight += message.weight;
    }}
"
        );
        let implementation = match program.style {
            Style::ByHand => receives(component, message, &path, context),
            Style::Plain => handle(component, message, &path),
            _ => String::new(),
        };
        written_out.push_str(&implementation);
    }
    if !methods.is_empty() {
        methods = format!("\n{block}impl C{component} {{\n{methods}}}\n");
    }
    format!(
        "
#[derive(Default)]
pub struct C{component} {{
    pub sum: u64,
    pub weight: f32,
}}
{methods}{written_out}"
    )
}

/// Returns the code that `#[handlers]` would have generated, in terms of the public interface.
fn receives(component: usize, message: usize, path: &str, context: bool) -> String {
    let (parameter, argument) = if context {
        ("context", ", context")
    } else {
        ("_context", "")
    };
    format!(
        "
impl Receives<{path}> for C{component} {{
    type Access = Exclusive;
    const HANDLER: HandlerSpec = HandlerSpec::new(
        \"on_m{message}\",
        0,
        {context},
        Place {{ file: file!(), line: line!() }},
    );

    #[inline]
    fn receive(
        this: &mut Self,
        message: &mut {path},
        {parameter}: &mut Context<'_>,
    ) -> Outcome<NoReply> {{
        this.on_m{message}(message{argument});
        Outcome::Received
    }}
}}
"
    )
}

/// Returns the method behind the plain program's trait.
fn handle(component: usize, message: usize, path: &str) -> String {
    format!(
        "
impl Handle<{path}> for C{component} {{
    fn handle(&mut self, message: &{path}) {{
        self.on_m{message}(message);
    }}
}}
"
    )
}

/// Returns the functions that use the items declared in a part: one for its component, and one for each
/// of its messages or, in the plain program, for each of its handlers.
fn functions(program: &Program, part: usize) -> String {
    let mut text = String::new();
    let mut names = Vec::new();
    let mut function = |name: String, body: String| {
        // Writing to a string cannot fail.
        let _ = write!(text, "\nfn {name}{body}\n");
        names.push(name);
    };
    if program.style == Style::Plain {
        for message in program.handled(part) {
            let path = path(program, message);
            let body = format!(
                "(object: &mut C{part}) {{
    let object: &mut dyn Handle<{path}> = object;
    black_box(object).handle(&{path} {{ count: 1, weight: 0.5 }});
}}"
            );
            function(format!("call_m{message}"), body);
        }
        for message in (part..program.messages).step_by(program.components) {
            let body = format!(
                "(_: &mut C{part}) {{
    black_box(M{message} {{ count: 1, weight: 0.5 }});
}}"
            );
            function(format!("make_m{message}"), body);
        }
    } else if program.sends {
        for message in (part..program.messages).step_by(program.components) {
            let made = format!("M{message} {{ count: 1, weight: 0.5 }}");
            let mut calls = format!("    manager.send(id, {made})?;\n");
            if message < program.posted {
                // Writing to a string cannot fail.
                let _ = writeln!(
                    calls,
                    "    manager.post(Header::to(id).after_frames(1), {made})?;"
                );
            }
            if message < program.published {
                let _ = writeln!(calls, "    manager.publish(id, {made})?;");
            }
            let body = format!(
                "(manager: &mut MessageManager, id: MessageeId) -> Result<(), SendError> {{
{calls}    Ok(())
}}"
            );
            function(format!("send_m{message}"), body);
        }
    }
    let names = names.join(", ");
    let run = match program.style {
        Style::Plain => format!(
            "
pub fn run() {{
    let mut component = black_box(C{part}::default());
    const CALLS: &[fn(&mut C{part})] = &[{names}];
    for call in CALLS {{
        black_box(call)(&mut component);
    }}
}}
"
        ),
        _ => format!(
            "
pub fn run(manager: &mut MessageManager) -> Result<(), SendError> {{
    let id = manager.spawn((C{part}::default(),));
    const SENDS: &[Send] = &[{names}];
    for send in SENDS {{
        send(manager, id)?;
    }}
    Ok(())
}}
"
        ),
    };
    text.push_str(&run);
    if program.style == Style::ByHand {
        text.push_str(&register(program, part));
    }
    text
}

/// Returns a function that registers a part's messages and handlers.
fn register(program: &Program, part: usize) -> String {
    let mut entries = String::new();
    for message in (part..program.messages).step_by(program.components) {
        // Writing to a string cannot fail.
        let _ = write!(entries, "\n        .message::<M{message}>()");
    }
    for message in program.handled(part) {
        let path = path(program, message);
        let _ = write!(entries, "\n        .handler::<C{part}, {path}>()");
    }
    format!(
        "
pub fn register(builder: RegistryBuilder) -> RegistryBuilder {{
    builder{entries}
}}
"
    )
}

fn managed_main(program: &Program) -> String {
    let parts = parts(program, "run");
    let register = match program.style {
        Style::ByHand => {
            let parts = self::parts(program, "register");
            format!(
                "    const REGISTERS: &[fn(RegistryBuilder) -> RegistryBuilder] = &[{parts}];
    let builder = Registry::builder();
    REGISTERS.iter().fold(builder, |builder, register| register(builder)).publish()?;
"
            )
        }
        _ => String::new(),
    };
    format!(
        "
type Send = fn(&mut MessageManager, MessageeId) -> Result<(), SendError>;

fn main() -> Result<(), Box<dyn std::error::Error>> {{
    let start = std::time::Instant::now();
{register}    let mut manager = MessageManager::new();
    let ready = start.elapsed();
    let id = manager.spawn((part0::C0::default(),));
    manager.send(id, part0::M0 {{ count: 1, weight: 0.5 }})?;
    let sent = start.elapsed();
    let start = std::time::Instant::now();
    let another = MessageManager::new();
    let again = start.elapsed();
    drop(another);
    println!(\"{{}} {{}} {{}}\", ready.as_nanos(), sent.as_nanos(), again.as_nanos());
    const PARTS: &[fn(&mut MessageManager) -> Result<(), SendError>] = &[{parts}];
    for run in PARTS {{
        run(&mut manager)?;
    }}
    Ok(())
}}
"
    )
}

fn plain_main(program: &Program) -> String {
    let parts = parts(program, "run");
    format!(
        "
pub trait Handle<M> {{
    fn handle(&mut self, message: &M);
}}

fn main() {{
    let start = std::time::Instant::now();
    let ready = start.elapsed();
    let mut component = black_box(part0::C0::default());
    component.weight += black_box(part0::M0 {{ count: 1, weight: 0.5 }}).weight;
    let sent = start.elapsed();
    println!(\"{{}} {{}} 0\", ready.as_nanos(), sent.as_nanos());
    const PARTS: &[fn()] = &[{parts}];
    for run in PARTS {{
        black_box(run)();
    }}
}}
"
    )
}

/// Returns the functions of that name, of all parts.
pub(super) fn parts(program: &Program, function: &str) -> String {
    let parts = (0..program.components).map(|part| format!("part{part}::{function}"));
    parts.collect::<Vec<String>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generated::Contexts;

    fn program(style: Style) -> Program {
        Program {
            style,
            messages: 5,
            components: 2,
            handlers: 10,
            contexts: Contexts::Half,
            sends: true,
            posted: 0,
            published: 0,
        }
    }

    fn count(style: Style, pattern: &str) -> usize {
        text(&program(style)).matches(pattern).count()
    }

    #[test]
    fn there_are_as_many_message_types_and_handlers_as_asked_for() {
        assert_eq!(count(Style::Macros, "#[derive(Message)]"), 5);
        assert_eq!(count(Style::Macros, "#[on_receive]"), 10);
        assert_eq!(count(Style::Macros, "#[handlers]"), 2);
        assert_eq!(count(Style::ByHand, "impl Message for"), 5);
        assert_eq!(count(Style::ByHand, "impl Receives<"), 10);
        assert_eq!(count(Style::ByHand, ".handler::<"), 10);
        assert_eq!(count(Style::ByHand, ".message::<"), 5);
        assert_eq!(count(Style::Plain, "impl Handle<"), 10);
        assert_eq!(count(Style::Plain, ".handle(&"), 10);
    }

    #[test]
    fn every_message_is_sent_in_one_function_besides_the_first() {
        assert_eq!(count(Style::Macros, "manager.send(id, "), 6);
        assert_eq!(count(Style::ByHand, "manager.send(id, "), 6);
        assert_eq!(count(Style::Plain, "fn make_m"), 5);
        let silent = Program {
            sends: false,
            ..program(Style::Macros)
        };
        assert_eq!(text(&silent).matches("manager.send(id, ").count(), 1);
    }

    #[test]
    fn as_many_of_the_messages_as_asked_for_are_posted_and_published_too() {
        let program = Program {
            posted: 3,
            published: 1,
            ..program(Style::Macros)
        };
        let text = text(&program);
        assert_eq!(text.matches("manager.send(id, ").count(), 6);
        assert_eq!(text.matches("manager.post(").count(), 3);
        assert_eq!(text.matches("manager.publish(").count(), 1);
    }

    #[test]
    fn handlers_of_every_other_component_take_a_context() {
        assert_eq!(count(Style::Macros, "cx: &mut Context<'_>"), 5);
        assert_eq!(count(Style::ByHand, "        true,\n"), 5);
        assert_eq!(count(Style::Plain, "Context"), 0);
    }

    #[test]
    fn no_component_handles_a_message_twice() {
        let program = Program {
            messages: 7,
            components: 3,
            handlers: 20,
            ..program(Style::Macros)
        };
        let mut handlers = 0;
        for component in 0..program.components {
            let mut handled: Vec<usize> = program.handled(component).collect();
            let all = handled.len();
            handled.sort_unstable();
            handled.dedup();
            assert_eq!(handled.len(), all);
            handlers += all;
        }
        assert_eq!(handlers, 20);
    }

    #[test]
    fn a_program_of_any_number_of_types_has_two_handlers_for_each_in_different_components() {
        for types in [1, 2, 9, 10, 21, 100, 500] {
            let program = Program::of_types(Style::Macros, types);
            let most = program.handlers.div_ceil(program.components);
            assert!(
                most <= types,
                "{types} types: {most} handlers on a component"
            );
            assert_eq!(program.handlers, 2 * types);
        }
        assert_eq!(Program::of_types(Style::Macros, 500).components, 100);
    }

    #[test]
    fn a_program_without_handlers_has_no_empty_block() {
        let program = Program {
            handlers: 0,
            ..program(Style::Macros)
        };
        assert_eq!(text(&program).matches("#[handlers]").count(), 0);
        assert_eq!(text(&program).matches("struct C").count(), 2);
    }
}
