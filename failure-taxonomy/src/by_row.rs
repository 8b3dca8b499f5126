//! A little kept for a few of many rows.

/// What is kept for some rows of a pack.
#[derive(Debug)]
pub(crate) struct ByRow<T> {
    rows: usize,
    /// One more than the place in `kept`, zero for a row that has nothing; empty until one has something.
    places: Vec<u32>,
    kept: Vec<(usize, T)>,
}

impl<T> ByRow<T> {
    pub(crate) fn new(rows: usize) -> Self {
        Self { rows, places: Vec::new(), kept: Vec::new() }
    }

    pub(crate) fn clear(&mut self) {
        for (row, _) in self.kept.drain(..) {
            self.places[row] = 0;
        }
    }

    pub(crate) fn get(&self, row: usize) -> Option<&T> {
        let place = self.places.get(row)?.checked_sub(1)?;
        Some(&self.kept[place as usize].1)
    }

    /// What is kept for a row; `first` when there was nothing, which is also told.
    pub(crate) fn get_or_insert(&mut self, row: usize, first: T) -> (&mut T, bool) {
        self.places.resize(self.rows, 0);
        let new = self.places[row] == 0;
        if new {
            self.kept.push((row, first));
            self.places[row] = self.kept.len() as u32;
        }
        (&mut self.kept[self.places[row] as usize - 1].1, new)
    }

    /// Every row that has something, in the pack's order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &T)> {
        let mut rows: Vec<_> = self.kept.iter().map(|(row, kept)| (*row, kept)).collect();
        rows.sort_unstable_by_key(|(row, _)| *row);
        rows.into_iter()
    }
}
