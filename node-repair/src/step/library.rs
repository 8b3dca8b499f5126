//! Steps for missing system libraries and headers, with the package of the system that the output comes from.
//!
//! In: the evidence of a [`Case`](super::Case): a compiler's, linker's, pkg-config's or CMake's message. Out: a step
//! with the install command, or with the flag that links the library where only that is missing (`LINKED`).
//! `PACKAGES` maps every name under which a library is requested to its packages; a name outside the table gets the
//! command that searches for it.

use super::platform::{Names, Platform, names};
use super::words::{about, is_package_name, quote, step};
use super::{Case, Row, Seen, first, row};
use recovery_types::{Adjustment, AdjustmentKind, RepairRequest};

/// A header or library is missing.
pub(super) fn missing(case: &Case<'_>) -> Option<Adjustment> {
    first(ROWS, case)
}

/// Symbols that no object defines, but a well-known library does: it is not linked.
pub(super) fn not_linked(case: &Case<'_>) -> Option<Adjustment> {
    let symbols: Vec<&str> = case.text.lines().filter_map(undefined_symbol).collect();
    let first = case.lines().find_map(undefined_symbol)?;
    let Some((_, flag, package)) = LINKED.iter().find(|(prefixes, _, _)| starts_with_one(first, prefixes)) else {
        return left_out(first, &symbols, case);
    };
    // Where most undefined symbols belong to no such library, an object file or the code itself is what is missing.
    let known = symbols.iter().filter(|s| LINKED.iter().any(|(p, _, _)| starts_with_one(s, p))).count();
    if known * 2 < symbols.len() {
        return None;
    }
    let from = if package.is_empty() { String::new() } else { format!(" (from {package})") };
    let text = format!("link the library that defines {first}: add {flag} to the linker's flags{from}");
    Some(Adjustment { subject: Some((*flag).to_owned()), ..step(AdjustmentKind::FixConfig, text) })
}

/// Undefined symbols of one family, used by a static library: what it needs itself is not linked.
fn left_out(first: &str, symbols: &[&str], case: &Case<'_>) -> Option<Adjustment> {
    let (prefix, _) = first.split_once('_').filter(|(prefix, _)| prefix.len() > 1)?;
    let family = format!("{prefix}_");
    let same = symbols.iter().filter(|symbol| symbol.starts_with(&family)).count();
    let is_from_archive = case.text.lines().any(|line| line.contains(".a("));
    if same < 2 || same * 2 < symbols.len() || !is_from_archive {
        return None;
    }
    let text = format!(
        "link the library that defines {first} and the other {family}* symbols: its -l flag is missing after the static library that uses them"
    );
    Some(Adjustment { subject: Some(first.to_owned()), ..step(AdjustmentKind::FixConfig, text) })
}

const ROWS: &[Row] = &[
    row("fatal error: {w}: No such file or directory", header),
    row("fatal error: '{w}' file not found", header),
    row("cannot find -l{w}: No such file or directory", |s| linked(s.hole(0), s)),
    row("ld: cannot find -l{w}", |s| linked(s.hole(0), s)),
    row("ld: library '{w}' not found", |s| linked(s.hole(0), s)),
    row("library not found for -l{w}", |s| linked(s.hole(0), s)),
    row("unable to find library -l{w}", |s| linked(s.hole(0), s)),
    row("error while loading shared libraries: {w} cannot open shared object file", |s| shared(s.hole(0), s)),
    row("{w}: cannot open shared object file: No such file or directory", |s| shared(s.hole(0), s)),
    row("Library not loaded: {w}", |s| shared(s.hole(0), s)),
    row("Package '{w}', required by 'virtual:world', not found", |s| pkg_config(s.hole(0), s)),
    row("Package {w} was not found in the pkg-config search path", |s| pkg_config(s.hole(0), s)),
    row("No package '{w}' found", |s| pkg_config(s.hole(0), s)),
    row("The system library `{w}` required by crate", |s| pkg_config(s.hole(0), s)),
    row("Dependency \"{w}\" not found", |s| pkg_config(s.hole(0), s)),
    row("Could NOT find {w}", |s| cmake(s.hole(0), s)),
    row("Could not find a package configuration file provided by \"{w}\"", |s| cmake(s.hole(0), s)),
    row("ou may need to 'apt-get install {w}'", named),
    row("ou may need to 'apt install {w}'", named),
    row("Try installing it with apt-get install {w}", named),
    row("Microsoft Visual C++ {w} or greater is required", |s| {
        let text = format!(
            "install the compiler that builds it: Microsoft Visual C++ {} or newer (the Build Tools)",
            s.hole(0)
        );
        Some(about(AdjustmentKind::InstallLibrary, "Microsoft Visual C++", text, None))
    }),
    row("pg_config executable not found", |s| any("libpq-fe.h", s.request)),
    row("mysql_config not found", |s| any("mysql.h", s.request)),
    row("mysql_config: not found", |s| any("mysql.h", s.request)),
    row("Please make sure the libxml2 and libxslt development packages are installed", |s| {
        any("libxml-2.0", s.request)
    }),
    row("Could not find function xmlCheckVersion", |s| any("libxml-2.0", s.request)),
    row("Could not find directory of OpenSSL installation", |s| any("openssl", s.request)),
    row("The headers or library files could not be found for {w}", |s| any(s.hole(0).trim_end_matches(','), s.request)),
];

/// A tool that names Debian's package itself.
fn named(seen: &Seen<'_>) -> Option<Adjustment> {
    let package = seen.hole(0).trim_end_matches([',', '.', '\'', ')']);
    let is_here = Platform::of(seen.request) == Platform::Apt && is_package_name(package);
    let command = is_here.then(|| format!("apt-get install -y {package}"));
    Some(about(AdjustmentKind::InstallLibrary, package, format!("install the system package {package}"), command))
}

/// Every package that a step may suggest for a header or library, with the index that has it.
pub(super) fn suggested_names() -> Vec<(&'static str, String)> {
    PACKAGES.iter().map(|(names, _)| ("Debian", names.apt.to_owned())).collect()
}

/// A header or library named by a diagnosis.
pub(super) fn any(name: &str, request: &RepairRequest) -> Option<Adjustment> {
    let platform = Platform::of(request);
    match package(name) {
        Some(names) => Some(install(name, names, platform)),
        None => by_name(name, platform),
    }
}

/// Packages by what they are asked for as: a header, `-l` name, shared object, pkg-config or CMake name. Debian, Fedora,
/// Alpine, Homebrew.
#[rustfmt::skip]
const PACKAGES: &[(Names, &[&str])] = &[
    (names("build-essential", "gcc-c++", "build-base", ""), &["stdio.h", "stdlib.h", "string.h", "sys/types.h", "iostream", "math.h", "limits.h"]),
    (names("default-libmysqlclient-dev", "mariadb-connector-c-devel", "mariadb-dev", "mysql-client"), &["mysql.h", "mysql/mysql.h", "mysqlclient"]),
    (names("libavcodec-dev", "", "ffmpeg-dev", "ffmpeg"), &["libavcodec/avcodec.h", "avcodec", "libavcodec"]),
    (names("libavformat-dev", "", "ffmpeg-dev", "ffmpeg"), &["libavformat/avformat.h", "avformat", "libavformat"]),
    (names("libblas-dev", "blas-devel", "", "openblas"), &["blas", "BLAS", "cblas.h"]),
    (names("libboost-all-dev", "boost-devel", "boost-dev", "boost"), &["boost/version.hpp", "Boost", "boost_system", "boost_filesystem", "boost/asio.hpp", "boost/config.hpp", "boost_program_options"]),
    (names("libbz2-dev", "bzip2-devel", "bzip2-dev", "bzip2"), &["bzlib.h", "bz2", "BZip2"]),
    (names("libcairo2-dev", "cairo-devel", "cairo-dev", "cairo"), &["cairo.h", "cairo/cairo.h", "cairo"]),
    (names("libcurl4-openssl-dev", "libcurl-devel", "curl-dev", "curl"), &["curl/curl.h", "curl", "libcurl", "CURL"]),
    (names("libdbus-1-dev", "dbus-devel", "dbus-dev", "dbus"), &["dbus/dbus.h", "dbus-1"]),
    (names("libeigen3-dev", "eigen3-devel", "eigen-dev", "eigen"), &["Eigen/Dense", "Eigen/Core", "Eigen3", "eigen3"]),
    (names("libevent-dev", "libevent-devel", "libevent-dev", "libevent"), &["event.h", "event2/event.h", "event", "libevent"]),
    (names("libexpat1-dev", "expat-devel", "expat-dev", "expat"), &["expat.h", "expat", "EXPAT"]),
    (names("libffi-dev", "libffi-devel", "libffi-dev", "libffi"), &["ffi.h", "ffi", "libffi"]),
    (names("libfontconfig-dev", "fontconfig-devel", "fontconfig-dev", "fontconfig"), &["fontconfig/fontconfig.h", "fontconfig"]),
    (names("libfreetype-dev", "freetype-devel", "freetype-dev", "freetype"), &["ft2build.h", "freetype", "freetype2", "Freetype"]),
    (names("libgl1", "mesa-libGL", "", ""), &["libGL.so.1"]),
    (names("libgl-dev", "mesa-libGL-devel", "mesa-dev", ""), &["GL/gl.h", "OpenGL", "GL"]),
    (names("libglib2.0-dev", "glib2-devel", "glib-dev", "glib"), &["glib.h", "glib-2.0"]),
    (names("libglib2.0-0", "glib2", "glib", "glib"), &["libglib-2.0.so.0", "libgthread-2.0.so.0"]),
    (names("libgmp-dev", "gmp-devel", "gmp-dev", "gmp"), &["gmp.h", "gmp", "GMP"]),
    (names("libgtest-dev", "gtest-devel", "gtest-dev", "googletest"), &["gtest/gtest.h", "gtest", "GTest"]),
    (names("libgtk-4-dev", "gtk4-devel", "gtk4.0-dev", "gtk4"), &["gtk4"]),
    (names("libgtk-3-dev", "gtk3-devel", "gtk+3.0-dev", "gtk+3"), &["gtk/gtk.h", "gtk+-3.0"]),
    (names("libicu-dev", "libicu-devel", "icu-dev", "icu4c"), &["unicode/utypes.h", "icu-uc", "icuuc", "ICU"]),
    (names("libjpeg-dev", "libjpeg-turbo-devel", "libjpeg-turbo-dev", "jpeg-turbo"), &["jpeglib.h", "jpeg", "JPEG"]),
    (names("liblapack-dev", "lapack-devel", "lapack-dev", "lapack"), &["lapack", "LAPACK"]),
    (names("libldap2-dev", "openldap-devel", "openldap-dev", "openldap"), &["ldap.h", "lber.h", "ldap"]),
    (names("liblz4-dev", "lz4-devel", "lz4-dev", "lz4"), &["lz4.h", "lz4", "liblz4"]),
    (names("liblzma-dev", "xz-devel", "xz-dev", "xz"), &["lzma.h", "lzma", "liblzma", "LibLZMA"]),
    (names("libncurses-dev", "ncurses-devel", "ncurses-dev", "ncurses"), &["ncurses.h", "curses.h", "ncurses", "tinfo", "Curses"]),
    (names("libopencv-dev", "opencv-devel", "opencv-dev", "opencv"), &["opencv2/core.hpp", "opencv2/opencv.hpp", "opencv4", "OpenCV"]),
    (names("libpcap-dev", "libpcap-devel", "libpcap-dev", "libpcap"), &["pcap.h", "pcap"]),
    (names("libpcre2-dev", "pcre2-devel", "pcre2-dev", "pcre2"), &["pcre2.h", "libpcre2-8", "pcre2-8"]),
    (names("libpng-dev", "libpng-devel", "libpng-dev", "libpng"), &["png.h", "png", "libpng", "PNG"]),
    (names("libpq-dev", "libpq-devel", "libpq-dev", "libpq"), &["libpq-fe.h", "pq", "libpq", "PostgreSQL"]),
    (names("libpq5", "libpq", "libpq", "libpq"), &["libpq.so.5"]),
    (names("libprotobuf-dev", "protobuf-devel", "protobuf-dev", "protobuf"), &["google/protobuf/message.h", "protobuf", "Protobuf"]),
    (names("libreadline-dev", "readline-devel", "readline-dev", "readline"), &["readline/readline.h", "readline"]),
    (names("libsasl2-dev", "cyrus-sasl-devel", "cyrus-sasl-dev", ""), &["sasl/sasl.h", "sasl2"]),
    (names("libsdl2-dev", "SDL2-devel", "sdl2-dev", "sdl2"), &["SDL.h", "SDL2/SDL.h", "sdl2", "SDL2"]),
    (names("libsqlite3-dev", "sqlite-devel", "sqlite-dev", "sqlite"), &["sqlite3.h", "sqlite3", "SQLite3"]),
    (names("libssl-dev", "openssl-devel", "openssl-dev", "openssl@3"), &["openssl/ssl.h", "openssl/evp.h", "openssl/opensslv.h", "openssl/sha.h", "openssl/rsa.h", "openssl/err.h", "openssl/bio.h", "openssl/crypto.h", "ssl", "crypto", "openssl", "OpenSSL", "libssl", "libcrypto"]),
    (names("libssl3", "openssl-libs", "libssl3", "openssl@3"), &["libssl.so.3", "libcrypto.so.3"]),
    (names("libudev-dev", "systemd-devel", "eudev-dev", ""), &["libudev.h", "udev", "libudev"]),
    (names("libusb-1.0-0-dev", "libusb1-devel", "libusb-dev", "libusb"), &["libusb.h", "libusb-1.0/libusb.h", "usb-1.0", "libusb-1.0"]),
    (names("libuv1-dev", "libuv-devel", "libuv-dev", "libuv"), &["uv.h", "uv", "libuv"]),
    (names("libwebp-dev", "libwebp-devel", "libwebp-dev", "webp"), &["webp/decode.h", "webp", "libwebp"]),
    (names("libx11-dev", "libX11-devel", "libx11-dev", "libx11"), &["X11/Xlib.h", "X11", "x11"]),
    (names("libxml2-dev", "libxml2-devel", "libxml2-dev", "libxml2"), &["libxml/parser.h", "libxml/tree.h", "libxml/xmlversion.h", "xml2", "libxml-2.0", "LibXml2"]),
    (names("libxslt1-dev", "libxslt-devel", "libxslt-dev", "libxslt"), &["libxslt/xslt.h", "xslt", "libxslt", "LibXslt"]),
    (names("libyaml-dev", "libyaml-devel", "yaml-dev", "libyaml"), &["yaml.h", "yaml", "yaml-0.1"]),
    (names("libzmq3-dev", "zeromq-devel", "zeromq-dev", "zeromq"), &["zmq.h", "zmq", "libzmq"]),
    (names("libzstd-dev", "libzstd-devel", "zstd-dev", "zstd"), &["zstd.h", "zstd", "libzstd"]),
    (names("portaudio19-dev", "portaudio-devel", "portaudio-dev", "portaudio"), &["portaudio.h", "portaudio", "portaudio-2.0"]),
    (names("python3-dev", "python3-devel", "python3-dev", "python"), &["Python.h", "python3", "Python3", "pyconfig.h"]),
    (names("ruby-dev", "ruby-devel", "ruby-dev", "ruby"), &["ruby.h"]),
    (names("unixodbc-dev", "unixODBC-devel", "unixodbc-dev", "unixodbc"), &["sql.h", "sqlext.h", "odbc"]),
    (names("zlib1g-dev", "zlib-devel", "zlib-dev", "zlib"), &["zlib.h", "z", "zlib", "ZLIB"]),
];

/// Libraries by the prefix of their symbols, with the flag that links them and Debian's package.
#[rustfmt::skip]
const LINKED: &[(&[&str], &str, &str)] = &[
    (&["SSL_", "TLS_", "OPENSSL_", "SSL_CTX_"], "-lssl -lcrypto", "libssl-dev"),
    (&["EVP_", "SHA1_", "SHA256_", "SHA512_", "MD5_", "RSA_", "BIO_", "ERR_", "HMAC_", "X509_", "BN_", "AES_", "CRYPTO_"], "-lcrypto", "libssl-dev"),
    (&["pthread_"], "-pthread", ""),
    (&["dlopen", "dlsym", "dlclose", "dlerror"], "-ldl", ""),
    (&["sqrt", "pow", "sin", "cos", "tan", "floor", "ceil", "exp", "log10", "fmod", "round"], "-lm", ""),
    (&["deflate", "inflate", "compress", "uncompress", "gzopen", "gzread", "gzwrite", "gzclose", "crc32", "zlibVersion"], "-lz", "zlib1g-dev"),
    (&["curl_"], "-lcurl", "libcurl4-openssl-dev"), (&["sqlite3_"], "-lsqlite3", "libsqlite3-dev"),
    (&["png_"], "-lpng", "libpng-dev"), (&["jpeg_"], "-ljpeg", "libjpeg-dev"), (&["PQ"], "-lpq", "libpq-dev"),
    (&["mysql_"], "-lmysqlclient", "default-libmysqlclient-dev"), (&["xmlParse", "xmlFree", "xmlDoc", "xmlNew"], "-lxml2", "libxml2-dev"),
    (&["BZ2_"], "-lbz2", "libbz2-dev"), (&["lzma_"], "-llzma", "liblzma-dev"), (&["ZSTD_"], "-lzstd", "libzstd-dev"),
    (&["LZ4_"], "-llz4", "liblz4-dev"), (&["g_object_", "g_type_", "g_signal_"], "-lgobject-2.0", "libglib2.0-dev"),
    (&["initscr", "endwin", "wrefresh", "newwin", "stdscr"], "-lncurses", "libncurses-dev"), (&["readline", "add_history"], "-lreadline", "libreadline-dev"),
    (&["SDL_"], "-lSDL2", "libsdl2-dev"), (&["uv_"], "-luv", "libuv1-dev"), (&["event_base_", "evbuffer_"], "-levent", "libevent-dev"),
    (&["pcap_"], "-lpcap", "libpcap-dev"), (&["zmq_"], "-lzmq", "libzmq3-dev"), (&["testing::"], "-lgtest -lgtest_main", "libgtest-dev"),
    (&["boost::filesystem"], "-lboost_filesystem", "libboost-all-dev"), (&["boost::program_options"], "-lboost_program_options", "libboost-all-dev"),
    (&["__gmpz_", "__gmp_"], "-lgmp", "libgmp-dev"), (&["yaml_"], "-lyaml", "libyaml-dev"), (&["FT_"], "-lfreetype", "libfreetype-dev"),
];

/// The symbol that a linker did not find, on this line.
fn undefined_symbol(line: &str) -> Option<&str> {
    let after = ["undefined reference to `", "undefined reference to '", "undefined symbol: "]
        .iter()
        .find_map(|words| line.split_once(words).map(|(_, after)| after))
        .or_else(|| line.trim().strip_prefix("\"_").filter(|rest| rest.contains("\", referenced from:")))?;
    let end = after.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == ':')).unwrap_or(after.len());
    Some(&after[..end]).filter(|symbol| !symbol.is_empty())
}

/// Whether a symbol is one of a library's: a prefix that ends in `_` or `:` is the start of its names, a short function
/// name must be the whole of it.
fn starts_with_one(symbol: &str, prefixes: &[&str]) -> bool {
    prefixes.iter().any(|prefix| {
        let whole = prefix.len() <= 5 && !prefix.ends_with('_') && *prefix != "PQ";
        if whole {
            symbol == *prefix || symbol.strip_suffix(['f', 'l']) == Some(prefix)
        } else {
            symbol.starts_with(prefix)
        }
    })
}

fn package(name: &str) -> Option<&'static Names> {
    PACKAGES.iter().find(|(_, asked)| asked.contains(&name)).map(|(package, _)| package)
}

fn install(name: &str, names: &'static Names, platform: Platform) -> Adjustment {
    let package = platform.name(names);
    let text = match package {
        "" => format!("install the system library that has {name}"),
        package => format!("install the system package {package}, which has {name}"),
    };
    about(AdjustmentKind::InstallLibrary, name, text, platform.install(names))
}

/// A library whose package is not in the table: the tool that finds it.
fn by_name(name: &str, platform: Platform) -> Option<Adjustment> {
    let command = if is_package_name(name) { platform.find(name) } else { None };
    let find = if command.is_some() { "; find it" } else { "" };
    let text = format!("install the system package that has {name}{find}");
    Some(about(AdjustmentKind::InstallLibrary, name, text, command))
}

/// A header of the system, or one of the project that the compiler does not find.
fn header(seen: &Seen<'_>) -> Option<Adjustment> {
    let name = seen.hole(0);
    let file = name.rsplit('/').next().unwrap_or(name);
    let is_header = [".h", ".hpp", ".hh", ".hxx"].iter().any(|end| name.ends_with(end)) || !file.contains('.');
    if !is_header {
        return None;
    }
    let own = seen.request.candidates.iter().find(|path| path.rsplit(['/', '\\']).next() == Some(file));
    if let Some(own) = own {
        let directory = own.strip_suffix(name).map_or(".", |d| d.trim_end_matches('/'));
        let directory = if directory.is_empty() { "." } else { directory };
        let text = format!("let the compiler look in {directory} (-I), {own} is there");
        let candidates = vec![own.clone()];
        return Some(Adjustment { candidates, ..about(AdjustmentKind::CorrectPath, name, text, None) });
    }
    if package(name).is_some() || (name.contains('/') && !name.starts_with(['.', '/'])) {
        return any(name, seen.request);
    }
    // A header in no known package may as well be one of the project that is not on the include path.
    let text = format!("correct the include path, or install what has {name}: {}", quote(seen.line));
    Some(Adjustment { subject: Some(name.to_owned()), ..step(AdjustmentKind::FixConfig, text) })
}

fn linked(name: &str, seen: &Seen<'_>) -> Option<Adjustment> {
    let name = name.trim_end_matches([':', ',', '.', '\'']);
    match package(name) {
        Some(names) => Some(install(&format!("lib{name}"), names, Platform::of(seen.request))),
        None => by_name(&format!("lib{name}.so"), Platform::of(seen.request)),
    }
}

fn shared(name: &str, seen: &Seen<'_>) -> Option<Adjustment> {
    let name = name.trim_end_matches(':').rsplit(": ").next()?.trim_matches(['\'', '"']);
    let is_library = name.contains(".so") || name.contains(".dylib");
    if is_library { any(name, seen.request) } else { None }
}

fn pkg_config(name: &str, seen: &Seen<'_>) -> Option<Adjustment> {
    match package(name) {
        Some(_) => any(name, seen.request),
        None => by_name(&format!("{name}.pc"), Platform::of(seen.request)),
    }
}

/// CMake prints `Could NOT find X` for what it does without, too: then the line names what is missing only in brackets.
fn cmake(name: &str, seen: &Seen<'_>) -> Option<Adjustment> {
    match package(name) {
        Some(_) => any(name, seen.request),
        None => {
            let text = format!("install the library {name} with its CMake files: {}", quote(seen.line));
            Some(Adjustment { subject: Some(name.to_owned()), ..step(AdjustmentKind::InstallLibrary, text) })
        }
    }
}
