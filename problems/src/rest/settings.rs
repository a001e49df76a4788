//! Settings of the tests of a REST service: which kind of test comes next, what comes before a call,
//! and what is asked about it afterwards.
//!
//! A default without a reason beside it was chosen by hand; the benches `rest_power` and
//! `rest_faults` measure all of them together.

use wallace_genes::settings;

settings! {
    /// How tests of a REST service are made. The defaults are those of services without a driver;
    /// [`TestSettings::white_box`] has the others.
    pub struct TestSettings {
        /// Probability that a sampled test is a plan that brings the service into a state in which
        /// its last call makes sense; otherwise it is a random number of random calls. The P of
        /// smart sampling of Arcuri 2019; 1, since single calls are among the plans here.
        smart_sampling: f64 = 1.0, from 0.0 to 1.0;

        /// Share of sampled tests that are made for a check: without a driver for the one that was
        /// tried least, since answers are all there is to judge by. With a driver 0.05: most of the
        /// budget goes to what calls reach.
        checked: f64 = 0.75, from 0.0 to 1.0;
        /// Share of the other sampled tests that are one call without preparation.
        single: f64 = 0.15, from 0.0 to 1.0;
        /// With a driver: share of sampled tests that send a verb which is not documented. Without
        /// one, such verbs are among the checks.
        other_verb: f64 = 0.04, from 0.0 to 1.0;
        /// Share of sampled tests whose last call has a boundary value.
        boundary_value: f64 = 0.05, from 0.0 to 1.0;
        /// Share of sampled plans whose last call breaks a documented rule. With a driver 0.1.
        invalid: f64 = 0.2, from 0.0 to 1.0;
        /// Without a driver, share of the calls of an operation that never went well which hold only
        /// what must be there: each further value is one more that may be refused.
        bare: f64 = 0.6, from 0.0 to 1.0;
        /// Share of these calls that hold a little more.
        nearly_bare: f64 = 0.25, from 0.0 to 1.0;
        /// Probability that a value of these calls is one that the description shows, where it shows
        /// some.
        shown: f64 = 0.9, from 0.0 to 1.0;
        /// Without a driver, least probability that a placeholder names something that an answer
        /// showed and that could be made: what is made may be unlike what is there.
        seen: f64 = 0.3, from 0.0 to 1.0;
        /// How much more often an operation is chosen that was called, and never worked.
        never_worked: f64 = 3.0, from 0.0 to 1e6;

        /// Probability that nobody in particular makes a call, where there are users.
        nobody: f64 = 0.05, from 0.0 to 1.0;
        /// Probability that any user makes a call, and not one for whom the operation worked.
        any_user: f64 = 0.15, from 0.0 to 1.0;
        /// Probability that the next call is made by the user of the last one, where that may work.
        same_user: f64 = 0.8, from 0.0 to 1.0;
        /// Probability of the same although it never worked for that user.
        hopeful_user: f64 = 0.7, from 0.0 to 1.0;

        /// With a driver: share of plans about few things, many calls that all mean the same two of
        /// a kind.
        small_scope: f64 = 0.5, from 0.0 to 1.0;
        /// Probability that a further call comes before the last one of such a plan.
        further: f64 = 0.9, from 0.0 to 1.0;
        /// Probability that something is changed first that shares the beginning of the path: what
        /// one call leaves behind is what another is about, also where no placeholder says so. With
        /// a driver 0.7: what is too much is cut off again.
        neighbour: f64 = 0.3, from 0.0 to 1.0;
        /// Probability that another change follows such a change. With a driver 0.75.
        another: f64 = 0.6, from 0.0 to 1.0;
        /// Probability that it is the same operation again: much depends on there being several of
        /// a kind.
        once_more: f64 = 0.3, from 0.0 to 1.0;
        /// Probability that it is about the things of earlier calls where it could have its own.
        together: f64 = 0.8, from 0.0 to 1.0;
        /// Probability that a call follows a link of the description.
        linked: f64 = 0.5, from 0.0 to 1.0;
        /// Probability that PUT stands alone, and makes what it names.
        put_alone: f64 = 0.2, from 0.0 to 1.0;
        /// Probability that PATCH is called twice: the second change meets what the first left.
        patch_twice: f64 = 0.5, from 0.0 to 1.0;

        /// Share of things that are taken from a list although they could be made, where both
        /// always work.
        from_list: f64 = 0.25, from 0.0 to 1.0;
        /// With a driver: least probability that a thing is taken from a list that mostly was empty.
        in_vain: f64 = 0.1, from 0.0 to 1.0;
        /// Probability that what a call makes under a chosen name is there already.
        made_again: f64 = 0.15, from 0.0 to 1.0;
        /// Probability that what is made elsewhere is there already.
        borrowed: f64 = 0.7, from 0.0 to 1.0;
        /// Probability that a placeholder names something of the same kind that is known from
        /// another path.
        same_kind: f64 = 0.2, from 0.0 to 1.0;
        /// Probability that a value that is called like a thing names one.
        reference: f64 = 0.85, from 0.0 to 1.0;
        /// Probability that values of one call that refer to things of one kind mean different ones.
        different: f64 = 0.9, from 0.0 to 1.0;
        /// Without a driver: probability that a list which is to show what another call needs is asked
        /// for without what need not be there, as filters.
        bare_list: f64 = 0.8, from 0.0 to 1.0;
        /// Without a driver: probability that what another call needs is made with values that went
        /// well before, where it fails otherwise.
        proven: f64 = 0.8, from 0.0 to 1.0;
        /// Probability that a placeholder names the last known thing of its kind.
        last: f64 = 0.6, from 0.0 to 1.0;

        /// Share of successful calls below which an operation counts as mostly failing.
        mostly_failing: f64 = 0.3, from 0.0 to 1.0;
        /// Probability that something is done first, where a call mostly fails; and that it is what
        /// came before successful calls.
        helped: f64 = 0.6, from 0.0 to 1.0;
        /// Probability that what is done first fills a table that the call reads, where a driver
        /// tells of tables.
        fed: f64 = 0.5, from 0.0 to 1.0;
        /// Probability that what is done first has a word in its path that refusals of the call told.
        told: f64 = 0.6, from 0.0 to 1.0;
        /// Probability that what is done first is anything at all.
        anything: f64 = 0.15, from 0.0 to 1.0;
        /// How often a deletion is done first, for each time that something else is: mostly something
        /// is to be there afterwards.
        deleted: f64 = 0.25, from 0.0 to 1.0;

        /// Without a driver: probability that what a test made is deleted at its end. Services that
        /// pile up what tests made refuse more and more.
        cleaned: f64 = 0.5, from 0.0 to 1.0;
        /// Probability that what was deleted is read afterwards.
        read_after: f64 = 0.5, from 0.0 to 1.0;

        /// Share of changes of a plan that let somebody else make a call.
        other_user: f64 = 0.2, from 0.0 to 1.0;
        /// Share of changes of a plan below which a call is removed, that of other users included.
        removed: f64 = 0.3, from 0.0 to 1.0;
        /// Probability that a change lets a call be about another thing, where there is one.
        rebound: f64 = 0.25, from 0.0 to 1.0;
        /// Probability that a new call is about the very thing of an earlier one, and comes last.
        about_same: f64 = 0.35, from 0.0 to 1.0;
        /// Probability that any other new call comes before the last one.
        before_last: f64 = 0.8, from 0.0 to 1.0;

        /// Probability that a call has a parameter that the service asks for although it is not
        /// documented.
        undocumented: f64 = 0.5, from 0.0 to 1.0;
        /// Probability that its value is one that it was compared with, where there is one.
        compared_value: f64 = 0.7, from 0.0 to 1.0;
        /// Probability that a change of a plan draws such parameters anew, where there are some.
        undocumented_change: f64 = 0.25, from 0.0 to 1.0;

        /// What a try of a check counts that showed nothing, since the service refused the call for
        /// another reason.
        refused_try: f64 = 0.35, from 0.0 to 1.0;
        /// Tries that showed something, for each way in which a check can turn out, after which no
        /// more of it is asked for.
        enough_tries: f64 = 8.0, from 0.0 to 1e6;
        /// With a driver: probability of a check after a test that was progress.
        check_of_progress: f64 = 0.1, from 0.0 to 1.0;
        /// Probability that something is changed before a call whose check depends on what is there.
        change_before_check: f64 = 0.6, from 0.0 to 1.0;
        /// The same for other checks.
        change_before_other_check: f64 = 0.1, from 0.0 to 1.0;
    }
}

impl TestSettings {
    /// The defaults where a driver tells what calls reach.
    #[must_use]
    pub fn white_box() -> Self {
        Self { checked: 0.05, invalid: 0.1, neighbour: 0.7, another: 0.75, ..Self::default() }
    }
}
