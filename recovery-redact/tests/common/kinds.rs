//! Secrets of every kind, made up: published formats filled with random characters. Nothing here is or was a real secret.

/// A made-up secret in the text that it is found in.
pub struct Sample {
    /// What it is.
    pub kind: String,
    /// The text.
    pub text: String,
    /// What must not be left of it.
    pub secret: String,
    /// Whether it has a form or a place that is published; a plain value after the name of a secret has not.
    pub is_structured: bool,
}

/// Xorshift: the same secrets in every run.
pub struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn of(&mut self, alphabet: &str, length: usize) -> String {
        let letters: Vec<char> = alphabet.chars().collect();
        let mut text: String =
            (0..length).map(|_| letters[usize::try_from(self.next() % letters.len() as u64).unwrap()]).collect();
        // No random text is all letters or all digits.
        if length >= 8 && alphabet.contains('7') && alphabet.len() > 10 {
            let letter = alphabet.chars().find(char::is_ascii_alphabetic).unwrap_or('a');
            text.replace_range(1..5, &format!("7{letter}3{letter}"));
        }
        text
    }
}

const ALNUM: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const HEX: &str = "0123456789abcdef";
const LOWER: &str = "abcdefghijklmnopqrstuvwxyz0123456789";
const BASE64: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/// Tokens: kind, prefix, alphabet, length.
const TOKENS: &[(&str, &str, &str, usize)] = &[
    ("aws access key", "AKIA", UPPER, 16),
    ("aws session key", "ASIA", UPPER, 16),
    ("aws bedrock key", "ABSKQmVkcm9ja0FQSUtleS", BASE64, 100),
    ("google api key", "AIza", ALNUM, 35),
    ("google oauth token", "ya29.", ALNUM, 60),
    ("google client secret", "GOCSPX-", ALNUM, 28),
    ("digitalocean pat", "dop_v1_", HEX, 64),
    ("digitalocean oauth", "doo_v1_", HEX, 64),
    ("digitalocean refresh", "dor_v1_", HEX, 64),
    ("databricks", "dapi", HEX, 32),
    ("vault service token", "hvs.", ALNUM, 92),
    ("vault batch token", "hvb.", ALNUM, 140),
    ("vault legacy token", "s.", ALNUM, 24),
    ("heroku", "HRKU-AA", ALNUM, 58),
    ("pulumi", "pul-", HEX, 40),
    ("fly.io", "fo1_", ALNUM, 43),
    ("fly.io macaroon", "fm2_", BASE64, 120),
    ("supabase", "sbp_", HEX, 40),
    ("planetscale token", "pscale_tkn_", ALNUM, 43),
    ("planetscale password", "pscale_pw_", ALNUM, 43),
    ("planetscale oauth", "pscale_oauth_", ALNUM, 43),
    ("netlify", "nfp_", ALNUM, 36),
    ("doppler", "dp.pt.", ALNUM, 43),
    ("github pat", "ghp_", ALNUM, 36),
    ("github oauth", "gho_", ALNUM, 36),
    ("github user", "ghu_", ALNUM, 36),
    ("github app", "ghs_", ALNUM, 36),
    ("github refresh", "ghr_", ALNUM, 36),
    ("github fine-grained", "github_pat_", ALNUM, 82),
    ("gitlab pat", "glpat-", ALNUM, 20),
    ("gitlab deploy", "gldt-", ALNUM, 20),
    ("gitlab runner", "glrt-", ALNUM, 20),
    ("gitlab trigger", "glptt-", HEX, 40),
    ("gitlab feed", "glft-", ALNUM, 20),
    ("gitlab scim", "glsoat-", ALNUM, 20),
    ("gitlab mail", "glimt-", ALNUM, 25),
    ("gitlab agent", "glagent-", ALNUM, 50),
    ("gitlab oauth", "gloas-", ALNUM, 64),
    ("gitlab feature flags", "glffct-", ALNUM, 20),
    ("gitlab runner registration", "GR1348941", ALNUM, 20),
    ("gitlab job", "glcbt-64_", ALNUM, 20),
    ("atlassian", "ATATT3", ALNUM, 186),
    ("bitbucket app password", "ATBB", ALNUM, 32),
    ("npm", "npm_", ALNUM, 36),
    ("pypi", "pypi-AgEIcHlwaS5vcmc", ALNUM, 70),
    ("rubygems", "rubygems_", HEX, 48),
    ("crates.io", "cio", ALNUM, 32),
    ("docker hub", "dckr_pat_", ALNUM, 27),
    ("artifactory", "AKCp", ALNUM, 69),
    ("artifactory reference", "cmVmd", ALNUM, 59),
    ("clojars", "CLOJARS_", LOWER, 60),
    ("circleci", "CCIPAT_", ALNUM, 40),
    ("buildkite", "bkua_", HEX, 40),
    ("anthropic", "sk-ant-api03-", ALNUM, 95),
    ("openrouter", "sk-or-v1-", HEX, 64),
    ("openai project", "sk-proj-", ALNUM, 120),
    ("openai", "sk-", ALNUM, 48),
    ("hugging face", "hf_", ALNUM, 34),
    ("hugging face organisation", "api_org_", ALNUM, 34),
    ("groq", "gsk_", ALNUM, 52),
    ("xai", "xai-", ALNUM, 80),
    ("perplexity", "pplx-", ALNUM, 48),
    ("replicate", "r8_", ALNUM, 37),
    ("nvidia", "nvapi-", ALNUM, 64),
    ("tavily", "tvly-", ALNUM, 32),
    ("slack bot", "xoxb-123456789012-1234567890123-", ALNUM, 24),
    ("slack user", "xoxp-123456789012-123456789012-", ALNUM, 32),
    ("slack app", "xapp-1-A0123-456-", HEX, 64),
    ("slack refresh", "xoxe-1-", UPPER, 146),
    ("slack webhook", "hooks.slack.com/services/T012345/B012345/", ALNUM, 24),
    ("discord webhook", "discord.com/api/webhooks/123456789012345678/", ALNUM, 68),
    ("teams webhook", "IncomingWebhook/", HEX, 64),
    ("stripe live", "sk_live_", ALNUM, 24),
    ("stripe test", "sk_test_", ALNUM, 24),
    ("stripe restricted", "rk_live_", ALNUM, 24),
    ("stripe webhook", "whsec_", ALNUM, 32),
    ("square", "sq0atp-", ALNUM, 22),
    ("square secret", "sq0csp-", ALNUM, 43),
    ("square token", "EAAA", ALNUM, 60),
    ("shopify", "shpat_", HEX, 32),
    ("shopify shared secret", "shpss_", HEX, 32),
    ("shopify custom app", "shpca_", HEX, 32),
    ("shopify private app", "shppa_", HEX, 32),
    ("twilio", "SK", HEX, 32),
    ("twilio account", "AC", HEX, 32),
    ("mailgun", "key-", HEX, 32),
    ("linear", "lin_api_", ALNUM, 40),
    ("notion", "ntn_12345678901", ALNUM, 35),
    ("figma", "figd_", ALNUM, 40),
    ("postman", "PMAK-", HEX, 59),
    ("new relic user", "NRAK-", UPPER, 27),
    ("new relic insert", "NRII-", LOWER, 32),
    ("new relic browser", "NRJS-", HEX, 19),
    ("grafana service account", "glsa_", ALNUM, 41),
    ("grafana cloud", "glc_", BASE64, 60),
    ("grafana legacy", "eyJrIjoi", BASE64, 80),
    ("sentry organisation", "sntrys_", BASE64, 100),
    ("sentry user", "sntryu_", HEX, 64),
    ("posthog", "phx_", ALNUM, 43),
    ("age", "AGE-SECRET-KEY-1", UPPER, 58),
    ("1password service", "ops_eyJ", BASE64, 260),
    ("adobe", "p8e-", LOWER, 32),
    ("alibaba", "LTAI", ALNUM, 20),
    ("clickhouse", "4b1d", ALNUM, 38),
    ("duffel", "duffel_test_", ALNUM, 43),
    ("dynatrace", "dt0c01.", UPPER, 90),
    ("easypost", "EZAK", ALNUM, 54),
    ("facebook page", "EAAC", ALNUM, 120),
    ("flutterwave", "FLWSECK_TEST-", HEX, 32),
    ("frame.io", "fio-u-", ALNUM, 64),
    ("infracost", "ico-", ALNUM, 32),
    ("intra42", "s-s4t2ud-", HEX, 64),
    ("octopus deploy", "API-", UPPER, 26),
    ("openshift", "sha256~", ALNUM, 43),
    ("plaid", "access-sandbox-", HEX, 36),
    ("prefect", "pnu_", ALNUM, 36),
    ("readme", "rdme_", LOWER, 70),
    ("scalingo", "tk-us-", ALNUM, 48),
    ("brevo", "xkeysib-", HEX, 64),
    ("settlemint", "sm_pat_", ALNUM, 16),
    ("shippo", "shippo_live_", HEX, 40),
    ("sourcegraph", "sgp_", HEX, 40),
    ("sonar", "squ_", HEX, 40),
    ("typeform", "tfp_", ALNUM, 59),
    ("hubspot private app", "pat-na1-", HEX, 36),
    ("contentful", "CFPAT-", ALNUM, 43),
    ("tailscale", "tskey-auth-", ALNUM, 30),
    ("aws bedrock key of another account", "ABSK", BASE64, 120),
    ("slack workspace", "xoxr-", ALNUM, 12),
    ("new relic user, small letters", "NRAK-", LOWER, 27),
    ("private key in base64", "LS0tLS1CRUdJTiBQUklWQVRFIEtFWS", BASE64, 120),
    ("rsa key in base64", "LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVkt", BASE64, 120),
    ("openssh key in base64", "LS0tLS1CRUdJTiBPUEVOU1NIIFBSSVZBVEUgS0VZ", BASE64, 120),
    ("jwt in base64", "ZXlKaGJHY2lPaU", BASE64, 60),
    ("teams webhook address", "webhook.office.com/webhookb2/", HEX, 36),
    ("jwt with spaces", "ewogICJhbGciOiAiSFMyNTYifQ.ewogICJzdWIiOiAiMTIzNCJ9.", ALNUM, 43),
];

/// Secrets known by the text around them: kind, text with `{}` for the secret, alphabet, length, whether it has a form or
/// place of its own.
const PLACED: &[(&str, &str, &str, usize, bool)] = &[
    ("kubeconfig key", "    client-key-data: {}\n", BASE64, 80, true),
    ("kubeconfig token", "    token: {}\n", ALNUM, 40, true),
    ("maven password", "<server><id>x</id><password>{}</password></server>", ALNUM, 12, true),
    ("xml secret", "<clientSecret>{}</clientSecret>", ALNUM, 20, true),
    ("nuget password", "<add key=\"ClearTextPassword\" value=\"{}\" />", ALNUM, 16, true),
    ("netrc one line", "machine api.example.org login ada password {}", ALNUM, 14, true),
    ("netrc lines", "machine api.example.org\n  login ada\n  password {}\n", ALNUM, 14, true),
    ("pgpass", "db.example.org:5432:app:ada:{}\n", ALNUM, 14, true),
    ("sql create user", "CREATE USER ada WITH PASSWORD '{}';", ALNUM, 14, true),
    ("sql alter role", "ALTER ROLE ada PASSWORD '{}'", ALNUM, 14, true),
    ("sql identified by", "CREATE USER ada IDENTIFIED BY '{}'", ALNUM, 14, true),
    ("sql identified with", "ALTER USER 'a'@'%' IDENTIFIED WITH caching_sha2_password BY '{}';", ALNUM, 14, true),
    ("sql set password", "SET PASSWORD FOR 'ada' = PASSWORD('{}')", ALNUM, 14, true),
    ("go struct", "config: &{Host:db User:ada Password:{} Port:5432}", ALNUM, 14, true),
    ("dsn with slash", "postgres://ada:ab/{}@db:5432/app", ALNUM, 12, true),
    ("dsn with hash", "mysql://ada:a#{}@db/app", ALNUM, 12, true),
    ("dsn", "amqp://ada:{}@mq:5672/", ALNUM, 12, true),
    ("go dsn", "ada:{}@tcp(db:3306)/app", ALNUM, 12, true),
    ("short name", "DB_PW={}", ALNUM, 10, false),
    ("letters only", "smtp_pass: {}\n", "abcdefghijklmnopqrstuvwxyz", 11, false),
    ("openssl", "openssl rsa -in k.pem -passin pass:{} -out x", ALNUM, 12, true),
    ("openssl out", "openssl genrsa -passout pass:{} 2048", ALNUM, 12, true),
    ("htpasswd apr1", "ada:$apr1$abcdefgh${}", ALNUM, 22, true),
    ("htpasswd bcrypt", "ada:$2y$05${}", ALNUM, 53, true),
    ("htpasswd sha", "ada:{SHA}{}", BASE64, 27, true),
    ("shadow", "ada:$6$abcdefgh${}:19000:0:99999:7:::", ALNUM, 86, true),
    ("azure client secret", "value abc8Q~{} expires", ALNUM, 34, true),
    (
        "azure storage",
        "DefaultEndpointsProtocol=https;AccountName=x;AccountKey={}==;EndpointSuffix=x",
        BASE64,
        86,
        true,
    ),
    ("azure sas", "https://x.blob.core.windows.net/c?sv=2020&sig={}%3D", ALNUM, 43, true),
    (
        "terraform cloud",
        "token {}.atlasv1.abcdefghijklmnopqrstuvwxyz01234567890123456789abcdefghijklmnopqrstuv7",
        ALNUM,
        14,
        true,
    ),
    ("discord bot", "token MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.{}", ALNUM, 27, true),
    ("telegram bot", "bot 123456789:A{}", ALNUM, 34, true),
    ("maxmind", "license abc123_{}_mmk", ALNUM, 29, true),
    ("jwt", "got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.{}", ALNUM, 43, true),
    ("bearer header", "Authorization: Bearer {}", ALNUM, 40, true),
    ("basic header", "authorization: Basic {}=", BASE64, 23, true),
    ("api key header", "X-Api-Key: {}", ALNUM, 24, true),
    ("cookie", "Cookie: sid={}; theme=dark", ALNUM, 24, true),
    ("gitlab session", "_gitlab_session={}", HEX, 32, true),
    ("npmrc", "//registry.npmjs.org/:_authToken={}", HEX, 36, true),
    ("private key", "-----BEGIN RSA PRIVATE KEY-----\n{}\n-----END RSA PRIVATE KEY-----", BASE64, 64, true),
    ("openssh key", "-----BEGIN OPENSSH PRIVATE KEY-----\n{}\n-----END OPENSSH PRIVATE KEY-----", BASE64, 64, true),
    ("pgp key", "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n{}\n-----END PGP PRIVATE KEY BLOCK-----", BASE64, 64, true),
    ("putty key", "Private-Lines: 1\n{}\nPrivate-MAC: 00ff", BASE64, 64, true),
    ("wrapped token", "the token is in this rather long line of output: ghp_0a1b2c3d4e5f\n{}\n", ALNUM, 24, true),
    ("aws secret", "aws_secret_access_key = {}", BASE64, 40, true),
    ("env password", "PGPASSWORD={}", ALNUM, 12, false),
    ("env token", "export API_TOKEN={}", ALNUM, 20, false),
    ("json password", "{\"password\": \"{}\"}", ALNUM, 10, false),
    ("yaml password", "password: {}", ALNUM, 12, false),
    ("flag", "tool --password {} --verbose", ALNUM, 10, false),
    ("mysql flag", "mysql -uroot -p{} db", ALNUM, 10, true),
    ("sshpass", "sshpass -p {} ssh host", ALNUM, 10, true),
    ("curl user", "curl -u ada:{} https://x", ALNUM, 10, true),
    ("connection string", "Server=db;User Id=sa;Password={};Timeout=3", ALNUM, 12, true),
    ("url query", "GET /x?access_token={}&page=2", ALNUM, 24, true),
    ("service key by name", "DATADOG_APP={}", HEX, 40, false),
    ("service key by name 2", "twitter_api = \"{}\"", ALNUM, 25, false),
    ("django", "SECRET_KEY = '{}'", ALNUM, 50, false),
    ("docker auth", "docker login -u ada -p {} r.example.org", ALNUM, 12, true),
    ("1password", "key A3-A1B2C3-{}-Q1W2E-Z9X8C-V7B6N is lost", UPPER, 11, true),
    ("airtable token", "patAbCdEfGh123456.{}", HEX, 64, true),
    ("authress", "sc_abc123.a1b2.acc-0123456789.{}", LOWER, 40, true),
    ("facebook", "token 123456789012345|{} expired", ALNUM, 27, true),
    ("mailchimp", "key {}-us12", HEX, 32, true),
    ("ruby hash", "Parameters: {\"user\"=>{\"password\"=>\"{}\"}}", ALNUM, 12, true),
    ("ruby symbol", "#<User :password=>\"{}\">", ALNUM, 12, true),
    ("go assignment", "password := \"{}\"", ALNUM, 12, true),
    ("make", "DB_PASSWORD ?= {}", ALNUM, 12, false),
    ("rust option", "Config { password: Some(\"{}\"), port: 1 }", ALNUM, 12, true),
    ("rust secret", "password: Some(Secret(\"{}\"))", ALNUM, 12, true),
    ("subscript", "os.environ[\"DB_PASSWORD\"] = \"{}\"", ALNUM, 12, true),
    ("setter", "config.setPassword(\"{}\");", ALNUM, 12, true),
    ("triple quotes", "password = \"\"\"{}\"\"\"", ALNUM, 12, true),
    ("sql doubled quote", "ALTER USER ada PASSWORD 'it''s{}'", ALNUM, 12, true),
    ("sql n literal", "CREATE LOGIN ada WITH PASSWORD = N'{}'", ALNUM, 12, true),
    ("sql set password for", "SET PASSWORD FOR ada = '{}'", ALNUM, 12, true),
    ("shell joined literals", "PASSWORD='it'\"'\"'s{}'", ALNUM, 12, true),
    ("csh", "setenv DB_PASSWORD {}", ALNUM, 12, true),
    ("dockerfile", "ENV API_KEY {}", ALNUM, 24, true),
    ("aws configure", "aws configure set aws_secret_access_key {}", BASE64, 40, true),
    ("npm config", "npm config set //r.example.org/:_password {}", ALNUM, 16, true),
    ("dotnet environment", "SetEnvironmentVariable(\"DB_PASSWORD\", \"{}\")", ALNUM, 12, true),
    ("redis configuration", "requirepass {}", ALNUM, 14, true),
    ("vault login", "vault login {}", ALNUM, 24, true),
    ("mysql quoted flag", "mysqldump -uroot -p'{} x' db", ALNUM, 12, true),
    ("mongo", "mongosh -u ada -p {} db", ALNUM, 12, true),
    ("sqlcmd", "sqlcmd -S db -U sa -P {}", ALNUM, 12, true),
    ("unzip", "unzip -P {} x.zip", ALNUM, 12, true),
    ("7z", "7z a -p{} x.7z", ALNUM, 12, true),
    ("ldap", "ldapsearch -w {} -D cn=x", ALNUM, 12, true),
    ("keytool", "keytool -list -storepass {}", ALNUM, 12, true),
    ("plink", "plink -pw {} host", ALNUM, 12, true),
    ("samba", "smbclient -U ada%{} //h/s", ALNUM, 12, true),
    ("curl joined", "curl -uada:{} https://x", ALNUM, 12, true),
    ("snmp", "snmpwalk -v2c -c {} host", ALNUM, 12, true),
    ("xml property", "<property name=\"db.password\" value=\"{}\"/>", ALNUM, 12, true),
    ("xml entry", "<entry key=\"password\">{}</entry>", ALNUM, 12, true),
    ("xml cdata", "<passphrase><![CDATA[{}]]></passphrase>", ALNUM, 12, true),
    ("netrc other order", "machine h password {} login ada", ALNUM, 12, true),
    ("netrc tabs", "machine h\tlogin\tada\tpassword\t{}", ALNUM, 12, true),
    ("digest header", "Authorization: Digest username=\"ada\", response=\"{}\"", HEX, 32, true),
    ("header list", "'authorization': ['Bearer {}']", ALNUM, 30, true),
    ("kubernetes secret", "apiVersion: v1\ndata:\n  config.yaml: {}\nkind: Secret\n", BASE64, 40, true),
    ("kubernetes json", "  \"data\": {\n    \"id_rsa\": \"{}\"\n  },\n  \"kind\": \"Secret\"", BASE64, 40, true),
    ("kubernetes plain", "kind: Secret\nstringData:\n  dsn: ab,{}\n", ALNUM, 20, true),
    (
        "kubernetes compact",
        "{\"apiVersion\":\"v1\",\"data\":{\"id_rsa\":\"{}\"},\"kind\":\"Secret\"}",
        BASE64,
        40,
        true,
    ),
    ("kubernetes joined", "apiVersion: v1 data:   config.yaml: {} kind: Secret", BASE64, 40, true),
    ("pgpass in a command", "echo \"db:5432:app:ada:{}\" >> ~/.pgpass", ALNUM, 14, true),
    ("netrc in a command", "printf 'machine h\\nlogin ada\\npassword {}\\n' > ~/.netrc", ALNUM, 14, true),
    ("token after an escape", "{\"log\":\"denied\\nghp_{}\"}", ALNUM, 36, true),
    ("putty key on one line", "Private-Lines: 1 {} Private-MAC: 00ff", BASE64, 64, true),
    ("password in a sentence", "The password: {} was rejected", ALNUM, 12, false),
    ("german", "Passwort: {}", ALNUM, 12, false),
    ("spanish", "contraseña: {}", ALNUM, 12, false),
    ("joined variable", "SSHPASS={}", ALNUM, 12, false),
    ("service with a colon", "  datadog: {}\n", HEX, 40, false),
    ("sidekiq", "BUNDLE_GEMS__CONTRIBSYS__COM=0123abcd:{}", HEX, 8, false),
];

/// How many kinds there are.
pub const KINDS: usize = TOKENS.len() + PLACED.len();

/// `number` secrets, the kinds in turn.
pub fn samples(number: usize) -> Vec<Sample> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    (0..number)
        .map(|n| {
            let kind = n % KINDS;
            match TOKENS.get(kind) {
                Some((kind, prefix, alphabet, length)) => {
                    let secret = random.of(alphabet, *length);
                    let surroundings =
                        ["error: {} was rejected", "token={}", "\"{}\"", "curl https://x/{} failed", "{}"];
                    let text = surroundings[n / KINDS % surroundings.len()].replace("{}", &format!("{prefix}{secret}"));
                    Sample { kind: (*kind).to_owned(), text, secret, is_structured: true }
                }
                None => {
                    let (kind, text, alphabet, length, is_structured) = PLACED[kind - TOKENS.len()];
                    let secret = random.of(alphabet, length);
                    let text = text.replacen("{}", &secret, 1);
                    Sample { kind: kind.to_owned(), text, secret, is_structured }
                }
            }
        })
        .collect()
}

/// What is left of a secret: its longest part of this many characters or more.
pub fn is_left(secret: &str, text: &str) -> bool {
    const PART: usize = 8;
    let characters: Vec<char> = secret.chars().collect();
    let parts = characters.windows(PART.min(characters.len()));
    parts.map(|part| part.iter().collect::<String>()).any(|part| text.contains(&part))
}
