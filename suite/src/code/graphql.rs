//! Codes of ours from 970 on: most are of GraphQL services.

use super::Severity::{High, Low, Medium};
use super::{FaultCode, row};

/// In ascending order.
pub(super) const GRAPHQL: [FaultCode; 19] = [
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
