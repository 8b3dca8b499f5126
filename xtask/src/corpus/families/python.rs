//! Python: the interpreter, its package managers, its tests and checks.

use crate::corpus::case::{Tool, case};
use crate::corpus::label::*;

const PROJECT: &str = "[project]\nname = \"app\"\nversion = \"0.1.0\"\n\
                 requires-python = \">=3.9\"\ndependencies = []\n";

pub const TOOLS: &[Tool] = &[
    Tool {
        name: "python",
        language: Some("Python"),
        needs: &["python3"],
        cases: &[
            case("python-syntax", COMPILE, "python3 app.py", "a bracket is not closed")
                .files(&[("app.py", "def total(items:\n    return sum(items)\n")]),
            case("python-indent", COMPILE, "python3 -m py_compile app.py", "indentation does not match")
                .files(&[("app.py", "def f():\n        a = 1\n    return a\n")]),
            case("python-module", DEPENDENCY, "python3 -c 'import pandas_extras'", "a module that is not installed"),
            case("python-name", DEPENDENCY, "python3 main.py", "a module without the wanted name")
                .files(&[("main.py", "from tools import slugify\n"), ("tools.py", "def slug(): ...\n")]),
            case("python-key", EXCEPTION, "python3 app.py", "a key that is not in the mapping")
                .files(&[("app.py", "def load(c):\n    return c['database']['url']\n\nload({'database': {}})\n")]),
            case("python-attribute", EXCEPTION, "python3 app.py", "an attribute of None")
                .files(&[("app.py", "import re\nprint(re.match('a', 'b').group(0))\n")]),
            case("python-zero", EXCEPTION, "python3 app.py", "a division by zero while handling another error")
                .files(&[("app.py", "try:\n    int('x')\nexcept ValueError:\n    print(1 / 0)\n")]),
            case("python-assert", EXCEPTION, "python3 app.py", "a program's own assertion").files(&[(
                "app.py",
                "def pay(amount):\n    assert amount > 0, f'amount {amount} must be positive'\n\
                 \npay(-5)\n",
            )]),
            case("python-file", MISSING_FILE, "python3 app.py", "a file that is not there")
                .files(&[("app.py", "with open('data/users.csv') as f:\n    print(f.read())\n")]),
            case("python-script", MISSING_FILE, "python3 scripts/migrate.py", "the script is not there"),
            case(
                "python-denied",
                DENIED,
                "mkdir logs && chmod 555 logs && unprivileged python3 app.py",
                "a directory that may not be written",
            )
            .files(&[("app.py", "open('logs/app.log', 'a').write('start')\n")]),
            case("python-disk", DISK_FULL, "tiny-disk python3 app.py", "the disk is full").files(&[(
                "app.py",
                "import shutil\nwith open('disk/cache.bin', 'wb') as f:\n    f.write(b'x' * 500000)\n",
            )]),
            case("python-memory", OUT_OF_MEMORY, "ulimit -v 300000; python3 app.py", "no more memory is allowed")
                .files(&[("app.py", "rows = [bytes(1000000) for _ in range(100000)]\n")]),
            case("python-recursion", EXCEPTION, "python3 app.py", "endless recursion")
                .files(&[("app.py", "def walk(n):\n    return walk(n + 1)\n\nwalk(0)\n")]),
            case(
                "python-refused",
                CONNECTION,
                "python3 -c \"import urllib.request, os; \
                 urllib.request.urlopen('http://127.0.0.1:' + os.environ['CLOSED_PORT'])\"",
                "nothing listens on the port",
            ),
            case("python-reset", CONNECTION, "python3 app.py", "requests: the server resets")
                .files(&[("app.py", "import os, requests\nrequests.get(os.environ['SERVER'] + '/reset/items')\n")]),
            case("python-stall", TIMEOUT, "python3 app.py", "requests: the server never answers").files(&[(
                "app.py",
                "import os, requests\n\
                 requests.get(os.environ['SERVER'] + '/stall/items', timeout=1)\n",
            )]),
            case("python-httpx-stall", TIMEOUT, "python3 app.py", "httpx: the server never answers").files(&[(
                "app.py",
                "import os, httpx\nhttpx.get(os.environ['SERVER'] + '/stall/items', timeout=1)\n",
            )]),
            case("python-503", UNAVAILABLE, "python3 app.py", "requests: the service is unavailable").files(&[(
                "app.py",
                "import os, requests\n\
                 requests.get(os.environ['SERVER'] + '/503/items').raise_for_status()\n",
            )]),
            case("python-429", RATE_LIMIT, "python3 app.py", "httpx: too many requests").files(&[(
                "app.py",
                "import os, httpx\n\
                 httpx.get(os.environ['SERVER'] + '/429/items').raise_for_status()\n",
            )]),
            case("python-401", CREDENTIALS, "python3 app.py", "requests: not logged in").files(&[(
                "app.py",
                "import os, requests\n\
                 requests.get(os.environ['SERVER'] + '/401/me').raise_for_status()\n",
            )]),
            case("python-json", BAD_FORMAT, "python3 app.py", "an HTML page where JSON is wanted").files(&[(
                "app.py",
                "import os, json, urllib.request\n\
                 body = urllib.request.urlopen(os.environ['SERVER'] + '/html/api').read()\n\
                 print(json.loads(body)['id'])\n",
            )]),
            case("python-json-tool", BAD_FORMAT, "python3 -m json.tool config.json", "a trailing comma in JSON")
                .files(&[("config.json", "{\"a\": 1,}\n")]),
            case("python-decode", BAD_FORMAT, "python3 app.py", "bytes that are not UTF-8").files(&[(
                "app.py",
                "open('in.txt', 'wb').write(b'caf\\xe9 \\xff')\n\
                 print(open('in.txt', encoding='utf-8').read())\n",
            )]),
            case("python-port", STATE, "python3 app.py", "the port is taken").files(&[(
                "app.py",
                "import os, socketserver, http.server\n\
                 socketserver.TCPServer(('127.0.0.1', int(os.environ['HTTP_PORT'])), \
                 http.server.SimpleHTTPRequestHandler)\n",
            )]),
            case(
                "python-argparse",
                BAD_ARGUMENT,
                "python3 tool.py --workers many input.csv",
                "an argument of the wrong type",
            )
            .files(&[(
                "tool.py",
                "import argparse\np = argparse.ArgumentParser(prog='tool')\n\
                 p.add_argument('--workers', type=int)\np.add_argument('file')\n\
                 p.parse_args()\n",
            )]),
            case("python-exit", TEST, "python3 check.py", "a hand-written check reports what failed").files(&[(
                "check.py",
                "import sys\nprint('PASS header')\n\
                 print('FAIL footer: expected 3 links, got 2')\n\
                 print('1 of 2 checks failed')\nsys.exit(1)\n",
            )]),
            case("python-ok-log", BENIGN, "python3 app.py", "a program that logs recovered failures").files(&[(
                "app.py",
                "import logging\nlogging.basicConfig(level=logging.INFO)\n\
                 log = logging.getLogger('sync')\n\
                 log.warning('connection reset by peer, retrying in 2s (1/3)')\n\
                 log.error('HTTP 503 from replica b, switched to replica a')\n\
                 log.info('sync complete: 120 ok, 0 failed')\n",
            )]),
            case("python-ok-traceback", BENIGN, "python3 app.py", "a caught exception is printed, the work goes on")
                .files(&[(
                    "app.py",
                    "import traceback\ntry:\n    {}['cache']\n\
                 except KeyError:\n    traceback.print_exc()\n\
                 print('cache miss, computed fresh value')\n",
                )]),
        ],
    },
    Tool {
        name: "pip",
        language: Some("Python"),
        needs: &["pip"],
        cases: &[
            case(
                "pip-version",
                DEPENDENCY,
                "pip install --no-index --find-links . 'requests==99.0'",
                "no such version",
            ),
            case(
                "pip-reset",
                CONNECTION,
                "pip install --retries 1 --index-url $SERVER/reset/simple leftpad",
                "the index resets",
            ),
            case(
                "pip-refused",
                CONNECTION,
                "pip download --retries 1 --index-url http://127.0.0.1:$CLOSED_PORT/simple leftpad",
                "the index refuses connections",
            ),
            case(
                "pip-stall",
                TIMEOUT,
                "pip install --timeout 1 --retries 0 $SERVER/stall/leftpad-1.0.tar.gz",
                "the file server never answers",
            ),
            case(
                "pip-503",
                UNAVAILABLE,
                "pip install --retries 0 $SERVER/503/leftpad-1.0.tar.gz",
                "the file server is unavailable",
            ),
            case("pip-429", RATE_LIMIT, "pip install --retries 0 $SERVER/429/leftpad-1.0.tar.gz", "too many requests"),
            case("pip-403", FORBIDDEN, "pip install $SERVER/403/leftpad-1.0.tar.gz", "a bare 403"),
            case(
                "pip-404",
                MISSING_FILE,
                "pip install $SERVER/404/leftpad-1.0.tar.gz",
                "the file is not on the server",
            ),
            case("pip-requirements", MISSING_FILE, "pip install -r requirements-dev.txt", "the list is not there"),
            case("pip-project", BAD_ARGUMENT, "pip install --no-index .", "the directory is not a project"),
            case("pip-requirement", BAD_ARGUMENT, "pip install --no-index 'requests=>2.0'", "not a requirement"),
            case(
                "pip-build",
                COMPILE,
                "pip install --no-index --no-build-isolation ./pkg",
                "the extension module does not compile",
            )
            .files(&[
                (
                    "pkg/setup.py",
                    "from setuptools import setup, Extension\n\
                 setup(name='fastsum', version='1', ext_modules=[Extension('fastsum', \
                 ['fastsum.c'])])\n",
                ),
                ("pkg/fastsum.c", "#include <Python.h>\nint sum(int a) { return a + b; }\n"),
            ]),
            case(
                "pip-managed",
                STATE,
                "/usr/bin/python3 -m pip install --no-index leftpad",
                "the system's Python may not be changed",
            ),
            case(
                "pip-denied",
                DENIED,
                "read-only-disk pip install --no-index --target disk leftpad-1.0-py3-none-any.whl",
                "the target directory is on a read-only file system",
            )
            .files(&[
                (
                    "pkg/pyproject.toml",
                    "[build-system]\nrequires = [\"setuptools\"]\n\
                 build-backend = \"setuptools.build_meta\"\n[project]\nname = \"leftpad\"\n\
                 version = \"1.0\"\n",
                ),
                ("pkg/leftpad.py", ""),
            ])
            .after("pip wheel --no-index --no-build-isolation --wheel-dir . ./pkg"),
            case("pip-option", BAD_ARGUMENT, "pip install --retry-count 3 requests", "an option pip does not have"),
            case(
                "pip-ok",
                BENIGN,
                "pip check && pip list --format=freeze | grep -i -E 'requests|anyio'",
                "no broken requirements",
            ),
        ],
    },
    Tool {
        name: "uv",
        language: Some("Python"),
        needs: &["uv"],
        cases: &[
            case(
                "uv-reset",
                CONNECTION,
                "UV_HTTP_RETRIES=0 uv pip compile --no-cache --index-url $SERVER/reset/simple reqs.in",
                "the index resets",
            )
            .files(&[("reqs.in", "leftpad\n")]),
            case(
                "uv-503",
                UNAVAILABLE,
                "UV_HTTP_RETRIES=0 uv pip compile --no-cache --index-url $SERVER/503/simple reqs.in",
                "the index is unavailable",
            )
            .files(&[("reqs.in", "leftpad\n")]),
            case(
                "uv-stall",
                TIMEOUT,
                "UV_HTTP_RETRIES=0 UV_HTTP_TIMEOUT=1 uv pip compile --no-cache --index-url \
                 $SERVER/stall/simple reqs.in",
                "the index never answers",
            )
            .files(&[("reqs.in", "leftpad\n")]),
            case(
                "uv-401",
                CREDENTIALS,
                "uv pip compile --no-cache --index-url $SERVER/401/simple reqs.in",
                "the index wants a login",
            )
            .files(&[("reqs.in", "leftpad\n")]),
            case("uv-none", DEPENDENCY, "uv pip compile --no-cache --no-index reqs.in", "no such package")
                .files(&[("reqs.in", "leftpad>=2\n")]),
            case("uv-manifest", COMPILE, "uv lock --offline", "the manifest does not parse")
                .files(&[("pyproject.toml", "[project]\nname = \"app\nversion = 1\n")]),
            case("uv-frozen", MISSING_FILE, "uv sync --frozen --offline", "the lock file is not there")
                .files(&[("pyproject.toml", PROJECT)]),
            case(
                "uv-option",
                BAD_ARGUMENT,
                "uv pip install --upgrade-everything requests",
                "an option uv does not have",
            ),
            case(
                "uv-ok",
                BENIGN,
                "uv lock --offline && uv lock --check --offline",
                "the lock file is made and checked",
            )
            .files(&[("pyproject.toml", PROJECT)]),
        ],
    },
    Tool {
        name: "poetry",
        language: Some("Python"),
        needs: &["poetry"],
        cases: &[
            case("poetry-none", MISSING_FILE, "poetry install", "no pyproject.toml here"),
            case("poetry-manifest", COMPILE, "poetry check", "the manifest does not parse")
                .files(&[("pyproject.toml", "[tool.poetry\nname = 'app'\n")]),
        ],
    },
    Tool {
        name: "pytest",
        language: Some("Python"),
        needs: &["pytest"],
        cases: &[
            case("pytest-fail", TEST, "pytest -p no:cacheprovider", "an assertion fails").files(&[(
                "test_cart.py",
                "def total(items):\n    return sum(items) + 1\n\n\n\
                 def test_total():\n    assert total([1, 2]) == 3\n\n\n\
                 def test_empty():\n    assert total([]) == 1\n",
            )]),
            case("pytest-short", TEST, "pytest -q --tb=short", "a test raises").files(&[(
                "test_api.py",
                "def parse(text):\n    return int(text)\n\n\n\
                 def test_parse():\n    assert parse('12a') == 12\n",
            )]),
            case("pytest-fixture", TEST, "pytest -q", "a fixture that does not exist")
                .files(&[("test_db.py", "def test_rows(database):\n    assert database.rows == 0\n")]),
            case("pytest-import", DEPENDENCY, "pytest -q", "a test module imports what is not installed")
                .files(&[("test_web.py", "import flask_magic\n\n\ndef test_ok():\n    assert True\n")]),
            case("pytest-syntax", COMPILE, "pytest", "a test module does not parse")
                .files(&[("test_bad.py", "def test_x(:\n    pass\n")]),
            case("pytest-path", MISSING_FILE, "pytest tests/unit/test_gone.py", "the test file is not there"),
            case("pytest-option", BAD_ARGUMENT, "pytest --workers=4", "an option pytest does not have"),
            case("pytest-timeout", TEST, "pytest --timeout=1 -q", "a test takes too long")
                .files(&[("test_slow.py", "import time\n\n\ndef test_wait():\n    time.sleep(5)\n")]),
            case("pytest-network", CONNECTION, "pytest -q --tb=short", "tests cannot reach the service they need")
                .files(&[(
                    "test_live.py",
                    "import os, requests\n\n\n\
                 def test_health():\n    requests.get('http://127.0.0.1:' + \
                 os.environ['CLOSED_PORT'] + '/health')\n",
                )]),
            case("pytest-unittest", TEST, "python3 -m unittest -v", "an assertion fails, by unittest").files(&[(
                "test_a.py",
                "import unittest\n\n\n\
                 class T(unittest.TestCase):\n    def test_sum(self):\n        \
                 self.assertEqual(1 + 1, 3)\n\
                 \n    def test_error_is_caught(self):\n        pass\n",
            )]),
            case("pytest-ok", BENIGN, "pytest -v", "all pass, with tempting names").files(&[(
                "test_ok.py",
                "import pytest\n\n\n@pytest.mark.parametrize('status', [429, 500, 503])\n\
                 def test_error_is_retried(status):\n    assert status\n\n\n\
                 def test_connection_refused_raises():\n    with \
                 pytest.raises(ConnectionRefusedError):\n        raise ConnectionRefusedError\n\
                 \n\n@pytest.mark.xfail\ndef test_known_failure():\n    assert False\n",
            )]),
            case("pytest-ok-unittest", BENIGN, "python3 -m unittest -v", "all pass, by unittest").files(&[(
                "test_a.py",
                "import unittest\n\n\n\
                 class T(unittest.TestCase):\n    def test_failure_message(self):\n        \
                 print('ERROR: simulated timeout')\n",
            )]),
        ],
    },
    Tool {
        name: "mypy",
        language: Some("Python"),
        needs: &["mypy"],
        cases: &[
            case("mypy-types", TYPES, "mypy --cache-dir=/dev/null app.py", "values of the wrong types").files(&[(
                "app.py",
                "def port(text: str) -> int:\n    return text\n\n\nport(80)\nx: list[int] = ['a']\n",
            )]),
            case("mypy-syntax", COMPILE, "mypy --cache-dir=/dev/null app.py", "the file does not parse")
                .files(&[("app.py", "def f(:\n    pass\n")]),
            case("mypy-missing", MISSING_FILE, "mypy --cache-dir=/dev/null src/app.py", "the file is not there"),
            case("mypy-ok", BENIGN, "mypy --cache-dir=/dev/null error.py", "no issues")
                .files(&[("error.py", "class TimeoutError2(Exception):\n    pass\n")]),
        ],
    },
    Tool {
        name: "ruff",
        language: Some("Python"),
        needs: &["ruff"],
        cases: &[
            case("ruff-check", LINT, "ruff check --no-cache .", "an unused import and an undefined name")
                .files(&[("app.py", "import os\nimport sys\n\nprint(undefined_name)\n")]),
            case(
                "ruff-concise",
                LINT,
                "ruff check --no-cache --output-format=concise --select E,F app.py",
                "findings in short form",
            )
            .files(&[("app.py", "l = 1\nif l == None: print(f'x')\n")]),
            case("ruff-format", LINT, "ruff format --no-cache --check .", "the formatting differs")
                .files(&[("app.py", "x = {  'a':1 }\n")]),
            case(
                "ruff-config",
                BAD_ARGUMENT,
                "ruff check --no-cache --select NOPE app.py",
                "a rule ruff does not have",
            )
            .files(&[("app.py", "x = 1\n")]),
            case("ruff-ok", BENIGN, "ruff check --no-cache . && ruff format --check --no-cache .", "nothing is found")
                .files(&[("app.py", "x = 1\n")]),
        ],
    },
    Tool {
        name: "pylint",
        language: Some("Python"),
        needs: &["pylint", "flake8", "black"],
        cases: &[
            case("pylint-messages", LINT, "pylint app.py", "messages of several kinds")
                .files(&[("app.py", "import os\ndef F(a):\n    return a.b.c + undefined\n")]),
            case("pylint-flake8", LINT, "flake8 app.py", "findings of flake8")
                .files(&[("app.py", "import os\ndef f( a ):\n  return b\n")]),
            case("pylint-black", LINT, "black --check --diff app.py", "black would reformat")
                .files(&[("app.py", "def f( a ):\n  return  a\n")]),
            case(
                "pylint-ok",
                BENIGN,
                "pylint --disable=all --enable=E app.py && flake8 app.py && black --check app.py",
                "nothing is found",
            )
            .files(&[("app.py", "\"\"\"Error handling.\"\"\"\n\nRETRY_ON = (429, 503)\n")]),
        ],
    },
];
