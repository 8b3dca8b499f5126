//! Logins that are missing, wrong or expired, whoever asks for them.

use super::{Row, decisive};
use recovery_types::ErrorType::MissingCredentials;

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    decisive("auth.not-authenticated", "not authenticated", MissingCredentials, "You're not authenticated or your session has expired.", "not authenticated users see this").pattern(r"(?i)(?:you(?:'re| are)|user(?: is)?|client(?: is)?) not (?:authenticated|logged in)|not authenticated[.!:]"),
    decisive("auth.not-logged-in", "not logged in", MissingCredentials, "Error: not logged in", "not logged in page").pattern(r"(?i)\bnot logged in(?:$|[.!,:;]| to)"),
    decisive("auth.login-required", "login", MissingCredentials, "Please use \"login\" command for authentication.", "login page").pattern(r#"(?i)\bplease (?:log ?in|run \S*\s?login|use "?login"?|sign in)\b|login required|must (?:be logged in|log ?in|sign in)"#),
    decisive("auth.failed", "authentication", MissingCredentials, "Error: authentication failed", "authentication ok").pattern(r"(?i)\bauthentication (?:failed|failure|required|error|is required)\b|invalid authentication|failed to authenticate|could not authenticate|unable to authenticate"),
    decisive("auth.token-expired", "token", MissingCredentials, "error: token has expired", "token ok").pattern(r"(?i)\b(?:access |auth\w* |session |refresh |bearer |jwt |security )?token (?:has |is |was )?(?:expired|revoked|been revoked|invalid or expired)|(?:expired|invalid|missing|no) (?:access |auth\w* |bearer |session |refresh |api |jwt )?token(?:$|[.!,:;)]| provided| supplied)"),
    decisive("auth.unauthorized", "unauthorized", MissingCredentials, "{\"error\":\"Unauthorized\"}", "unauthorized use").pattern(r#"(?i)(?:error|message|detail|title|reason)"?[:=] ?"?unauthorized|^unauthorized[.!]?$|: unauthorized$|\(unauthorized\)"#),
    decisive("oauth.invalid-grant", "invalid_grant", MissingCredentials, "google.auth.exceptions.RefreshError: ('invalid_grant: Bad Request', {})", "a grant"),
    decisive("auth.credentials", "credentials", MissingCredentials, "could not validate credentials", "credentials ok").pattern(r"(?i)\b(?:could not|cannot|failed to|unable to) (?:validate|verify|refresh|load|find|retrieve|locate) (?:the |your )?(?:\w+ )?credentials|\bno credentials (?:found|configured|available|provided)|invalid (?:authentication |api |login )?credentials"),
    decisive("auth.reauthenticate", "authenticat", MissingCredentials, "Please re-authenticate to continue.", "authenticated").pattern(r"(?i)\b(?:please|must|need to) (?:re-?)?authenticate\b|\bre-?authentication (?:is )?required"),
    decisive("auth.missing-scopes", "scope", MissingCredentials, "Missing scopes: model.request", "out of scope").pattern(r"(?i)\b(?:missing|insufficient|required) (?:oauth |authentication |required )?scopes?\b"),
    decisive("auth.missing-credentials", "missing credentials", MissingCredentials, "Missing credentials for provider 'acme'. Set ACME_KEY.", "no missing credentials").pattern(r"(?i)^(?:\S+: )?(?:error: )?missing credentials\b"),
    decisive("auth.account-disabled", "account", MissingCredentials, "Your account has been deactivated", "an account").pattern(r"(?i)\baccount (?:associated .{0,40})?(?:has been|was|is) (?:deactivated|disabled|suspended|banned|blocked|terminated)"),
    decisive("auth.key-disabled", "key", MissingCredentials, "key has been disabled", "the key is here").pattern(r"(?i)\b(?:api[ _-]?)?key(?:s)? (?:has been |was |is |have been |were )?(?:revoked|disabled|deactivated|deleted|suspended|blocked|expired)\b|api_key_(?:revoked|disabled|deleted|expired|invalid)"),
    decisive("oauth.token", "oauth", MissingCredentials, "OAuth token has expired. Please obtain a new token.", "oauth flow").pattern(r"(?i)oauth (?:access )?token (?:has |is |was )?(?:expired|invalid|revoked|been revoked|missing)|oauth.{0,40}(?:expired|revoked)"),
];
