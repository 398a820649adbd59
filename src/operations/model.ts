/** Lists and describes the models. Each caller sees the models on which they have some right. */
import type { Context } from '../context.ts';
import { listOf, mapOf, object, text } from '../docs/openapi/shapes.ts';
import { adminOnly, badParameter, unknownDocument } from '../errors.ts';
import { maySee } from '../policy/grants.ts';
import { policyFor } from '../policy/policy.ts';
import type { Principal } from '../policy/principal.ts';
import { visibleModel } from '../policy/served-models.ts';
import { parametersNamed } from '../query/parameter-table.ts';
import { describedTo } from '../read/described.ts';
import { rightsOf } from '../read/rights.ts';
import { type Answer, data } from './answer.ts';
import { open, type OperationGroup, type PlainOperation } from './operation.ts';

const shared = {
  effect: 'read',
  access: open('shows only models on which the caller has some right'),
  openToScopes: true,
} as const;

const described = { $ref: '#/components/schemas/_model' };

const extent = { enum: ['all', 'some', 'own', 'none', true, false] };
const rights = object({
  model: text,
  rows: object({ c: extent, r: extent, u: extent, d: extent }),
  fields: mapOf({ type: 'string', pattern: '^c?r?u?$' }),
});

export const models: OperationGroup = {
  title: 'Models',
  operations: [
    {
      name: 'models.list',
      http: { method: 'GET', path: '/model' },
      summary: 'Lists the models',
      ...shared,
      answers: { 200: object({ data: listOf(described) }) },
      run: (context) =>
        data(
          context.services.registry.served
            .filter((model) => maySee(context.principal, model))
            .map((model) => describedTo(context, model)),
        ),
    },
    {
      name: 'models.get',
      http: { method: 'GET', path: '/model/:name' },
      summary: 'Describes a model',
      ...shared,
      answers: { 200: object({ data: described }) },
      run: one,
    },
    {
      name: 'models.rights',
      http: { method: 'GET', path: '/model/:name/rights' },
      summary: 'Lists what the caller may do with a model, its fields, or one document',
      ...shared,
      input: { query: parametersNamed('id', 'user') },
      answers: { 200: object({ data: rights }) },
      failures: [403],
      run: rightsFor,
    },
  ] satisfies readonly PlainOperation[],
};

/** @throws 404 for a model, a document or a user that the caller may not see, 401 or 403 for the rights of others */
async function rightsFor(context: Context): Promise<Answer> {
  const { services, principal, params, query } = context;
  const model = visibleModel(services.registry, params['name'] ?? '', principal);
  const subject = query['user'] === undefined ? principal : await otherUser(context, oneText(query, 'user'));
  const id = query['id'] === undefined ? undefined : oneText(query, 'id');
  return data(await rightsOf(context, policyFor(subject, model), id));
}

async function otherUser({ services, principal }: Context, id: string): Promise<Principal> {
  if (!principal.admin) throw adminOnly(principal, 'user');
  const user = await services.auth.principalOfUser(id);
  if (user === undefined) throw unknownDocument('user', id);
  return user;
}

function oneText(query: Context['query'], name: string): string {
  const value = query[name];
  if (typeof value !== 'string' || value === '') throw badParameter(name, 'takes one id');
  return value;
}

function one(context: Context): Answer {
  const { services, principal, params } = context;
  const model = visibleModel(services.registry, params['name'] ?? '', principal);
  return data(describedTo(context, model));
}
