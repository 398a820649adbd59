/** Webhooks: creating, changing and ending them, their deliveries, and tests of them. For admins. */
import {
  actorOf,
  adminAccess,
  type Answer,
  type Context,
  data,
  json,
  type OperationGroup,
  ownCheck,
  parametersNamed,
  type PlainOperation,
  serverValue,
  shapes,
  success,
} from '../../core.ts';
import { idIn } from '../../operations/fields.ts';
import { overlapIn, rotationBody } from '../../operations/rotation.ts';
import { badWebhook, maxDescription, maxModels, maxUrl, valuesOf, type WebhookBody } from './body.ts';
import { deliveryKind, testType, webhookEvents } from './kinds.ts';
import { pageOf } from './pages.ts';
import { badReplay, deliveryPage, deliveryStatuses, maxReplayed, replay } from './shown-deliveries.ts';
import { webhookAnswer, webhooks, type WebhookValues } from './webhooks.ts';

const webhook = {
  ...{
    id: shapes.id,
    url: shapes.text,
    models: shapes.listOf(shapes.text),
    events: shapes.listOf({ enum: webhookEvents }),
  },
  filter: shapes.orNull(shapes.filter),
  ...{
    description: shapes.orNull(shapes.text),
    active: shapes.flag,
    off_reason: shapes.orNull(shapes.text),
    failing_since: shapes.orNull(shapes.date),
  },
  ...{ user_id: shapes.id, created_at: shapes.date },
};
const counted = shapes.object({
  ...webhook,
  deliveries: shapes.object({ pending: shapes.integer, dead: shapes.integer }),
});
const withSecret = shapes.object({ ...shapes.message, data: shapes.object({ ...webhook, secret: shapes.text }) });
const delivery = shapes.object(
  {
    ...{ id: shapes.id, type: shapes.text, at: shapes.date, tries: shapes.integer, status: { enum: deliveryStatuses } },
    ...{ code: shapes.orNull(shapes.integer), ms: shapes.orNull(shapes.integer), answer: shapes.orNull(shapes.text) },
  },
  { reason: shapes.text, next: shapes.date },
);
const page = (item: unknown) =>
  shapes.object({ data: shapes.listOf(item), limit: shapes.integer }, { next_cursor: shapes.text });

const values = {
  models: { ...shapes.listOf(shapes.text), minItems: 1, maxItems: maxModels },
  events: { ...shapes.listOf(shapes.text), minItems: 1, maxItems: webhookEvents.length },
  filter: ownCheck(shapes.orNull(shapes.filter)),
  description: shapes.orNull({ ...shapes.text, maxLength: maxDescription }),
  active: shapes.flag,
};
const url = { ...shapes.text, maxLength: maxUrl };
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
      input: { body: { schema: shapes.object({ url, models }, optional), refuse: badWebhook } },
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
      answers: { 200: shapes.object({ data: counted }) },
      run: get,
    },
    {
      name: 'webhooks.change',
      http: { method: 'PUT', path: one },
      summary: 'Changes a webhook',
      access: adminAccess,
      tracksProgress: true,
      input: { body: { schema: shapes.object({}, { url, ...values }), refuse: badWebhook } },
      failures: [404],
      answers: { 200: shapes.object({ ...shapes.message, data: shapes.object(webhook) }) },
      run: change,
    },
    {
      name: 'webhooks.remove',
      http: { method: 'DELETE', path: one },
      summary: 'Ends a webhook, with its deliveries',
      access: adminAccess,
      tracksProgress: true,
      failures: [404],
      answers: { 200: shapes.successAnswer },
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
      answers: { 202: shapes.object({ ...shapes.message, data: shapes.object({ id: shapes.id }) }) },
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
          schema: shapes.object(
            {},
            {
              ids: { ...shapes.listOf(shapes.text), minItems: 1, maxItems: maxReplayed },
              since: shapes.text,
              until: shapes.text,
            },
          ),
          refuse: badReplay,
        },
      },
      failures: [404],
      answers: { 202: shapes.object({ ...shapes.message, data: shapes.object({ replayed: shapes.integer }) }) },
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
