/**
 * The rules of a schema that read the document: only loading and saving it gives them one, since in an update Mongoose passes the query, or
 * nothing.
 */
import { Schema, type SchemaType } from 'mongoose';
import { shapeOf } from '../fields/types/index.ts';
import { typeParts } from './internals.ts';
import { isOwnFunction, readsThis, sourceOf, takesParameters } from './reads-document.ts';
import { placesOf, typesIn } from './schema-places.ts';
import { settableVirtualsOf } from './virtuals.ts';

type RuleKind = 'validate' | 'min' | 'max' | 'required' | 'set' | 'default' | 'immutable' | 'virtual';

/** A rule with its path, as `typesIn` writes it. */
export interface DocumentRule {
  readonly path: string;
  readonly kind: RuleKind;
}

type Ruled = ReturnType<typeof typeParts>;
type Test = (type: Ruled) => boolean;

/** Whether a type has a rule that reads the document, by its kind. Mongoose calls each with the document as `this`. */
const tests: readonly (readonly [kind: RuleKind, test: Test])[] = [
  ['validate', ({ validators }) => validators.some(({ validator }) => !isMongooses(validator) && readsThis(validator))],
  // of dates only
  ['min', ({ validators }) => validators.some(({ min }) => readsThis(min))],
  ['max', ({ validators }) => validators.some(({ max }) => readsThis(max))],
  ['required', ({ originalRequiredValue }) => readsThis(originalRequiredValue)],
  // the second parameter is the value before the change
  ['set', ({ setters }) => setters.some((one) => !isMongooses(one) && (readsThis(one) || takesParameters(one, 2)))],
  ['default', (type) => readsDocument(defaultOf(type))],
  // a function is called with the document
  ['immutable', ({ $immutable }) => isOwnFunction($immutable)],
];

const readsDocument = (given: unknown): boolean => readsThis(given) || takesParameters(given, 1);

/** The default of a model file; those of lists are called by a function of Mongoose's own. */
const defaultOf = ({ defaultValue, options }: Ruled): unknown =>
  isMongooses(defaultValue) ? options['default'] : defaultValue;

/** The sources of the functions that Mongoose itself makes of a schema's options: closures, which nothing else marks. */
const ownSources: ReadonlySet<string> = new Set(
  Object.values(
    new Schema({
      text: { type: String, lowercase: true, uppercase: true, trim: true, required: true, immutable: true },
      date: { type: Date, min: new Date(), max: new Date() },
      list: [String],
      documents: [{ text: String }],
    }).paths,
  ).flatMap((type) => {
    const { setters, validators, defaultValue } = typeParts(type);
    const made = [...setters, ...validators.map(({ validator }) => validator), defaultValue];
    return made.filter(isOwnFunction).map(sourceOf);
  }),
);

const isMongooses = (code: unknown): boolean => isOwnFunction(code) && ownSources.has(sourceOf(code));

/**
 * The rules of a schema, of its nested schemas and of its discriminators that read the document. A virtual with a setter is one of them,
 * because only a document has virtuals.
 * @param schema as the model file declares it
 */
export function documentRulesOf(schema: Schema): readonly DocumentRule[] {
  const found = placesOf(schema).flatMap((place) => [
    ...typesIn(place).flatMap(({ type, path }) => rulesOf(type, path)),
    ...settableVirtualsOf(place.schema).map((name) => ({ path: place.prefix + name, kind: 'virtual' as const })),
  ]);
  const byText = new Map(found.map((rule) => [`${rule.path} ${rule.kind}`, rule]));
  return [...byText.values()];
}

function rulesOf(type: SchemaType, path: string): readonly DocumentRule[] {
  const parts = typeParts(type);
  const found = tests.filter(([, test]) => test(parts)).map(([kind]) => kind);
  if (!found.includes('validate') && judgesWhole(type)) found.push('validate');
  return found.map((kind) => ({ path, kind }));
}

/** The values of which a request may change a part, such as `tags.0`: an update has the part alone, and a validator judges the whole. */
const wholes: ReadonlySet<unknown> = new Set(['list', 'map', 'any']);

const judgesWhole = (type: SchemaType): boolean =>
  wholes.has(shapeOf(type)) && typeParts(type).validators.some(({ validator }) => !isMongooses(validator));
