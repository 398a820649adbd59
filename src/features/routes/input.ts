/** What a handler receives of a request, checked against the schemas of its route. */
import type { Context } from '../../core.ts';
import { validationFailed } from '../../errors/errors.ts';
import type { PathFault } from '../../errors/failure.ts';
import { formBody } from '../../http/query-string.ts';
import { looselyTyped } from '../../models/fields/values/number-values.ts';
import { compiledSchema } from '../../models/schemas/compiled-schema.ts';
import type { CompiledSchema } from '../../models/schemas/contract.ts';
import { DefinitionFault } from '../../models/schemas/faults.ts';
import { faultIn } from '../../models/schemas/faults.ts';
import { isCredential } from '../../query/parameter-table.ts';
import type { CheckedRoute } from './definition.ts';

type PartName = 'params' | 'query' | 'body';
export type Schemas = Readonly<Partial<Record<PartName, CompiledSchema>>>;

/** The compiled schemas of a route. @throws DefinitionFault */
export function schemasOf({ name, parameters, ...route }: CheckedRoute): Schemas {
  const of = (part: PartName): Schemas => {
    const schema = route[part];
    const coercion = part === 'body' ? 'none' : 'text';
    return schema === undefined ? {} : { [part]: compiledSchema(`${name}: ${part}`, schema, coercion) };
  };
  const schemas = { ...of('params'), ...of('query'), ...of('body') };
  const described = Object.keys(schemas.params?.described?.['properties'] ?? {});
  const unknown = described.find((one) => !parameters.includes(one));
  if (unknown !== undefined) throw new DefinitionFault(`${name}: params has ${unknown}, which the path does not name`);
  return schemas;
}

/** The parts of a request. @throws 400 with the faults of each part */
export async function inputOf(
  schemas: Schemas,
  { params, query, body }: Context,
): Promise<Readonly<Record<PartName, unknown>>> {
  const given = { params: { ...params }, query: queryOf(query), body: looselyTyped('the body', body) };
  const faults: PathFault[] = [];
  const checked: Record<PartName, unknown> = { ...given };
  for (const part of ['params', 'query', 'body'] as const) {
    const result = await schemas[part]?.check(given[part]);
    if (result?.faults !== undefined) faults.push(...result.faults.map((fault) => faultIn(titles[part], fault)));
    else if (result !== undefined) checked[part] = result.value;
  }
  if (faults.length > 0) throw validationFailed(faults);
  return checked;
}

/** The query string as plain data, without the credentials in it. */
const queryOf = (query: Context['query']): object =>
  Object.fromEntries(
    Object.entries(query)
      .filter(([name]) => !isCredential(name))
      .map(([name, value]) => [name, formBody(value)]),
  );

const titles: Readonly<Record<PartName, string>> = { params: 'the path', query: 'the query string', body: 'the body' };
