//! System libraries and headers, with the package that has them.

use super::{Row, Seen, about, row};
use recovery_types::{Adjustment, AdjustmentKind};

/// What missing headers and libraries look like.
pub(super) const ROWS: &[Row] = &[
    row("fatal error: {w}: No such file or directory", header),
    row("fatal error: '{w}' file not found", header),
    row("ld: cannot find -l{w}", |s| linked(s.hole(0))),
    row("ld: library '{w}' not found", |s| linked(s.hole(0))),
    row("unable to find library -l{w}", |s| linked(s.hole(0))),
    row("error while loading shared libraries: {w} cannot open shared object file", |s| shared(s.hole(0))),
    row("OSError: {w} cannot open shared object file", |s| shared(s.hole(0))),
    row("ImportError: {w} cannot open shared object file", |s| shared(s.hole(0))),
    row("Package '{w}', required by 'virtual:world', not found", |s| pkg_config(s.hole(0))),
    row("Package {w} was not found in the pkg-config search path", |s| pkg_config(s.hole(0))),
    row("No package '{w}' found", |s| pkg_config(s.hole(0))),
    row("The system library `{w}` required by crate", |s| pkg_config(s.hole(0))),
    row("Could NOT find {w}", |s| cmake(s.hole(0))),
    row("Could not find a package configuration file provided by \"{w}\"", |s| cmake(s.hole(0))),
    row("pg_config executable not found", |_| install("libpq", "libpq-dev")),
    row("mysql_config not found", |_| install("libmysqlclient", "default-libmysqlclient-dev")),
    row("xmlCheckVersion", |_| install("libxml2", "libxml2-dev")),
    row("Could not find directory of OpenSSL installation", |_| install("openssl", "libssl-dev")),
];

/// A header or library named by a diagnosis.
pub(super) fn any(name: &str) -> Option<Adjustment> {
    package(name).map_or_else(|| by_name(name), |package| install(name, package))
}

/// Debian packages by what they are called: a header, `-l` name, shared object, pkg-config or CMake name.
#[rustfmt::skip]
const PACKAGES: &[(&str, &[&str])] = &[
    ("build-essential", &["stdio.h", "stdlib.h", "string.h", "sys/types.h", "iostream"]),
    ("default-libmysqlclient-dev", &["mysql.h", "mysql/mysql.h", "mysqlclient"]),
    ("libavcodec-dev", &["libavcodec/avcodec.h", "avcodec", "libavcodec"]),
    ("libboost-all-dev", &["boost/version.hpp", "Boost", "boost_system", "boost_filesystem", "boost/asio.hpp"]),
    ("libbz2-dev", &["bzlib.h", "bz2", "BZip2"]),
    ("libcairo2-dev", &["cairo.h", "cairo/cairo.h", "cairo"]),
    ("libcurl4-openssl-dev", &["curl/curl.h", "curl", "libcurl", "CURL"]),
    ("libdbus-1-dev", &["dbus/dbus.h", "dbus-1"]),
    ("libexpat1-dev", &["expat.h", "expat", "EXPAT"]),
    ("libffi-dev", &["ffi.h", "ffi", "libffi"]),
    ("libfreetype-dev", &["ft2build.h", "freetype", "freetype2", "Freetype"]),
    ("libgl1", &["libGL.so.1"]),
    ("libglib2.0-dev", &["glib.h", "glib-2.0"]),
    ("libglib2.0-0", &["libglib-2.0.so.0", "libgthread-2.0.so.0"]),
    ("libgtest-dev", &["gtest/gtest.h", "gtest", "GTest"]),
    ("libgtk-3-dev", &["gtk/gtk.h", "gtk+-3.0"]),
    ("libjpeg-dev", &["jpeglib.h", "jpeg", "JPEG"]),
    ("libldap2-dev", &["ldap.h", "lber.h", "ldap"]),
    ("liblzma-dev", &["lzma.h", "lzma", "liblzma", "LibLZMA"]),
    ("libncurses-dev", &["ncurses.h", "curses.h", "ncurses", "tinfo", "Curses"]),
    ("libpcap-dev", &["pcap.h", "pcap"]),
    ("libpng-dev", &["png.h", "png", "libpng", "PNG"]),
    ("libpq-dev", &["libpq-fe.h", "pq", "libpq", "PostgreSQL"]),
    ("libpq5", &["libpq.so.5"]),
    ("libprotobuf-dev", &["google/protobuf/message.h", "protobuf", "Protobuf"]),
    ("libreadline-dev", &["readline/readline.h", "readline"]),
    ("libsasl2-dev", &["sasl/sasl.h", "sasl2"]),
    ("libsdl2-dev", &["SDL.h", "SDL2/SDL.h", "sdl2", "SDL2"]),
    ("libsqlite3-dev", &["sqlite3.h", "sqlite3", "SQLite3"]),
    ("libssl-dev", &["openssl/ssl.h", "openssl/evp.h", "openssl/opensslv.h", "ssl", "crypto", "openssl", "OpenSSL"]),
    ("libudev-dev", &["libudev.h", "udev", "libudev"]),
    ("libusb-1.0-0-dev", &["libusb.h", "libusb-1.0/libusb.h", "usb-1.0", "libusb-1.0"]),
    ("libuv1-dev", &["uv.h", "uv", "libuv"]),
    ("libwebp-dev", &["webp/decode.h", "webp", "libwebp"]),
    ("libx11-dev", &["X11/Xlib.h", "X11", "x11"]),
    ("libxml2-dev", &["libxml/parser.h", "libxml/tree.h", "xml2", "libxml-2.0", "LibXml2"]),
    ("libxslt1-dev", &["libxslt/xslt.h", "xslt", "libxslt"]),
    ("libyaml-dev", &["yaml.h", "yaml", "yaml-0.1"]),
    ("libzmq3-dev", &["zmq.h", "zmq", "libzmq"]),
    ("libzstd-dev", &["zstd.h", "zstd", "libzstd"]),
    ("portaudio19-dev", &["portaudio.h", "portaudio", "portaudio-2.0"]),
    ("python3-dev", &["Python.h", "python3", "Python3"]),
    ("ruby-dev", &["ruby.h"]),
    ("unixodbc-dev", &["sql.h", "sqlext.h", "odbc"]),
    ("zlib1g-dev", &["zlib.h", "z", "zlib", "ZLIB"]),
];

fn package(name: &str) -> Option<&'static str> {
    PACKAGES.iter().find(|(_, names)| names.contains(&name)).map(|(package, _)| *package)
}

fn install(name: &str, package: &str) -> Option<Adjustment> {
    let text = format!("install `{package}`, which has `{name}`");
    Some(about(AdjustmentKind::InstallLibrary, name, text, Some(format!("apt-get install -y {package}"))))
}

/// A library whose package is not in the table: the tool that finds it.
fn by_name(name: &str) -> Option<Adjustment> {
    let plain = super::is_plain_word(name);
    let command = plain.then(|| format!("apt-file search {name}"));
    let text = format!("install the package that has `{name}`; find it");
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
        let command = super::is_plain_word(directory).then(|| format!("-I{directory}"));
        let text = format!("let the compiler look in `{directory}`, `{own}` is there");
        let candidates = vec![own.clone()];
        return Some(Adjustment { candidates, ..about(AdjustmentKind::CorrectPath, name, text, command) });
    }
    any(name)
}

fn linked(name: &str) -> Option<Adjustment> {
    let name = name.trim_end_matches([':', ',', '.']);
    package(name).map_or_else(|| by_name(&format!("lib{name}.so")), |package| install(&format!("lib{name}"), package))
}

fn shared(name: &str) -> Option<Adjustment> {
    any(name.trim_end_matches(':'))
}

fn pkg_config(name: &str) -> Option<Adjustment> {
    package(name).map_or_else(|| by_name(&format!("{name}.pc")), |package| install(name, package))
}

fn cmake(name: &str) -> Option<Adjustment> {
    package(name).map_or_else(|| by_name(&format!("{name}Config.cmake")), |package| install(name, package))
}
