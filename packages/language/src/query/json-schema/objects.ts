/** The keywords of a JSON Schema on documents. */
import { BSONRegExp } from 'bson';
import { isDoc } from '../../values/kind.ts';
import type { Doc, Value } from '../../values/types.ts';
import { regexCondition } from '../pattern.ts';
import { restOf } from './arrays.ts';
import {
  docIn,
  failed,
  type KeywordReader,
  namesIn,
  type Rule,
  type Schema,
  type SchemaContext,
  sizeIn,
} from './rule.ts';

/** A keyword on documents; other values meet it. */
const onDocs = (holds: (doc: Doc) => boolean, failure: (doc: Doc) => Doc): Rule => ({
  holds: (value) => !isDoc(value) || holds(value),
  failure: (value) => failure(isDoc(value) ? value : {}),
});

const own = (doc: Doc, name: string): Value => (Object.hasOwn(doc, name) ? doc[name] : undefined);
const has = (doc: Doc, name: string): boolean => own(doc, name) !== undefined;

const required: KeywordReader = (operand, _context, keyword) => {
  const names = namesIn(operand, keyword);
  return onDocs(
    (doc) => names.every((name) => has(doc, name)),
    (doc) => failed(keyword, operand, { missingProperties: names.filter((name) => !has(doc, name)) }),
  );
};

const propertyCount =
  (fits: (count: number, size: number) => boolean): KeywordReader =>
  (operand, _context, keyword) => {
    const size = sizeIn(operand, keyword);
    return onDocs(
      (doc) => fits(Object.keys(doc).length, size),
      (doc) =>
        failed(keyword, operand, {
          reason: 'specified number of properties was not satisfied',
          numberOfProperties: Object.keys(doc).length,
        }),
    );
  };

/** The failures of a property. */
const propertyFailure = (propertyName: string, schema: Schema, value: Value): Doc => ({
  propertyName,
  details: schema.failures(value),
});

const properties: KeywordReader = (operand, { read }, keyword) => {
  const schemas = Object.entries(docIn(operand, keyword)).map(([name, schema]) => [name, read(schema, name)] as const);
  const failing = (doc: Doc) => schemas.filter(([name, schema]) => has(doc, name) && !schema.holds(own(doc, name)));
  return onDocs(
    (doc) => schemas.every(([name, schema]) => !has(doc, name) || schema.holds(own(doc, name))),
    (doc) => ({
      operatorName: keyword,
      propertiesNotSatisfied: failing(doc).map(([name, schema]) => propertyFailure(name, schema, own(doc, name))),
    }),
  );
};

/** A test of names of properties by a pattern, metered. */
const nameTest = (pattern: string, { filter }: SchemaContext): ((name: string) => boolean) =>
  regexCondition(new BSONRegExp(pattern), filter).holds;

const patternProperties: KeywordReader = (operand, context, keyword) => {
  const schemas = Object.entries(docIn(operand, keyword)).map(([pattern, schema]) => ({
    pattern,
    isNamed: nameTest(pattern, context),
    schema: context.read(schema, pattern),
  }));
  const failing = (doc: Doc) =>
    schemas.flatMap(({ pattern, isNamed, schema }) =>
      Object.keys(doc)
        .filter((name) => isNamed(name) && !schema.holds(doc[name]))
        .map((name) => ({ ...propertyFailure(name, schema, doc[name]), regexMatched: pattern })),
    );
  return onDocs(
    (doc) => {
      const names = Object.keys(doc);
      context.filter.charge?.(names.length * schemas.length);
      return schemas.every(({ isNamed, schema }) => names.every((name) => !isNamed(name) || schema.holds(doc[name])));
    },
    (doc) => ({ operatorName: keyword, details: failing(doc) }),
  );
};

/** The properties that neither `properties` nor `patternProperties` names. */
const additionalProperties: KeywordReader = (operand, context, keyword) => {
  const rest = restOf(operand, context, keyword);
  if (rest === true) return undefined;
  const { properties: named = {}, patternProperties: patterned = {} } = context.schema;
  const known = new Set(Object.keys(docIn(named, 'properties')));
  const tests = Object.keys(docIn(patterned, 'patternProperties')).map((pattern) => nameTest(pattern, context));
  const isRest = (name: string): boolean => !known.has(name) && !tests.some((test) => test(name));
  const fails = (doc: Doc, name: string): boolean => isRest(name) && (rest === false || !rest.holds(doc[name]));
  return onDocs(
    (doc) => {
      const names = Object.keys(doc);
      context.filter.charge?.(names.length * (1 + tests.length));
      return !names.some((name) => fails(doc, name));
    },
    (doc) => {
      const names = Object.keys(doc).filter((name) => fails(doc, name));
      if (rest === false) return failed(keyword, operand, { additionalProperties: names });
      const [first = ''] = names;
      return {
        operatorName: keyword,
        reason: 'at least one additional property did not match the subschema',
        failingProperty: first,
        details: rest.failures(doc[first]),
      };
    },
  );
};

/** What a document must have if it has a property: other properties, or a schema that it meets. */
const dependencies: KeywordReader = (operand, { read }, keyword) => {
  const conditions = Object.entries(docIn(operand, keyword)).map(([name, demanded]) => ({
    name,
    demanded,
    meets: isDoc(demanded) ? read(demanded, name).holds : hasAll(namesIn(demanded, `${keyword}.${name}`)),
  }));
  const failing = (doc: Doc) => conditions.filter(({ name, meets }) => has(doc, name) && !meets(doc));
  return onDocs(
    (doc) => conditions.every(({ name, meets }) => !has(doc, name) || meets(doc)),
    (doc) => ({
      operatorName: keyword,
      failingDependencies: failing(doc).map(({ name, demanded }) => ({ conditionalProperty: name, demanded })),
    }),
  );
};

const hasAll =
  (names: readonly string[]) =>
  (doc: Value): boolean =>
    isDoc(doc) && names.every((name) => has(doc, name));

/** The keywords of this file. */
export const objectKeywords: readonly (readonly [string, KeywordReader])[] = [
  ['required', required],
  ['maxProperties', propertyCount((count, size) => count <= size)],
  ['minProperties', propertyCount((count, size) => count >= size)],
  ['properties', properties],
  ['patternProperties', patternProperties],
  ['additionalProperties', additionalProperties],
  ['dependencies', dependencies],
];
