//! Model providers' SDKs against the loopback server, which speaks their documented error bodies.

use crate::corpus::case::{Tool, case};
use crate::corpus::label::*;

const OPENAI_PY: &[(&str, &str)] = &[(
    "ask.py",
    "import os, sys\nfrom openai import OpenAI\n\n\
     url = os.environ['SERVER'] + '/' + sys.argv[1] + '/v1'\n\
     client = OpenAI(base_url=url, api_key='not-a-key', max_retries=0, timeout=2)\n\
     question = [{'role': 'user', 'content': 'Summarise the log'}]\n\
     answer = client.chat.completions.create(model='gpt-4o', messages=question)\n\
     print(answer.choices[0].message.content)\n",
)];

const ANTHROPIC_PY: &[(&str, &str)] = &[(
    "ask.py",
    "import os, sys\nfrom anthropic import Anthropic\n\n\
     url = os.environ['SERVER'] + '/' + sys.argv[1]\n\
     client = Anthropic(base_url=url, api_key='not-a-key', max_retries=0, timeout=2)\n\
     question = [{'role': 'user', 'content': 'Summarise the log'}]\n\
     answer = client.messages.create(model='claude-test', max_tokens=100, messages=question)\n\
     print(answer.content[0].text)\n",
)];

const OPENAI_JS: &[(&str, &str)] = &[(
    "ask.js",
    "const OpenAI = require('openai');\n\
     const baseURL = process.env.SERVER + '/' + process.argv[2] + '/v1';\n\
     const client = new OpenAI({ baseURL, apiKey: 'not-a-key', maxRetries: 0, timeout: 2000 });\n\
     const messages = [{ role: 'user', content: 'Summarise the log' }];\n\
     client.chat.completions.create({ model: 'gpt-4o', messages })\n  \
     .then((answer) => console.log(answer.choices[0].message.content));\n",
)];

const ANTHROPIC_JS: &[(&str, &str)] = &[(
    "ask.js",
    "const Anthropic = require('@anthropic-ai/sdk').default;\n\
     const baseURL = process.env.SERVER + '/' + process.argv[2];\n\
     const client = new Anthropic({ baseURL, apiKey: 'not-a-key', maxRetries: 0, timeout: 2000 });\n\
     const messages = [{ role: 'user', content: 'Summarise the log' }];\n\
     client.messages.create({ model: 'claude-test', max_tokens: 100, messages })\n  \
     .then((answer) => console.log(answer.content[0].text));\n",
)];

const GEMINI: &[(&str, &str)] = &[("request.json", "{\"contents\":[{\"parts\":[{\"text\":\"hi\"}]}]}")];

pub const TOOLS: &[Tool] = &[
    Tool {
        name: "openai-python",
        language: Some("Python"),
        needs: &["python3"],
        cases: &[
            case("openai-python-rate", RATE_LIMIT, "python3 ask.py openai-rate", "tokens per minute").files(OPENAI_PY),
            case("openai-python-quota", QUOTA, "python3 ask.py openai-quota", "the quota is used up").files(OPENAI_PY),
            case(
                "openai-python-context",
                CONTEXT,
                "python3 ask.py openai-context",
                "the messages are longer than the context",
            )
            .files(OPENAI_PY),
            case("openai-python-key", CREDENTIALS, "python3 ask.py openai-key", "the key is wrong").files(OPENAI_PY),
            case(
                "openai-python-no-key",
                CREDENTIALS,
                "python3 -c 'from openai import OpenAI; OpenAI()'",
                "no key is set",
            ),
            case(
                "openai-python-parameter",
                BAD_ARGUMENT,
                "python3 ask.py openai-parameter",
                "a parameter the model does not take",
            )
            .files(OPENAI_PY),
            case("openai-python-server", UNAVAILABLE, "python3 ask.py openai-server", "the server fails inside")
                .files(OPENAI_PY),
            case(
                "openai-python-overloaded",
                UNAVAILABLE,
                "python3 ask.py openai-overloaded",
                "the engine is overloaded",
            )
            .files(OPENAI_PY),
            case("openai-python-stall", TIMEOUT, "python3 ask.py stall", "no answer in time").files(OPENAI_PY),
            case("openai-python-reset", CONNECTION, "python3 ask.py reset", "the connection is reset").files(OPENAI_PY),
            case(
                "openai-python-html",
                EXCEPTION,
                "python3 ask.py html",
                "a login page instead of an answer breaks the program",
            )
            .files(OPENAI_PY),
            case("openai-python-ok", BENIGN, "python3 ask.py openai-chat", "an answer that explains errors")
                .files(OPENAI_PY),
        ],
    },
    Tool {
        name: "anthropic-python",
        language: Some("Python"),
        needs: &["python3"],
        cases: &[
            case("anthropic-python-rate", RATE_LIMIT, "python3 ask.py anthropic-rate", "input tokens per minute")
                .files(ANTHROPIC_PY),
            case("anthropic-python-overloaded", UNAVAILABLE, "python3 ask.py anthropic-overloaded", "overloaded (529)")
                .files(ANTHROPIC_PY),
            case("anthropic-python-context", CONTEXT, "python3 ask.py anthropic-context", "the prompt is too long")
                .files(ANTHROPIC_PY),
            case(
                "anthropic-python-window",
                CONTEXT,
                "python3 ask.py anthropic-window",
                "input and answer together exceed the window",
            )
            .files(ANTHROPIC_PY),
            case("anthropic-python-key", CREDENTIALS, "python3 ask.py anthropic-key", "the key is wrong")
                .files(ANTHROPIC_PY),
            case("anthropic-python-credit", QUOTA, "python3 ask.py anthropic-credit", "the credit balance is too low")
                .files(ANTHROPIC_PY),
            case("anthropic-python-server", UNAVAILABLE, "python3 ask.py anthropic-server", "the server fails inside")
                .files(ANTHROPIC_PY),
            case("anthropic-python-stall", TIMEOUT, "python3 ask.py stall", "no answer in time").files(ANTHROPIC_PY),
            case(
                "anthropic-python-ok",
                BENIGN,
                "python3 ask.py anthropic-chat",
                "an answer that tells of a failure that is over",
            )
            .files(ANTHROPIC_PY),
        ],
    },
    Tool {
        name: "openai-node",
        language: Some("JavaScript"),
        needs: &["node"],
        cases: &[
            case("openai-node-rate", RATE_LIMIT, "node ask.js openai-rate", "tokens per minute").files(OPENAI_JS),
            case("openai-node-quota", QUOTA, "node ask.js openai-quota", "the quota is used up").files(OPENAI_JS),
            case(
                "openai-node-context",
                CONTEXT,
                "node ask.js openai-context",
                "the messages are longer than the context",
            )
            .files(OPENAI_JS),
            case("openai-node-key", CREDENTIALS, "node ask.js openai-key", "the key is wrong").files(OPENAI_JS),
            case("openai-node-close", CONNECTION, "node ask.js close", "the server closes without an answer")
                .files(OPENAI_JS),
            case("openai-node-ok", BENIGN, "node ask.js openai-chat", "an answer that explains errors")
                .files(OPENAI_JS),
        ],
    },
    Tool {
        name: "anthropic-node",
        language: Some("JavaScript"),
        needs: &["node"],
        cases: &[
            case("anthropic-node-rate", RATE_LIMIT, "node ask.js anthropic-rate", "input tokens per minute")
                .files(ANTHROPIC_JS),
            case("anthropic-node-overloaded", UNAVAILABLE, "node ask.js anthropic-overloaded", "overloaded (529)")
                .files(ANTHROPIC_JS),
            case("anthropic-node-context", CONTEXT, "node ask.js anthropic-context", "the prompt is too long")
                .files(ANTHROPIC_JS),
            case("anthropic-node-stall", TIMEOUT, "node ask.js stall", "no answer in time").files(ANTHROPIC_JS),
            case(
                "anthropic-node-ok",
                BENIGN,
                "node ask.js anthropic-chat",
                "an answer that tells of a failure that is over",
            )
            .files(ANTHROPIC_JS),
        ],
    },
    Tool {
        name: "llm-api",
        language: None,
        needs: &["curl"],
        cases: &[
            case(
                "llm-api-gemini-quota",
                QUOTA,
                "curl -sS --fail-with-body -d @request.json \
                 $SERVER/gemini-quota/v1beta/models/gemini-2.5-pro:generateContent",
                "the quota is used up",
            )
            .files(GEMINI),
            case(
                "llm-api-gemini-overloaded",
                UNAVAILABLE,
                "curl -sS --fail-with-body -d @request.json \
                 $SERVER/gemini-overloaded/v1beta/models/gemini-2.5-pro:generateContent",
                "the model is overloaded",
            )
            .files(GEMINI),
            case(
                "llm-api-gemini-context",
                CONTEXT,
                "curl -sS --fail-with-body -d @request.json \
                 $SERVER/gemini-context/v1beta/models/gemini-2.5-pro:generateContent",
                "the input is longer than the context",
            )
            .files(GEMINI),
            case(
                "llm-api-gemini-key",
                CREDENTIALS,
                "curl -sS --fail-with-body -d @request.json \
                 $SERVER/gemini-key/v1beta/models/gemini-2.5-pro:generateContent",
                "the key is wrong",
            )
            .files(GEMINI),
            case(
                "llm-api-anthropic-credit",
                QUOTA,
                "curl -sS --fail-with-body -d @request.json $SERVER/anthropic-credit/v1/messages",
                "the credit balance is too low",
            )
            .files(GEMINI),
            case(
                "llm-api-openai-model",
                BAD_ARGUMENT,
                "curl -sS --fail-with-body -d @request.json $SERVER/openai-model/v1/chat/completions",
                "a model that does not exist",
            )
            .files(GEMINI),
            case(
                "llm-api-anthropic-model",
                BAD_ARGUMENT,
                "curl -sS --fail-with-body -d @request.json $SERVER/anthropic-model/v1/messages",
                "a model that does not exist",
            )
            .files(GEMINI),
        ],
    },
];
