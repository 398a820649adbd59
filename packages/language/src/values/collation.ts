/**
 * Collations: comparing strings by the rules of a language, with or without case and diacritics (MongoDB's manual,
 * "Collation").
 */
import { notSupported, StoreError, unknownName } from '../errors.ts';
import { toDouble } from './number.ts';
import type { Doc, Value } from './types.ts';

/**
 * A way to compare strings. Without a collation (`undefined`) strings compare by bytes, which MongoDB calls `simple`.
 */
export interface Collation {
  compare(a: string, b: string): number;
  /** All options, in the order and form of `listIndexes`. */
  readonly shown: Doc;
  /** The options as a string: collations with the same id compare alike. */
  readonly id: string;
}

/** Whether two collations compare alike. */
export const sameCollation = (a: Collation | undefined, b: Collation | undefined): boolean => a?.id === b?.id;

/**
 * The version that MongoDB reports for its collations, so that an index created from the output of `listIndexes` is the
 * same index there.
 */
const version = '57.1';

const simple = 'simple';

const sensitivities: ReadonlyMap<number, NonNullable<Intl.CollatorOptions['sensitivity']>> = new Map([
  [1, 'base'],
  [2, 'accent'],
  [3, 'variant'],
]);
const maxStrength = 5;

type Check = (value: Value, where: string) => void;

const ofType =
  (type: 'boolean' | 'string'): Check =>
  (value, where) => {
    if (typeof value !== type) throw new StoreError(14, `BSON field '${where}' must be a ${type}, got ${typeof value}`);
  };

const oneOf =
  (...allowed: readonly string[]): Check =>
  (value, where) => {
    ofType('string')(value, where);
    if (!allowed.includes(value as string))
      throw new StoreError(2, `Field '${where}' must be one of '${allowed.join("', '")}', got '${String(value)}'`);
  };

function checkStrength(value: Value, where: string): void {
  const strength = toDouble(value);
  if (strength === undefined) throw new StoreError(14, `BSON field '${where}' must be a number, got ${typeof value}`);
  if (!Number.isInteger(strength) || strength < 1 || strength > maxStrength)
    throw new StoreError(2, `Field '${where}' must be an integer 1 through ${maxStrength}, got ${strength}`);
  if (!sensitivities.has(strength)) throw notSupported(`a collation of strength ${strength}`);
}

function checkVersion(value: Value, where: string): void {
  ofType('string')(value, where);
  if (value !== version)
    throw new StoreError(161, `Requested collation version ${String(value)}, but the only one available is ${version}`);
}

const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['locale', ofType('string')],
  ['strength', checkStrength],
  ['caseLevel', ofType('boolean')],
  ['caseFirst', oneOf('upper', 'lower', 'off')],
  ['numericOrdering', ofType('boolean')],
  ['alternate', oneOf('non-ignorable', 'shifted')],
  ['maxVariable', oneOf('punct', 'space')],
  ['backwards', ofType('boolean')],
  ['normalization', ofType('boolean')],
  ['version', checkVersion],
]);

/**
 * Parses a collation; undefined for the locale `simple`.
 * @throws StoreError 2, 9, 14, 161, 40414 or 40415 for an invalid collation, 115 for unsupported options
 */
export function readCollation(spec: Doc): Collation | undefined {
  for (const [name, value] of Object.entries(spec)) {
    const check = checks.get(name);
    if (check === undefined) throw unknownName(40415, `BSON field 'collation.${name}' is an unknown field.`);
    check(value, `collation.${name}`);
  }
  const { locale } = spec;
  if (typeof locale !== 'string')
    throw new StoreError(40414, "BSON field 'collation.locale' is missing but a required field");
  if (locale !== simple) return collationOf(locale, spec);
  if (Object.keys(spec).length > 1)
    throw new StoreError(9, `If collation.locale is '${simple}', no other field may be present`);
  return undefined;
}

/** Converts ICU's names of sort orders, such as `de@collation=phonebook`, to BCP 47 (`de-u-co-phonebk`). */
const orderNames: ReadonlyMap<string, string> = new Map([
  ['dictionary', 'dict'],
  ['gb2312han', 'gb2312'],
  ['phonebook', 'phonebk'],
  ['traditional', 'trad'],
]);

const withOrder = /^([A-Za-z_]+)(?:@collation=([a-z0-9]+))?$/;

/** The BCP 47 tag of a locale. @throws StoreError 2 for one that is unknown or not canonical */
function tagOf(locale: string): string {
  const invalid = (hint = ''): StoreError =>
    new StoreError(2, `Field 'locale' is invalid in: { locale: "${locale}" }${hint}`);
  const [, base = '', order] = withOrder.exec(locale.replaceAll('-', '_')) ?? [];
  const tag = base.replaceAll('_', '-');
  if (tag === '' || !isKnown(tag)) throw invalid();
  const name = new Intl.Collator(tag).resolvedOptions().locale.replace('-u-va-posix', '-POSIX').replaceAll('-', '_');
  const canonical = order === undefined ? name : `${name}@collation=${order}`;
  if (canonical !== locale) throw invalid(`. Did you mean '${canonical}'?`);
  if (order === undefined) return tag;
  const wanted = orderNames.get(order) ?? order;
  const full = `${tag}-u-co-${wanted}`;
  if (!isKnown(full) || new Intl.Collator(full).resolvedOptions().collation !== wanted)
    throw notSupported(`a collation with the locale '${locale}'`);
  return full;
}

function isKnown(tag: string): boolean {
  try {
    return Intl.Collator.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}

/** Creating a collator takes as long as a small command, so recent ones are cached. */
const collations = new Map<string, Collation>();
const maxCollations = 50;

function collationOf(locale: string, spec: Doc): Collation {
  const key = JSON.stringify([locale, ...[...checks.keys()].slice(1).map((name) => optionOf(spec[name]))]);
  const known = collations.get(key);
  if (known !== undefined) return known;
  const made = makeCollation(locale, tagOf(locale), spec);
  if (collations.size >= maxCollations) collations.delete(collations.keys().next().value ?? '');
  collations.set(key, made);
  return made;
}

/** An option in JSON form: a strength may be a long. */
const optionOf = (value: Value): Value => (typeof value === 'boolean' ? value : (toDouble(value) ?? value));

function makeCollation(locale: string, tag: string, spec: Doc): Collation {
  const strength = toDouble(spec['strength']) ?? 3;
  const caseLevel = spec['caseLevel'] === true;
  if (caseLevel && strength !== 1) throw notSupported(`a collation with caseLevel and strength ${strength}`);
  const { caseFirst, numericOrdering, alternate, normalization = false } = spec;
  const collator = new Intl.Collator(tag, {
    sensitivity: caseLevel ? 'case' : sensitivities.get(strength),
    ...(caseFirst === undefined ? {} : { caseFirst: caseFirst === 'off' ? 'false' : (caseFirst as 'upper' | 'lower') }),
    ...(numericOrdering === undefined ? {} : { numeric: numericOrdering === true }),
    ...(alternate === undefined ? {} : { ignorePunctuation: alternate === 'shifted' }),
  });
  const resolved = collator.resolvedOptions();
  const shown: Doc = {
    locale,
    caseLevel,
    caseFirst: resolved.caseFirst === 'false' ? 'off' : resolved.caseFirst,
    strength,
    numericOrdering: resolved.numeric,
    alternate: resolved.ignorePunctuation ? 'shifted' : 'non-ignorable',
    maxVariable: spec['maxVariable'] ?? 'punct',
    normalization,
    backwards: spec['backwards'] ?? isBackwards(tag),
    version,
  };
  checkTogether(shown, isBackwards(tag));
  const { compare } = collator;
  return { compare: (a, b) => (a === b ? 0 : compare(a, b)), shown, id: JSON.stringify(shown) };
}

/** Whether a locale compares diacritics from the end of a word, as only Canadian French does. */
const isBackwards = (tag: string): boolean => tag.startsWith('fr-CA');

/** @throws StoreError 2 or 115 for conflicting options */
function checkTogether({ strength, caseLevel, caseFirst, alternate, maxVariable, backwards }: Doc, own: boolean): void {
  if (backwards === true && strength === 1) throw new StoreError(2, "'backwards' is invalid with 'strength' of 1");
  if (caseFirst !== 'off' && caseLevel !== true && strength !== 3)
    throw new StoreError(2, "'caseFirst' is invalid unless 'caseLevel' is on or 'strength' is greater than 2");
  if (backwards !== own) throw notSupported(`a collation with backwards: ${String(backwards)} for this locale`);
  if (alternate === 'shifted' && maxVariable === 'space') throw notSupported("a collation with maxVariable 'space'");
}
