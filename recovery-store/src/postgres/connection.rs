//! The connection: the runtime that drives it, and what its errors mean. How it is secured is in `tls.rs`.

use super::Address;
use crate::error::StoreError;
use std::path::PathBuf;
use std::time::Duration;
use tokio::runtime::{Handle, Runtime};
use tokio_postgres::error::SqlState;

/// A runtime that may be dropped anywhere: one that waits for its tasks when it is dropped panics within another runtime.
pub(super) struct OwnRuntime(pub(super) Option<Runtime>);

impl Drop for OwnRuntime {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

/// Drives `future` to its end. A caller that is itself driven by a runtime may not drive a second one on its thread.
pub(super) fn block_on<T: Send>(runtime: &OwnRuntime, future: impl Future<Output = T> + Send) -> T {
    let Some(runtime) = &runtime.0 else { unreachable!("a runtime is taken only when it is dropped") };
    if Handle::try_current().is_err() {
        return runtime.block_on(future);
    }
    let driven = std::thread::scope(|scope| scope.spawn(|| runtime.block_on(future)).join());
    driven.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

pub(super) fn is_undefined(error: &tokio_postgres::Error) -> bool {
    matches!(error.code(), Some(&SqlState::UNDEFINED_TABLE | &SqlState::INVALID_SCHEMA_NAME))
}

/// What the driver's or the server's answer means.
pub(super) fn explain(address: &Address, wait: Duration, error: &tokio_postgres::Error) -> StoreError {
    let (store, path) = (address.to_string(), PathBuf::from(address.to_string()));
    let mut reason = error.to_string();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        reason = format!("{reason}: {cause}");
        source = cause.source();
    }
    let Some(code) = error.code() else {
        // Connections that break have no code; neither has what this side refuses, which no other time changes.
        return match is_refused_here(error) {
            true => StoreError::Refused { store, reason },
            false => StoreError::Unavailable { store, reason },
        };
    };
    match code {
        &SqlState::LOCK_NOT_AVAILABLE => {
            StoreError::Busy { path, waited_ms: u64::try_from(wait.as_millis()).unwrap_or(u64::MAX) }
        }
        &SqlState::DISK_FULL => StoreError::DiskFull { path },
        &SqlState::READ_ONLY_SQL_TRANSACTION => StoreError::ReadOnly { path },
        code => match &code.code()[..2] {
            // Connection, resources, operator, rollback: another time it may work.
            "08" | "53" | "57" | "40" => StoreError::Unavailable { store, reason },
            // Authorisation, unknown database, missing rights.
            "28" | "3D" => StoreError::Refused { store, reason },
            "42" if *code == SqlState::INSUFFICIENT_PRIVILEGE => StoreError::Refused { store, reason },
            _ => StoreError::Io { path, reason },
        },
    }
}

/// Whether the connection failed because of how it is set up: a certificate that is not trusted, a server without TLS, a
/// password that is missing.
fn is_refused_here(error: &tokio_postgres::Error) -> bool {
    use std::error::Error as _;
    use std::io;
    let Some(cause) = error.source() else { return false };
    match cause.downcast_ref::<io::Error>() {
        Some(broken) => {
            let inner = broken.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
            matches!(inner, Some(rustls::Error::InvalidCertificate(_) | rustls::Error::AlertReceived(_)))
        }
        // The driver's own words: its errors have no kinds.
        None => ["password missing", "server does not support TLS"].contains(&cause.to_string().as_str()),
    }
}
