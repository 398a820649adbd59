/** The body of a batch: its operations, checked as far as that depends on no answer. */
import type { IncomingHttpHeaders } from 'node:http';
import { badBody, Failure, isPlainObject, ownCheck, shapes, tooMany } from '../../core.ts';
import { badPath } from '../../errors/errors.ts';
import type { Fault } from '../../operations/body-check.ts';
import type { PartRequest, Parts } from '../../operations/contract.ts';
import { namePattern, namesIn } from './references.ts';

export interface BatchOperation extends PartRequest {
  /** The name by which later operations refer to its answer. */
  readonly ref: string | undefined;
}

export interface Batch {
  readonly operations: readonly BatchOperation[];
  /** Whether all operations are one unit: all or nothing. */
  readonly isAtomic: boolean;
}

const maxOperations = 100;

const headerNames = ['If-Match', 'If-None-Match', 'Content-Type'];
const namesInWords = new Intl.ListFormat('en', { type: 'conjunction' }).format(headerNames);
const isHeader = (name: string): boolean => headerNames.some((known) => known.toLowerCase() === name.toLowerCase());

const operation = shapes.object(
  { method: { ...shapes.text, pattern: '^(POST|PUT|PATCH|DELETE)$' }, path: { ...shapes.text, pattern: '^/' } },
  {
    ref: { ...shapes.text, pattern: namePattern },
    body: ownCheck({ description: 'As the body of the request' }),
    headers: { type: 'object', description: `${namesInWords} of the request` },
  },
);

export const batchSchema = shapes.object(
  { operations: { ...shapes.listOf(operation), minItems: 1, maxItems: maxOperations } },
  { atomic: { type: 'boolean', description: 'false: one after the other, each by itself' } },
);

const rules: Readonly<Record<string, string>> = {
  method: 'must be POST, PUT, PATCH or DELETE',
  path: 'must be a path of /api or /update, such as /api/book',
  ref: 'must have 1 to 64 letters, digits, _ or -',
  headers: `must be an object with ${namesInWords}`,
};

/** The failure of an operation of a batch. @param cause what was thrown */
export const ofOperation = (at: number, failure: Failure, cause: unknown): Failure =>
  failure.withDetails({ operation: at }, cause instanceof Failure ? (cause.cause ?? cause) : cause);

/** @returns the failure for a body that violates the schema */
export function refuseBatch({ path, keyword }: Fault): Failure {
  if (keyword === 'maxItems') return tooMany('operations', maxOperations);
  const [, at, name = ''] = path.split('.');
  if (path === 'atomic') return badBody('atomic must be true or false');
  if (at === undefined)
    return badBody('send {"operations": [{"method": "POST", "path": "/api/<model>", "body": {…}}]}');
  const reason = Object.hasOwn(rules, name) ? `${path} ${rules[name]}` : `${path} must be an object`;
  return ofOperation(Number(at), badBody(reason), undefined);
}

/** Reads a body that the schema allows. @throws 400 that names the operation, before anything is done */
export function readBatch(body: unknown, parts: Parts): Batch {
  const { operations, atomic } = body as { readonly operations: readonly BatchOperation[]; readonly atomic?: boolean };
  const names = new Set<string>();
  const sent = operations.map((one, at) => {
    try {
      return readOperation(one, names, parts);
    } catch (error) {
      throw ofOperation(at, parts.failureFrom(error), error);
    }
  });
  return { operations: sent, isAtomic: atomic !== false };
}

/** @param names of the operations before it */
function readOperation(one: BatchOperation, names: Set<string>, parts: Parts): BatchOperation {
  const { ref, method, path, body, headers = {}, ...others } = one;
  const [other] = Object.keys(others);
  if (other !== undefined) throw badBody(`${JSON.stringify(other.slice(0, 60))} is not a part of an operation`);
  if (!/^\/[\x21-\x7e]*$/.test(path) || /[#\\]/.test(path))
    throw badPath('a path must be percent-encoded, without a host and without #');
  parts.check(method, path);
  for (const name of namesIn(path, body))
    if (!names.has(name)) throw badBody(`$${name} refers to no earlier operation`);
  if (ref !== undefined && names.has(ref)) throw badBody(`ref ${JSON.stringify(ref)} is given to two operations`);
  if (ref !== undefined) names.add(ref);
  return { ref, method, path, body, headers: readHeaders(headers) };
}

function readHeaders(headers: unknown): IncomingHttpHeaders {
  if (!isPlainObject(headers)) throw badBody(`headers ${rules['headers'] ?? ''}`);
  for (const [name, value] of Object.entries(headers))
    if (!isHeader(name) || typeof value !== 'string')
      throw badBody(`headers of an operation may be ${namesInWords}, as text`);
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])) as never;
}
