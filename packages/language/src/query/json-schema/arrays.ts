/** The keywords of a JSON Schema on arrays. */
import { isDoc } from '../../values/kind.ts';
import type { Doc, Value } from '../../values/types.ts';
import {
  failed,
  flagIn,
  type KeywordReader,
  type Rule,
  type Schema,
  type SchemaContext,
  sizeIn,
  wrongType,
} from './rule.ts';
import { keyMaker } from './scalars.ts';

/** A keyword on arrays; other values meet it. */
const onArrays = (
  holds: (members: readonly Value[]) => boolean,
  failure: (members: readonly Value[]) => Doc,
): Rule => ({
  holds: (value) => !Array.isArray(value) || holds(value),
  failure: (value) => failure(Array.isArray(value) ? value : []),
});

const length =
  (fits: (length: number, size: number) => boolean): KeywordReader =>
  (operand, _context, keyword) => {
    const size = sizeIn(operand, keyword);
    return onArrays(
      (members) => fits(members.length, size),
      (members) =>
        failed(keyword, operand, {
          reason: 'array did not match specified length',
          consideredValue: [...members],
          numberOfItems: members.length,
        }),
    );
  };

const unique: KeywordReader = (operand, { filter: { charge } }, keyword) => {
  if (!flagIn(operand, keyword)) return undefined;
  const key = keyMaker(charge);
  const repeated = (members: readonly Value[]): Value => {
    const seen = new Set<string>();
    return members.find((member) => seen.size === seen.add(key(member)).size);
  };
  return onArrays(
    (members) => new Set(members.map(key)).size === members.length,
    (members) =>
      failed(keyword, operand, {
        reason: 'found a duplicate item',
        consideredValue: [...members],
        duplicatedValue: repeated(members),
      }),
  );
};

/** The rule that members from a position on meet a schema. */
function membersRule(keyword: string, schema: Schema, from: number, reason: string): Rule {
  return onArrays(
    (members) => members.slice(from).every((member) => schema.holds(member)),
    (members) => {
      const itemIndex = members.findIndex((member, at) => at >= from && !schema.holds(member));
      const details = schema.failures(members[itemIndex]);
      return { operatorName: keyword, reason, itemIndex, details };
    },
  );
}

const didNotMatch = 'At least one item did not match the sub-schema';

/** A schema for all members, or one for each of the first members. */
const items: KeywordReader = (operand, { read }, keyword) => {
  if (isDoc(operand)) return membersRule(keyword, read(operand, keyword), 0, didNotMatch);
  if (!Array.isArray(operand)) throw wrongType(keyword, 'an array or an object', operand);
  const schemas = operand.map((schema) => read(schema, keyword));
  const fails = (member: Value, at: number): boolean => schemas[at]?.holds(member) === false;
  return onArrays(
    (members) => !members.slice(0, schemas.length).some(fails),
    (members) => {
      const itemIndex = members.findIndex(fails);
      return {
        operatorName: keyword,
        reason: didNotMatch,
        itemIndex,
        details: schemas[itemIndex]?.failures(members[itemIndex]) ?? [],
      };
    },
  );
};

/** The members after those that have a schema of their own in `items`. */
const additionalItems: KeywordReader = (operand, context, keyword) => {
  const rest = restOf(operand, context, keyword);
  const { items: first } = context.schema;
  if (!Array.isArray(first)) return undefined;
  const from = first.length;
  if (typeof rest === 'object') return membersRule(keyword, rest, from, didNotMatch);
  if (rest) return undefined;
  return onArrays(
    (members) => members.length <= from,
    (members) => failed(keyword, operand, { reason: 'found additional items', additionalItems: members.slice(from) }),
  );
};

/** What applies to what has no schema of its own: a schema, or whether it is allowed. @throws StoreError 14 */
export function restOf(operand: Value, { read }: SchemaContext, keyword: string): Schema | boolean {
  if (typeof operand === 'boolean') return operand;
  if (!isDoc(operand)) throw wrongType(keyword, 'an object or a boolean', operand);
  return read(operand, keyword);
}

/** The keywords of this file. */
export const arrayKeywords: readonly (readonly [string, KeywordReader])[] = [
  ['maxItems', length((count, size) => count <= size)],
  ['minItems', length((count, size) => count >= size)],
  ['uniqueItems', unique],
  ['items', items],
  ['additionalItems', additionalItems],
];
