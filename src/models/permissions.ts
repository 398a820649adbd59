/** `perms` of models and of paths, as model files give them, checked: role → letters, each of which may carry a row rule. */
import type { Schema } from 'mongoose';
import { type Letter, letters, type LettersOf } from './letters.ts';
import { innerOf, kindSchemasOf } from './path-type.ts';
import { isPlainObject } from './plain-object.ts';

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

/** @throws Error with a sentence that names the role and the letter */
export function readPerms(value: unknown): ReadonlyMap<string, RoleLetters> {
  if (value !== undefined && !isPlainObject(value)) throw new Error('perms must be an object');
  const perms = new Map<string, RoleLetters>();
  for (const [role, given] of Object.entries(value ?? {})) perms.set(role, lettersOf(role, given ?? ''));
  if (!perms.has('admin')) perms.set('admin', new Map(letters.map((letter) => [letter, 'all'])));
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
 * @param roles that the model's own `perms` name @throws Error naming the path and the role or letter that is unknown
 */
export function fieldPermsOf(schema: Schema, roles: Iterable<string>): FieldPerms {
  const known = new Set([...builtInRoles, ...roles]);
  const found = new Map<string, ReadonlyMap<string, ReadonlySet<FieldLetter>>>();
  collect(schema, '', (path, given) => found.set(path, readFieldPerms(path, given, known)));
  return found;
}

function collect(schema: Schema, prefix: string, found: (path: string, given: unknown) => void): void {
  for (const [name, type] of Object.entries(schema.paths)) {
    if (name.includes('$*')) continue;
    const path = prefix + name;
    const { schema: inner, embeddedSchemaType: member } = innerOf(type);
    const given: unknown =
      (type.options as { perms?: unknown }).perms ?? (member?.options as { perms?: unknown } | undefined)?.perms;
    if (given !== undefined) found(path, given);
    if (inner !== undefined) collect(inner, `${path}.`, found);
  }
  const own = new Set(Object.keys(schema.paths));
  for (const kind of kindSchemasOf(schema))
    collect(kind, prefix, (path, given) => {
      if (!own.has(path.slice(prefix.length))) found(path, given);
    });
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
