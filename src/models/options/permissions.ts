/** `perms` of models and of paths, as model files give them, checked: role → letters, each of which may carry a row rule. */
import { isDeepStrictEqual } from 'node:util';
import type { Schema } from 'mongoose';
import { takenForPosition } from '../fields/numbered-names.ts';
import { type Letter, letters, type LettersOf } from '../letters.ts';
import { placesOf, typesIn } from '../mongoose/schema-places.ts';
import { isPlainObject } from '../plain-object.ts';

/** The rows that a letter is given for: those that a filter matches, in which `$user.<path>` is a value of the caller's own document. */
export interface RowRule {
  readonly where: Readonly<Record<string, unknown>>;
}

/** What a role may do: letters of `crud`, or each letter with `true` for all rows, or with the rows that it is given for. */
export type RoleRights = LettersOf<Letter> | Readonly<Partial<Record<Letter, boolean | RowRule>>>;

/** The letters of a role; `all` for a letter without a row rule. */
export type RoleLetters = ReadonlyMap<Letter, 'all' | RowRule>;

/** The letters that a path may have of its own. */
export type FieldLetter = Exclude<Letter, 'd'>;
/** Path → role → letters. What is below such a path has its letters, too. */
export type FieldPerms = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<FieldLetter>>>;

const allLetters: RoleLetters = new Map(letters.map((letter) => [letter, 'all']));

/** What holds for a model without `perms`. */
export const defaultPerms: ReadonlyMap<string, RoleLetters> = new Map([['admin', allLetters]]);

/** @throws Error with a sentence that names the role and the letter */
export function readPerms(value: unknown): ReadonlyMap<string, RoleLetters> {
  if (value === undefined) return defaultPerms;
  if (!isPlainObject(value)) throw new Error('perms must be an object');
  const perms = new Map<string, RoleLetters>();
  for (const [role, given] of Object.entries(value)) perms.set(role, lettersOf(role, given ?? ''));
  if (!perms.has('admin')) perms.set('admin', allLetters);
  return perms;
}

function lettersOf(role: string, given: unknown): RoleLetters {
  if (typeof given === 'string') {
    if (/[^crud]/.test(given)) throw new Error(`perms.${role} must be letters of "crud", got ${JSON.stringify(given)}`);
    return new Map(letters.filter((letter) => given.includes(letter)).map((letter) => [letter, 'all']));
  }
  if (!isPlainObject(given))
    throw new Error(`perms.${role} must be letters of "crud", or an object of them, got ${JSON.stringify(given)}`);
  const unknown = Object.keys(given).find((name) => !(letters as readonly string[]).includes(name));
  if (unknown !== undefined) throw new Error(`perms.${role}.${unknown} is not a letter of "crud"`);
  const result = new Map<Letter, 'all' | RowRule>();
  for (const letter of letters) {
    const right = given[letter];
    if (right === undefined || right === false) continue;
    result.set(letter, right === true ? 'all' : ruleOf(`perms.${role}.${letter}`, right));
  }
  return result;
}

function ruleOf(name: string, given: unknown): RowRule {
  const keys = isPlainObject(given) ? Object.keys(given) : [];
  const where = isPlainObject(given) ? given['where'] : undefined;
  if (keys.join() !== 'where' || !isPlainObject(where)) throw new Error(`${name} must be true or { where: <filter> }`);
  return { where };
}

/** Roles that exist besides the groups that `perms` of a model name. */
const builtInRoles: readonly string[] = ['all', 'user', 'owner', 'admin'];

/**
 * The letters of single paths, at every depth of a schema.
 * @param roles that the model's own `perms` name
 * @throws Error naming the path, and the role or letter that is unknown or the reason why the path cannot have letters
 */
export function fieldPermsOf(schema: Schema, roles: Iterable<string>): FieldPerms {
  const known = new Set([...builtInRoles, ...roles]);
  const found = new Map<string, ReadonlyMap<string, ReadonlySet<FieldLetter>>>();
  const isTaken = takenForPosition(schema);
  for (const { type, path, within } of placesOf(schema).flatMap(typesIn)) {
    const given = (type.options as { perms?: unknown } | undefined)?.perms;
    if (given === undefined) continue;
    if (within !== undefined)
      throw new Error(`${path} is in a ${within.kind}, where a field has no perms: set perms on ${within.path}`);
    if (isTaken(path))
      throw new Error(
        `perms of ${path}: digits in a list are a position, so a field with perms there has another name`,
      );
    const perms = readFieldPerms(path, given, known);
    // a discriminator may declare a path of the model, or of another discriminator, again
    if (!isDeepStrictEqual(found.get(path) ?? perms, perms))
      throw new Error(`perms of ${path} are declared twice and differ`);
    found.set(path, perms);
  }
  return found;
}

function readFieldPerms(
  path: string,
  given: unknown,
  known: ReadonlySet<string>,
): ReadonlyMap<string, ReadonlySet<FieldLetter>> {
  if (path === '_id') throw new Error('_id takes no perms: every answer has it');
  if (!isPlainObject(given)) throw new Error(`perms of ${path} must be an object: role → letters of "cru"`);
  return new Map(
    Object.entries(given).map(([role, text]) => {
      if (!known.has(role))
        throw new Error(`perms of ${path} name the role ${role}, which perms of the model do not have`);
      if (typeof text !== 'string' || /[^cru]/.test(text))
        throw new Error(`perms of ${path} for ${role} must be letters of "cru", got ${JSON.stringify(text)}`);
      return [role, new Set([...text] as FieldLetter[])];
    }),
  );
}
