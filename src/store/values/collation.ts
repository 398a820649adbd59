/** How strings are compared when a command gives a collation: by a language's alphabet, with or without case and accents. */
import { notSupported, StoreError, unknownName } from '../errors.ts';
import { isNumber } from './kind.ts';
import type { Doc, Value } from './types.ts';

/** A way to compare strings. */
export interface Collation {
  compare(a: string, b: string): number;
}

const strengths: Readonly<Record<string, Intl.CollatorOptions['sensitivity']>> = {
  1: 'base',
  2: 'accent',
  3: 'variant',
};

type Check = (value: Value) => boolean;
const flag: Check = (value) => typeof value === 'boolean';
const oneOf =
  (...allowed: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && allowed.includes(value);

const known: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['locale', (value) => typeof value === 'string'],
  ['strength', isNumber],
  ['caseLevel', flag],
  ['caseFirst', oneOf('upper', 'lower', 'off')],
  ['numericOrdering', flag],
  ['alternate', oneOf('non-ignorable', 'shifted')],
  ['maxVariable', oneOf('punct', 'space')],
  ['backwards', flag],
  ['normalization', flag],
  ['version', (value) => typeof value === 'string'],
]);

/** What this store can't do, with the values that mean "off". */
const unsupported: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['alternate', 'non-ignorable'],
  ['backwards', false],
]);

/**
 * Reads the `collation` of a command; the locale 'simple' is no collation at all.
 * @throws StoreError 2 for what isn't a collation, 115 for what this store can't do
 */
export function readCollation(spec: Doc | undefined): Collation | undefined {
  if (spec === undefined) return undefined;
  for (const [name, value] of Object.entries(spec)) checkOption(name, value);
  const { locale } = spec;
  if (typeof locale !== 'string')
    throw new StoreError(40414, "BSON field 'collation.locale' is missing but a required field");
  if (locale === 'simple') return undefined;
  return new Intl.Collator(knownLocale(locale), collatorOptions(spec));
}

function checkOption(name: string, value: Value): void {
  const check = known.get(name);
  if (check === undefined) throw unknownName(40415, `BSON field 'collation.${name}' is an unknown field.`);
  if (!check(value)) throw new StoreError(14, `BSON field 'collation.${name}' has the wrong type or value`);
  if (unsupported.has(name) && unsupported.get(name) !== value) throw notSupported(`a collation with ${name}`);
}

function collatorOptions(spec: Doc): Intl.CollatorOptions {
  const { strength = 3, caseLevel, caseFirst = 'off', numericOrdering = false } = spec;
  const sensitivity = strengths[String(strength)];
  if (sensitivity === undefined) throw notSupported(`a collation of strength ${String(strength)}`);
  return {
    sensitivity: sensitivity === 'base' && caseLevel === true ? 'case' : sensitivity,
    numeric: numericOrdering === true,
    caseFirst: caseFirst === 'upper' || caseFirst === 'lower' ? caseFirst : 'false',
  };
}

function knownLocale(locale: string): string {
  const tag = locale.replaceAll('_', '-').split('@')[0] ?? '';
  try {
    const [found] = Intl.Collator.supportedLocalesOf(tag);
    if (found !== undefined) return found;
  } catch {
    // A tag that isn't well-formed is answered as an unknown one.
  }
  throw new StoreError(2, `Field 'locale' is invalid in: { locale: "${locale}" }`);
}
