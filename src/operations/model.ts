/** Lists and describes the models. Each caller sees the models on which they have some right. */
import type { Context } from '../context.ts';
import { listOf, object, rights } from '../docs/openapi/shapes.ts';
import { adminOnly, badParameter, unknownDocument } from '../errors/errors.ts';
import { castId } from '../models/fields/values/ids-and-dates.ts';
import { maySee } from '../policy/grants.ts';
import { policyFor } from '../policy/policy.ts';
import type { Principal } from '../policy/principal.ts';
import { visibleModel } from '../policy/served-models.ts';
import { parametersNamed } from '../query/parameter-table.ts';
import { flagOf } from '../query/parameter-tree.ts';
import { modelDescription, rightsOf, rowForRights } from '../read/described.ts';
import { type Answer, data } from './answer.ts';
import { openAccess, type OperationGroup, type PlainOperation } from './operation.ts';

const shared = {
  access: openAccess('shows only models on which the caller has some right'),
  openToScopes: true,
} as const;

const described = { $ref: '#/components/schemas/_model' };

export const models: OperationGroup = {
  title: 'Models',
  operations: [
    {
      name: 'models.list',
      http: { method: 'GET', path: '/model' },
      summary: 'Lists the models',
      ...shared,
      input: { query: parametersNamed('rights', 'own') },
      answers: { 200: object({ data: listOf(described) }) },
      run: list,
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

function list(context: Context): Answer {
  const { services, principal, query } = context;
  // a bare name, `GET /model?rights`, is on
  const addsRights = query['rights'] === '' || flagOf(query, 'rights');
  const { served, own } = services.registry;
  const all = flagOf(query, 'own') ? [...served, ...own] : served;
  const seen = all.filter((model) => maySee(principal, model));
  return data(
    seen.map((model) => ({
      ...modelDescription(context, model),
      ...(addsRights ? { rights: rightsOf(policyFor(principal, model)) } : {}),
    })),
  );
}

/** @throws 404 for a model, a document or a user that the caller may not see, 401 or 403 for the rights of others */
async function rightsFor(context: Context): Promise<Answer> {
  const { services, principal, params, query } = context;
  const model = visibleModel(services.registry, params['name'] ?? '', principal);
  const subject = query['user'] === undefined ? principal : await otherUser(context, oneText(query, 'user'));
  const id = query['id'] === undefined ? undefined : oneText(query, 'id');
  const policy = policyFor(subject, model);
  return data(rightsOf(policy, id === undefined ? undefined : await rowForRights(context, policy, id)));
}

async function otherUser({ services, principal }: Context, id: string): Promise<Principal> {
  if (!principal.admin) throw adminOnly(principal, 'user');
  const user = await services.auth.principalOfUser(castId('user', id).toHexString());
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
  return data(modelDescription(context, model));
}
