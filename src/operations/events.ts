/** Changes of documents as they happen, as Server-Sent Events. */
import type { ModelContext } from '../context.ts';
import { badParameter } from '../errors.ts';
import { filterFromQuery } from '../language/filter.ts';
import { allOf } from '../language/merge.ts';
import { parametersNamed } from '../language/parameters.ts';
import { textOf } from '../language/tree.ts';
import { eventStream } from '../live/stream.ts';
import { castId } from '../registry/cast.ts';
import { textOf as textBody } from '../openapi/shapes.ts';
import type { Wish } from '../services.ts';
import type { Answer } from './answer.ts';
import { letter, type OperationGroup } from './operation.ts';

const shared = {
  effect: 'read',
  access: letter('r'),
  answers: { 200: textBody('text/event-stream') },
  run: listen,
} as const;

export const events: OperationGroup = {
  title: 'Events',
  operations: [
    {
      ...shared,
      name: 'events.subscribe',
      http: { method: 'GET', path: '/events/:model' },
      summary: 'Tells of changes as they happen',
      hook: 'get',
      input: { query: parametersNamed('filter', 'since') },
    },
    {
      ...shared,
      name: 'events.subscribeToDocument',
      http: { method: 'GET', path: '/events/:model/:id' },
      summary: 'Tells of changes of one document',
      hook: 'getOne',
      input: { query: parametersNamed('since') },
    },
  ],
};

async function listen(context: ModelContext): Promise<Answer> {
  const { principal, services, signal, address, verify } = context;
  const { live, feed } = services;
  const caller = principal.user?.id ?? address;
  const cut = new AbortController();
  const body = eventStream(wishFrom(context), { live, feed, principal, verify, caller, address, signal, cut });
  // what can be refused is refused before the answer begins
  await body.next();
  return {
    kind: 'stream',
    type: 'text/event-stream; charset=utf-8',
    body,
    cut: cut.signal,
    headers: { 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' },
  };
}

/** @throws 400 */
function wishFrom({ model, params, query, filter, headers }: ModelContext): Wish {
  const { id } = params;
  return {
    model,
    id: id === undefined ? undefined : castId('id', id).toHexString(),
    filter: allOf([filterFromQuery(query['filter'], model.schema), filter]),
    since: lastEventId(headers['last-event-id']) ?? textOf(query, 'since'),
  };
}

/** A browser that connects anew says what it heard last beside the address that it began with. */
function lastEventId(header: string | readonly string[] | undefined): string | undefined {
  if (header !== undefined && typeof header !== 'string') throw badParameter('Last-Event-ID', 'takes one value');
  return header === '' ? undefined : header;
}
