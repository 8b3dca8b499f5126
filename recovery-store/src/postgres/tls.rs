//! How a server's certificate is checked.
//!
//! In: the `sslmode` and `sslrootcert` of an [`Address`]. Out: the driver's TLS. With `require` or stricter the certificate has to
//! come from an authority of `sslrootcert`, or from a public one, and to name the host. A certificate that is itself in
//! `sslrootcert` counts as its own authority, as in libpq: PostgreSQL's manual makes such certificates, and `webpki` refuses
//! them. With `prefer` and without `sslrootcert` nothing is checked: a server without TLS is taken too, so that a check would
//! keep out nobody but the many servers whose certificate is their own (Debian's packages make one).

use super::Address;
use crate::error::StoreError;
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use std::sync::Arc;
use tokio_postgres::config::SslMode;
use tokio_postgres_rustls::MakeRustlsConnect;

/// The TLS of connections to `address`.
pub(super) fn tls(address: &Address) -> Result<MakeRustlsConnect, StoreError> {
    let refused = |reason: String| StoreError::Refused { store: address.to_string(), reason };
    let mut roots = RootCertStore::empty();
    let mut own = Vec::new();
    match &address.root_certificates {
        None => roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned()),
        Some(path) => {
            let unreadable =
                |error: &dyn std::fmt::Display| refused(format!("cannot read {}: {error}", path.display()));
            for certificate in CertificateDer::pem_file_iter(path).map_err(|error| unreadable(&error))? {
                let certificate = certificate.map_err(|error| unreadable(&error))?;
                roots.add(certificate.clone()).map_err(|error| unreadable(&error))?;
                own.push(certificate);
            }
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let is_checked = address.config.get_ssl_mode() == SslMode::Require || address.root_certificates.is_some();
    let authorities = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider.clone())
        .build()
        .map_err(|error| refused(error.to_string()))?;
    let check = CertificateCheck { is_checked, own, authorities, provider: provider.clone() };
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| refused(error.to_string()))?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(check))
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

/// What a server's certificate has to be.
#[derive(Debug)]
struct CertificateCheck {
    is_checked: bool,
    /// The certificates of `sslrootcert`.
    own: Vec<CertificateDer<'static>>,
    authorities: Arc<WebPkiServerVerifier>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for CertificateCheck {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        chain: &[CertificateDer<'_>],
        server: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if !self.is_checked {
            return Ok(ServerCertVerified::assertion());
        }
        if self.own.iter().any(|own| own == certificate) {
            rustls::client::verify_server_name(&ParsedCertificate::try_from(certificate)?, server)?;
            return Ok(ServerCertVerified::assertion());
        }
        self.authorities.verify_server_cert(certificate, chain, server, ocsp, now)
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
