//! Services of a few lines: what they are asked over a socket, and what they answer.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

/// What a request says, as far as the service looks at it.
pub(crate) struct Request {
    pub(crate) verb: String,
    pub(crate) path: String,
    headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Request {
    pub(crate) fn read(stream: &mut BufReader<TcpStream>) -> Option<Self> {
        let mut line = String::new();
        stream.read_line(&mut line).ok().filter(|count| *count > 0)?;
        let mut words = line.split(' ');
        let (verb, path) = (words.next()?.to_owned(), words.next()?.to_owned());
        let mut headers = Vec::new();
        loop {
            let mut line = String::new();
            stream.read_line(&mut line).ok()?;
            let Some((name, value)) = line.trim_end().split_once(": ") else { break };
            headers.push((name.to_ascii_lowercase(), value.to_owned()));
        }
        let mut request = Self { verb, path, headers, body: String::new() };
        let length = request.header("content-length").and_then(|it| it.parse().ok());
        let mut body = vec![0; length.unwrap_or(0)];
        stream.read_exact(&mut body).ok()?;
        request.body = String::from_utf8_lossy(&body).into_owned();
        Some(request)
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

pub(crate) fn reply(status: u16, headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status} so\r\nContent-Type: application/json\r\n{headers}Content-Length: \
         {length}\r\n\r\n{body}"
    )
}

/// Answers the requests of a connection, until one has no answer.
pub(crate) fn converse(stream: TcpStream, answer: &dyn Fn(&Request) -> Option<String>) {
    let mut stream = BufReader::new(stream);
    while let Some(request) = Request::read(&mut stream) {
        let Some(answer) = answer(&request) else { return };
        if stream.get_mut().write_all(answer.as_bytes()).is_err() {
            return;
        }
    }
}

/// Serves on a free port as long as the process runs; where that is.
pub(crate) fn serve(answer: impl Fn(&Request) -> String + Send + Sync + 'static) -> String {
    serve_some(move |request| Some(answer(request)))
}

/// The same for a service that ends the connection of what has no answer.
pub(crate) fn serve_some(
    answer: impl Fn(&Request) -> Option<String> + Send + Sync + 'static,
) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let answer = Arc::new(answer);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let answer = Arc::clone(&answer);
            std::thread::spawn(move || converse(stream, &*answer));
        }
    });
    url
}
