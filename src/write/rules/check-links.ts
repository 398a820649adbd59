/** `check_links`: refuses values that link to missing or deleted documents before anything is written. */
import type { ModelActor } from '../../context.ts';
import { type PathFault, validationFailed } from '../../errors/errors.ts';
import { activeFilter } from '../../models/deleted.ts';
import type { Link, ModelEntry } from '../../models/entry.ts';
import { castJson } from '../../models/fields/cast.ts';
import { idText, type IdType, objectIdType } from '../../models/fields/id-types.ts';
import type { ModelSchema } from '../../models/fields/model-schema.ts';
import { firstName, isPosition } from '../../models/fields/path-type.ts';
import { nameBeside } from '../../models/fields/resolve-alias.ts';
import { modelOf, type Row } from '../../models/mongoose.ts';
import { isPlainObject } from '../../models/plain-object.ts';
import { policyFor } from '../../policy/policy.ts';
import { operator } from '../../policy/principal.ts';
import type { Filter } from '../../query/filter.ts';
import { sessionOf } from '../commit.ts';

interface Reference {
  readonly path: string;
  readonly id: string;
}

/** Maximum number of reported faults. */
const maxFaults = 100;

/** @throws 400 naming each path and value */
export async function checkLinks(...given: Parameters<typeof linkFaults>): Promise<void> {
  const faults = await linkFaults(...given);
  if (faults.length > 0) throw validationFailed(faults);
}

/**
 * Looks up the links of values, with one query per linked model.
 * @param written values that are written together, possibly with dotted names. A later one may link to the `_id` of an earlier
 * one
 * @param assigned names of fields that the application has set, whose links lead to any document
 * @returns the faults by path and value
 */
export async function linkFaults(
  actor: ModelActor,
  written: readonly Row[],
  assigned: readonly string[] = [],
): Promise<readonly PathFault[]> {
  const { model, services } = actor;
  if (!model.options.check_links) return [];
  const { searches, roots } = searchesOf(actor);
  if (!written.some((values) => Object.keys(values).some((key) => roots.has(rootOf(model.schema, key))))) return [];
  const references = new Map<string, Reference[]>();
  const ownIds = new Set<string>();
  for (const values of written) {
    const ownId = storedId(model, '_id', model.idType, values['_id']);
    if (ownId !== undefined) ownIds.add(ownId);
    for (const [link, search] of searches)
      for (const id of idsAt(values, search))
        if (link.model !== model.name || !ownIds.has(id))
          (references.get(link.model) ?? references.set(link.model, []).get(link.model))?.push({ path: link.path, id });
  }
  const faults: PathFault[] = [];
  const isAssigned = ({ path }: Reference): boolean => assigned.includes(firstName(path));
  for (const [name, found] of references) {
    const target = services.registry.internal(name);
    const own = found.filter((reference) => !isAssigned(reference));
    faults.push(...(await faultsOf(actor, target, own)));
    faults.push(...(await faultsOf({ ...actor, principal: operator }, target, found.filter(isAssigned))));
  }
  return faults.slice(0, maxFaults);
}

/** Update operators that do not store their operands. */
const storeNothing: ReadonlySet<string> = new Set(['$unset', '$pull', '$pullAll', '$pop', '$rename']);

/**
 * The values of an update that may be links.
 * @param update the operands by operator and path
 * @returns objects of values by path; a member that is added to a list counts as the list
 */
export const linkValues = (update: Readonly<Record<string, Row>>): readonly Row[] =>
  Object.entries(update).flatMap(([name, operand]) => (storeNothing.has(name) ? [] : [withMembers(operand)]));

const withMembers = (operand: Row): Row =>
  Object.values(operand).some(isEach)
    ? Object.fromEntries(Object.entries(operand).map(([path, value]) => [path, isEach(value) ? value.$each : value]))
    : operand;

const isEach = (value: unknown): value is { readonly $each: unknown } =>
  typeof value === 'object' && value !== null && '$each' in value;

async function faultsOf(actor: ModelActor, target: ModelEntry, references: readonly Reference[]): Promise<PathFault[]> {
  if (references.length === 0) return [];
  const ids = [...new Set(references.map(({ id }) => id))];
  const these: Filter = { _id: { $in: ids.flatMap((id) => target.idType.parse(id) ?? []) }, ...activeFilter };
  const policy = policyFor(actor.principal, target);
  // a document that a rule hides from the caller does not exist for them
  const filter = policy.hasRules('r') ? policy.filter('r', these) : these;
  const rows = await modelOf(target)
    .collection.find(filter, { projection: { _id: 1 }, ...sessionOf(actor) })
    .toArray();
  const there = new Set(rows.map(({ _id }) => String(_id)));
  const missing = new Map(references.filter(({ id }) => !there.has(id)).map((one) => [`${one.path} ${one.id}`, one]));
  return [...missing.values()].map(({ path, id }) => ({
    path,
    kind: 'link',
    message: `${path} links to ${target.name} ${id}, which does not exist`,
  }));
}

/** A link that is looked for in values; `$*` in its path is any key of a map. */
interface Search extends Pick<Link, 'asText'> {
  readonly idType: IdType;
  readonly schema: ModelSchema;
  readonly path: readonly string[];
}

/** The links of a model that are checked. */
interface Searches {
  readonly searches: readonly (readonly [link: Link, search: Search])[];
  /** The names of the fields that have them. */
  readonly roots: ReadonlySet<string>;
}

const known = new WeakMap<ModelEntry, Searches>();

/** Made once per model. */
function searchesOf({ model, services }: ModelActor): Searches {
  const made = known.get(model);
  if (made !== undefined) return made;
  const links = model.links.filter(({ stamp }) => !stamp);
  const searches = links.map((link) => {
    const { idType } = services.registry.internal(link.model);
    return [link, { idType, asText: link.asText, schema: model.schema, path: link.path.split('.') }] as const;
  });
  const found: Searches = { searches, roots: new Set(links.map(({ path }) => firstName(path))) };
  known.set(model, found);
  return found;
}

/** The field that a name of values is in: the aliases in dotted names have been replaced. */
const rootOf = (schema: ModelSchema, key: string): string =>
  key.includes('.') ? firstName(key) : nameBeside(schema, '', key);

/** The text of the id that a path has when its setters have changed a value. */
function storedId(
  { schema }: Pick<ModelEntry, 'schema'>,
  path: string,
  idType: IdType,
  value: unknown,
): string | undefined {
  const given = idText(idType, value);
  if (given === undefined || idType === objectIdType) return given;
  try {
    return idText(idType, castJson(schema, path, value));
  } catch {
    // the write names the value that a setter refuses
    return given;
  }
}

/** A text that is the id of no document; undefined for none. */
const otherText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** The texts of the ids at a link's path. @param at how many names of the path lead to the value */
function idsAt(value: unknown, search: Search, at = 0): readonly string[] {
  const { idType, asText, schema, path } = search;
  if (Array.isArray(value)) return value.flatMap((member) => idsAt(member, search, at));
  if (path.length === at) {
    const id = storedId({ schema }, path.join('.'), idType, value) ?? (asText ? otherText(value) : undefined);
    return id === undefined ? [] : [id];
  }
  if (!isPlainObject(value)) return [];
  const prefix = path.slice(0, at).map((name) => `${name}.`);
  return Object.entries(value).flatMap(([key, inner]) => {
    // the aliases in dotted names have been replaced
    const name = key.includes('.') ? key : nameBeside(schema, prefix.join(''), key);
    const passed = namesPassed(path.slice(at), name.split('.'));
    return passed === undefined ? [] : idsAt(inner, search, at + passed);
  });
}

/** How many names of a path a name leads through, which may contain positions in lists; undefined if it leads elsewhere. */
function namesPassed(path: readonly string[], name: readonly string[]): number | undefined {
  let passed = 0;
  for (const part of name) {
    if (path[passed] === part || path[passed] === '$*') passed += 1;
    else if (!isPosition(part)) return undefined;
  }
  return passed;
}
