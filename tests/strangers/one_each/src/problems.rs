//! A description, and an oracle of one's own.
use wallace_problems::rest::{Description, Location, ReadSettings};
use wallace_problems::{Call, Fault, HttpOutcome, HttpRequest, HttpResponse, Oracle};

const TEXT: &str = "openapi: 3.0.3\ninfo: {title: shop, version: '1'}\npaths:\n  /price/{id}:\n    \
    get:\n      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]\n      \
    responses: {'200': {description: ''}}\n";

struct NoPriceBelowZero;
impl Oracle for NoPriceBelowZero {
    fn judge(&self, call: &Call<'_>) -> Vec<Fault> {
        let answer = call.outcome.response.as_ref().ok();
        let price = answer.and_then(|answer| answer.text_at("/price")?.parse::<f64>().ok());
        let is_wrong = price.is_some_and(|price| price < 0.0);
        is_wrong
            .then(|| Fault { code: 990, context: "a price below 0".to_owned() })
            .into_iter()
            .collect()
    }
}

#[test]
fn descriptions_are_read_and_answers_judged() {
    let location = Location::File("shop.yaml".into());
    let nothing = |_: &str| Err("nothing is fetched".to_owned());
    let shop = Description::from_text(TEXT, location, &ReadSettings::default(), &nothing).unwrap();
    assert_eq!(shop.operations.len(), 1);
    let judged = |body: &str| {
        let answer = HttpResponse::new(200, &Default::default(), body.as_bytes().to_vec());
        let (method, headers, body) = Default::default();
        let path = "/price/3".parse().unwrap();
        let request = HttpRequest { method, path, headers, body };
        let outcome = HttpOutcome::new(Ok(answer));
        NoPriceBelowZero.judge(&Call::new("GET:/price/{id}", &request, &outcome)).len()
    };
    assert_eq!((judged("{\"price\":3}"), judged("{\"price\":-3}")), (0, 1));
}
