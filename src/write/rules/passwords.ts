/**
 * Hashes every password-named value of a body, at any depth, once. Hashes that an admin gives are stored.
 */
import type { HashBudget } from '../../auth/passwords/contract.ts';
import type { ModelActor } from '../../context.ts';
import { adminOnly, badValue, busy, Failure, type PathFault } from '../../errors/errors.ts';
import { loginNames } from '../../models/built-in/login-field.ts';
import type { ModelSchema } from '../../models/fields/model-schema.ts';
import { withoutAliases } from '../../models/fields/resolve-alias.ts';
import { castId } from '../../models/fields/values/ids-and-dates.ts';
import { modelOf, type Row } from '../../models/mongoose.ts';
import { passwordFaults, withoutRepetitions } from '../../models/mongoose/password-rules.ts';
import { hashFault, isPasswordHash } from '../../models/password-hashes.ts';
import { isPlainObject } from '../../models/plain-object.ts';
import { isSecretPath } from '../../models/secrets.ts';
import { passwordHashing } from '../../ports/core.ts';
import type { Filter } from '../../query/filter.ts';
import { isEmail } from '../../text/email.ts';
import { sessionOf } from '../commit.ts';
import type { PasswordInput } from '../intents.ts';
import { checkPasswords } from './size.ts';

type Json = Record<string, unknown>;

/** Refuses hashes of callers who are not admins. @throws 403 */
export function checkPasswordOverride({ principal }: ModelActor, { passwords }: PasswordInput): void {
  if (passwords === 'hashed' && !principal.admin) throw adminOnly(principal, 'password_override');
}

/**
 * @param faults receives those of passwords that the model file refuses, and of those that cannot be hashed, which are left out
 * @returns the values with hashes in place of passwords; the input is unchanged
 */
export async function hashPasswords(
  actor: ModelActor,
  values: Json,
  input: PasswordInput,
  faults: PathFault[],
): Promise<Json> {
  checkPasswordOverride(actor, input);
  if (!mayHoldSecrets(values, actor.model.schema)) return values;
  const isSecret = isSecretIn(actor);
  if (input.passwords === 'hashed')
    return (await walk(values, '', { isSecret, secret: collecting(faults, storedHash) })) as Json;
  return hashAll(actor, values, input, faults);
}

const isSecretIn =
  ({ model }: ModelActor): IsSecret =>
  (path) =>
    isSecretPath(withoutAliases(model.schema, path));

async function hashAll(
  actor: ModelActor,
  values: Json,
  { id, passwords }: PasswordInput,
  faults: PathFault[],
): Promise<Json> {
  const hashesStay = passwords === 'mixed';
  const isSecret = isSecretIn(actor);
  let left = secretsIn(values, '', isSecret);
  checkPasswords(left);
  // the validators accept the hashes
  const refused = left === 0 ? [] : await passwordFaults(actor.model, values, hashesStay);
  const until = performance.now() + actor.services.settings.query_limits.max_time_ms;
  const secret: Secret = async (path, value) =>
    hashesStay && isPasswordHash(value)
      ? value
      : hashed(path, value, actor, { task: { left: left--, until }, id, values });
  const more: PathFault[] = [];
  const hashes = (await walk(values, '', { isSecret, secret: collecting(more, secret) })) as Json;
  faults.push(...oneForEach(refused, more));
  return refused.length === 0 ? withoutRepetitions(actor.model, values, hashes) : hashes;
}

/** The faults of passwords by the model file and by the server: those of the file, but for a hash, of which its rules say nothing. */
function oneForEach(ofFile: readonly PathFault[], own: readonly PathFault[]): readonly PathFault[] {
  const isOfHash = ({ kind }: PathFault): boolean => kind === 'hash';
  const hashes = new Set(own.filter(isOfHash).map(({ path }) => path));
  const kept = ofFile.filter(({ path }) => !hashes.has(path));
  return [...kept, ...own.filter(({ path }) => !kept.some((one) => one.path === path))];
}

type Secret = (path: string, value: unknown) => Promise<unknown>;

const collecting =
  (faults: PathFault[], secret: Secret): Secret =>
  async (path, value) => {
    try {
      return await secret(path, value);
    } catch (error) {
      if (!(error instanceof Failure) || error.errors === undefined) throw error;
      faults.push(...error.errors);
      return undefined;
    }
  };

/** Whether a value has a password-named key at any depth, or an alias of one. Most bodies have none. */
const mayHoldSecrets = (values: Json, schema: ModelSchema): boolean =>
  hasSecretLike(values) || Object.values(schema.aliases).some(isSecretPath);

function hasSecretLike(value: object): boolean {
  for (const [key, inner] of Object.entries(value))
    if (/password/i.test(key) || (hasNames(inner) && hasSecretLike(inner))) return true;
  return false;
}

/** Whether a value is a list or a plain object, rather than bytes, a date or an id. */
const hasNames = (value: unknown): value is object => Array.isArray(value) || isPlainObject(value);

type IsSecret = (path: string) => boolean;

/** The number of values at password-named paths. */
function secretsIn(value: object, path: string, isSecret: IsSecret): number {
  let found = 0;
  for (const [key, inner] of Object.entries(value)) {
    const below = path === '' ? key : `${path}.${key}`;
    if (!Array.isArray(value) && isSecret(below)) found += 1;
    else if (hasNames(inner)) found += secretsIn(inner, below, isSecret);
  }
  return found;
}

interface Walk {
  readonly isSecret: IsSecret;
  readonly secret: Secret;
}

async function walk(value: unknown, path: string, how: Walk): Promise<unknown> {
  if (Array.isArray(value)) {
    // in sequence, so that a document takes one place in the queue
    const members: unknown[] = [];
    for (const [at, member] of value.entries()) members.push(await walk(member, `${path}.${at}`, how));
    return members;
  }
  if (!hasNames(value)) return value;
  const result: Json = {};
  for (const [key, inner] of Object.entries(value)) {
    const below = path === '' ? key : `${path}.${key}`;
    result[key] = how.isSecret(below) ? await how.secret(below, inner) : await walk(inner, below, how);
  }
  return result;
}

interface Hashing extends Pick<PasswordInput, 'id'> {
  readonly task: HashBudget;
  /** What is written with the password. */
  readonly values: Json;
}

async function hashed(path: string, value: unknown, actor: ModelActor, hashing: Hashing): Promise<unknown> {
  const { principal, address } = actor;
  if (value === null || value === undefined) return value;
  if (typeof value !== 'string') throw badValue(path, 'String', 'must be text');
  // the rest is not needed once the caller has disconnected or the time limit has passed
  if (actor.signal.aborted) throw busy();
  const place = { path, names: await namesFor(value, hashing, actor) };
  return actor.services.of(passwordHashing).hash(value, principal.user?.id ?? address, place, hashing.task);
}

/**
 * The email of the user whose password is written and what they sign in with, as far as these may be the password. A bulk operation may
 * change many users: the password must be the name of none.
 */
async function namesFor(password: string, { id, values }: Hashing, actor: ModelActor): Promise<Json> {
  const { model, services } = actor;
  if (model.name !== 'user') return {};
  const names: Record<string, unknown> = {};
  for (const field of new Set(['email', services.settings.login_field])) {
    const given = values[field];
    names[field] = typeof given === 'string' ? given : await storedName(field, password, id, actor);
  }
  return names;
}

/** A password as a field of a user whose password it becomes has it; undefined where none has. */
async function storedName(
  field: string,
  password: string,
  id: string | undefined,
  actor: ModelActor,
): Promise<string | undefined> {
  const { model, services } = actor;
  const name = loginNames(model, field)(password);
  if (!services.settings.production || (field === 'email' ? !isEmail(name) : name === '')) return undefined;
  const filter: Filter = { [field]: name, ...(id === undefined ? {} : { _id: castId('id', id) }) };
  const options = { projection: { _id: 1 }, ...sessionOf(actor) };
  return (await modelOf(model).collection.findOne<Row>(filter, options)) === null ? undefined : name;
}

async function storedHash(path: string, value: unknown): Promise<unknown> {
  if (!isPasswordHash(value))
    throw badValue(path, 'hash', (typeof value === 'string' ? hashFault(value) : undefined) ?? 'must be a bcrypt hash');
  return Promise.resolve(value);
}
