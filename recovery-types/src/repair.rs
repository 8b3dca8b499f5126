//! How a failed task is mended.
