//! A table of bounded size.

/// A full shelf forgets something.
const SHELVES: usize = 1 << 13;
const SHELF: usize = 4;

/// A table that forgets.
#[derive(Debug, Default)]
pub(super) struct Shelves<T> {
    pub slots: Vec<Marked<T>>,
    /// Which place of a full shelf is used again.
    next: usize,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Marked<T> {
    pub mark: u64,
    pub value: T,
}

impl<T: Copy + Default> Shelves<T> {
    pub fn find(&self, key: u64) -> Option<usize> {
        let first = shelf(key);
        let shelf = self.slots.get(first..first + SHELF)?;
        shelf.iter().position(|slot| slot.mark == mark(key)).map(|at| first + at)
    }

    pub fn put(&mut self, key: u64, value: T) -> usize {
        if self.slots.is_empty() {
            self.slots = vec![Marked::default(); SHELVES * SHELF];
        }
        let first = shelf(key);
        let free = self.slots[first..first + SHELF].iter().position(|slot| slot.mark == 0);
        let slot = first
            + free.unwrap_or_else(|| {
                self.next = (self.next + 1) % SHELF;
                self.next
            });
        self.slots[slot] = Marked { mark: mark(key), value };
        slot
    }
}

const fn shelf(key: u64) -> usize {
    key as usize % SHELVES * SHELF
}

/// Tells apart what stands on one shelf; never 0, which marks a free place.
pub(super) const fn mark(key: u64) -> u64 {
    key | 1
}
