/** Which models there are, and what they are like; each caller sees those on which they have some right. */
import { maySee } from '../access/decide.ts';
import type { Context } from '../context.ts';
import { unknownModel } from '../errors.ts';
import { data, type Answer } from './answer.ts';
import { open, type RouteGroup } from './operation.ts';
import { describe } from '../registry/describe.ts';

const reason = 'shows only models on which the caller has some right';

export const models: RouteGroup = {
  title: 'Models',
  endpoints: [
    { method: 'GET', path: '/model', access: open(reason), summary: 'Lists the models', run: list },
    { method: 'GET', path: '/model/:name', access: open(reason), summary: 'Describes a model', run: one },
  ],
};

function list({ services, principal }: Context): Answer {
  return data(services.registry.served.filter((model) => maySee(principal, model)).map(describe));
}

function one({ services, principal, params }: Context): Answer {
  const model = services.registry.get(params['name'] ?? '');
  if (!maySee(principal, model)) throw unknownModel(model.name);
  return data(describe(model));
}
