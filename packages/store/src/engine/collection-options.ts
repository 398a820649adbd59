/** The options of a collection besides its collation: its validator, its cap, and whether change events keep images. */
import { notSupported, StoreError } from 'dossier-language/errors';
import { type Doc, isDoc, toDouble, type Value } from 'dossier-language/values';

/** How documents of a collection are validated. */
export interface Validation {
  readonly validator: Doc;
  readonly level: 'strict' | 'moderate' | 'off';
  readonly action: 'error' | 'warn';
}

/** The maximum size of a collection, beyond which its oldest documents are removed. */
export interface Cap {
  readonly bytes: number;
  readonly documents: number;
}

/** The options of a collection. */
export interface CollectionOptions {
  /** As `listCollections` shows them and the data file keeps them. */
  readonly shown: Doc;
  readonly validation: Validation | undefined;
  readonly cap: Cap | undefined;
  /** Change events of the collection keep the documents before and after each change. */
  readonly images: boolean;
}

/** The options of `create`, in the order in which they are shown. */
export const optionNames = [
  'capped',
  'size',
  'max',
  'validator',
  'validationLevel',
  'validationAction',
  'changeStreamPreAndPostImages',
] as const;

const invalid = (message: string): StoreError => new StoreError(72, message);

/**
 * Reads the options of a collection from those of `create`, or from its record.
 * @throws StoreError 72, 14, 2 or 115 for invalid or unsupported options
 */
export function readOptions(given: Doc): CollectionOptions {
  const shown: Record<string, Value> = {};
  for (const name of optionNames) {
    const value = given[name];
    const isSet = value !== undefined && value !== null && !(name === 'capped' && value === false);
    if (isSet) shown[name] = value;
  }
  const images = imagesIn(shown['changeStreamPreAndPostImages']);
  if (!images) delete shown['changeStreamPreAndPostImages'];
  return { shown, validation: validationIn(shown), cap: capIn(shown), images };
}

/** The options of a collection that has none. */
export const noOptions: CollectionOptions = { shown: {}, validation: undefined, cap: undefined, images: false };

function validationIn({ validator, validationLevel, validationAction }: Doc): Validation | undefined {
  const level = oneOf('validationLevel', validationLevel, ['strict', 'moderate', 'off'] as const);
  const action = oneOf('validationAction', validationAction, ['error', 'warn'] as const);
  if (validator === undefined) return undefined;
  if (!isDoc(validator)) throw new StoreError(14, "BSON field 'create.validator' is the wrong type, expected 'object'");
  if (Object.keys(validator).length === 0) return undefined;
  return { validator, level, action };
}

function oneOf<T extends string>(name: string, value: Value, allowed: readonly [T, ...T[]]): T {
  if (value === undefined) return allowed[0];
  const found = allowed.find((one) => one === value);
  if (found === undefined)
    throw new StoreError(
      2,
      `Enumeration value '${String(value)}' for field '${name}' is not a valid value: ${allowed.join(', ')}.`,
    );
  return found;
}

function capIn({ capped, size, max }: Doc): Cap | undefined {
  if (capped === undefined) {
    if (size === undefined && max === undefined) return undefined;
    throw invalid("the 'capped' field needs to be true when either the 'size' or 'max' fields are present");
  }
  if (capped !== true && toDouble(capped) === undefined)
    throw new StoreError(14, "BSON field 'create.capped' is the wrong type, expected 'bool'");
  if (size === undefined) throw invalid("the 'size' field is required when 'capped' is true");
  return { bytes: countIn('size', size), documents: max === undefined ? 0 : countIn('max', max) };
}

/** The error of a write to a capped collection in a transaction. */
export const cappedInTransaction = (ns: string): StoreError =>
  new StoreError(
    263,
    `Collection '${ns}' is a capped collection. Writes in transactions are not allowed on capped collections.`,
  );

/** Maximum bytes of a cap, as in MongoDB: 1 PB. */
const maxBytes = 2 ** 50;

/** A cap: 0 documents mean any number of them. @throws StoreError 14 or 2 */
export function countIn(name: string, value: Value): number {
  const count = toDouble(value);
  if (count === undefined) throw new StoreError(14, `BSON field '${name}' is the wrong type, expected 'long'`);
  const least = name === 'max' || name === 'cappedMax' ? 0 : 1;
  if (!(count >= least && count <= maxBytes))
    throw new StoreError(2, `BSON field '${name}' value must be from ${least} to ${maxBytes}, actual value '${count}'`);
  return Math.trunc(count);
}

function imagesIn(value: Value): boolean {
  if (value === undefined) return false;
  if (!isDoc(value) || typeof value['enabled'] !== 'boolean')
    throw new StoreError(14, "BSON field 'changeStreamPreAndPostImages.enabled' must be a boolean");
  if (Object.keys(value).length > 1) throw notSupported("an option of 'changeStreamPreAndPostImages' beside 'enabled'");
  return value['enabled'];
}
