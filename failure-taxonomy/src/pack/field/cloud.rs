//! The clouds and their command lines: AWS, CDK, CloudFormation, Azure, Google Cloud, Firebase, Heroku, Fly, Vercel,
//! Netlify.

use super::{Row, decisive, summary};
use recovery_types::ErrorType::{
    CompileError, ConnectionFailure, FileNotFound, InvalidArgument, MissingCredentials, MissingDependency,
    NetworkTimeout, Other, OutOfMemory, PermissionDenied, QuotaExhausted, RuntimeException, ServiceUnavailable,
};

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    // AWS
    decisive("aws.region", "you must specify a region", InvalidArgument, "You must specify a region. You can also configure your region by running \"aws configure\".", "a region").tool("aws"),
    decisive("aws.profile", "the config profile (", InvalidArgument, "The config profile (prdo) could not be found", "the config profile").pattern(r"could not be found").tool("aws"),
    decisive("aws.sso", "sso", MissingCredentials, "Error loading SSO Token: Token for acme does not exist", "an SSO page").pattern(r"(?i)error loading sso token|sso session associated with this profile has expired|sso token .{0,40}(?:expired|invalid)").tool("aws"),
    decisive("aws.expired-refresh", "token has expired and refresh failed", MissingCredentials, "Token has expired and refresh failed", "a token").tool("aws"),
    decisive("aws.partial", "partial credentials found", MissingCredentials, "Partial credentials found in env, missing: AWS_SECRET_ACCESS_KEY", "credentials found").tool("aws"),
    decisive("aws.endpoint", "could not connect to the endpoint url", ConnectionFailure, "Could not connect to the endpoint URL: \"https://s3.xx-1.amazonaws.com/\"", "the endpoint url").tool("aws"),
    decisive("aws.key-unknown", "access key id you provided does not exist", MissingCredentials, "The AWS Access Key Id you provided does not exist in our records.", "an access key id"),
    decisive("aws.signature", "does not match the signature you provided", MissingCredentials, "The request signature we calculated does not match the signature you provided.", "a signature"),
    decisive("aws.bucket-missing", "the specified bucket does not exist", FileNotFound, "The specified bucket does not exist", "a bucket"),
    decisive("aws.object-missing", "the specified key does not exist", FileNotFound, "The specified key does not exist.", "a key"),
    decisive("aws.key-missing", "(404) when calling", FileNotFound, "fatal error: An error occurred (404) when calling the HeadObject operation: Key \"a\" does not exist", "when calling").tool("aws"),
    decisive("aws.head-forbidden", "(403) when calling", PermissionDenied, "fatal error: An error occurred (403) when calling the HeadObject operation: Forbidden", "when calling").tool("aws"),
    decisive("cdk.credentials", "no credentials have been configured", MissingCredentials, "Need to perform AWS calls for account 1, but no credentials have been configured", "credentials configured").tool("cdk"),
    decisive("cdk.account", "unable to resolve aws account to use", MissingCredentials, "Unable to resolve AWS account to use. It must be either configured when you define your CDK Stack", "an aws account").tool("cdk"),
    decisive("cdk.app", "--app is required", InvalidArgument, "--app is required either in command-line, in cdk.json or in ~/.cdk.json", "app").tool("cdk"),
    decisive("cdk.stacks", "no stacks match the name", InvalidArgument, "No stacks match the name(s) WebStak", "stacks match").tool("cdk"),
    decisive("cdk.bootstrap", "run \"cdk bootstrap", InvalidArgument, "This stack uses assets, so the toolkit stack must be deployed to the environment (Run \"cdk bootstrap aws://1/x\")", "cdk bootstrap").tool("cdk"),
    decisive("cfn.exists", "already exists", InvalidArgument, "12:00:00 PM | CREATE_FAILED | AWS::S3::Bucket | Data acme-data already exists", "it already exists").pattern(r"CREATE_FAILED").tool("cloudformation"),
    decisive("cfn.failed", "_failed", Other, "12:00:00 PM | CREATE_FAILED        | AWS::Lambda::Function | Api Resource handler returned message", "has_failed").pattern(r"(?:^|\| *|\s)(?:CREATE|UPDATE|DELETE|ROLLBACK)_FAILED\b").tool("cloudformation"),
    decisive("cfn.rolled-back", "rollback_complete", Other, "❌ web failed: Error: The stack named web failed creation: ROLLBACK_COMPLETE", "rollback").pattern(r"(?:failed|state|status).{0,160}ROLLBACK_COMPLETE").tool("cloudformation"),
    decisive("sam.no-changes", "no updates are to be performed", Other, "Status: FAILED. Reason: No updates are to be performed.", "updates performed").tool("cloudformation"),

    // Azure, Google
    decisive("az.subscription", "no subscription found", MissingCredentials, "ERROR: No subscription found. Run 'az account set' to select a subscription.", "a subscription found").tool("az"),
    decisive("az.no-subscriptions", "no subscriptions found for", MissingCredentials, "No subscriptions found for bob@example.org.", "subscriptions found").tool("az"),
    decisive("az.misspelled", "is misspelled or not recognized by the system", InvalidArgument, "'lsit' is misspelled or not recognized by the system.", "misspelled words").tool("az"),
    decisive("az.template", "(invalidtemplate", InvalidArgument, "(InvalidTemplateDeployment) The template deployment failed because of policy violation.", "a template").tool("az"),
    decisive("az.approved-quota", "exceeding approved ", QuotaExhausted, "Operation could not be completed as it results in exceeding approved standardDSv3Family Cores quota", "exceeding approved limits").pattern(r"exceeding approved .*\b[Qq]uota\b").tool("az"),
    decisive("gcloud.property", "the required property [", InvalidArgument, "ERROR: (gcloud.compute.list) The required property [project] is not currently set.", "the property").pattern(r"is not currently set").tool("gcloud"),
    decisive("gcloud.no-start", "container failed to start", RuntimeException, "ERROR: (gcloud.run.deploy) The user-provided container failed to start and listen on the port defined by the PORT=8080 environment variable", "a container").tool("gcloud"),
    decisive("gcloud.api-off", "has not been used in project", PermissionDenied, "Cloud Run Admin API has not been used in project 42 before or it is disabled.", "has been used").tool("gcloud"),
    decisive("gcloud.api-not-enabled", "not enabled on project", PermissionDenied, "API [run.googleapis.com] not enabled on project [42].", "enabled on project").tool("gcloud"),
    decisive("gcloud.access", "does not have permission to access", PermissionDenied, "ERROR: (gcloud.projects.get) User [bob@example.org] does not have permission to access projects instance [acme]", "permission to access").tool("gcloud"),
    decisive("gcloud.iam", "' denied on resource", PermissionDenied, "Permission 'run.services.get' denied on resource 'web' (or resource may not exist).", "denied on resource").tool("gcloud"),
    decisive("gcloud.refresh", "there was a problem refreshing your current auth tokens", MissingCredentials, "ERROR: There was a problem refreshing your current auth tokens: invalid_grant", "auth tokens").tool("gcloud"),
    decisive("gcloud.reauth", "reauthentication", MissingCredentials, "ERROR: (gcloud.auth) Reauthentication required.", "a reauthentication page").pattern(r"(?i)reauthentication (?:required|failed|is needed)").tool("gcloud"),
    decisive("oauth.invalid-grant", "invalid_grant", MissingCredentials, "google.auth.exceptions.RefreshError: ('invalid_grant: Bad Request', {})", "a grant"),
    decisive("firebase.login", "have you run firebase login?", MissingCredentials, "Error: Failed to authenticate, have you run firebase login?", "firebase login").tool("firebase"),
    decisive("firebase.directory", "not in a firebase app directory", FileNotFound, "Error: Not in a Firebase app directory (could not locate firebase.json)", "a firebase app").tool("firebase"),

    // Platforms
    decisive("heroku.app", "couldn't find that app", InvalidArgument, "▸    Couldn't find that app.", "that app").tool("heroku"),
    summary("heroku.rejected", "push rejected, failed to compile", CompileError, "remote:  !     Push rejected, failed to compile Node.js app.", "push accepted").tool("heroku"),
    decisive("heroku.language", "no default language could be detected", InvalidArgument, "remote:  !     No default language could be detected for this app.", "a default language").tool("heroku"),
    decisive("heroku.boot-timeout", "error r10 (boot timeout)", NetworkTimeout, "heroku[web.1]: Error R10 (Boot timeout) -> Web process failed to bind to $PORT within 60 seconds of launch", "boot").tool("heroku"),
    decisive("heroku.memory", "(memory quota exceeded)", OutOfMemory, "heroku[web.1]: Error R14 (Memory quota exceeded)", "memory").tool("heroku"),
    decisive("heroku.crashed", "code=h10 desc=\"app crashed\"", RuntimeException, "at=error code=H10 desc=\"App crashed\" method=GET path=\"/\"", "an app").tool("heroku"),
    decisive("heroku.request-timeout", "code=h12 desc=\"request timeout\"", NetworkTimeout, "at=error code=H12 desc=\"Request timeout\" method=GET path=\"/\"", "a timeout").tool("heroku"),
    decisive("fly.health", "waiting for health checks to pass", NetworkTimeout, "Error: timeout reached waiting for health checks to pass for machine 1a2b", "health checks pass").pattern(r"timeout reached|failed").tool("fly"),
    decisive("fly.smoke", "the app appears to be crashing", RuntimeException, "smoke checks for 1a2b failed: the app appears to be crashing", "the app").tool("fly"),
    decisive("fly.resources", "insufficient resources available to fulfill request", ServiceUnavailable, "Error: could not create VM: insufficient resources available to fulfill request", "resources available").tool("fly"),
    decisive("vercel.output", "no output directory named", FileNotFound, "Error: No Output Directory named \"public\" found after the Build completed.", "output directory").tool("vercel"),
    decisive("vercel.limited", "resource is limited - try again in", QuotaExhausted, "Error: Resource is limited - try again in 24 hours (more than 100, code: \"api-deployments-free-per-day\").", "resource").tool("vercel"),
    summary("netlify.build", "build script returned non-zero exit code", CompileError, "Failed during stage 'building site': Build script returned non-zero exit code: 2", "build script").tool("netlify"),
    decisive("netlify.directory", "deploy did not succeed: deploy directory", FileNotFound, "Deploy did not succeed: Deploy directory 'dist' does not exist", "deploy directory").tool("netlify"),
    decisive("serverless.credentials", "provider credentials not found", MissingCredentials, "AWS provider credentials not found.", "credentials found").tool("serverless"),
    decisive("serverless.plugin", "serverless plugin \"", MissingDependency, "Serverless plugin \"serverless-offlne\" not found.", "serverless plugin \"x\"").pattern(r"not found").tool("serverless"),
    decisive("digitalocean.auth", "unable to authenticate you", MissingCredentials, "GET https://api.digitalocean.com/v2/droplets: 401 (request \"a\") Unable to authenticate you", "authenticate").tool("doctl"),
];
