<?php

// What the tests share: a client for the service under test, and checks that say what was sent,
// what came back and what was expected instead.

declare(strict_types=1);

namespace Suite;

use PHPUnit\Framework\Assert;

// Where the service is expected unless WALLACE_BASE_URL names another place.
const DEFAULT_BASE_URL = "http://localhost:8080";

// Where the service takes GraphQL requests.
const GRAPHQL_PATH = "/graphql";

// How long a test waits for an answer, in seconds.
const TIMEOUT = 60;

// The status where the connection ended without an answer.
const NO_ANSWER = 0;

// Longest request or answer that a failure message shows, in bytes.
const SHOWN = 4000;

// How JSON is written: numbers and texts as they are.
const JSON = JSON_PRESERVE_ZERO_FRACTION | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE
    | JSON_INVALID_UTF8_SUBSTITUTE;

/** The service, in its first state if it has a driver. */
function connect(): Service
{
    $driver = (string) getenv('WALLACE_DRIVER');
    $url = (string) getenv('WALLACE_BASE_URL');
    $url = $url === '' ? DEFAULT_BASE_URL : $url;
    return new Service($driver === '' ? $url : start($driver));
}

/** Has a driver start the service or bring its state back; gives the base URL. */
function start(string $driver): string
{
    $api = rtrim(elsewhere($driver), '/') . '/controller/api';
    $headers = ['Connection: keep-alive', 'Content-Type: application/json'];
    [$status] = exchange('PUT', "$api/runSUT", $headers, '{"run":true,"resetState":true}', 300);
    [$known, , $info] = exchange('GET', "$api/infoSUT", $headers, null, 300);
    Assert::assertTrue($status < 300 && $known < 300, "the driver cannot start the service: $info");
    return json_decode($info)->data->baseUrlOfSUT;
}

/** The URL of what is not asked of the service: the driver is named by URL, host or port. */
function elsewhere(string $path): string
{
    if (strpos($path, '://') !== false) {
        return $path;
    }
    return (ctype_digit(explode('/', $path)[0]) ? 'http://localhost:' : 'http://') . $path;
}

/**
 * Sends a request as it is: paths are not normalised, and every method may have a body.
 *
 * @return array{int, string, string, string[]} status, content type, body and lines of the header;
 *     NO_ANSWER is the status where the connection ended without one
 */
function exchange(string $method, string $url, array $headers, ?string $body, int $timeout): array
{
    $curl = curl_init($url);
    // Nothing is added by itself but the host, and large bodies do not wait for a go-ahead.
    $headers = array_merge($headers, ['Expect:'], $body === null ? [] : ['Accept: */*']);
    $names = strtolower(implode("\n", $headers));
    if ($body !== null && strpos("\n$names", "\ncontent-type:") === false) {
        $headers[] = 'Content-Type:';
    }
    curl_setopt_array($curl, [
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_NOBODY => $method === 'HEAD',
        CURLOPT_HTTPHEADER => $headers,
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_FOLLOWLOCATION => false,
        CURLOPT_PATH_AS_IS => true,
        CURLOPT_PROXY => '',
        CURLOPT_TIMEOUT => $timeout,
    ]);
    if ($body !== null) {
        curl_setopt($curl, CURLOPT_POSTFIELDS, $body);
    }
    $lines = [];
    curl_setopt($curl, CURLOPT_HEADERFUNCTION, function ($curl, string $line) use (&$lines): int {
        $lines[] = $line;
        return strlen($line);
    });
    $text = curl_exec($curl);
    $drops = [CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR];
    if ($text === false && in_array(curl_errno($curl), $drops, true)) {
        return [NO_ANSWER, '', '', []];
    }
    if ($text === false) {
        Assert::fail(sprintf(
            "no answer from %s (%s)\nIs the service running? Set WALLACE_BASE_URL if it is "
                . "somewhere else.\n\nrequest: %s %s\n%s",
            $url,
            curl_error($curl),
            $method,
            $url,
            shortened($body ?? ''),
        ));
    }
    $type = (string) curl_getinfo($curl, CURLINFO_CONTENT_TYPE);
    return [curl_getinfo($curl, CURLINFO_RESPONSE_CODE), $type, $text, $lines];
}

/** The service under test. */
final class Service
{
    private string $baseUrl;

    public function __construct(string $baseUrl)
    {
        $this->baseUrl = rtrim($baseUrl, '/');
    }

    public function graphql(string $document): Request
    {
        return $this->post(GRAPHQL_PATH)->graphql($document);
    }

    public function get(string $path): Request
    {
        return $this->request('GET', $path);
    }

    public function post(string $path): Request
    {
        return $this->request('POST', $path);
    }

    public function put(string $path): Request
    {
        return $this->request('PUT', $path);
    }

    public function patch(string $path): Request
    {
        return $this->request('PATCH', $path);
    }

    public function delete(string $path): Request
    {
        return $this->request('DELETE', $path);
    }

    public function request(string $method, string $path): Request
    {
        return new Request($this->baseUrl, $method, $path);
    }
}

/** A request that is being put together. */
final class Request
{
    private string $baseUrl;
    private string $method;
    private string $path;
    private array $headers = [];
    private ?string $mediaType = null;
    private ?array $message = null;
    private ?string $body = null;
    private bool $isFilled = false;
    private array $values = [];

    public function __construct(string $baseUrl, string $method, string $path)
    {
        $this->baseUrl = $baseUrl;
        $this->method = $method;
        $this->path = $path;
    }

    public function header(string $name, string $value): self
    {
        $this->headers[] = [$name, $value];
        return $this;
    }

    public function graphql(string $document): self
    {
        $this->message = ['query' => $document];
        $this->mediaType = 'application/json';
        return $this;
    }

    public function variables(object $values): self
    {
        $this->message['variables'] = $values;
        return $this;
    }

    public function operation(string $name): self
    {
        $this->message['operationName'] = $name;
        return $this;
    }

    /** @param mixed $value */
    public function json($value): self
    {
        $this->body = jsonText($value);
        $this->mediaType = 'application/json';
        return $this;
    }

    public function text(string $mediaType, string $text): self
    {
        $this->body = $text;
        $this->isFilled = true;
        $this->mediaType = $mediaType;
        return $this;
    }

    /** Puts a value in place of {{name}} in path, headers, document and text. */
    public function fill(string $name, string $value): self
    {
        $this->values[$name] = $value;
        return $this;
    }

    private function filled(string $text): string
    {
        $value = fn (array $place) => $this->values[$place[1]] ?? $place[0];
        return preg_replace_callback('/\{\{(\w+)\}\}/', $value, $text);
    }

    private function payload(): ?string
    {
        if ($this->message !== null) {
            $query = $this->filled($this->message['query']);
            return jsonText(['query' => $query] + $this->message);
        }
        return $this->body !== null && $this->isFilled ? $this->filled($this->body) : $this->body;
    }

    public function send(): Response
    {
        [$sent, $answer] = $this->exchanged();
        $complaint = "no answer: the connection ended\n\nrequest: " . shortened($sent);
        Assert::assertNotSame(NO_ANSWER, $answer[0], $complaint);
        return new Response($sent, $answer);
    }

    /** The connection ends without an answer, and the service still listens. */
    public function expectNoAnswer(): void
    {
        [$sent, [$status]] = $this->exchanged();
        $complaint = "answer: expected none, found status $status\n\nrequest: " . shortened($sent);
        Assert::assertSame(NO_ANSWER, $status, $complaint);
    }

    /** @return array{string, array} what is sent, and what comes of it */
    private function exchanged(): array
    {
        $path = $this->filled($this->path);
        $url = strpos($path, '/') === 0 ? $this->baseUrl . $path : elsewhere($path);
        $headers = [];
        $isGiven = false;
        foreach ($this->headers as [$name, $value]) {
            $filled = $this->filled($value);
            $headers[] = $filled === '' ? "$name;" : "$name: $filled";
            $isGiven = $isGiven || strtolower($name) === 'content-type';
        }
        if ($this->mediaType !== null && $this->mediaType !== '' && !$isGiven) {
            $headers[] = "Content-Type: {$this->mediaType}";
        }
        $payload = $this->payload();
        $sent = "{$this->method} $url\n$payload";
        return [$sent, exchange($this->method, $url, $headers, $payload, TIMEOUT)];
    }
}

/** What the service answered. */
final class Response
{
    private string $sent;
    private int $status;
    private string $mediaType;
    private string $text;
    /** @var string[] */
    private array $headers;
    private bool $isJson;
    /** @var mixed */
    private $json;

    public function __construct(string $sent, array $answer)
    {
        [$this->status, $type, $this->text, $this->headers] = $answer;
        $this->sent = $sent;
        $this->mediaType = strtolower(trim(explode(';', $type)[0]));
        $this->json = json_decode($this->text);
        $this->isJson = json_last_error() === JSON_ERROR_NONE;
    }

    public function expectStatus(int $expected): void
    {
        $this->check($this->status === $expected, "status: expected $expected, found $this->status");
    }

    public function expectMediaType(string $expected): void
    {
        $told = "media type: expected $expected, found $this->mediaType";
        $this->check($this->mediaType === $expected, $told);
    }

    public function expectHeader(string $name): void
    {
        $isThere = preg_grep('/^' . preg_quote($name, '/') . ': *\S/i', $this->headers) !== [];
        $this->check($isThere, "header $name: expected some, found none");
    }

    /**
     * The JSON value at the pointer (RFC 6901) is this one.
     *
     * @param mixed $expected
     */
    public function expectJson(string $pointer, $expected): void
    {
        $differences = compare($expected, $this->value($pointer), $pointer);
        $this->check($differences === [], implode("\n", $differences));
    }

    /** The answer has these errors, in any order. Only what is written is compared. */
    public function expectErrors(array $expected): void
    {
        $found = $this->value('/errors');
        $left = is_array($found) ? $found : [];
        [$wanted, $got] = [count($expected), count($left)];
        $this->check($wanted === $got, "/errors: expected $wanted errors, found $got");
        foreach ($expected as $error) {
            $matches = array_keys(array_filter($left, fn ($actual) => includes($actual, $error)));
            $told = '/errors: expected ' . jsonText($error) . ', found ' . jsonText($found);
            $this->check($matches !== [], $told);
            unset($left[$matches[0]]);
        }
    }

    public function expectPresent(string $pointer): void
    {
        $this->value($pointer);
    }

    public function expectAbsent(string $pointer): void
    {
        $found = $this->isJson ? find($this->json, $pointer) : [];
        $told = place($pointer) . ': expected nothing, found ' . jsonText($found[0] ?? null);
        $this->check($found === [], $told);
    }

    public function expectText(string $expected): void
    {
        $told = 'body: expected ' . jsonText($expected) . ', found ' . jsonText($this->text);
        $this->check($this->text === $expected, $told);
    }

    public function expectEmptyBody(): void
    {
        $this->check($this->text === '', 'body: expected none');
    }

    /**
     * The JSON value at the pointer, for use in a later request.
     *
     * @return mixed
     */
    public function value(string $pointer)
    {
        $this->check($this->isJson, 'body: expected JSON');
        $found = find($this->json, $pointer);
        $this->check($found !== [], place($pointer) . ': expected a value, found nothing');
        return $found[0];
    }

    /** The value of a header, for use in a later request. */
    public function header(string $name): string
    {
        $this->expectHeader($name);
        $line = current(preg_grep('/^' . preg_quote($name, '/') . ':/i', $this->headers));
        return trim(substr($line, strlen("$name:")));
    }

    /** A part of the path of the address at the pointer, counted from the last, which is 1. */
    public function partOfAddress(string $pointer, int $fromEnd): string
    {
        return $this->part((string) $this->value($pointer), $fromEnd);
    }

    /** A part of the path that the header Location leads to. */
    public function partOfLocation(int $fromEnd): string
    {
        return $this->part($this->header('location'), $fromEnd);
    }

    private function part(string $address, int $fromEnd): string
    {
        $path = preg_replace(['~^\w+://[^/]*~', '~[?#].*~'], '', $address);
        $parts = array_values(array_filter(explode('/', $path), fn ($part) => $part !== ''));
        $this->check(
            count($parts) >= $fromEnd,
            "address $address: expected $fromEnd parts or more",
        );
        return rawurldecode($parts[count($parts) - $fromEnd]);
    }

    private function check(bool $holds, string $complaint): void
    {
        $answer = "$this->status $this->mediaType\n" . shortened($this->text);
        $sent = shortened($this->sent);
        Assert::assertTrue($holds, "$complaint\n\nrequest: $sent\n\nanswer: $answer");
    }
}

/** Stands for more than one value. */
final class Matcher implements \JsonSerializable
{
    public string $kind;
    /** @var callable(mixed): bool */
    public $isRight;
    /** @var ?callable(mixed, string): string[] */
    public $parts;

    public function __construct(string $kind, callable $isRight, ?callable $parts = null)
    {
        $this->kind = $kind;
        $this->isRight = $isRight;
        $this->parts = $parts;
    }

    /**
     * @param mixed $actual
     * @return string[]
     */
    public function compare($actual, string $pointer): array
    {
        if (!($this->isRight)($actual)) {
            return [place($pointer) . ": expected $this->kind, found " . jsonText($actual)];
        }
        return $this->parts === null ? [] : ($this->parts)($actual, $pointer);
    }

    public function jsonSerialize(): string
    {
        return "<$this->kind>";
    }
}

function anything(): Matcher
{
    return new Matcher('any value', fn ($actual) => true);
}

function anyString(): Matcher
{
    return new Matcher('any string', 'is_string');
}

function anyNumber(): Matcher
{
    return new Matcher('any number', fn ($actual) => is_int($actual) || is_float($actual));
}

function anyInteger(): Matcher
{
    $isInteger = fn ($actual) => is_int($actual) || (is_float($actual) && floor($actual) === $actual);
    return new Matcher('any integer', $isInteger);
}

function anyBoolean(): Matcher
{
    return new Matcher('any boolean', 'is_bool');
}

function anyList(): Matcher
{
    return new Matcher('any list', 'is_array');
}

function anyObject(): Matcher
{
    return new Matcher('any object', 'is_object');
}

function nonNull(): Matcher
{
    return new Matcher('any non-null value', fn ($actual) => $actual !== null);
}

/** A list of so many elements, the first of which are given. */
function listStartingWith(int $length, array $first): Matcher
{
    return new Matcher('any list', 'is_array', fn ($actual, $pointer) => array_merge(
        compareLength($length, $actual, $pointer),
        compareElements($first, $actual, $pointer),
    ));
}

/**
 * Null, or this.
 *
 * @param mixed $expected
 */
function nullable($expected): Matcher
{
    $parts = fn ($actual, $pointer) => $actual === null ? [] : compare($expected, $actual, $pointer);
    return new Matcher('any value', fn ($actual) => true, $parts);
}

/**
 * A list whose elements are all like this one.
 *
 * @param mixed $element
 */
function each($element): Matcher
{
    $parts = fn ($actual, $pointer) =>
        compareElements(array_fill(0, count($actual), $element), $actual, $pointer);
    return new Matcher('any list', 'is_array', $parts);
}

function oneOf(array $texts): Matcher
{
    $isRight = fn ($actual) => in_array($actual, $texts, true);
    return new Matcher(implode(' or ', array_map('Suite\jsonText', $texts)), $isRight);
}

/** An object with these keys, and perhaps others. */
function including(object $fields): Matcher
{
    $parts = fn ($actual, $pointer) => compareFields($fields, $actual, $pointer);
    return new Matcher('any object', 'is_object', $parts);
}

/** An object that names its type under the key and looks as said of that type. */
function byType(string $key, object $types): Matcher
{
    $name = fn ($actual) => is_object($actual) ? ($actual->{$key} ?? null) : null;
    $isRight = fn ($actual) => is_string($name($actual)) && property_exists($types, $name($actual));
    $parts = fn ($actual, $pointer) => compare($types->{$name($actual)}, $actual, $pointer);
    return new Matcher('a type of the schema', $isRight, $parts);
}

/**
 * How a value differs from what is expected, a line per place.
 *
 * @param mixed $expected
 * @param mixed $actual
 * @return string[]
 */
function compare($expected, $actual, string $pointer): array
{
    if ($expected instanceof Matcher) {
        return $expected->compare($actual, $pointer);
    }
    if (is_object($expected) && is_object($actual)) {
        $differences = compareFields($expected, $actual, $pointer);
        foreach (array_diff_key((array) $actual, (array) $expected) as $key => $value) {
            $differences[] = child($pointer, (string) $key) . ': not expected, found ' . jsonText($value);
        }
        return $differences;
    }
    if (is_array($expected) && is_array($actual)) {
        return array_merge(
            compareLength(count($expected), $actual, $pointer),
            compareElements($expected, $actual, $pointer),
        );
    }
    if ($expected === $actual) {
        return [];
    }
    return [place($pointer) . ': expected ' . jsonText($expected) . ', found ' . jsonText($actual)];
}

/** @return string[] */
function compareFields(object $expected, object $actual, string $pointer): array
{
    $differences = [];
    $found = (array) $actual;
    foreach ((array) $expected as $key => $value) {
        $place = child($pointer, (string) $key);
        $differences[] = array_key_exists($key, $found)
            ? compare($value, $found[$key], $place)
            : ["$place: missing"];
    }
    return array_merge([], ...$differences);
}

/** @return string[] */
function compareLength(int $length, array $actual, string $pointer): array
{
    $found = count($actual);
    return $found === $length ? [] : [place($pointer) . ": expected $length elements, found $found"];
}

/** @return string[] */
function compareElements(array $expected, array $actual, string $pointer): array
{
    $differences = [];
    foreach (array_slice($expected, 0, count($actual)) as $index => $value) {
        $differences[] = compare($value, $actual[$index], child($pointer, (string) $index));
    }
    return array_merge([], ...$differences);
}

/**
 * Whether the value has everything that is wanted; an object may have more keys.
 *
 * @param mixed $actual
 * @param mixed $wanted
 */
function includes($actual, $wanted): bool
{
    if (!is_object($actual) || !is_object($wanted)) {
        return compare($wanted, $actual, '') === [];
    }
    foreach ((array) $wanted as $key => $value) {
        if (!property_exists($actual, (string) $key) || !includes($actual->{$key}, $value)) {
            return false;
        }
    }
    return true;
}

/**
 * The value at a pointer as the only element of a list, which is empty if there is none.
 *
 * @param mixed $value
 */
function find($value, string $pointer): array
{
    foreach (array_slice(explode('/', $pointer), 1) as $step) {
        $key = str_replace(['~1', '~0'], ['/', '~'], $step);
        if (!is_array($value) && !is_object($value)) {
            return [];
        }
        $parts = (array) $value;
        if (!array_key_exists($key, $parts)) {
            return [];
        }
        $value = $parts[$key];
    }
    return [$value];
}

function child(string $pointer, string $key): string
{
    return $pointer . '/' . str_replace(['~', '/'], ['~0', '~1'], $key);
}

function place(string $pointer): string
{
    return $pointer === '' ? 'body' : $pointer;
}

function shortened(string $text): string
{
    $length = strlen($text);
    return $length <= SHOWN ? $text : substr($text, 0, SHOWN) . " ... ($length bytes)";
}

/** The content of a file beside the tests. */
function textFile(string $path): string
{
    return file_get_contents(__DIR__ . '/' . $path);
}

/**
 * A JSON value from a file beside the tests.
 *
 * @return mixed
 */
function jsonFile(string $path)
{
    return json_decode(textFile($path));
}

/**
 * A value as JSON, which is also how GraphQL writes numbers, texts and booleans.
 *
 * @param mixed $value
 */
function jsonText($value): string
{
    return json_encode($value, JSON);
}

/**
 * A value as plain text: strings without quotes.
 *
 * @param mixed $value
 */
function plainText($value): string
{
    return is_string($value) ? $value : jsonText($value);
}

/**
 * A value as one segment of a path, percent-encoded.
 *
 * @param mixed $value
 */
function pathSegment($value): string
{
    return rawurlencode(plainText($value));
}

/** A value that is not written down in the tests, such as a token. */
function environment(string $name): string
{
    $value = getenv($name);
    Assert::assertNotFalse($value, "the environment variable $name is not set; these tests need it");
    return $value;
}
