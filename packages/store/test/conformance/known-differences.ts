/**
 * Where DocumentDB, the other engine at hand, differs from MongoDB's manual, each with the statement of the manual. The
 * embedded store follows the manual in all of them; where the manual is silent, the entry states it.
 */
import type { Document } from 'mongodb';
import { schemaCases } from '../../../language/test/schema-cases.ts';
import { brief } from './case.ts';

/** Parts of schemas that DocumentDB refuses; MongoDB's manual, $jsonSchema, lists them as available keywords. */
const refusedParts = [
  ...[
    'additionalProperties',
    'allOf',
    'anyOf',
    'dependencies',
    'description',
    'maxProperties',
    'not',
    'patternProperties',
  ],
  'bsonType":"number',
];

const refusedSchemas = schemaCases.flatMap(({ schema, accepts, refuses }) => {
  const name = brief({ $jsonSchema: schema });
  const isRefused = refusedParts.some((part) => name.includes(`"${part}"`));
  return isRefused ? [...accepts, ...refuses].map((doc) => `${name} on ${brief(doc)}`) : [];
});

/** The reason why MongoDB's result is the one in the table, by name of the case. */
export const knownDifferences: ReadonlyMap<string, string> = new Map([
  ...refusedSchemas.map((name): [string, string] => [name, 'manual, $jsonSchema: an available keyword']),
  [
    '{"$jsonSchema":{"properties":{"a":{"enum":[1,"x",null,{"p":1,"q":[2]}]}}}} on {"a":{"q":[2],"p":1}}',
    'JSON Schema: the properties of an object have no order',
  ],
  [
    '{"$jsonSchema":{"properties":{"a":{"multipleOf":0.1}}}} on {"a":0.3}',
    'JSON Schema, multipleOf: 0.3 is a multiple of 0.1; MongoDB divides decimals of 15 digits',
  ],
  ['{"$jsonSchema":{"enum":[1,1]}}', 'JSON Schema, enum: its values are unique'],
  ['{"$jsonSchema":{"multipleOf":-1}}', 'JSON Schema, multipleOf: greater than 0'],
  ['{"$jsonSchema":{"required":[]}}', 'JSON Schema draft 4, required: at least one name'],
  ['a capped collection keeps the newest documents', 'manual, Capped Collections: DocumentDB has none'],
  ['{"$set":{"b":1,"a":2,"c":3}} on {}', 'manual, $set: new fields are added in the order of their names (since 5.0)'],
  [
    '{"$inc":{"b":1},"$set":{"a":1}} on {}',
    'manual, update operators: fields are processed in the order of their names',
  ],
  [
    '{"$push":{"a":{"$each":[]}}} on {}',
    'manual, $push: a field that is missing is added, with the values as its members',
  ],
  [
    '{"$pull":{"a":{"$regularExpression":{"pattern":"^x","options":""}}}} on {"a":["xa","y"]}',
    'manual, $pull: what matches a condition is removed, as a query would find it',
  ],
  [
    '{"$set":{"a.$":5,"a.$[]":6}} on {"a":[1]}',
    'MongoDB, update conflicts: array filters stand beside nothing else under one array',
  ],
  [
    '{"$set":{"a.$":7,"a.0":6}} on {"a":[1,2]}',
    'MongoDB, update conflicts: a position conflicts with an equal one only',
  ],
  [
    '{"$set":{"a.$[x]":5,"a.$[y]":6}} {"x":1} {"y":1} on {"a":[1,2]}',
    'MongoDB, update conflicts: two array filters of one array that match the same member',
  ],
  [
    '{"$set":{"a.$[x].b":5,"a.$[]":6}} {"x":{}} on {"a":[{}]}',
    'MongoDB, update conflicts: a member and a path inside of it',
  ],
  [
    '{"$set":{"a.$[X]":0}} {"X":1} on {"a":[1]}',
    'manual, $[<identifier>]: it begins with a lowercase letter and has letters and digits only',
  ],
  [
    '{"a":{"$gt":0,"$comment":"why"}} on {"a":1}',
    'manual, $comment: it may stand in any expression that takes a predicate; it leaves open whether beside others',
  ],
  [
    '{"a":{}} of {"_id":1,"a":1,"b":{"c":2,"d":3},"e":[{"f":1,"g":2},{"f":3},7,[{"f":4}]]}',
    'error 51270: an empty sub-projection is not a valid value',
  ],
  [
    '{"a":{"$elemMatch":{"b":1}},"c":0} of {"_id":1,"a":[{"b":0},{"b":1}],"c":2,"d":3}',
    'manual, $elemMatch (projection): the field comes after the others that are left (since 4.4)',
  ],
  [
    '{"a":{"$elemMatch":{"b":1}},"_id":0} of {"_id":1,"a":[{"b":1}],"c":2}',
    'manual, $elemMatch (projection): it includes its field, and nothing else that is not named',
  ],
  [
    '$bucketAuto in 1-2-5',
    'manual, $bucketAuto (granularity): the highest bound is the next greater number of the series, after 10 it is 20',
  ],
  [
    '$bucketAuto by whole values',
    'manual, $bucketAuto: documents are ordered by the groupBy expression; manual, comparison: arrays come after objects',
  ],
  ['$bucketAuto of arrays and documents', 'the same'],
  [
    '{"$dateTrunc":{"date":"2024-11-05T12:00:00.000Z","unit":"week","timezone":"America/New_York"}}',
    'manual, $dateTrunc: the start of the week, which is a Sunday; that of 5 November 2024 is 3 November',
  ],
  [
    '{"$dateDiff":{"startDate":"2024-01-01T10:20:00.000Z","endDate":"2024-01-01T10:40:00.000Z","unit":"hour","timezone":"Asia/Kolkata"}}',
    'manual, $dateDiff: the unit boundaries are those of the timezone; its clocks strike 16:00 in between',
  ],
  ['{"$toDecimal":0}', 'manual, $toDecimal: the value of the double; MongoDB keeps 15 digits of other numbers than 0'],
  ['$count of nothing', 'manual, $count: no document when none arrives, as its $group gives none'],
  ['$project of nothing', 'manual, $project: needs at least one field (error 51272)'],
]);

/** Random queries that are not run on DocumentDB, for the same reasons. */
export const knownRandomDifferences: {
  /**
   * Manual, comparison: numbers of all types are compared by value, also in $in and $nin; in DocumentDB a double never
   * equals a decimal there.
   */
  readonly query: (filter: Document) => boolean;
  /** Manual, sort: an empty list sorts before null and a missing field; in DocumentDB it sorts after null. */
  readonly order: (docs: readonly Document[], sort: Document) => boolean;
  /** Manual, $inc and $mul: the field must be a number; DocumentDB converts a boolean. */
  readonly update: (before: Document, update: Document) => boolean;
} = {
  query: (filter) => /"\$n?in":\[[^\]]*\b1\.5/.test(JSON.stringify(filter)),
  order: (docs, sort) =>
    docs.some((doc) => Object.keys(sort).some((name) => Array.isArray(doc[name]) && doc[name].length === 0)),
  update: (before, update) =>
    Object.keys((update['$inc'] ?? update['$mul'] ?? {}) as Document).some((name) => typeof before[name] === 'boolean'),
};
