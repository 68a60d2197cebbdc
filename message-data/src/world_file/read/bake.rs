//! Finds what templates and messagees add, and which components their overrides refer to.

use message_format::names::{Short, no_such};
use message_format::tape::{Kind, bytes_at};

use crate::messages::{name_in_files, named_value_in};
use crate::types::find_component;
use crate::world_file::outfit::{MAX_TEMPLATES, Outfit, Override, Part, PartAt, Template};
use crate::world_file::read::names::circle;
use crate::world_file::read::unknown::Names;
use crate::world_file::read::{Check, Fields, number};
use crate::world_file::{ANY, OverhearSpec};

impl Check {
    pub(super) fn bake_templates(&mut self) {
        let names: Vec<u32> = self.raw_templates.iter().map(|raw| raw.name).collect();
        self.content.templates_by_name =
            self.sort_unique(&names, |name| format!("two templates are called `{name}`"));
        self.met = vec![0; names.len()];
        let templates = names.iter().map(|&name| Template {
            name,
            outfit: Outfit::default(),
        });
        self.content.templates.0 = templates.collect();
        for index in 0..number(names.len()) {
            self.bake(index, &mut Vec::new());
        }
    }

    /// Determines what a template is made of, if that is not known.
    fn bake(&mut self, index: u32, within: &mut Vec<u32>) {
        if let Some(fields) = self.raw_templates[index as usize].fields.take() {
            within.push(index);
            let outfit = self.outfit(&fields, index, within);
            within.pop();
            self.content.templates.0[index as usize].outfit = outfit;
        }
    }

    /// Reads the outfit of a template or a messagee.
    pub(super) fn outfit(&mut self, fields: &Fields, owner: u32, within: &mut Vec<u32>) -> Outfit {
        let mut outfit = Outfit::default();
        self.find_bases(fields, &mut outfit, within);
        let mut parts = Vec::new();
        for at in self.list(fields.get("components"), "components") {
            outfit.sum.bytes += bytes_at(&self.content.tape.tokens, at);
            parts.extend(self.part(at));
        }
        outfit.set_parts(parts);
        let mut overrides = Vec::new();
        for at in self.list(fields.get("overrides"), "components") {
            outfit.sum.bytes += bytes_at(&self.content.tape.tokens, at);
            overrides.extend(self.override_at(at, &outfit, owner));
        }
        overrides.sort_by_key(|over: &Override| over.of);
        outfit.overrides = overrides.into();
        let mut disabled = Vec::new();
        for at in self.list(fields.get("disabled"), "components") {
            disabled.extend(self.disabled(at, &outfit, owner));
        }
        disabled.sort_unstable();
        outfit.disabled = disabled.into();
        outfit.groups = self.joined(fields.get("groups")).into();
        let mut wires = Vec::new();
        for at in self.list(fields.get("wires"), "wires") {
            outfit.sum.bytes += bytes_at(&self.content.tape.tokens, at);
            wires.extend(self.own_wire(at, owner));
        }
        outfit.wires = wires.into();
        let mut overhears = Vec::new();
        for at in self.list(fields.get("overhear"), "filters") {
            outfit.sum.bytes += bytes_at(&self.content.tape.tokens, at);
            overhears.extend(self.overhears(at));
        }
        outfit.overhears = overhears.into();
        outfit
    }

    /// Reads a filter by which a messagee overhears.
    fn overhears(&mut self, at: usize) -> Option<OverhearSpec> {
        let place = self.token(at).start;
        let named = named_value_in(&mut self.content.tape, at);
        let named = self.take(named, place)?;
        let of = match self.str(named.name) {
            ANY => None,
            _ => Some(self.message_name(named.name as usize)?.1),
        };
        let at = number(named.content);
        Some(OverhearSpec { of, at, place })
    }

    /// Finds the templates that an outfit is made from, and their total size.
    fn find_bases(&mut self, fields: &Fields, outfit: &mut Outfit, within: &mut Vec<u32>) {
        let mut bases = Vec::new();
        for at in self.strings(fields.get("from"), "template") {
            if let Some(base) = self.find_template(at)
                && self.goes_on(at, base, within)
            {
                self.bake(base, within);
                bases.push((at, base));
            }
        }
        // With one template there is none that could be used twice.
        let several = bases.len() > 1;
        self.meeting += 1;
        let mut from = Vec::new();
        for (at, base) in bases {
            let sum = self.content.templates.0[base as usize].outfit.sum;
            let templates = outfit.sum.templates + sum.templates + 1;
            if templates > MAX_TEMPLATES {
                self.error_of(at, |name| {
                    format!(
                        "there are {templates} templates up to `{name}`: expected at most \
                         {MAX_TEMPLATES} for one messagee"
                    )
                });
            } else if !several || self.meet(at, base) {
                from.push(base);
                outfit.sum.templates = templates;
                outfit.sum.bytes += sum.bytes;
            }
        }
        outfit.from = from.into();
    }

    /// Checks that a template is not made from itself, and that the chain of templates is not too long.
    fn goes_on(&mut self, at: u32, base: u32, within: &[u32]) -> bool {
        if let Some(begin) = within.iter().position(|&other| other == base) {
            let template = |&it: &u32| self.str(self.content.templates.0[it as usize].name);
            let names = within[begin..].iter().chain([&base]).map(template);
            let chain = circle(&names.collect::<Vec<_>>(), " from ");
            self.error_of(at, |name| format!("`{name}` is made from itself: {chain}"));
            return false;
        }
        if within.len() >= MAX_TEMPLATES as usize {
            self.error_of(at, |_| {
                format!("templates are nested too deeply: expected at most {MAX_TEMPLATES}")
            });
            return false;
        }
        true
    }

    fn find_template(&mut self, at: u32) -> Option<u32> {
        let found = self.content.find_template(self.str(at));
        if found.is_none() {
            self.unknown_name(at, Names::Template, |name, near| {
                format!("no template is called `{name}`{near}")
            });
        }
        found
    }

    /// Marks a template and those that it is made from as met. Returns `false` if one of them was met before in the
    /// same list.
    fn meet(&mut self, at: u32, base: u32) -> bool {
        let (templates, met, meeting) = (&self.content.templates, &mut self.met, self.meeting);
        let outfit = &templates.0[base as usize].outfit;
        let mut twice: Option<u32> = None;
        templates.each(outfit, base, |stop| {
            if met[stop.owner as usize] == meeting {
                twice = Some(twice.map_or(stop.owner, |twice| twice.min(stop.owner)));
            }
        });
        let Some(twice) = twice else {
            templates.each(outfit, base, |stop| met[stop.owner as usize] = meeting);
            return true;
        };
        let twice_name = self.content.templates.0[twice as usize].name;
        self.note(at, |content| {
            let [twice_name, name] = [twice_name, at].map(|at| Short(content.str(at)));
            if twice == base {
                format!("the template `{name}` is used twice")
            } else {
                format!("the template `{twice_name}` is used twice: the second time by `{name}`")
            }
        });
        false
    }

    /// Reads a component by name.
    fn part(&mut self, at: usize) -> Option<Part> {
        let place = self.token(at).start;
        let named = named_value_in(&mut self.content.tape, at);
        let named = self.take(named, place)?;
        let ty = self.look_up(named.name, Names::Component, find_component)?;
        Some(Part {
            ty,
            at: number(named.content),
            place: self.token(named.name as usize).start,
        })
    }

    /// Reads an override, and finds the component that it is put over.
    fn override_at(&mut self, at: usize, outfit: &Outfit, owner: u32) -> Option<Override> {
        let over = self.part(at)?;
        let (count, part) = self.content.templates.of_type(outfit, owner, over.ty, 0);
        let templates = &self.content.templates;
        let name = name_in_files(over.ty);
        match (count, part) {
            (1, Some(of)) => return Some(Override { of, at: over.at }),
            (0, _) => self.mistakes.note(over.place, || {
                let known = templates.component_names(outfit, owner);
                let what = "there is no component to override:";
                no_such(what, name, "there are", &known)
            }),
            _ => self.error(
                over.place,
                format_args!("there are several `{name}`: an override has to refer to one"),
            ),
        }
        None
    }

    /// Finds the component that begins disabled: `"Mind"`, or `("Mind", 2)` for the second of its type.
    fn disabled(&mut self, at: usize, outfit: &Outfit, owner: u32) -> Option<PartAt> {
        let token = self.token(at);
        let is_pair = token.kind == Kind::Tuple && token.len() == 2;
        let name = self.string(at + usize::from(is_pair), "the name of a component")?;
        let ty = self.look_up(name, Names::Component, find_component)?;
        let wanted = if is_pair {
            let wanted = self.token(at + 2);
            let wanted = (wanted.kind == Kind::Natural).then_some(wanted.data);
            let Some(wanted) = wanted.and_then(|wanted| usize::try_from(wanted).ok()) else {
                self.expected(at + 2, "a number from 1");
                return None;
            };
            wanted
        } else {
            1
        };
        let (count, found) = match wanted.checked_sub(1) {
            Some(before) => self.content.templates.of_type(outfit, owner, ty, before),
            None => (self.content.templates.of_type(outfit, owner, ty, 0).0, None),
        };
        if !is_pair && count > 1 {
            self.error_of(name, |name| {
                format!(
                    "there are several `{name}`: expected `(\"{name}\", 1)` for the first of them"
                )
            });
            return None;
        }
        if found.is_none() {
            let content = &self.content;
            self.mistakes.note(content.place(name), || {
                let known = content.templates.component_names(outfit, owner);
                let what = if count == 0 {
                    "there is no component to disable:"
                } else {
                    "there are fewer components"
                };
                no_such(what, content.str(name), "there are", &known)
            });
        }
        found
    }
}
