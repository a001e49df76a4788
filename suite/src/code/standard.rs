//! Codes of the Web Fuzzing Commons.

use super::Severity::{High, Medium};
use super::{FaultCode, row};

/// In ascending order.
pub(super) const STANDARD: [FaultCode; 16] = [
    row(
        100,
        High,
        ("causes500_internalServerError", "Server error"),
        [
            "The service answered with a status of 500 to 599.",
            "Such a status says that the service failed, not its caller: usually an exception that nobody caught. What was being changed may be half done.",
            "Send the request again while you watch the service's log. Handle the case, or refuse the input with a status of 400 to 499 if it is wrong.",
        ],
    ),
    row(
        101,
        Medium,
        ("returnsMismatchResponseWithSchema", "Answer does not follow its schema"),
        [
            "The answer has another form than its description says: a missing member, another type, a success that is not listed where others are.",
            "Generated clients and validators refuse such answers, and people who read the description are misled.",
            "Decide which of the two is right, and change the other.",
        ],
    ),
    row(
        102,
        Medium,
        ("successOnInvalidInputs", "Invalid input accepted"),
        [
            "A request that breaks a documented rule was answered with success.",
            "Either values get into the system that nobody expects there, or the description forbids what is fine.",
            "Validate the input before it is used, or relax the rule in the description.",
        ],
    ),
    row(
        103,
        High,
        ("deleteNotWorking", "Still there after deletion"),
        [
            "Something could still be read after its deletion was answered with success, and the answer names it by the id of the path.",
            "Users believe that their data is gone. It is not.",
            "Make the deletion take effect before it is answered, or answer 202 if it happens later.",
        ],
    ),
    row(
        104,
        High,
        ("sideEffectsOnFailedCreation", "A failed creation left something behind"),
        [
            "A creation was answered with an error (other than 502 to 504, after which nobody knows), and yet what it should have made can be read.",
            "Callers try again and end up with duplicates, or with objects that lack half of their parts.",
            "Put the creation into one transaction that is rolled back when any part of it fails.",
        ],
    ),
    row(
        200,
        High,
        ("vulnerableToSQLInjection", "Text reaches a query language"),
        [
            "Special characters of an argument changed what the service asked its database.",
            "Who controls such a text can read and change whatever the service can.",
            "Bind values as parameters of the statement; never put them together with its text.",
        ],
    ),
    row(
        201,
        High,
        ("vulnerableToXSS", "Script comes back as HTML"),
        [
            "A script in an argument came back unchanged in an answer that browsers show as HTML.",
            "The script runs in the browser of whoever opens the answer, with all rights of that person.",
            "Escape what is put into HTML, and serve data with a media type that is not shown as HTML.",
        ],
    ),
    row(
        202,
        High,
        ("vulnerableToSSRF", "The service calls where it is told to"),
        [
            "A URL in an argument was called by the service.",
            "Callers reach machines behind the service that they could not reach themselves.",
            "Accept only URLs of a list of hosts, and resolve the name before it is checked.",
        ],
    ),
    row(
        203,
        High,
        ("vulnerableToMassAssignment", "An undocumented member takes effect"),
        [
            "A member that the description does not know was sent, and its value was stored.",
            "Callers set what only the service should set, such as owners, roles or prices.",
            "Read only the members that callers may set, for instance into a type made for the request.",
        ],
    ),
    row(
        204,
        Medium,
        ("allowsUnauthorizedAccessToProtectedResource", "Status tells what exists"),
        [
            "To a user who may not see them, things that exist are forbidden (403) and others are not found (404).",
            "Who tries identifiers learns which of them exist.",
            "Answer both with the same status, 404 as a rule.",
        ],
    ),
    row(
        205,
        Medium,
        ("authenticatedButWronglyToldNot", "A user with valid credentials is told to log in"),
        [
            "A call was answered with 401 although its credentials work elsewhere.",
            "Clients log in again and again, or give up. Often 403 was meant.",
            "Answer 401 only if the credentials are missing or wrong, and 403 if they do not suffice.",
        ],
    ),
    row(
        206,
        High,
        ("missedAuthorizationCheck", "A user does what he must not do"),
        [
            "A user read or changed what belongs to another, or what the same user is forbidden on another way.",
            "This is the most frequent hole of web APIs: whoever guesses an identifier has the data.",
            "Check the owner of the object in every operation that reads or changes it, not only at the door.",
        ],
    ),
    row(
        207,
        High,
        ("ignoreAnonymous", "Readable without credentials"),
        [
            "Without credentials a call gets what users need credentials for.",
            "The data is open to everybody.",
            "Demand credentials for the operation, or mark it as public in the description.",
        ],
    ),
    row(
        208,
        High,
        ("anonymousModifications", "Changeable without credentials"),
        [
            "Without credentials a call changes what users need credentials for.",
            "Everybody can change the data.",
            "Demand credentials for the operation.",
        ],
    ),
    row(
        209,
        Medium,
        ("leakedStackTrace", "Stack trace in an answer"),
        [
            "An answer holds a stack trace.",
            "It tells names of files, libraries and their versions to who looks for a way in.",
            "Log the trace, and answer with a message that was written for callers.",
        ],
    ),
    row(
        210,
        Medium,
        ("hiddenAccessible", "An undocumented operation works"),
        [
            "A verb that the description does not know was answered with success.",
            "What is not documented is not reviewed, and often not protected.",
            "Remove the operation or document it.",
        ],
    ),
];
