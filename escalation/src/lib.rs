//! How hard to push and until when: a sans-io, five-level escalation ladder.
