/** Webhooks: creating, changing and ending them, their deliveries, and tests of them. For admins. */
import type { Context } from '../../context.ts';
import {
  date,
  filter,
  flag,
  id,
  integer,
  listOf,
  message,
  object,
  orNull,
  successAnswer,
  text,
} from '../../docs/openapi/shapes.ts';
import { type Answer, data, json, serverValue, success } from '../../operations/answer.ts';
import { ownCheck } from '../../operations/body-check.ts';
import { idIn } from '../../operations/fields.ts';
import { adminAccess, type OperationGroup, type PlainOperation } from '../../operations/operation.ts';
import { overlapIn, rotationBody } from '../../operations/rotation.ts';
import { actorOf } from '../../operations/session-client.ts';
import { parametersNamed } from '../../query/parameter-table.ts';
import { badWebhook, maxDescription, maxModels, maxUrl, valuesOf, type WebhookBody } from './body.ts';
import { deliveryKind, testType, webhookEvents } from './kinds.ts';
import { pageOf } from './pages.ts';
import { badReplay, deliveryPage, deliveryStatuses, maxReplayed, replay } from './shown-deliveries.ts';
import { webhookAnswer, webhooks, type WebhookValues } from './webhooks.ts';

const webhook = {
  ...{ id, url: text, models: listOf(text), events: listOf({ enum: webhookEvents }) },
  filter: orNull(filter),
  ...{ description: orNull(text), active: flag, off_reason: orNull(text), failing_since: orNull(date) },
  ...{ user_id: id, created_at: date },
};
const counted = object({ ...webhook, deliveries: object({ pending: integer, dead: integer }) });
const withSecret = object({ ...message, data: object({ ...webhook, secret: text }) });
const delivery = object(
  {
    ...{ id, type: text, at: date, tries: integer, status: { enum: deliveryStatuses } },
    ...{ code: orNull(integer), ms: orNull(integer), answer: orNull(text) },
  },
  { reason: text, next: date },
);
const page = (item: unknown) => object({ data: listOf(item), limit: integer }, { next_cursor: text });

const values = {
  models: { ...listOf(text), minItems: 1, maxItems: maxModels },
  events: { ...listOf(text), minItems: 1, maxItems: webhookEvents.length },
  filter: ownCheck(orNull(filter)),
  description: orNull({ ...text, maxLength: maxDescription }),
  active: flag,
};
const url = { ...text, maxLength: maxUrl };
const { models, ...optional } = values;
const one = '/webhooks/:id';

export const webhookOperations: OperationGroup = {
  title: 'Webhooks',
  after: 'Events',
  secret: true,
  operations: [
    {
      name: 'webhooks.create',
      http: { method: 'POST', path: '/webhooks' },
      summary: 'Creates a webhook, whose secret is shown once',
      access: adminAccess,
      tracksProgress: true,
      input: { body: { schema: object({ url, models }, optional), refuse: badWebhook } },
      answers: { 201: withSecret },
      run: create,
    },
    {
      name: 'webhooks.list',
      http: { method: 'GET', path: '/webhooks' },
      summary: 'Lists the webhooks, the newest first',
      access: adminAccess,
      input: { query: parametersNamed('limit', 'after') },
      answers: { 200: page(counted) },
      run: (context) => pageOf(context, [], (limit, after) => serviceIn(context).list(limit, after)),
    },
    {
      name: 'webhooks.get',
      http: { method: 'GET', path: one },
      summary: 'Shows a webhook',
      access: adminAccess,
      failures: [404],
      answers: { 200: object({ data: counted }) },
      run: get,
    },
    {
      name: 'webhooks.change',
      http: { method: 'PUT', path: one },
      summary: 'Changes a webhook',
      access: adminAccess,
      tracksProgress: true,
      input: { body: { schema: object({}, { url, ...values }), refuse: badWebhook } },
      failures: [404],
      answers: { 200: object({ ...message, data: object(webhook) }) },
      run: change,
    },
    {
      name: 'webhooks.remove',
      http: { method: 'DELETE', path: one },
      summary: 'Ends a webhook, with its deliveries',
      access: adminAccess,
      tracksProgress: true,
      failures: [404],
      answers: { 200: successAnswer },
      run: remove,
    },
    {
      name: 'webhooks.rotate',
      http: { method: 'POST', path: `${one}/rotate` },
      summary: 'Replaces the secret of a webhook',
      access: adminAccess,
      tracksProgress: true,
      input: { body: rotationBody },
      conflicts: true,
      failures: [404],
      answers: { 200: withSecret },
      run: rotate,
    },
    {
      name: 'webhooks.test',
      http: { method: 'POST', path: `${one}/test` },
      summary: 'Sends a test to the receiver of a webhook',
      access: adminAccess,
      failures: [404],
      answers: { 202: object({ ...message, data: object({ id }) }) },
      run: test,
    },
    {
      name: 'webhooks.deliveries',
      http: { method: 'GET', path: `${one}/deliveries` },
      summary: 'Lists the deliveries of a webhook, the newest first',
      access: adminAccess,
      input: { query: parametersNamed('status', 'limit', 'after') },
      failures: [404],
      answers: { 200: page(delivery) },
      run: async (context) => deliveryPage(context, String((await serviceIn(context).get(idIn(context)))._id)),
    },
    {
      name: 'webhooks.replay',
      http: { method: 'POST', path: `${one}/replay` },
      summary: 'Sends deliveries of a webhook again',
      access: adminAccess,
      input: {
        body: {
          schema: object(
            {},
            { ids: { ...listOf(text), minItems: 1, maxItems: maxReplayed }, since: text, until: text },
          ),
          refuse: badReplay,
        },
      },
      failures: [404],
      answers: { 202: object({ ...message, data: object({ replayed: integer }) }) },
      run: replayAll,
    },
  ] satisfies readonly PlainOperation[],
};

async function get(context: Context): Promise<Answer> {
  const service = serviceIn(context);
  const [found] = await service.counted([webhookAnswer(await service.get(idIn(context)))]);
  return data(serverValue(found));
}

async function create(context: Context): Promise<Answer> {
  const { url: address = '', models: names = [] } = context.body as WebhookBody;
  const given = valuesOf(context);
  const all: WebhookValues = {
    ...{ url: address, models: names, events: webhookEvents, filter: null, description: null, active: true },
    ...given,
  };
  const made = await serviceIn(context).create(actorOf(context), all);
  return json({ status: 'ok', message: 'this is the secret of the webhook: it is not shown again', data: made }, 201);
}

async function change(context: Context): Promise<Answer> {
  const key = idIn(context);
  const service = serviceIn(context);
  const { models: names, filter: text = null } = await service.get(key);
  const changed = await service.change(actorOf(context), key, valuesOf(context, { models: names, filter: text }));
  return success('the webhook is changed', { data: changed });
}

async function remove(context: Context): Promise<Answer> {
  await serviceIn(context).remove(actorOf(context), idIn(context));
  return success('the webhook has ended, with its deliveries');
}

async function rotate(context: Context): Promise<Answer> {
  const made = await serviceIn(context).rotate(actorOf(context), idIn(context), overlapIn(context.body));
  return success('this is the new secret: it is not shown again', { data: made });
}

/** It is sent to a webhook that is switched off, too, so that a receiver can be tried first. */
async function test(context: Context): Promise<Answer> {
  const { outbox } = context.services;
  const { _id } = await serviceIn(context).get(idIn(context));
  const [made = ''] = await outbox.add([{ kind: deliveryKind, group: String(_id), data: { type: testType } }]);
  return json({ status: 'ok', message: 'the test is being sent', data: { id: made } }, 202);
}

async function replayAll(context: Context): Promise<Answer> {
  const { _id } = await serviceIn(context).get(idIn(context));
  const replayed = await replay(context, String(_id));
  return json({ status: 'ok', message: 'the deliveries are being sent again', data: { replayed } }, 202);
}

const serviceIn = ({ services }: Context): ReturnType<typeof webhooks> => services.of(webhooks);
