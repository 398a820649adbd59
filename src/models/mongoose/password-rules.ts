/**
 * The rules of a model file for passwords: they hold for a password as it is given, before the server hashes it, as they do in a Mongoose
 * application whose middleware hashes (docs/models.md, "Built-in models"). A hash is a password whose rules have been checked.
 */
import { Document, type Schema } from 'mongoose';
import { Failure, type PathFault, validationFailed } from '../../errors/errors.ts';
import type { ModelEntry } from '../entry.ts';
import type { ModelSchema } from '../fields/model-schema.ts';
import { mongooseSchema } from '../fields/mongoose-keys.ts';
import { withoutPositions } from '../fields/numbered-names.ts';
import { isModified, modelOf, MongooseError, type Row, valueAt } from '../mongoose.ts';
import { isPasswordHash } from '../password-hashes.ts';
import { isSecretPath } from '../secrets.ts';
import { type StoredValidator, typeParts } from './internals.ts';
import { isOwnFunction, readsThis, sourceOf } from './reads-document.ts';
import { placesOf, typesIn } from './schema-places.ts';

type Validator = (this: unknown, value: unknown, ...others: unknown[]) => unknown;

type Rule = StoredValidator;
type Ruled = ReturnType<typeof typeParts>;

/** The paths that have such rules, without positions. */
interface Paths {
  readonly ruled: Set<string>;
  /** Those that repeat a password, such as `passwordConfirm`. */
  readonly repeating: Set<string>;
}

const pathsOf = new WeakMap<Schema, Paths>();

/** What is made here, which needs no second wrapping: a schema may be part of several models. */
const made = new WeakSet<object>();

/**
 * Makes the rules of passwords, and those that compare another path with one, accept hashes. A path that repeats a password is required
 * with the password only. To be called before the time of validators is limited, which hides their source.
 */
export function holdForPasswords(schema: Schema): void {
  const paths: Paths = { ruled: new Set(), repeating: new Set() };
  for (const place of placesOf(schema)) {
    const secrets = Object.keys(place.schema.paths).filter(isSecretPath);
    for (const { type, path } of typesIn(place)) {
      const ruled = typeParts(type);
      if (isSecretPath(path)) holdRules(ruled, ({ type: kind }) => (kind === 'required' ? undefined : isPasswordHash));
      else holdComparison(ruled, path, secrets, paths);
      if (isSecretPath(path) && ruled.validators.some(({ type: kind }) => kind !== 'required')) paths.ruled.add(path);
    }
  }
  pathsOf.set(schema, paths);
}

/** Whether a rule accepts a value because it has been checked. @param of the document, or the query of an update */
type IsChecked = (value: unknown, of: unknown) => boolean;

/** The rules of a path that compares itself with a password. */
function holdComparison(type: Ruled, path: string, secrets: readonly string[], { ruled, repeating }: Paths): void {
  const compares = (rule: Rule): boolean => secrets.length > 0 && readsPassword(rule, path);
  if (!type.validators.some(compares)) return;
  ruled.add(path);
  const repeats = /password|confirm/i.test(path);
  if (repeats) repeating.add(path);
  const isCompared: IsChecked = (_, of) => hasNewHash(of, secrets);
  holdRules(type, (rule) => {
    if (rule.type === 'required') return repeats ? () => true : undefined;
    return compares(rule) ? isCompared : undefined;
  });
}

function holdRules(type: Ruled, isCheckedFor: (rule: Rule) => IsChecked | undefined): void {
  for (const [at, rule] of type.validators.entries()) {
    const isChecked = isCheckedFor(rule);
    const { validator } = rule;
    if (isChecked === undefined || !(typeof validator === 'function' || validator instanceof RegExp)) continue;
    const held = unless(isChecked, validator as RegExp | Validator);
    if (type.requiredValidator === validator) type.requiredValidator = held;
    type.validators[at] = { ...rule, validator: held };
  }
}

/** Whether a rule reads a password of its document, as that of `passwordConfirm` does. */
const readsPassword = ({ validator }: Rule, path: string): boolean =>
  readsThis(validator) && isOwnFunction(validator) && (/password/i.test(path) || /password/i.test(sourceOf(validator)));

/** Whether a document, or an update, sets a password, whose hash a rule cannot compare with anything. */
function hasNewHash(of: unknown, secrets: readonly string[]): boolean {
  if (of instanceof Document) return secrets.some((path) => isPasswordHash(valueAt(of, path)) && isModified(of, path));
  const query = (of ?? {}) as { get?(path: string): unknown };
  return secrets.some((path) => isPasswordHash(query.get?.(path)));
}

/** The documents whose passwords are as they were given, even those that look like hashes. */
const given = new WeakSet<object>();

interface Nested {
  ownerDocument?(): object;
}

const isAsGiven = (of: unknown): boolean =>
  typeof of === 'object' && of !== null && given.has((of as Nested).ownerDocument?.() ?? of);

/** A validator that accepts what has been checked. */
function unless(isChecked: IsChecked, rule: RegExp | Validator): RegExp | Validator {
  if (made.has(rule)) return rule;
  const validator: Validator = function (value, ...others) {
    if (!isAsGiven(this) && isChecked(value, this)) return true;
    return rule instanceof RegExp ? rule.test(String(value)) : rule.call(this, value, ...others);
  };
  if (typeof rule === 'function') {
    Object.defineProperty(validator, 'length', { value: rule.length });
    Object.assign(validator, rule);
  }
  made.add(validator);
  return validator;
}

/**
 * The faults that the rules find in passwords which are not hashed yet, and in what is compared with them. Middleware does not run.
 * @param values of a new document or of a change @param hashesStay whether hashes among them are stored as they are
 * @throws Failure of a validator that fails by a fault of the server
 */
export async function passwordFaults(
  model: ModelEntry,
  values: Row,
  hashesStay = false,
): Promise<readonly PathFault[]> {
  const { ruled, repeating } = pathsIn(model);
  if (ruled.size === 0) return [];
  const errors = await errorsIn(model, { values, hashesStay }, ruled);
  const isJudged = (path: string, { kind, name }: Errors[string]): boolean =>
    name === 'ValidatorError' && (kind === 'required' ? repeating : ruled).has(withoutPositions(model.schema, path));
  return Object.entries(errors)
    .filter(([path, error]) => isJudged(path, error))
    .map(([path, error]) => faultOf(path, error));
}

const pathsIn = ({ schema }: ModelEntry): Paths =>
  pathsOf.get(schema[mongooseSchema]) ?? { ruled: new Set(), repeating: new Set() };

/** The paths of a model at which a password is repeated, with that password. */
export const passwordRepetitions = (model: ModelEntry, password: string): Readonly<Record<string, string>> =>
  Object.fromEntries([...pathsIn(model).repeating].map((path) => [path, password]));

/**
 * Values without what repeats a password of them: it has been compared, and would be stored as it is where no middleware removes it.
 * @param given the values with passwords that are not hashed @param values the same, of which the result is made
 */
export function withoutRepetitions(model: ModelEntry, given: Row, values: Row): Row {
  const { ruled } = pathsIn(model);
  const passwords = new Set(Object.entries(given).flatMap(([path, value]) => (isSecretPath(path) ? [value] : [])));
  const isRepeated = (path: string): boolean => !isSecretPath(path) && ruled.has(path) && passwords.has(given[path]);
  return Object.fromEntries(Object.entries(values).filter(([path]) => !isRepeated(path)));
}

/**
 * Refuses a password that is set by itself.
 * @param name of the password in the body @throws 400 with the faults
 */
export async function refusePassword(model: ModelEntry, values: Row, name = 'password'): Promise<void> {
  // who sets a password by itself repeats it elsewhere
  const faults = (await passwordFaults(model, values)).filter(({ kind }) => kind !== 'required');
  if (faults.length > 0)
    throw validationFailed(faults.map((fault) => (fault.path === 'password' ? { ...fault, path: name } : fault)));
}

type Errors = InstanceType<typeof MongooseError.ValidationError>['errors'];

interface Values {
  readonly values: Row;
  readonly hashesStay: boolean;
}

/** What else is wrong with the values is found when they are read. */
async function errorsIn(
  model: ModelEntry,
  { values, hashesStay }: Values,
  ruled: ReadonlySet<string>,
): Promise<Errors> {
  try {
    const document = new (modelOf(model))(values);
    if (!hashesStay) given.add(document);
    const within = [...ruled].map((path) => outermost(model.schema, path));
    await document.validate([...new Set(within)], { middleware: false } as object);
    return {};
  } catch (error) {
    return error instanceof MongooseError.ValidationError ? error.errors : {};
  }
}

/** The declared path that is or contains a path: Mongoose validates the documents of a list with the list. */
function outermost({ declared }: ModelSchema, path: string): string {
  const parts = path.split('.');
  const ends = parts.map((_, at) => parts.slice(0, at + 1).join('.'));
  return ends.find((end) => declared.has(end)) ?? path;
}

interface RuleError {
  readonly message: string;
  readonly kind?: string;
  readonly reason?: unknown;
  readonly value?: unknown;
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** Maximum characters of a message from a model file. */
const maxMessageLength = 300;

/** A fault with the message of the model file, unless it repeats the value. */
function faultOf(path: string, error: Errors[string]): PathFault {
  const { message, kind = 'user defined', reason, value, properties = {} } = error as unknown as RuleError;
  if (reason instanceof Failure) throw reason;
  const isOwn = !/\bpath `/i.test(message) && !message.includes(String(value)) && reason === undefined;
  const rule = isOwn ? message.slice(0, maxMessageLength) : `${path} ${sentenceOf(kind, properties)}`;
  return { path, kind, message: rule };
}

const sentences: Readonly<Record<string, (properties: Readonly<Record<string, unknown>>) => string>> = {
  minlength: ({ minlength }) => `must have at least ${String(minlength)} characters`,
  maxlength: ({ maxlength }) => `must have at most ${String(maxlength)} characters`,
  regexp: () => 'does not have the right form',
  required: () => 'is required',
};

const sentenceOf = (kind: string, properties: Readonly<Record<string, unknown>>): string =>
  Object.hasOwn(sentences, kind) ? (sentences[kind]?.(properties) ?? 'is not valid') : 'is not valid';
