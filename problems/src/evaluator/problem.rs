//! What an evaluator asks of a problem: how a call is sent, and what its answer means.

use std::time::Duration;

use serde_json::Value;
use wallace_engine::{Action, ActionId, Binding, Individual, Score, TargetName};
use wallace_genes::SpecRef;

use crate::auth::Touch;
use crate::binding::AnswerPlace;
use crate::http::{HttpOutcome, HttpRequest, HttpResponse};
use crate::kind;
use crate::sql::{Input, SqlTables};
use crate::store::Stores;

/// How the actions of a problem become calls, and what the calls earn.
pub trait HttpProblem: Send + Sync {
    /// A call.
    type Action: Action<Outcome = HttpOutcome>;

    /// Name of the operation, as it is announced to the driver.
    fn operation(&self, action: &Self::Action) -> &str;
    /// The call as a request.
    fn request(&self, action: &Self::Action) -> HttpRequest;
    /// Scores of targets that the responses of a test earn, besides those of the driver; each with
    /// the action that earned it.
    fn judge(
        &self,
        test: &[Exchange<'_, Self::Action>],
        reach: &mut dyn FnMut(ActionId, TargetName, Score),
    );

    /// What the values of a call may be, which says how a value of an earlier answer is put into one
    /// of them. The default leaves that to the genes alone.
    fn spec_of(&self, _action: &Self::Action) -> Option<SpecRef> {
        None
    }

    /// What names the thing that a call made or lists, for the gene of a later call that is bound to
    /// it, and where the response says so. The default knows no such things.
    fn named(
        &self,
        _giver: (&Self::Action, &HttpResponse),
        _taker: (&Self::Action, &Binding),
    ) -> Option<(AnswerPlace, Value)> {
        None
    }

    /// The tables of the database behind the service; none where nobody tells of one, or rows are
    /// not wanted. The default has none.
    fn sql_tables(&self) -> Option<&SqlTables> {
        None
    }

    /// Whether tests may begin with documents and keys; none where they may not, which is the default.
    fn stores(&self) -> Option<&Stores> {
        None
    }

    /// Names and values of what a call holds, by which rows that it may look for are guessed where a
    /// driver tells no statement. The default knows none.
    fn inputs(&self, _action: &Self::Action) -> Vec<Input> {
        Vec::new()
    }

    /// Position of the user who makes the call among those of the evaluator's [`Authenticator`](crate::auth::Authenticator);
    /// none for a call without credentials, which is the default.
    fn caller(&self, _action: &Self::Action) -> Option<usize> {
        None
    }

    /// A call that reads what an answer says was made, where that is at a place of which nothing else is
    /// known: whether it can be read tells whether the answer is right. The default reads nothing.
    fn read_located(
        &self,
        _action: &Self::Action,
        _request: &HttpRequest,
        _response: &HttpResponse,
    ) -> Option<HttpRequest> {
        None
    }

    /// What a call asks for, whatever it wants to be told of it, as text; none where its request says so.
    /// What asks for the same and is answered otherwise meets another state.
    fn asks_for(&self, _action: &Self::Action) -> Option<String> {
        None
    }

    /// What a call would change, so that what is the users' own is left alone. The default goes by
    /// verb, path and body.
    fn touch(&self, _action: &Self::Action, request: &HttpRequest) -> Option<Touch> {
        Touch::of_request(request)
    }

    /// Words of the kind of thing that an operation is about. The default knows none.
    fn kinds(&self, _action: &Self::Action) -> Vec<String> {
        Vec::new()
    }

    /// Kinds and ids of the things that a call names, as its genes hold them; of bound genes it is the
    /// request that tells. The default goes by [`HttpProblem::inputs`].
    fn named_things(&self, action: &Self::Action) -> Vec<(Vec<String>, String)> {
        kind::things(self.inputs(action), &self.kinds(action))
    }

    /// Calls that show whoever asks, and users. The default knows none.
    fn own_reads(&self) -> Vec<HttpRequest> {
        Vec::new()
    }

    /// Whether a call was refused to its caller. The default goes by the status.
    fn is_refused(&self, outcome: &HttpOutcome) -> bool {
        matches!(outcome.status(), Some(401 | 403))
    }

    /// Whether a call was refused since the service does not know who calls. The default goes by the
    /// status.
    fn is_unknown(&self, outcome: &HttpOutcome) -> bool {
        outcome.status() == Some(401)
    }

    /// Whether a call only reads. The default takes every call for one that changes something.
    fn is_read(&self, _action: &Self::Action) -> bool {
        false
    }

    /// Of a call that takes something away, the operations that make such things; none of other calls.
    /// What none of them makes is gone for the rest of the run, where a service is not reset. The
    /// default knows no such calls.
    fn makers(&self, _action: &Self::Action) -> Option<Vec<&str>> {
        None
    }

    /// Calls that may take back what a call of an operation changed, by its answer, the likeliest first.
    /// The default knows none.
    fn undoing(
        &self,
        _operation: &str,
        _request: &HttpRequest,
        _response: &HttpResponse,
    ) -> Vec<HttpRequest> {
        Vec::new()
    }

    /// How much a call leans on what other tests left behind, 0 where it stands alone: of tests that
    /// reach the same, those that stand alone are kept. The default is 0.
    fn leaning(
        &self,
        _individual: &Individual<Self::Action>,
        _index: usize,
        _outcome: &HttpOutcome,
    ) -> f64 {
        0.0
    }

    /// Whether a request, by what its path was filled with, goes to something else than the operation of its
    /// call. The default knows no such calls.
    fn leads_elsewhere(&self, _action: &Self::Action, _request: &HttpRequest) -> bool {
        false
    }

    /// Whether a call gave what was asked for. The default goes by the status.
    fn went_well(&self, outcome: &HttpOutcome) -> bool {
        outcome.status().is_some_and(|status| status < 400)
    }
}

/// One call of a test, as it was sent and answered.
#[derive(Debug)]
pub struct Exchange<'a, A> {
    /// The action.
    pub id: ActionId,
    /// The action as it was sent, bound genes filled in.
    pub action: &'a A,
    /// What was sent.
    pub request: &'a HttpRequest,
    /// What came of it.
    pub outcome: &'a HttpOutcome,
    /// How long that took. Not part of the outcome: no other run repeats it.
    pub elapsed: Duration,
}
