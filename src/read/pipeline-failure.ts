/** Converts what the database refuses in a pipeline to failures that name the operator. */
import { badPipeline, Failure } from '../errors/errors.ts';
import { fromDatabase, inputCodes, tooMuchFrom } from '../models/database-errors.ts';
import { mongo } from '../models/mongoose.ts';

/**
 * Converts the remaining errors, which are faults of the pipeline: a stage or an expression that fails on these documents. Of the
 * database's message, which may contain values, only the name of an operator is shown, and only one that the caller has written.
 */
export function fromPipeline(error: unknown, body: unknown): unknown {
  const tooMuch = tooMuchFrom(error);
  if (tooMuch !== undefined) return tooMuch;
  const known = fromDatabase(error);
  if (!(error instanceof mongo.MongoServerError)) return known;
  if (known instanceof Failure && !inputCodes.has(error.code)) return known;
  const zone = zoneFault(error, body);
  if (zone?.isConstant === true)
    return badPipeline(`the time zone of ${zone.operator} does not exist: ${zone.text.slice(0, maxZone)}`);
  const operator = zone?.operator ?? operatorOf(error.message, JSON.stringify(body) ?? '');
  return badPipeline(
    operator === undefined
      ? 'the database does not accept this pipeline'
      : `the database does not accept this pipeline because of ${operator}: its form, or a value that it gets from a document`,
  );
}

/**
 * The operator that a message of the database names. What caused an error comes last, as in `Invalid $project :: caused by :: …`. A message
 * may repeat a long text of the caller, so that the body is searched once, not for each name.
 */
function operatorOf(message: string, body: string): string | undefined {
  const written = new Set(body.match(/"\$[a-z]+":/gi));
  return message
    .split(' :: caused by :: ')
    .reverse()
    .flatMap((cause) => cause.match(/\$[a-z]+/gi) ?? [])
    .find((name) => written.has(`"${name}":`));
}

/** MongoDB's codes of a time zone that does not exist, and of one that is no text. Their messages name no operator. */
const zoneCodes: ReadonlySet<unknown> = new Set([40485, 40517]);
/** MongoDB's BadValue, which other engines return for any wrong operand. */
const badValue = 2;

/** Characters of a zone that a message repeats. */
const maxZone = 80;

/** An operator with a time zone. */
interface ZoneUse {
  readonly operator: string;
  /** Whether the caller has written the zone; it may also come from a document. */
  readonly isConstant: boolean;
  /** The zone as the caller has written it. */
  readonly text: string;
}

/**
 * The operator whose time zone the database refuses: one with the zone that its message quotes, else one with a computed zone; undefined
 * for another fault.
 */
function zoneFault({ code, message }: InstanceType<typeof mongo.MongoServerError>, body: unknown): ZoneUse | undefined {
  const isOfZone = zoneCodes.has(code);
  if (!isOfZone && code !== badValue) return undefined;
  const uses = zoneUses(body);
  const isQuoted = ({ isConstant, text }: ZoneUse): boolean => isConstant && message.includes(text);
  return uses.find(isQuoted) ?? (isOfZone ? uses.find(({ isConstant }) => !isConstant) : undefined);
}

function zoneUses(value: unknown): readonly ZoneUse[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([operator, operand]: [string, unknown]) => [
    ...(operator.startsWith('$') ? zoneOf(operator, operand) : []),
    ...zoneUses(operand),
  ]);
}

function zoneOf(operator: string, operand: unknown): readonly ZoneUse[] {
  const { timezone } = (operand ?? {}) as { readonly timezone?: unknown };
  if (timezone === undefined) return [];
  const isConstant = typeof timezone === 'string' && !timezone.startsWith('$');
  return [{ operator, isConstant, text: JSON.stringify(timezone) }];
}
