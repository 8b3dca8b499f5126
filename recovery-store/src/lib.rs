//! The durable, hash-chained journal of the recovery engine.
