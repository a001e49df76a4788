//! Connections to the service.

use std::time::Duration;

use http::HeaderMap;
use wallace_engine::{EvaluationError, StopSignal};
use wallace_problems::graphql::{SubscriptionLimits, SubscriptionTransport};
use wallace_problems::{
    Connect, Transport,
    auth::{Authenticator, User},
    limit::{CallCount, CountedTransport, LimitedTransport, RateLimit, RetryPolicy},
};
use wallace_sut_driver::{
    BlockingRuntime,
    http::{HttpAddress, HttpConnection, HttpRoute, HttpSettings},
};

use super::header::{self, HeaderTransport};
use crate::error::RunError;
use crate::local_service::SharedTransport;
use crate::settings::{Settings, Target};
use crate::target_system::place::Places;
use crate::target_system::process::ServiceProcess;

/// Largest response that is read: a test keeps its responses, and nobody reads longer ones.
const BODY_LIMIT: usize = 4 << 20;

/// Longest pause that is waited for before a call is sent again.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// Opens connections within the limits of a run.
#[derive(Clone)]
pub(super) struct Connector {
    runtime: BlockingRuntime,
    call_timeout: Duration,
    route: HttpRoute,
    /// What every request has.
    headers: HeaderMap,
    /// Shared by all connections.
    rate: Option<RateLimit>,
    /// Whether refused calls are sent again: a service behind a driver is alone with its caller.
    retries: bool,
    /// Whether calls go through a proxy.
    has_proxy: bool,
    /// Calls over all connections.
    count: CallCount,
    /// The service, where the run started it.
    process: Option<ServiceProcess>,
    /// Ends every wait.
    stop: StopSignal,
    /// How subscriptions are read, where there are any.
    subscriptions: Option<SubscriptionLimits>,
    /// The service, where it is in this process.
    local: Option<SharedTransport>,
    /// Where the instances of the service are.
    places: Places,
}

impl Connector {
    /// What ends waits.
    pub(super) fn stop(&self) -> &StopSignal {
        &self.stop
    }

    pub(super) fn new(
        settings: &Settings,
        process: Option<ServiceProcess>,
        places: Places,
        stop: &StopSignal,
    ) -> Result<Self, RunError> {
        let runtime = runtime()?;
        if settings.rate.is_some_and(|rate| !(rate.is_finite() && rate > 0.0)) {
            let reason = "the rate is a number of calls per second, over 0".to_owned();
            return Err(RunError::Settings(reason));
        }
        let is_driven = settings.target.is_white_box();
        // What a driver starts is beside it.
        let proxy = settings.proxy.as_deref().filter(|_| !is_driven);
        let route = HttpRoute::new(&settings.tls, proxy)
            .map_err(|error| RunError::Settings(error.to_string()))?;
        let limits = settings.graphql.subscriptions;
        let has_streams = matches!(settings.target, Target::Graphql(_)) && limits.events > 0;
        Ok(Self {
            runtime,
            call_timeout: settings.call_timeout,
            route,
            headers: header::plain(settings)?,
            has_proxy: proxy.is_some(),
            rate: settings.rate.map(RateLimit::per_second),
            retries: !is_driven,
            count: CallCount::default(),
            process,
            stop: stop.clone(),
            subscriptions: has_streams.then_some(limits),
            local: None,
            places,
        })
    }

    /// The same for another thread, which drives its connections itself.
    pub(super) fn beside(&self) -> Result<Self, RunError> {
        Ok(Self { runtime: runtime()?, ..self.clone() })
    }

    pub(super) fn runtime(&self) -> &BlockingRuntime {
        &self.runtime
    }

    pub(super) fn places(&self) -> &Places {
        &self.places
    }

    /// Calls a service in this process from now on, wherever its URL leads.
    pub(super) fn call_in_process(&mut self, service: SharedTransport) {
        self.local = Some(service);
    }

    /// Calls over the connections so far.
    pub(super) fn count(&self) -> &CallCount {
        &self.count
    }

    /// What every request has.
    pub(super) fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// A connection to the service.
    pub(super) fn open(&self, base_url: &str) -> Result<Box<dyn Transport>, RunError> {
        let inner = self.open_plainly(base_url)?;
        if self.headers.is_empty() {
            return Ok(inner);
        }
        Ok(Box::new(HeaderTransport::new(inner, self.headers.clone())))
    }

    fn open_plainly(&self, base_url: &str) -> Result<Box<dyn Transport>, RunError> {
        if let Some(service) = &self.local {
            let service = Box::new(service.clone());
            return Ok(Box::new(CountedTransport::new(service, self.count.clone())));
        }
        let address = address(base_url)?;
        let connection: Box<dyn Transport> = Box::new(self.connect(address.clone(), BODY_LIMIT)?);
        let connection = match self.subscriptions {
            // They are read over a connection of their own, which is neither.
            Some(limits) if !address.is_secure() && !self.has_proxy => {
                let transport = SubscriptionTransport::new(connection, address, limits);
                Box::new(transport.counting(self.count.clone()))
            }
            _ => connection,
        };
        // Counted above what sends again, which adds what it repeats.
        let counted = |inner| Box::new(CountedTransport::new(inner, self.count.clone()));
        if self.rate.is_none() && !self.retries {
            return Ok(counted(connection));
        }
        let policy = match self.retries {
            // Who asks for more is left alone for that long, while others are called.
            true => RetryPolicy { longest_pause: LONGEST_PAUSE, ..RetryPolicy::default() },
            false => RetryPolicy::none(),
        };
        let limited = LimitedTransport::new(connection, self.rate.clone(), policy);
        let limited = limited.ending_with(self.stop.clone()).counting(self.count.clone());
        Ok(counted(Box::new(limited)))
    }

    /// The service, where the run started it.
    pub(super) fn process(&self) -> Option<ServiceProcess> {
        self.process.clone()
    }

    /// Opens connections when the service was started again, or lost; one that the run started is
    /// started again where it has ended.
    pub(super) fn reconnect(&self) -> Connect {
        let connector = self.clone();
        Box::new(move |base_url| {
            let revived = connector.process.as_ref().map_or(Ok(()), ServiceProcess::revive);
            let opened = revived.map_err(RunError::from).and_then(|()| connector.open(base_url));
            opened.map_err(|error| EvaluationError::Unreachable(error.to_string()))
        })
    }

    /// The users of a run; they may log in at other servers.
    pub(super) fn users(&self, users: &[User], seed: u64) -> Authenticator {
        let connector = self.clone();
        let open = move |address: &HttpAddress| {
            let connection = connector.connect(address.clone(), BODY_LIMIT);
            let connection = connection.map_err(|error| error.to_string())?;
            Ok(Box::new(connection) as Box<dyn Transport>)
        };
        Authenticator::new(users.to_vec(), seed).with_other_servers(Box::new(open))
    }

    /// A connection without limits and streams, for what is read before a run; it reads responses of at
    /// most `body_limit` bytes.
    pub(super) fn connect(
        &self,
        address: HttpAddress,
        body_limit: usize,
    ) -> Result<HttpConnection, RunError> {
        let limits =
            HttpSettings { read_timeout: self.call_timeout, body_limit, ..HttpSettings::default() };
        let route = self.route.clone();
        let mut connection = HttpConnection::connect_by(route, address, limits, &self.runtime)?;
        connection.end_with(self.stop.flag());
        Ok(connection)
    }
}

fn runtime() -> Result<BlockingRuntime, RunError> {
    BlockingRuntime::new()
        .map_err(|error| RunError::Internal(format!("no runtime for connections: {error}")))
}

/// The address in a URL.
pub(super) fn address(url: &str) -> Result<HttpAddress, RunError> {
    url.parse()
        .map_err(|error| RunError::Settings(format!("the URL of the service, {url:?}: {error}")))
}

/// Scheme, host and port of an address.
pub(super) fn origin(address: &HttpAddress) -> String {
    let scheme = if address.is_secure() { "https" } else { "http" };
    format!("{scheme}://{}", address.authority())
}
