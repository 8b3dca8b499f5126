//! Go, Ruby, PHP, Perl and Lua, with their package managers and tests.

use crate::corpus::case::{Tool, case};
use crate::corpus::label::*;

const GO_MOD: (&str, &str) = ("go.mod", "module example.test/app\n\ngo 1.19\n");
const GO_NEEDS: &[(&str, &str)] = &[
    ("go.mod", "module example.test/app\n\ngo 1.19\n\nrequire example.test/retry v1.2.0\n"),
    ("main.go", "package main\n\nimport \"example.test/retry\"\n\nfunc main() { retry.Do() }\n"),
];
const GEMFILE: &[(&str, &str)] = &[("Gemfile", "source ENV['GEM_SOURCE']\ngem 'rack-unknown', '~> 3.0'\n")];
const COMPOSER: &[(&str, &str)] =
    &[("composer.json", "{\"require\":{\"acme/http\":\"^2.0\"},\"repositories\":[{\"packagist.org\":false}]}")];

pub const TOOLS: &[Tool] = &[
    Tool {
        name: "go",
        language: Some("Go"),
        needs: &["go", "gofmt"],
        cases: &[
            case("go-build", COMPILE, "go build ./...", "an unused variable and a wrong type").files(&[
                GO_MOD,
                ("main.go", "package main\n\nfunc main() {\n\tlimit := 429\n\tvar name string = 3\n}\n"),
            ]),
            case("go-syntax", COMPILE, "go run main.go", "a bracket too few")
                .files(&[GO_MOD, ("main.go", "package main\n\nfunc main() {\n\tprintln(\"a\"\n}\n")]),
            case("go-package", DEPENDENCY, "GOPROXY=off go build ./...", "a package that is not in the module").files(
                &[
                    GO_MOD,
                    ("main.go", "package main\n\nimport \"example.test/store\"\n\nfunc main() { store.Open() }\n"),
                ],
            ),
            case(
                "go-503",
                UNAVAILABLE,
                "GOPROXY=$SERVER/503 GONOSUMDB=* GOFLAGS=-mod=mod go build ./...",
                "the module proxy is unavailable",
            )
            .files(GO_NEEDS),
            case(
                "go-refused",
                CONNECTION,
                "GOPROXY=http://127.0.0.1:$CLOSED_PORT GONOSUMDB=* go mod download",
                "the module proxy refuses connections",
            )
            .files(GO_NEEDS),
            case("go-404", DEPENDENCY, "GOPROXY=$SERVER/404 GONOSUMDB=* go mod tidy", "no such module").files(GO_NEEDS),
            case("go-test", TEST, "go test ./...", "a test fails").files(&[
                GO_MOD,
                (
                    "a_test.go",
                    "package app\n\nimport \"testing\"\n\nfunc TestSum(t *testing.T) {\n\
                 \tif got := 1 + 1; got != 3 {\n\t\tt.Errorf(\"Sum() = %d, want 3\", got)\n\
                 \t}\n}\n\nfunc TestTimeoutError(t *testing.T) {}\n",
                ),
            ]),
            case("go-test-panic", TEST, "go test -v ./...", "a test panics").files(&[
                GO_MOD,
                (
                    "a_test.go",
                    "package app\n\nimport \"testing\"\n\nfunc TestMap(t *testing.T) {\n\
                 \tvar m map[string]int\n\tm[\"a\"] = 1\n}\n",
                ),
            ]),
            case("go-test-timeout", TEST, "go test -timeout 1s ./...", "the tests take too long").files(&[
                GO_MOD,
                (
                    "a_test.go",
                    "package app\n\nimport (\n\t\"testing\"\n\t\"time\"\n)\n\n\
                 func TestWait(t *testing.T) { time.Sleep(time.Minute) }\n",
                ),
            ]),
            case("go-vet", LINT, "go vet ./...", "a wrong format verb").files(&[
                GO_MOD,
                ("main.go", "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Printf(\"%d\\n\", \"x\") }\n"),
            ]),
            case("go-fmt", LINT, "test -z \"$(gofmt -d . | tee /dev/stderr)\"", "files are not formatted")
                .files(&[GO_MOD, ("main.go", "package main\nfunc main(){ }\n")]),
            case("go-panic", EXCEPTION, "go run main.go", "a nil pointer").files(&[
                GO_MOD,
                (
                    "main.go",
                    "package main\n\ntype user struct{ name string }\n\n\
                 func find() *user { return nil }\n\nfunc main() { println(find().name) }\n",
                ),
            ]),
            case("go-deadline", TIMEOUT, "go run main.go", "context deadline exceeded").files(&[
                GO_MOD,
                (
                    "main.go",
                    "package main\n\nimport (\n\t\"log\"\n\t\"net/http\"\n\t\"os\"\n\t\"time\"\n\
                 )\n\nfunc main() {\n\tc := http.Client{Timeout: time.Second}\n\
                 \tif _, err := c.Get(os.Getenv(\"SERVER\") + \"/stall/items\"); err != nil {\n\
                 \t\tlog.Fatal(err)\n\t}\n}\n",
                ),
            ]),
            case("go-eof", CONNECTION, "go run main.go", "the server closes without an answer").files(&[
                GO_MOD,
                (
                    "main.go",
                    "package main\n\nimport (\n\t\"log\"\n\t\"net/http\"\n\t\"os\"\n)\n\n\
                 func main() {\n\
                 \tif _, err := http.Get(os.Getenv(\"SERVER\") + \"/close/items\"); err != nil {\n\
                 \t\tlog.Fatal(err)\n\t}\n}\n",
                ),
            ]),
            case("go-deadlock", EXCEPTION, "go run main.go", "all goroutines are asleep")
                .files(&[GO_MOD, ("main.go", "package main\n\nfunc main() { <-make(chan int) }\n")]),
            case("go-none", MISSING_FILE, "go build ./cmd/server", "no such directory").files(&[GO_MOD]),
            case("go-command", BAD_ARGUMENT, "go biuld ./...", "a command go does not have"),
            case("go-ok", BENIGN, "go vet ./... && go test -v ./...", "all tests pass").files(&[
                GO_MOD,
                (
                    "a_test.go",
                    "package app\n\nimport \"testing\"\n\n\
                 func TestRetryAfterError(t *testing.T) { t.Log(\"error: connection refused \
                 (expected)\") }\n",
                ),
            ]),
        ],
    },
    Tool {
        name: "ruby",
        language: Some("Ruby"),
        needs: &["ruby", "bundle", "rspec", "rubocop"],
        cases: &[
            case("ruby-syntax", COMPILE, "ruby app.rb", "an end too few")
                .files(&[("app.rb", "def total(items)\n  items.sum do |i|\n    i.price\nend\n")]),
            case("ruby-require", DEPENDENCY, "ruby app.rb", "a gem that is not installed")
                .files(&[("app.rb", "require 'sinatra_next'\n")]),
            case("ruby-name", EXCEPTION, "ruby app.rb", "a method of nil")
                .files(&[("app.rb", "def find(id) = nil\nputs find(3).name\n")]),
            case(
                "ruby-refused",
                CONNECTION,
                "ruby -rnet/http -e \
                 'Net::HTTP.get(URI(\"http://127.0.0.1:#{ENV[%q(CLOSED_PORT)]}/\"))'",
                "nothing listens on the port",
            ),
            case("ruby-stall", TIMEOUT, "ruby app.rb", "no answer in time").files(&[(
                "app.rb",
                "require 'net/http'\nuri = URI(ENV['SERVER'] + '/stall/x')\n\
                 Net::HTTP.start(uri.host, uri.port, read_timeout: 1, max_retries: 0) { |h| \
                 h.get(uri.path) }\n",
            )]),
            case(
                "ruby-file",
                MISSING_FILE,
                "ruby -e 'puts File.read(\"config/database.yml\")'",
                "a file that is not there",
            ),
            case("ruby-json", BAD_FORMAT, "ruby -rjson -e 'JSON.parse(\"<html>\")'", "HTML where JSON is wanted"),
            case(
                "ruby-bundle-refused",
                CONNECTION,
                "GEM_SOURCE=http://127.0.0.1:$CLOSED_PORT bundle install --retry 0",
                "the gem source refuses connections",
            )
            .files(GEMFILE),
            case(
                "ruby-bundle-503",
                UNAVAILABLE,
                "GEM_SOURCE=$SERVER/503 bundle install --retry 0",
                "the gem source is unavailable",
            )
            .files(GEMFILE),
            case(
                "ruby-bundle-401",
                CREDENTIALS,
                "GEM_SOURCE=$SERVER/401 bundle install --retry 0",
                "the gem source wants a login",
            )
            .files(GEMFILE),
            case("ruby-bundle-none", MISSING_FILE, "bundle exec rake", "no Gemfile here"),
            case(
                "ruby-bundle-local",
                DEPENDENCY,
                "GEM_SOURCE=$SERVER/404 bundle install --local",
                "a gem that is not installed",
            )
            .files(GEMFILE),
            case("ruby-rspec", TEST, "rspec spec.rb", "an expectation fails").files(&[(
                "spec.rb",
                "RSpec.describe 'cart' do\n  it('sums') { expect(1 + 1).to eq(3) }\n  \
                 it('retries on timeout') { expect(1).to eq(1) }\n\
                 end\n",
            )]),
            case("ruby-rspec-load", DEPENDENCY, "rspec spec.rb", "the spec requires what is not there")
                .files(&[("spec.rb", "require_relative 'lib/cart'\nRSpec.describe(Cart) {}\n")]),
            case("ruby-minitest", TEST, "ruby test.rb --seed 1", "an assertion fails").files(&[(
                "test.rb",
                "require 'minitest/autorun'\n\
                 class CartTest < Minitest::Test\n  def test_sum = assert_equal(3, 1 + 1)\n  \
                 def test_nil = nil.size\n\
                 end\n",
            )]),
            case("ruby-rubocop", LINT, "rubocop --cache false app.rb", "findings").files(&[
                (".rubocop.yml", "AllCops:\n  NewCops: enable\n  SuggestExtensions: false\n"),
                ("app.rb", "def  f( a )\n  return a\nend\n"),
            ]),
            case("ruby-ok", BENIGN, "rspec --format documentation spec.rb", "all pass").files(&[(
                "spec.rb",
                "RSpec.describe 'errors' do\n  it('raises Net::ReadTimeout when the server \
                 stalls') { expect(1).to eq(1) }\n\
                 end\n",
            )]),
            case("ruby-ok-minitest", BENIGN, "ruby test.rb -v --seed 1", "all pass").files(&[(
                "test.rb",
                "require 'minitest/autorun'\n\
                 class FailureTest < Minitest::Test\n  def test_error_503_is_retried = assert(true)\n\
                 end\n",
            )]),
        ],
    },
    Tool {
        name: "php",
        language: Some("PHP"),
        needs: &["php", "composer", "phpunit"],
        cases: &[
            case("php-syntax", COMPILE, "php -l app.php", "a missing semicolon")
                .files(&[("app.php", "<?php\n$a = 1\necho $a;\n")]),
            case("php-parse", COMPILE, "php app.php", "a file that does not parse when run")
                .files(&[("app.php", "<?php\nfunction f( { return 1; }\n")]),
            case("php-function", EXCEPTION, "php app.php", "a function that does not exist")
                .files(&[("app.php", "<?php\necho money_fmt(3);\n")]),
            case("php-exception", EXCEPTION, "php app.php", "an exception nobody catches").files(&[(
                "app.php",
                "<?php\n\
                 function load() { throw new RuntimeException('no tenant selected'); }\n\
                 load();\n",
            )]),
            case("php-memory", OUT_OF_MEMORY, "php -d memory_limit=8M app.php", "the memory limit is reached")
                .files(&[("app.php", "<?php\n$a = [];\nwhile (true) { $a[] = str_repeat('x', 100000); }\n")]),
            case("php-require", MISSING_FILE, "php app.php", "a file to include that is not there")
                .files(&[("app.php", "<?php\nrequire 'config/settings.php';\n")]),
            case(
                "php-composer-503",
                UNAVAILABLE,
                "composer config repo.mirror composer $SERVER/503 && composer config \
                 secure-http false && composer install --no-interaction",
                "the repository is unavailable",
            )
            .files(COMPOSER),
            case(
                "php-composer-refused",
                CONNECTION,
                "composer config repo.mirror composer http://127.0.0.1:$CLOSED_PORT && \
                 composer config secure-http false && composer install --no-interaction",
                "the repository refuses connections",
            )
            .files(COMPOSER),
            case("php-composer-none", DEPENDENCY, "composer install --no-interaction", "no repository has the package")
                .files(COMPOSER),
            case("php-composer-json", COMPILE, "composer install --no-interaction", "composer.json does not parse")
                .files(&[("composer.json", "{\"require\": {\"php\": \">=8\",}}\n")]),
            case("php-phpunit", TEST, "phpunit CartTest.php", "an assertion fails").files(&[(
                "CartTest.php",
                "<?php\n\
                 class CartTest extends PHPUnit\\Framework\\TestCase {\n    public function \
                 testSum() { $this->assertSame(3, 1 + 1); }\n    public function \
                 testTimeout() { $this->assertTrue(true); }\n\
                 }\n",
            )]),
            case("php-phpunit-missing", MISSING_FILE, "phpunit tests/GoneTest.php", "the test file is not there"),
            case("php-ok", BENIGN, "phpunit --testdox ErrorTest.php", "all pass").files(&[(
                "ErrorTest.php",
                "<?php\n\
                 class ErrorTest extends PHPUnit\\Framework\\TestCase {\n    public function \
                 testConnectionRefusedIsReported() { $this->assertTrue(true); }\n\
                 }\n",
            )]),
        ],
    },
    Tool {
        name: "perl",
        language: Some("Perl"),
        needs: &["perl", "prove"],
        cases: &[
            case("perl-syntax", COMPILE, "perl app.pl", "a bracket too few")
                .files(&[("app.pl", "use strict;\nmy @a = (1, 2;\nprint @a;\n")]),
            case("perl-module", DEPENDENCY, "perl -MMojo::Next -e 1", "a module that is not installed"),
            case("perl-strict", COMPILE, "perl app.pl", "an undeclared variable under strict")
                .files(&[("app.pl", "use strict;\n$total = 3;\n")]),
            case("perl-die", EXCEPTION, "perl app.pl", "the program dies")
                .files(&[("app.pl", "my %h;\n$h{job}->run();\n")]),
            case("perl-file", MISSING_FILE, "perl app.pl", "a file that is not there")
                .files(&[("app.pl", "open(my $f, '<', 'in.csv') or die \"cannot open in.csv: $!\";\n")]),
            case("perl-prove", TEST, "prove -v t", "a test fails")
                .files(&[("t/a.t", "use Test::More tests => 2;\nis(1 + 1, 3, 'sum');\nok(1, 'no errors');\n")]),
            case("perl-ok", BENIGN, "prove t", "all tests pass")
                .files(&[("t/error.t", "use Test::More tests => 1;\nok(1, 'fails on timeout');\n")]),
        ],
    },
    Tool {
        name: "lua",
        language: Some("Lua"),
        needs: &["lua"],
        cases: &[
            case("lua-syntax", COMPILE, "lua app.lua", "an end too few")
                .files(&[("app.lua", "function f()\n  return 1\n")]),
            case("lua-module", DEPENDENCY, "lua app.lua", "a module that is not installed")
                .files(&[("app.lua", "local j = require('cjson_next')\n")]),
            case("lua-nil", EXCEPTION, "lua app.lua", "a field of nil")
                .files(&[("app.lua", "local user\nprint(user.name)\n")]),
            case("lua-ok", BENIGN, "lua app.lua", "a protected call fails and is handled")
                .files(&[("app.lua", "print(pcall(error, 'attempt to index a nil value'))\nprint('handled')\n")]),
        ],
    },
];
