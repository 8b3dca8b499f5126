//! The connection: the runtime that drives it, how it is secured, and what its errors mean.

use super::Address;
use crate::error::StoreError;
use std::path::PathBuf;
use std::sync::Arc;
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

/// How a certificate is checked: against the authorities of the address, else against the public ones.
pub(super) fn tls(address: &Address) -> Result<tokio_postgres_rustls::MakeRustlsConnect, StoreError> {
    use rustls::pki_types::CertificateDer;
    use rustls::pki_types::pem::PemObject as _;
    let refused = |reason: String| StoreError::Refused { store: address.to_string(), reason };
    let mut roots = rustls::RootCertStore::empty();
    match &address.root_certificates {
        None => roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned()),
        Some(path) => {
            let unreadable =
                |error: &dyn std::fmt::Display| refused(format!("cannot read {}: {error}", path.display()));
            for certificate in CertificateDer::pem_file_iter(path).map_err(|error| unreadable(&error))? {
                let certificate = certificate.map_err(|error| unreadable(&error))?;
                roots.add(certificate).map_err(|error| unreadable(&error))?;
            }
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let versions = rustls::ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config =
        versions.map_err(|error| refused(error.to_string()))?.with_root_certificates(roots).with_no_client_auth();
    Ok(tokio_postgres_rustls::MakeRustlsConnect::new(config))
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
    // Connections that break have no code.
    let Some(code) = error.code() else { return StoreError::Unavailable { store, reason } };
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
