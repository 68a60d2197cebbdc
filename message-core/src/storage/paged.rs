//! A table by index, in pages that are allocated when something is first put there.
//!
//! Ids are reused in an order of their own: after many were in use at once, the few that are still live can
//! be anywhere. A table in one piece could shrink only to the highest of them.

/// The number of entries on a page.
const PAGE: usize = 128;

#[derive(Debug, Default)]
pub(crate) struct Paged<T>(Vec<Option<Box<[T; PAGE]>>>);

impl<T: Clone> Clone for Paged<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    fn clone_from(&mut self, from: &Self) {
        self.0.clone_from(&from.0);
    }
}

impl<T: Default> Paged<T> {
    /// Returns the entry at an index, or `None` if there is no page.
    pub(crate) fn get(&self, index: usize) -> Option<&T> {
        let page = self.0.get(index / PAGE)?.as_deref()?;
        Some(&page[index % PAGE])
    }

    /// Returns the entry at an index. Allocates its page if there is none.
    pub(crate) fn entry(&mut self, index: usize) -> &mut T {
        let at = index / PAGE;
        if at >= self.0.len() {
            self.0.resize_with(at + 1, || None);
        }
        let empty = || Box::new(std::array::from_fn(|_| T::default()));
        &mut self.0[at].get_or_insert_with(empty)[index % PAGE]
    }

    /// Frees the pages without a used entry. `is_used` is given the index of each entry, too.
    pub(crate) fn free_unused(&mut self, is_used: impl Fn(usize, &T) -> bool) {
        for (at, place) in self.0.iter_mut().enumerate() {
            place.take_if(|page| {
                let mut entries = (at * PAGE..).zip(page.iter());
                !entries.any(|(index, entry)| is_used(index, entry))
            });
        }
        let last = self.0.iter().rposition(Option::is_some);
        self.0.truncate(last.map_or(0, |last| last + 1));
        self.0.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_on_which_nothing_is_used_are_freed() {
        let mut table: Paged<u32> = Paged::default();
        for index in 0..10_000 {
            *table.entry(index) = 1;
        }
        for index in (0..10_000).filter(|index| *index != 7_000) {
            *table.entry(index) = 0;
        }
        table.free_unused(|index, entry| *entry == 1 && index == 7_000);
        assert_eq!(table.0.iter().flatten().count(), 1);
        assert_eq!((table.get(7_000), table.get(7_001)), (Some(&1), Some(&0)));
        assert_eq!((table.get(0), table.get(9_999)), (None, None));
        table.free_unused(|_, _| false);
        assert_eq!(table.0.capacity(), 0);
        assert_eq!(table.get(7_000), None);
        *table.entry(3) = 4;
        assert_eq!(table.get(3), Some(&4));
    }
}
