/** The routes of a project as operations: a row for each, which its author wrote. */
import {
  adminAccess,
  type JsonSchema,
  letters,
  openAccess,
  type OperationGroup,
  type PlainOperation,
  type Project,
  type Registry,
  SettingsError,
  shapes,
  signedInAccess,
  suggestion,
} from '../../core.ts';
import { answerDescription } from '../../models/schemas/compiled-schema.ts';
import { collectFault, DefinitionFault, valueText } from '../../models/schemas/faults.ts';
import type { PlainAccess } from '../../operations/operation.ts';
import { reservedGroups } from '../../policy/principal.ts';
import { type CheckedRoute, checkedRoute } from './definition.ts';
import { routesIn, routesOf } from './files.ts';
import { schemasOf } from './input.ts';
import { runRoute } from './run.ts';

/** What the access of a route may be. */
const accepted = "'all', 'user', 'admin', { group: 'name' } or { model: 'name', letter: 'r' }";

/** Who may use a route. @throws DefinitionFault for an access that is unknown, or names an unknown model, letter or group */
function accessOf({ name, access }: CheckedRoute, registry: Registry): PlainAccess {
  if (access === 'all') return openAccess('the project opens this route to every caller');
  if (access === 'user') return signedInAccess;
  if (access === 'admin') return adminAccess;
  const parts: Readonly<Record<string, unknown>> = typeof access === 'object' && access !== null ? { ...access } : {};
  const keys = Object.keys(parts).sort().join();
  if (keys === 'group') return groupAccess(name, parts['group']);
  if (keys === 'letter,model') return rightAccess(name, parts, registry);
  throw new DefinitionFault(`${name}: access must be ${accepted}, got ${valueText(access)}`);
}

function groupAccess(name: string, group: unknown): PlainAccess {
  if (typeof group !== 'string' || group.trim() === '' || reservedGroups.has(group))
    throw new DefinitionFault(`${name}: access.group must be the name of a group, got ${valueText(group)}`);
  return { kind: 'group', group };
}

function rightAccess(name: string, parts: Readonly<Record<string, unknown>>, registry: Registry): PlainAccess {
  const letter = letters.find((one) => one === parts['letter']);
  if (letter === undefined)
    throw new DefinitionFault(
      `${name}: access.letter must be one of ${letters.join(', ')}, got ${valueText(parts['letter'])}`,
    );
  const wanted = parts['model'];
  const model = typeof wanted === 'string' ? registry.find(wanted) : undefined;
  if (model !== undefined) return { kind: 'right', model, letter };
  const known = registry.served.map((entry) => entry.name);
  const hint = typeof wanted === 'string' ? suggestion(wanted, known) : '';
  throw new DefinitionFault(`${name}: access.model must be the name of a model, got ${valueText(wanted)}${hint}`);
}

/** Paths that are taken: by endpoints of the server, and by other routes. */
interface Taken {
  readonly name: string;
  readonly where: string;
  readonly path: string;
}

/** A path as it is matched: in any letter case, whatever the names of its parameters. */
const shapeOf = (path: string): string => path.toLowerCase().replace(/:[^/]+/g, ':');
const firstOf = (path: string): string => path.toLowerCase().split('/')[1] ?? '';

/** The paths of a server, to which those of its routes are added one after the other. */
class TakenPaths {
  readonly #ours: ReadonlySet<string>;
  readonly #byMethod = new Map<string, Taken>();
  readonly #byShape = new Map<string, Taken>();

  /** @param groups all operations of the server, switched on or not: a setting must not make a path clash */
  constructor(groups: readonly OperationGroup[]) {
    this.#ours = new Set(groups.flatMap(({ operations }) => operations.map(({ http }) => firstOf(http.path))));
  }

  /** @throws DefinitionFault */
  add({ method, path, name }: CheckedRoute, where: string): void {
    const first = firstOf(path);
    if (this.#ours.has(first))
      throw new DefinitionFault(
        `${name}: paths that begin with /${first} are those of the server: begin it with another name`,
      );
    const shape = shapeOf(path);
    const key = `${method} ${shape}`;
    const same = this.#byMethod.get(key);
    if (same !== undefined) throw new DefinitionFault(`${name} is taken by ${same.name} of ${same.where}`);
    const other = this.#byShape.get(shape);
    if (other !== undefined && other.path.toLowerCase() !== path.toLowerCase())
      throw new DefinitionFault(
        `${name}: ${other.name} of ${other.where} has other names for the same parameters: use those`,
      );
    const taken = { name, where, path };
    this.#byMethod.set(key, taken);
    this.#byShape.set(shape, other ?? taken);
  }
}

/** @throws SettingsError with the faults of all files, each of which names its file */
export async function projectRoutes({
  settings,
  config,
  registry,
  groups,
  ...files
}: Project): Promise<readonly OperationGroup[]> {
  const faults: string[] = [];
  const found = [...(await routesIn(settings.routes_dir, files, faults)), ...routesOf(config)];
  const taken = new TakenPaths(groups);
  const operations = found.flatMap(
    ({ where, given }) =>
      collectFault(faults, where, () => {
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

/** @throws DefinitionFault */
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
              checksNamesItself: true as const,
              ...(body === undefined ? { optional: true } : {}),
            },
          }),
    },
    answers: { 200: answer === undefined ? 'any' : shapes.object({ data: answerSchema(name, answer) }) },
    run: (context) => runRoute(route, schemas, context),
  };
}

const answerSchema = (name: string, answer: NonNullable<CheckedRoute['answer']>): JsonSchema =>
  answerDescription(`${name}: answer`, answer) ?? shapes.anyValue('What the route answers');
