//! Codes of ours below 970: most are of REST services.

use super::Severity::{High, Low, Medium};
use super::{FaultCode, row};

/// In ascending order.
pub(super) const REST: [FaultCode; 20] = [
    row(
        904,
        Medium,
        ("putKeepsOldValues", "PUT keeps what it should replace"),
        [
            "After a PUT, members that were not sent still have their old values.",
            "PUT replaces the whole (RFC 9110, 9.3.4); clients that leave a member out to remove it are surprised.",
            "Replace all members, or offer PATCH for changes of a part.",
        ],
    ),
    row(
        905,
        Medium,
        ("putNotIdempotent", "PUT twice is not PUT once"),
        [
            "The same PUT sent twice left another state than sent once.",
            "Proxies and clients repeat a PUT after a lost connection, since the method promises that this is safe (RFC 9110, 9.2.2).",
            "Let the request name the state that results, not the change.",
        ],
    ),
    row(
        907,
        Low,
        ("locationLeadsNowhere", "A location leads nowhere"),
        [
            "The header Location of an answer names something that cannot be read.",
            "Clients follow it to find what they have made.",
            "Send the address under which the new thing is read.",
        ],
    ),
    row(
        908,
        Low,
        ("unknownVerbNotRefused", "An undocumented verb is not refused with 405"),
        [
            "A verb that the path does not support was answered with something else than 405.",
            "Callers cannot tell a wrong verb from a wrong path or a broken service.",
            "Let the router answer 405 with the header Allow.",
        ],
    ),
    row(
        909,
        High,
        ("noAnswerInTime", "No answer in time"),
        [
            "The service did not answer before the longest wait was over.",
            "A few such calls at once may stop the service for everybody.",
            "Find out what the call waits for. Limit the work that one request can ask for.",
        ],
    ),
    row(
        910,
        High,
        ("connectionEnded", "The connection ended without an answer"),
        [
            "The service ended the connection of a call, which was in use, and sent no whole answer.",
            "The handler, or the whole service, ends with such a call; its log tells where.",
            "Find the panic, the uncaught exception or the end of the process, and answer with an error.",
        ],
    ),
    row(
        950,
        Medium,
        ("statusOutsideHttp", "A status that HTTP does not know"),
        [
            "The status is below 100 or above 599.",
            "Clients and proxies do not know what to do with it.",
            "Answer with a status that RFC 9110 lists.",
        ],
    ),
    row(
        951,
        Low,
        ("createdByDelete", "DELETE answered with 201"),
        [
            "A deletion says that something was created.",
            "Clients look for something new that is not there.",
            "Answer with 200, 202 or 204.",
        ],
    ),
    row(
        952,
        Low,
        ("createdByGet", "GET answered with 201"),
        [
            "A reading says that something was created.",
            "Either the status is wrong, or reading changes something, and caches must not repeat it.",
            "Answer with 200, and let readings change nothing.",
        ],
    ),
    row(
        953,
        Low,
        ("createdByPatch", "PATCH answered with 201"),
        [
            "A change of what was there says that something was created.",
            "Clients cannot tell a change from a creation.",
            "Answer with 200 or 204, and with 404 where nothing is there.",
        ],
    ),
    row(
        954,
        Low,
        ("contentWithNoContent", "A body where the status says there is none"),
        [
            "An answer with 204 or 205 holds a body.",
            "Clients read the body as the beginning of the next answer.",
            "Send no body, or answer with 200.",
        ],
    ),
    row(
        955,
        Low,
        ("tooLargeWithoutBody", "413 for a request without a body"),
        [
            "The request had no body that could be too large.",
            "The refusal sends callers in a wrong direction.",
            "Answer with the status of what is really wrong.",
        ],
    ),
    row(
        956,
        Low,
        ("mediaTypeWithoutBody", "415 for a request without a body"),
        [
            "The request had no body whose media type could be wrong.",
            "The refusal sends callers in a wrong direction.",
            "Answer with the status of what is really wrong.",
        ],
    ),
    row(
        957,
        Medium,
        ("loginNotDocumented", "401 where the description asks for no user"),
        [
            "An operation that declares no security refuses callers without credentials.",
            "Who follows the description cannot call the operation.",
            "Declare the security scheme of the operation, or let anybody call it.",
        ],
    ),
    row(
        960,
        Low,
        ("notModifiedByChange", "304 for something else than GET or HEAD"),
        [
            "A call that is no reading was answered with 304.",
            "Nobody can tell whether the change was made.",
            "Answer with 412 where a condition does not hold.",
        ],
    ),
    row(
        961,
        Low,
        ("challengeMissing", "401 without WWW-Authenticate"),
        [
            "The answer does not say how to authenticate.",
            "RFC 9110 demands the header, and clients choose the scheme by it.",
            "Send the header with each 401.",
        ],
    ),
    row(
        962,
        Low,
        ("allowMissing", "405 without Allow"),
        [
            "The answer does not say which verbs are supported.",
            "RFC 9110 demands the header, and callers need it to go on.",
            "Send the header with each 405.",
        ],
    ),
    row(
        963,
        Medium,
        ("documentedNotImplemented", "501 for a documented operation"),
        [
            "The description has an operation that the service says it does not have.",
            "Who follows the description cannot call the operation.",
            "Implement the operation, or take it out of the description.",
        ],
    ),
    row(
        965,
        Low,
        ("upgradeMissing", "426 without Upgrade"),
        [
            "The answer does not say to which protocol to change.",
            "RFC 9110 demands the header, and clients cannot go on without it.",
            "Send the header with each 426.",
        ],
    ),
    row(
        966,
        High,
        ("anyOriginAllowed", "Pages of any origin may read as the user"),
        [
            "The service allows an origin that nobody knows to read its answers, with credentials.",
            "Any page that a user visits may read what the user may, through the browser of the user.",
            "Allow the origins that are yours, one by one, or no credentials.",
        ],
    ),
];
