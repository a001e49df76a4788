//! Fault codes: what each means, why it matters, and what to do about it.
//!
//! Codes below 900 are those of the Web Fuzzing Commons; those above are of the block that the
//! standard leaves to tools. The texts are shown by reports and by the command.

/// How bad a fault is, as far as its code tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Against the letter of a rule, and clients can live with it.
    Low,
    /// Clients that trust the description break.
    Medium,
    /// Crashes, loss of data, or a way in.
    High,
}

impl Severity {
    /// The word for it, in lower case.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// A fault code and its explanation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FaultCode {
    /// The number.
    pub code: u16,
    /// Name in the catalogue of the standard, or one in its manner.
    pub name: &'static str,
    /// A headline.
    pub title: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What was seen.
    pub meaning: &'static str,
    /// Why it matters.
    pub importance: &'static str,
    /// What to do.
    pub advice: &'static str,
}

/// The explanation of a code; none for codes of the user's own.
#[must_use]
pub fn fault_code(code: u16) -> Option<&'static FaultCode> {
    FAULT_CODES.iter().find(|known| known.code == code)
}

/// How bad a fault of this code is; codes of the user's own count as medium.
#[must_use]
pub fn severity(code: u16) -> Severity {
    fault_code(code).map_or(Severity::Medium, |known| known.severity)
}

const fn row(
    code: u16,
    severity: Severity,
    names: (&'static str, &'static str),
    texts: [&'static str; 3],
) -> FaultCode {
    let [meaning, importance, advice] = texts;
    FaultCode { code, name: names.0, title: names.1, severity, meaning, importance, advice }
}

use Severity::{High, Low, Medium};

/// Every code that Wallace reports, in ascending order.
pub const FAULT_CODES: &[FaultCode] = &[
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
            "The answer has another form than its description says: a missing member, another type, a status that is not listed.",
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
            "Something could still be read after its deletion was answered with success.",
            "Users believe that their data is gone. It is not.",
            "Make the deletion take effect before it is answered, or answer 202 if it happens later.",
        ],
    ),
    row(
        104,
        High,
        ("sideEffectsOnFailedCreation", "A failed creation left something behind"),
        [
            "A creation was answered with an error, and yet what it should have made can be read.",
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
    row(
        970,
        High,
        ("graphqlServiceError", "An error of the service's own"),
        [
            "An entry of `errors` says by its code or message that the service failed, and not its caller.",
            "GraphQL services answer with status 200 when a resolver fails, so that monitoring of statuses does not see it.",
            "Look for the path of the error in the service's log; handle the case in its resolver.",
        ],
    ),
    row(
        971,
        High,
        ("nullAtNonNull", "Null where the schema says non-null"),
        [
            "A position that the schema declares with `!` is null.",
            "Typed clients fail on it. The specification demands that the error goes up to the next position that may be null.",
            "Return a value, or remove the `!` from the schema.",
        ],
    ),
    row(
        972,
        Medium,
        ("wrongKind", "A value of another kind"),
        [
            "A value is of another kind than the schema declares, such as a text for a number, or a single value for a list.",
            "Typed clients fail on it.",
            "Correct the resolver or the serialisation of the scalar.",
        ],
    ),
    row(
        973,
        Medium,
        ("unknownEnumValue", "A value that the schema does not know"),
        [
            "An enum value, or the name of a type in `__typename`, does not stand in the schema or cannot stand there.",
            "Clients that handle each value of the schema have no case for it.",
            "Add the value to the schema, or map it before it is sent.",
        ],
    ),
    row(
        974,
        Medium,
        ("wrongKeys", "Keys other than those asked for"),
        [
            "An object of the answer lacks a key that was asked for, or holds one that was not.",
            "Clients read answers by the keys of their document.",
            "Look for caches or middleware that put answers together; the executor itself does not do this.",
        ],
    ),
    row(
        975,
        Medium,
        ("nullDataWithoutError", "No data and no error"),
        [
            "`data` is null, and `errors` does not say why.",
            "Callers cannot tell what went wrong.",
            "Report the error that made `data` null.",
        ],
    ),
    row(
        976,
        Low,
        ("malformedError", "A malformed entry of `errors`"),
        [
            "An entry of `errors` has no text `message`, or members of a wrong form.",
            "Clients fail while they try to show the error.",
            "Write errors by the rules of the specification: `message`, `locations`, `path`, `extensions`.",
        ],
    ),
    row(
        977,
        Low,
        ("errorWithoutPath", "An error of execution without path"),
        [
            "A field failed, and the error does not say which by its `path`; or a request that was refused came with data.",
            "Clients cannot tell which null stands for an error.",
            "Let the executor add the path; do not build such errors by hand.",
        ],
    ),
    row(
        978,
        High,
        ("validDocumentRefused", "A valid document was refused"),
        [
            "A document that is valid by the schema was refused as invalid.",
            "Clients that were checked against the schema do not work.",
            "Compare the schema that the service tells with the one that it runs. Raise limits, or tell them.",
        ],
    ),
    row(
        979,
        Medium,
        ("invalidDocumentAccepted", "An invalid document was executed"),
        [
            "A document that breaks a rule of the schema was executed.",
            "Mistakes of clients stay hidden until validation is switched on.",
            "Switch validation on.",
        ],
    ),
    row(
        981,
        Medium,
        ("introspectionDiffers", "The service differs from the schema it tells"),
        [
            "The service behaves otherwise than the schema that it tells, or that was given.",
            "Tools and clients work with the schema.",
            "Serve the schema that runs.",
        ],
    ),
    row(
        982,
        Medium,
        ("statusContradictsBody", "Status and body contradict each other"),
        [
            "The status says success and the body failure, or the other way round.",
            "Proxies, retries and monitoring go by the status.",
            "Choose the status by the rules of GraphQL over HTTP for the media type that was asked for.",
        ],
    ),
    row(
        983,
        Medium,
        ("wrongMediaType", "Wrong media type, or no JSON"),
        [
            "The answer is no JSON, or its media type does not say that it is.",
            "Clients do not parse it.",
            "Answer with `application/graphql-response+json` or `application/json`, errors included.",
        ],
    ),
    row(
        984,
        High,
        ("forgeableMutation", "A mutation that other sites can send"),
        [
            "A mutation was executed by GET, or with a content type that a form of another site can send unasked.",
            "Another site changes data with the cookies of whoever visits it.",
            "Execute mutations only by POST with a JSON content type, or demand a header that forms cannot set.",
        ],
    ),
    row(
        985,
        Medium,
        ("internalTextLeaked", "A message tells of the inside"),
        [
            "A message holds text of the inside of the service: a statement of SQL, a path, a class.",
            "It helps who looks for a way in, and does not help callers.",
            "Log the text, and answer with a message that was written for callers.",
        ],
    ),
    row(
        986,
        Medium,
        ("documentSizeUnlimited", "Documents may be of any size"),
        [
            "Depth, aliases, batches or cost of a document are not limited.",
            "One small request can keep the service busy for long.",
            "Set limits of depth, cost and batch, and tell them.",
        ],
    ),
    row(
        987,
        Low,
        ("schemaPublic", "The schema is told to the public"),
        [
            "Introspection is open, or messages suggest names of the schema, on a service that was declared as production.",
            "It shows operations that nobody was meant to find. It is no hole by itself.",
            "Switch introspection and suggestions off, unless the API is public.",
        ],
    ),
    row(
        988,
        High,
        ("answersDisagree", "Answers that must agree do not"),
        [
            "Two requests that must give the same, or parts of the same, gave different answers.",
            "One of the two answers is wrong, though each looks fine alone.",
            "Send both requests one after the other, and look at what their answers do not share.",
        ],
    ),
    row(
        989,
        High,
        ("timeout", "No answer in time"),
        [
            "The service did not answer before the longest wait was over.",
            "A few such calls at once may stop the service for everybody.",
            "Find out what the call waits for. Limit the work that one document can ask for.",
        ],
    ),
];

#[cfg(test)]
mod tests;
