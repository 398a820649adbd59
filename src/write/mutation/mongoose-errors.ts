/** Converts errors of Mongoose and the driver in writes to failures, by class. */
import type { ModelActor } from '../../context.ts';
import { badId, contested, Failure, notUnique, type PathFault, validationFailed } from '../../errors/errors.ts';
import { fromDatabase } from '../../models/database-errors.ts';
import { listedValues, valueText } from '../../models/fields/enum-values.ts';
import { ownMessage } from '../../models/fields/path-limits.ts';
import { idTypes, ruleAt, ruleOfType } from '../../models/fields/types/index.ts';
import { modelOf, mongo, MongooseError, type Row } from '../../models/mongoose.ts';
import { fromModelCode } from '../../models/mongoose/model-code-errors.ts';
import { isSecretPath } from '../../models/secrets.ts';
import type { Target } from '../intents.ts';

/** Converts an error of a write to a failure; returns any other error unchanged. */
export function fromWrite(error: unknown): unknown {
  if (error instanceof MongooseError.ValidationError) return fromValidation(error);
  if (error instanceof MongooseError.CastError) return fromCast(error);
  if (error instanceof MongooseError.StrictModeError) return validationFailed([strictFault(error)]);
  if (error instanceof Error && error.name === 'ObjectExpectedError')
    return validationFailed([{ path: '', kind: 'Object', message: 'a value must be an object' }]);
  if (error instanceof MongooseError.VersionError || error instanceof MongooseError.ParallelSaveError)
    return contested('another request has changed the document in the meantime');
  if (error instanceof MongooseError.DocumentNotFoundError)
    return contested('the document was removed in the meantime');
  return fromModelCode(fromDatabase(error));
}

/** DocumentDB's code for a duplicate unique value in findAndModify, instead of 11000. */
const ambiguousCode = 2;

/** The 409 for a duplicate value, whose path is looked up if the database does not report it; undefined for any other error. */
export async function uniqueViolation(
  { model, unit }: ModelActor,
  { id }: Pick<Target, 'id'>,
  values: Row,
  error: unknown,
): Promise<Failure | undefined> {
  if (!(error instanceof mongo.MongoServerError) || error.code !== ambiguousCode) return undefined;
  const own = modelOf(model);
  const session = unit?.session ?? null;
  const stored = await own.findById(id).session(session).lean();
  for (const [fields, options] of model.schema.indexes) {
    const paths = Object.keys(fields);
    if (options.unique !== true || !paths.some((path) => path in values)) continue;
    const taken = paths.map((path) => [path, path in values ? values[path] : stored?.[path]] as const);
    const others = { ...Object.fromEntries(taken), _id: { $ne: id } };
    if ((await own.exists(others).session(session)) !== null) return notUnique(paths);
  }
  return undefined;
}

/**
 * The failure of a validator that fails by a fault of the server, such as one that never ends; it does not concern the values.
 */
function fromValidation({ errors }: InstanceType<typeof MongooseError.ValidationError>): Failure {
  const all = Object.entries(errors);
  const hasParts = (path: string): boolean => all.some(([other]) => other.startsWith(`${path}.`));
  // a nested document has an error besides those of its fields
  const faults = all.filter(([path, error]) => (error as Error).name !== 'ValidationError' || !hasParts(path));
  for (const [, { reason }] of faults) if (reason instanceof Failure) return reason;
  return validationFailed(faults.map(faultOf));
}

const strictFault = ({ path, isImmutableError }: InstanceType<typeof MongooseError.StrictModeError>): PathFault => ({
  path,
  kind: 'strict',
  message: `${path} ${isImmutableError ? 'cannot be changed' : 'is not in the schema'}`,
});

function fromCast(error: InstanceType<typeof MongooseError.CastError>): Failure {
  return error.path === '_id' && typeof error.value === 'string'
    ? badId('_id', idTypes.get(error.kind)?.rule ?? ruleOfType(error.kind), error.value)
    : validationFailed([faultOf([error.path, error])]);
}

interface OneError {
  readonly path?: string;
  readonly kind?: string;
  readonly message: string;
  readonly name: string;
  /** The validator's parameters from the schema, and the value. */
  readonly properties?: Readonly<Record<string, unknown>>;
  /** The error that a validator threw. */
  readonly reason?: unknown;
}

/** A fault with our message where Mongoose's would repeat the value, which may be secret or long. */
function faultOf([path, error]: readonly [string, OneError]): PathFault {
  const kind = error.name === 'CastError' ? (error.kind ?? 'cast') : (error.kind ?? error.name);
  const refusal = refusalIn(error);
  if (refusal !== undefined) return faultOf([path, refusal]);
  if (error.name === 'CastError') return { path, kind, message: `${path} ${ruleAt(path, kind)}` };
  if (error.name === 'ObjectExpectedError') return { path, kind: 'Object', message: `${path} must be an object` };
  const own = isSecretPath(path) || isMistake(error.reason) ? undefined : ownMessage(error.message);
  return { path, kind, message: own ?? `${path} ${ruleOf(path, kind, error.properties ?? {})}` };
}

/** What a setter has refused a value with, for the caller. */
function refusalIn({ name, reason }: OneError): OneError | undefined {
  if (name !== 'CastError') return undefined;
  return reason instanceof MongooseError.ValidatorError
    ? reason
    : reason instanceof MongooseError.CastError
      ? refusalIn(reason)
      : undefined;
}

const mistakes: ReadonlySet<string> = new Set(['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError']);

/** Whether a validator threw an unexpected error, which is not meant for the caller. */
const isMistake = (thrown: unknown): boolean =>
  typeof thrown === 'object' && thrown !== null && mistakes.has((thrown as Error).name);

type Properties = Readonly<Record<string, unknown>>;

/** A bound of dates may be a function, which only validation calls. */
function shownBound(bound: unknown): string {
  if (typeof bound !== 'function') return valueText(bound);
  return bound === Date.now ? 'the current time' : 'the date that the model computes';
}

/** The requirement of a built-in validator. The message repeats numbers, dates and lengths, but never strings. */
const rules: Readonly<Record<string, (properties: Properties) => string>> = {
  required: () => 'is required',
  enum: ({ enumValues }) => `must be one of ${listedValues(Array.isArray(enumValues) ? enumValues : [])}`,
  min: ({ min, value }) => `must be at least ${shownBound(min)}, got ${valueText(value)}`,
  max: ({ max, value }) => `must be at most ${shownBound(max)}, got ${valueText(value)}`,
  minlength: ({ minlength, value }) =>
    `must have at least ${valueText(minlength)} characters, got ${String(value).length}`,
  maxlength: ({ maxlength, value }) =>
    `must have at most ${valueText(maxlength)} characters, got ${String(value).length}`,
  regexp: () => 'does not have the right form',
};

/** Omits the bounds of passwords, because the validated value is the hash. */
const ruleOf = (path: string, kind: string, properties: Properties): string =>
  kind !== 'required' && isSecretPath(path)
    ? 'is not valid'
    : Object.hasOwn(rules, kind)
      ? (rules[kind]?.(properties) ?? 'is not valid')
      : 'is not valid';
