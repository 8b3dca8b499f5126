//! What the ladder promises, each promise in its own file.

mod exhaustive;
mod matrix;
mod model;
mod records;
mod restore;
mod script;
mod wakeups;
mod walkthroughs;
