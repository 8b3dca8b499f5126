//! Tokens that are known by their shape.

use super::{Secret, looks_random};

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
    /// Capitals and digits, exactly as many as named.
    Upper,
    /// Hexadecimal digits, exactly as many as named.
    Hex,
    /// Letters, digits, `-` and `_`.
    Url,
    /// As `Url`, with letters and digits mixed: what has a short prefix could be a name.
    Random,
    /// As `Url`, and `.`, `/`, `+`, `=`, `~`.
    Wide,
}

const fn row(prefix: &'static str, kind: &'static str, body: Body, min: usize) -> Shape {
    Shape { prefix, kind, body, min }
}

/// A token that is cut off by the end of the text is known from this many characters on.
const CUT: usize = 8;
/// So much of a token is looked at to know it, so that what only begins like one stays cheap.
const JUDGED: usize = 256;
/// The same for the header of a web token.
const JUDGED_HEADER: usize = 1024;

use Body::{Alnum, Hex, Random, Upper, Url, Wide};

/// Longer prefixes before their own beginnings.
#[rustfmt::skip]
pub(super) const SHAPES: &[Shape] = &[
    // Clouds
    row("AKIA", "aws-key", Upper, 16),
    row("ASIA", "aws-key", Upper, 16),
    row("ABIA", "aws-key", Upper, 16),
    row("ACCA", "aws-key", Upper, 16),
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
    row("xoxb-", "slack-token", Url, 10),
    row("xoxp-", "slack-token", Url, 10),
    row("xoxa-", "slack-token", Url, 10),
    row("xoxr-", "slack-token", Url, 10),
    row("xoxs-", "slack-token", Url, 10),
    row("xoxc-", "slack-token", Url, 10),
    row("xoxd-", "slack-token", Wide, 10),
    row("xoxe-", "slack-token", Url, 10),
    row("xoxe.", "slack-token", Wide, 10),
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
    row("NRAK-", "newrelic-key", Upper, 27),
    row("glsa_", "grafana-token", Url, 32),
    row("glc_", "grafana-token", Wide, 32),
    row("sntrys_", "sentry-token", Wide, 32),
    row("sntryu_", "sentry-token", Hex, 64),
    row("phx_", "posthog-key", Alnum, 40),
    row("AGE-SECRET-KEY-1", "age-key", Upper, 58),
];

/// For each first character of a token the second ones, a bit each: most words are told from tokens by these two.
static SECOND: [u128; 128] = {
    let mut table = [0; 128];
    let mut i = 0;
    while i < SHAPES.len() {
        let prefix = SHAPES[i].prefix.as_bytes();
        table[prefix[0] as usize] |= 1 << prefix[1];
        i += 1;
    }
    table[b'e' as usize] |= 1 << b'y';
    table
};

/// The token at `at`, where a word starts.
pub(super) fn token(text: &[u8], at: usize) -> Option<Secret> {
    let rest = &text[at..];
    let (first, second) = (usize::from(rest[0]), *rest.get(1)?);
    if first >= 128 || second >= 128 || SECOND[first] >> second & 1 == 0 {
        return None;
    }
    if let Some(len) = web_token_len(rest) {
        return Some(Secret { range: at..at + len, kind: "jwt" });
    }
    let shape = SHAPES
        .iter()
        .filter(|shape| shape.prefix.as_bytes()[..2] == rest[..2])
        .find(|shape| rest.starts_with(shape.prefix.as_bytes()) && fits(shape, &rest[shape.prefix.len()..]))?;
    let body = body_len(shape.body, &rest[shape.prefix.len()..]);
    Some(Secret { range: at..at + shape.prefix.len() + body, kind: shape.kind })
}

fn fits(shape: &Shape, rest: &[u8]) -> bool {
    let rest = &rest[..rest.len().min(JUDGED)];
    let len = body_len(shape.body, rest);
    let body = &rest[..len];
    if len == rest.len() && (CUT..shape.min).contains(&len) {
        return looks_random(body);
    }
    match shape.body {
        Body::Alnum | Body::Url | Body::Wide => len >= shape.min,
        Body::Random => {
            len >= shape.min && looks_random(body) && body.split(|b| b"-_".contains(b)).any(|p| p.len() >= 12)
        }
        Body::Upper | Body::Hex => len == shape.min && rest.get(len).is_none_or(|b| !b.is_ascii_alphanumeric()),
    }
}

fn body_len(body: Body, text: &[u8]) -> usize {
    let belongs = |b: &u8| match body {
        Body::Alnum => b.is_ascii_alphanumeric(),
        Body::Upper => b.is_ascii_uppercase() || b.is_ascii_digit(),
        Body::Hex => b.is_ascii_hexdigit(),
        Body::Url | Body::Random => b.is_ascii_alphanumeric() || b"-_".contains(b),
        Body::Wide => b.is_ascii_alphanumeric() || b"-_./+=~".contains(b),
    };
    let len = text.iter().take_while(|b| belongs(b)).count();
    // A sentence may end after the token.
    if body == Body::Wide { text[..len].trim_ascii_end().len() - usize::from(text[..len].ends_with(b".")) } else { len }
}

/// `eyJ….eyJ….signature`: a JSON web token, the signature perhaps missing.
fn web_token_len(text: &[u8]) -> Option<usize> {
    if !text.starts_with(b"eyJ") {
        return None;
    }
    let header = body_len(Body::Url, &text[..text.len().min(JUDGED_HEADER)]);
    if header == text.len() && header >= 16 && looks_random(text) {
        return Some(header);
    }
    let claims = body_len(Body::Url, text[header..].strip_prefix(b".")?);
    if header < 10 || claims < 8 {
        return None;
    }
    let len = header + 1 + claims;
    Some(len + text[len..].strip_prefix(b".").map_or(0, |signature| 1 + body_len(Body::Url, signature)))
}
