"""The engine through Python: the same answers as the command line, exceptions of real clients, threads."""

import asyncio
import contextlib
import functools
import http.server
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.parse
import urllib.request

import pytest

import recovery
from recovery._exceptions import event_of

ROOT = pathlib.Path(__file__).resolve().parents[3]


class Failing(http.server.BaseHTTPRequestHandler):
    """Answers every path `/NNN/...` with that status, 429 with a Retry-After."""

    def do_GET(self):
        status = int(self.path.split("/")[1])
        self.send_response(status)
        if status == 429:
            self.send_header("Retry-After", "7")
        self.end_headers()
        self.wfile.write(b"{}")

    do_POST = do_GET

    def log_message(self, *args):
        pass


@pytest.fixture(scope="module")
def server():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Failing)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


@pytest.fixture(scope="module")
def postgres(tmp_path_factory):
    """The address of a real server in a directory of its own; skipped where PostgreSQL is not installed."""
    installed = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))
    if not installed:
        if os.environ.get("RECOVERY_REQUIRE_POSTGRES"):
            pytest.fail("PostgreSQL is not installed (Debian: apt-get install postgresql)")
        pytest.skip("PostgreSQL is not installed (Debian: apt-get install postgresql)")
    bin, home = installed[-1], pathlib.Path(tempfile.mkdtemp(prefix="recovery-pg-"))
    # The server refuses to run as root.
    user = {"user": "postgres", "group": "postgres"} if os.getuid() == 0 else {}
    if user:
        shutil.chown(home, **user)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    run = functools.partial(subprocess.run, check=True, capture_output=True, cwd=home, **user)
    run([bin / "initdb", "--pgdata", home / "data", "--username", "recovery", "--auth", "trust", "--no-sync"])
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={home}"
    run([bin / "pg_ctl", "--pgdata", home / "data", "--log", home / "log", "--options", options, "--wait", "start"])
    try:
        yield f"postgres://recovery@127.0.0.1:{port}/postgres?sslmode=disable"
    finally:
        run([bin / "pg_ctl", "--pgdata", home / "data", "--mode", "immediate", "stop"])
        shutil.rmtree(home, ignore_errors=True)


def test_a_transient_failure():
    answer = recovery.classify("npm error code ECONNRESET")
    assert answer.failure and answer.is_transient
    assert answer.diagnosis.error_type == "connection_failure"


def test_exit_code_zero_is_no_failure():
    answer = recovery.classify("all good", exit_code=0)
    assert not answer and answer.diagnosis is None


def test_bytes_and_text_are_the_same():
    text = "ModuleNotFoundError: No module named 'yaml'"
    assert recovery.classify(text).to_dict() == recovery.classify(text.encode()).to_dict()
    assert recovery.classify(b"\xff\xfe").failure


def test_problems_have_places():
    found = recovery.problems("src/a.c:3:5: error: expected ';' before 'return'\n")
    assert found.root.file == "src/a.c" and found.root.line == 3
    assert found.to_dict()["root"] == 0


def test_an_answer_reads_like_the_command_line_s():
    answer = recovery.classify("npm error code ECONNRESET")
    assert repr(answer) == "<Connection failed, temporary: code ECONNRESET; next: run it again: the connection failed or broke off>"
    unknown = recovery.classify("Frobnicator: gizmo misaligned at quadrant 7")
    assert repr(unknown).startswith('<Not recognised: no rule knows this output: "Frobnicator: gizmo')
    assert repr(recovery.classify("fine", exit_code=0)) == "<no failure seen>"


def test_text_with_bytes_that_are_none():
    text = b"read ECONNRESET \xff".decode("utf-8", "surrogateescape")
    assert recovery.classify(text).diagnosis.error_type == "connection_failure"
    assert recovery.redact(text).startswith("read ECONNRESET")
    assert len(recovery.problems(f"a.c:1:2: error: {text}")) == 1


def test_answers_cannot_be_changed():
    answer = recovery.classify("npm error code ECONNRESET")
    answer.to_dict()["diagnosis"].clear()
    assert answer.to_dict()["diagnosis"]


def test_a_reset_time_is_in_the_time_zone_of_this_machine():
    script = "import recovery; print(recovery.classify('You have hit your usage limit. Resets at 3:05pm').diagnosis.resets_at)"

    def minute_of(zone):
        run = subprocess.run([sys.executable, "-c", script], env={**os.environ, "TZ": zone}, capture_output=True, text=True)
        return run.stdout[11:16]

    assert minute_of("UTC") == "15:05", "the test's text states a time"
    assert minute_of("Asia/Kolkata") == "09:35"


def test_a_field_that_nothing_reads_is_a_warning(tmp_path):
    service = recovery.Service(tmp_path / "state")
    with pytest.warns(UserWarning, match="field `aproach` is not known here and was not read"):
        service.decide("read ECONNRESET", task="fetch", aproach="mock the clock")


def test_secrets_are_redacted():
    assert "hunter2hunter2" not in recovery.redact("password=hunter2hunter2")


def test_wrong_types_are_errors_that_name_the_field():
    with pytest.raises(ValueError, match="not a failure event"):
        recovery.classify("x", exit_code="one")
    with pytest.raises(TypeError, match="expected str or bytes, not list"):
        recovery.problems(["x"])


def test_a_service_remembers(tmp_path):
    service = recovery.Service(tmp_path / "state")
    first = service.decide("read ECONNRESET", task="fetch")
    assert first.verb == "retry" and first.not_before
    second = recovery.Service(tmp_path / "state")
    assert second.status("fetch")["failures"] == 1
    assert second.succeeded("fetch").verb == "done"
    assert second.status("unknown") is None


def test_supervised_retries_what_is_transient(tmp_path):
    service, calls = recovery.Service(tmp_path / "state"), []

    @recovery.supervised(task="flaky", service=service)
    def flaky():
        calls.append(1)
        if len(calls) < 2:
            raise ConnectionResetError("Connection reset by peer")
        return "done"

    assert flaky() == "done" and len(calls) == 2


def test_supervised_raises_what_must_change(tmp_path):
    calls = []

    @recovery.supervised(task="broken", service=recovery.Service(tmp_path / "state"))
    async def broken():
        calls.append(1)
        raise KeyError("url")

    with pytest.raises(KeyError):
        asyncio.run(broken())
    assert len(calls) == 1


GIVEN_UP = "read ECONNRESET"


@pytest.fixture
def given_up(tmp_path):
    """A service, whose task `job` has used up its retries."""
    service = recovery.Service(tmp_path / "state")
    while service.decide(GIVEN_UP, task="job").retry_in is not None:
        pass
    return service


def flaky(failures):
    """Fails so often, then works; counts its calls."""

    def call():
        call.count += 1
        if call.count <= failures:
            raise ConnectionResetError("Connection reset by peer")
        return "done"

    call.count = 0
    return call


def test_supervised_gives_each_call_all_its_retries(given_up):
    call = flaky(1)
    assert recovery.supervised(task="job", service=given_up)(call)() == "done"
    assert call.count == 2 and given_up.status("job")["state"] == "ok"


def test_supervised_closes_what_works_again(given_up):
    assert recovery.supervised(task="job", service=given_up)(flaky(0))() == "done"
    assert given_up.status("job")["state"] == "ok"
    recovery.supervised(task="other", service=given_up)(flaky(0))()
    assert given_up.status("other") is None, "what always worked is not recorded"


def test_tenacity_gives_each_call_all_its_retries(given_up):
    import tenacity
    from recovery.tenacity import Policy

    policy, call = Policy("job", given_up), flaky(1)
    assert tenacity.retry(retry=policy.retry, wait=policy.wait, stop=policy.stop)(call)() == "done"
    assert call.count == 2 and given_up.status("job")["state"] == "ok"


def test_tenacity_leaves_interruptions_alone(tmp_path):
    import tenacity
    from recovery.tenacity import Policy, retry_if_transient

    service = recovery.Service(tmp_path / "state")
    policy, calls = Policy("job", service), []

    def interrupted():
        calls.append(1)
        raise KeyboardInterrupt("read ECONNRESET")

    for retry in policy.retry, retry_if_transient():
        with pytest.raises(KeyboardInterrupt):
            tenacity.retry(retry=retry, stop=tenacity.stop_after_attempt(3), reraise=True)(interrupted)()
    assert len(calls) == 2 and service.status("job") is None


def test_a_journal_that_cannot_be_used_changes_nothing_about_a_call(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".recovery").write_text("no directory")
    recovery._default_service.cache_clear()
    assert recovery.supervised()(flaky(0))() == "done"
    with pytest.warns(RuntimeWarning, match="the call is not recorded"), pytest.raises(ConnectionResetError):
        recovery.supervised()(flaky(1))()


def test_the_types_are_complete(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    package = ROOT / "bindings" / "python" / "python" / "recovery"
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", program, package]
    checked = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout


PROGRAM = """
from typing import Optional

import recovery
import recovery.langgraph
import recovery.tenacity
import tenacity

answer = recovery.classify(b"npm error code ECONNRESET", exit_code=1, tool="npm")
kind: Optional[str] = answer.diagnosis.error_type if answer.diagnosis else None
places: list[str] = [problem.place for problem in recovery.problems("a.c:1:2: error: x")]
clean: str = recovery.redact("password=x")
service = recovery.Service("state")
seconds: Optional[float] = service.decide(ValueError("x"), task="t").retry_in
status = service.status("t")
policy = recovery.tenacity.Policy("t", service)


@recovery.supervised(task="fetch")
def fetch(url: str) -> int:
    return len(url)


@tenacity.retry(retry=policy.retry, wait=policy.wait, stop=policy.stop)
def again(url: str) -> int:
    return len(url)


@recovery.supervised()
async def later(url: str) -> int:
    return len(url)


number: int = fetch("x") + again("x")
predicate: bool = recovery.langgraph.retry_on(ValueError("x"))
"""


def with_requests(url, seconds):
    import requests

    requests.get(url, timeout=seconds).raise_for_status()


def with_httpx(url, seconds):
    import httpx

    httpx.get(url, timeout=seconds).raise_for_status()


def with_urllib(url, seconds):
    urllib.request.urlopen(url, timeout=seconds)


def with_urllib3(url, seconds):
    import urllib3

    retries = urllib3.Retry(0, status_forcelist=[429, 503, 401], respect_retry_after_header=False)
    urllib3.PoolManager().request("GET", url, timeout=seconds, retries=retries)


def with_openai(url, seconds):
    import openai

    openai.OpenAI(api_key="k", base_url=url, max_retries=0, timeout=seconds).models.list()


def with_anthropic(url, seconds):
    import anthropic

    anthropic.Anthropic(api_key="k", base_url=url, max_retries=0, timeout=seconds).models.list()


def with_google_genai(url, seconds):
    from google import genai

    client = genai.Client(api_key="k", http_options={"base_url": url, "timeout": int(seconds * 1000)})
    client.models.get(model="m")


def with_boto3(url, seconds):
    import boto3
    import botocore.config

    config = botocore.config.Config(retries={"total_max_attempts": 1}, read_timeout=seconds, connect_timeout=seconds)
    keys = {"aws_access_key_id": "k", "aws_secret_access_key": "s"}
    boto3.client("s3", endpoint_url=url, region_name="x", config=config, **keys).list_buckets()


CLIENTS = [with_requests, with_httpx, with_urllib, with_urllib3, with_openai, with_anthropic, with_google_genai, with_boto3]


def failure_of(client, url, seconds=5.0):
    with pytest.raises(Exception) as caught:
        client(url, seconds)
    # A mistake of the test's own is none of these.
    assert not isinstance(caught.value, (TypeError, AttributeError, ImportError)), repr(caught.value)
    return caught.value


@pytest.mark.parametrize("status, expected", [(429, "rate_limit"), (503, "service_unavailable"), (401, "missing_credentials")])
@pytest.mark.parametrize("client", CLIENTS)
def test_a_server_that_answers_with_an_error(server, client, status, expected):
    exc = failure_of(client, f"{server}/{status}")
    diagnosis = recovery.from_exception(exc).diagnosis
    assert diagnosis.error_type == expected, repr(exc)
    # urllib3 keeps the answer to itself when its own retries are used up.
    if status == 429 and client is not with_urllib3:
        assert diagnosis.retry_after_ms == 7000
    # What boto3 makes of an answer does not name the server.
    if client is not with_boto3:
        assert "host: 127.0.0.1\n" in event_of(exc)["stderr_tail"]


@pytest.mark.parametrize("client", CLIENTS)
def test_a_server_that_is_not_there(client):
    exc = failure_of(client, "http://127.0.0.1:9/")
    answer = recovery.from_exception(exc)
    assert answer.is_transient and answer.diagnosis.error_type == "connection_failure", repr(exc)


@pytest.mark.parametrize("client", CLIENTS)
def test_a_server_that_never_answers(client):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        exc = failure_of(client, f"http://127.0.0.1:{silent.getsockname()[1]}/", 0.3)
    answer = recovery.from_exception(exc)
    assert answer.is_transient and answer.diagnosis.error_type == "network_timeout", repr(exc)


@pytest.mark.parametrize("client", CLIENTS)
def test_a_name_that_nobody_has(client):
    exc = failure_of(client, "http://no-such-host.invalid/")
    assert recovery.from_exception(exc).diagnosis.error_type == "connection_failure", repr(exc)


def test_psycopg():
    import psycopg

    with pytest.raises(psycopg.OperationalError) as caught:
        psycopg.connect("host=127.0.0.1 port=9 user=u dbname=d", connect_timeout=2)
    assert recovery.from_exception(caught.value).diagnosis.error_type == "connection_failure"


def test_psycopg_on_a_server(postgres):
    import psycopg

    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("CREATE TABLE things (id INT PRIMARY KEY)")
        connection.execute("INSERT INTO things VALUES (1)")
        for statement, words in (
            ("INSERT INTO things VALUES (1)", "Key (id)=(1) already exists."),
            ("SELECT * FROM nothing", 'relation "nothing" does not exist'),
        ):
            with pytest.raises(psycopg.Error) as caught:
                connection.execute(statement)
            answer = recovery.from_exception(caught.value)
            assert answer.failure and not answer.is_transient, repr(answer)
            assert words in event_of(caught.value)["stderr_tail"]
    with pytest.raises(psycopg.OperationalError) as refused:
        psycopg.connect(postgres.replace("recovery@", "nobody@"))
    answer = recovery.from_exception(refused.value)
    assert answer.failure and not answer.is_transient, repr(answer)


def test_a_failed_command():
    with pytest.raises(subprocess.CalledProcessError) as caught:
        subprocess.run([sys.executable, "-c", "import no_such_module_here"], check=True, capture_output=True)
    assert recovery.from_exception(caught.value).diagnosis.error_type == "missing_dependency"


def test_asyncio_timeout():
    async def slow():
        await asyncio.wait_for(asyncio.sleep(5), 0.01)

    with pytest.raises(asyncio.TimeoutError) as caught:
        asyncio.run(slow())
    assert recovery.from_exception(caught.value).diagnosis.error_type == "network_timeout"


def test_tenacity_asks_the_engine(tmp_path):
    import tenacity
    from recovery.tenacity import Policy

    service, calls = recovery.Service(tmp_path / "state"), []
    policy = Policy("import", service)

    @tenacity.retry(retry=policy.retry, wait=policy.wait, stop=policy.stop, reraise=True)
    def flaky():
        calls.append(1)
        if len(calls) < 3:
            raise ConnectionResetError("Connection reset by peer")
        raise KeyError("url")

    with pytest.raises(KeyError):
        flaky()
    # Two transient failures are repeated; the third is none, so nothing is.
    assert len(calls) == 3
    assert service.status("import")["failures"] == 3


def test_tenacity_tells_the_engine_of_success(tmp_path):
    import tenacity
    from recovery.tenacity import Policy

    service, calls = recovery.Service(tmp_path / "state"), []
    policy = Policy("import", service)

    @tenacity.retry(retry=policy.retry, wait=policy.wait, stop=policy.stop)
    def flaky():
        calls.append(1)
        if len(calls) == 1:
            raise TimeoutError("timed out")
        return "done"

    assert flaky() == "done"
    assert service.succeeded("import").verb == "done"


def test_langgraph(server):
    import requests
    from recovery.langgraph import retry_on

    with pytest.raises(requests.HTTPError) as caught:
        requests.get(f"{server}/503").raise_for_status()
    assert retry_on(caught.value)
    assert not retry_on(KeyError("url"))


def test_the_pytest_plugin_is_opt_in(tmp_path):
    (tmp_path / "test_it.py").write_text("def test_it():\n    assert 1 + 1 == 3\n")

    def run(*options):
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, "test_it.py"]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True).stdout

    assert "recovery" not in run()
    assert "test_it.py::test_it: <Test failed" in run("--recovery")


def test_tenacity():
    import tenacity
    from recovery.tenacity import retry_if_transient

    calls = []

    @tenacity.retry(retry=retry_if_transient(), stop=tenacity.stop_after_attempt(5), reraise=True)
    def broken():
        calls.append(1)
        raise ValueError("invalid literal for int()")

    with pytest.raises(ValueError):
        broken()
    assert len(calls) == 1


def test_threads():
    wrong = []

    def work():
        for _ in range(50):
            if recovery.classify("read ECONNRESET").diagnosis.error_type != "connection_failure":
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_service_is_shared_by_threads(tmp_path):
    service = recovery.Service(tmp_path / "state")

    def work(number):
        for _ in range(10):
            service.decide("error[E0308]: mismatched types", task=f"task-{number}")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [service.status(f"task-{number}")["failures"] for number in range(8)] == [10] * 8


def test_calls_leak_no_references():
    import gc
    import resource

    def work(times):
        for _ in range(times):
            recovery.classify("error[E0308]: mismatched types").to_dict()
            recovery.problems("a.c:1:2: error: x")
            recovery.redact("password=hunter2hunter2")
            with pytest.raises(ValueError):
                recovery.classify("x", exit_code="one")
        gc.collect()
        return len(gc.get_objects()), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    work(500)
    objects, memory = work(500)
    more_objects, more_memory = work(4000)
    assert more_objects - objects < 100
    assert more_memory - memory < 8 * 1024, "KiB that 4,000 rounds added"


def test_a_journal_at_an_address(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    service = recovery.Service(f"sqlite:{tmp_path}/night.db")
    service.decide("read ECONNRESET", task="fetch")
    assert recovery.Service(f"sqlite:{tmp_path}/night.db").status("fetch")["failures"] == 1


def test_a_journal_on_a_server(postgres, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    recovery.Service(postgres).decide("read ECONNRESET", task="fetch")
    assert recovery.Service(postgres).status("fetch")["failures"] == 1


def test_a_server_that_is_away_gets_its_records_later(postgres, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    server = urllib.parse.urlsplit(postgres)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    away = postgres.replace(f":{server.port}/", f":{port}/").replace("recovery@", "recovery:hunter2hunter2@") + "&schema=away"
    with pytest.warns(RuntimeWarning, match="the shared journal cannot be reached") as warned:
        assert recovery.Service(away).decide("read ECONNRESET", task="fetch").verb == "retry"
    assert "hunter2" not in str(warned[0].message)

    def forward(source, target):
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)

    def serve(listener):
        with contextlib.suppress(OSError):
            while True:
                client, _ = listener.accept()
                upstream = socket.create_connection((server.hostname, server.port))
                for pair in (client, upstream), (upstream, client):
                    threading.Thread(target=forward, args=pair, daemon=True).start()

    with socket.create_server(("127.0.0.1", port)) as listener:
        threading.Thread(target=serve, args=(listener,), daemon=True).start()
        # Another process: this one does not try again for a while.
        script = f"import recovery; print(recovery.Service({away!r}).status('fetch')['failures'])"
        later = subprocess.run([sys.executable, "-W", "error", "-c", script], capture_output=True, text=True)
    assert later.stdout == "1\n", later.stderr
    assert recovery.Service(postgres + "&schema=away").status("fetch")["failures"] == 1


@pytest.mark.skipif(not os.environ.get("RECOVERY_BINARY"), reason="set RECOVERY_BINARY to compare with the command line")
def test_the_same_answers_as_the_command_line():
    cases = [json.loads(line) for line in (ROOT / "corpus" / "own.jsonl").open()]
    events = "\n".join(json.dumps({"exit_code": case["exit_code"], "stderr_tail": case["text"]}) for case in cases)
    command = [os.environ["RECOVERY_BINARY"], "classify", "--ndjson", "--format", "json"]
    printed = subprocess.run(command, input=events, capture_output=True, text=True, check=True).stdout
    for case, line in zip(cases, printed.splitlines()):
        ours = recovery.classify(case["text"], exit_code=case["exit_code"]).to_dict()
        # A stated reset time is turned into a moment with the clock of each call.
        for answer in (ours, theirs := json.loads(line)):
            if answer["diagnosis"]:
                answer["diagnosis"] = {**answer["diagnosis"], "resets_at": None}
        assert ours == theirs, case["id"]
