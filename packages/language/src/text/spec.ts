/** The definition of a text index: fields with their weights, and the languages of their texts. */
import { StoreError } from '../errors.ts';
import { isDoc } from '../values/kind.ts';
import { toDouble } from '../values/number.ts';
import type { Doc, Value } from '../values/types.ts';
import { type Language, languageOf } from './language.ts';

/** A parsed definition. */
export interface TextSpec {
  readonly weights: ReadonlyMap<string, number>;
  /** The weight of all texts (`$**`), if the index covers them. */
  readonly everything: number | undefined;
  readonly language: Language;
  readonly languageField: string;
}

const wildcard = '$**';
const maxWeight = 99_999;

/** Parses the definition of a text index. @throws StoreError 67 for one that MongoDB refuses */
export function readTextSpec(definition: Doc): TextSpec {
  const weights = weightsOf(definition);
  const { default_language: language = 'english', language_override: field = 'language' } = definition;
  const found = typeof language === 'string' ? languageOf(language) : undefined;
  if (found === undefined) throw new StoreError(67, 'default_language is not valid');
  if (typeof field !== 'string' || field === '' || field.startsWith('$') || field.includes('.')) {
    throw new StoreError(67, 'language_override is not valid');
  }
  const everything = weights.get(wildcard);
  weights.delete(wildcard);
  return { weights, everything, language: found, languageField: field };
}

/** The weight of each text field of an index, and of `$**`. @throws StoreError 67 for an invalid weight */
export function weightsOf({ key, weights }: Doc): Map<string, number> {
  const found = new Map<string, number>();
  for (const [path, kind] of Object.entries(isDoc(key) ? key : {})) {
    if (kind === 'text' && path !== '_fts') found.set(path, 1);
  }
  for (const [path, weight] of Object.entries(isDoc(weights) ? weights : {})) found.set(path, readWeight(weight));
  if (weights === wildcard) found.set(wildcard, 1);
  return found;
}

function readWeight(value: Value): number {
  const weight = toDouble(value);
  if (weight === undefined) throw new StoreError(67, 'weight for text index needs numeric type');
  if (!(weight >= 1 && weight <= maxWeight)) {
    throw new StoreError(
      67,
      `text index weight must be in the exclusive interval (0,${maxWeight + 1}) but found: ${weight}`,
    );
  }
  return Math.trunc(weight);
}

/** A text of a document, with its weight and language. */
export interface FieldText {
  readonly text: string;
  readonly weight: number;
  readonly language: Language;
}

/** All texts of a document that the index covers. A subdocument may set its own language. */
export function textsOf(doc: Doc, spec: TextSpec): readonly FieldText[] {
  const found: FieldText[] = [];
  collectDoc({ spec, found }, doc, '', spec.language);
  return found;
}

interface Collection {
  readonly spec: TextSpec;
  readonly found: FieldText[];
}

function collectDoc(into: Collection, doc: Doc, prefix: string, outer: Language): void {
  const language = languageIn(doc, into.spec, outer);
  for (const [name, value] of Object.entries(doc)) {
    if (name === into.spec.languageField) continue;
    collectValue(into, value, prefix + name, language);
  }
}

function collectValue(into: Collection, value: Value, path: string, language: Language): void {
  if (typeof value === 'string') {
    const weight = into.spec.weights.get(path) ?? into.spec.everything;
    if (weight !== undefined) into.found.push({ text: value, weight, language });
  } else if (isDoc(value)) collectDoc(into, value, `${path}.`, language);
  else if (Array.isArray(value)) for (const member of value) collectValue(into, member, path, language);
}

function languageIn(doc: Doc, { languageField }: TextSpec, outer: Language): Language {
  if (!Object.hasOwn(doc, languageField)) return outer;
  const name = doc[languageField];
  if (typeof name !== 'string') {
    throw new StoreError(17261, 'found language override field in document with non-string type');
  }
  const language = languageOf(name);
  if (language === undefined) throw new StoreError(17262, `language override unsupported: ${name}`);
  return language;
}
