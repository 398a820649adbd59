/** The arguments of tools: one table gives their JSON Schema and their check. */
import { badParameter, badRequest, isPlainObject, type JsonSchema, suggestion } from '../../../core.ts';

/** The arguments of a call, checked against the rows of the tool. */
export type Arguments = Readonly<Record<string, unknown>>;

interface Kind {
  readonly schema: JsonSchema;
  readonly accepts: (value: unknown) => boolean;
  /** Continues "must be". */
  readonly rule: string;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isList = (value: unknown, isMember: (member: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isMember);
const text: JsonSchema = { type: 'string' };
const object: JsonSchema = { type: 'object', additionalProperties: true };

const kinds = {
  text: { schema: { ...text, minLength: 1 }, accepts: (value) => isText(value) && value !== '', rule: 'a text' },
  id: {
    schema: { type: ['string', 'number'] },
    accepts: (value) => (isText(value) && value !== '') || Number.isSafeInteger(value),
    rule: 'an id',
  },
  whole: {
    schema: { type: 'integer', minimum: 1 },
    accepts: (value) => Number.isSafeInteger(value) && Number(value) >= 1,
    rule: 'a whole number from 1',
  },
  flag: { schema: { type: 'boolean' }, accepts: (value) => typeof value === 'boolean', rule: 'true or false' },
  texts: {
    schema: { type: 'array', items: text },
    accepts: (value) => isList(value, isText),
    rule: 'a list of texts',
  },
  object: { schema: object, accepts: isPlainObject, rule: 'an object' },
  objects: {
    schema: { type: 'array', items: object, minItems: 1 },
    accepts: (value) => isList(value, isPlainObject) && (value as unknown[]).length > 0,
    rule: 'a list of objects',
  },
  search: {
    schema: { anyOf: [text, { type: 'object', additionalProperties: text }] },
    accepts: (value) => isText(value) || (isPlainObject(value) && Object.values(value).every(isText)),
    rule: 'a text, or an object of texts by field',
  },
  sort: {
    schema: {
      anyOf: [
        text,
        { type: 'array', items: text },
        { type: 'object', additionalProperties: { enum: [1, -1, 'asc', 'desc'] } },
      ],
    },
    accepts: (value) =>
      isText(value) ||
      isList(value, isText) ||
      (isPlainObject(value) && Object.values(value).every((one) => [1, -1, 'asc', 'desc'].includes(one as string))),
    rule: 'a field, a list of fields, or an object of 1, -1, "asc" or "desc" by field',
  },
  any: { schema: {}, accepts: () => true, rule: 'any value' },
} satisfies Record<string, Kind>;

/** One argument of a tool. */
export interface ArgumentRow {
  readonly name: string;
  readonly kind: keyof typeof kinds;
  readonly isRequired?: true;
  /** For the model that reads it. */
  readonly meaning: string;
}

/** @param known schemas that say more than the kind does, by the names of arguments */
export const schemaOf = (
  rows: readonly ArgumentRow[],
  known: Readonly<Record<string, JsonSchema | undefined>>,
): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    rows.map(({ name, kind, meaning }) => [name, { ...(known[name] ?? kinds[kind].schema), description: meaning }]),
  ),
  required: rows.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  additionalProperties: false,
});

/**
 * Checks arguments as far as their types, and that there are no others: the operation checks what they say.
 * @throws 400 that names the argument
 */
export function checkArguments(tool: string, rows: readonly ArgumentRow[], given: Arguments): void {
  const names = rows.map(({ name }) => name);
  for (const name of Object.keys(given))
    if (!names.includes(name))
      throw badRequest(`${JSON.stringify(name.slice(0, 60))} is not an argument of ${tool}${suggestion(name, names)}`);
  for (const { name, kind, isRequired } of rows) {
    const value = given[name];
    if (value === undefined && isRequired) throw badParameter(name, `${tool} needs it: ${kinds[kind].rule}`);
    if (value !== undefined && !kinds[kind].accepts(value))
      throw badParameter(name, `must be ${kinds[kind].rule}, got ${shown(value)}`);
  }
}

const shown = (value: unknown): string => JSON.stringify(value)?.slice(0, 40) ?? 'nothing';
