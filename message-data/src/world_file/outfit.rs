//! Components and wires of messagees: each stores what it adds, and shares the content of its templates.
//!
//! Templates are never written out while a file is read. A component is found by walking from an outfit
//! through the templates that it is made from, of which there are few.

use std::ops::ControlFlow;

use message_core::Group;
use message_format::names::MAX_LISTED;
use message_format::steps::step;

use crate::data_type::DataType;
use crate::messages::name_in_files;
use crate::world_file::{OverhearSpec, WireSpec};

/// The maximum number of templates that a messagee is made from. A walk visits no more.
pub(super) const MAX_TEMPLATES: u32 = 100;

/// The maximum number of components looked at for a list of their names.
const MAX_LOOKS: usize = 1_000;

/// The owner of the components of a messagee, among the numbers of templates.
pub(super) const MESSAGEE: u32 = u32::MAX;

/// A component.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) ty: &'static DataType,
    /// The index on the tape of the content behind the name.
    pub(super) at: u32,
    /// The place of its name in the text.
    pub(super) place: u32,
}

/// Identifies a component by its owner and its number: no template is used twice for one messagee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PartAt {
    /// A template, or [`MESSAGEE`].
    pub(super) owner: u32,
    /// Among the components that its owner adds.
    pub(super) index: u32,
}

/// Fields that are put over those of a component.
#[derive(Clone, Copy, Debug)]
pub(super) struct Override {
    pub(super) of: PartAt,
    /// Where the fields begin on the tape.
    pub(super) at: u32,
}

/// The additions of a template or a messagee to the templates that it is made from.
#[derive(Debug, Default)]
pub(super) struct Outfit {
    /// The templates, in the order of the file.
    pub(super) from: Box<[u32]>,
    pub(super) parts: Box<[Part]>,
    /// The numbers of its parts, sorted by type.
    pub(super) by_type: Box<[u32]>,
    /// Sorted by component, and then in the order of the file.
    pub(super) overrides: Box<[Override]>,
    /// Which components begin disabled, sorted.
    pub(super) disabled: Box<[PartAt]>,
    /// The groups that it joins, in this order.
    pub(super) groups: Box<[Group]>,
    pub(super) wires: Box<[WireSpec]>,
    pub(super) overhears: Box<[OverhearSpec]>,
    pub(super) sum: Sum,
}

/// The size of an outfit, with its templates.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    /// The number of templates.
    pub(super) templates: u32,
    /// The number of bytes that its components and wires would have if they were written out.
    pub(super) bytes: u64,
}

/// A template.
#[derive(Debug)]
pub(super) struct Template {
    /// The token of its name.
    pub(super) name: u32,
    pub(super) outfit: Outfit,
}

/// All templates of a file.
#[derive(Debug, Default)]
pub(super) struct Templates(pub(super) Vec<Template>);

/// Returns an address that sorts types. It is never shown.
fn key(ty: &'static DataType) -> usize {
    std::ptr::from_ref(ty).addr()
}

impl Outfit {
    pub(super) fn set_parts(&mut self, parts: Vec<Part>) {
        let mut by_type: Vec<u32> = (0..).take(parts.len()).collect();
        by_type.sort_by_key(|&index| key(parts[index as usize].ty));
        self.parts = parts.into();
        self.by_type = by_type.into();
    }

    /// Returns the numbers of its own parts of a type, in the order of the file.
    fn of_type(&self, ty: &'static DataType) -> &[u32] {
        let key_of = |&index: &u32| key(self.parts[index as usize].ty);
        let begin = self.by_type.partition_point(|it| key_of(it) < key(ty));
        let end = self.by_type.partition_point(|it| key_of(it) <= key(ty));
        &self.by_type[begin..end]
    }

    pub(super) fn overrides_of(&self, part: PartAt) -> &[Override] {
        let begin = self.overrides.partition_point(|it| it.of < part);
        let end = self.overrides.partition_point(|it| it.of <= part);
        &self.overrides[begin..end]
    }
}

/// One stop of a walk: the owner of the components that come next.
pub(super) struct Stop<'o, 'p> {
    /// A template, or [`MESSAGEE`].
    pub(super) owner: u32,
    /// From where the walk began down to the owner.
    path: &'p [&'o Outfit],
}

impl<'o> Stop<'o, '_> {
    pub(super) fn outfit(&self) -> &'o Outfit {
        self.path.last().expect("a path begins with an outfit")
    }

    pub(super) fn part(&self, index: u32) -> PartAt {
        let owner = self.owner;
        PartAt { owner, index }
    }

    /// Collects where the fields of a component begin: its own, and those that are put over them.
    pub(super) fn layers(&self, index: u32, layers: &mut Vec<u32>) {
        layers.clear();
        layers.push(self.outfit().parts[index as usize].at);
        for outfit in self.path.iter().rev() {
            let over = outfit.overrides_of(self.part(index));
            layers.extend(over.iter().map(|over| over.at));
        }
    }

    pub(super) fn is_disabled(&self, index: u32) -> bool {
        let part = self.part(index);
        let mut path = self.path.iter();
        path.any(|outfit| outfit.disabled.binary_search(&part).is_ok())
    }
}

impl Templates {
    /// Visits all owners of an outfit's components, in the order of the components: the templates, each after those
    /// that it is made from, and the outfit itself last.
    pub(super) fn walk<'o, B>(
        &'o self,
        outfit: &'o Outfit,
        owner: u32,
        mut visit: impl FnMut(Stop<'o, '_>) -> ControlFlow<B>,
    ) -> Option<B> {
        let walked = self.walk_on(outfit, owner, &mut Vec::new(), &mut visit);
        walked.break_value()
    }

    fn walk_on<'o, B>(
        &'o self,
        outfit: &'o Outfit,
        owner: u32,
        path: &mut Vec<&'o Outfit>,
        visit: &mut impl FnMut(Stop<'o, '_>) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        step(1);
        path.push(outfit);
        for &base in &outfit.from {
            self.walk_on(&self.0[base as usize].outfit, base, path, visit)?;
        }
        visit(Stop { owner, path })?;
        path.pop();
        ControlFlow::Continue(())
    }

    /// Visits all of them.
    pub(super) fn each<'o>(
        &'o self,
        outfit: &'o Outfit,
        owner: u32,
        mut visit: impl FnMut(Stop<'o, '_>),
    ) {
        let _: Option<()> = self.walk(outfit, owner, |stop| {
            visit(stop);
            ControlFlow::Continue(())
        });
    }

    /// Returns how many components of a type an outfit has, and the one with that number, from 0.
    pub(super) fn of_type(
        &self,
        outfit: &Outfit,
        owner: u32,
        ty: &'static DataType,
        number: usize,
    ) -> (usize, Option<PartAt>) {
        let (mut count, mut found) = (0, None);
        self.each(outfit, owner, |stop| {
            let own = stop.outfit().of_type(ty);
            if let Some(&index) = number.checked_sub(count).and_then(|at| own.get(at)) {
                found = Some(stop.part(index));
            }
            count += own.len();
        });
        (count, found)
    }

    /// Returns how many components of an outfit come before one of them.
    pub(super) fn position(&self, outfit: &Outfit, owner: u32, part: PartAt) -> usize {
        let mut before = 0;
        let found = self.walk(outfit, owner, |stop| {
            if stop.owner == part.owner {
                return ControlFlow::Break(before + part.index as usize);
            }
            before += stop.outfit().parts.len();
            ControlFlow::Continue(())
        });
        found.unwrap_or(before)
    }

    /// Returns the names of the components, each once, as many as are listed in an error.
    pub(super) fn component_names(&self, outfit: &Outfit, owner: u32) -> Vec<&'static str> {
        let mut names = Vec::new();
        let mut looks = 0;
        let _: Option<()> = self.walk(outfit, owner, |stop| {
            for part in &stop.outfit().parts {
                let name = name_in_files(part.ty);
                if !names.contains(&name) {
                    names.push(name);
                }
                looks += 1;
                if looks == MAX_LOOKS || names.len() == MAX_LISTED {
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        });
        names
    }

    /// Returns the groups that an outfit joins, each once, those of its templates first.
    pub(super) fn groups(&self, outfit: &Outfit) -> Vec<Group> {
        let mut groups = Vec::new();
        self.each(outfit, MESSAGEE, |stop| {
            for &group in &stop.outfit().groups {
                if !groups.contains(&group) {
                    groups.push(group);
                }
            }
        });
        groups
    }

    /// Returns the filters by which an outfit overhears, those of its templates first.
    pub(super) fn overhears(&self, outfit: &Outfit) -> Vec<OverhearSpec> {
        let mut all = Vec::new();
        self.each(outfit, MESSAGEE, |stop| {
            all.extend(&stop.outfit().overhears);
        });
        all
    }

    /// Visits the wires of an outfit, those of its templates first.
    pub(super) fn wires<'o>(&'o self, outfit: &'o Outfit) -> Vec<&'o WireSpec> {
        let mut wires = Vec::new();
        self.each(outfit, MESSAGEE, |stop| wires.extend(&stop.outfit().wires));
        wires
    }
}
