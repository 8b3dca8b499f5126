//! Hook payloads of coding agents in, hook answers out.
