/** JSON Schemas by ajv. The adapter of ajv. */
import { _, Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { makeYielder } from '../../async/yield.ts';
import type { PathFault } from '../../errors/failure.ts';
import { ownPattern, type TextTest } from '../author/own-pattern.ts';
import { plainCopy } from '../plain-object.ts';
import type { Check, JsonSchema } from './contract.ts';
import { DefinitionFault } from './faults.ts';

/** `text`: values are texts of a URL, which become numbers, lists and so on, as the schema says. */
export type Coercion = 'none' | 'text';

/** `first`: a check ends at the first fault; `all`: it collects them. */
type Extent = 'first' | 'all';

const optionsFor = (coercion: Coercion, extent: Extent): Options => ({
  allErrors: extent === 'all',
  useDefaults: true,
  coerceTypes: coercion === 'text' ? 'array' : false,
  strictTypes: false,
  strictTuples: false,
  logger: false,
  // 19.99 is a multiple of 0.01, although the quotient of the two doubles is no whole number
  multipleOfPrecision: 6,
  // they are annotations: what they check is what ajv-formats has
  formats: { iri: true, 'iri-reference': true, 'idn-email': true, 'idn-hostname': true },
  code: { regExp: patternFrom },
});

/** Tests a pattern of a schema without blocking the server. @throws DefinitionFault for one that could take very long */
function patternFrom(source: string, flags: string): { readonly test: TextTest } {
  const native = new RegExp(source, flags);
  const pattern = ownPattern(native);
  if (pattern.kind === 'unbounded')
    throw new DefinitionFault(
      `the pattern ${source} could take very long: write it without nested repetitions, look-arounds and back references`,
    );
  return pattern.kind === 'linear' ? pattern : native;
}
// ajv writes this into validators that are compiled ahead, which these are not
patternFrom.code = 'new RegExp';

const draft7 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;

/** @throws DefinitionFault for what is no JSON Schema, or refers to one that is elsewhere */
export function jsonCheck(name: string, schema: JsonSchema, coercion: Coercion): Check {
  const validate = compiled(name, schema, coercion, 'first');
  let validateAll: ValidateFunction | undefined;
  /** All faults of a value that has one; of a large value only that one. */
  const faultsOf = (value: unknown, first: readonly PathFault[]): readonly PathFault[] => {
    if (!hasFewValues(value)) return first;
    validateAll ??= compiled(name, schema, coercion, 'all');
    return validateAll(plainCopy(value)) ? first : faultsIn(validateAll);
  };
  return async (value) => {
    const pause = makeYielder();
    // defaults and coerced values are set in place, and what was sent must stay as it is
    const copy = plainCopy(value);
    await pause();
    if (!validate(copy)) return { faults: faultsOf(value, faultsIn(validate)) };
    const faults = coercion === 'text' ? [...roundedIn(copy, value)] : [];
    return faults.length === 0 ? { value: copy } : { faults };
  };
}

/** Faults that an answer lists of each part of a request. */
export const maxFaults = 50;

const faultsIn = ({ errors }: ValidateFunction): readonly PathFault[] =>
  (errors ?? []).slice(0, maxFaults).map(faultOf);

/** Values of a body above which only its first fault is looked for: each value may have several. */
const maxCheckedValues = 2000;

function hasFewValues(value: unknown): boolean {
  const open = [value];
  let count = 0;
  for (const one of open) {
    if (typeof one !== 'object' || one === null) continue;
    const inner = Object.values(one);
    count += inner.length;
    if (count > maxCheckedValues) return false;
    open.push(...(inner as unknown[]));
  }
  return true;
}

/** Texts that became numbers which JSON has not, or other numbers than theirs, such as `Infinity` and 2^53 + 1. */
function* roundedIn(value: unknown, sent: unknown, path: readonly string[] = []): Generator<PathFault> {
  if (typeof value === 'number' && !isExact(value, sent))
    yield { path: path.join('.'), kind: 'number', message: 'must be a number that a double holds' };
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    // one text becomes a list of one value
    const part: unknown = typeof sent === 'object' && sent !== null ? Reflect.get(sent, name) : sent;
    yield* roundedIn(inner, part, [...path, name]);
  }
}

const isExact = (number: number, sent: unknown): boolean =>
  Number.isFinite(number) &&
  (Number.isSafeInteger(number) ||
    typeof sent !== 'string' ||
    !/^-?\d+$/.test(sent) ||
    BigInt(number) === BigInt(sent));

function compiled(name: string, schema: JsonSchema, ...how: Parameters<typeof optionsFor>): ValidateFunction {
  const { $schema, $async } = schema;
  const [coercion] = how;
  if ($async !== undefined) throw new DefinitionFault(`${name}: $async is no keyword of JSON Schema`);
  const Version = typeof $schema === 'string' && draft7.test($schema) ? Ajv : Ajv2020;
  try {
    // each schema by itself: two may have the same $id
    const ajv = withUniqueItems(addFormats.default(new Version(optionsFor(...how))));
    return (coercion === 'text' ? withTypedValues(ajv) : ajv).compile(schema);
  } catch (error) {
    // ajv ignores it only where that is asked for
    const reason = (error as Error).message.replace(' ignored in schema', '');
    throw new DefinitionFault(`${name} is no valid JSON Schema: ${reason}`);
  }
}

/** `enum` and `const` of texts of a URL: a text becomes the number, boolean or null of them that it writes, whether or not `type` states it. */
const withTypedValues = (ajv: Ajv): Ajv => {
  for (const keyword of ['enum', 'const'])
    ajv.removeKeyword(keyword).addKeyword({
      keyword,
      modifying: true,
      validate: (given: unknown, value: unknown, _schema, at) => {
        const values: readonly unknown[] = keyword === 'enum' && Array.isArray(given) ? given : [given];
        if (values.some((one) => keyOf(one) === keyOf(value))) return true;
        const written = values.findIndex((one) => isWrittenAs(one, value));
        if (written !== -1 && at !== undefined) at.parentData[at.parentDataProperty] = values[written];
        return written !== -1;
      },
      error: {
        message: keyword === 'enum' ? 'must be equal to one of the allowed values' : 'must be equal to constant',
        params: ({ schemaCode }) => (keyword === 'enum' ? _`{allowedValues: ${schemaCode}}` : _`{}`),
      },
    });
  return ajv;
};

/** As ajv converts texts to types. */
function isWrittenAs(value: unknown, text: unknown): boolean {
  if (typeof text !== 'string') return false;
  if (typeof value === 'number') return text.trim() !== '' && Number(text) === value;
  return typeof value === 'boolean' ? String(value) === text : value === null && text === '';
}

/** `uniqueItems` by a set: ajv compares each pair of items, which takes a minute for the items of one body. */
const withUniqueItems = (ajv: Ajv): Ajv =>
  ajv.removeKeyword('uniqueItems').addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (isUnique: boolean, items: readonly unknown[]) =>
      !isUnique || new Set(items.map(keyOf)).size === items.length,
    error: { message: 'must NOT have duplicate items' },
  });

/** A text that equal values share, whatever the order of their keys. */
function keyOf(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner === 'bigint') return { '\0': String(inner) };
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/** A keyword that names a property as missing or as unknown has its name in the parameters. */
function faultOf({ instancePath, keyword, message = 'is not valid', params }: ErrorObject): PathFault {
  const { missingProperty, additionalProperty, unevaluatedProperty, allowedValues } = params as Record<string, unknown>;
  const named = missingProperty ?? additionalProperty ?? unevaluatedProperty;
  const parts = instancePath.split('/').slice(1).map(unescaped);
  const path = [...parts, ...(named === undefined ? [] : [String(named)])].join('.');
  const more = Array.isArray(allowedValues) ? `: ${allowedValues.map((one) => JSON.stringify(one)).join(', ')}` : '';
  return { path, kind: keyword, message: `${sentenceOf(message, named)}${more}` };
}

function sentenceOf(message: string, named: unknown): string {
  if (message.startsWith('must have required property')) return 'is required';
  return named === undefined ? message : 'is not a property that is accepted';
}

/** RFC 6901. */
const unescaped = (part: string): string => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
