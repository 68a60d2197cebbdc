//! A value that is replaced by a newer one while others still read the old one.
//!
//! Values are never dropped, so that references to them stay valid; there are as many as there were plugins.

use std::sync::{PoisonError, RwLock};

pub(crate) struct Latest<T: 'static>(RwLock<Option<&'static T>>);

impl<T> Latest<T> {
    pub(crate) const fn new() -> Self {
        Self(RwLock::new(None))
    }

    /// Returns the newest value, if there is one.
    pub(crate) fn get(&self) -> Option<&'static T> {
        *self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the newest value, or makes the first one now if there is none.
    pub(crate) fn get_or_init(&self, make: impl FnOnce() -> T) -> &'static T {
        self.get().unwrap_or_else(|| match self.make_first(make) {
            Ok(value) | Err(value) => value,
        })
    }

    /// Makes the first value and returns it. Returns the newest value as the error if there was one, or if
    /// another thread was making the first.
    pub(crate) fn make_first(&self, make: impl FnOnce() -> T) -> Result<&'static T, &'static T> {
        let mut newest = self.0.write().unwrap_or_else(PoisonError::into_inner);
        match *newest {
            Some(newest) => Err(newest),
            None => Ok(newest.insert(Box::leak(Box::new(make())))),
        }
    }

    /// Puts a newer value in the place of the newest.
    pub(crate) fn replace(&self, value: T) -> &'static T {
        let mut newest = self.0.write().unwrap_or_else(PoisonError::into_inner);
        newest.insert(Box::leak(Box::new(value)))
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
