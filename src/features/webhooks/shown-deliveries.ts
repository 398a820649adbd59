/** Deliveries as admins see them, and which of them are repeated. */
import { type Answer, badBody, badParameter, type Context, refusals, textOf } from '../../core.ts';
import { badValue } from '../../errors/errors.ts';
import { dateFrom, isId } from '../../models/fields/values/ids-and-dates.ts';
import type { Entry, EntryStatus, RepeatQuery } from '../../outbox/contract.ts';
import type { DeliveryData } from './contract.ts';
import { deliveryKind } from './kinds.ts';
import { pageOf } from './pages.ts';
import { laneOf } from './recorder.ts';

const statuses = {
  pending: ['waiting', 'running'],
  ok: ['ok'],
  dead: ['dead'],
} as const satisfies Readonly<Record<string, readonly EntryStatus[]>>;
type DeliveryStatus = keyof typeof statuses;
export const deliveryStatuses = Object.keys(statuses) as readonly DeliveryStatus[];

export const maxReplayed = 1000;

/** The deliveries of a webhook, the newest first. */
export function deliveryPage(context: Context, webhook: string): Promise<Answer> {
  const status = textOf(context.query, 'status');
  if (status !== undefined && !Object.hasOwn(statuses, status))
    throw badParameter(
      'status',
      `must be one of ${deliveryStatuses.join(', ')}, got ${JSON.stringify(status.slice(0, 40))}`,
    );
  const wanted = status === undefined ? undefined : statuses[status as DeliveryStatus];
  return pageOf(context, [webhook, status], async (limit, after) => {
    const { outbox } = context.services;
    const found = await outbox.list({ kind: deliveryKind, group: webhook, statuses: wanted, after, limit });
    return found.map(shownDelivery);
  });
}

/** A delivery as admins see it: `at` is when it was written, `next` when it is tried next. */
function shownDelivery({ id, at, attempts: tries, status, due, data }: Entry) {
  const { type, code = null, ms = null, reason, answer = null } = data as unknown as DeliveryData;
  const isPending = status === 'waiting' || status === 'running';
  return {
    ...{ id, type, at, tries, code, ms, answer },
    status: isPending ? 'pending' : status,
    ...(reason == null ? {} : { reason }),
    ...(status === 'waiting' && due !== undefined ? { next: due } : {}),
  };
}

/** Repeats the deliveries that a body names. @returns how many */
export function replay({ services, body }: Context, webhook: string): Promise<number> {
  const query = { kind: deliveryKind, group: webhook, ...replayed(body) };
  return services.outbox.repeat(query, ({ data }) => {
    const { model, document } = data as unknown as DeliveryData;
    return model === undefined || document === undefined ? undefined : laneOf(webhook, model, document);
  });
}

const replayForms = 'send {"ids": ["<id>"]} or {"since": "<time>", "until": "<time>"}';
const timeRule = 'must be a time such as 2030-01-31T00:00:00Z';

/** The failure of a body that its schema refuses. */
export const badReplay = refusals(
  { ids: `must be a list of 1 to ${maxReplayed} ids of deliveries`, since: timeRule, until: timeRule },
  replayForms,
);

/** @throws 400 */
function replayed(body: unknown): Pick<RepeatQuery, 'ids' | 'since' | 'until'> {
  const { ids, since, until } = body as { ids?: readonly string[]; since?: string; until?: string };
  if (ids !== undefined) {
    if (since !== undefined || until !== undefined) throw badBody(replayForms);
    const wrong = ids.findIndex((id) => !isId(id));
    if (wrong !== -1) throw badValue(`ids.${wrong}`, 'ObjectId', 'must be the id of a delivery');
    return { ids };
  }
  if (since === undefined) throw badBody(replayForms);
  const [from, to] = [timeIn('since', since), until === undefined ? undefined : timeIn('until', until)];
  return { since: from, ...(to === undefined ? {} : { until: to }) };
}

function timeIn(name: string, text: string): Date {
  const date = dateFrom(text);
  if (date !== undefined && !Number.isNaN(date.getTime())) return date;
  throw badValue(name, 'Date', 'must be a time such as 2030-01-31T00:00:00Z');
}
