/** Changes of documents as they happen, as Server-Sent Events. */
import type { ModelContext } from '../context.ts';
import { badParameter } from '../errors.ts';
import { filterFromQuery } from '../language/filter.ts';
import { allOf } from '../language/merge.ts';
import { textOf } from '../language/tree.ts';
import { eventStream } from '../live/stream.ts';
import type { Answer } from './answer.ts';
import { letter, type RouteGroup } from './operation.ts';
import { castId } from '../registry/cast.ts';
import type { Wish } from '../services.ts';

const shared = { method: 'GET', access: letter('r'), run: listen } as const;

export const events: RouteGroup = {
  title: 'Events',
  endpoints: [
    { ...shared, path: '/events/:model', hook: 'get', summary: 'Tells of changes as they happen' },
    { ...shared, path: '/events/:model/:id', hook: 'getOne', summary: 'Tells of changes of one document' },
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
