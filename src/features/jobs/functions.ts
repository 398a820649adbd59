/** The functions that jobs run: all statics of the served models, by names such as `film.recompute`. */
import { type ModelEntry, modelOf, type Registry, suggestion } from '../../core.ts';
import { staticNamesOf, staticOf } from '../../models/mongoose.ts';

export interface JobFunction {
  /** With the name of the model as it is served. */
  readonly name: string;
  readonly model: ModelEntry;
  readonly call: (...given: unknown[]) => unknown;
}

/** @returns undefined for a function that there is not */
export function functionNamed(registry: Pick<Registry, 'find'>, name: string): JobFunction | undefined {
  const [model, method] = partsOf(registry, name);
  if (model === undefined || !staticNamesOf(model).includes(method)) return undefined;
  const run = staticOf(model, method) as (this: unknown, ...given: unknown[]) => unknown;
  return { name: `${model.name}.${method}`, model, call: (...given) => run.call(modelOf(model), ...given) };
}

/** A sentence about a function that there is not, with the nearest one. */
export function unknownFunction(registry: Pick<Registry, 'find' | 'served'>, name: string): string {
  const [model, method] = partsOf(registry, name);
  const [known, named] =
    model === undefined
      ? [registry.served.map((one) => one.name), name.split('.', 1)[0] ?? '']
      : [staticNamesOf(model), method];
  const what = model === undefined ? 'no model is named' : `${model.name} has no static`;
  return `${what} ${JSON.stringify(named.slice(0, 60))}${suggestion(named, known)}`;
}

function partsOf({ find }: Pick<Registry, 'find'>, name: string): readonly [ModelEntry | undefined, string] {
  const dot = name.indexOf('.');
  const model = dot === -1 ? undefined : find(name.slice(0, dot));
  // the functions of own models are called on documents
  return model === undefined || model.isOwn ? [undefined, ''] : [model, name.slice(dot + 1)];
}
