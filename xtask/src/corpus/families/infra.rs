//! Packages of the system, containers, clusters and clouds.

use crate::corpus::case::{Tool, case};
use crate::corpus::label::*;

/// Holds a POSIX lock on a file for a while, as apt, dpkg and terraform do.
const HOLD: (&str, &str) = (
    "hold.py",
    "import fcntl, sys, time\nf = open(sys.argv[1], 'a+')\n\
                 fcntl.lockf(f, fcntl.LOCK_EX)\ntime.sleep(4)\n",
);

/// AWS settings that do not look at the machine.
const AWS: &str = "export AWS_ACCESS_KEY_ID=example AWS_SECRET_ACCESS_KEY=example AWS_DEFAULT_REGION=eu-west-1 \
AWS_MAX_ATTEMPTS=1 AWS_EC2_METADATA_DISABLED=true";

pub const TOOLS: &[Tool] = &[
    Tool {
        name: "apt",
        language: None,
        needs: &["apt-get", "dpkg"],
        cases: &[
            case(
                "apt-lock",
                LOCK,
                "python3 hold.py lists/lock & sleep 0.7; apt-get -o \
                 Dir::State::lists=$PWD/lists update",
                "another apt holds the lists",
            )
            .files(&[HOLD])
            .after("mkdir -p lists/partial"),
            case(
                "apt-dpkg-lock",
                LOCK,
                "python3 hold.py admin/lock-frontend & sleep 0.7; dpkg --admindir=admin \
                 --remove nothing",
                "another dpkg holds the database",
            )
            .files(&[HOLD])
            .after("mkdir -p admin/updates admin/info && touch admin/status"),
            case("apt-package", DEPENDENCY, "apt-get install --simulate libno-such-library-dev", "no such package"),
            case(
                "apt-denied",
                DENIED,
                "unprivileged apt-get -o Dir::State::lists=$PWD/lists update",
                "only root may update the lists",
            )
            .after("mkdir -p lists/partial"),
            case(
                "apt-503",
                UNAVAILABLE,
                "apt-get -o APT::Update::Error-Mode=any -o Acquire::Retries=0 -o \
                 Dir::State::lists=$PWD/lists -o Dir::Etc::SourceList=$PWD/list -o \
                 Dir::Etc::SourceParts=- update",
                "the mirror is unavailable",
            )
            .files(&[("list", "deb [trusted=yes] http://127.0.0.1:7411/503/debian stable main\n")])
            .after("mkdir -p lists/partial && chmod -R 777 ."),
            case(
                "apt-refused",
                CONNECTION,
                "apt-get -o APT::Update::Error-Mode=any -o Acquire::Retries=0 -o \
                 Dir::State::lists=$PWD/lists -o Dir::Etc::SourceList=$PWD/list -o \
                 Dir::Etc::SourceParts=- update",
                "the mirror refuses connections",
            )
            .files(&[("list", "deb [trusted=yes] http://127.0.0.1:7414/debian stable main\n")])
            .after("mkdir -p lists/partial && chmod -R 777 ."),
            case("apt-option", BAD_ARGUMENT, "apt-get instal jq", "an operation apt does not have"),
            case("apt-deb", BAD_FORMAT, "dpkg-deb --info app.deb", "not a package")
                .files(&[("app.deb", "<html>404</html>\n")]),
            case("apt-ok", BENIGN, "apt-get --simulate install bash", "an installation is simulated"),
        ],
    },
    Tool {
        name: "docker",
        language: None,
        needs: &["docker"],
        cases: &[
            case("docker-daemon", STATE, "docker build -t app .", "no daemon is running")
                .files(&[("Dockerfile", "FROM scratch\n")]),
            case("docker-ps", STATE, "docker ps", "no daemon is running"),
            case("docker-command", BAD_ARGUMENT, "docker biuld .", "a command docker does not have"),
            case("docker-flag", BAD_ARGUMENT, "docker run --memmory 1g app", "a flag docker does not have"),
            case("docker-context", BAD_ARGUMENT, "docker --context prod ps", "no such context"),
            case("docker-ok", BENIGN, "docker --version && docker context ls", "settings are listed"),
        ],
    },
    Tool {
        name: "kubectl",
        language: None,
        needs: &["kubectl"],
        cases: &[
            case(
                "kubectl-refused",
                CONNECTION,
                "kubectl --server http://127.0.0.1:$CLOSED_PORT get pods",
                "the API server refuses connections",
            ),
            case(
                "kubectl-503",
                UNAVAILABLE,
                "kubectl --server $SERVER get --raw /503/healthz",
                "the API server is unavailable",
            ),
            case(
                "kubectl-stall",
                TIMEOUT,
                "kubectl --server $SERVER --request-timeout=1s get --raw /stall/healthz",
                "the API server never answers",
            ),
            case(
                "kubectl-forbidden",
                FORBIDDEN,
                "kubectl --server $SERVER get --raw /kube-forbidden/api/v1/pods",
                "the user may not list pods",
            ),
            case(
                "kubectl-missing",
                MISSING_FILE,
                "kubectl --server $SERVER get --raw \
                 /kube-missing/apis/apps/v1/namespaces/prod/deployments/web",
                "no such deployment",
            ),
            case(
                "kubectl-busy",
                RATE_LIMIT,
                "timeout 60 kubectl --server $SERVER get --raw /kube-busy/api/v1/pods",
                "too many requests",
            ),
            case(
                "kubectl-yaml",
                BAD_FORMAT,
                "kubectl --server $SERVER/ok apply --validate=false -f app.yaml",
                "the manifest is not YAML",
            )
            .files(&[("app.yaml", "apiVersion: v1\n  kind: Pod\n metadata:\n")]),
            case("kubectl-file", MISSING_FILE, "kubectl apply -f k8s/app.yaml", "the manifest is not there"),
            case("kubectl-flag", BAD_ARGUMENT, "kubectl get pods --all-namespace", "a flag kubectl does not have"),
            case("kubectl-context", BAD_ARGUMENT, "kubectl config use-context prod", "no such context"),
            case(
                "kubectl-ok",
                BENIGN,
                "kubectl create configmap errors --from-literal=backoff=CrashLoopBackOff \
                 --dry-run=client -o yaml",
                "a manifest is printed",
            ),
        ],
    },
    Tool {
        name: "terraform",
        language: Some("HCL"),
        needs: &["terraform"],
        cases: &[
            case("terraform-syntax", COMPILE, "terraform validate -no-color", "a block that is not closed").files(&[(
                "main.tf",
                "variable \"region\" {\n  default = \"eu\"\n\noutput \"r\" { value = var.region }\n",
            )]),
            case("terraform-reference", COMPILE, "terraform validate -no-color", "a variable that is not declared")
                .files(&[("main.tf", "output \"r\" { value = var.region }\n")]),
            case("terraform-format", LINT, "terraform fmt -check -diff -no-color", "the formatting differs")
                .files(&[("main.tf", "variable \"a\" {\n    default=1\n}\n")]),
            case(
                "terraform-variable",
                BAD_ARGUMENT,
                "terraform plan -no-color -input=false",
                "a variable has no value",
            )
            .files(&[("main.tf", "variable \"region\" {}\noutput \"r\" { value = var.region }\n")]),
            case(
                "terraform-provider",
                CONNECTION,
                "terraform init -no-color",
                "the provider's registry refuses connections",
            )
            .files(&[(
                "main.tf",
                "terraform {\n  required_providers {\n    cloud = { source = \
                 \"localhost:7414/acme/cloud\" }\n  }\n\
                 }\n",
            )]),
            case(
                "terraform-lock",
                LOCK,
                "python3 hold.py terraform.tfstate & sleep 0.7; terraform apply -no-color \
                 -auto-approve",
                "another run holds the state",
            )
            .files(&[HOLD, ("main.tf", "output \"r\" { value = 1 }\n")]),
            case("terraform-flag", BAD_ARGUMENT, "terraform plan -auto-aprove", "a flag terraform does not have"),
            case("terraform-none", MISSING_FILE, "terraform plan -no-color", "no configuration here"),
            case("terraform-ok", BENIGN, "terraform init -no-color && terraform plan -no-color", "a plan is made")
                .files(&[("main.tf", "output \"error_rate\" { value = 0 }\n")]),
        ],
    },
    Tool {
        name: "ansible",
        language: Some("YAML"),
        needs: &["ansible-playbook"],
        cases: &[
            case(
                "ansible-unreachable",
                CONNECTION,
                "ANSIBLE_HOST_KEY_CHECKING=False ansible-playbook -i '127.0.0.1,' -e \
                 ansible_port=$CLOSED_PORT site.yml",
                "the host refuses connections",
            )
            .files(&[(
                "site.yml",
                "- hosts: all\n  gather_facts: false\n  tasks:\n    - \
                 ansible.builtin.command: uptime\n",
            )]),
            case("ansible-syntax", COMPILE, "ansible-playbook --syntax-check site.yml", "the playbook does not parse")
                .files(&[("site.yml", "- hosts: all\n  tasks:\n  - name: a\n     command: b\n")]),
            case("ansible-missing", MISSING_FILE, "ansible-playbook deploy.yml", "the playbook is not there"),
            case(
                "ansible-ok",
                BENIGN,
                "ansible-playbook -i localhost, -c local site.yml",
                "a task fails, is ignored, and the play succeeds",
            )
            .files(&[(
                "site.yml",
                "- hosts: all\n  gather_facts: false\n  tasks:\n    - \
                 ansible.builtin.command: 'false'\n      ignore_errors: true\n    - \
                 ansible.builtin.debug:\n        msg: 0 errors\n",
            )]),
        ],
    },
    Tool {
        name: "aws",
        language: None,
        needs: &["aws"],
        cases: &[
            case(
                "aws-credentials",
                CREDENTIALS,
                "AWS_EC2_METADATA_DISABLED=true aws --region eu-west-1 --endpoint-url \
                 $SERVER/ok sts get-caller-identity",
                "no credentials are configured",
            ),
            case(
                "aws-throttle",
                RATE_LIMIT,
                ". ./env; aws --endpoint-url $SERVER/aws-throttle sts get-caller-identity",
                "requests are throttled",
            )
            .files(&[("env", AWS)]),
            case(
                "aws-expired",
                CREDENTIALS,
                ". ./env; aws --endpoint-url $SERVER/aws-expired sts get-caller-identity",
                "the token is expired",
            )
            .files(&[("env", AWS)]),
            case(
                "aws-denied",
                FORBIDDEN,
                ". ./env; aws --endpoint-url $SERVER/aws-denied sts get-caller-identity",
                "the user is not authorised",
            )
            .files(&[("env", AWS)]),
            case(
                "aws-503",
                UNAVAILABLE,
                ". ./env; aws --endpoint-url $SERVER/503 sts get-caller-identity",
                "the service is unavailable",
            )
            .files(&[("env", AWS)]),
            case(
                "aws-refused",
                CONNECTION,
                ". ./env; aws --endpoint-url http://127.0.0.1:$CLOSED_PORT sts get-caller-identity",
                "nothing listens on the port",
            )
            .files(&[("env", AWS)]),
            case(
                "aws-stall",
                TIMEOUT,
                ". ./env; aws --cli-read-timeout 1 --endpoint-url $SERVER/stall sts \
                 get-caller-identity",
                "no answer in time",
            )
            .files(&[("env", AWS)]),
            case("aws-argument", BAD_ARGUMENT, "aws s3 sync", "arguments are missing"),
            case("aws-command", BAD_ARGUMENT, "aws s4 ls", "a service aws does not have"),
            case("aws-ok", BENIGN, ". ./env; aws configure list", "settings are listed").files(&[("env", AWS)]),
        ],
    },
];
