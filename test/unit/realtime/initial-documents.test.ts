/** Changes behind the documents that a subscription began with: which of them the subscriber has already. */
import { expect, test } from '@jest/globals';
import { SentDocuments } from '../../../src/features/events/subscriptions/sent-documents.ts';
import type { DeliveryContext, Subscription } from '../../../src/features/events/subscriptions/subscription.ts';
import { eventForAll } from '../../../src/features/events/subscriptions/subscription.ts';
import { policyFor } from '../../../src/policy/policy.ts';
import { anonymousPrincipal } from '../../../src/policy/principal.ts';
import type { SequencedChange } from '../../../src/realtime/changes/contract.ts';
import { startServer } from '../../support/server.ts';

type Row = Readonly<Record<string, unknown>>;

test('an event counts as sent only when no match is pending', async () => {
  const models = { open: `module.exports = new (require('mongoose').Schema)({ n: Number }, { perms: { all: 'r' } });` };
  const server = await startServer({ models });
  const model = server.dossier.services.registry.get('open');
  const policy = policyFor(anonymousPrincipal, model);
  const sent = new SentDocuments();
  const subscription = { key: 'a', model, id: undefined, matcher: {} as never, sent } satisfies Subscription;
  const row = (n: number): Row => ({ _id: '1', n, __v: n });
  sent.add('1', row(1), policy);
  sent.complete();

  const change = (event: SequencedChange['event'], before: Row, after?: Row): SequencedChange => ({
    ...{ event, model, id: '1', before, after, user: undefined, silent: false, position: '' },
  });
  let pending = true;
  const evaluator: DeliveryContext['evaluator'] = {
    matches: ({ n }) => !pending && n !== 3,
    undeleted: (given) => given,
    isCostly: () => false,
    get pendingMatch() {
      return pending ? { row: row(1), matchers: [] } : undefined;
    },
  };
  const eventOf = (one: SequencedChange) => eventForAll(one, [subscription], { policy, evaluator });
  const [left, gone] = [change('put', row(2), row(3)), change('del', row(4))];
  eventOf(left);
  pending = false;
  // the database returns `_id` first, wherever the writer gave it
  expect(eventOf(change('put', row(0), { __v: 1, n: 1, _id: '1' }))).toBeUndefined();
  expect(eventOf(change('put', row(1), row(2)))).toBe('put');
  expect(eventOf(change('put', row(1), row(2)))).toBeUndefined();
  pending = true;
  eventOf(gone);
  pending = false;
  expect(eventOf(left)).toBe('del');
  expect(eventOf(gone)).toBeUndefined();
  await server.close();
});
