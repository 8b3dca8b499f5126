//! How is a failed task mended? RETRY, DECOMPOSE, PRUNE or ESCALATE with a concrete directive.
