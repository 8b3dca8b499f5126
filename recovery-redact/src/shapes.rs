//! Tokens that are known by their shape: a table of published formats, as data.
//!
//! In: a place in the text where a word starts. Out: the token there, by the first row whose prefix, characters and length
//! fit. Rows were taken from what providers publish and compared with three public rule sets (see [`SOURCES`]); the patterns
//! are our own. Rules of those sets that know a secret by the name of its service are in `names.rs`, those without a
//! prefix in `marked.rs`. To add one, add a row: longer prefixes before their own beginnings.

use super::{Secret, looks_mixed, looks_random};

/// A public rule set that the kinds were compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// Where it is published.
    pub name: &'static str,
    /// The revision that was read.
    pub revision: &'static str,
    /// The day of that revision.
    pub date: &'static str,
}

/// The public rule sets whose kinds are covered.
pub const SOURCES: [Source; 3] = [
    Source {
        name: "gitleaks, config/gitleaks.toml",
        revision: "b58d3f102cf3a2c84cb7f923d05c25c9b1aed84b",
        date: "2026-07-22",
    },
    Source {
        name: "detect-secrets, detect_secrets/plugins",
        revision: "5e141933554a0b74e7341841f318be21e895339c",
        date: "2026-04-02",
    },
    Source {
        name: "trufflehog, pkg/detectors",
        revision: "3ab759fef4bb5935d4fe9ac68b503d05346b8364",
        date: "2026-08-21",
    },
];

/// A token: its first characters, what follows them, and how much of it there must be.
pub(super) struct Shape {
    pub(super) prefix: &'static str,
    kind: &'static str,
    body: Body,
    min: usize,
}

/// The characters a token goes on with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Body {
    /// Letters and digits.
    Alnum,
    /// Letters and digits, exactly as many as named.
    Exact,
    /// Letters and digits mixed, exactly as many as named: for prefixes that words could have.
    ExactRandom,
    /// Capitals and digits, exactly as many as named.
    Upper,
    /// Hexadecimal digits, exactly as many as named.
    Hex,
    /// Letters, digits, `-` and `_`.
    Url,
    /// As `Url`, with letters and digits mixed: what has a short prefix could be a name.
    Random,
    /// Capitals, digits and `-`, letters and digits mixed: licence keys in groups.
    Serial,
    /// As `Url`, and `.`, `+`, `=`; one part between the points is long and random.
    Dotted,
    /// As `Url`, and `.`, `/`, `+`, `=`, `~`, and `%` for those that were escaped for a URL.
    Wide,
    /// A UUID and nothing more.
    Uuid,
    /// The parts of a password hash, `$` and `:` between them.
    Hash,
}

const fn row(prefix: &'static str, kind: &'static str, body: Body, min: usize) -> Shape {
    Shape { prefix, kind, body, min }
}

/// A token that is cut off by the end of the text is known from this many characters on.
const MIN_CUT_CHARS: usize = 8;
/// So much of a token is looked at to know it, so that what only begins like one stays cheap.
const EXAMINED_CHARS: usize = 256;
/// The same for the header of a web token.
const EXAMINED_HEADER_CHARS: usize = 1024;
/// A line at least this long may have been wrapped within a token.
const WRAPPED_LINE_BYTES: usize = 60;

use Body::{Alnum, Dotted, Exact, ExactRandom, Hash, Hex, Random, Serial, Upper, Url, Uuid, Wide};

/// Longer prefixes before their own beginnings.
#[rustfmt::skip]
pub(super) const SHAPES: &[Shape] = &[
    // Clouds
    row("AKIA", "aws-key", Upper, 16),
    row("ASIA", "aws-key", Upper, 16),
    row("ABIA", "aws-key", Upper, 16),
    row("ACCA", "aws-key", Upper, 16),
    row("ABSK", "aws-key", Wide, 100),
    row("ABSKQmVkcm9ja0FQSUtleS", "aws-key", Wide, 40),
    row("IQoJb3JpZ2luX2Vj", "aws-token", Wide, 60),
    row("FwoGZXIvYXdz", "aws-token", Wide, 60),
    row("bedrock-api-key-", "aws-key", Wide, 20),
    row("AIza", "google-key", Url, 35),
    row("ya29.", "google-token", Url, 20),
    row("GOCSPX-", "google-secret", Url, 20),
    row("dop_v1_", "digitalocean-token", Alnum, 40),
    row("doo_v1_", "digitalocean-token", Alnum, 40),
    row("dor_v1_", "digitalocean-token", Alnum, 40),
    row("dapi", "databricks-token", Hex, 32),
    row("hvs.", "vault-token", Url, 20),
    row("hvb.", "vault-token", Url, 20),
    row("hvr.", "vault-token", Url, 20),
    row("HRKU-", "heroku-key", Url, 30),
    row("pul-", "pulumi-token", Hex, 40),
    row("FlyV1 fm", "fly-token", Wide, 20),
    row("fo1_", "fly-token", Url, 40),
    row("sbp_", "supabase-token", Hex, 40),
    row("sb_secret_", "supabase-token", Url, 20),
    row("pscale_tkn_", "planetscale-token", Wide, 30),
    row("pscale_pw_", "planetscale-password", Wide, 30),
    row("nfp_", "netlify-token", Alnum, 30),
    row("dp.pt.", "doppler-token", Alnum, 40),
    row("dp.st.", "doppler-token", Wide, 40),
    row("dt0c01.", "dynatrace-token", Wide, 60),
    // Code hosts and registries
    row("github_pat_", "github-token", Url, 22),
    row("ghp_", "github-token", Alnum, 30),
    row("gho_", "github-token", Alnum, 30),
    row("ghu_", "github-token", Alnum, 30),
    row("ghs_", "github-token", Wide, 30),
    row("ghr_", "github-token", Alnum, 30),
    row("glpat-", "gitlab-token", Wide, 20),
    row("gldt-", "gitlab-token", Url, 20),
    row("glrt-", "gitlab-token", Wide, 20),
    row("glcbt-", "gitlab-token", Url, 20),
    row("glptt-", "gitlab-token", Url, 20),
    row("glft-", "gitlab-token", Url, 20),
    row("glsoat-", "gitlab-token", Url, 20),
    row("glimt-", "gitlab-token", Url, 20),
    row("glagent-", "gitlab-token", Url, 40),
    row("gloas-", "gitlab-token", Url, 40),
    row("ATATT3", "atlassian-token", Wide, 40),
    row("ATBB", "atlassian-token", Alnum, 28),
    row("npm_", "npm-token", Alnum, 36),
    row("pypi-AgE", "pypi-token", Url, 40),
    row("rubygems_", "rubygems-key", Hex, 48),
    row("cio", "crates-io-token", Alnum, 32),
    row("dckr_pat_", "docker-token", Url, 20),
    row("dckr_oat_", "docker-token", Url, 20),
    row("AKCp", "artifactory-key", Alnum, 60),
    row("oy2", "nuget-key", Alnum, 43),
    row("CCIPAT_", "circleci-token", Url, 30),
    row("bkua_", "buildkite-token", Hex, 40),
    // Language models
    row("sk-ant-", "anthropic-key", Url, 16),
    row("sk-or-v1-", "openrouter-key", Hex, 64),
    row("sk-lf-", "langfuse-key", Url, 20),
    row("sk-proj-", "openai-key", Url, 16),
    row("sk-svcacct-", "openai-key", Url, 16),
    row("sk-admin-", "openai-key", Url, 16),
    row("sk-", "llm-key", Random, 20),
    row("sess-", "openai-key", Alnum, 30),
    row("hf_", "huggingface-token", Alnum, 30),
    row("api_org_", "huggingface-token", Alnum, 30),
    row("gsk_", "groq-key", Alnum, 40),
    row("xai-", "xai-key", Alnum, 40),
    row("pplx-", "perplexity-key", Alnum, 40),
    row("r8_", "replicate-token", Alnum, 30),
    row("lsv2_pt_", "langsmith-key", Wide, 32),
    row("lsv2_sk_", "langsmith-key", Wide, 32),
    row("tvly-", "tavily-key", Random, 20),
    row("nvapi-", "nvidia-key", Url, 40),
    row("fc-", "firecrawl-key", Hex, 32),
    row("e2b_", "e2b-key", Hex, 40),
    row("csk-", "cerebras-key", Alnum, 40),
    // Talk, money, mail, watching
    row("xoxb-", "slack-token", Url, 8),
    row("xoxp-", "slack-token", Url, 8),
    row("xoxa-", "slack-token", Url, 8),
    row("xoxr-", "slack-token", Url, 8),
    row("xoxs-", "slack-token", Url, 8),
    row("xoxc-", "slack-token", Url, 8),
    row("xoxd-", "slack-token", Wide, 8),
    row("xoxe-", "slack-token", Url, 8),
    row("xoxe.", "slack-token", Wide, 8),
    row("xapp-", "slack-token", Url, 10),
    row("hooks.slack.com/services/", "slack-webhook", Wide, 20),
    row("discord.com/api/webhooks/", "discord-webhook", Wide, 20),
    row("discordapp.com/api/webhooks/", "discord-webhook", Wide, 20),
    row("sk_live_", "stripe-key", Alnum, 10),
    row("sk_test_", "stripe-key", Alnum, 10),
    row("rk_live_", "stripe-key", Alnum, 10),
    row("rk_test_", "stripe-key", Alnum, 10),
    row("whsec_", "webhook-secret", Wide, 16),
    row("sq0atp-", "square-token", Url, 20),
    row("sq0csp-", "square-token", Url, 20),
    row("shpat_", "shopify-token", Hex, 32),
    row("shpss_", "shopify-token", Hex, 32),
    row("shpca_", "shopify-token", Hex, 32),
    row("shppa_", "shopify-token", Hex, 32),
    row("SG.", "sendgrid-key", Wide, 60),
    row("SK", "twilio-key", Hex, 32),
    row("key-", "mailgun-key", Hex, 32),
    row("lin_api_", "linear-key", Alnum, 30),
    row("ntn_", "notion-token", Alnum, 40),
    row("secret_", "notion-token", Alnum, 43),
    row("figd_", "figma-token", Url, 30),
    row("PMAK-", "postman-key", Url, 40),
    row("NRAK-", "newrelic-key", Exact, 27),
    row("glsa_", "grafana-token", Url, 32),
    row("glc_", "grafana-token", Wide, 32),
    row("sntrys_", "sentry-token", Wide, 32),
    row("sntryu_", "sentry-token", Hex, 64),
    row("phx_", "posthog-key", Alnum, 40),
    row("AGE-SECRET-KEY-1", "age-key", Upper, 58),
    // Formats that the rule sets above added
    row("A3T", "aws-key", Upper, 17),
    row("A3-", "1password-key", Serial, 30),
    row("ops_eyJ", "1password-token", Wide, 100),
    row("p8e-", "adobe-secret", Exact, 32),
    row("LTAI", "alibaba-key", Random, 12),
    row("cmVmd", "artifactory-token", Exact, 59),
    row("4b1d", "clickhouse-key", Exact, 38),
    row("CLOJARS_", "clojars-token", Alnum, 60),
    row("v1.0-", "cloudflare-key", Url, 160),
    row("dnkey-", "defined-networking-token", Url, 70),
    row("dp.ct.", "doppler-token", Alnum, 40),
    row("dp.sa.", "doppler-token", Alnum, 40),
    row("dp.scim.", "doppler-token", Alnum, 40),
    row("dp.audit.", "doppler-token", Alnum, 40),
    row("duffel_test_", "duffel-token", Wide, 43),
    row("duffel_live_", "duffel-token", Wide, 43),
    row("EZAK", "easypost-key", Exact, 54),
    row("EZTK", "easypost-key", Exact, 54),
    row("EAAM", "facebook-token", Alnum, 100),
    row("EAAC", "facebook-token", Alnum, 100),
    row("EAAA", "square-token", Random, 40),
    row("FLWSECK_TEST-", "flutterwave-key", Url, 12),
    row("FLWSECK-", "flutterwave-key", Url, 32),
    row("fm1a_", "fly-token", Wide, 100),
    row("fm1r_", "fly-token", Wide, 100),
    row("fm2_", "fly-token", Wide, 100),
    row("fio-u-", "frameio-token", Wide, 64),
    row("glffct-", "gitlab-token", Url, 20),
    row("GR1348941", "gitlab-token", Url, 20),
    row("eyJrIjoi", "grafana-key", Wide, 70),
    row("pat.", "harness-key", Wide, 66),
    row("sat.", "harness-key", Wide, 66),
    row("pat-na1-", "hubspot-token", Url, 36),
    row("pat-eu1-", "hubspot-token", Url, 36),
    row("ico-", "infracost-key", Exact, 32),
    row("s-s4t2ud-", "intra42-secret", Hex, 64),
    row("s-s4t2af-", "intra42-secret", Hex, 64),
    row("ZXlK", "jwt", Wide, 40),
    row("NRJS-", "newrelic-key", Hex, 19),
    row("NRII-", "newrelic-key", Url, 32),
    row("API-", "octopus-key", Upper, 26),
    row("sha256~", "openshift-token", Url, 43),
    row("access-sandbox-", "plaid-token", Url, 36),
    row("access-development-", "plaid-token", Url, 36),
    row("access-production-", "plaid-token", Url, 36),
    row("pscale_oauth_", "planetscale-token", Wide, 30),
    row("pnu_", "prefect-key", Exact, 36),
    row("rdme_", "readme-key", Alnum, 70),
    row("tk-us-", "scalingo-token", Url, 48),
    row("xkeysib-", "brevo-key", Url, 64),
    row("xsmtpsib-", "brevo-key", Url, 64),
    row("sm_aat_", "settlemint-token", Exact, 16),
    row("sm_pat_", "settlemint-token", Exact, 16),
    row("sm_sat_", "settlemint-token", Exact, 16),
    row("shippo_live_", "shippo-token", Hex, 40),
    row("shippo_test_", "shippo-token", Hex, 40),
    row("xoxo-", "slack-token", Url, 8),
    row("hooks.slack.com/workflows/", "slack-webhook", Wide, 20),
    row("hooks.slack.com/triggers/", "slack-webhook", Wide, 20),
    row("sgp_", "sourcegraph-token", Url, 40),
    row("squ_", "sonar-token", Hex, 40),
    row("sqp_", "sonar-token", Hex, 40),
    row("sqa_", "sonar-token", Hex, 40),
    row("sk_prod_", "stripe-key", Alnum, 10),
    row("rk_prod_", "stripe-key", Alnum, 10),
    row("AC", "twilio-sid", Hex, 32),
    row("tfp_", "typeform-token", Wide, 40),
    row("s.", "vault-token", ExactRandom, 24),
    row("t1.", "yandex-token", Wide, 86),
    row("AQVN", "yandex-key", Random, 35),
    row("sk.eyJ", "mapbox-token", Wide, 40),
    row("pk.eyJ", "mapbox-token", Wide, 40),
    row("api.softlayer.com/soap/", "softlayer-key", Wide, 60),
    row("IncomingWebhook/", "teams-webhook", Wide, 40),
    row("CFPAT-", "contentful-token", Url, 40),
    row("ATCTT3", "atlassian-token", Wide, 40),
    row("BBDC-", "bitbucket-token", Wide, 40),
    row("rnd_", "render-key", ExactRandom, 28),
    row("tskey-", "tailscale-key", Random, 20),
    row("secret-token:", "secret-token", Wide, 8),
    row("pat", "airtable-token", Dotted, 79),
    row("sc_", "authress-key", Dotted, 56),
    row("ext_", "authress-key", Dotted, 56),
    row("scauth_", "authress-key", Dotted, 56),
    row("authress_", "authress-key", Dotted, 56),
    row("webhook.office.com/webhookb2/", "teams-webhook", Wide, 36),
    // Formats that trufflehog added
    row("aio_", "adafruit-key", ExactRandom, 28),
    row("esecret_", "anyscale-key", Alnum, 26),
    row("apify_api_", "apify-token", Alnum, 30),
    row("bkct_", "buildkite-token", Url, 40),
    row("cfut_", "cloudflare-token", Exact, 48),
    row("cfat_", "cloudflare-token", Exact, 48),
    row("cfk_", "cloudflare-key", Exact, 48),
    row("CCIPRJ_", "circleci-token", Url, 30),
    row("csa_", "cloudsmith-key", ExactRandom, 36),
    row("ddp_", "datadog-token", ExactRandom, 36),
    row("ddw_", "datadog-token", ExactRandom, 36),
    row("sl.", "dropbox-token", Random, 120),
    row("endr+", "endor-key", Random, 16),
    row("figp_", "figma-token", Url, 30),
    row("figo_", "figma-token", Url, 30),
    row("APA91b", "firebase-key", Url, 100),
    row("GOOG1E", "google-key", Upper, 55),
    row("GOOG", "google-key", Upper, 20),
    row("1//0", "google-token", Url, 40),
    row("glwt-", "gitlab-token", Url, 20),
    row("signkey-prod-", "inngest-key", Hex, 64),
    row("signkey-test-", "inngest-key", Hex, 64),
    row("api-", "launchdarkly-key", Uuid, 36),
    row("sdk-", "launchdarkly-key", Uuid, 36),
    row("mob-", "launchdarkly-key", Uuid, 36),
    row("lin_oauth_", "linear-token", Alnum, 40),
    row("live_", "lob-key", Hex, 35),
    row("test_", "lob-key", Hex, 35),
    row("key-", "mailgun-key", ExactRandom, 32),
    row("napi_", "neon-key", Alnum, 40),
    row("NRBR-", "newrelic-key", Hex, 19),
    row("NRIQ-", "newrelic-key", Url, 25),
    row("persona_production_", "persona-key", Url, 32),
    row("persona_sandbox_", "persona-key", Url, 32),
    row("pcsk_", "pinecone-key", Url, 50),
    row("polar_oat_", "polar-token", Alnum, 30),
    row("polar_pat_", "polar-token", Alnum, 30),
    row("pnb_", "prefect-key", Exact, 36),
    row("ramp_sec_", "ramp-secret", Alnum, 40),
    row("rzp_live_", "razorpay-key", Exact, 14),
    row("rzp_test_", "razorpay-key", Exact, 14),
    row("re_", "resend-key", Random, 32),
    row("rh-api-", "robinhood-key", Uuid, 36),
    row("rootly_", "rootly-key", Hex, 64),
    row("salad_cloud_", "salad-key", Random, 20),
    row("5AEP861", "salesforce-token", Wide, 80),
    row("shltm_", "shotstack-key", Url, 40),
    row("prtapi_", "shopify-token", Hex, 32),
    row("slk_", "sourcegraph-token", Hex, 64),
    row("sqco_", "square-token", Alnum, 59),
    row("sk_org_live_", "stripe-key", Alnum, 20),
    row("sk_org_test_", "stripe-key", Alnum, 20),
    row("pi_", "stripe-secret", Random, 50),
    row("seti_", "stripe-secret", Random, 50),
    row("secret-live-", "stytch-secret", Wide, 30),
    row("secret-test-", "stytch-secret", Wide, 30),
    row("snyk_uat.", "snyk-token", Wide, 40),
    row("snyk_sat.", "snyk-token", Wide, 40),
    row("AKID", "tencent-key", ExactRandom, 32),
    row("tines.com/webhook/", "tines-webhook", Wide, 60),
    row("hooks.zapier.com/hooks/catch/", "zapier-webhook", Wide, 12),
    row("tgp_v1_", "together-key", Url, 40),
    row("ATTA", "trello-token", ExactRandom, 72),
    row("BBFF-", "ubidots-key", ExactRandom, 30),
    row("unkey_", "unkey-key", Random, 20),
    row("vtwn_", "valtown-token", ExactRandom, 27),
    row("vercel_blob_rw_", "vercel-token", Url, 30),
    row("VF.", "voiceflow-key", Wide, 41),
    row("wandb_v1_", "wandb-key", Url, 40),
    row("1000.", "zoho-token", Dotted, 65),
    row("sk_", "api-key", Random, 26),
    // Password hashes of Django and Werkzeug
    row("pbkdf2_sha256$", "password-hash", Hash, 20),
    row("pbkdf2_sha1$", "password-hash", Hash, 20),
    row("pbkdf2:sha256:", "password-hash", Hash, 20),
    row("scrypt:32768:", "password-hash", Hash, 20),
    // The first lines of PEM private keys in Base64, as clusters and CI variables carry them
    row("LS0tLS1CRUdJTiBQUklWQVRFIEtFWS", "private-key", Wide, 40),
    row("LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVkt", "private-key", Wide, 40),
    row("LS0tLS1CRUdJTiBFQyBQUklWQVRFIEtFWS", "private-key", Wide, 40),
    row("LS0tLS1CRUdJTiBPUEVOU1NIIFBSSVZBVEUgS0VZ", "private-key", Wide, 40),
    row("LS0tLS1CRUdJTiBFTkNSWVBURUQgUFJJVkFURSBLRVkt", "private-key", Wide, 40),
];

/// For each first character of a token the second ones, one bit each: these two distinguish most words from tokens.
static SECOND_CHARS: [u128; 128] = {
    let mut table = [0; 128];
    let mut i = 0;
    while i < SHAPES.len() {
        let prefix = SHAPES[i].prefix.as_bytes();
        table[prefix[0] as usize] |= 1 << prefix[1];
        i += 1;
    }
    table[b'e' as usize] |= 1 << b'y' | 1 << b'w';
    table
};

/// The rows by the first character of their prefix, in the order of the table, and where those of each character start:
/// comparing every prefix at every word took a tenth of a hook's time.
static BY_FIRST: ([u16; SHAPES.len()], [u16; 129]) = {
    let (mut rows, mut starts) = ([0; SHAPES.len()], [0; 129]);
    let (mut count, mut first) = (0, 0);
    while first < 128 {
        let mut row = 0;
        while row < SHAPES.len() {
            if SHAPES[row].prefix.as_bytes()[0] as usize == first {
                rows[count] = row as u16;
                count += 1;
            }
            row += 1;
        }
        first += 1;
        starts[first] = count as u16;
    }
    (rows, starts)
};

/// The rows whose prefix starts with this character.
fn rows_of(first: usize) -> impl Iterator<Item = &'static Shape> {
    let (rows, starts) = &BY_FIRST;
    let range = usize::from(starts[first])..usize::from(starts[first + 1]);
    rows[range].iter().map(|row| &SHAPES[usize::from(*row)])
}

/// The token at `at`, where a word starts.
pub(super) fn token(text: &[u8], at: usize) -> Option<Secret> {
    let rest = &text[at..];
    let (first, second) = (usize::from(rest[0]), *rest.get(1)?);
    if first >= 128 || second >= 128 || SECOND_CHARS[first] >> second & 1 == 0 {
        return None;
    }
    if let Some(len) = web_token_len(rest) {
        return Some(Secret { range: at..at + len + wrapped(text, at + len, Dotted, 0), kind: "jwt" });
    }
    if let Some(len) = wrapped_web_token_len(text, at) {
        return Some(Secret { range: at..at + len, kind: "jwt" });
    }
    let mut rows = rows_of(first).filter(|shape| rest.starts_with(shape.prefix.as_bytes()));
    let (shape, len) = rows.find_map(|shape| Some((shape, token_len(text, at, shape)?)))?;
    Some(Secret { range: at..at + len, kind: shape.kind })
}

/// The length of the token of this shape at `at`, with what was wrapped onto the next lines.
fn token_len(text: &[u8], at: usize, shape: &Shape) -> Option<usize> {
    let start = at + shape.prefix.len();
    let rest = &text[start..];
    if fits(shape, rest) {
        let body = body_len(shape.body, rest);
        return Some(shape.prefix.len() + body + wrapped(text, start + body, shape.body, 0));
    }
    // Perhaps only the parts of a wrapped token together are long enough.
    let body = body_len(shape.body, &rest[..rest.len().min(EXAMINED_CHARS)]);
    let missing = shape.min.saturating_sub(body);
    let more = if body >= 4 { wrapped(text, start + body, shape.body, missing) } else { 0 };
    (more > 0 && fits(shape, &joined(&rest[..body + more], shape.body))).then_some(shape.prefix.len() + body + more)
}

/// The parts of a wrapped token without what is between them.
fn joined(parts: &[u8], body: Body) -> Vec<u8> {
    parts.iter().copied().filter(|b| belongs(body, *b)).collect()
}

/// How much after `end` still belongs to a token that long lines were wrapped in: line breaks, spaces, and the first word of
/// each next line, which must look like a part of one or have the `missing` bytes.
fn wrapped(text: &[u8], end: usize, body: Body, missing: usize) -> usize {
    let (mut len, mut parts) = (0, 0);
    while let Some((break_len, part)) = wrapped_part(text, end + len, body, missing.saturating_sub(parts)) {
        len += break_len + part;
        parts += part;
    }
    len
}

/// The length of the line break at `end` with the spaces after it, and of the part of the token on that line.
fn wrapped_part(text: &[u8], end: usize, body: Body, missing: usize) -> Option<(usize, usize)> {
    let rest = &text[end..];
    let line = text[..end].iter().rev().take(WRAPPED_LINE_BYTES).take_while(|b| **b != b'\n').count();
    let broken = [&b"\r\n"[..], b"\n", b"\\\n"].into_iter().find(|broken| rest.starts_with(broken));
    let broken = broken.filter(|_| line >= WRAPPED_LINE_BYTES)?;
    let spaces = rest[broken.len()..].iter().take_while(|b| **b == b' ').count();
    let word = &rest[broken.len() + spaces..];
    let len = body_len(body, &word[..word.len().min(EXAMINED_CHARS)]);
    let ends = word.get(len).is_none_or(|b| b.is_ascii_whitespace() || b"\"',;)}]".contains(b));
    let is_part =
        len >= 4 && word[..len].iter().any(u8::is_ascii_digit) || missing > 0 && (missing..missing + 8).contains(&len);
    (ends && is_part).then_some((broken.len() + spaces, len))
}

fn fits(shape: &Shape, rest: &[u8]) -> bool {
    let rest = &rest[..rest.len().min(EXAMINED_CHARS)];
    let len = body_len(shape.body, rest);
    let body = &rest[..len];
    if len == rest.len() && (MIN_CUT_CHARS..shape.min).contains(&len) {
        return looks_random(body);
    }
    let is_exact = || len == shape.min && rest.get(len).is_none_or(|b| !b.is_ascii_alphanumeric());
    match shape.body {
        Body::Alnum | Body::Url | Body::Wide => len >= shape.min,
        Body::Random => {
            len >= shape.min && looks_mixed(body) && body.split(|b| b"-_".contains(b)).any(|p| p.len() >= 8)
        }
        Body::Serial => len >= shape.min && looks_random(body),
        Body::Dotted => {
            len >= shape.min && body.split(|b| *b == b'.').any(|part| part.len() >= 30 && looks_random(part))
        }
        Body::Exact | Body::Upper | Body::Hex => is_exact(),
        Body::ExactRandom => is_exact() && looks_mixed(body),
        Body::Uuid => is_uuid(body),
        Body::Hash => len >= shape.min && looks_random(body),
    }
}

fn is_uuid(text: &[u8]) -> bool {
    let lengths = text.split(|b| *b == b'-').map(<[u8]>::len);
    lengths.eq([8, 4, 4, 4, 12])
}

fn belongs(body: Body, b: u8) -> bool {
    match body {
        Body::Alnum | Body::Exact | Body::ExactRandom => b.is_ascii_alphanumeric(),
        Body::Upper => b.is_ascii_uppercase() || b.is_ascii_digit(),
        Body::Hex => b.is_ascii_hexdigit(),
        Body::Uuid => b.is_ascii_hexdigit() || b == b'-',
        Body::Hash => b.is_ascii_alphanumeric() || b"./$+=,:-_".contains(&b),
        Body::Url | Body::Random => b.is_ascii_alphanumeric() || b"-_".contains(&b),
        Body::Serial => b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'-',
        Body::Dotted => b.is_ascii_alphanumeric() || b"-_.+=".contains(&b),
        Body::Wide => b.is_ascii_alphanumeric() || b"-_./+=~%".contains(&b),
    }
}

fn body_len(body: Body, text: &[u8]) -> usize {
    let len = text.iter().take_while(|b| belongs(body, **b)).count();
    // A sentence may end after the token.
    if matches!(body, Body::Wide | Body::Dotted) { len - usize::from(text[..len].ends_with(b".")) } else { len }
}

/// The length of a web token at `at` that was wrapped before its claims could be recognised.
fn wrapped_web_token_len(text: &[u8], at: usize) -> Option<usize> {
    let rest = &text[at..];
    if !rest.starts_with(b"eyJ") {
        return None;
    }
    let first = body_len(Dotted, &rest[..rest.len().min(EXAMINED_HEADER_CHARS)]);
    let len = first + wrapped(text, at + first, Dotted, 0);
    let is_token = len > first && web_token_len(&joined(&rest[..len], Dotted)).is_some();
    is_token.then_some(len)
}

/// `eyJ….eyJ….signature`: a JSON web token, the signature perhaps missing. `ey` and `ew` are `{"`, `{ ` and `{\n` in Base64.
fn web_token_len(text: &[u8]) -> Option<usize> {
    let is_json = |part: &[u8]| part.starts_with(b"ey") || part.starts_with(b"ew");
    if !is_json(text) {
        return None;
    }
    let is_plain = text.starts_with(b"eyJ");
    let header = body_len(Body::Url, &text[..text.len().min(EXAMINED_HEADER_CHARS)]);
    if is_plain && header == text.len() && header >= 16 && looks_random(text) {
        return Some(header);
    }
    let claims = body_len(Body::Url, text[header..].strip_prefix(b".")?);
    let is_short = if is_plain { header < 10 || claims < 8 } else { header < 17 || claims < 17 };
    if is_short || !is_plain && !is_json(&text[header + 1..]) {
        return None;
    }
    let len = header + 1 + claims;
    Some(len + text[len..].strip_prefix(b".").map_or(0, |signature| 1 + body_len(Body::Url, signature)))
}
