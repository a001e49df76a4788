// Types of what the tests share.

/** A JSON value, or something that stands for more than one. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Json = any;

/** The service under test. */
export interface Service {
  graphql(document: string): Request;
  get(path: string): Request;
  post(path: string): Request;
  put(path: string): Request;
  patch(path: string): Request;
  delete(path: string): Request;
  request(method: string, path: string): Request;
}

/** A request that is being put together. */
export interface Request {
  header(name: string, value: string): Request;
  graphql(document: string): Request;
  variables(values: Json): Request;
  operation(name: string): Request;
  json(value: Json): Request;
  text(mediaType: string, text: string): Request;
  fill(name: string, value: string): Request;
  send(): Promise<Response>;
  expectNoAnswer(): Promise<void>;
}

/** What the service answered. */
export interface Response {
  expectStatus(expected: number): void;
  expectMediaType(expected: string): void;
  expectHeader(name: string): void;
  expectJson(pointer: string, expected: Json): void;
  expectErrors(expected: Json[]): void;
  expectPresent(pointer: string): void;
  expectAbsent(pointer: string): void;
  expectText(expected: string): void;
  expectEmptyBody(): void;
  value(pointer: string): Json;
  header(name: string): Json;
  partOfAddress(pointer: string, fromEnd: number): Json;
  partOfLocation(fromEnd: number): Json;
}

export function connect(): Service;

export function anyBoolean(): Json;
export function anyInteger(): Json;
export function anyList(): Json;
export function anyNumber(): Json;
export function anyObject(): Json;
export function anyString(): Json;
export function anything(): Json;
export function nonNull(): Json;
export function byType(key: string, types: Record<string, Json>): Json;
export function each(element: Json): Json;
export function including(fields: Record<string, Json>): Json;
export function listStartingWith(length: number, first: Json[]): Json;
export function nullable(expected: Json): Json;
export function oneOf(texts: string[]): Json;

export function environment(name: string): string;
export function jsonFile(name: string): Json;
export function jsonText(value: Json): string;
export function pathSegment(value: Json): string;
export function plainText(value: Json): string;
export function textFile(name: string): string;
