/** Named keys: creating, listing, rotating and ending them. */
import {
  actorOf,
  type Answer,
  type Context,
  data,
  json,
  type OperationGroup,
  parametersNamed,
  type PlainOperation,
  refusals,
  type ServerDescription,
  serverValue,
  shapes,
  signedInAccess,
  signInFirst,
  success,
  unknownDocument,
} from '../../core.ts';
import { idIn } from '../../operations/fields.ts';
import { overlapIn, rotationBody } from '../../operations/rotation.ts';
import { targetUserId } from '../../operations/target-user.ts';
import { type KeyBody, keyLimits } from './key-limits.ts';
import { namedKeys } from './named-keys.ts';

const path = '/login/keys';
const maxName = 100;
const maxAddresses = 100;

const shown = {
  id: shapes.id,
  name: shapes.text,
  scopes: shapes.orNull(shapes.mapOf({ oneOf: [{ type: 'string', pattern: '^[crud]*$' }, { const: true }] })),
  addresses: shapes.orNull(shapes.listOf(shapes.text)),
  created_at: shapes.date,
  expires_at: shapes.orNull(shapes.date),
  last_used_at: shapes.orNull(shapes.date),
};
const withSecret = shapes.object({ ...shapes.message, data: shapes.object({ ...shown, key: shapes.text }) });

export const keyOperations = ({ groups }: Pick<ServerDescription, 'groups'>): OperationGroup => ({
  title: 'Keys',
  after: 'Sessions',
  secret: true,
  operations: [creation(groups), ...others],
});

const creation = (groups: ServerDescription['groups']): PlainOperation => ({
  name: 'keys.create',
  http: { method: 'POST', path },
  summary: 'Creates a named key, which is shown once',
  access: signedInAccess,
  tracksProgress: true,
  input: {
    body: {
      schema: shapes.object(
        { name: { ...shapes.text, pattern: '\\S', maxLength: maxName } },
        {
          scopes: { ...shapes.mapOf({ oneOf: [shapes.text, { const: true }] }), type: 'object' },
          expires_at: shapes.text,
          addresses: { ...shapes.listOf(shapes.text), minItems: 1, maxItems: maxAddresses },
        },
      ),
      refuse: refusals(
        {
          name: `must be text of 1 to ${maxName} characters`,
          scopes: 'must be an object of letters by model, such as {"book": "r"}, and true by route',
          expires_at: 'must be a date such as 2030-01-31T00:00:00Z',
          addresses: `must be a list of 1 to ${maxAddresses} addresses such as 10.0.0.0/8`,
        },
        'send an object with the name of the key',
      ),
    },
  },
  answers: { 201: withSecret },
  run: (context) => create(context, groups),
});

const others: readonly PlainOperation[] = [
  {
    name: 'keys.list',
    http: { method: 'GET', path },
    summary: "Lists the caller's named keys",
    access: signedInAccess,
    input: { query: parametersNamed('user') },
    failures: [404],
    answers: { 200: shapes.object({ data: shapes.listOf(shapes.object(shown)) }) },
    run: async (context) => data(serverValue(await context.services.of(namedKeys).list(await targetUserId(context)))),
  },
  {
    name: 'keys.remove',
    http: { method: 'DELETE', path: `${path}/:id` },
    summary: 'Ends a named key',
    access: signedInAccess,
    tracksProgress: true,
    input: { query: parametersNamed('user') },
    answers: { 200: shapes.successAnswer },
    run: remove,
  },
  {
    name: 'keys.rotate',
    http: { method: 'POST', path: `${path}/:id/rotate` },
    summary: 'Replaces the secret of a named key',
    access: signedInAccess,
    tracksProgress: true,
    input: { body: rotationBody },
    conflicts: true,
    answers: { 200: withSecret },
    run: rotate,
  },
];

/** The scopes by which operations are open to keys. */
const routeScopes = (groups: readonly OperationGroup[]): ReadonlySet<string> =>
  new Set(groups.flatMap(({ operations }) => operations.flatMap((row) => ('scope' in row ? [row.scope] : []))));

async function create(context: Context, groups: ServerDescription['groups']): Promise<Answer> {
  const { services, principal, body } = context;
  const { user, epoch } = principal;
  if (user === undefined || epoch === undefined) throw signInFirst();
  const given = body as KeyBody;
  const limits = keyLimits(given, {
    registry: services.registry,
    routes: routeScopes(groups()),
    now: services.clock(),
  });
  const by = { ...actorOf(context), user: user.id, epoch };
  const made = await services.of(namedKeys).create(by, given.name.trim(), limits);
  return json({ status: 'ok', message: 'this is your new key: it is not shown again', data: made }, 201);
}

async function remove(context: Context): Promise<Answer> {
  const key = idIn(context);
  if (!(await context.services.of(namedKeys).remove(await targetUserId(context), key, actorOf(context))))
    throw unknownDocument('key', key);
  return success('the key has ended');
}

async function rotate(context: Context): Promise<Answer> {
  const { services, principal, body } = context;
  if (principal.user === undefined) throw signInFirst();
  const key = idIn(context);
  const made = await services
    .of(namedKeys)
    .rotate({ ...actorOf(context), user: principal.user.id }, key, overlapIn(body));
  if (made === undefined) throw unknownDocument('key', key);
  return success('this is the new key: it is not shown again', { data: made });
}
