/** Subscriptions to changes of documents. The transport delivers the events: Server-Sent Events or the WebSocket. */
import {
  type Actor,
  badParameter,
  type Filter,
  filterFromJson,
  flagOf,
  letter,
  type ModelContext,
  type ModelOperation,
  type OperationGroup,
  parametersNamed,
  type Row,
  shapes,
  textOf,
} from '../../core.ts';
import { hasChanges } from '../../models/entry.ts';
import { documentId } from '../../models/fields/document-id.ts';
import type { StreamAnswer } from '../../operations/answer.ts';
import { fieldsOf } from '../../operations/fields.ts';
import { documentsIntent } from '../../operations/reading/intents.ts';
import { changeFeed } from '../../ports/core.ts';
import { allOf } from '../../query/and.ts';
import { filterFromQuery } from '../../query/filter.ts';
import { findElement, plainElement, plainRow } from '../../read/bytes/layout.ts';
import { fetchSlice, sourceOf } from '../../read/fetch.ts';
import type { ListIntent } from '../../read/intents.ts';
import { withLinkedIds } from '../../read/link-filters.ts';
import { planList } from '../../read/plan.ts';
import { subscribers } from './subscribers.ts';
import type { SubscriptionRequest } from './subscriptions/contract.ts';
import { eventStream } from './subscriptions/event-stream.ts';

const idName = Buffer.from('_id');

/** All documents of a list as stored, in the order of their ids, at most as many together as the page of the intent has. Only `policy/present` may show them. */
async function* walk(actor: Actor, intent: ListIntent): AsyncGenerator<readonly Row[]> {
  const { shares } = actor.services;
  const plan = await withLinkedIds(actor, planList(actor, { ...intent, sort: undefined }));
  const { limit } = plan.page;
  const source = sourceOf(actor);
  for (let range: Filter | undefined; ;) {
    const slice = { range, isReversed: false, skip: 0, limit };
    const rows = await shares.lists(actor, () => fetchSlice(plan, slice, source));
    if (rows.length > 0) yield rows.map(plainRow);
    const last = rows.at(-1);
    if (last === undefined || limit === undefined || rows.length < limit) return;
    range = { _id: { $gt: plainElement(last, findElement(last, 0, idName)) } };
  }
}

const shared = {
  opensStream: true,
  hasModel: hasChanges,
  access: letter('r'),
  answers: { 200: shapes.textOf('text/event-stream') },
  run: subscription,
} as const;

/** A GET has no body (RFC 9110, 9.3.1); the WebSocket sends filters in it. */
const body = { schema: shapes.object({}, { filter: shapes.filter }), optional: true } as const;

export const subscribeToModel: ModelOperation = {
  ...shared,
  name: 'events.subscribe',
  http: { method: 'GET', path: '/events/:model' },
  summary: 'Streams changes as they happen',
  readsMany: true,
  hook: 'get',
  input: { query: parametersNamed('filter', 'since', 'snapshot', 'ticket'), body },
};

export const subscribeToDocument: ModelOperation = {
  ...shared,
  name: 'events.subscribeToDocument',
  http: { method: 'GET', path: '/events/:model/:id' },
  summary: 'Streams changes of one document',
  hook: 'getOne',
  input: { query: parametersNamed('since', 'snapshot', 'ticket'), body },
};

export const eventOperations: OperationGroup = {
  title: 'Events',
  after: 'Models',
  operations: [subscribeToModel, subscribeToDocument],
};

/** Over HTTP, Server-Sent Events (WHATWG HTML, 9.2); the WebSocket reads the request. */
export interface SubscriptionAnswer extends StreamAnswer {
  readonly request: SubscriptionRequest;
}

const headers = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
};

function subscription(context: ModelContext): SubscriptionAnswer {
  const request = requestOf(context);
  const { services } = context;
  const parts = { subscribers: services.of(subscribers), feed: services.of(changeFeed) };
  return { kind: 'stream', headers, request, begin: (cut) => eventStream(request, context, { ...parts, cut }) };
}

/** The subscription that the caller requests. A query string contains the filter as text, a body as JSON. @throws 400 */
function requestOf(context: ModelContext): SubscriptionRequest {
  const { model, grant, params, query, body, restrictions, headers: sent, services } = context;
  const { view } = grant.policy;
  const { id } = params;
  const { filter: json } = fieldsOf(body);
  const filters = [
    filterFromQuery(query['filter'], view),
    json === undefined ? undefined : filterFromJson(json, view, services.clock),
    restrictions.hook,
  ].filter((one) => one !== undefined);
  const filter = filters.length === 0 ? undefined : allOf(filters);
  const since = lastEventId(sent['last-event-id']) ?? textOf(query, 'since');
  const of = id === undefined ? undefined : documentId(model, 'id', id);
  // a browser that reconnects after all documents have been sent needs the changes only
  const begins = flagOf(query, 'snapshot') && since === undefined;
  return {
    model,
    id: of === undefined ? undefined : String(of),
    filter,
    since,
    documents: begins ? () => walk(context, documentsIntent(context, filter, of)) : undefined,
  };
}

/** A browser that reconnects sends the id of the last event with the original address. */
function lastEventId(header: string | readonly string[] | undefined): string | undefined {
  if (header !== undefined && typeof header !== 'string') throw badParameter('Last-Event-ID', 'must have one value');
  return header === '' ? undefined : header;
}
