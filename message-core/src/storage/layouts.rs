//! Layouts: the interned lists of component types in hook order.
//!
//! All messagees whose components have the same types in the same order have the same layout. A layout has
//! a number, so everything that is the same for all of these messagees can be looked up by it. Adding a
//! component or removing the last one leads to another layout in one step.
//!
//! A layout stays when its last messagee goes, since the next one often has the same components. Unused
//! layouts are swept when too many have accumulated, and their numbers are reused.

use smallvec::SmallVec;

use crate::by_field::clone_by_field;
use crate::storage::{FEW, narrow};

/// A list of component types, by number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LayoutId(u32);

impl LayoutId {
    /// The layout of a messagee without components.
    pub const EMPTY: Self = Self(0);

    /// The common layout of messagees with more than [`MOST`] components, which are not listed here.
    pub(crate) const CROWDED: Self = Self(1);

    /// The common layout of [proxies](crate::carrier), which have no components.
    pub(crate) const PROXY: Self = Self(2);

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The length of the longest list that is interned. There could be as many longer ones as messagees.
pub(crate) const MOST: usize = 16;

/// Unused layouts are first swept when there are this many layouts.
const FIRST_SWEEP: usize = 256;

#[derive(Debug, Default)]
struct Layout {
    components: Box<[u16]>,
    /// The layout without the last component.
    parent: LayoutId,
    /// The number of messagees that have it, plus the number of layouts whose parent it is.
    users: u32,
    /// The layouts with one more component, by that component. The one that was reached last is the first.
    children: Vec<(u16, LayoutId)>,
    /// `true` if a messagee with this layout has more components than fit in its record.
    has_many: bool,
}

/// The layouts of a manager.
#[derive(Debug)]
pub(crate) struct Layouts {
    list: Vec<Layout>,
    free: Vec<LayoutId>,
    /// The layouts that were swept, until somebody takes them. Their numbers may belong to others already.
    pub(crate) swept: Vec<LayoutId>,
    next_sweep: usize,
}

clone_by_field!(Layout {
    components,
    parent,
    users,
    children,
    has_many
});

clone_by_field!(Layouts {
    list,
    free,
    swept,
    next_sweep
});

impl Default for Layouts {
    fn default() -> Self {
        Self {
            // They are not interned and never swept.
            list: [LayoutId::EMPTY, LayoutId::CROWDED, LayoutId::PROXY]
                .map(|id| Layout {
                    users: 1,
                    has_many: id == LayoutId::CROWDED,
                    ..Layout::default()
                })
                .into(),
            free: Vec::new(),
            swept: Vec::new(),
            next_sweep: FIRST_SWEEP,
        }
    }
}

impl Layouts {
    /// Returns the component types of a layout. Those of crowded messagees are not known here.
    pub(crate) fn components(&self, layout: LayoutId) -> &[u16] {
        &self.list[layout.index()].components
    }

    /// Returns `true` if a messagee with this layout has more components than fit in its record.
    pub(crate) fn has_many(&self, layout: LayoutId) -> bool {
        self.list[layout.index()].has_many
    }

    /// Returns `true` if each number means the same list of components as in `other`.
    pub(crate) fn are_those_of(&self, other: &Self) -> bool {
        let others = other.list.iter().map(|it| &it.components);
        self.list.iter().map(|it| &it.components).eq(others)
    }

    /// Returns the number of layouts, which is above all their numbers.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// Adds a component at the end of a messagee with a layout. Returns its new layout.
    #[inline]
    pub(super) fn push(&mut self, layout: LayoutId, component: u16) -> LayoutId {
        let children = &self.list[layout.index()].children;
        let child = match children.first() {
            Some(&(first, child)) if first == component => child,
            _ => self.child(layout, component),
        };
        self.acquire(child);
        self.release(layout);
        child
    }

    /// Removes the component at a place of a messagee with a layout that is not crowded. Returns its new layout.
    #[inline]
    pub(super) fn remove(&mut self, layout: LayoutId, place: usize) -> LayoutId {
        let was = &self.list[layout.index()];
        if place + 1 < was.components.len() {
            let mut components: SmallVec<[u16; MOST]> = SmallVec::from_slice(&was.components);
            components.remove(place);
            return self.replace(layout, components.into_iter());
        }
        let parent = was.parent;
        self.acquire(parent);
        self.release(layout);
        parent
    }

    /// Replaces the components of a messagee with a layout. Returns its new layout.
    pub(super) fn replace(
        &mut self,
        layout: LayoutId,
        components: impl ExactSizeIterator<Item = u16>,
    ) -> LayoutId {
        let new = self.intern(components);
        self.release(layout);
        new
    }

    /// Returns the layout of these components, in use once more.
    pub(crate) fn intern(&mut self, components: impl ExactSizeIterator<Item = u16>) -> LayoutId {
        if components.len() > MOST {
            self.acquire(LayoutId::CROWDED);
            return LayoutId::CROWDED;
        }
        self.acquire(LayoutId::EMPTY);
        // A step may sweep, so each layout on the way is in use.
        components.fold(LayoutId::EMPTY, |layout, component| {
            self.push(layout, component)
        })
    }

    /// Counts a messagee with a layout.
    pub(super) fn acquire(&mut self, layout: LayoutId) {
        self.list[layout.index()].users += 1;
    }

    /// Counts a messagee that no longer has a layout.
    pub(super) fn release(&mut self, layout: LayoutId) {
        self.list[layout.index()].users -= 1;
    }

    /// Finds or makes the layout with one more component.
    #[cold]
    fn child(&mut self, layout: LayoutId, component: u16) -> LayoutId {
        let is_full = self.list[layout.index()].components.len() == MOST;
        if is_full || layout == LayoutId::CROWDED {
            return LayoutId::CROWDED;
        }
        let children = &self.list[layout.index()].children;
        let known = children.iter().position(|&(of, _)| of == component);
        let at = known.unwrap_or_else(|| self.make(layout, component));
        let children = &mut self.list[layout.index()].children;
        children.swap(0, at);
        children[0].1
    }

    /// Makes the layout with one more component. Returns its position among the children.
    fn make(&mut self, parent: LayoutId, component: u16) -> usize {
        // The parent must survive the sweep.
        self.acquire(parent);
        if self.list.len() - self.free.len() >= self.next_sweep {
            self.sweep();
            self.next_sweep = FIRST_SWEEP.max(2 * (self.list.len() - self.free.len()));
        }
        let list = &self.list[parent.index()].components;
        let components: Box<[u16]> = list.iter().copied().chain([component]).collect();
        let id = self.free.pop().unwrap_or_else(|| {
            self.list.push(Layout::default());
            LayoutId(narrow(self.list.len() - 1))
        });
        self.list[id.index()] = Layout {
            has_many: components.len() > FEW,
            components,
            parent,
            ..Layout::default()
        };
        let children = &mut self.list[parent.index()].children;
        children.push((component, id));
        children.len() - 1
    }

    /// Frees the numbers of all layouts that no messagee has and that lead to none that a messagee has.
    pub(super) fn sweep(&mut self) {
        let first = self.free.len();
        // Longer lists first, so that those that led to them are found unused.
        let mut by_length: Vec<LayoutId> = (0..).map(LayoutId).take(self.list.len()).collect();
        by_length.sort_by_key(|id| std::cmp::Reverse(self.components(*id).len()));
        for id in by_length {
            let layout = &mut self.list[id.index()];
            if layout.users > 0 || layout.components.is_empty() {
                continue;
            }
            let Layout { parent, .. } = std::mem::take(layout);
            self.release(parent);
            let siblings = &mut self.list[parent.index()].children;
            siblings.retain(|(_, child)| *child != id);
            self.free.push(id);
        }
        self.swept.extend_from_slice(&self.free[first..]);
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.sweep();
        for layout in &mut self.list {
            layout.children.shrink_to_fit();
        }
        self.free.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_lists_have_one_layout_and_others_have_another() {
        let mut layouts = Layouts::default();
        let [one, same, other] =
            [[3, 4], [3, 4], [4, 3]].map(|list| layouts.intern(list.into_iter()));
        assert_eq!(one, same);
        assert_ne!(one, other);
        assert_eq!(layouts.components(other), [4, 3]);
        let shorter = layouts.remove(one, 1);
        assert_eq!(layouts.components(shorter), [3]);
        assert_eq!(layouts.push(shorter, 4), one);
    }

    #[test]
    fn unused_layouts_are_swept_and_their_numbers_reused() {
        let mut layouts = Layouts::default();
        let kept = layouts.intern([1, 2, 3].into_iter());
        for component in 100..10_000 {
            let layout = layouts.intern([component, 7].into_iter());
            layouts.replace(layout, std::iter::empty());
        }
        assert!(layouts.len() <= 2 * FIRST_SWEEP, "{}", layouts.len());
        assert!(!layouts.swept.contains(&kept));
        assert_eq!(layouts.components(kept), [1, 2, 3]);
        assert_eq!(layouts.intern([1, 2, 3].into_iter()), kept);
    }

    #[test]
    fn too_many_components_are_crowded() {
        let mut layouts = Layouts::default();
        let most = u16::try_from(MOST).expect("they are few");
        let full = layouts.intern(0..most);
        assert_eq!(layouts.push(full, 5), LayoutId::CROWDED);
        assert_eq!(layouts.replace(LayoutId::CROWDED, 0..most), full);
        assert_eq!(layouts.replace(full, 0..=most), LayoutId::CROWDED);
    }
}
