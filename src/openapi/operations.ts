/** What each endpoint takes and answers with: one row each. */
import { bulkBody, pipeline } from './advanced.ts';
import { changed, created, filter, shown } from './marks.ts';
import { freeQuery } from './parameters.ts';
import {
  any,
  count,
  counts,
  date,
  flag,
  id,
  inserted,
  integer,
  listOf,
  mapOf,
  object,
  text,
  type JsonSchema,
} from './shapes.ts';

export interface OperationRow {
  /** The request's body, which must be sent. */
  readonly body?: JsonSchema | typeof created | typeof changed;
  /** The body may be left out. */
  readonly bodyOptional?: true;
  readonly status?: 200 | 201 | 302;
  readonly type?: 'application/json' | 'text/csv' | 'text/event-stream';
  /** The answer's body; without one it has none. */
  readonly answer?: JsonSchema;
  /** It takes the parameters of lists. */
  readonly lists?: true;
  /** It writes values that must be unique, or are refused for the state of something: 409. */
  readonly conflicts?: true;
  /** Further statuses of its failures. */
  readonly failures?: readonly number[];
  /** Further parameters that it takes. */
  readonly parameters?: readonly string[];
  /** A revision that the caller knows: 304 for one who reads it, 412 for one who writes over another (RFC 9110, 13). */
  readonly condition?: 'If-None-Match' | 'If-Match';
}

const status = { const: 'ok' };
const message = { status, message: text };
const done = object(message);
const written = object({ ...message, data: shown });
const list = object(
  { data: listOf(shown) },
  { limit: integer, page: integer, limit_capped: { const: true }, next: text, prev: text, count, page_count: count },
);
const described = { $ref: '#/components/schemas/_model' };
const tokens = {
  user_id: id,
  token: text,
  token_expires: date,
  refresh_token: text,
  refresh_token_expires: date,
};
const signedIn = object({ ...tokens, apikey: text });
const memberships = object({ user_id: id, groups: listOf(text) });
const someNames = { oneOf: [text, listOf(text)] };
const groupsBody = object({}, { group: someNames, groups: someNames });
const groupsChanged: OperationRow = {
  body: groupsBody,
  bodyOptional: true,
  parameters: ['group'],
  answer: object({ ...message, data: memberships }),
};

const oneParameters = ['populate', 'autopopulate', 'showDeleted', 'fields'];
const writeParameters = ['password_override', '_silence'];
const change: OperationRow = {
  body: changed,
  conflicts: true,
  parameters: writeParameters,
  condition: 'If-Match',
  answer: written,
};
const events: OperationRow = {
  parameters: ['filter', 'since'],
  type: 'text/event-stream',
  answer: text,
};
const called = object({ data: any('What the function returned') });
const withBody: OperationRow = {
  body: any('Passed to the function'),
  bodyOptional: true,
  conflicts: true,
  answer: called,
};
const withQuery: OperationRow = { parameters: [freeQuery], conflicts: true, answer: called };

export const operationRows: Readonly<Record<string, OperationRow>> = {
  'GET /api/:model': { lists: true, condition: 'If-None-Match', answer: list },
  'GET /api/:model/:id': { parameters: oneParameters, condition: 'If-None-Match', answer: object({ data: shown }) },
  'POST /api/:model': { body: created, conflicts: true, status: 201, parameters: writeParameters, answer: written },
  'PUT /api/:model/:id': change,
  'DELETE /api/:model/:id': {
    parameters: ['_permaDelete', '_cascade', '_silence'],
    conflicts: true,
    condition: 'If-Match',
    answer: object({ ...message, deleted: mapOf(count), unlinked: mapOf(count) }),
  },
  'PUT /update/:model/:id': change,
  'POST /update/:model/:id': change,
  'GET /count/:model': { parameters: ['filter', 'showDeleted'], answer: object({ count }) },
  'POST /query/:model': {
    body: { type: 'object', required: ['query'], properties: { query: filter } },
    lists: true,
    answer: list,
  },
  'POST /aggregate/:model': {
    body: { oneOf: [pipeline, object({ query: pipeline })] },
    // $out and $merge write
    conflicts: true,
    parameters: ['allowDiskUse', 'showDeleted'],
    answer: object({ data: listOf({ type: 'object' }) }),
  },
  'GET /csv/:model': { lists: true, type: 'text/csv', answer: text },
  'POST /bulkwrite/:model': { body: bulkBody, conflicts: true, answer: object({ status, data: counts }) },
  'POST /call/:model/:method': withBody,
  'GET /call/:model/:method': withQuery,
  'POST /call/:model/:id/:method': withBody,
  'GET /call/:model/:id/:method': withQuery,
  'GET /events/:model': events,
  'GET /events/:model/:id': { parameters: ['since'], type: 'text/event-stream', answer: text },
  'GET /model': { answer: object({ data: listOf(described) }) },
  'GET /model/:name': { answer: object({ data: described }) },
  'GET /cache/stats': {
    answer: {
      oneOf: [
        object({ hits: count, misses: count, keys: count, ksize: count, vsize: count }),
        object({ cache_enabled: { const: false } }),
      ],
    },
  },
  'GET /cache/clear': { answer: done },
  'POST /login': { body: object({}, { email: text, password: text }), bodyOptional: true, answer: signedIn },
  'POST /login/jwt': { body: object({}, { jwt: text }), answer: signedIn },
  'POST /refresh': { answer: object(tokens) },
  'POST /login/refresh': { answer: object(tokens) },
  'GET /login/logout': { answer: done },
  'GET /logout': { answer: done },
  'POST /login/apikey': { answer: object({ ...message, apikey: text }) },
  'POST /login/getjwt': { body: object({ email: text }), failures: [404], answer: object({ status, jwt: text }) },
  'POST /login/recover': { body: object({ email: text }), failures: [404], answer: done },
  'POST /login/reset': { body: object({ jwt: text, password: text }), answer: done },
  'POST /login/password': { body: object({ password: text, new_password: text }), answer: done },
  'PUT /login/email': {
    conflicts: true,
    body: object({ email: text, password: text }),
    answer: object({ ...message, data: object({ email: text, email_verified: flag }) }),
  },
  'GET /login/oauth/:provider': { status: 302 },
  'GET /login/oauth/callback/:provider': { status: 302 },
  'GET /groups/:user_id': { answer: object({ data: memberships }) },
  'PUT /groups/:user_id': groupsChanged,
  'POST /groups/:user_id': groupsChanged,
  'DELETE /groups/:user_id': groupsChanged,
  'GET /setup': { answer: object({ ...message, needed: flag, setup_needed: flag }) },
  'POST /setup': {
    failures: [403],
    conflicts: true,
    body: { ...object({ email: text, password: text }, { name: text }), additionalProperties: true },
    status: 201,
    answer: object({ ...message, user_id: id, data: object({ _id: id, id, email: text }) }),
  },
  'POST /setup/data': {
    failures: [403],
    conflicts: true,
    body: mapOf(listOf({ type: 'object' })),
    answer: object({ ...message, results: mapOf(inserted) }),
  },
  'GET /health': { answer: done },
  'GET /ready': { answer: done },
};
