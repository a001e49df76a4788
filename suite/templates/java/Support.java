package suite;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import io.restassured.RestAssured;
import io.restassured.config.EncoderConfig;
import io.restassured.config.HttpClientConfig;
import io.restassured.config.RestAssuredConfig;
import io.restassured.http.ContentType;
import io.restassured.http.Headers;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.http.ConnectionClosedException;
import org.apache.http.NoHttpResponseException;

/**
 * What the tests share: a client for the service under test, and checks that say what was sent,
 * what came back and what was expected instead.
 */
public final class Support {
    /** Where the service is expected unless WALLACE_BASE_URL names another place. */
    private static final String DEFAULT_BASE_URL = "http://localhost:8080";

    /** Where the service takes GraphQL requests. */
    private static final String GRAPHQL_PATH = "/graphql";

    /** How long a test waits for an answer, in milliseconds. */
    private static final int TIMEOUT = 60_000;

    /** Longest request or answer that a failure message shows, in characters. */
    private static final int SHOWN = 4_000;

    /** Null as a JSON value. */
    public static final JsonNode NULL = JsonNodeFactory.instance.nullNode();

    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private Support() {}

    /** The service, in its first state if it has a driver. */
    public static Service connect() {
        String driver = System.getenv("WALLACE_DRIVER");
        if (driver != null && !driver.isEmpty()) {
            return new Service(start(driver));
        }
        String url = System.getenv("WALLACE_BASE_URL");
        return new Service(url == null || url.isEmpty() ? DEFAULT_BASE_URL : url);
    }

    /** Has a driver start the service or bring its state back; gives the base URL. */
    private static String start(String driver) {
        String api = elsewhere(driver).replaceAll("/+$", "") + "/controller/api";
        client(null)
                .header("Connection", "keep-alive")
                .contentType(ContentType.JSON)
                .body("{\"run\":true,\"resetState\":true}")
                .when()
                .put(api + "/runSUT")
                .then()
                .statusCode(204);
        var info = client(null).header("Connection", "keep-alive").when().get(api + "/infoSUT");
        info.then().statusCode(200);
        return read(info.asString()).at("/data/baseUrlOfSUT").asText();
    }

    /** The URL of what is not asked of the service: the driver is named by URL, host or port. */
    private static String elsewhere(String path) {
        if (path.contains("://")) {
            return path;
        }
        return (path.matches("\\d+(/.*)?") ? "http://localhost:" : "http://") + path;
    }

    /** A request that is sent as it is given. */
    private static RequestSpecification client(String mediaType) {
        EncoderConfig encoder =
                EncoderConfig.encoderConfig()
                        .defaultContentCharset("UTF-8")
                        .appendDefaultContentCharsetToContentTypeIfUndefined(false);
        if (mediaType != null) {
            encoder = encoder.encodeContentTypeAs(mediaType, ContentType.TEXT);
        }
        HttpClientConfig client =
                HttpClientConfig.httpClientConfig()
                        .setParam("http.connection.timeout", TIMEOUT)
                        .setParam("http.socket.timeout", mediaType == null ? 5 * TIMEOUT : TIMEOUT);
        RestAssuredConfig config =
                RestAssuredConfig.config().encoderConfig(encoder).httpClient(client);
        return RestAssured.given()
                .config(config)
                .urlEncodingEnabled(false)
                .redirects()
                .follow(false);
    }

    /** The service under test. */
    public static final class Service {
        private final String baseUrl;

        private Service(String baseUrl) {
            this.baseUrl = baseUrl.replaceAll("/+$", "");
        }

        public Request graphql(String document) {
            return post(GRAPHQL_PATH).graphql(document);
        }

        public Request get(String path) {
            return request("GET", path);
        }

        public Request post(String path) {
            return request("POST", path);
        }

        public Request put(String path) {
            return request("PUT", path);
        }

        public Request patch(String path) {
            return request("PATCH", path);
        }

        public Request delete(String path) {
            return request("DELETE", path);
        }

        public Request request(String method, String path) {
            return new Request(baseUrl, method, path);
        }
    }

    /** A request that is being put together. */
    public static final class Request {
        private static final Pattern PLACE = Pattern.compile("\\{\\{(\\w+)}}");

        private final String baseUrl;
        private final String method;
        private final String path;
        private final List<String[]> headers = new ArrayList<>();
        private final Map<String, String> values = new LinkedHashMap<>();
        private String mediaType;
        private Map<String, Object> message;
        private String body;
        private boolean isFilled;

        private Request(String baseUrl, String method, String path) {
            this.baseUrl = baseUrl;
            this.method = method;
            this.path = path;
        }

        public Request header(String name, String value) {
            headers.add(new String[] {name, value});
            return this;
        }

        public Request graphql(String document) {
            message = new LinkedHashMap<>();
            message.put("query", document);
            mediaType = "application/json";
            return this;
        }

        public Request variables(Object values) {
            message.put("variables", values);
            return this;
        }

        public Request operation(String name) {
            message.put("operationName", name);
            return this;
        }

        public Request json(Object value) {
            body = jsonText(value);
            mediaType = "application/json";
            return this;
        }

        public Request text(String mediaType, String text) {
            body = text;
            isFilled = true;
            this.mediaType = mediaType;
            return this;
        }

        /** Puts a value in place of {{name}} in path, headers, document and text. */
        public Request fill(String name, String value) {
            values.put(name, value);
            return this;
        }

        private String filled(String text) {
            return PLACE.matcher(text)
                    .replaceAll(
                            place -> {
                                String value = values.getOrDefault(place.group(1), place.group());
                                return Matcher.quoteReplacement(value);
                            });
        }

        private String payload() {
            if (message == null) {
                return body == null || !isFilled ? body : filled(body);
            }
            Map<String, Object> sent = new LinkedHashMap<>(message);
            sent.put("query", filled((String) message.get("query")));
            return jsonText(sent);
        }

        public Response send() {
            String place = filled(path);
            String url = place.startsWith("/") ? baseUrl + legal(place) : elsewhere(place);
            String type = mediaType == null ? "" : mediaType;
            RequestSpecification request = null;
            for (String[] header : headers) {
                if (header[0].equalsIgnoreCase("content-type")) {
                    type = filled(header[1]);
                }
            }
            request = client(type);
            for (String[] header : headers) {
                if (!header[0].equalsIgnoreCase("content-type")) {
                    request = request.header(header[0], filled(header[1]));
                }
            }
            if (!type.isEmpty()) {
                request = request.contentType(type);
            }
            String payload = payload();
            if (payload != null) {
                request = request.body(payload.getBytes(StandardCharsets.UTF_8));
            }
            String sent = method + " " + url + (payload == null ? "" : "\n" + payload);
            try {
                return new Response(sent, request.when().request(method, url));
            } catch (Exception error) {
                throw new AssertionError(
                        "no answer from " + url + " (" + error + ")\nIs the service running?"
                                + " Set WALLACE_BASE_URL if it is somewhere else.\n\nrequest: "
                                + shortened(sent),
                        error);
            }
        }

        /** The connection ends without an answer, and the service still listens. */
        public void expectNoAnswer() {
            Response response;
            try {
                response = send();
            } catch (AssertionError failure) {
                if (isDrop(failure.getCause())) {
                    return;
                }
                throw failure;
            }
            response.check(false, "answer: expected none, found status " + response.status);
        }

        private static boolean isDrop(Throwable error) {
            boolean wasRefused = error instanceof ConnectException;
            boolean isDrop =
                    error instanceof SocketException
                            || error instanceof NoHttpResponseException
                            || error instanceof ConnectionClosedException;
            return error != null && !wasRefused && (isDrop || isDrop(error.getCause()));
        }

        /** The path with characters encoded that addresses may not have. */
        private static String legal(String path) {
            StringBuilder legal = new StringBuilder();
            for (char character : path.toCharArray()) {
                boolean isIllegal = "\"<>\\^`{|}".indexOf(character) >= 0;
                legal.append(isIllegal ? String.format("%%%02X", (int) character) : character);
            }
            return legal.toString();
        }
    }

    /** What the service answered. */
    public static final class Response {
        private final String sent;
        private final int status;
        private final String mediaType;
        private final Headers headers;
        private final String text;
        private final JsonNode json;

        private Response(String sent, io.restassured.response.Response answer) {
            this.sent = sent;
            this.status = answer.statusCode();
            String type = answer.header("content-type");
            this.mediaType = type == null ? "" : type.split(";", 2)[0].trim().toLowerCase();
            this.headers = answer.headers();
            this.text = new String(answer.asByteArray(), StandardCharsets.UTF_8);
            this.json = read(text);
        }

        public void expectStatus(int expected) {
            check(status == expected, "status: expected " + expected + ", found " + status);
        }

        public void expectMediaType(String expected) {
            String complaint = "media type: expected " + expected + ", found " + mediaType;
            check(mediaType.equals(expected), complaint);
        }

        public void expectHeader(String name) {
            String value = headers.getValue(name);
            boolean isThere = value != null && !value.isEmpty();
            check(isThere, "header " + name + ": expected some, found none");
        }

        /** The JSON value at the pointer (RFC 6901) is this one. */
        public void expectJson(String pointer, Object expected) {
            List<String> differences = new ArrayList<>();
            compare(expected, value(pointer), pointer, differences);
            check(differences.isEmpty(), String.join("\n", differences));
        }

        /** The answer has these errors, in any order. Only what is written is compared. */
        public void expectErrors(List<?> expected) {
            JsonNode found = value("/errors");
            List<JsonNode> left = new ArrayList<>();
            found.elements().forEachRemaining(left::add);
            String counts = "expected " + expected.size() + " errors, found " + left.size();
            check(expected.size() == left.size(), "/errors: " + counts);
            for (Object error : expected) {
                var match = left.stream().filter(actual -> includes(actual, error)).findFirst();
                check(match.isPresent(), "/errors: expected " + jsonText(error) + ", found " + found);
                left.remove(match.get());
            }
        }

        public void expectPresent(String pointer) {
            value(pointer);
        }

        public void expectAbsent(String pointer) {
            JsonNode found = json == null ? JsonNodeFactory.instance.missingNode() : json.at(pointer);
            check(found.isMissingNode(), place(pointer) + ": expected nothing, found " + found);
        }

        public void expectText(String expected) {
            String complaint = "body: expected " + jsonText(expected) + ", found " + jsonText(text);
            check(text.equals(expected), complaint);
        }

        public void expectEmptyBody() {
            check(text.isEmpty(), "body: expected none");
        }

        /** The JSON value at the pointer, for use in a later request. */
        public JsonNode value(String pointer) {
            check(json != null, "body: expected JSON");
            JsonNode found = json.at(pointer);
            check(!found.isMissingNode(), place(pointer) + ": expected a value, found nothing");
            return found;
        }

        /** The value of a header, for use in a later request. */
        public JsonNode header(String name) {
            expectHeader(name);
            return TextNode.valueOf(headers.getValue(name));
        }

        /** A part of the path of the address at the pointer, counted from the last, which is 1. */
        public JsonNode partOfAddress(String pointer, int fromEnd) {
            return part(value(pointer).asText(), fromEnd);
        }

        /** A part of the path that the header Location leads to. */
        public JsonNode partOfLocation(int fromEnd) {
            return part(header("location").asText(), fromEnd);
        }

        private JsonNode part(String address, int fromEnd) {
            String path = address.replaceFirst("^\\w+://[^/]*", "").replaceFirst("[?#].*", "");
            List<String> parts = new ArrayList<>(List.of(path.split("/")));
            parts.removeIf(String::isEmpty);
            check(
                    parts.size() >= fromEnd,
                    "address " + address + ": expected " + fromEnd + " parts or more");
            String part = parts.get(parts.size() - fromEnd).replace("+", "%2B");
            return TextNode.valueOf(URLDecoder.decode(part, StandardCharsets.UTF_8));
        }

        private void check(boolean holds, String complaint) {
            if (!holds) {
                throw new AssertionError(
                        complaint + "\n\nrequest: " + shortened(sent) + "\n\nanswer: " + status + " "
                                + mediaType + "\n" + shortened(text));
            }
        }
    }

    /** Stands for more than one value. */
    public static final class Any {
        private final String kind;
        private final Predicate<JsonNode> isRight;
        private final BiFunction<JsonNode, String, List<String>> parts;

        private Any(
                String kind,
                Predicate<JsonNode> isRight,
                BiFunction<JsonNode, String, List<String>> parts) {
            this.kind = kind;
            this.isRight = isRight;
            this.parts = parts;
        }

        private void compare(JsonNode actual, String pointer, List<String> differences) {
            if (isRight.test(actual)) {
                differences.addAll(parts.apply(actual, pointer));
            } else {
                differences.add(place(pointer) + ": expected " + kind + ", found " + actual);
            }
        }

        /** How a failure message shows it. */
        @com.fasterxml.jackson.annotation.JsonValue
        @Override
        public String toString() {
            return "<" + kind + ">";
        }
    }

    private static Any any(String kind, Predicate<JsonNode> isRight) {
        return new Any(kind, isRight, (actual, pointer) -> List.of());
    }

    public static Any anything() {
        return any("any value", actual -> true);
    }

    public static Any anyString() {
        return any("any string", JsonNode::isTextual);
    }

    public static Any anyNumber() {
        return any("any number", JsonNode::isNumber);
    }

    public static Any anyInteger() {
        return any(
                "any integer",
                actual -> actual.isNumber() && actual.doubleValue() == Math.rint(actual.doubleValue()));
    }

    public static Any anyBoolean() {
        return any("any boolean", JsonNode::isBoolean);
    }

    public static Any anyList() {
        return any("any list", JsonNode::isArray);
    }

    public static Any anyObject() {
        return any("any object", JsonNode::isObject);
    }

    public static Any nonNull() {
        return any("any non-null value", actual -> !actual.isNull());
    }

    /** A list of so many elements, the first of which are given. */
    public static Any listStartingWith(int length, List<?> first) {
        return new Any(
                "any list",
                JsonNode::isArray,
                (actual, pointer) -> {
                    List<String> differences = new ArrayList<>();
                    compareLength(length, actual, pointer, differences);
                    compareElements(first, actual, pointer, differences);
                    return differences;
                });
    }

    /** Null, or this. */
    public static Any nullable(Object expected) {
        return new Any(
                "any value",
                actual -> true,
                (actual, pointer) -> {
                    List<String> differences = new ArrayList<>();
                    if (!actual.isNull()) {
                        compare(expected, actual, pointer, differences);
                    }
                    return differences;
                });
    }

    /** A list whose elements are all like this one. */
    public static Any each(Object element) {
        return new Any(
                "any list",
                JsonNode::isArray,
                (actual, pointer) -> {
                    List<String> differences = new ArrayList<>();
                    for (int index = 0; index < actual.size(); index++) {
                        compare(element, actual.get(index), pointer + "/" + index, differences);
                    }
                    return differences;
                });
    }

    public static Any oneOf(List<?> texts) {
        return any(jsonText(texts), actual -> actual.isTextual() && texts.contains(actual.asText()));
    }

    /** An object with these keys, and perhaps others. */
    public static Any including(Map<String, Object> fields) {
        return new Any(
                "any object",
                JsonNode::isObject,
                (actual, pointer) -> {
                    List<String> differences = new ArrayList<>();
                    compareFields(fields, actual, pointer, differences);
                    return differences;
                });
    }

    /** An object that names its type under the key and looks as said of that type. */
    public static Any byType(String key, Map<String, Object> types) {
        return new Any(
                "a type of the schema",
                actual -> types.containsKey(actual.path(key).asText()),
                (actual, pointer) -> {
                    List<String> differences = new ArrayList<>();
                    compare(types.get(actual.path(key).asText()), actual, pointer, differences);
                    return differences;
                });
    }

    /** A JSON object from its keys and values in turn. */
    public static Map<String, Object> json(Object... keysAndValues) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int index = 0; index < keysAndValues.length; index += 2) {
            fields.put((String) keysAndValues[index], keysAndValues[index + 1]);
        }
        return fields;
    }

    /** A JSON list. */
    public static List<Object> list(Object... elements) {
        return new ArrayList<>(Arrays.asList(elements));
    }

    /** Writes down how a value differs from what is expected, a line per place. */
    private static void compare(
            Object expected, JsonNode actual, String pointer, List<String> differences) {
        if (expected instanceof Any) {
            ((Any) expected).compare(actual, pointer, differences);
        } else if (expected instanceof Map && actual.isObject()) {
            Map<?, ?> fields = (Map<?, ?>) expected;
            compareFields(fields, actual, pointer, differences);
            for (Iterator<String> keys = actual.fieldNames(); keys.hasNext(); ) {
                String key = keys.next();
                if (!fields.containsKey(key)) {
                    String found = ": not expected, found " + actual.get(key);
                    differences.add(child(pointer, key) + found);
                }
            }
        } else if (expected instanceof List && actual.isArray()) {
            compareLength(((List<?>) expected).size(), actual, pointer, differences);
            compareElements((List<?>) expected, actual, pointer, differences);
        } else if (!isEqual(expected, actual)) {
            String told = ": expected " + jsonText(expected) + ", found " + actual;
            differences.add(place(pointer) + told);
        }
    }

    private static void compareFields(
            Map<?, ?> expected, JsonNode actual, String pointer, List<String> differences) {
        expected.forEach(
                (key, value) -> {
                    String at = child(pointer, (String) key);
                    if (actual.has((String) key)) {
                        compare(value, actual.get((String) key), at, differences);
                    } else {
                        differences.add(at + ": missing");
                    }
                });
    }

    private static void compareLength(
            int length, JsonNode actual, String pointer, List<String> differences) {
        if (actual.size() != length) {
            String told = ": expected " + length + " elements, found " + actual.size();
            differences.add(place(pointer) + told);
        }
    }

    private static void compareElements(
            List<?> expected, JsonNode actual, String pointer, List<String> differences) {
        for (int index = 0; index < Math.min(expected.size(), actual.size()); index++) {
            compare(expected.get(index), actual.get(index), pointer + "/" + index, differences);
        }
    }

    /** Whether the value has everything that is wanted; an object may have more keys. */
    private static boolean includes(JsonNode actual, Object wanted) {
        if (wanted instanceof Map && actual.isObject()) {
            return ((Map<?, ?>) wanted)
                    .entrySet().stream()
                            .allMatch(
                                    field ->
                                            actual.has((String) field.getKey())
                                                    && includes(
                                                            actual.get((String) field.getKey()),
                                                            field.getValue()));
        }
        List<String> differences = new ArrayList<>();
        compare(wanted, actual, "", differences);
        return differences.isEmpty();
    }

    /** Whether scalars are equal; 1 is not 1.0. */
    private static boolean isEqual(Object expected, JsonNode actual) {
        JsonNode wanted = JSON.valueToTree(expected);
        if (wanted == null) {
            return actual.isNull();
        }
        if (wanted.isNumber() && actual.isNumber()) {
            boolean isInteger = wanted.isIntegralNumber();
            if (isInteger != actual.isIntegralNumber()) {
                return false;
            }
            BigInteger integer = wanted.bigIntegerValue();
            return isInteger
                    ? integer.equals(actual.bigIntegerValue())
                    : wanted.doubleValue() == actual.doubleValue();
        }
        return wanted.equals(actual);
    }

    private static String child(String pointer, String key) {
        return pointer + "/" + key.replace("~", "~0").replace("/", "~1");
    }

    private static String place(String pointer) {
        return pointer.isEmpty() ? "body" : pointer;
    }

    private static String shortened(String text) {
        return text.length() <= SHOWN
                ? text
                : text.substring(0, SHOWN) + " ... (" + text.length() + " characters)";
    }

    /** The JSON value that a text is; null if it is none. */
    private static JsonNode read(String text) {
        try {
            JsonNode value = JSON.readTree(text);
            return value == null || value.isMissingNode() ? null : value;
        } catch (JsonProcessingException error) {
            return null;
        }
    }

    /** The content of a file beside the tests. */
    public static String textFile(String path) {
        try (InputStream file = Support.class.getClassLoader().getResourceAsStream(path)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException error) {
            throw new AssertionError(path + ": " + error);
        }
    }

    /** A JSON value from a file beside the tests. */
    public static JsonNode jsonFile(String path) {
        return read(textFile(path));
    }

    /** A value as JSON, which is also how GraphQL writes numbers, texts and booleans. */
    public static String jsonText(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException error) {
            throw new AssertionError(error);
        }
    }

    /** A value as plain text: strings without quotes. */
    public static String plainText(JsonNode value) {
        return value.isTextual() ? value.asText() : jsonText(value);
    }

    /** A value as one segment of a path, percent-encoded. */
    public static String pathSegment(JsonNode value) {
        return URLEncoder.encode(plainText(value), StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A")
                .replace("%7E", "~");
    }

    /** A value that is not written down in the tests, such as a token. */
    public static String environment(String name) {
        String value = System.getenv(name);
        if (value == null) {
            throw new AssertionError(
                    "the environment variable " + name + " is not set; these tests need it");
        }
        return value;
    }
}
