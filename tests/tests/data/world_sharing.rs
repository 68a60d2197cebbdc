//! Messagees share what their templates say: the result is the same as when everything is written out.

use message_core::prelude::*;
use message_data::{Data, DataError, WorldFile, WorldOptions};
use serde::{Deserialize, Serialize};

use crate::world_files::{picture, read, world};

/// A generator of numbers that is always the same.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits fit") % end
    }
}

/// A component of a kind, by the fields that were given. The kinds are two types.
#[derive(Clone, Debug)]
struct Component {
    ty: &'static str,
    fields: Vec<(&'static str, String)>,
    disabled: bool,
}

impl Component {
    fn text(&self) -> String {
        let fields: Vec<String> = self
            .fields
            .iter()
            .map(|(name, value)| format!("{name}: {value}"))
            .collect();
        format!("{}({})", self.ty, fields.join(", "))
    }

    fn put_on(&mut self, fields: &[(&'static str, String)]) {
        for (name, value) in fields {
            match self.fields.iter_mut().find(|(own, _)| own == name) {
                Some((_, own)) => own.clone_from(value),
                None => self.fields.push((name, value.clone())),
            }
        }
    }
}

const TYPES: [(&str, &[&str]); 2] = [
    ("Stamina", &["now", "max", "scale"]),
    ("Temper", &["friends"]),
];

fn fields(dice: &mut Dice, ty: usize) -> Vec<(&'static str, String)> {
    let mut fields = Vec::new();
    for name in TYPES[ty].1 {
        if dice.below(2) == 0 {
            let value = match *name {
                "friends" => format!("[\"m{}\"]", dice.below(3)),
                _ => dice.below(100).to_string(),
            };
            fields.push((*name, value));
        }
    }
    fields
}

/// The full contents of a messagee or a template, and the templates they come from.
#[derive(Clone, Debug, Default)]
struct Whole {
    components: Vec<Component>,
    groups: Vec<&'static str>,
    wires: Vec<String>,
    bases: Vec<usize>,
}

impl Whole {
    fn text(&self) -> String {
        let components: Vec<String> = self.components.iter().map(Component::text).collect();
        let mut disabled = Vec::new();
        for (at, component) in self.components.iter().enumerate() {
            if component.disabled {
                let same = self.components[..=at]
                    .iter()
                    .filter(|it| it.ty == component.ty);
                disabled.push(format!("(\"{}\", {})", component.ty, same.count()));
            }
        }
        let groups: Vec<String> = self.groups.iter().map(|it| format!("{it:?}")).collect();
        format!(
            "components: [{}], disabled: [{}], groups: [{}], wires: [{}]",
            components.join(", "),
            disabled.join(", "),
            groups.join(", "),
            self.wires.join(", ")
        )
    }
}

/// Returns a messagee's own text, and its full contents with the templates before it.
fn somebody(dice: &mut Dice, templates: &[Whole]) -> (String, Whole) {
    let mut whole = Whole::default();
    let mut from = Vec::new();
    for _ in 0..dice.below(4) {
        if templates.is_empty() {
            break;
        }
        let at = dice.below(templates.len());
        let base = &templates[at];
        if base.bases.iter().any(|it| whole.bases.contains(it)) {
            continue;
        }
        from.push(format!("\"t{at}\""));
        whole.components.extend(base.components.iter().cloned());
        whole.wires.extend(base.wires.iter().cloned());
        whole.bases.extend(&base.bases);
        for group in &base.groups {
            if !whole.groups.contains(group) {
                whole.groups.push(group);
            }
        }
    }
    let mut components = Vec::new();
    for _ in 0..dice.below(3) {
        let ty = dice.below(2);
        let component = Component {
            ty: TYPES[ty].0,
            fields: fields(dice, ty),
            disabled: false,
        };
        components.push(component.text());
        whole.components.push(component);
    }
    let mut overrides = Vec::new();
    for _ in 0..dice.below(4) {
        let ty = dice.below(2);
        let of_type = whole
            .components
            .iter_mut()
            .filter(|it| it.ty == TYPES[ty].0);
        if let [one] = &mut of_type.collect::<Vec<_>>()[..] {
            let (ty, fields) = (one.ty, fields(dice, ty));
            one.put_on(&fields);
            let disabled = false;
            overrides.push(
                Component {
                    ty,
                    fields,
                    disabled,
                }
                .text(),
            );
        }
    }
    let mut disabled = Vec::new();
    if !whole.components.is_empty() && dice.below(2) == 0 {
        let at = dice.below(whole.components.len());
        let ty = whole.components[at].ty;
        let number = whole.components[..=at]
            .iter()
            .filter(|it| it.ty == ty)
            .count();
        disabled.push(format!("(\"{ty}\", {number})"));
        whole.components[at].disabled = true;
    }
    let mut groups = Vec::new();
    if dice.below(3) == 0 {
        let group = ["Guards", "Thieves"][dice.below(2)];
        groups.push(format!("{group:?}"));
        if !whole.groups.contains(&group) {
            whole.groups.push(group);
        }
    }
    let mut wires = Vec::new();
    for _ in 0..dice.below(2) {
        let wire = format!(
            "(on: Wake, to: Me, send: Greet(whom: \"m1\", times: {}))",
            dice.below(9)
        );
        wires.push(wire.clone());
        whole.wires.push(wire);
    }
    let text = format!(
        "from: [{}], components: [{}], overrides: [{}], disabled: [{}], groups: [{}], wires: [{}]",
        from.join(", "),
        components.join(", "),
        overrides.join(", "),
        disabled.join(", "),
        groups.join(", "),
        wires.join(", ")
    );
    (text, whole)
}

fn instanced(file: &WorldFile, text: &str) -> MessageManager {
    let mut manager = MessageManager::new();
    if let Err(error) = file.instantiate(&mut manager) {
        panic!("{error}\n{text}");
    }
    manager
}

// holds: world-files.templates
#[test]
fn random_templates_come_to_the_same_as_when_they_are_written_out() {
    let mut dice = Dice(11);
    for _ in 0..300 {
        let mut templates: Vec<Whole> = Vec::new();
        let mut texts = Vec::new();
        for at in 0..dice.below(8) {
            let (text, mut whole) = somebody(&mut dice, &templates);
            whole.bases.push(at);
            texts.push(format!("\"t{at}\": ({text})"));
            templates.push(whole);
        }
        // A template can be made from one that comes later in the file.
        for at in (1..texts.len()).rev() {
            texts.swap(at, dice.below(at + 1));
        }
        let (mut shared, mut written_out) = (Vec::new(), Vec::new());
        for at in 0..3 {
            let (text, whole) = somebody(&mut dice, &templates);
            shared.push(format!("(name: \"m{at}\", {text})"));
            written_out.push(format!("(name: \"m{at}\", {})", whole.text()));
        }
        let shared = world(&format!(
            "templates: {{{}}}, messagees: [{}]",
            texts.join(", "),
            shared.join(", ")
        ));
        let written_out = world(&format!("messagees: [{}]", written_out.join(", ")));
        let a = instanced(&read(&shared), &shared);
        let b = instanced(&read(&written_out), &written_out);
        assert_eq!(picture(&a), picture(&b), "{shared}\n{written_out}");
        // A template alone, too.
        for (at, whole) in templates.iter().enumerate() {
            let name = format!("t{at}");
            let alone = world(&format!(
                "templates: {{{name:?}: ({})}}, messagees: [(name: \"m0\"), (name: \"m1\"), (name: \"m2\")]",
                whole.text()
            ));
            let [mut a, mut b] = [(); 2].map(|()| {
                let mut manager = MessageManager::new();
                for name in ["m0", "m1", "m2"] {
                    manager.spawn_named(name, ());
                }
                manager
            });
            let made = read(&shared).instantiate_template(&mut a, &name, "it");
            made.unwrap_or_else(|error| panic!("{error}\n{shared}"));
            let made = read(&alone).instantiate_template(&mut b, &name, "it");
            made.unwrap_or_else(|error| panic!("{error}\n{alone}"));
            assert_eq!(picture(&a), picture(&b), "{name} of {shared}\n{alone}");
        }
    }
}

// holds: world-files.templates-bounded
#[test]
fn a_messagee_is_made_from_a_bounded_number_of_templates() {
    let many: Vec<String> = (0..101).map(|at| format!("\"t{at}\"")).collect();
    let templates: Vec<String> = many.iter().map(|name| format!("{name}: ()")).collect();
    let templates = templates.join(", ");
    let text = |count: usize| {
        world(&format!(
            "templates: {{{templates}}}, messagees: [(name: \"a\", from: [{}])]",
            many[..count].join(", ")
        ))
    };
    assert!(WorldFile::parse(&text(100)).is_ok());
    let error = WorldFile::parse(&text(101)).expect_err("they are too many");
    let expected = "there are 101 templates up to `t100`: expected at most 100 for one messagee";
    assert!(error.to_string().ends_with(expected), "{error}");
}

// holds: world-files.mistakes-bounded
#[test]
fn the_first_mistakes_of_the_text_are_reported_and_how_many_more_there_are() {
    let messagees: Vec<String> = (0..250)
        .map(|at| format!("(name: \"m{at}\", parent: \"x\", components: [Weight(-1)]),\n"))
        .collect();
    let text = world(&format!("messagees: [\n{}]", messagees.concat()));
    let error = WorldFile::parse(&text).expect_err("it has mistakes");
    assert_eq!((error.errors().len(), error.more()), (100, 400));
    let lines: Vec<u32> = error.errors().iter().filter_map(DataError::line).collect();
    assert_eq!((lines[0], lines[1], lines[99]), (2, 2, 51));
    assert!(lines.is_sorted());
    assert!(error.to_string().ends_with("\nand 400 more mistakes"));
    let few = WorldOptions::new().max_mistakes(3);
    let error = few.parse(&text).expect_err("it has mistakes");
    assert_eq!((error.errors().len(), error.more()), (3, 497));
}

/// Fields whose reading depends on what follows the next token.
#[derive(Data, Serialize, Deserialize, Debug, Default, PartialEq, Clone)]
#[serde(default)]
#[data(name = "worlds.Harness")]
struct Harness {
    strap: Strap,
    buckle: Buckle,
    rings: u8,
    bells: u8,
}

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
#[serde(tag = "kind", content = "of")]
enum Strap {
    Plain { width: u8 },
}

impl Default for Strap {
    fn default() -> Self {
        Self::Plain { width: 0 }
    }
}

#[derive(Serialize, Deserialize, Debug, Default, PartialEq, Clone)]
enum Buckle {
    #[default]
    None,
    Of(Metal),
    Tied(Knot),
}

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
struct Metal {
    #[serde(rename = "with gold")]
    gold: u8,
}

#[derive(Serialize, Deserialize, Debug, PartialEq, Clone)]
struct Knot {
    turns: u8,
}

// holds: world-files.override
#[test]
fn a_component_with_overrides_is_read_as_one_without() {
    let texts = [
        ("", "strap: Strap(kind: \"Plain\", of: Plain(width: 3))"),
        ("", "buckle: Of({\"with gold\": 5})"),
        (
            "#![enable(unwrap_variant_newtypes)]\n",
            "buckle: Tied(Knot(turns: 4))",
        ),
    ];
    for (enabled, field) in texts {
        let text = world(&format!(
            "templates: {{\"t\": (components: [Harness(rings: 1, {field})])}},
            messagees: [
                (name: \"whole\", components: [Harness(rings: 1, {field}, bells: 2)]),
                (name: \"over\", from: [\"t\"], overrides: [Harness(bells: 2)]),
            ]"
        ));
        let text = format!("{enabled}{text}");
        let mut manager = MessageManager::new();
        let made = read(&text).instantiate(&mut manager).expect("it is right");
        let [whole, over] = ["whole", "over"].map(|name| {
            let id = made.get(name).expect("it was made");
            manager.get::<Harness>(id).expect("it has one").clone()
        });
        assert_eq!(whole, over, "{text}");
    }
}
