//! What is wrong with a description is told with its line, and the rest is used.

use wallace_problems::rest::{
    DescriptionError, Kind, OperationFilter, ParameterPlace, Statuses, Style,
};

use crate::support::{openapi, read};

const BROKEN: &str = r#"openapi: 3.0.1
info: {title: Broken, version: 1.0}
servers: [{url: 'https://{env}.example.com/api/', variables: {env: {default: live}}}]
paths:
  /a/{id}/{x: {get: {responses: {}}}
  /b/{id}:
    parameters:
    - {name: limit, in: query, schema: {type: strnig}}
    - {name: limit2, in: nowhere}
    get:
      operationId: one
      parameters:
      - {$ref: '#/components/parameters/missing'}
      - {name: limit, in: query, required: true, schema: {$ref: '#/components/schemas/LIMIT'}}
      responses: {200: {description: ok}, 5xx: {description: bad}, what: {}}
    post: 7
    query: {responses: {}}
  c:
    put:
      operationId: one
      requestBody: {content: {application/json: {schema: {$ref: 'other.yaml#/x'}}}}
      responses: {}
components:
  schemas:
    Limit: {type: integer, maximum: 5, exclusiveMaximum: true, nullable: true}
"#;

#[test]
fn defects_have_their_lines_and_the_rest_is_used() {
    let description = read("broken", BROKEN).unwrap();
    let ids: Vec<&str> = description.operations.iter().map(|operation| &*operation.id).collect();
    assert_eq!(ids, ["GET:/b/{id}", "PUT:/c"]);
    assert_eq!(description.base_path, "/api");
    let told: Vec<String> = description.diagnostics.iter().map(ToString::to_string).collect();
    for (line, part) in [
        (5, "brace"),
        (8, "strnig"),
        (9, "nowhere"),
        (13, "leads nowhere"),
        (11, "not described"),
        (15, "no status"),
        (16, "no object"),
        (17, "\"query\" describes is not called"),
        (19, "slash"),
        (21, "not allowed"),
    ] {
        let found = told
            .iter()
            .any(|text| text.starts_with(&format!("broken:{line}:")) && text.contains(part));
        assert!(found, "{line} {part}: {told:#?}");
    }
    let operation = &description.operations[0];
    let parameters: Vec<(&str, ParameterPlace, bool)> =
        operation.parameters.iter().map(|p| (&*p.name, p.place, p.is_required)).collect();
    assert_eq!(
        parameters,
        [("id", ParameterPlace::Path, true), ("limit", ParameterPlace::Query, true)]
    );
    let limit = description.schemas.get(operation.parameters[1].schema);
    assert!(limit.kinds.allows(Kind::Null) && limit.bounds.below.is_some());
    assert_eq!(operation.response(503).unwrap().statuses, Statuses::Class(5));
    assert!(operation.response(404).is_none());
}

#[test]
fn swagger_bodies_and_forms_are_read() {
    let text = r#"{"swagger":"2.0","basePath":"/v1/","consumes":["application/xml"],"paths":{"/x":{
      "post":{"parameters":[{"in":"body","name":"b","required":true,"schema":{"type":"object"}},
        {"in":"query","name":"ids","type":"array","items":{"type":"integer"},"collectionFormat":"pipes"}]},
      "put":{"parameters":[{"in":"formData","name":"f","type":"file","required":true},
        {"in":"formData","name":"n","type":"integer"}]}}}}"#;
    let description = read("swagger", text).unwrap();
    let [post, put] = &description.operations[..] else { panic!("two operations") };
    assert_eq!(&*post.bodies[0].media_type, "application/xml");
    assert!(post.is_body_required);
    assert_eq!(post.parameters[0].style, Style::PipeDelimited);
    assert!(!post.parameters[0].is_exploded);
    assert_eq!(&*put.bodies[0].media_type, "multipart/form-data");
    let form = description.schemas.get(put.bodies[0].schema);
    assert_eq!(form.required, ["f".into()]);
    assert_eq!(description.base_path, "/v1");
}

#[test]
fn nothing_left_is_an_error_with_the_reason() {
    let error = read("empty", "openapi: 3.1.0\npaths:\n  /x: {get: 1}").unwrap_err();
    assert!(error.to_string().contains("empty:3"), "{error}");
    let other = read("other", "{\"hello\": 1}").unwrap_err();
    assert!(matches!(other, DescriptionError::NotADescription { .. }));
    assert!(matches!(read("bad", "{\"a\": ]"), Err(DescriptionError::Document { .. })));
}

#[test]
fn filters_choose_operations() {
    let paths = "{/a: {get: {tags: [x], operationId: getA}, post: {deprecated: true}}, \
                 '/a/{id}': {get: {}}, /ab: {get: {}}}";
    let chosen = |include: &[&str], exclude: &[&str]| {
        let texts = |texts: &[&str]| texts.iter().map(ToString::to_string).collect::<Vec<_>>();
        let filter = OperationFilter::new(&texts(include), &texts(exclude)).unwrap();
        let mut description = read("filter", &openapi(paths, "{}")).unwrap();
        let kept = description.retain(&filter);
        kept.map(|_| description.operations.iter().map(|o| o.id.to_string()).collect::<Vec<_>>())
    };
    assert_eq!(chosen(&["/a"], &[]).unwrap(), ["GET:/a", "POST:/a", "GET:/a/{id}"]);
    assert_eq!(chosen(&["tag:x"], &[]).unwrap(), ["GET:/a"]);
    assert_eq!(chosen(&["id:get*", "method:post"], &["deprecated"]).unwrap(), ["GET:/a"]);
    assert_eq!(chosen(&["get:/a"], &[]).unwrap(), ["GET:/a"]);
    assert_eq!(chosen(&["/a"], &["GET:/a*"]).unwrap(), ["POST:/a"]);
    assert_eq!(chosen(&[], &["/a*"]).ok(), None);
    assert!(OperationFilter::new(&["nothing".to_owned()], &[]).is_err());
}

#[test]
fn paths_to_skip_are_skipped_with_all_methods_and_what_does_nothing_is_told() {
    let paths = "{/health: {get: {}, post: {}}, '/a/{id}/b': {get: {}}, /healthy: {get: {}}, \
                 /health/deep: {get: {}}}";
    let text = openapi(paths, "{}").replacen("paths:", "servers: [{url: '/api/v1'}]\npaths:", 1);
    let texts = |texts: &[&str]| texts.iter().map(ToString::to_string).collect::<Vec<_>>();
    let filter = OperationFilter::new(&texts(&["tag:x", "/*"]), &texts(&["* /error"])).unwrap();
    let filter = filter.skipping(&texts(&["/health", "/api/v1/a/{name}/b", "/error"]));
    let mut description = read("filter", &text).unwrap();
    assert_eq!(description.base_path, "/api/v1");
    let filtered = description.retain(&filter).unwrap();
    let left: Vec<&str> = description.operations.iter().map(|it| &*it.id).collect();
    assert_eq!(left, ["GET:/healthy", "GET:/health/deep"]);
    assert_eq!(filtered.skipped, ["GET:/health", "POST:/health", "GET:/a/{id}/b"]);
    assert_eq!(filtered.unknown, ["/error"]);
    assert_eq!(filtered.unused, ["tag:x", "* /error"]);
}
