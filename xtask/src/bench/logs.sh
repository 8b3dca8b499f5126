#!/usr/bin/env bash
# Makes the logs that `cargo xtask bench` measures on, by running real tools on real projects: logs.sh DIRECTORY
#
# Out: DIRECTORY/green/*.log of runs that ended with 0, DIRECTORY/red/*.log of the others. What is there already is kept, so an
# interrupted run can be repeated. A tool that is not installed is named and left out. Nothing is committed: the logs hold other
# projects' texts. Projects come from the registries of cargo, npm, pip and Debian, so no tool needs more than they offer; peers.sh
# installs the tools.
set -uo pipefail
out=$(realpath -m "$1")
# Outside, so that no project takes ours for its workspace.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out/green" "$out/red" "$work"

# log NAME TOOL SCRIPT: the output of a shell script, filed by how it ended.
log() {
    local name=$1 tool=$2 script=$3
    if [ -e "$out/green/$name.log" ] || [ -e "$out/red/$name.log" ]; then return; fi
    if ! command -v "$tool" >/dev/null; then echo "$name: left out, $tool is not installed" >&2; return; fi
    mkdir -p "$work/$name"
    local kind=green status=0
    (cd "$work/$name" && timeout "${LOG_SECONDS:-900}" bash -c "$script") >"$work/$name.part" 2>&1 </dev/null || { kind=red status=$?; }
    # What was cut off is neither; 92 is a download of ours that failed.
    if [ $status = 124 ] || [ $status = 92 ]; then echo "$name: left out, it ended with $status" >&2 && return; fi
    mv "$work/$name.part" "$out/$kind/$name.log"
    echo "$name: $kind, $(stat -c %s "$out/$kind/$name.log") bytes" >&2
}

# The source of a crate, unpacked in the current directory.
crate() { curl -fsSL --retry 3 -o crate.tgz "https://static.crates.io/crates/$1/$1-$2.crate" && tar xzf crate.tgz --strip-components=1 || exit 92; }
# The source of a Python package, unpacked in the current directory.
sdist() { pip download -q --no-deps --no-binary :all: -d . "$1" && tar xzf ./*.tar.gz --strip-components=1 || exit 92; }
export -f crate sdist
export CARGO_TERM_COLOR=never PIP_DISABLE_PIP_VERSION_CHECK=1 DEBIAN_FRONTEND=noninteractive
unset RUSTFLAGS CARGO_TARGET_DIR

# npm: verbose installs of large trees, a build, tests, lint errors, conflicts, missing things.
log npm-install npm 'npm init -y && npm install --loglevel silly webpack webpack-cli eslint jest typescript @babel/core'
log npm-install-vite npm 'npm init -y && npm install --loglevel verbose vite react react-dom @vitejs/plugin-react express mongoose'
log npm-conflict npm 'npm init -y && npm install --loglevel verbose react@17 @testing-library/react@14'
log npm-missing npm 'npm init -y && npm install --loglevel silly lodash no-such-package-6f1d2'
log npm-gyp npm 'npm init -y && CXX=/bin/false npm install --loglevel verbose --build-from-source bufferutil@4.0.7'
log tsc-errors npm 'npm init -y && npm install -s typescript@5 date-fns@2 && npx tsc --strict --noUncheckedIndexedAccess --checkJs --allowJs --outDir o node_modules/date-fns/esm/*/index.js'
log eslint-errors npm 'npm init -y && npm install -s eslint@8 lodash@4 && cp -r node_modules/lodash src && npx eslint --no-eslintrc --env browser --rule "{no-var: 2, eqeqeq: 2, no-undef: 2, prefer-const: 2}" src'
log node-test node 'npm pack -s semver@7 && tar xzf semver-*.tgz && cd package && for f in functions/*.js ranges/*.js; do printf "require(\"node:test\").test(\"%s\", () => { require(\"./%s\")(\"1.2.3\", \"1.2.4\") })\n" "$f" "$f"; done > all.test.js && node --test all.test.js'

# Maven: a small project as it is, then without a dependency, with a compile error, with failing tests. The plugins are Debian's, so
# no registry of Maven is needed.
mvn_project() {
    local n code=src/main/java/a test=src/test/java/a
    mkdir -p $code $test
    cat >pom.xml <<-'END'
	<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>a</artifactId><version>1</version>
	<properties><maven.compiler.release>17</maven.compiler.release></properties>
	<dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.x</version></dependency></dependencies>
	</project>
	END
    for n in $(seq 40); do
        echo "package a; public class Sum$n { public static int of(int x) { return x + $n; } }" >$code/Sum$n.java
        printf '%s\n' "package a; import org.junit.*; public class Sum${n}Test {" \
            "@Test public void adds() { Assert.assertEquals($n, Sum$n.of(0)); }" \
            "@Test public void keeps() { Assert.assertEquals($n + 1, Sum$n.of(1)); } }" >$test/Sum${n}Test.java
    done
}
export -f mvn_project
mvn='mvn -o -X -B -Dmaven.repo.local=/usr/share/maven-repo package'
log maven-build mvn "mvn_project && $mvn"
log maven-missing mvn "mvn_project && sed -i 's/>junit</>junit-none</g' pom.xml && $mvn"
log maven-compile-error mvn "mvn_project && sed -i 's/int x/long x/' src/main/java/a/*.java && $mvn"
log maven-test-failure mvn "mvn_project && sed -i 's/x +/x -/' src/main/java/a/Sum*.java && $mvn"

# C and C++: sources that crates bring along, with make, and a compiler that talks.
log make-build make 'crate tikv-jemalloc-sys 0.6.0+5.3.0-1-ge13ca993e8ccb9ba9847cc330696e02839f328f7 && cp configure/configure jemalloc && cd jemalloc && ./configure --disable-cxx && make V=1 -j2'
log make-missing-header make 'crate tikv-jemalloc-sys 0.6.0+5.3.0-1-ge13ca993e8ccb9ba9847cc330696e02839f328f7 && cp configure/configure jemalloc && cd jemalloc && ./configure --disable-cxx && rm include/jemalloc/internal/mutex.h && make -k -j2'
log make-check make 'crate tikv-jemalloc-sys 0.6.0+5.3.0-1-ge13ca993e8ccb9ba9847cc330696e02839f328f7 && cp configure/configure jemalloc && cd jemalloc && ./configure --disable-cxx && make -j2 && make check_unit'
log gcc-warnings gcc 'crate libsqlite3-sys 0.36.0 && gcc -Wall -Wextra -Wconversion -Wshadow -c sqlite3/sqlite3.c'
log gcc-errors gcc 'crate libsqlite3-sys 0.36.0 && sed -i "s/sqlite3_int64 /sqlite3_no_such_type /" sqlite3/sqlite3.c && gcc -fmax-errors=0 -c sqlite3/sqlite3.c'
# snappy brings a CMakeLists.txt, and so does libgit2, which is far larger.
snappy='crate snappy_src 0.2.5+snappy.1.2.2 && cd snappy'
libgit2='crate libgit2-sys 0.18.0+1.9.0 && cd libgit2'
cmake='cmake -S . -B b -DSNAPPY_BUILD_TESTS=OFF -DSNAPPY_BUILD_BENCHMARKS=OFF -DBUILD_TESTS=OFF -DBUILD_CLI=OFF && cmake --build b -v -- -k -j2'
log cmake-snappy cmake "$snappy && $cmake"
log cmake-snappy-errors cmake "$snappy && sed -i 's/uint32_t /uint32_no_such_t /' *.cc && $cmake"
log cmake-libgit2 cmake "$libgit2 && $cmake"
log cmake-libgit2-errors cmake "$libgit2 && sed -i 's/size_t /size_no_such_t /' src/libgit2/*.c && $cmake"
log cmake-configure-error cmake "$libgit2 && cmake -S . -B b --debug-output -DUSE_HTTPS=OpenSSL -DOPENSSL_ROOT_DIR=/no/such -DREGEX_BACKEND=no-such"

# Go: its own standard library, built and tested.
log go-build-x go 'GOCACHE=$PWD/c GOFLAGS=-mod=mod go build -x -a strings net/http encoding/json'
log go-test-v go 'GOCACHE=$PWD/c go test -v strings bytes strconv sort regexp encoding/json text/template go/parser'
log go-vet go 'GOCACHE=$PWD/c go test -run NoSuch -race no/such/package strings'

# Python: wheels from sources, tests, types, style.
log pip-verbose pip 'python3 -m venv v && v/bin/pip install -vvv --no-binary cffi,markupsafe django flask requests cffi markupsafe sqlalchemy'
log pip-missing pip 'python3 -m venv v && v/bin/pip install -vvv requests no-such-package-6f1d2'
log pip-build-failure pip 'python3 -m venv v && CC=/bin/false v/bin/pip install -vvv --no-binary :all: psycopg2==2.9.9'
log pip-conflict pip 'python3 -m venv v && v/bin/pip install -v "flask==2.0" "werkzeug==3.0" "jinja2==2.0"'
log pytest python3 'sdist attrs==25.3.0 && python3 -m venv v && v/bin/pip install -q . pytest hypothesis cloudpickle && v/bin/pytest -v tests -k "not mypy and not pyright"'
log pytest-failures python3 'sdist attrs==25.3.0 && python3 -m venv v && v/bin/pip install -q . pytest hypothesis cloudpickle && f=$(echo v/lib/python3*/site-packages/attr/_make.py) && sed -i "s/return hash(/return 1 + hash(/;s/ == /  is /" $f && v/bin/pytest -vv tests -k "not mypy and not pyright"'
log mypy-errors python3 'sdist django==4.2.0 && python3 -m venv v && v/bin/pip install -q mypy && v/bin/mypy --strict django/core django/db django/http'
log pylint-errors python3 'sdist jinja2==3.1.6 && python3 -m venv v && v/bin/pip install -q pylint && v/bin/pylint src/jinja2'
log ruff-errors python3 'sdist django==4.2.0 && python3 -m venv v && v/bin/pip install -q ruff && v/bin/ruff check --select ALL --output-format concise django'
log unittest python3 'python3 -m unittest -v test.test_json test.test_re test.test_datetime test.test_list test.test_dict'

# Debian: what an image build prints.
log apt-simulate apt-get 'apt-get install -s -y --no-install-recommends gnome kde-full texlive-full'
log apt-debug apt-get 'apt-get install -s -y -o Debug::pkgDepCache::AutoInstall=1 -o Debug::pkgProblemResolver=1 gnome'
log apt-missing apt-get 'apt-get install -s -y -o Debug::pkgProblemResolver=1 build-essential no-such-package-6f1d2'
log apt-download apt-get 'apt-get download -o Debug::Acquire::http=1 hello bash coreutils git perl'
# Java's own words about what it loads: long, green, and different on every line.
log java-classes java 'java -verbose:class -version'

# cargo: builds and tests as they are, then with a type, a dependency, a test broken.
log cargo-build cargo 'crate fd-find 10.3.0 && cargo build -v --target-dir t'
log cargo-build-vv cargo 'crate bat 0.25.0 && cargo build -vv --target-dir t'
log cargo-test cargo 'crate regex-syntax 0.8.5 && cargo test --target-dir t'
log cargo-test-verbose cargo 'crate jiff 0.2.15 && cargo test --lib --target-dir t -- --nocapture --test-threads 1'
log cargo-type-error cargo 'crate fd-find 10.3.0 && sed -i "s/usize/u8/" src/*.rs && cargo build -v --target-dir t'
log cargo-syntax-error cargo 'crate hexyl 0.16.0 && sed -i "0,/^    }/s///" src/lib.rs && cargo build -v --target-dir t'
log cargo-missing-crate cargo 'crate hexyl 0.16.0 && sed -i "s/^\[dependencies.anyhow\]/[dependencies.anyhow-no-such-crate]/" Cargo.toml && cargo build -v --target-dir t'
log cargo-test-failures cargo 'crate regex-syntax 0.8.5 && sed -i "s/is_word_byte(c: u8) -> bool {/&return true;/;s/u32::from(/1+&/" src/*.rs && cargo test --target-dir t'
log cargo-clippy-pedantic cargo 'crate regex-syntax 0.8.5 && cargo clippy --target-dir t -- -W clippy::pedantic -D clippy::nursery'
log cargo-cmake cargo 'crate libz-ng-sys 1.1.22 && pip install -q --target p cmake && PATH=$PWD/p/bin:$PATH PYTHONPATH=$PWD/p cargo build -vv --target-dir t'

du -sh "$out/green" "$out/red" >&2
