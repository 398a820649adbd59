/** Every way of writing a document, as rows that are held against the table of operations. */
import type { Sent } from '../support/client.ts';

/** The document that a way writes. */
export interface Target {
  readonly model: string;
  readonly id: string;
  /** Its value of the unique index. */
  readonly code: string;
}

export interface Way {
  /** The operation of the table. */
  readonly operation: string;
  readonly method: string;
  readonly path: (target: Target) => string;
  readonly body?: (target: Target) => unknown;
  /** The media type of the body, where it is not JSON. */
  readonly type?: string;
  /** What it does to the document. */
  readonly does: 'creates' | 'changes' | 'restores' | 'deletes';
  /** What it answers with, where that is not the document; counts whatever it reaches. */
  readonly answers?: 'counts' | 'no document';
  /** Where it does not reach the document, it creates one with the same unique values. */
  readonly upserts?: true;
}

const change = { open: false };
const one = ({ model, id }: Target): string => `/api/${model}/${id}`;
const save = ({ model, id }: Target): string => `/update/${model}/${id}`;
const set = () => change;
const restored = () => ({ ...change, _deleted: false });
const bulk = (
  operation: (target: Target) => object,
): Pick<Way, 'operation' | 'method' | 'path' | 'body' | 'answers'> => ({
  operation: 'documents.bulkWrite',
  method: 'POST',
  path: ({ model }) => `/bulkwrite/${model}`,
  body: (target) => [operation(target)],
  answers: 'counts',
});

const deletion = { operation: 'documents.delete', method: 'DELETE', does: 'deletes', answers: 'no document' } as const;

export const ways: Readonly<Record<string, Way>> = {
  POST: {
    operation: 'documents.create',
    method: 'POST',
    path: ({ model }) => `/api/${model}`,
    body: set,
    does: 'creates',
  },
  PUT: { operation: 'documents.change', method: 'PUT', path: one, body: set, does: 'changes' },
  'PUT {}': { operation: 'documents.change', method: 'PUT', path: one, body: () => ({}), does: 'changes' },
  'PUT that restores': { operation: 'documents.change', method: 'PUT', path: one, body: restored, does: 'restores' },
  'PUT that deletes': {
    operation: 'documents.change',
    method: 'PUT',
    path: one,
    body: () => ({ _deleted: true }),
    does: 'deletes',
  },
  PATCH: { operation: 'documents.patch', method: 'PATCH', path: one, body: set, does: 'changes' },
  'PATCH with operators': {
    operation: 'documents.patch',
    method: 'PATCH',
    path: one,
    body: () => ({ $set: change }),
    does: 'changes',
  },
  'a merge patch': {
    operation: 'documents.patch',
    method: 'PATCH',
    path: one,
    body: set,
    type: 'application/merge-patch+json',
    does: 'changes',
  },
  'a JSON Patch': {
    operation: 'documents.patch',
    method: 'PATCH',
    path: one,
    body: () => [{ op: 'add', path: '/open', value: false }],
    type: 'application/json-patch+json',
    does: 'changes',
  },
  'PUT /update': { operation: 'documents.save', method: 'PUT', path: save, body: set, does: 'changes' },
  'PUT /update that restores': {
    operation: 'documents.save',
    method: 'PUT',
    path: save,
    body: restored,
    does: 'restores',
  },
  'POST /update': { operation: 'documents.saveByPost', method: 'POST', path: save, body: set, does: 'changes' },
  'PUT ?on=': {
    operation: 'documents.upsert',
    method: 'PUT',
    path: ({ model }) => `/api/${model}?on=code`,
    body: ({ code }) => ({ code, ...change }),
    does: 'changes',
    upserts: true,
  },
  DELETE: { ...deletion, path: one },
  'DELETE for good': {
    ...deletion,
    path: (target) => `${one(target)}?_permaDelete=1`,
  },
  'DELETE with links': {
    ...deletion,
    path: (target) => `${one(target)}?_cascade=1`,
  },
  updateOne: {
    ...bulk(({ id }) => ({ updateOne: { filter: { _id: id }, update: { $set: change } } })),
    does: 'changes',
  },
  'updateOne that restores': {
    ...bulk(({ id }) => ({ updateOne: { filter: { _id: id }, update: { $set: { _deleted: false } } } })),
    does: 'restores',
  },
  'updateOne with upsert': {
    ...bulk(({ code }) => ({ updateOne: { filter: { code }, update: { $set: change }, upsert: true } })),
    does: 'changes',
    upserts: true,
  },
  replaceOne: {
    ...bulk(({ id, code }) => ({ replaceOne: { filter: { _id: id }, replacement: { code, ...change } } })),
    does: 'changes',
  },
  deleteOne: { ...bulk(({ id }) => ({ deleteOne: { filter: { _id: id } } })), does: 'deletes' },
};

/** The request of a way. */
export const requestOf = (
  { method, path, body, type }: Way,
  target: Target,
): { readonly method: string; readonly path: string; readonly sent: Sent } => ({
  method,
  path: path(target),
  sent:
    body === undefined
      ? {}
      : type === undefined
        ? { body: body(target) }
        : { raw: JSON.stringify(body(target)), headers: { 'content-type': type } },
});
