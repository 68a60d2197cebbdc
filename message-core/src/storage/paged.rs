//! A table by index, in pages that are made when something is first put there, and given back when
//! nothing is there any more.
//!
//! Ids are handed out again in an order of their own: after many were in use at once, the few that
//! live then can stand anywhere. In one piece the table would stay as long as the highest of them asks.

use crate::room::Shrink;

/// After looks in vain, so many are left out at most.
const MOST_SKIPPED: u32 = 64;

/// With so many entries on a page.
#[derive(Debug)]
pub(super) struct Paged<T, const PAGE: usize = 64> {
    pages: Vec<Option<Box<Page<T, PAGE>>>>,
    /// How many pages there are.
    made: usize,
    /// How many times it is not looked for pages to give back, and how many times after the next look
    /// in vain.
    skip: u32,
    skip_next: u32,
}

/// The entries come first, so that an index leads to them without a sum.
#[derive(Debug)]
#[repr(C)]
struct Page<T, const PAGE: usize> {
    entries: [T; PAGE],
    /// `true` if anything was put there since it was looked for pages to give back.
    lately: bool,
}

impl<T, const PAGE: usize> Default for Paged<T, PAGE> {
    fn default() -> Self {
        Self {
            pages: Vec::new(),
            made: 0,
            skip: 0,
            skip_next: 1,
        }
    }
}

impl<T: Default, const PAGE: usize> Paged<T, PAGE> {
    /// What is at an index; `None` also where nothing was put lately.
    #[inline]
    pub(super) fn get(&self, index: usize) -> Option<&T> {
        let page = self.pages.get(index / PAGE)?.as_deref()?;
        Some(&page.entries[index % PAGE])
    }

    #[inline]
    pub(super) fn get_mut(&mut self, index: usize) -> Option<&mut T> {
        let page = self.pages.get_mut(index / PAGE)?.as_deref_mut()?;
        Some(&mut page.entries[index % PAGE])
    }

    /// What is there, with its index, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &T)> {
        let pages = self.pages.iter().enumerate();
        let pages = pages.filter_map(|(at, page)| Some((at, page.as_deref()?)));
        pages.flat_map(|(at, page)| (at * PAGE..).zip(&page.entries))
    }

    /// As [`get_mut`](Self::get_mut), to put something there; makes what is not there yet.
    #[inline]
    pub(super) fn put(&mut self, index: usize) -> &mut T {
        if !matches!(self.pages.get(index / PAGE), Some(Some(_))) {
            self.make(index / PAGE);
        }
        let page = self.pages[index / PAGE].as_deref_mut();
        let page = page.expect("it was made if it was not there");
        page.lately = true;
        &mut page.entries[index % PAGE]
    }

    #[cold]
    fn make(&mut self, page: usize) {
        if page >= self.pages.len() {
            self.pages.resize_with(page + 1, || None);
        }
        self.pages[page] = Some(Box::new(Page {
            entries: std::array::from_fn(|_| T::default()),
            lately: true,
        }));
        self.made += 1;
    }

    /// Returns `true` if it is worth looking for pages to give back, when so many entries were needed
    /// at once lately.
    pub(super) fn is_due(&mut self, how: Shrink, needed: usize) -> bool {
        if how == Shrink::Spikes && self.skip > 0 {
            self.skip -= 1;
            return false;
        }
        how.is_due(self.made * PAGE, needed, size_of::<T>())
    }

    /// Gives back the pages in which nothing is in use.
    pub(super) fn give_back(&mut self, how: Shrink, is_used: impl Fn(&T) -> bool) {
        self.retain(how, |_, entries| entries.iter().any(&is_used));
    }

    /// Gives back the pages in which none of these indices is.
    pub(super) fn give_back_all_but(&mut self, how: Shrink, used: impl Iterator<Item = usize>) {
        let mut is_used = vec![false; self.pages.len()];
        for index in used {
            is_used[index / PAGE] = true;
        }
        self.retain(how, |at, _| is_used[at]);
    }

    fn retain(&mut self, how: Shrink, keep: impl Fn(usize, &[T; PAGE]) -> bool) {
        let mut in_vain = true;
        for (at, place) in self.pages.iter_mut().enumerate() {
            let Some(page) = place else { continue };
            // So that who needs it every few frames does not make it each time.
            let lately = std::mem::take(&mut page.lately) && how == Shrink::Spikes;
            let goes = !lately && !keep(at, &page.entries);
            in_vain &= !lately && !goes;
            if goes {
                *place = None;
                self.made -= 1;
            }
        }
        let last = self.pages.iter().rposition(Option::is_some);
        self.pages.truncate(last.map_or(0, |last| last + 1));
        how.room(&mut self.pages, 0);
        self.skip_next = if in_vain {
            MOST_SKIPPED.min(2 * self.skip_next)
        } else {
            1
        };
        self.skip = self.skip_next - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_in_which_nothing_is_in_use_are_given_back() {
        let mut table: Paged<u32> = Paged::default();
        for index in 0..10_000 {
            *table.put(index) = 1;
        }
        for index in (0..10_000).filter(|index| *index != 7_000) {
            *table.put(index) = 0;
        }
        assert!(!table.is_due(Shrink::Spikes, 5_000));
        assert!(table.is_due(Shrink::Spikes, 1_000));
        table.give_back(Shrink::Spikes, |entry| *entry == 1);
        assert_eq!(
            table.made,
            10_000_usize.div_ceil(64),
            "they were needed lately"
        );
        table.give_back(Shrink::Spikes, |entry| *entry == 1);
        assert_eq!(table.made, 1);
        assert_eq!((table.get(7_000), table.get(7_001)), (Some(&1), Some(&0)));
        assert_eq!((table.get(0), table.get(9_999)), (None, None));
        table.give_back_all_but(Shrink::ToFit, std::iter::empty());
        assert_eq!((table.made, table.pages.capacity()), (0, 0));
        assert_eq!(table.get_mut(7_000), None);
        *table.put(3) = 4;
        assert_eq!(table.get(3), Some(&4));
    }

    #[test]
    fn after_looks_in_vain_it_is_looked_less_often() {
        let mut table: Paged<u32> = Paged::default();
        for index in 0..100 {
            *table.put(index * 64) = 1;
        }
        let mut looks = 0;
        for _ in 0..1_000 {
            if table.is_due(Shrink::Spikes, 100) {
                looks += 1;
                table.give_back(Shrink::Spikes, |entry| *entry == 1);
            }
        }
        assert!((10..30).contains(&looks), "{looks}");
        assert!(table.is_due(Shrink::ToFit, 100));
    }
}
