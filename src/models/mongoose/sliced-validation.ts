/** Validates the documents of long lists in slices, where Mongoose validates all of them in one turn of the event loop. */
import { type Schema, SchemaType } from 'mongoose';
import { makeYielder } from '../../async/yield.ts';
import { placesOf, typesIn } from './schema-places.ts';

/** Documents that are validated in about a millisecond. */
const fewDocuments = 30;

interface Options {
  readonly updateValidator?: boolean;
  readonly validateModifiedOnly?: boolean;
}

interface ListDocument {
  readonly $isNew: boolean;
  $isModified(): boolean;
  validate(paths: null, options: Options | undefined): Promise<unknown>;
}

type DoValidate = (this: SchemaType, list: unknown, scope: unknown, options?: Options) => Promise<void>;

const doValidateOf = (type: object): DoValidate => (type as { readonly doValidate: DoValidate }).doValidate;

/** @param schema that is compiled */
export function validateInSlices(schema: Schema): void {
  for (const place of placesOf(schema))
    for (const { type } of typesIn(place))
      if ('$isMongooseDocumentArray' in type && type.$isMongooseDocumentArray === true) sliceValidation(type);
}

function sliceValidation(type: SchemaType): void {
  const whole = doValidateOf(type);
  const sliced: DoValidate = async function (list, scope, options) {
    if (!isLong(list) || options?.updateValidator === true) return whole.call(this, list, scope, options);
    const pause = makeYielder();
    const failures: unknown[] = [];
    const noting = (validated: Promise<unknown>): Promise<unknown> =>
      validated.catch((error: unknown) => failures.push(error));
    await noting(doValidateOf(SchemaType.prototype).call(this, list, scope));
    const validations: Promise<unknown>[] = [];
    for (const one of list) {
      await pause();
      if (one === null || one === undefined) continue;
      const isOnlyModified = options?.validateModifiedOnly === true;
      if (isOnlyModified && !one.$isNew && !one.$isModified()) continue;
      const ofOne = isOnlyModified && one.$isNew ? { ...options, validateModifiedOnly: false } : options;
      validations.push(noting(one.validate(null, ofOne)));
    }
    // validators may wait, all at once
    await Promise.all(validations);
    // each document has noted its own faults in the one around the list
    if (failures.length > 0) throw failures[0];
  };
  Object.defineProperty(type, 'doValidate', { value: sliced, configurable: true, writable: true });
}

/** A list of Mongoose documents that is not short. Values of other kinds are rare, and left to Mongoose. */
const isLong = (list: unknown): list is readonly (ListDocument | null | undefined)[] =>
  Array.isArray(list) &&
  list.length > fewDocuments &&
  list.every((one) => one === null || one === undefined || isDocument(one));

const isDocument = (one: unknown): boolean => typeof one === 'object' && one !== null && '$isSubdocument' in one;
