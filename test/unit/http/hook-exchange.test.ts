/** What hooks of operations inside of a request receive: Express's objects are made when a hook looks at them. */
import { expect, test } from '@jest/globals';
import type { Request, Response } from 'express';
import type { Caller, Context } from '../../../src/context.ts';
import { hooksOf } from '../../../src/http/hooks.ts';
import { detachedRequest } from '../../../src/http/inner-request.ts';
import { invokeInside, type PreparedOperation } from '../../../src/http/prepared.ts';
import type { Answer } from '../../../src/operations/answer.ts';
import type { DossierConfig, HookRequest, PreHook } from '../../../src/settings/config-file.ts';

const answer = { kind: 'json', status: 200 } as unknown as Answer;
const plain = { params: { id: '1' }, query: {}, body: { name: 'a' }, headers: { 'x-own': 'yes' }, url: '/api/film/1' };
const outer = { headers: { 'x-own': 'no' }, ip: '10.0.0.1' };
const context = { ...plain, services: { apis: { of: () => ({}) } } } as unknown as Context;
const caller = { stop: { signal: new AbortController().signal } } as unknown as Caller;

/** Invokes an operation with hooks. @returns how often the Express objects have been made */
async function madeFor(config: DossierConfig): Promise<number> {
  let made = 0;
  const express = (): ReturnType<typeof detachedRequest> => {
    made += 1;
    return detachedRequest(outer);
  };
  const prepared = {
    operation: { hook: 'put', http: { method: 'PUT', path: '/api/:model/:id' } },
    hooks: hooksOf('put', config, 1000),
    invoke: async (_request: unknown, _caller: unknown, hooks: ReturnType<NonNullable<PreparedOperation['hooks']>>) => {
      if ((await hooks?.before(context)) === undefined && hooks !== undefined) return undefined;
      await hooks?.after?.({}, 200, context);
      return answer;
    },
  } as unknown as PreparedOperation;
  await invokeInside(prepared, plain, caller, { headers: {}, express });
  return made;
}

const looking = (look: (req: HookRequest, res: Response) => unknown): PreHook => {
  return (req, res, next) => {
    look(req, res);
    next();
  };
};

test.each<[string, unknown, (req: HookRequest, res: Response) => unknown]>([
  ['nothing', undefined, () => undefined],
  ['the view of the server', true, ({ dossier }) => 'api' in dossier],
  ['the body', { name: 'a' }, ({ body }) => body as unknown],
  ['the method and the address', 'PUT /api/film/1', ({ method, url }) => `${method} ${url}`],
  ['the headers', 'yes', ({ headers }) => headers['x-own']],
  [
    'a property that it sets itself',
    { name: 'b' },
    (req) => {
      req.body = { name: 'b' };
      return req.body as unknown;
    },
  ],
])('a hook that looks at %s has nothing made', async (_what, expected, look) => {
  const seen: unknown[] = [];
  const hook = looking((req, res) => seen.push(look(req, res)));
  expect(await madeFor({ pre_hooks: { put: [hook, hook] } })).toBe(0);
  expect(seen).toEqual([expected, expected]);
});

test.each<[string, unknown, (req: HookRequest, res: Response) => unknown]>([
  ['the address of the caller', '10.0.0.1', ({ ip }) => ip],
  ['a header by a method of Express', 'yes', (req) => req.get('x-own')],
  ['whether the request has a property', true, (req) => 'ip' in req],
  ['the prototype of the request', true, (req) => typeof (Object.getPrototypeOf(req) as Request).get === 'function'],
  [
    'a new property of the request',
    5,
    (req) => {
      (req as unknown as Record<string, unknown>)['mine'] = 5;
      return (req as unknown as Record<string, unknown>)['mine'];
    },
  ],
  ['the status', 418, (_req, res) => res.status(418).statusCode],
  ['a header of the answer', 'b', (_req, res) => res.setHeader('a', 'b').getHeader('a')],
  ['the request of the answer', 'PUT', (_req, res) => res.req.method],
])('a hook that looks at %s has them made once', async (_what, expected, look) => {
  const seen: unknown[] = [];
  const hook = looking((req, res) => seen.push(look(req, res)));
  expect(await madeFor({ pre_hooks: { put: [hook, hook] } })).toBe(1);
  expect(seen).toEqual([expected, expected]);
});

test.each<[string, DossierConfig]>([
  ['no hook', {}],
  ['hooks of other operations alone', { pre_hooks: { post: looking((req) => req.ip) } }],
  ['a post-hook that looks at its data', { post_hooks: { put: (_req, data) => data } }],
])('with %s nothing is made', async (_what, config) => {
  expect(await madeFor(config)).toBe(0);
});

test('a hook that answers in place of the operation is refused', async () => {
  const answering: PreHook = (_req, res) => res.status(200).json({});
  await expect(madeFor({ pre_hooks: { put: answering } })).rejects.toMatchObject({ status: 409 });
});
