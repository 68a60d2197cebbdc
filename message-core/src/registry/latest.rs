//! A value that is replaced by a newer one while others still read the old one.
//!
//! A chain: each value is followed by the one that replaces it. Values are never dropped, so references to them
//! stay valid; there are as many as there were plugins. A reader follows the chain without a lock.

use std::sync::OnceLock;

#[derive(Debug)]
pub(crate) struct Latest<T: 'static>(OnceLock<Box<(T, Self)>>);

impl<T: 'static> Latest<T> {
    pub(crate) const fn new() -> Self {
        Self(OnceLock::new())
    }

    /// Returns the newest value, if there is one.
    pub(crate) fn get(&'static self) -> Option<&'static T> {
        let (value, newer) = &**self.0.get()?;
        Some(newer.get().unwrap_or(value))
    }

    /// Returns the newest value, or makes the first one now if there is none.
    pub(crate) fn get_or_init(&'static self, make: impl FnOnce() -> T) -> &'static T {
        let (first, newer) = &**self.0.get_or_init(|| Box::new((make(), Self::new())));
        newer.get().unwrap_or(first)
    }

    /// Makes the first value and returns it. Returns the newest value as the error if there was one, or if
    /// another thread was making the first.
    pub(crate) fn make_first(
        &'static self,
        make: impl FnOnce() -> T,
    ) -> Result<&'static T, &'static T> {
        let mut is_made_here = false;
        let newest = self.get_or_init(|| {
            is_made_here = true;
            make()
        });
        if is_made_here {
            Ok(newest)
        } else {
            Err(newest)
        }
    }

    /// Replaces the newest value. Only one thread may do so at a time: the registry is published and extended in
    /// turn.
    pub(crate) fn replace(&'static self, value: T) -> &'static T {
        match self.0.get() {
            Some(link) => link.1.replace(value),
            None => self.get_or_init(|| value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_value_is_found_and_the_older_ones_stay() {
        static NUMBER: Latest<u32> = Latest::new();
        assert_eq!(NUMBER.get(), None);
        let first = NUMBER.get_or_init(|| 1);
        assert_eq!(NUMBER.replace(2), &2);
        assert_eq!(NUMBER.replace(3), &3);
        assert_eq!((first, NUMBER.get()), (&1, Some(&3)));
        assert_eq!(NUMBER.get_or_init(|| 4), &3);
    }

    #[test]
    fn the_first_value_is_made_by_one_thread_and_the_others_get_it_as_an_error() {
        static NUMBER: Latest<u32> = Latest::new();
        let (begun, wait) = std::sync::mpsc::channel();
        let slow = std::thread::spawn(move || {
            NUMBER.make_first(|| {
                begun.send(()).expect("it is received");
                std::thread::yield_now();
                1
            })
        });
        wait.recv().expect("it is sent");
        assert_eq!(NUMBER.make_first(|| 2), Err(&1));
        assert_eq!(slow.join().expect("no panic"), Ok(&1));
        assert_eq!(NUMBER.replace(3), &3);
        assert_eq!(NUMBER.make_first(|| 4), Err(&3));
    }

    #[test]
    fn a_value_can_be_replaced_before_there_is_one() {
        static NUMBER: Latest<u32> = Latest::new();
        assert_eq!(NUMBER.replace(7), &7);
        assert_eq!(NUMBER.get(), Some(&7));
    }
}
