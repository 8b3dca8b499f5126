//! Tables from the name in an import to the package that provides it, per language.
//!
//! In: the module, file, namespace or class that a message names (`languages.rs` does the lookup). Out: the name on the
//! package index.
//!
//! Two kinds of tables: pairs where the names differ (`cv2` is `opencv-python`), and lists of packages whose name equals
//! that of the module. A name in neither is not suggested for installation, because an unregistered or look-alike name may
//! belong to an attacker (typosquatting); the lists also serve as candidates for typos. Add an entry only for a package
//! that exists on its index: `suggested_names` in `mod.rs` lists all of them for checking.

/// Python modules and the distribution that has them, where the names differ; the longest prefix wins.
#[rustfmt::skip]
pub(super) const PYTHON: &[(&str, &str)] = &[
    ("IPython", "ipython"), ("PyInstaller", "pyinstaller"), ("pywt", "PyWavelets"), ("vcr", "vcrpy"), ("Bio", "biopython"), ("Crypto", "pycryptodome"), ("Cryptodome", "pycryptodomex"), ("Cython", "Cython"),
    ("Levenshtein", "Levenshtein"), ("MySQLdb", "mysqlclient"), ("OpenGL", "PyOpenGL"), ("OpenSSL", "pyOpenSSL"),
    ("PIL", "Pillow"), ("PyQt5", "PyQt5"), ("PyQt6", "PyQt6"), ("Xlib", "python-xlib"), ("absl", "absl-py"),
    ("apiclient", "google-api-python-client"), ("async_timeout", "async-timeout"), ("attr", "attrs"),
    ("azure.identity", "azure-identity"), ("azure.storage.blob", "azure-storage-blob"), ("babel", "babel"),
    ("barcode", "python-barcode"), ("bs4", "beautifulsoup4"), ("bson", "pymongo"), ("cairo", "pycairo"), ("chess", "chess"),
    ("cloudinary", "cloudinary"), ("corsheaders", "django-cors-headers"), ("cv2", "opencv-python"),
    ("dateutil", "python-dateutil"), ("dbus", "dbus-python"), ("decouple", "python-decouple"), ("discord", "discord.py"),
    ("distutils", "setuptools"), ("django", "Django"), ("django_filters", "django-filter"), ("dns", "dnspython"),
    ("docutils", "docutils"), ("docx", "python-docx"), ("docx2txt", "docx2txt"), ("dotenv", "python-dotenv"),
    ("ee", "earthengine-api"), ("email_validator", "email-validator"), ("engineio", "python-engineio"),
    ("environ", "django-environ"), ("faiss", "faiss-cpu"), ("fake_useragent", "fake-useragent"), ("ffmpeg", "ffmpeg-python"),
    ("fitz", "PyMuPDF"), ("flask", "Flask"), ("flask_cors", "flask-cors"), ("flask_login", "flask-login"),
    ("flask_sqlalchemy", "flask-sqlalchemy"), ("git", "GitPython"), ("github", "PyGithub"), ("gitlab", "python-gitlab"),
    ("google.auth", "google-auth"), ("google.cloud.bigquery", "google-cloud-bigquery"),
    ("google.cloud.storage", "google-cloud-storage"), ("google.genai", "google-genai"),
    ("google.generativeai", "google-generativeai"), ("google.protobuf", "protobuf"),
    ("googleapiclient", "google-api-python-client"), ("grpc", "grpcio"), ("grpc_tools", "grpcio-tools"),
    ("huggingface_hub", "huggingface-hub"), ("hydra", "hydra-core"), ("igraph", "igraph"), ("imblearn", "imbalanced-learn"),
    ("importlib_metadata", "importlib-metadata"), ("importlib_resources", "importlib-resources"),
    ("jenkins", "python-jenkins"), ("jinja2", "Jinja2"), ("jose", "python-jose"), ("jwt", "PyJWT"),
    ("kafka", "kafka-python"), ("keycloak", "python-keycloak"), ("kubernetes", "kubernetes"),
    ("langchain_community", "langchain-community"), ("langchain_core", "langchain-core"),
    ("langchain_openai", "langchain-openai"), ("ldap", "python-ldap"), ("ldap3", "ldap3"), ("lightning", "lightning"),
    ("llama_cpp", "llama-cpp-python"), ("magic", "python-magic"), ("markdown", "Markdown"), ("memcache", "python-memcached"),
    ("mpi4py", "mpi4py"), ("mpl_toolkits", "matplotlib"), ("msal", "msal"), ("multipart", "python-multipart"),
    ("mysql.connector", "mysql-connector-python"), ("nacl", "PyNaCl"), ("newspaper", "newspaper3k"),
    ("ocrmypdf", "ocrmypdf"), ("opentelemetry", "opentelemetry-api"), ("osgeo", "GDAL"), ("paho", "paho-mqtt"),
    ("past", "future"), ("pkg_resources", "setuptools<81"), ("playhouse", "peewee"), ("pptx", "python-pptx"),
    ("prometheus_client", "prometheus-client"), ("psycopg2", "psycopg2-binary"), ("pwn", "pwntools"), ("pyarrow", "pyarrow"),
    ("pyasn1_modules", "pyasn1-modules"), ("pydantic_settings", "pydantic-settings"), ("pygments", "Pygments"),
    ("pytest_asyncio", "pytest-asyncio"), ("pytest_cov", "pytest-cov"), ("pytest_mock", "pytest-mock"),
    ("pythoncom", "pywin32"), ("pytz_deprecation_shim", "pytz-deprecation-shim"), ("pyximport", "Cython"),
    ("rest_framework", "djangorestframework"), ("rest_framework_simplejwt", "djangorestframework-simplejwt"),
    ("ruamel", "ruamel.yaml"), ("ruamel.yaml", "ruamel.yaml"), ("sentence_transformers", "sentence-transformers"),
    ("serial", "pyserial"), ("skimage", "scikit-image"), ("sklearn", "scikit-learn"), ("skopt", "scikit-optimize"),
    ("slack_sdk", "slack-sdk"), ("slugify", "python-slugify"), ("snappy", "python-snappy"),
    ("snowflake.connector", "snowflake-connector-python"), ("socketio", "python-socketio"), ("socks", "PySocks"),
    ("speech_recognition", "SpeechRecognition"), ("sphinx", "Sphinx"), ("sqlalchemy", "SQLAlchemy"), ("tabula", "tabula-py"),
    ("telegram", "python-telegram-bot"), ("tlz", "toolz"), ("tree_sitter", "tree-sitter"),
    ("typing_extensions", "typing_extensions"), ("typing_inspect", "typing-inspect"), ("umap", "umap-learn"),
    ("usb", "pyusb"), ("websocket", "websocket-client"), ("werkzeug", "Werkzeug"), ("whois", "python-whois"),
    ("win32api", "pywin32"), ("win32com", "pywin32"), ("wx", "wxPython"), ("yaml", "PyYAML"), ("zmq", "pyzmq"),
    ("zope.interface", "zope.interface"),
];

/// Python modules whose distribution has the same name, so that installing it is sure to be right.
#[rustfmt::skip]
pub(super) const PYTHON_SAME_NAME: &[&str] = &[
    "accelerate", "aiofiles", "aiohttp", "alembic", "altair", "anthropic", "anyio", "arrow", "asyncpg", "autopep8",
    "backoff", "bcrypt", "bitsandbytes", "black", "bleach", "bokeh", "boto3", "botocore", "bottle", "cachetools", "catboost",
    "celery", "certifi", "cffi", "chardet", "chromadb", "click", "cohere", "colorama", "coverage", "cryptography", "cycler",
    "dash", "dask", "databases", "datasets", "deepdiff", "diffusers", "diskcache", "docker", "docopt", "duckdb",
    "dulwich", "ecdsa", "einops", "elasticsearch", "emoji", "evaluate", "fabric", "faker", "falcon", "fastapi", "feedparser",
    "filelock", "fire", "flake8", "flit", "folium", "freezegun", "fsspec", "gensim", "geopandas", "geopy", "gevent",
    "gradio", "greenlet", "gunicorn", "gymnasium", "h5py", "hdbscan", "html5lib", "httpcore", "httplib2", "httptools",
    "httpx", "hvac", "hypothesis", "idna", "imageio", "inflect", "inquirer", "invoke", "ipdb", "ipykernel", 
    "isodate", "isort", "itsdangerous", "jax", "jaxlib", "jedi", "jmespath", "joblib", "jsonlines", "jsonpatch",
    "jsonschema", "kaleido", "keras", "keyring", "kombu", "langchain", "langgraph", "lark", "librosa", "lightgbm",
    "litellm", "llvmlite", "loguru", "lxml", "mako", "markupsafe", "marshmallow", "matplotlib", "maturin", "mido",
    "mistralai", "mlflow", "mock", "moto", "motor", "msgpack", "multidict", "mypy", "nbformat", "netCDF4", "networkx",
    "nltk", "nose2", "notebook", "nox", "numba", "numexpr", "numpy", "oauthlib", "ollama", "onnx", "onnxruntime", "openai",
    "openpyxl", "optuna", "orjson", "packaging", "pandas", "paramiko", "parsel", "passlib", "patsy", "pdfplumber", "peewee",
    "peft", "pendulum", "pexpect", "pgvector", "pika", "pipenv", "playwright", "plotly", "pluggy", "polars", "pooch",
    "prettytable", "psutil", "psycopg", "pulp", "pyaudio", "pyautogui", "pycountry", "pycparser", "pydantic", "pydot",
    "pydub", "pyfiglet", "pygame", "pylint", "pymongo", "pymysql", "pynput", "pyodbc", "pyparsing", "pypdf",
    "PyPDF2", "pyperclip", "pyproj", "pyright", "pyspark", "pytesseract", "pytest", "pytorch_lightning", "pytz",
    "qdrant_client", "qrcode", "rasterio", "redis", "regex", "reportlab", "requests", "requests_mock",
    "requests_oauthlib", "responses", "rich", "ruff", "sacrebleu", "safetensors", "scapy", "scipy", "scrapy", "seaborn",
    "selenium", "sentencepiece", "sentry_sdk", "setuptools", "shap", "shapely", "simplejson", "six", "skorch", "smolagents",
    "sniffio", "sortedcontainers", "sounddevice", "soundfile", "spacy", "sqlglot", "sqlmodel", "sqlparse", "starlette",
    "statsmodels", "streamlit", "stripe", "structlog", "sympy", "tables", "tabulate", "tenacity", "tensorboard",
    "tensorflow", "termcolor", "textblob", "thefuzz", "tiktoken", "timm", "tinydb", "toml", "tomli", "tomlkit", "toolz",
    "torch", "torchaudio", "torchvision", "tornado", "tox", "tqdm", "traitlets", "transformers", "treelib", "trio", "trl",
    "twilio", "twisted", "typer", "tzdata", "tzlocal", "ujson", "unidecode", "unstructured", "urllib3", "uvicorn", "uvloop",
    "validators", "virtualenv", "vllm", "wandb", "watchdog", "watchfiles", "weasyprint", "websockets", "wheel",
    "wordcloud", "wrapt", "xarray", "xgboost", "xlrd", "xlsxwriter", "xlwt", "xmltodict", "yarl", "yfinance", "youtube_dl",
    "yt_dlp", "zeep", "zstandard",
];

/// Python modules that come with the system's Python, not from an index.
pub(super) const PYTHON_SYSTEM: &[(&str, &str)] = &[
    ("_tkinter", "python3-tk"),
    ("apt_pkg", "python3-apt"),
    ("ensurepip", "python3-venv"),
    ("gi", "python3-gi"),
    ("pip", "python3-pip"),
    ("tkinter", "python3-tk"),
    ("venv", "python3-venv"),
];

/// Node packages that are certain to be what an import of that name means. A name that is not among them may be a typo,
/// or be registered by an attacker.
#[rustfmt::skip]
pub(super) const NODE_KNOWN: &[&str] = &[
    "@angular/core", "@apollo/client", "@aws-sdk/client-s3", "@babel/core", "@babel/preset-env", "@emotion/react",
    "@eslint/js", "@google/generative-ai", "@hapi/hapi", "@jest/globals", "@mui/material", "@nestjs/common", "@nestjs/core",
    "@playwright/test", "@prisma/client", "@reduxjs/toolkit", "@sentry/node", "@supabase/supabase-js", "@tanstack/react-query",
    "@testing-library/jest-dom", "@testing-library/react", "@types/jest", "@types/node", "@types/react", "@vitejs/plugin-react",
    "ajv", "antd", "async", "autoprefixer", "ava", "axios", "bcrypt", "bcryptjs", "better-sqlite3", "bluebird", "body-parser",
    "chai", "chalk", "cheerio", "chokidar", "classnames", "commander", "compression", "concurrently", "cookie-parser", "cors",
    "cross-env", "csv-parse", "d3", "date-fns", "dayjs", "debug", "discord.js", "dotenv", "ejs", "electron", "esbuild",
    "eslint", "eslint-config-prettier", "eslint-plugin-import", "eslint-plugin-react", "execa", "express",
    "express-rate-limit", "express-session", "express-validator", "fast-glob", "fastify", "firebase", "firebase-admin",
    "formik", "framer-motion", "fs-extra", "glob", "got", "graphql", "gulp", "handlebars", "helmet", "husky", "immer",
    "inquirer", "ioredis", "jest", "joi", "jquery", "js-yaml", "jsdom", "jsonwebtoken", "knex", "koa", "lint-staged", "lodash",
    "luxon", "marked", "minimist", "mkdirp", "mocha", "moment", "mongodb", "mongoose", "morgan", "ms", "multer", "mysql2",
    "nanoid", "next", "node-cron", "node-fetch", "nodemailer", "nodemon", "nuxt", "nyc", "openai", "ora", "passport", "pg",
    "pino", "playwright", "postcss", "prettier", "prisma", "prop-types", "puppeteer", "qs", "ramda", "react", "react-dom",
    "react-hook-form", "react-redux", "react-router-dom", "redis", "redux", "rimraf", "rollup", "rxjs", "sass", "semver",
    "sequelize", "sharp", "sinon", "socket.io", "sqlite3", "storybook", "stripe", "styled-components", "supertest", "svelte",
    "swr", "tailwindcss", "three", "ts-jest", "ts-node", "tslib", "tsx", "turbo", "typeorm", "typescript", "underscore",
    "undici", "uuid", "vite", "vitest", "vue", "vue-router", "webpack", "webpack-cli", "winston", "ws", "yargs", "yup", "zod",
    "zustand",
];

/// Rust crates that are certain to be what an import of that name means; `_` matches `-` too.
#[rustfmt::skip]
pub(super) const RUST_KNOWN: &[&str] = &[
    "actix_web", "aho_corasick", "anyhow", "arbitrary", "async_trait", "axum", "base64", "bincode", "bitflags", "bytes",
    "chrono", "clap", "criterion", "crossbeam", "csv", "dashmap", "diesel", "dirs", "either", "env_logger", "flate2",
    "futures", "glob", "hashbrown", "hex", "hyper", "indexmap", "insta", "itertools", "lazy_static", "libc", "log", "memchr",
    "mockall", "nalgebra", "ndarray", "nom", "num_bigint", "num_traits", "once_cell", "parking_lot", "petgraph",
    "pretty_assertions", "proc_macro2", "proptest", "prost", "quote", "rand", "rayon", "regex", "reqwest", "rusqlite",
    "rustls", "semver", "serde", "serde_json", "serde_yaml", "sha2", "smallvec", "sqlx", "strum", "syn", "tempfile",
    "thiserror", "time", "tokio", "tokio_stream", "tokio_util", "toml", "tonic", "tower", "tower_http", "tracing",
    "tracing_subscriber", "unicode_segmentation", "url", "uuid", "walkdir", "wasm_bindgen", "zip",
];

/// Ruby files and the gem that has them, where the names differ.
#[rustfmt::skip]
pub(super) const RUBY: &[(&str, &str)] = &[
    ("action_controller", "actionpack"), ("action_view", "actionview"), ("active_model", "activemodel"),
    ("active_record", "activerecord"), ("active_support", "activesupport"), ("cucumber/rake/task", "cucumber"),
    ("dotenv/load", "dotenv"), ("google/protobuf", "google-protobuf"), ("json/jwt", "json-jwt"),
    ("minitest/autorun", "minitest"), ("net/scp", "net-scp"), ("net/sftp", "net-sftp"), ("net/ssh", "net-ssh"),
    ("rack/test", "rack-test"), ("rspec/core/rake_task", "rspec"), ("shoulda/matchers", "shoulda-matchers"),
    ("sidekiq/web", "sidekiq"), ("sinatra/base", "sinatra"), ("test/unit", "test-unit"), ("webmock/rspec", "webmock"),
    ("yajl", "yajl-ruby"),
];

/// Gems whose directory other gems share.
pub(super) const RUBY_WITH_PLUGINS: &[&str] = &[
    "capistrano", "faraday", "jekyll", "minitest", "omniauth", "puma", "rack", "rails", "rspec", "rubocop", "sinatra",
];

/// Packages of Go's standard library that older releases lack, with the first that has them.
pub(super) const GO_STANDARD_SINCE: &[(&str, &str)] = &[
    ("cmp", "1.21"),
    ("embed", "1.16"),
    ("io/fs", "1.16"),
    ("iter", "1.23"),
    ("log/slog", "1.21"),
    ("maps", "1.21"),
    ("math/rand/v2", "1.22"),
    ("net/netip", "1.18"),
    ("slices", "1.21"),
    ("unique", "1.23"),
];

/// Ruby files whose gem has the same name.
#[rustfmt::skip]
pub(super) const RUBY_SAME_NAME: &[&str] = &[
    "bcrypt", "bootsnap", "builder", "byebug", "capybara", "colorize", "concurrent-ruby", "devise", "dotenv", "ed25519",
    "erubi", "excon", "fastlane", "ffi", "fog", "graphql", "haml", "hiredis", "httparty", "i18n", "jbuilder", "jekyll",
    "json", "jwt", "kaminari", "kramdown", "liquid", "listen", "loofah", "mail", "mime-types", "minitest", "mocha", "money",
    "msgpack", "multi_json", "mysql2", "nokogiri", "oauth2", "oj", "optimist", "ox", "parallel", "parser", "pg", "pry",
    "puma", "pundit", "rack", "rails", "rainbow", "rake", "redis", "redcarpet", "rest-client", "rexml", "rouge", "rspec",
    "rubocop", "rubyzip", "sassc", "savon", "selenium-webdriver", "sequel", "sidekiq", "simplecov", "sinatra", "slim",
    "sqlite3", "stripe", "terminal-table", "thin", "thor", "tilt", "timecop", "typhoeus", "tzinfo", "unicorn", "vcr",
    "webmock", "webrick", "yard", "zeitwerk",
];

/// Lua modules and the rock that has them.
#[rustfmt::skip]
pub(super) const LUA: &[(&str, &str)] = &[
    ("argparse", "argparse"), ("busted", "busted"), ("cjson", "lua-cjson"), ("dkjson", "dkjson"), ("inspect", "inspect"),
    ("lfs", "luafilesystem"), ("lpeg", "lpeg"), ("lsqlite3", "lsqlite3"), ("ltn12", "luasocket"), ("luaunit", "luaunit"),
    ("mime", "luasocket"), ("penlight", "penlight"), ("pl", "penlight"), ("posix", "luaposix"), ("redis", "redis-lua"),
    ("serpent", "serpent"), ("socket", "luasocket"), ("ssl", "luasec"), ("yaml", "lua-yaml"), ("zlib", "lua-zlib"),
];

/// PHP extensions that Debian packages as `php-NAME`.
#[rustfmt::skip]
pub(super) const PHP_EXTENSIONS: &[&str] = &[
    "amqp", "apcu", "bcmath", "bz2", "curl", "gd", "gmp", "igbinary", "imagick", "imap", "intl", "ldap", "mbstring",
    "memcached", "mongodb", "mysql", "pgsql", "redis", "soap", "sqlite3", "ssh2", "tidy", "xdebug", "xml", "yaml", "zip",
];

/// Node packages whose name ends like a file's.
pub(super) const NODE_WITH_EXTENSION: &[&str] =
    &["big.js", "bignumber.js", "chart.js", "decimal.js", "highlight.js", "reveal.js"];

/// PHP namespaces and the Composer package that has them.
#[rustfmt::skip]
pub(super) const PHP: &[(&str, &str)] = &[
    ("Carbon", "nesbot/carbon"), ("Doctrine", "doctrine/orm"), ("Firebase", "firebase/php-jwt"),
    ("GuzzleHttp", "guzzlehttp/guzzle"), ("Illuminate", "laravel/framework"), ("Monolog", "monolog/monolog"),
    ("PHPUnit", "phpunit/phpunit"), ("Predis", "predis/predis"), ("Ramsey", "ramsey/uuid"), ("Twig", "twig/twig"),
];

/// Java packages and the coordinates of the artifact that has them; the longest prefix wins.
#[rustfmt::skip]
pub(super) const JAVA: &[(&str, &str)] = &[
    ("com.fasterxml.jackson", "com.fasterxml.jackson.core:jackson-databind"), ("com.google.common", "com.google.guava:guava"),
    ("com.google.gson", "com.google.code.gson:gson"), ("com.mysql", "com.mysql:mysql-connector-j"),
    ("com.zaxxer.hikari", "com.zaxxer:HikariCP"), ("jakarta.persistence", "jakarta.persistence:jakarta.persistence-api"),
    ("jakarta.validation", "jakarta.validation:jakarta.validation-api"), ("javax.servlet", "javax.servlet:javax.servlet-api"),
    ("lombok", "org.projectlombok:lombok"), ("okhttp3", "com.squareup.okhttp3:okhttp"),
    ("org.apache.commons.io", "commons-io:commons-io"), ("org.apache.commons.lang3", "org.apache.commons:commons-lang3"),
    ("org.apache.logging.log4j", "org.apache.logging.log4j:log4j-core"), ("org.assertj", "org.assertj:assertj-core"),
    ("org.hamcrest", "org.hamcrest:hamcrest"), ("org.junit", "junit:junit"),
    ("org.junit.jupiter", "org.junit.jupiter:junit-jupiter"), ("org.mockito", "org.mockito:mockito-core"),
    ("org.postgresql", "org.postgresql:postgresql"), ("org.slf4j", "org.slf4j:slf4j-api"),
    ("org.springframework.boot", "org.springframework.boot:spring-boot-starter"),
];

/// .NET namespaces and the NuGet package that has them.
pub(super) const DOTNET: &[(&str, &str)] = &[
    ("Moq", "Moq"),
    ("NUnit", "NUnit"),
    ("Newtonsoft", "Newtonsoft.Json"),
    ("Npgsql", "Npgsql"),
    ("Swashbuckle", "Swashbuckle.AspNetCore"),
    ("Xunit", "xunit"),
];
