//! A sparse map from row numbers: most rows of a pack never occur in one output.

/// Values for some rows.
#[derive(Debug)]
pub(super) struct ByRow<T> {
    rows: usize,
    /// By row: one more than the index in `entries`, or zero. Empty until the first entry.
    index: Vec<u32>,
    entries: Vec<(usize, T)>,
}

impl<T> ByRow<T> {
    pub(super) fn new(rows: usize) -> Self {
        Self { rows, index: Vec::new(), entries: Vec::new() }
    }

    pub(super) fn clear(&mut self) {
        for (row, _) in self.entries.drain(..) {
            self.index[row] = 0;
        }
    }

    pub(super) fn get(&self, row: usize) -> Option<&T> {
        let index = self.index.get(row)?.checked_sub(1)?;
        Some(&self.entries[index as usize].1)
    }

    pub(super) fn get_or_insert(&mut self, row: usize, value: T) -> &mut T {
        self.index.resize(self.rows, 0);
        if self.index[row] == 0 {
            self.entries.push((row, value));
            self.index[row] = self.entries.len() as u32;
        }
        &mut self.entries[self.index[row] as usize - 1].1
    }

    /// The entries in the order of rows.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &T)> {
        let mut entries: Vec<_> = self.entries.iter().map(|(row, value)| (*row, value)).collect();
        entries.sort_unstable_by_key(|(row, _)| *row);
        entries.into_iter()
    }
}
