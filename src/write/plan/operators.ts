/**
 * Applies update operators to a loaded document, as code of the model would change it: setters run once, for what changes, and a path that
 * stays as it is does not count as modified.
 */
import { castAsStored } from '../../models/fields/cast.ts';
import type { ModelSchema } from '../../models/fields/model-schema.ts';
import { typeAt } from '../../models/fields/path-type.ts';
import { storedRow, valueAt } from '../../models/mongoose.ts';
import { BSON } from '../../models/object-id.ts';
import { rowAfterUpdate } from '../../query/row-update.ts';
import type { Update } from '../../query/updates.ts';
import { type Difference, difference } from './difference.ts';
import { type ChangedList, isListOperator, mongooseListAt } from './list-operators.ts';

type Loaded = Parameters<typeof storedRow>[0] & ChangedList;

/** What update operators do to a loaded document. */
export interface Effect {
  /** Values to set, which setters have not seen. */
  readonly values: Difference;
  /** The operators on lists, which change these in place: their other members have been through setters. */
  readonly lists: Update;
}

/** @param schema of the document's kind @param now the time of `$currentDate` @throws Mongoose's CastError, and StoreError for what the database would refuse */
export function effectOf(document: Loaded, schema: ModelSchema, operators: Update, now: Date): Effect {
  if (Object.keys(operators).length === 0) return { values: {}, lists: {} };
  const cast: Update = {};
  const lists: Update = {};
  const others: Update = {};
  for (const [name, operands] of Object.entries(operators))
    for (const [path, given] of Object.entries(operands)) {
      const operand = castOperand(schema, { name, path, given });
      const kind = isListOperator(name) && isList(document, schema, path) ? lists : others;
      for (const update of [cast, kind]) (update[name] ??= {})[path] = operand;
    }
  const before = storedRow(document);
  // refuses what the database would, such as two operators on one path
  const whole = rowAfterUpdate(before, cast, now);
  if (Object.keys(others).length === 0) return { values: {}, lists };
  const after = Object.keys(lists).length === 0 ? whole : rowAfterUpdate(before, others, now);
  return { values: difference(BSON.deserialize(BSON.serialize(before)), after), lists };
}

/** Whether Mongoose has a list at a path, or makes one of a value that is set there. */
function isList(document: ChangedList, schema: ModelSchema, path: string): boolean {
  if (mongooseListAt(document, path) !== undefined) return true;
  const type = typeAt(schema, path);
  return 'array' in type && type.array && (valueAt(document, path) ?? null) === null;
}

interface Operand {
  readonly name: string;
  readonly path: string;
  readonly given: unknown;
}

/** The operators whose operands have the type of their path. */
const typed: ReadonlySet<string> = new Set(['$inc', '$min', '$max']);

/** An operand by the type of its path; setters run when the result is set. */
function castOperand(schema: ModelSchema, { name, path, given }: Operand): unknown {
  const type = typeAt(schema, path);
  if (!typed.has(name) || type.kind !== 'leaf' || type.array || given === null) return given;
  return castAsStored(type.field, given);
}
