/** The routes of a project as operations: a row for each, which its author wrote. */
import { anyValue, type JsonSchema, object } from '../../docs/openapi/shapes.ts';
import type { OperationGroup, PlainOperation } from '../../operations/operation.ts';
import { SettingsError } from '../../settings/read.ts';
import type { Project } from '../feature.ts';
import { accessOf } from './access.ts';
import { TakenPaths } from './clashes.ts';
import { type CheckedRoute, checkedRoute } from './definition.ts';
import { collecting } from './faults.ts';
import { routesIn, routesOf } from './files.ts';
import { schemasOf } from './input.ts';
import { runRoute } from './run.ts';
import { answerDescription } from './schema.ts';

/** @throws SettingsError with the faults of all files, each of which names its file */
export async function projectRoutes({
  settings,
  config,
  registry,
  load,
  groups,
}: Project): Promise<readonly OperationGroup[]> {
  const faults: string[] = [];
  const found = [...(await routesIn(settings.routes_dir, load, faults)), ...routesOf(config)];
  const taken = new TakenPaths(groups);
  const operations = found.flatMap(
    ({ where, given }) =>
      collecting(faults, where, () => {
        const route = checkedRoute(given);
        const operation = operationOf(route, registry);
        taken.add(route, where);
        return operation;
      }) ?? [],
  );
  if (faults.length > 0) throw new SettingsError(faults);
  return operations.length === 0 ? [] : [{ title: 'Routes', after: 'Functions', operations: operations.sort(byPath) }];
}

/** Paths are tried in their order, and one with a name is more special than one with a parameter. */
const byPath = (one: PlainOperation, other: PlainOperation): number => (orderOf(one) < orderOf(other) ? -1 : 1);
const orderOf = ({ http }: PlainOperation): string => `${http.path.replaceAll(':', '\uffff')} ${http.method}`;

/** @throws RouteFault */
function operationOf(route: CheckedRoute, registry: Project['registry']): PlainOperation {
  const { name, method, path, access, summary, answer, timeoutMs } = route;
  const schemas = schemasOf(route);
  const { params, query, body } = schemas;
  return {
    name: `routes.${method.toLowerCase()}${path.replace(/\/:?/g, '.')}`,
    http: { method, path },
    summary: summary ?? name,
    access: accessOf(route, registry),
    ...(access === 'all' ? { openToScopes: true } : { scope: name }),
    ...(method === 'GET' ? {} : { takesKey: true }),
    runsModelCode: true,
    conflicts: true,
    timeoutMs,
    input: {
      freeQuery: true,
      own: { params: params?.described, query: query?.described },
      ...(method === 'GET'
        ? {}
        : {
            body: {
              schema: body?.described ?? {},
              hasOwnNames: true as const,
              ...(body === undefined ? { optional: true } : {}),
            },
          }),
    },
    answers: { 200: answer === undefined ? 'any' : object({ data: answerSchema(name, answer) }) },
    run: (context) => runRoute(route, schemas, context),
  };
}

const answerSchema = (name: string, answer: NonNullable<CheckedRoute['answer']>): JsonSchema =>
  answerDescription(`${name}: answer`, answer) ?? anyValue('What the route answers');
