/** What each endpoint takes and answers with, where that is more than an object: one row each. */
import type { JsonSchema } from './schemas.ts';

/** What stands for the model's own schemas in a row. */
export const shown = Symbol('a document as it is shown');
export const created = Symbol('a document to create');
export const changed = Symbol('fields to change');

export interface OperationRow {
  /** The request's body. */
  readonly body?: JsonSchema | typeof created | typeof changed;
  readonly status?: 200 | 201 | 302;
  readonly type?: 'application/json' | 'text/csv' | 'text/html';
  readonly answer?: JsonSchema;
  /** It takes the parameters of lists. */
  readonly lists?: true;
  /** Further parameters that it takes. */
  readonly parameters?: readonly string[];
}

const object = (properties: Readonly<Record<string, unknown>>, ...required: string[]): JsonSchema => ({
  type: 'object',
  properties,
  ...(required.length === 0 ? {} : { required }),
});
const whole = { type: 'integer' };
const text = { type: 'string' };
const counts = { type: 'object', additionalProperties: whole };
const status = { const: 'ok' };
const message = { status, message: text };

const list = object(
  {
    data: { type: 'array', items: shown },
    limit: whole,
    page: whole,
    limit_capped: { const: true },
    next: text,
    prev: text,
    count: whole,
    page_count: whole,
  },
  'data',
);
const written = object({ ...message, data: shown }, 'status', 'message', 'data');
const rows = object({ data: { type: 'array' } }, 'data');
const done = object(message, 'status', 'message');
const session = {
  user_id: text,
  apikey: text,
  token: text,
  token_expires: { type: 'string', format: 'date-time' },
  refresh_token: text,
  refresh_token_expires: { type: 'string', format: 'date-time' },
};
const signedIn = object(session, 'user_id', 'token', 'token_expires', 'refresh_token', 'refresh_token_expires');
const one = ['populate', 'autopopulate', 'showDeleted', 'fields'];
const pipeline = { type: 'array', items: { type: 'object' } };
const any: JsonSchema = { description: 'Passed to the function' };

export const operationRows: Readonly<Record<string, OperationRow>> = {
  'GET /api/:model': { lists: true, answer: list },
  'GET /api/:model/:id': { parameters: one, answer: object({ data: shown }, 'data') },
  'POST /api/:model': { body: created, status: 201, parameters: ['password_override'], answer: written },
  'PUT /api/:model/:id': { body: changed, parameters: ['password_override'], answer: written },
  'DELETE /api/:model/:id': {
    parameters: ['_permaDelete', '_cascade'],
    answer: object({ ...message, deleted: counts, unlinked: counts }, 'status', 'message', 'deleted', 'unlinked'),
  },
  'PUT /update/:model/:id': { body: changed, parameters: ['password_override'], answer: written },
  'POST /update/:model/:id': { body: changed, parameters: ['password_override'], answer: written },
  'GET /count/:model': { parameters: ['filter', 'showDeleted'], answer: object({ count: whole }, 'count') },
  'POST /query/:model': { body: object({ query: { type: 'object' } }, 'query'), lists: true, answer: list },
  'POST /aggregate/:model': {
    body: { oneOf: [pipeline, object({ query: pipeline }, 'query')] },
    parameters: ['allowDiskUse', 'showDeleted'],
    answer: rows,
  },
  'GET /csv/:model': { lists: true, type: 'text/csv', answer: text },
  'POST /bulkwrite/:model': {
    body: { type: 'array', items: { type: 'object' } },
    answer: object({ status, data: { type: 'object' } }, 'status', 'data'),
  },
  'POST /call/:model/:method': { body: any, answer: object({ data: {} }, 'data') },
  'GET /call/:model/:method': { answer: object({ data: {} }, 'data') },
  'POST /call/:model/:id/:method': { body: any, answer: object({ data: {} }, 'data') },
  'GET /call/:model/:id/:method': { answer: object({ data: {} }, 'data') },
  'GET /model': { answer: rows },
  'GET /model/:name': { answer: object({ data: { type: 'object' } }, 'data') },
  'GET /cache/clear': { answer: done },
  'POST /login': { body: object({ email: text, password: text }), answer: signedIn },
  'POST /login/jwt': { body: object({ jwt: text }), answer: signedIn },
  'POST /refresh': { answer: signedIn },
  'GET /login/logout': { answer: done },
  'GET /logout': { answer: done },
  'POST /setup': { body: object({ email: text, password: text, name: text }, 'email', 'password'), status: 201 },
  'POST /setup/data': { body: { type: 'object' }, answer: object({ ...message, results: { type: 'object' } }) },
  'GET /login/oauth/:provider': { status: 302 },
  'GET /login/oauth/callback/:provider': { status: 302 },
};
