/** Lists and describes the models. Each caller sees the models on which they have some right. */
import type { Context } from '../context.ts';
import { listOf, object } from '../docs/openapi/shapes.ts';
import { unknownModel } from '../errors.ts';
import { describe, type ModelDescription } from '../models/describe.ts';
import type { ModelEntry } from '../models/entry.ts';
import { maySee } from '../policy/decide.ts';
import { policyFor } from '../policy/policy.ts';
import type { Principal } from '../policy/principal.ts';
import { type Answer, data } from './answer.ts';
import { open, type OperationGroup, type PlainOperation } from './operation.ts';

const access = open('shows only models on which the caller has some right');
const describedTo = (principal: Principal, model: ModelEntry): ModelDescription =>
  describe(model, policyFor(principal, model).shownView.shows);

const described = { $ref: '#/components/schemas/_model' };

export const models: OperationGroup = {
  title: 'Models',
  operations: [
    {
      name: 'models.list',
      http: { method: 'GET', path: '/model' },
      summary: 'Lists the models',
      effect: 'read',
      access,
      answers: { 200: object({ data: listOf(described) }) },
      run: ({ services, principal }) =>
        data(
          services.registry.served
            .filter((model) => maySee(principal, model))
            .map((model) => describedTo(principal, model)),
        ),
    },
    {
      name: 'models.get',
      http: { method: 'GET', path: '/model/:name' },
      summary: 'Describes a model',
      effect: 'read',
      access,
      answers: { 200: object({ data: described }) },
      run: one,
    },
  ] satisfies readonly PlainOperation[],
};

function one({ services, principal, params }: Context): Answer {
  const model = services.registry.get(params['name'] ?? '');
  if (!maySee(principal, model)) throw unknownModel(model.name);
  return data(describedTo(principal, model));
}
