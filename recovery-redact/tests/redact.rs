//! Secrets go, everything else stays byte for byte.

use proptest::prelude::*;
use recovery_redact::{redact, redact_field};
use std::borrow::Cow;

const LETTERS: &str = "aB3dE5gH7jK9mN1pQ2sT4vW6yZ8bC0fG";

/// A token body of a given length; made here, so that no real-looking token is in the tree.
fn body(len: usize) -> String {
    LETTERS.chars().cycle().take(len).collect()
}

fn hex(len: usize) -> String {
    "0a1b2c3d4e5f6789".chars().cycle().take(len).collect()
}

fn upper(len: usize) -> String {
    body(len).to_ascii_uppercase()
}

#[test]
fn token_shapes() {
    let url = |len: usize| format!("{}-_{}", body(len / 2), body(len - len / 2));
    let rows: Vec<(&str, String, &str)> = vec![
        ("AKIA", upper(16), "aws-key"),
        ("ASIA", upper(16), "aws-key"),
        ("AIza", body(35), "google-key"),
        ("ya29.", url(60), "google-token"),
        ("GOCSPX-", url(28), "google-secret"),
        ("ghp_", body(36), "github-token"),
        ("gho_", body(36), "github-token"),
        ("ghs_", body(36), "github-token"),
        ("github_pat_", format!("{}_{}", body(22), body(59)), "github-token"),
        ("glpat-", url(20), "gitlab-token"),
        ("xoxb-", format!("123456789012-1234567890123-{}", body(24)), "slack-token"),
        ("xapp-", format!("1-A0123-456-{}", hex(64)), "slack-token"),
        ("sk_live_", body(24), "stripe-key"),
        ("rk_test_", body(24), "stripe-key"),
        ("whsec_", body(32), "webhook-secret"),
        ("npm_", body(36), "npm-token"),
        ("pypi-AgE", url(150), "pypi-token"),
        ("sk-", body(48), "llm-key"),
        ("sk-proj-", url(120), "openai-key"),
        ("sk-ant-", format!("api03-{}", url(95)), "anthropic-key"),
        ("sk-or-v1-", hex(64), "openrouter-key"),
        ("hf_", body(34), "huggingface-token"),
        ("gsk_", body(52), "groq-key"),
        ("hvs.", url(90), "vault-token"),
        ("dapi", hex(32), "databricks-token"),
        ("dop_v1_", hex(64), "digitalocean-token"),
        ("SG.", format!("{}.{}", body(22), body(43)), "sendgrid-key"),
        ("shpat_", hex(32), "shopify-token"),
        ("dckr_pat_", url(27), "docker-token"),
        ("glsa_", format!("{}_{}", body(32), hex(8)), "grafana-token"),
        ("lin_api_", body(40), "linear-key"),
        ("AGE-SECRET-KEY-1", upper(58), "age-key"),
        ("eyJ", format!("{}.eyJ{}.{}", body(33), body(60), url(43)), "jwt"),
        ("hooks.slack.com/services/", format!("T0123/B0123/{}", body(24)), "slack-webhook"),
    ];
    for (prefix, body, kind) in rows {
        let token = format!("{prefix}{body}");
        for (before, after) in [
            ("", ""),
            ("key ", " is bad"),
            ("(", ")"),
            ("\"", "\""),
            ("x: '", "',"),
            ("é", "\n"),
            ("https://", "\n"),
            ("\x1b[1m", "\x1b[0m"),
            ("x\x1b[1m", "\x1b[0m."),
        ] {
            let text = format!("{before}{token}{after}");
            assert_eq!(redact(&text), format!("{before}[redacted:{kind}]{after}"), "{text}");
        }
    }
}

#[test]
fn secrets_known_by_their_name() {
    for (text, expected) in [
        // .env lines and shells
        ("DB_PASSWORD=hunter2", "DB_PASSWORD=[redacted:password]"),
        ("export API_TOKEN=abc-123", "export API_TOKEN=[redacted:token]"),
        ("SECRET=swordfish\nNEXT=1", "SECRET=[redacted:secret]\nNEXT=1"),
        ("SECRET_KEY = 'a b c'", "SECRET_KEY = '[redacted:key]'"),
        ("DJANGO_SECRET_KEY='x9!kd,;7&a)3'", "DJANGO_SECRET_KEY='[redacted:key]'"),
        ("PGPASSWORD=p,q;r psql", "PGPASSWORD=[redacted:password] psql"),
        ("AWS_SECRET_ACCESS_KEY=wJalr/XUtnFEMI+K7MDENG", "AWS_SECRET_ACCESS_KEY=[redacted:key]"),
        ("STRIPE_KEY=abcd1234efgh", "STRIPE_KEY=[redacted:key]"),
        ("DATADOG_KEY=0123456789abcdef0123456789abcdef", "DATADOG_KEY=[redacted:key]"),
        ("//registry.example.org/:_authToken=9f8e7d6c", "//registry.example.org/:_authToken=[redacted:token]"),
        ("MYSQL_PWD=t0psecret", "MYSQL_PWD=[redacted:password]"),
        // JSON and YAML
        (r#"{"password": "hunter2", "user": "ada"}"#, r#"{"password": "[redacted:password]", "user": "ada"}"#),
        (r#"{"clientSecret":"a\"b"}"#, r#"{"clientSecret":"[redacted:secret]"}"#),
        (r#"{\"apiKey\":\"abcd1234efgh5678\"}"#, r#"{\"apiKey\":\"[redacted:key]\"}"#),
        ("{'access_token': 'abcd1234efgh'}", "{'access_token': '[redacted:token]'}"),
        ("password: hunter2\nuser: ada", "password: [redacted:password]\nuser: ada"),
        ("  api_key: \"k3y-0123456789\"", "  api_key: \"[redacted:key]\""),
        // Connection strings and queries
        ("Server=db;User Id=sa;Password=p4ss;Timeout=3", "Server=db;User Id=sa;Password=[redacted:password];Timeout=3"),
        ("AccountName=x;AccountKey=abcd1234==;E=1", "AccountName=x;AccountKey=[redacted:key];E=1"),
        ("Endpoint=sb://x/;SharedAccessKey=abcd1234+/=", "Endpoint=sb://x/;SharedAccessKey=[redacted:key]"),
        ("host=db user=ada password=hunter2 dbname=x", "host=db user=ada password=[redacted:password] dbname=x"),
        ("jdbc:mysql://db/x?user=a&password=b&ssl=1", "jdbc:mysql://db/x?user=a&password=[redacted:password]&ssl=1"),
        ("GET /x?access_token=abcd1234efgh&page=2", "GET /x?access_token=[redacted:token]&page=2"),
        ("/blob?sv=1&sig=abcd1234%2Fefgh%3D", "/blob?sv=1&sig=[redacted:signature]"),
        // Flags
        ("tool --password hunter2 --verbose", "tool --password [redacted:password] --verbose"),
        ("tool --password=hunter2", "tool --password=[redacted:password]"),
        ("tool --token 'abcd1234efgh'", "tool --token '[redacted:token]'"),
        ("mysql -uroot -phunter2 db", "mysql -uroot -p[redacted:password] db"),
        ("sshpass -p hunter2 ssh x", "sshpass -p [redacted:password] ssh x"),
        ("docker login -u ada -p hunter2 r.io", "docker login -u ada -p [redacted:password] r.io"),
        ("curl -u ada:hunter2 http://x", "curl -u ada:[redacted:password] http://x"),
        ("redis-cli -a hunter2 ping", "redis-cli -a [redacted:password] ping"),
    ] {
        assert_eq!(redact(text), expected);
    }
}

#[test]
fn secrets_known_by_their_place() {
    for (text, expected) in [
        ("postgres://ada:p@ss@db:5432/x", "postgres://ada:[redacted:password]@db:5432/x"),
        ("redis://:hunter2@cache:6379/0", "redis://:[redacted:password]@cache:6379/0"),
        ("https://oauth2:abc@gitlab.com/x.git", "https://oauth2:[redacted:password]@gitlab.com/x.git"),
        ("https://0a1b2c3d4e5f67890a1b@github.com/x", "https://[redacted:token]@github.com/x"),
        ("Authorization: Bearer abc.def-123_456", "Authorization: Bearer [redacted:authorization]"),
        (
            "> authorization: Basic YWRhOmh1bnRlcjI=\r\n> accept: x",
            "> authorization: Basic [redacted:authorization]\r\n> accept: x",
        ),
        ("-H 'Authorization: token abcd1234'", "-H 'Authorization: token [redacted:authorization]'"),
        (r#"{"Authorization":"Bearer abcd1234"}"#, r#"{"Authorization":"Bearer [redacted:authorization]"}"#),
        ("sent Bearer abcd1234efgh5678.", "sent Bearer [redacted:bearer]"),
        ("X-Api-Key: abcd1234efgh", "X-Api-Key: [redacted:key]"),
        ("PRIVATE-TOKEN: abcd1234efgh", "PRIVATE-TOKEN: [redacted:token]"),
        ("Cookie: sid=abc; theme=dark\nx", "Cookie: [redacted:cookie]\nx"),
        ("< Set-Cookie: sid=abc; Path=/; HttpOnly", "< Set-Cookie: [redacted:cookie]"),
    ] {
        assert_eq!(redact(text), expected);
    }
}

#[test]
fn private_keys_whole_and_cut() {
    let lines = "MIIEpAIBAAKCAQEA0Z3VS5JJcds3xf\nnJQzDFm6+/0123456789==\n";
    for title in ["RSA PRIVATE KEY", "PRIVATE KEY", "OPENSSH PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY"] {
        let (begin, end) = (format!("-----BEGIN {title}-----\n"), format!("-----END {title}-----"));
        let kept = "[redacted:private-key]";
        assert_eq!(redact(&format!("key:\n{begin}{lines}{end}\nrest")), format!("key:\n{kept}\nrest"));
        // The end is missing, at the end of the text and within it.
        assert_eq!(redact(&format!("key:\n{begin}{lines}")), format!("key:\n{kept}\n"));
        assert_eq!(redact(&format!("{begin}{lines}[truncated]")), format!("{kept}[truncated]"));
        // The beginning is missing.
        assert_eq!(redact(&format!("{lines}{end}\nrest")), format!("{kept}\nrest"));
        assert_eq!(redact(&format!("done\n{lines}{end}\nrest")), format!("done\n{kept}\nrest"));
        // Indented, with a header, and cut.
        let indented = format!("key: |\n  {begin}  Proc-Type: 4,ENCRYPTED\n\n  {}", lines.replace('\n', "\n  "));
        assert_eq!(redact(&indented).trim_end(), format!("key: |\n  {kept}"));
        // In a JSON string.
        let json = format!("{{\"private_key\":\"{begin}{lines}{end}\\n\"}}").replace('\n', "\\n");
        assert!(!redact(&json).contains("MIIE"), "{}", redact(&json));
        let cut = format!("\"{lines}{end}\"").replace('\n', "\\n");
        assert_eq!(redact(&cut), format!("\"{kept}\""));
    }
    let public = "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----\n-----BEGIN PUBLIC KEY-----\nMIIE\n-----END PUBLIC KEY-----";
    assert_eq!(redact(public), public);
}

/// A tail of a log may end within a token.
#[test]
fn a_token_cut_off_at_the_end_goes() {
    let text = format!("curl -u ghp_{}:x-oauth http://x", body(36));
    assert_eq!(redact(&text), "curl -u [redacted:github-token]:[redacted:password] http://x");
    for prefix in ["ghp_", "sk-ant-api03-", "npm_", "AKIA", "xoxb-", "glpat-"] {
        let text = format!("token {prefix}{}", upper(9));
        assert!(redact(&text).starts_with("token [redacted:"), "{}", redact(&text));
    }
}

#[test]
fn ordinary_text_stays_as_it_is() {
    for text in [
        "",
        "commit 9f8e7d6c5b4a39281706f5e4d3c2b1a098765432",
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "id 6f1c2f4e-8f2b-4a57-9d0a-0c7c2b6f9d11",
        "integrity sha512-0123456789abcdefABCDEF0123456789abcdefABCDEF==",
        "/home/ada/project/src/token_store/password_reset.rs:12:5",
        "SyntaxError: Unexpected token: }",
        "SyntaxError: Unexpected token < in JSON at position 0",
        "error: expected one of `;`, found token: identifier",
        "max_tokens: 4096, prompt_tokens=1200, total_tokens: 99",
        "password: required",
        "Enter password: ",
        "error: password must have 8 characters",
        "  password: string;",
        "fn login(password: &str, token: String) -> Result<()>",
        "connect(host, password=config.password)",
        "connect(password=password, token=None)",
        "usage: tool --token TOKEN [--password <PASSWORD>]",
        "error: --token is required",
        "the --password flag; --password-stdin reads it",
        "PASSWORD=$DB_PASSWORD TOKEN=${{ secrets.TOKEN }} KEY=%KEY%",
        "PASSWORD=****",
        "PWD=/home/ada/x OLDPWD=/tmp",
        "TOKEN_URL=https://x/y SECRET_NAME=prod KEY_PATH=/etc/k PASSWORD_FILE=/run/secrets/p",
        "CACHE_KEY=linux-node-9f8e7d6c5b4a3928 PUBLIC_KEY=abcd1234efgh5678",
        "key=value; primary_key: id; foreignKey=user_id",
        "KeyError: 'token'",
        "git@github.com:ada/x.git and ssh://git@host/x",
        "https://host/path?a=1&b=2#c:d@e",
        "postgres://ada:${PASSWORD}@db/x",
        "Basic Authentication failed, Bearer token missing",
        "Authorization: required",
        "basic usage is described in the manual",
        "npm_config_registry, npm_lifecycle_event, hf_hub_download, sk-toggleable-content, sk-estimator-doc-link",
        "task-sk-abc, xoxb, AKIA, ghp_",
        "test sessionid=1",
        "nextPageToken=abcd1234efgh5678",
        "a == b, x != y, p := q, std::token::Token, c => d",
        "assert password == 'x'",
        "-p 8080:80 -u root",
        "mkdir -p a/b",
        "AKIA1234567890ABCDEFGHIJKL",
        "✗ 密码: é",
        "expect \"password:\" { send \"x\" }",
        "re.search(r\"password = '(.*?)'\", config)",
    ] {
        assert!(matches!(redact(text), Cow::Borrowed(same) if same == text), "{text:?} became {:?}", redact(text));
    }
}

#[test]
fn fields_by_name() {
    for (name, value, expected) in [
        ("password", "x", "[redacted:password]"),
        ("clientSecret", "a b", "[redacted:secret]"),
        ("max_tokens", "4096", "4096"),
        ("text", "DB_PASSWORD=x9", "DB_PASSWORD=[redacted:password]"),
        ("authorization", "Bearer abc", "[redacted:authorization]"),
        ("password", "", ""),
    ] {
        assert_eq!(redact_field(name, value), expected, "{name}");
    }
}

#[test]
fn colours_hide_no_secret() {
    let (token, aws) = (body(36), upper(16));
    let (half, rest) = token.split_at(20);
    for (text, expected) in [
        // Before, after and within a token
        (format!("\x1b[31mghp_{token}\x1b[0m"), "\x1b[31m[redacted:github-token]\x1b[0m"),
        (format!("\x1b[1msk-ant-api03-{token}"), "\x1b[1m[redacted:anthropic-key]"),
        (format!("\x1b[1mAKIA{aws}\x1b[0m!"), "\x1b[1m[redacted:aws-key]\x1b[0m!"),
        (format!("key\x1b[1mAKIA{aws}\x1b[0mbad"), "key\x1b[1m[redacted:aws-key]\x1b[0mbad"),
        (format!("\x1b[1mghp_{half}\x1b[4m{rest}\x1b[0m."), "\x1b[1m[redacted:github-token]\x1b[0m."),
        (format!("\x1b[1mgh\x1b[38;5;9mp_\x1b[m{token} x"), "\x1b[1m[redacted:github-token] x"),
        (format!("\x1b(B\x1b[mghp_{token}\x1b(B"), "\x1b(B\x1b[m[redacted:github-token]\x1b(B"),
        (format!("AKIA{aws}\x1b[0mgh\x1b[1mp_{token}"), "[redacted:aws-key]\x1b[0m[redacted:github-token]"),
        (format!("AKIA{aws}\x1b[0mCookie: sid=1234"), "[redacted:aws-key]\x1b[0mCookie: [redacted:cookie]"),
        (format!("\x1b7AKIA{aws}\x1b[1mbad"), "\x1b7[redacted:aws-key]\x1b[1mbad"),
        // Around a name, what joins it to its value, and the value
        ("\x1b[1mPASSWORD\x1b[0m=hunter2".into(), "\x1b[1mPASSWORD\x1b[0m=[redacted:password]"),
        (
            "\x1b[36mAPI_KEY\x1b[39m=\x1b[32mabcdef1234567890\x1b[0m\n".into(),
            "\x1b[36mAPI_KEY\x1b[39m=\x1b[32m[redacted:key]\x1b[0m\n",
        ),
        (
            "DB_\x1b[1mPASS\x1b[0mWORD\x1b[2m=\x1b[0mx9".into(),
            "DB_\x1b[1mPASS\x1b[0mWORD\x1b[2m=\x1b[0m[redacted:password]",
        ),
        ("PASSWORD=hun\x1b[1mter\x1b[0m2 \x1b[2mok".into(), "PASSWORD=[redacted:password] \x1b[2mok"),
        (
            "\x1b[34m\"password\"\x1b[0m\x1b[2m:\x1b[0m \x1b[32m\"hunter2\"\x1b[0m}".into(),
            "\x1b[34m\"password\"\x1b[0m\x1b[2m:\x1b[0m \x1b[32m\"[redacted:password]\"\x1b[0m}",
        ),
        (
            "tool \x1b[33m--password\x1b[0m \x1b[1mhunter2\x1b[0m -v".into(),
            "tool \x1b[33m--password\x1b[0m \x1b[1m[redacted:password]\x1b[0m -v",
        ),
        (
            "\x1b[1mAuthorization\x1b[0m: Bearer \x1b[3mabc.def-123\x1b[0m\r\n".into(),
            "\x1b[1mAuthorization\x1b[0m: Bearer \x1b[3m[redacted:authorization]\x1b[0m\r\n",
        ),
        ("postgres://ada:\x1b[1mhunter2\x1b[0m@db/x".into(), "postgres://ada:\x1b[1m[redacted:password]\x1b[0m@db/x"),
        // Within what a code carries
        (
            "\x1b]8;;https://ada:hunter2@host/x\x1b\\here\x1b]8;;\x1b\\".into(),
            "\x1b]8;;https://ada:[redacted:password]@host/x\x1b\\here\x1b]8;;\x1b\\",
        ),
        ("\x1b]0;PASSWORD=hunter2\x07text".into(), "\x1b]0;PASSWORD=[redacted:password]\x07text"),
        // A broken code must not make the mark its end
        (format!("\x1bghp_{token}"), "[redacted:github-token]"),
        ("PASSWORD=\x1b[3é9".into(), "PASSWORD=[redacted:password]"),
    ] {
        assert_eq!(redact(&text), expected, "{text:?}");
        assert_eq!(redact(expected), expected);
    }
}

#[test]
fn ordinary_text_stays_as_it_is_in_colour() {
    for text in [
        "\x1b[1mpassword\x1b[0m: \x1b[31mrequired\x1b[0m",
        "\x1b[1mPASSWORD\x1b[0m=\x1b[32m\x1b[0m",
        "connect(\x1b[36mpassword\x1b[39m=\x1b[33mconfig\x1b[39m.password)",
        "the \x1b[1m--password\x1b[0m-stdin flag",
        "SyntaxError: Unexpected \x1b[1mtoken\x1b[0m: }",
        "\x1b[33mcommit 9f8e7d6c5b4a39281706f5e4d3c2b1a098765432\x1b[m",
        "\x1b[1mta\x1b[31msk-\x1b[0mabc, \x1b[1mAKIA\x1b[0m, \x1b[38:5:12mghp_\x1b[0m",
        "CACHE_\x1b[01;31mKEY\x1b[m=linux-node-9f8e7d6c5b4a3928",
        "\x1b]8;;https://host/path?a=1\x1b\\link\x1b]8;;\x1b\\",
    ] {
        assert!(matches!(redact(text), Cow::Borrowed(same) if same == text), "{text:?} became {:?}", redact(text));
    }
}

/// Hostile texts must not take quadratic time: that would be minutes here.
#[test]
fn time_is_linear() {
    let start = cpu_time_ms();
    for piece in [
        "sk-",
        "<password>",
        "$2y$",
        "a:1:b:c:",
        "\nghp_aaaa",
        "identified by ",
        ".atlasv1.",
        "://a:b/",
        "Password:x {",
        "ghp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n",
        "eyJ-",
        "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----",
        "password=",
        "token=\"",
        "://",
        " -p",
        "--user ",
        "a:",
        "\x1b",
        "\x1b[1mpassword=",
        "gh\x1b[mp_",
        "\x1b]token=abcd1234efgh,",
        "htpasswd -b a ",
        "htpasswd -b \"a '",
        "echo a | sudo ",
        "echo 'a| \"|",
        "sudo -S <<<",
        "%3A%2F\\n%25",
        "mongo ",
    ] {
        let text = piece.repeat(100_000 / piece.len());
        let _ = redact(&text);
    }
    // Each of these read to the end of the text from every separator.
    for piece in ["token=", "token:", "authorization: "] {
        let _ = redact(&piece.repeat(200_000 / piece.len()));
    }
    let took = cpu_time_ms() - start;
    assert!(took < 60_000, "{took} ms");
}

/// The CPU time of this thread, whatever else the machine does; 0 where the system does not report it.
#[allow(clippy::disallowed_methods, reason = "the system reports it in a file")]
fn cpu_time_ms() -> u64 {
    const MS_PER_TICK: u64 = 10;
    let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
    fields.filter_map(|ticks| ticks.parse::<u64>().ok()).sum::<u64>() * MS_PER_TICK
}

#[test]
fn long_values_are_taken_out_whole() {
    let key = "aB3/xY9+".repeat(1000);
    assert_eq!(redact(&format!("client-key-data: {key}==")), "client-key-data: [redacted:key]");
    assert_eq!(redact(&format!("API_TOKEN={key} x")), "API_TOKEN=[redacted:token] x");
    assert_eq!(redact(&format!("Authorization: Bearer {key}\nx")), "Authorization: Bearer [redacted:authorization]\nx");
    assert_eq!(redact(&format!("Cookie: a={key}; b={key}\nx")), "Cookie: [redacted:cookie]\nx");
}

/// What leaked once, each with what must be left.
#[test]
fn secrets_in_places_that_were_missed() {
    for (text, expected) in [
        (r"net user ada Zq7xW2pL9v /add", r"net user ada [redacted:password] /add"),
        ("xfreerdp /u:ada /p:swordfishy /v:h", "xfreerdp /u:ada /p:[redacted:password] /v:h"),
        ("cmdkey /add:h /user:ada /pass:swordfishy", "cmdkey /add:h /user:ada /pass:[redacted:password]"),
        ("setx DB_PASSWORD swordfishy", "setx DB_PASSWORD [redacted:password]"),
        ("mc alias set x http://h ada Zq7xW2pL9v", "mc alias set x http://h ada [redacted:password]"),
        ("kafka --sasl.password swordfishy", "kafka --sasl.password [redacted:password]"),
        ("consul login -token Zq7xW2pL9vKe", "consul login -token [redacted:token]"),
        ("smtp.login(\"ada\", \"swordfishy\")", "smtp.login(\"ada\", \"[redacted:password]\")"),
        ("new NetworkCredential(\"ada\", \"swordfishy\")", "new NetworkCredential(\"ada\", \"[redacted:password]\")"),
        ("The password is Zq7xW2pL9v.", "The password is [redacted:password]."),
        ("connect ada/swordfishy@db", "connect ada/[redacted:password]@db"),
        ("redis-cli --pass swordfishy ping", "redis-cli --pass [redacted:password] ping"),
        ("    client-key-data: LS0tLS1CRUdJTg==", "    client-key-data: [redacted:key]"),
        ("<password>hunter2</password>", "<password>[redacted:password]</password>"),
        ("machine h login ada password hunter2", "machine h login ada password [redacted:password]"),
        ("db:5432:app:ada:hunter2", "db:5432:app:ada:[redacted:password]"),
        ("ALTER ROLE ada PASSWORD 'hunter2'", "ALTER ROLE ada PASSWORD '[redacted:password]'"),
        ("GRANT x IDENTIFIED BY 'hunter2'", "GRANT x IDENTIFIED BY '[redacted:password]'"),
        ("{User:ada Password:hunter2 Host:db}", "{User:ada Password:[redacted:password] Host:db}"),
        ("postgres://ada:hun/ter#2@db/x", "postgres://ada:[redacted:password]@db/x"),
        ("DB_PW=hunter2", "DB_PW=[redacted:password]"),
        ("openssl rsa -passin pass:hunter2 -in k", "openssl rsa -passin pass:[redacted:password] -in k"),
        ("openssl enc -pass=pass:swordfish -in x", "openssl enc -pass=pass:[redacted:password] -in x"),
        ("smtp_pass: swordfish", "smtp_pass: [redacted:password]"),
        ("ada:$apr1$abcdefgh$0123456789abcdefABCDEF", "ada:[redacted:password-hash]"),
        ("ada:hunter2@tcp(db:3306)/x", "ada:[redacted:password]@tcp(db:3306)/x"),
    ] {
        assert_eq!(redact(text), expected);
    }
}

/// By the program that a password is given to: as a flag, as a word, or on its standard input.
#[test]
fn secrets_of_settings_and_addresses() {
    let token = format!("123456789:A{}", body(34));
    let secret = "h0rse-staple7!Qz";
    for (text, secret) in [
        (format!("POST https://api.telegram.org/bot{token}/getMe failed"), token.as_str()),
        (format!("define( 'DB_PASSWORD', '{secret}' );"), secret),
        (format!("pw={secret}"), secret),
        (format!("userPassword:: {secret}"), secret),
        (format!("crypt_key: {}", hex(20)), &hex(20)),
        (format!("bindpw {secret}"), secret),
        (format!("cargo login {secret}"), secret),
        (format!("rootpw {secret}"), secret),
        (format!("rootpw --plaintext {secret}"), secret),
    ] {
        assert!(!redact(&text).contains(secret), "{text}");
    }
    for text in ["define( 'DB_NAME', 'shop' );", "rootpw --lock", "use std::env::password:: x", "pw: playwright 1.48"] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn passwords_given_to_programs() {
    for text in [
        // Short flags
        "cqlsh -u ada -p PW db",
        "isql -U ada -P PW",
        "tsql -H db -U ada -P PW",
        "mongo -u ada -p PW db",
        "$ /usr/bin/mongo db/app -u ada -p 'PW'",
        "docker exec -it web mongo -u ada -p PW",
        "mongorestore -u ada -p PW dump",
        "beeline -u jdbc:hive2://db -n ada -p PW",
        "twine upload -u ada -p PW dist/*",
        "mosquitto_pub -u ada -P PW -t x",
        "useradd -p PW ada",
        "security unlock-keychain -p PW login.keychain",
        "security add-generic-password -a ada -w PW",
        "dotnet nuget push -k PW x.nupkg",
        "nuget push x.nupkg -ApiKey PW",
        "rar a -hpPW a.rar",
        "unrar x -pPW a.rar",
        "doctl auth init -t PW",
        "http -a ada:PW https://example.com/x",
        "https --form -a ada:PW example.com",
        "xh -a ada:PW example.com",
        "ab -n 100 -A ada:PW http://example.com/",
        "ncftp -u ada -p PW host",
        "xcrun altool -u ada@example.com -p PW -f x.ipa",
        "security import x.p12 -P PW -k login.keychain",
        "snmpwalk -v3 -u ada -A PW host",
        "snmpget -v3 -u ada -X PW host",
        "rdesktop -u ada -p PW host",
        "rpcclient -U ada%PW host",
        // Words
        "htpasswd -b /etc/users ada PW",
        "htpasswd -cbB users ada 'PW'",
        "htpasswd -nb ada PW > users",
        "sh -c \"htpasswd -nbBC 10 ada PW\"",
        "htpasswd -bn ada PW | tee users",
        "rabbitmqctl add_user ada PW",
        "rabbitmqctl -n rabbit@host change_password ada \"PW\" && true",
        "mysqladmin -u root password PW",
        "ngrok config add-authtoken PW",
        "usermod -p $(openssl passwd -6 PW) ada",
        // Standard input
        "echo PW | sudo -S apt-get install x",
        "cd /x && echo \"PW\" | sudo -kS true",
        "echo -n 'PW' | docker login -u ada --password-stdin r.io",
        "printf '%s\\n' PW | sudo -S ls",
        "printf PW | gpg --batch --passphrase-fd 0 -d x.gpg",
        "echo PW | ssh host sudo -S reboot",
        "echo PW | passwd --stdin ada",
        "echo PW | cryptsetup luksOpen /dev/x y",
        "echo ada:PW | chpasswd",
        "echo 'ada:PW' | sudo /usr/sbin/chpasswd -e",
        "sudo -S true <<< \"PW\"",
        "chpasswd <<< ada:PW",
    ] {
        for password in ["swordfish", "hunter2", "Sword-F1sh!"] {
            assert_eq!(redact(&text.replace("PW", password)), text.replace("PW", "[redacted:password]"));
        }
    }
}

#[test]
fn commands_without_passwords_stay() {
    for text in [
        "docker run -d --name mongo -p 27017:27017 mongo",
        "ssh mongo -p 2222",
        "docker compose -f mongo.yml -p project up",
        "echo done | sudo tee /etc/motd",
        "echo \"$PASSWORD\" | sudo -S true",
        "echo ${PASSWORD} | docker login --password-stdin",
        "cat password.txt | docker login --password-stdin",
        "echo YES | cryptsetup luksFormat /dev/x",
        "echo started; cat users | chpasswd",
        "echo users | chpasswd",
        "htpasswd users ada",
        "htpasswd -b",
        "htpasswd -n ada",
        "htpasswd: password verification failed",
        "rabbitmqctl add_user failed",
        "rabbitmqctl add_user ada \"$PASSWORD\"",
        "rabbitmqctl list_users quiet now",
        "openssl passwd -6 -stdin",
        "<<<<<<< HEAD",
        "tr a b <<< swordfish",
        "echo a || sudo -S true",
        "library: a -hpx",
    ] {
        assert_eq!(redact(text), text);
    }
}

/// Values that are letters and nothing else, where a name is joined to them with `=`.
#[test]
fn letters_assigned_to_a_name() {
    for (text, expected) in [
        ("token=qwertzuiopasdfghjkl", "token=[redacted:token]"),
        ("GET /x?access_token=qwertzuiopasdfghjkl&page=2", "GET /x?access_token=[redacted:token]&page=2"),
        ("//r.example.org/:_authToken=qwertzuiopasdfghjkl", "//r.example.org/:_authToken=[redacted:token]"),
        ("refused: user=ada, password=swordfish, host=db", "refused: user=ada, password=[redacted:password], host=db"),
    ] {
        assert_eq!(redact(text), expected);
    }
    for text in [
        "token=getAccessTokenSilently",
        "token=next_token_of_the_lexer",
        "token=identifier",
        "connect(user=user, password=secretword, host=host)",
        "    user=user, password=secretword,",
    ] {
        assert_eq!(redact(text), text);
    }
}

/// A URL that is a parameter of another has escapes.
#[test]
fn escapes_of_urls_hide_no_secret() {
    let token = body(36);
    for (text, expected) in [
        ("u=https%3A%2F%2Fada%3Ahunter2%40host%2Fx".to_owned(), "u=https%3A%2F%2Fada%3A[redacted:password]%40host%2Fx"),
        ("u=https%3a%2f%2fada%3ahunter2%40host".to_owned(), "u=https%3a%2f%2fada%3a[redacted:password]%40host"),
        (
            "u=https%253A%252F%252Fada%253Ahunter2%2540host".to_owned(),
            "u=https%253A%252F%252Fada%253A[redacted:password]%2540host",
        ),
        ("to=%2Fx%3Fpassword%3Dhunter2%26a%3D1".to_owned(), "to=%2Fx%3Fpassword%3D[redacted:password]%26a%3D1"),
        (format!("to=%2Fx%3Fa%3Dghp_{token}%26b"), "to=%2Fx%3Fa%3D[redacted:github-token]%26b"),
        (
            r#"{\"u\":\"https%3A%2F%2Fada%3Ahunter2%40host\"}"#.to_owned(),
            r#"{\"u\":\"https%3A%2F%2Fada%3A[redacted:password]%40host\"}"#,
        ),
    ] {
        assert_eq!(redact(&text), expected);
        assert_eq!(redact(expected), expected);
    }
    for text in [
        "https://host/a%20b%2Fc?to=https%3A%2F%2Fhost%3A8080%2Fx%3Fa%3D1",
        "https://host/100%25/%E2%9C%93",
        "coverage 10%20 files",
        "%3A%",
    ] {
        assert_eq!(redact(text), text);
    }
}

/// What a fuzzer found: each was redacted further when it was redacted again.
#[test]
fn wrapped_tokens_go_whole() {
    let long = "x".repeat(70);
    for (text, left) in [
        (format!("{long} eyJhbGciOiJIUzI1NiJ9.e\nyJzdWIiOiIxMjM0In0.abc1\nend"), format!("{long} [redacted:jwt]\nend")),
        (format!("{long} e2b_{}\n{}\nend", hex(38), "b9"), format!("{long} [redacted:e2b-key]\nend")),
        (
            format!("{long} ops_eyJ{}\n{}\n{}\nend", body(100), body(100), body(60)),
            format!("{long} [redacted:1password-token]\nend"),
        ),
        // What follows a whole token on the next line is a word.
        (format!("{long} ghp_{}\nerror: x", body(36)), format!("{long} [redacted:github-token]\nerror: x")),
    ] {
        assert_eq!(redact(&text), left);
    }
}

#[test]
fn lists_and_pairs_that_name_secrets_stay() {
    for text in [
        "fields = (\"password\", \"email\")",
        "[\"user\", \"password\", \"remember_me\"]",
        "MovedModule(\"http_cookies\", \"Cookie\", \"http.cookies\")",
        "{\"name\": \"title\", \"value\": \"a1b2c3d4e5f6\"}",
        "- name: LOG_LEVEL\n  value: debug\n- name: TOKEN_URL\n  value: https://x/y\n",
        "| password | the password of the user |",
        "users.map(token -> parse(token))",
        "description: |\n  The password of the user is read from a file.\n",
        "https://x/search?code=python&key=title",
        "{\"d\": \"a1b2c3d4e5f6a1b2c3d4\"}",
        "sdk-platform-tools-2024-01-02 and api-gateway-7d9f8b6c5d-x2k4p",
        "re_match_object_of_the_previous_line, sk_buff_head_init_of_the_device",
    ] {
        assert!(matches!(redact(text), Cow::Borrowed(same) if same == text), "{text:?} became {:?}", redact(text));
    }
}

#[test]
fn once_is_enough() {
    for text in [
        "h::h:h://\u{1}h://âh::h:h://\u{1}h::/:2@h2//:/1:2/22:222:`]:",
        "//:22:http response code:6:2:66:6:66v::",
        "6op_Q~ZZQ~ZZZZZZZZZZZZZZZZZ055555555555555_Q~ZZQ~ZZZZZZZZZZZZZZZZZ055555555555555$5ZZZZZH$5ZZZZZH",
        "4h::h:h://\u{1}h\u{4}\0::/+h::h:hmtoken:\"\u{2}\u{2}\u{2}\u{2}\u{2}\u{2}\u{2}\u{2}\u{2}\u{2}\u{2}:0:2\"/2m_sat\u{e}\0\0\0\0\0\0\0://h::-h:h://\u{12}h\0\0\u{1}h\0\0::/+passw:o\u{2}\u{2}\u{2}:0:2\"/2:`Q~Qzass",
        "task \"password := \\\"a7a3ax0qBa27\\\"\"",
        "\"password: Some(\\\"p7a3auxyFlpn\\\")\"",
        "curl -u https://a:b@c(",
        "token:\"0\u{1f0a0}\u{ae6}-----BEGIN RSA PRIVATE KEY-----",
    ] {
        let once = redact(text).into_owned();
        assert_eq!(redact(&once), once);
        assert!(!once.contains("7a3a"), "{once}");
    }
}

/// A broken terminal code before a mark hides where it begins.
#[test]
fn marks_stay_whole() {
    for text in ["--password \x1b\\'[redacted:password]", "curl -u \x1b[3\\\"[redacted:github-token]"] {
        assert_eq!(redact(text), text);
    }
}

/// What looks like those and is none.
#[test]
fn places_that_only_look_like_them_stay() {
    for text in [
        "src/main.rs:12:5: error: password mismatch",
        "main.go:12:5:undefined:x y",
        "<password> is required",
        "the password 'x' clause is missing",
        "expected <token>, found </token>",
        "https://host:8080/path@v1.2.3/file",
        "https://registry.example.org:5000/image@sha256:0123456789abcdef",
        "let q = sum.Q~x; a.b.c.d",
        "{Name:x Kind:Token Count:3}",
        "pass: 12, fail: 3",
        "I identified by name the file",
        "machine learning login password reset",
        "costs $1$ or $2",
        "function s.getElementsByClassName(x)",
        "self.password = password",
        "password = encryption_algorithm.password",
        "ClientEarlyTrafficSecret => b\"c e traffic\",",
        "NL80211_ATTR_DIALOG_TOKEN = 137,",
        "Can't locate revision identified by '3f2a9c'",
        "use the --username and --password options instead",
        "SSH_ASKPASS=/usr/bin/ksshaskpass GIT_ASKPASS=echo PROXY_BYPASS=localhost",
        "SENTRY_RELEASE=9f8e7d6c5b4a39281706f5e4d3c2b1a098765432",
        "cookie = self._cookie_from_tuple(tup, request)",
        "cookie: *mut i32,",
        "PWD=C:\\Users\\ada\\project1",
        "unzip a.zip; cp -P from1 to2",
        "docker run --name mongo -p 27017:27017 mongo",
        "kind: ConfigMap\ndata:\n  release: YWJjZGVmZ2hpamts\n",
        "kind: SecretStore\ndata:\n  release: YWJjZGVmZ2hpamts\n",
        "pattern.matching.of.names.in_a_long_list_of_modules_that_nobody_reads.and_so_on",
        "123456789012345|the next column of a table",
    ] {
        assert_eq!(redact(text), text);
    }
}

fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[ -~]{0,8}",
        1 => "\\PC{0,3}",
        1 => "[A-Za-z0-9]{8,40}",
        4 => prop::sample::select(vec![
            "password", "=", ":", ": ", "\"", "'", "\\\"", "\\", "token", "API_KEY", "--password ", "--token", " -p", "mysql ", "curl -u ",
            "echo ", " | sudo -S", " | chpasswd", "htpasswd -b ", "rabbitmqctl add_user ", "sudo -S <<< ", "%3A", "%2F", "%40", "%25", "Authorization: ", "Bearer ", "Basic ", "Cookie: ", "://", "@", "https://a:b@c", "-----BEGIN RSA PRIVATE KEY-----",
            "-----END RSA PRIVATE KEY-----", "ghp_", "AKIA", "sk-", "eyJ", ".", "\n", "\r\n", " ", "[redacted:", "]", "é", ",", ";", "&",
        ]).prop_map(str::to_owned),
    ]
}

/// Pieces with terminal codes among them, whole and broken.
fn coloured_piece() -> impl Strategy<Value = String> {
    let codes =
        ["\x1b[31m", "\x1b[0m", "\x1b[m", "\x1b[38;5;9m", "\x1b(B", "\x1b]0;", "\x1b\\", "\x07", "\x1b[3", "\x1b"];
    let tokens = vec![format!("ghp_{}", body(36)), format!("AKIA{}", upper(16)), format!("fc-{}", hex(32))];
    prop_oneof![
        3 => piece(),
        3 => prop::sample::select(codes.to_vec()).prop_map(str::to_owned),
        1 => prop::sample::select(tokens),
    ]
}

/// What is left, without the marks, is a part of the text in the same order.
fn the_rest_is_part_of(text: &str) -> Result<(), TestCaseError> {
    let redacted = redact(text);
    prop_assert_eq!(matches!(redacted, Cow::Borrowed(_)), redacted == text);
    let mut rest = text;
    for part in redacted.split("[redacted:") {
        let kept = part.split_once(']').filter(|(kind, _)| kind.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'));
        let kept = kept.map_or(part, |(_, kept)| kept);
        let at = rest.find(kept);
        prop_assert!(at.is_some(), "{:?} became {:?}", text, redacted);
        rest = &rest[at.unwrap_or(0) + kept.len()..];
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(800) })]

    #[test]
    fn redacting_twice_changes_nothing(pieces in prop::collection::vec(piece(), 0..12)) {
        let text = pieces.concat();
        let once = redact(&text).into_owned();
        prop_assert_eq!(redact(&once), once.as_str(), "{:?}", text);
    }

    #[test]
    fn the_rest_stays(pieces in prop::collection::vec(piece(), 0..12)) {
        the_rest_is_part_of(&pieces.concat())?;
    }

    #[test]
    fn a_token_never_survives(before in "[ -~]{0,20}", after in "[ -~]{0,20}", value in "[A-Za-z0-9]{36}") {
        let token = format!("ghp_{value}");
        let text = format!("{before} {token} {after}");
        prop_assert!(!redact(&text).contains(&token));
    }
    #[test]
    fn redacting_twice_changes_nothing_in_colour(pieces in prop::collection::vec(coloured_piece(), 0..12)) {
        let text = pieces.concat();
        let once = redact(&text).into_owned();
        prop_assert_eq!(redact(&once), once.as_str(), "{:?}", text);
    }

    #[test]
    fn the_rest_stays_in_colour(pieces in prop::collection::vec(coloured_piece(), 0..12)) {
        the_rest_is_part_of(&pieces.concat())?;
    }

    /// Wherever colours occur in and around it.
    #[test]
    fn a_coloured_token_never_survives(before in "[ -~]{0,9}", cuts in prop::collection::vec(0..40_usize, 0..4), value in "[A-Za-z0-9]{36}") {
        let token = format!("ghp_{value}");
        let mut text = token.clone();
        for cut in cuts {
            let at = text.char_indices().filter(|(_, c)| *c != '\u{1}').map(|(at, _)| at).nth(cut).unwrap_or(0);
            text.insert(at, '\u{1}');
        }
        let text = format!("{before}\x1b[1m{}\x1b[0m", text.replace('\u{1}', "\x1b[31m"));
        let redacted = redact(&text).replace("\x1b[31m", "");
        prop_assert!(!redacted.contains(&token[4..]), "{:?} became {:?}", text, redacted);
    }
}
