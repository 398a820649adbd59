/**
 * What dotted names demand of stored documents. Their numbers are limited: a position far beyond the end of a list would create all
 * positions before it, and one in no list an object.
 */
import type { ModelActor } from '../../context.ts';
import { badValue, type Failure, tooMany } from '../../errors/errors.ts';
import type { ModelSchema } from '../../models/fields/model-schema.ts';
import { isList, isPosition, typeAt } from '../../models/fields/path-type.ts';
import { modelOf } from '../../models/mongoose.ts';
import { allOf } from '../../query/and.ts';
import type { Filter } from '../../query/filter.ts';
import { pathsOf, type Update } from '../../query/updates.ts';
import { sessionOf } from '../commit.ts';
import { keyOfPart } from './discriminator.ts';

/** The highest position in a list that a dotted name may contain. */
const lastPosition = 1000;
const maxNumbered = 100;

/** Operators that change nothing where there is no list. */
const neverCreates: ReadonlySet<string> = new Set(['$unset', '$pull', '$pullAll', '$pop', '$rename']);

/** What names with positions demand of the documents that they change: paths, and for each a name that goes through it. */
export interface PositionDemands {
  /** Lists that the schema declares. Where there is none, the database would store an object with the position as a key. */
  readonly lists: ReadonlyMap<string, string>;
  /** Free-form values that must not be lists, since the number after them is above the limit. It may be a key, such as a year. */
  readonly noLists: ReadonlyMap<string, string>;
}

/** What names demand, positions or others. */
export interface PathDemands extends PositionDemands {
  /** The keys of nested documents, which are not changed, with the values that are sent back. */
  readonly keys: ReadonlyMap<string, unknown>;
}

/** @throws 400 for a name beyond the limit in a declared list */
export function positionDemands(schema: ModelSchema, update: Update): PositionDemands {
  if (!pathsOf(update).some(hasNumber)) return noDemands;
  const lists = new Map<string, string>();
  const noLists = new Map<string, string>();
  for (const [operator, operand] of Object.entries(update))
    for (const name of pathsOf({ [operator]: operand }))
      for (const { path, position } of numbersIn(name)) {
        const type = typeAt(schema, path);
        const isLarge = position > lastPosition;
        if (isList(type)) {
          if (isLarge) throw positionTooLarge(name);
          if (!neverCreates.has(operator)) lists.set(path, name);
        } else if (isLarge && (type.kind === 'unknown' || (type.kind === 'mixed' && !type.map)))
          noLists.set(path, name);
      }
  if (noLists.size > maxNumbered) throw tooMany(`free-form values with keys above ${lastPosition}`, maxNumbered);
  return { lists, noLists };
}

const noDemands: PositionDemands = { lists: new Map(), noLists: new Map() };

/** @returns undefined where the names demand nothing @throws 400 for a name beyond the limit in a declared list */
export function pathDemands(schema: ModelSchema, update: Update, keys: PathDemands['keys']): PathDemands | undefined {
  const { lists, noLists } = positionDemands(schema, update);
  return lists.size + noLists.size + keys.size > 0 ? { lists, noLists, keys } : undefined;
}

/** Whether a name may have numbers. */
const hasNumber = (name: string): boolean => /\.\d/.test(name);

/** The numbers in a name, each with the path before it. */
function numbersIn(name: string): readonly { readonly path: string; readonly position: number }[] {
  if (!hasNumber(name)) return [];
  const parts = name.split('.');
  return parts.flatMap((part, at) =>
    at > 0 && isPosition(part) ? [{ path: parts.slice(0, at).join('.'), position: Number(part) }] : [],
  );
}

const positionTooLarge = (name: string): Failure =>
  badValue(name, 'position', `names a position above ${lastPosition} in a list`);

const positionInNoList = (name: string, path: string): Failure =>
  badValue(name, 'position', `names a position in ${path}, which is not a list in this document: set the whole list`);

/** The failure of a document that does not meet the demands. @param get the value at a path */
export function demandFault({ lists, noLists }: PositionDemands, get: (path: string) => unknown): Failure | undefined {
  for (const [path, name] of noLists) if (Array.isArray(get(path))) return positionTooLarge(name);
  for (const [path, name] of lists) if (!Array.isArray(get(path))) return positionInNoList(name, path);
  return undefined;
}

const hasList = (path: string): Filter => ({ [path]: { $type: 'array' } });
const hasNoList = (path: string): Filter => ({ [path]: { $not: { $type: 'array' } } });

/** A filter of the documents that meet the demands; undefined without any. */
export function demandFilter(demands: PathDemands | undefined): Filter | undefined {
  if (demands === undefined) return undefined;
  const { lists, noLists, keys } = demands;
  return allOf([
    ...[...lists.keys()].map(hasList),
    ...[...noLists.keys()].map(hasNoList),
    ...[...keys].map(([path, value]) => ({ [path]: value })),
  ]);
}

/** The failure if a document of a filter does not meet the demands. */
export async function unmetDemand(
  actor: ModelActor,
  filter: Filter,
  demands: PathDemands | undefined,
): Promise<Failure | undefined> {
  if (demands === undefined) return undefined;
  const { lists, noLists, keys } = demands;
  const { collection } = modelOf(actor.model);
  const options = { projection: { _id: 1 }, ...sessionOf(actor) };
  const exists = async (state: Filter): Promise<boolean> =>
    (await collection.findOne(allOf([filter, state]), options)) !== null;
  for (const [path, name] of noLists) if (await exists(hasList(path))) return positionTooLarge(name);
  for (const [path, name] of lists) if (await exists(hasNoList(path))) return positionInNoList(name, path);
  for (const [path, value] of keys) if (await exists({ [path]: { $ne: value } })) return keyOfPart(path);
  return undefined;
}
