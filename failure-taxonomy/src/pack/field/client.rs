//! What network clients say in their own words: libcurl wherever it is embedded, .NET, BusyBox, resolvers, Perl, BEAM.

use super::{Row, decisive};
use recovery_types::ErrorType::{ConnectionFailure, MissingCredentials, NetworkTimeout, Other, WrongOutputFormat};

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
    decisive("libcurl.peer-certificate", "ssl peer certificate or ssh remote key was not ok", Other, "[60] SSL peer certificate or SSH remote key was not OK", "a certificate").tool("tls"),
    decisive("libcurl.login", "login denied", MissingCredentials, "[67] Login denied", "a login").pattern(r"^(?:.*: )?(?:\[67\] )?Login denied$"),
    decisive("libcurl.code", "curl error ", ConnectionFailure, "cURL error 7: Failed to connect to api.example.org port 443", "a curl error page").pattern(r"(?i)curl error \(?(?:5|6|7|18|35|52|55|56|92)\b"),
    decisive("libcurl.code-timeout", "curl error ", NetworkTimeout, "- Curl error (28): Timeout was reached for http://mirror.example.org/repomd.xml", "curl error 2").pattern(r"(?i)curl error \(?28\b"),
    decisive("libcurl.code-tls", "curl error ", Other, "cURL error 60: SSL certificate problem: unable to get local issuer certificate", "curl error 6").pattern(r"(?i)curl error \(?60\b").tool("tls"),

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
    decisive("rustls.issuer", "invalid peer certificate", Other, "error trying to connect: invalid peer certificate: UnknownIssuer", "a peer certificate").tool("tls"),
    decisive("xml.go", "xml syntax error on line", WrongOutputFormat, "XML syntax error on line 1: unquoted or missing attribute value in element", "an xml line"),
];
