//! What network clients say in their own words: curl and libcurl wherever it is embedded, wget, ssh, rsync, .NET,
//! BusyBox, resolvers, Perl, BEAM.

use super::{Row, decisive, success};
use recovery_types::ErrorType::{
    ConnectionFailure, FileNotFound, InvalidArgument, MissingCredentials, NetworkTimeout, Other, ServiceUnavailable,
    UntrustedCertificate, WrongOutputFormat,
};

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    // libcurl, in the words of whoever embeds it
    decisive("libcurl.tls", "ssl connect error", ConnectionFailure, "While fetching https://cdn.example.org/a: [35] SSL connect error", "ssl connection").pattern(r"(?i)\bssl connect error\b"),
    decisive("libcurl.resolve", "couldn't resolve host name", ConnectionFailure, "[6] Couldn't resolve host name", "host name"),
    decisive("libcurl.proxy", "couldn't resolve proxy name", ConnectionFailure, "[5] Couldn't resolve proxy name", "proxy name"),
    decisive("libcurl.receive", "failure when receiving data from the peer", ConnectionFailure, "[56] Failure when receiving data from the peer", "the peer"),
    decisive("libcurl.send", "failed sending data to the peer", ConnectionFailure, "[55] Failed sending data to the peer", "the peer"),
    decisive("libcurl.nothing", "server returned nothing (no headers, no data)", ConnectionFailure, "[52] Server returned nothing (no headers, no data)", "nothing"),
    decisive("libcurl.partial", "transferred a partial file", ConnectionFailure, "[18] Transferred a partial file", "a partial file"),
    decisive("libcurl.peer-certificate", "ssl peer certificate or ssh remote key was not ok", UntrustedCertificate, "[60] SSL peer certificate or SSH remote key was not OK", "a certificate"),
    decisive("libcurl.login", "login denied", MissingCredentials, "[67] Login denied", "a login").pattern(r"^(?:.*: )?(?:\[67\] )?Login denied$"),
    decisive("libcurl.code", "curl error ", ConnectionFailure, "cURL error 7: Failed to connect to api.example.org port 443", "a curl error page").pattern(r"(?i)curl error \(?(?:5|6|7|18|35|52|55|56|92)\b"),
    decisive("libcurl.code-timeout", "curl error ", NetworkTimeout, "- Curl error (28): Timeout was reached for http://mirror.example.org/repomd.xml", "curl error 2").pattern(r"(?i)curl error \(?28\b"),
    decisive("libcurl.code-tls", "curl error ", UntrustedCertificate, "cURL error 60: SSL certificate problem: unable to get local issuer certificate", "curl error 6").pattern(r"(?i)curl error \(?60\b"),

    // .NET, Windows
    decisive("dotnet.no-host", "no such host is known", ConnectionFailure, "System.Net.Http.HttpRequestException: No such host is known. (api.example.org:443)", "such a host"),
    decisive("dotnet.remote-name", "the remote name could not be resolved", ConnectionFailure, "System.Net.WebException: The remote name could not be resolved: 'api.example.org'", "the remote name"),
    decisive("dotnet.transport", "unable to read data from the transport connection", ConnectionFailure, "System.IO.IOException: Unable to read data from the transport connection: Connection reset by peer.", "transport"),
    decisive("dotnet.refused", "actively refused it", ConnectionFailure, "No connection could be made because the target machine actively refused it.", "refused it"),
    decisive("dotnet.not-respond", "did not properly respond after a period of time", NetworkTimeout, "A connection attempt failed because the connected party did not properly respond after a period of time", "a period of time"),
    decisive("dotnet.client-timeout", "httpclient.timeout of", NetworkTimeout, "The request was canceled due to the configured HttpClient.Timeout of 100 seconds elapsing.", "a timeout"),
    decisive("dotnet.ssl", "the ssl connection could not be established", ConnectionFailure, "System.Net.Http.HttpRequestException: The SSL connection could not be established, see inner exception.", "an ssl connection"),

    // Small clients and resolvers
    decisive("busybox.address", "wget: bad address", ConnectionFailure, "wget: bad address 'mirror.example.org'", "an address"),
    decisive("musl.resolve", "name does not resolve", ConnectionFailure, "getaddrinfo: Name does not resolve", "a name").pattern(r"(?i)\bname does not resolve\b"),
    decisive("dns.nxdomain", "nxdomain", ConnectionFailure, "** server can't find db.example.invalid: NXDOMAIN", "nxdomains").pattern(r"\bNXDOMAIN\b|:nxdomain\b"),
    decisive("dns.no-servers", "no servers could be reached", ConnectionFailure, ";; no servers could be reached", "the servers"),
    decisive("ping.loss", "100% packet loss", ConnectionFailure, "3 packets transmitted, 0 received, 100% packet loss, time 2031ms", "0% packet loss"),
    decisive("php.getaddrinfo", "php_network_getaddresses", ConnectionFailure, "php_network_getaddresses: getaddrinfo failed: Name or service not known", "addresses"),
    decisive("perl.lwp", "500 can't connect to", ConnectionFailure, "500 Can't connect to api.example.org:443 (Connection refused)", "connect to"),
    decisive("perl.lwp-timeout", "500 read timeout", NetworkTimeout, "500 read timeout at fetch.pl line 9.", "a read timeout"),
    decisive("beam.refused", ":econnrefused", ConnectionFailure, "** (Mint.TransportError) {:error, :econnrefused}", "econnrefused"),
    decisive("beam.error-tuple", "{error,econn", ConnectionFailure, "{error,econnrefused}", "an error"),
    decisive("apple.url-timeout", "nsurlerrordomain", NetworkTimeout, "Error Domain=NSURLErrorDomain Code=-1001 \"The request timed out.\"", "a domain").pattern(r"Code=-1001\b"),
    decisive("apple.url", "nsurlerrordomain", ConnectionFailure, "Error Domain=NSURLErrorDomain Code=-1004 \"Could not connect to the server.\"", "a domain").pattern(r"Code=-100[3-69]\b"),
    decisive("rustls.issuer", "invalid peer certificate", UntrustedCertificate, "error trying to connect: invalid peer certificate: UnknownIssuer", "a peer certificate"),

    // curl, wget
    decisive("wget.giving-up", "giving up.", ConnectionFailure, "2024-01-01 10:00:00 (1 MB/s) - Connection closed at byte 527. Giving up.", "giving up. not yet").pattern(r"Giving up\.$").aside().tool("wget"),
    decisive("wget.no-data", "no data received", ConnectionFailure, "Read error (Connection reset by peer) in headers. No data received.", "no data"),
    decisive("wget.scheme", "unsupported scheme", InvalidArgument, "htp://x: Unsupported scheme 'htp'.", "supported schemes").pattern(r"(?i)unsupported scheme\b"),
    decisive("wget.error-5xx", "error 50", ServiceUnavailable, "2024-01-01 10:00:00 ERROR 503: Service Unavailable.", "error 50 times").pattern(r"ERROR 50[0-35-9]: "),
    success("wget.saved", " saved [", "2024-01-01 10:00:00 (188 MB/s) - 'blob.bin' saved [200000/200000]", "saved").pattern(r"saved \[\d+"),
    decisive("curl.dns", "curl: (6)", ConnectionFailure, "curl: (6) Could not resolve host: x", "curl: (60) x").tool("curl"),
    decisive("curl.connect", "curl: (7)", ConnectionFailure, "curl: (7) Failed to connect to x port 80", "curl: (77)").tool("curl"),
    decisive("curl.partial", "curl: (18)", ConnectionFailure, "curl: (18) transfer closed with 10 bytes remaining to read", "curl: (1)").tool("curl"),
    decisive("curl.timeout", "curl: (28)", NetworkTimeout, "curl: (28) Operation timed out after 1001 milliseconds", "curl: (2)").tool("curl"),
    decisive("curl.tls", "curl: (35)", ConnectionFailure, "curl: (35) OpenSSL SSL_connect: SSL_ERROR_SYSCALL", "curl: (3)").tool("curl"),
    decisive("curl.empty", "curl: (52)", ConnectionFailure, "curl: (52) Empty reply from server", "curl: (5)").tool("curl"),
    decisive("curl.send", "curl: (55)", ConnectionFailure, "curl: (55) Send failure: Broken pipe", "curl: (5)").tool("curl"),
    decisive("curl.recv", "curl: (56)", ConnectionFailure, "curl: (56) Recv failure: Connection reset by peer", "curl: (5)").tool("curl"),
    decisive("curl.http2", "curl: (92)", ConnectionFailure, "curl: (92) HTTP/2 stream 1 was not closed cleanly", "curl: (9)").tool("curl"),
    decisive("curl.url", "curl: (3)", InvalidArgument, "curl: (3) URL rejected: Malformed input to a URL function", "curl: (30)").tool("curl"),
    decisive("curl.protocol", "curl: (1)", InvalidArgument, "curl: (1) Protocol \"htp\" not supported", "curl: (10)").tool("curl"),
    decisive("curl.option", "curl: (2)", InvalidArgument, "curl: (2) no URL specified", "curl: (28)").tool("curl"),
    decisive("curl.help", "curl: try 'curl", InvalidArgument, "curl: try 'curl --help' for more information", "try curl").tool("curl"),
    decisive("curl.file", "curl: (37)", FileNotFound, "curl: (37) Couldn't open file /x", "curl: (3)").tool("curl"),
    decisive("curl.read", "curl: (26)", FileNotFound, "curl: (26) Failed to open/read local data from file/application", "curl: (2)").tool("curl"),
    decisive("curl.verify", "curl: (60)", Other, "curl: (60) SSL certificate problem", "curl: (6)").tool("curl"),
    decisive("curl.login", "curl: (67)", MissingCredentials, "curl: (67) Access denied: 530", "curl: (6)").tool("curl"),
    decisive("curl.unknown-option", ": is unknown", InvalidArgument, "curl: option --foo: is unknown", "it is unknown").tool("curl").pattern(r"option \S+: is unknown"),

    // ssh, rsync
    decisive("ssh.publickey", "permission denied (", MissingCredentials, "git@github.com: Permission denied (publickey).", "Permission denied (os error 13)").pattern(r"Permission denied \((?:publickey|password|keyboard|gssapi|hostbased)"),
    decisive("ssh.try-again", "permission denied, please try again", MissingCredentials, "Permission denied, please try again.", "permission denied"),
    decisive("ssh.too-many-auth", "too many authentication failures", MissingCredentials, "Received disconnect from x: Too many authentication failures", "authentication"),
    decisive("ssh.host-key", "host key verification failed", Other, "Host key verification failed.", "host key verified"),
    decisive("ssh.kex", "kex_exchange_identification", ConnectionFailure, "kex_exchange_identification: Connection closed by remote host", "key exchange"),
    decisive("ssh.key-permissions", "unprotected private key file", MissingCredentials, "@  WARNING: UNPROTECTED PRIVATE KEY FILE!  @", "private key file").aside(),
    decisive("ssh.bad-option", "bad configuration option", InvalidArgument, "command-line: line 0: Bad configuration option: keepalives", "option"),
    decisive("ssh.load-key", "load key ", WrongOutputFormat, "Load key \"k\": error in libcrypto", "load key ok").pattern(r"(?i)load key .*: (?:error in libcrypto|invalid format)"),
    decisive("ssh.bad-port", "bad port '", InvalidArgument, "Bad port '99999'", "bad port"),
    decisive("rsync.timeout", "timeout in data send/receive", NetworkTimeout, "rsync error: timeout in data send/receive (code 30) at io.c(200)", "timeout").tool("rsync"),
];
