"""The engine through Python: the same answers as the command line, exceptions of real clients, threads."""

import asyncio
import http.server
import json
import os
import pathlib
import subprocess
import sys
import threading
import urllib.error
import urllib.request

import pytest

import recovery

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


def test_a_transient_failure():
    answer = recovery.classify("npm error code ECONNRESET")
    assert answer.failure and answer.is_transient
    assert answer.diagnosis.error_type == "connection_failure"
    assert "run it again" in repr(answer)


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


def test_secrets_are_redacted():
    assert "hunter2hunter2" not in recovery.redact("password=hunter2hunter2")


def test_wrong_types_are_errors_that_name_the_field():
    with pytest.raises(ValueError, match="not a failure event"):
        recovery.classify("x", exit_code="one")


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


def test_urllib(server):
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(f"{server}/429")
    answer = recovery.from_exception(caught.value)
    assert answer.is_transient and answer.diagnosis.retry_after_ms == 7000


def test_requests(server):
    import requests

    with pytest.raises(requests.HTTPError) as caught:
        requests.get(f"{server}/429").raise_for_status()
    answer = recovery.from_exception(caught.value)
    assert answer.diagnosis.error_type == "rate_limit" and answer.diagnosis.retry_after_ms == 7000
    with pytest.raises(requests.ConnectionError) as refused:
        requests.get("http://127.0.0.1:9")
    assert recovery.from_exception(refused.value).diagnosis.error_type == "connection_failure"


def test_httpx(server):
    import httpx

    with pytest.raises(httpx.HTTPStatusError) as caught:
        httpx.get(f"{server}/401").raise_for_status()
    assert recovery.from_exception(caught.value).diagnosis.error_type == "missing_credentials"


STATUSES = pytest.mark.parametrize(
    "status, expected", [(429, "rate_limit"), (503, "service_unavailable"), (401, "missing_credentials")]
)


@STATUSES
def test_openai(server, status, expected):
    import openai

    client = openai.OpenAI(api_key="k", base_url=f"{server}/{status}", max_retries=0)
    with pytest.raises(openai.APIStatusError) as caught:
        client.models.list()
    assert recovery.from_exception(caught.value).diagnosis.error_type == expected


@STATUSES
def test_anthropic(server, status, expected):
    import anthropic

    client = anthropic.Anthropic(api_key="k", base_url=f"{server}/{status}", max_retries=0)
    with pytest.raises(anthropic.APIStatusError) as caught:
        client.models.list()
    assert recovery.from_exception(caught.value).diagnosis.error_type == expected


@STATUSES
def test_google_genai(server, status, expected):
    from google import genai

    client = genai.Client(api_key="k", http_options={"base_url": f"{server}/{status}"})
    with pytest.raises(genai.errors.APIError) as caught:
        client.models.get(model="m")
    assert recovery.from_exception(caught.value).diagnosis.error_type == expected


@STATUSES
def test_boto3(server, status, expected):
    import boto3
    import botocore.config
    import botocore.exceptions

    config = botocore.config.Config(retries={"total_max_attempts": 1})
    client = boto3.client(
        "s3", endpoint_url=f"{server}/{status}", region_name="x", aws_access_key_id="k", aws_secret_access_key="s", config=config
    )
    with pytest.raises(botocore.exceptions.ClientError) as caught:
        client.list_buckets()
    assert recovery.from_exception(caught.value).diagnosis.error_type == expected


def test_psycopg():
    import psycopg

    with pytest.raises(psycopg.OperationalError) as caught:
        psycopg.connect("host=127.0.0.1 port=9 user=u dbname=d", connect_timeout=2)
    assert recovery.from_exception(caught.value).diagnosis.error_type == "connection_failure"


def test_urllib3(server):
    import urllib3

    with pytest.raises(urllib3.exceptions.MaxRetryError) as caught:
        urllib3.PoolManager(retries=False).request("GET", "http://127.0.0.1:9/", retries=urllib3.Retry(0))
    assert recovery.from_exception(caught.value).diagnosis.error_type == "connection_failure"


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
