#!/usr/bin/env bash
# Makes the logs that `cargo xtask bench` measures on, by running real tools on real projects: logs.sh DIRECTORY
#
# Out: DIRECTORY/green/*.log of runs that ended with 0, DIRECTORY/red/*.log of the others. What is there already is kept, so an
# interrupted run can be repeated. A tool that is not installed is named and left out. Nothing is committed: the logs hold other
# projects' texts. Projects come from the registries of cargo, npm, pip, Maven and Debian, so no tool needs more than they offer.
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
    local kind=green
    (cd "$work/$name" && timeout "${LOG_SECONDS:-900}" bash -c "$script") >"$work/$name.part" 2>&1 </dev/null || kind=red
    mv "$work/$name.part" "$out/$kind/$name.log"
    echo "$name: $kind, $(stat -c %s "$out/$kind/$name.log") bytes" >&2
}

# The source of a crate, unpacked in the current directory.
crate() { curl -fsSL "https://static.crates.io/crates/$1/$1-$2.crate" | tar xz --strip-components=1; }
# The source of a Python package, unpacked in the current directory.
sdist() { pip download -q --no-deps --no-build-isolation --no-binary :all: -d . "$1" && tar xzf ./*.tar.gz --strip-components=1; }
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
log eslint-errors npm 'npm init -y && npm install -s eslint@8 lodash@4 && npx eslint --no-eslintrc --env browser --rule "{no-var: 2, eqeqeq: 2, no-undef: 2, prefer-const: 2}" node_modules/lodash'
log node-test node 'npm pack -s semver@7 && tar xzf semver-*.tgz && cd package && for f in functions/*.js; do printf "const t=require(\"node:test\");t.test(\"%s\",()=>{require(\"./%s\")(\"1.2.3\",\"1.2.4\")})\n" "$f" "$f"; done > all.test.js && node --test all.test.js'

# Maven: a build of a generated project and the same with a missing dependency, a compile error, a failing test.
log maven-build mvn 'mvn -X -B archetype:generate -DgroupId=a -DartifactId=a -DarchetypeArtifactId=maven-archetype-quickstart -DarchetypeVersion=1.4 && cd a && mvn -X -B package'
log maven-missing mvn 'mvn -q -B archetype:generate -DgroupId=a -DartifactId=a -DarchetypeArtifactId=maven-archetype-quickstart -DarchetypeVersion=1.4 && cd a && sed -i "s/<artifactId>junit/&-none/" pom.xml && mvn -X -B package'
log maven-compile-error mvn 'mvn -q -B archetype:generate -DgroupId=a -DartifactId=a -DarchetypeArtifactId=maven-archetype-quickstart -DarchetypeVersion=1.4 && cd a && sed -i "s/System.out/Sytem.out/" src/main/java/a/App.java && mvn -X -B package'
log maven-test-failure mvn 'mvn -q -B archetype:generate -DgroupId=a -DartifactId=a -DarchetypeArtifactId=maven-archetype-quickstart -DarchetypeVersion=1.4 && cd a && sed -i "s/assertTrue( true/assertTrue( false/" src/test/java/a/AppTest.java && mvn -X -B package'

# C and C++: sources that crates bring along, with make, and a compiler that talks.
log make-build make 'crate tikv-jemalloc-sys 0.6.0+5.3.0-1-ge13ca993e8ccb9ba9847cc330696e02839f328f7 && cd jemalloc && ./configure --disable-cxx && make V=1 -j2'
log make-missing-header make 'crate tikv-jemalloc-sys 0.6.0+5.3.0-1-ge13ca993e8ccb9ba9847cc330696e02839f328f7 && cd jemalloc && ./configure --disable-cxx && rm include/jemalloc/internal/mutex.h && make -k -j2'
log make-check make 'crate tikv-jemalloc-sys 0.6.0+5.3.0-1-ge13ca993e8ccb9ba9847cc330696e02839f328f7 && cd jemalloc && ./configure --disable-cxx && make -j2 && make check_unit'
log gcc-warnings gcc 'crate libsqlite3-sys 0.36.0 && gcc -Wall -Wextra -Wconversion -Wshadow -c sqlite3/sqlite3.c'
log gcc-errors gcc 'crate libsqlite3-sys 0.36.0 && sed -i "s/sqlite3_int64 /sqlite3_no_such_type /" sqlite3/sqlite3.c && gcc -fmax-errors=0 -c sqlite3/sqlite3.c'
log g++-errors g++ 'crate snappy_src 0.2.5+snappy.1.2.2 && find . -name "*.cc" | xargs -n1 g++ -c'

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
