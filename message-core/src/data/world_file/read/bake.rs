//! What templates, components and overrides come to: the parts of each messagee.

use crate::data::error::{DataError, no_such};
use crate::data::messages::{name_in_files, named_value_in};
use crate::data::tape::{Kind, Token};
use crate::data::types::find_component;
use crate::data::world_file::read::{Baked, Check, Made, nearest_name};
use crate::data::world_file::{Part, Spec, Template};
use crate::group::Group;

/// How many templates may be made from each other, one from the next.
const MAX_TEMPLATES_DEEP: usize = 100;

impl Baked {
    /// Adds what a template comes to.
    fn put_on(&mut self, base: Self) {
        let before = self.outfit.parts.len();
        self.outfit.parts.extend(base.outfit.parts);
        let disabled = base.outfit.disabled.into_iter();
        self.outfit.disabled.extend(disabled.map(|at| at + before));
        join(&mut self.outfit.groups, &base.outfit.groups);
        self.wires.extend(base.wires);
        self.bases.extend(base.bases);
    }
}

/// Joins the groups that were not joined before.
fn join(groups: &mut Vec<Group>, more: &[Group]) {
    for &group in more {
        if !groups.contains(&group) {
            groups.push(group);
        }
    }
}

impl Check {
    pub(super) fn bake_templates(&mut self) -> Vec<Template> {
        self.baked = self.templates.iter().map(|_| None).collect();
        let mut templates = Vec::new();
        for index in 0..self.templates.len() {
            let baked = self.bake(index, &mut Vec::new());
            templates.push(Template {
                name: self.templates[index].name.clone(),
                outfit: baked.outfit,
                wires: self.template_wires(&baked.wires),
            });
        }
        templates
    }

    /// What a template comes to.
    fn bake(&mut self, index: usize, within: &mut Vec<usize>) -> Baked {
        if let Some(baked) = &self.baked[index] {
            return baked.clone();
        }
        within.push(index);
        let made = std::mem::take(&mut self.templates[index].made);
        let mut baked = self.layers(&made, within);
        within.pop();
        baked.bases.insert(index);
        self.baked[index] = Some(baked.clone());
        baked
    }

    /// What is made of templates, components and overrides.
    fn layers(&mut self, made: &Made, within: &mut Vec<usize>) -> Baked {
        let mut baked = Baked::default();
        for (name, place) in &made.from {
            let index = self.templates.iter().position(|it| it.name == *name);
            let Some(index) = index else {
                let known: Vec<String> = self.templates.iter().map(|it| it.name.clone()).collect();
                let near = nearest_name(name, known.iter());
                let what = format!("no template is called `{name}`{near}");
                self.error(*place, what);
                continue;
            };
            if let Some(begin) = within.iter().position(|&other| other == index) {
                let circle = within[begin..].iter().chain([&index]);
                let text = |&index: &usize| format!("`{}`", self.templates[index].name);
                let chain: Vec<String> = circle.map(text).collect();
                let what = format!("`{name}` is made from itself: {}", chain.join(" from "));
                self.error(*place, what);
                continue;
            }
            if within.len() >= MAX_TEMPLATES_DEEP {
                let what = format!(
                    "templates are made from each other too deeply: expected at most \
                     {MAX_TEMPLATES_DEEP}"
                );
                self.error(*place, what);
                continue;
            }
            let base = self.bake(index, within);
            if let Some(&twice) = base.bases.intersection(&baked.bases).next() {
                let twice = &self.templates[twice].name;
                let what = if twice == name {
                    format!("the template `{name}` is used twice")
                } else {
                    format!("the template `{twice}` is used twice: the second time by `{name}`")
                };
                self.error(*place, what);
                continue;
            }
            baked.put_on(base);
        }
        let outfit = &mut baked.outfit;
        for &at in &made.components {
            outfit.parts.extend(self.part(at));
        }
        for &at in &made.overrides {
            if let Some(part) = self.part(at) {
                self.layer(&mut outfit.parts, &part);
            }
        }
        for &at in &made.disabled {
            outfit.disabled.extend(self.disabled(at, &outfit.parts));
        }
        join(&mut outfit.groups, &made.groups);
        baked.wires.extend(&made.wires);
        baked
    }

    /// A component by name.
    fn part(&mut self, at: usize) -> Option<Part> {
        let place = self.token(at).start;
        let named = named_value_in(&mut self.tape, at);
        let (name, place, at) = self.take(named, place)?;
        let ty = self.take(find_component(&name), place)?;
        Some(Part { ty, at, place })
    }

    /// Puts the fields of an override over the component that is there.
    fn layer(&mut self, parts: &mut [Part], over: &Part) {
        let name = name_in_files(over.ty);
        let is_it = |part: &&mut Part| std::ptr::eq(part.ty, over.ty);
        let known: Vec<&str> = parts.iter().map(|part| name_in_files(part.ty)).collect();
        let mut there = parts.iter_mut().filter(is_it);
        match (there.next(), there.next()) {
            (Some(part), None) => {
                let layered = self.layered(part.at, over.at);
                if let Some(at) = self.take(layered, over.place) {
                    part.at = at;
                }
            }
            (None, _) => {
                let error = no_such(
                    "there is no component to override:",
                    name,
                    "there are",
                    &known,
                );
                self.errors.push(error.at(over.place));
            }
            (Some(_), Some(_)) => {
                let what = format!("there are several `{name}`: an override has to mean one");
                self.error(over.place, what);
            }
        }
    }

    /// The fields at `over`, and those at `base` that `over` does not have.
    fn layered(&mut self, base: usize, over: usize) -> Result<usize, DataError> {
        let (below, above) = (self.token(base), self.token(over));
        if below.kind != Kind::Fields || above.kind != Kind::Fields {
            // Without names there is nothing to be layered.
            let keeps = above.kind == Kind::Unit && below.kind == Kind::Fields;
            return Ok(if keeps { base } else { over });
        }
        let (own, new) = (self.entries(base), self.entries(over));
        let mut wanted: Vec<usize> = Vec::new();
        for &key in &own {
            let name = self.tape.str(self.token(key));
            let other = new
                .iter()
                .find(|&&it| self.tape.str(self.token(it)) == name);
            wanted.push(other.copied().unwrap_or(key));
        }
        wanted.extend(
            new.iter()
                .filter(|key| !wanted.contains(key))
                .copied()
                .collect::<Vec<_>>(),
        );
        self.with_entries(above, &wanted)
    }

    /// Where the keys of fields stand.
    pub(super) fn entries(&self, at: usize) -> Vec<usize> {
        let mut next = at + 1;
        let mut keys = Vec::new();
        for _ in 0..self.token(at).len() {
            keys.push(next);
            next = self.tape.behind(next + 1);
        }
        keys
    }

    /// Fields that are copies of those at these keys.
    pub(super) fn with_entries(&mut self, like: Token, keys: &[usize]) -> Result<usize, DataError> {
        if keys.is_empty() {
            self.tape.push(Kind::Unit, 0, (like.start, like.end));
            return Ok(self.tape.tokens.len() - 1);
        }
        let opened = self.tape.open(Kind::Fields, like.start);
        for &key in keys {
            self.tape.repeat(key)?;
            self.tape.repeat(key + 1)?;
        }
        let len = u32::try_from(keys.len()).map_err(|_| DataError::too_large())?;
        self.tape.close(opened, len, like.end)?;
        Ok(opened)
    }

    /// The messagees, and where the wires of each begin.
    pub(super) fn specs(&mut self, parents: &[Option<usize>]) -> (Vec<Spec>, Vec<Vec<usize>>) {
        let (mut specs, mut wires) = (Vec::new(), Vec::new());
        for (index, &parent) in parents.iter().enumerate() {
            let made = std::mem::take(&mut self.messagees[index].made);
            let baked = self.layers(&made, &mut Vec::new());
            let it = &mut self.messagees[index];
            let label = it.label.take().unwrap_or_else(|| it.name.clone());
            specs.push(Spec {
                name: it.name.clone(),
                label: label.into(),
                outfit: baked.outfit,
                parent,
                mnemonics: std::mem::take(&mut it.mnemonics),
            });
            wires.push(baked.wires);
        }
        (specs, wires)
    }

    /// Which component begins disabled: `"Mind"`, or `("Mind", 2)` for the second of its type.
    fn disabled(&mut self, at: usize, parts: &[Part]) -> Option<usize> {
        let token = self.token(at);
        let is_pair = token.kind == Kind::Tuple && token.len() == 2;
        let (name, place) = self.string(at + usize::from(is_pair), "the name of a component")?;
        let ty = self.take(find_component(&name), place)?;
        let there = parts.iter().enumerate();
        let there: Vec<usize> = there
            .filter(|(_, part)| std::ptr::eq(part.ty, ty))
            .map(|(index, _)| index)
            .collect();
        let wanted = if is_pair {
            let number = self.token(at + 2);
            let number = (number.kind == Kind::Natural).then_some(number.data);
            let Some(number) = number.and_then(|number| usize::try_from(number).ok()) else {
                self.expected(at + 2, "a number from 1");
                return None;
            };
            Some(number)
        } else {
            (there.len() < 2).then_some(1)
        };
        let Some(wanted) = wanted else {
            let what = format!(
                "there are several `{name}`: expected `(\"{name}\", 1)` for the first of them"
            );
            self.error(place, what);
            return None;
        };
        let found = wanted.checked_sub(1).and_then(|index| there.get(index));
        if found.is_none() {
            let known: Vec<&str> = parts.iter().map(|part| name_in_files(part.ty)).collect();
            let what = if there.is_empty() {
                "there is no component to disable:"
            } else {
                "there are not so many components"
            };
            let error = no_such(what, &name, "there are", &known);
            self.errors.push(error.at(place));
        }
        found.copied()
    }
}
