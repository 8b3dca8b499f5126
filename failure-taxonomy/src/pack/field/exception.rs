//! Names of exception classes, API error codes and gRPC statuses: whoever throws them, the name says what happened.

use super::{Row, decisive, suggestive};
use recovery_types::ErrorType::{
    ConnectionFailure, FileNotFound, InvalidArgument, LockContention, MissingCredentials, NetworkTimeout, OutOfMemory,
    PermissionDenied, QuotaExhausted, RateLimit, ServiceUnavailable,
};

/// The key that an API's answer tells its code by.
macro_rules! code {
    () => {
        r"(?i:code)[\x22']?\s*[:=]\s*[\x22']?"
    };
}

#[rustfmt::skip]
pub(super) const TABLE: &[Row] = &[
    // Time
    decisive("class.timeout", "timeouterror", NetworkTimeout, "HeadersTimeoutError: Headers Timeout Error", "TimeoutErrors").pattern(r"\b[A-Z][A-Za-z]*(?:[a-mo-z]|[a-np-z]n)TimeoutError\b"),
    decisive("class.timed-out", "timedout", NetworkTimeout, "cassandra.OperationTimedOut: errors={}, last_host=10.0.0.5", "untimedout").pattern(r"\b[A-Z]\w*TimedOut(?:Error|Exception)?\b"),
    decisive("class.timeout-awaiting", "timeout awaiting", NetworkTimeout, "RequestError: Timeout awaiting 'socket' for 3000ms", "a timeout").tool("got"),
    decisive("class.headers-timeout", "und_err_", NetworkTimeout, "code: 'UND_ERR_HEADERS_TIMEOUT'", "und_err").pattern(r"UND_ERR_\w*TIMEOUT").tool("undici"),
    decisive("class.und-socket", "und_err_socket", ConnectionFailure, "code: 'UND_ERR_SOCKET'", "und_err").tool("undici"),
    decisive("class.max-attempts", "max attempts exceeded", NetworkTimeout, "Waiter StackCreateComplete failed: Max attempts exceeded", "attempts").pattern(r"Waiter").tool("aws"),

    // Connections
    decisive("class.connection", "connect", ConnectionFailure, "paramiko.ssh_exception.NoValidConnectionsError: [Errno None] Unable to connect to port 22", "connected").pattern(r"\b(?:[a-z_]\w*\.)*(?:[A-Z]\w*)?(?:Connection|Connect|Socket|Network)(?:Refused|Reset|Closed|Lost|Aborted|s)?(?:Error|Exception|Failure)\b(?::|$)"),
    decisive("class.no-brokers", "nobrokersavailable", ConnectionFailure, "kafka.errors.NoBrokersAvailable: NoBrokersAvailable", "brokers").tool("kafka"),
    decisive("class.broker-away", "brokernotavailable", ServiceUnavailable, "BrokerNotAvailableError: Could not find the leader", "broker").tool("kafka"),
    decisive("class.leader-away", "leader_not_available", ServiceUnavailable, "Error: LEADER_NOT_AVAILABLE", "a leader").tool("kafka"),
    decisive("class.no-host", "nohostavailable", ConnectionFailure, "cassandra.cluster.NoHostAvailable: ('Unable to connect to any servers', {})", "a host").tool("cassandra"),
    decisive("class.no-node", "nonodeavailableexception", ConnectionFailure, "NoNodeAvailableException[None of the configured nodes are available]", "a node").tool("elasticsearch"),
    decisive("class.ssh-banner", "ssh protocol banner", ConnectionFailure, "paramiko.ssh_exception.SSHException: Error reading SSH protocol banner", "a banner").tool("ssh"),
    decisive("class.disconnected", "disconnectederror", ConnectionFailure, "aiohttp.client_exceptions.ServerDisconnectedError: Server disconnected", "disconnected"),

    // Who may, and who is asked
    decisive("class.authentication", "auth", MissingCredentials, "SaslAuthenticationException: invalid username", "author").pattern(r"\b[A-Z]\w*(?:Authentication|Authenticate|Unauthenticated)(?:Failed|Required|NotFound|Missing|Expired)?(?:Error|Exception)\b"),
    decisive("class.credentials", "credentials", MissingCredentials, "botocore.exceptions.NoCredentialsError: Unable to locate credentials", "my credentials").pattern(r"\b(?:No|Partial|Missing|Invalid|Expired)?Credentials(?:NotFound|Retrieval|Provider|Refresh)?(?:Error|Exception)\b"),
    decisive("class.unauthorized", "unauthorized", MissingCredentials, "UnauthorizedException: Session token not found or invalid", "unauthorized use").pattern(r"\bUnauthorized(?:Error|Exception)\b"),
    decisive("class.token", "token", MissingCredentials, "An error occurred (InvalidClientTokenId) when calling the GetCallerIdentity operation", "a token").pattern(r"\((?:InvalidClientTokenId|ExpiredToken\w*|InvalidToken\w*|TokenRefreshRequired|(?:Invalid|Expired)AuthenticationToken\w*)\)|\bInvalidClientTokenId\b"),
    decisive("class.signature", "signaturedoesnotmatch", MissingCredentials, "An error occurred (SignatureDoesNotMatch) when calling the ListBuckets operation", "signature").tool("aws"),
    decisive("class.access-key", "invalidaccesskeyid", MissingCredentials, "An error occurred (InvalidAccessKeyId) when calling the PutObject operation", "access key").tool("aws"),
    decisive("class.authfailure", "(authfailure)", MissingCredentials, "An error occurred (AuthFailure) when calling the DescribeInstances operation", "authfailure").tool("aws"),
    decisive("class.aad", "aadsts", MissingCredentials, "AADSTS700082: The refresh token has expired due to inactivity.", "aad").pattern(r"\bAADSTS\d{4,}").tool("az"),
    decisive("class.forbidden", "forbidden", PermissionDenied, "hvac.exceptions.Forbidden: permission denied", "forbidden words").pattern(r"\bForbidden(?:Error|Exception)?:|\(Forbidden\)|\bForbiddenException\b"),
    decisive("class.authorization-failed", "authorizationfailed", PermissionDenied, "(AuthorizationFailed) The client 'a' does not have authorization to perform action", "authorization").tool("az"),
    decisive("class.topic-authorization", "authorizationexception", PermissionDenied, "org.apache.kafka.common.errors.TopicAuthorizationException: Not authorized to access topics: [orders]", "authorization"),
    decisive("class.access-exception", "unauthorizedaccessexception", PermissionDenied, "System.UnauthorizedAccessException: Access to the path '/srv/x' is denied.", "access exception").tool("dotnet"),

    // Too much, not now
    decisive("class.throttled", "requests", RateLimit, "TooManyRequestsException: Rate exceeded", "many requests").pattern(r"\bTooManyRequests(?:Error|Exception)?\b"),
    decisive("class.request-limit", "requestlimitexceeded", RateLimit, "An error occurred (RequestLimitExceeded) when calling the RunInstances operation", "request limit").tool("aws"),
    decisive("class.throughput", "throughputexceeded", RateLimit, "ProvisionedThroughputExceededException: The level of configured provisioned throughput was exceeded", "throughput").tool("aws"),
    decisive("class.rate-exceeded", "rate exceeded", RateLimit, "An error occurred (Throttling) when calling the DescribeStacks operation: Rate exceeded", "the rate").pattern(r"(?i)\brate exceeded\b"),
    decisive("class.capacity", "insufficientinstancecapacity", ServiceUnavailable, "An error occurred (InsufficientInstanceCapacity) when calling the RunInstances operation", "capacity").tool("aws"),
    decisive("class.pool-exhausted", "zone_resource_pool_exhausted", ServiceUnavailable, "ZONE_RESOURCE_POOL_EXHAUSTED: The zone does not have enough resources", "a pool").tool("gcloud"),
    decisive("class.sku", "skunotavailable", ServiceUnavailable, "(SkuNotAvailable) The requested VM size is currently not available in location 'westeurope'.", "a sku").tool("az"),
    decisive("class.internal-failure", "(internal", ServiceUnavailable, "An error occurred (InternalFailure) when calling the DescribeInstances operation", "internal").pattern(r"\(Internal(?:Failure|Error|ServerError|ServiceError)\)"),
    decisive("class.rejected-execution", "es_rejected_execution_exception", ServiceUnavailable, "\"type\":\"es_rejected_execution_exception\",\"reason\":\"rejected execution\"", "rejected").tool("elasticsearch"),
    decisive("class.master", "master_not_discovered_exception", ServiceUnavailable, "{\"error\":{\"type\":\"master_not_discovered_exception\"}}", "a master").tool("elasticsearch"),
    decisive("class.breaker", "circuit_breaking_exception", OutOfMemory, "{\"type\":\"circuit_breaking_exception\",\"reason\":\"[parent] Data too large\"}", "a circuit").tool("elasticsearch"),
    decisive("class.limit-code", "limitexceeded", QuotaExhausted, "Error: Error creating VPC: VpcLimitExceeded: The maximum number of VPCs has been reached.", "RequestLimitExceeded: slow down").pattern(r"\b(?:\d{3}-)?(?:[A-Z]\w*(?:[^te\W]|[^s\W]t|[^t\W]e))?LimitExceeded[:,'\x22]"),
    decisive("class.limit-exceeded", "limitexceededexception", QuotaExhausted, "LimitExceededException: Account limit reached", "a limit"),

    // What is not there, what is there already
    decisive("class.resource-missing", "notfound", FileNotFound, "(ResourceGroupNotFound) Resource group 'acme' could not be found.", "not found").pattern(r"\(\w*NotFound(?:Exception|Error)?\)|\bResourceNotFound(?:Exception|Error)\b"),
    decisive("class.topic-missing", "unknowntopicorpartition", FileNotFound, "org.apache.kafka.common.errors.UnknownTopicOrPartitionException: This server does not host this topic-partition.", "a topic").tool("kafka"),
    decisive("class.index-missing", "index_not_found_exception", FileNotFound, "{\"type\":\"index_not_found_exception\",\"reason\":\"no such index [orders]\"}", "an index").tool("elasticsearch"),
    decisive("class.exists", "exist", InvalidArgument, "An error occurred (EntityAlreadyExists) when calling the CreateRole operation", "it exists").pattern(r"\(\w*(?:AlreadyExists|AlreadyOwnedByYou|Duplicate)\w*\)|\b\w*AlreadyExists(?:Exception|Error)\b|\bTopicExistsException\b"),
    decisive("class.resource-exists", "resource_already_exists_exception", InvalidArgument, "{\"type\":\"resource_already_exists_exception\"}", "a resource").tool("elasticsearch"),
    decisive("class.bad-parameter", "when calling the", InvalidArgument, "An error occurred (InvalidParameterValue) when calling the RunInstances operation", "when calling the bank").pattern(r"\((?:Invalid(?:Parameter|Argument|Request|Input|Subnet|Group|Key|Snapshot|Vpc|Instance|Volume|Location|Bucket|Policy|Type|AMI|Option)\w*|Validation\w*|Malformed\w*|Missing\w*|Unsupported\w*|BadRequest\w*|OptInRequired)\) when calling").tool("aws"),
    decisive("class.parameter-validation", "parameter validation failed", InvalidArgument, "Parameter validation failed:", "parameters valid").tool("aws"),
    decisive("class.invalid-code", "(invalid", InvalidArgument, "Only VPC security groups may be used with this operation. (InvalidParameterValue)", "(invalid input)").pattern(r"\(Invalid(?:Parameter|Argument|Request|Input|Option|Value|Name|Format|Key|Resource)\w*\)"),
    decisive("class.file-constant", "_not_found", FileNotFound, "VBoxManage: error: failed to create the raw output file /srv/a.log (VERR_FILE_NOT_FOUND)", "was_not_found").pattern(r"\b[A-Z]+_(?:FILE|PATH)_NOT_FOUND\b"),
    decisive("class.bad-request", "badrequest", InvalidArgument, "(BadRequest) The request is malformed", "a request").pattern(r"\(BadRequest\w*\)|\bBadRequest(?:Error|Exception)\b:"),

    // The code that an API's answer carries
    suggestive("api.missing", "code", FileNotFound, "\"code\": \"ContainerNotFound\", \"message\": \"The specified container does not exist.\"", "the code").pattern(concat!(code!(), r"\w*(?:NotFound|NoSuch\w+|DoesNotExist|not_found)\b")),
    suggestive("api.credentials", "code", MissingCredentials, "Status=401 Code=\"ExpiredAuthenticationToken\"", "the code").pattern(concat!(code!(), r"(?:\w*Unauthorized|Unauthenticated|\w*AuthenticationFailed|\w*InvalidToken|\w*TokenExpired|Expired\w*Token|Invalid\w*Token\w*|InvalidCredentials|invalid_(?:token|client|grant|api_key|credentials)|unauthorized|authentication_\w+|bad_credentials)\b")),
    suggestive("api.forbidden", "code", PermissionDenied, "Status=403 Code=\"AuthorizationFailed\"", "the code").pattern(concat!(code!(), r"(?:\w*Forbidden|AccessDenied\w*|\w*AuthorizationFailed|PermissionDenied|permission_denied|access_denied|forbidden|Insufficient(?:Permissions?|Privileges|Scope)|insufficient_(?:scope|permissions?))\b")),
    suggestive("api.rate", "code", RateLimit, "\"code\": \"TooManyRequests\"", "the code").pattern(concat!(code!(), r"(?:TooManyRequests|Throttl\w*|RateLimit\w*|rate_limit\w*|rateLimit\w*|SlowDown|RequestLimitExceeded|too_many_requests)\b")),
    suggestive("api.unavailable", "code", ServiceUnavailable, "\"code\": \"ServerBusy\"", "the code").pattern(concat!(code!(), r"(?:ServiceUnavailable|Internal(?:Server)?Error|ServerBusy|server_error|internal_(?:server_)?error|service_unavailable|temporarily_unavailable|ServerTimeout|AllocationFailed|SkuNotAvailable|Unavailable)\b")),
    suggestive("api.quota", "code", QuotaExhausted, "\"code\": \"QuotaExceeded\"", "the code").pattern(concat!(code!(), r"(?:\w*QuotaExceeded|quota_exceeded|insufficient_quota|limit_exceeded)\b")),
    suggestive("api.invalid", "code", InvalidArgument, "\"code\": \"InvalidParameterValue\"", "the code").pattern(concat!(code!(), r"(?:Invalid(?:Parameter|Argument|Request|Input|Template|Resource|Name|Value|Property)\w*|BadRequest\w*|Validation\w*|bad_request|validation_\w+|invalid_(?:request|argument|parameter|value|input)\w*|Malformed\w*|Missing\w*|\w*AlreadyExists|Conflict|already_exists|Duplicate\w*)\b")),

    // The status codes of gRPC and of Google's services
    decisive("grpc.not-found", "code = notfound", FileNotFound, "rpc error: code = NotFound desc = bucket acme not found", "code").tool("grpc"),
    decisive("grpc.exists", "code = alreadyexists", InvalidArgument, "rpc error: code = AlreadyExists desc = acme exists", "code").tool("grpc"),
    decisive("grpc.invalid", "code = invalidargument", InvalidArgument, "rpc error: code = InvalidArgument desc = bad name", "code").tool("grpc"),
    decisive("grpc.permission", "code = permissiondenied", PermissionDenied, "rpc error: code = PermissionDenied desc = not yours", "code").tool("grpc"),
    decisive("grpc.exhausted", "code = resourceexhausted", RateLimit, "rpc error: code = ResourceExhausted desc = slow down", "code").tool("grpc"),
    decisive("grpc.deadline", "code = deadlineexceeded", NetworkTimeout, "rpc error: code = DeadlineExceeded desc = context deadline exceeded", "code").tool("grpc"),
    decisive("grpc.aborted", "code = aborted", LockContention, "rpc error: code = Aborted desc = an operation with the given volume already exists", "code").tool("grpc"),
    decisive("grpc.unimplemented", "code = unimplemented", InvalidArgument, "rpc error: code = Unimplemented desc = unknown method", "code").tool("grpc"),
    decisive("grpc.status-unavailable", "statuscode.unavailable", ServiceUnavailable, "	status = StatusCode.UNAVAILABLE", "status").tool("grpc"),
    decisive("grpc.status-deadline", "statuscode.deadline_exceeded", NetworkTimeout, "	status = StatusCode.DEADLINE_EXCEEDED", "status").tool("grpc"),
    decisive("grpc.status-missing", "statuscode.not_found", FileNotFound, "	status = StatusCode.NOT_FOUND", "status").tool("grpc"),
    decisive("grpc.status-auth", "statuscode.unauthenticated", MissingCredentials, "	status = StatusCode.UNAUTHENTICATED", "status").tool("grpc"),
    decisive("grpc.status-invalid", "statuscode.", InvalidArgument, "	status = StatusCode.INVALID_ARGUMENT", "statuscode.OK").pattern(r"StatusCode\.(?:INVALID_ARGUMENT|ALREADY_EXISTS|UNIMPLEMENTED|OUT_OF_RANGE)").tool("grpc"),
    decisive("grpc.unavailable", "code = unavailable", ServiceUnavailable, "rpc error: code = Unavailable desc = connection error", "code available"),
    decisive("google.not-found", "not_found:", FileNotFound, "ERROR: (gcloud.run.services.describe) NOT_FOUND: Resource 'web' not found", "was_not_found: x").pattern(r"\bNOT_FOUND:"),
    decisive("google.invalid", "invalid_argument:", InvalidArgument, "ERROR: (gcloud.sql.create) INVALID_ARGUMENT: Invalid request", "an invalid_argument: x").pattern(r"\bINVALID_ARGUMENT:"),
    decisive("google.exists", "already_exists:", InvalidArgument, "ERROR: ALREADY_EXISTS: Resource 'web' already exists", "it already_exists: x").pattern(r"\bALREADY_EXISTS:"),
    decisive("google.precondition", "failed_precondition:", InvalidArgument, "ERROR: FAILED_PRECONDITION: Billing account not found", "a failed_precondition: x").pattern(r"\bFAILED_PRECONDITION:"),
    decisive("google.permission-denied", "permission_denied", PermissionDenied, "ERROR: (gcloud.run) PERMISSION_DENIED: The caller does not have permission", "permission_denied.md").pattern(r"\bPERMISSION_DENIED\b"),
    decisive("google.unauthenticated", "unauthenticated", MissingCredentials, "rpc error: code = Unauthenticated desc = invalid token", "unauthenticated users").pattern(r"code = Unauthenticated|\bUNAUTHENTICATED\b|(?i:request is unauthenticated)"),
    decisive("google.deadline", "deadline_exceeded", NetworkTimeout, "DEADLINE_EXCEEDED: Deadline exceeded after 10s", "deadline_x"),
];
