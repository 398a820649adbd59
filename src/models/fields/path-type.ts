/** Dotted paths: their names, how long they may be, and their types, through nested documents, lists, maps and Mixed. */
import { badPath } from '../../errors/errors.ts';
import type { Field, ModelSchema, PathType } from './model-schema.ts';

const unknown: PathType = { kind: 'unknown' };
const nestedObject: PathType = { kind: 'document', schema: undefined, array: false };
const anything: PathType = { kind: 'mixed', map: false };
const anyMap: PathType = { kind: 'mixed', map: true };

/** The part of a dotted path before its first dot. */
export function firstName(path: string): string {
  const dot = path.indexOf('.');
  return dot === -1 ? path : path.slice(0, dot);
}

/** MongoDB supports at most 100 levels of nesting: https://www.mongodb.com/docs/manual/reference/limits/ */
export const pathLimits = { characters: 500, levels: 100 } as const;

/**
 * Limits the length of dotted paths from callers: the cost of reading a path grows with the square of its length, because each prefix is
 * looked up.
 * @throws 400 for a dotted path that is too long or has too many parts; a single name may have any length
 */
export function checkPathSize(path: string): void {
  if (!path.includes('.')) return;
  if (path.length > pathLimits.characters)
    throw badPath(`a path must have at most ${pathLimits.characters} characters, got ${path.length}`);
  const levels = path.split('.').length;
  if (levels > pathLimits.levels) throw badPath(`a path must have at most ${pathLimits.levels} names, got ${levels}`);
}

/** Whether a part of a path is a position in a list. */
export const isPosition = (part: string | undefined): boolean => part !== undefined && /^\d+$/.test(part);

/** The type at a path without aliases. Positions in lists (`logins.0.site`) are allowed. */
export function typeAt(schema: ModelSchema, path: string): PathType {
  const field = schema.declared.get(path);
  if (field !== undefined) return field.whole;
  const above = fieldAbove(schema, path);
  if (above !== undefined) return below(above.field, above.rest);
  return schema.nested.has(path) ? nestedObject : unknown;
}

/** The declared field above a path, and the parts of the path below it. */
function fieldAbove({ declared }: ModelSchema, path: string): { field: Field; rest: readonly string[] } | undefined {
  for (let end = path.lastIndexOf('.'); end > 0; end = path.lastIndexOf('.', end - 1)) {
    const field = declared.get(path.slice(0, end));
    if (field !== undefined) return { field, rest: path.slice(end + 1).split('.') };
  }
  return undefined;
}

/** Whether a path may contain objects with keys that the schema does not declare. */
export const isFreeForm = (schema: ModelSchema, path: string): boolean => typeAt(schema, path).kind !== 'leaf';

/** The lists whose members the database compares at a path, from the outermost on: the path itself, and those that it goes through. */
export function listsOn(schema: ModelSchema, path: string): readonly string[] {
  const parts = path.split('.');
  return parts.flatMap((_, at) => {
    const prefix = parts.slice(0, at + 1).join('.');
    return isList(typeAt(schema, prefix)) && !isPosition(parts[at + 1]) ? [prefix] : [];
  });
}

/** Whether a path is a list, of values or of documents. */
export const isList = (type: PathType): boolean => 'array' in type && type.array;

/** Whether a path is a subpath of a scalar, such as `price.amount` of a number. */
export function isPartOfLeaf(schema: ModelSchema, path: string): boolean {
  if (typeAt(schema, path).kind !== 'unknown') return false;
  const parts = path.split('.');
  return parts.some((_, at) => at > 0 && typeAt(schema, parts.slice(0, at).join('.')).kind === 'leaf');
}

/** What a path is that names a field as a whole. */
export function fieldPathType(field: Field): PathType {
  switch (field.type?.shape) {
    case 'any':
      return anything;
    case 'map':
      return anyMap;
    case 'list':
      return inList(field, []);
    default:
      return field.schema === undefined
        ? { kind: 'leaf', field, array: false }
        : { kind: 'document', schema: field.schema, array: false };
  }
}

/** The type below a field. @param rest at least one part */
function below(field: Field, rest: readonly string[]): PathType {
  switch (field.type?.shape) {
    case 'any':
      return anything;
    case 'map':
      return field.member === undefined ? anything : ending(field.member, rest.slice(1));
    case 'list':
      return inList(field, rest);
    default:
      return field.schema === undefined ? unknown : typeAt(field.schema, rest.join('.'));
  }
}

const ending = (field: Field, rest: readonly string[]): PathType =>
  rest.length === 0 ? field.whole : below(field, rest);

function inList({ schema, member }: Field, rest: readonly string[]): PathType {
  const after = isPosition(rest[0]) ? rest.slice(1) : rest;
  const whole = rest.length === 0;
  if (schema !== undefined)
    return after.length === 0 ? { kind: 'document', schema, array: whole } : typeAt(schema, after.join('.'));
  if (member === undefined || member.type?.shape === 'any') return anything;
  if (member.type?.shape === 'list') return inList(member, after);
  return after.length === 0 ? { kind: 'leaf', field: member, array: whole } : unknown;
}

/** The field at a path; of a position in a list its members, of a key of a map its values. Undefined for a path within a free-form value. */
export function fieldAt(schema: ModelSchema, path: string): Field | undefined {
  const field = schema.declared.get(path);
  if (field !== undefined) return field;
  const above = fieldAbove(schema, path);
  return above && memberAt(above.field, above.rest);
}

function memberAt(field: Field, rest: readonly string[]): Field | undefined {
  if (rest.length === 0) return field;
  const { schema, member, type } = field;
  const isWithin = type?.shape === 'map' || (type?.shape === 'list' && isPosition(rest[0]));
  if (isWithin && member !== undefined) return memberAt(member, rest.slice(1));
  const after = isWithin ? rest.slice(1) : rest;
  return schema === undefined || after.length === 0 ? undefined : fieldAt(schema, after.join('.'));
}
