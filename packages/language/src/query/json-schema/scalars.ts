/** The keywords of a JSON Schema on types, numbers and strings, and `enum`. */
import { BSONRegExp } from 'bson';
import { notSupported, StoreError } from '../../errors.ts';
import { isMultiple } from '../../values/arithmetic.ts';
import { isDoc, isNumber, kindOf } from '../../values/kind.ts';
import { compare, keyOf } from '../../values/order.ts';
import type { Value } from '../../values/types.ts';
import { codesByName, typeCodesOf } from '../element.ts';
import { regexCondition } from '../pattern.ts';
import { failed, flagIn, type KeywordReader, type Rule, sizeIn, unreadable, wrongType } from './rule.ts';

/** The types of JSON, as names of BSON types. */
const jsonTypes: ReadonlyMap<string, string> = new Map([
  ['array', 'array'],
  ['boolean', 'bool'],
  ['null', 'null'],
  ['number', 'number'],
  ['object', 'object'],
  ['string', 'string'],
]);

function typeRule(codes: readonly number[], operand: Value, keyword: string): Rule {
  const wanted = new Set(codes);
  return {
    holds: (value) => wanted.has(kindOf(value).code),
    failure: (value) =>
      failed(keyword, operand, {
        reason: 'type did not match',
        consideredValue: value,
        consideredType: kindOf(value).name,
      }),
  };
}

/** The members of a list of type names, or the one name. */
function typeNames(operand: Value, keyword: string): readonly string[] {
  const list: readonly Value[] = Array.isArray(operand) ? operand : [operand];
  if (list.length === 0) throw unreadable(`$jsonSchema keyword '${keyword}' must name at least one type`);
  const names = list.map((name) => {
    if (typeof name !== 'string') throw wrongType(keyword, 'a string or an array of strings', name);
    return name;
  });
  if (new Set(names).size < names.length) throw unreadable(`$jsonSchema keyword '${keyword}' has duplicate value`);
  return names;
}

const type: KeywordReader = (operand, { schema }, keyword) => {
  if (Object.hasOwn(schema, 'bsonType'))
    throw unreadable("Cannot specify both $jsonSchema keywords 'type' and 'bsonType'");
  const codes = typeNames(operand, keyword).flatMap((name) => {
    if (name === 'integer') throw unreadable("$jsonSchema type 'integer' is not currently supported.");
    const own = jsonTypes.get(name);
    if (own === undefined) throw new StoreError(2, `Unknown type name alias: ${name}`);
    return codesByName.get(own) ?? [];
  });
  return typeRule(codes, operand, keyword);
};

const bsonType: KeywordReader = (operand, _context, keyword) =>
  typeRule(typeNames(operand, keyword).flatMap(typeCodesOf), operand, keyword);

/** A key by which documents are equal whatever the order of their fields. */
function unorderedKey(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(unorderedKey).map(sized).join('')}]`;
  if (!isDoc(value)) return keyOf(value);
  const fields = Object.keys(value).sort();
  return `{${fields.map((name) => sized(name) + sized(unorderedKey(value[name]))).join('')}}`;
}

const sized = (key: string): string => `${key.length}:${key}`;

/** The keys of values, metered by their length. */
export const keyMaker =
  (charge: ((steps: number) => void) | undefined) =>
  (value: Value): string => {
    const key = unorderedKey(value);
    charge?.(1 + key.length / 16);
    return key;
  };

const oneOf: KeywordReader = (operand, { filter: { charge } }, keyword) => {
  if (!Array.isArray(operand)) throw wrongType(keyword, 'an array', operand);
  if (operand.length === 0) throw unreadable("$jsonSchema keyword 'enum' cannot be an empty array");
  const keys = new Set(operand.map((value) => unorderedKey(value)));
  if (keys.size < operand.length) throw unreadable("$jsonSchema keyword 'enum' array cannot contain duplicate values.");
  const key = keyMaker(charge);
  return {
    holds: (value) => keys.has(key(value)),
    failure: (value) => failed(keyword, operand, { reason: 'value was not found in enum', consideredValue: value }),
  };
};

/** A keyword on numbers; other values meet it. */
const onNumbers = (keyword: string, operand: Value, holds: (value: Value) => boolean): Rule => ({
  holds: (value) => !isNumber(value) || holds(value),
  failure: (value) => failed(keyword, operand, { reason: 'comparison failed', consideredValue: value }),
});

const bound =
  (exclusive: string, sign: 1 | -1): KeywordReader =>
  (operand, { schema }, keyword) => {
    if (!isNumber(operand)) throw wrongType(keyword, 'a number', operand);
    const given = schema[exclusive];
    const isOpen = given !== undefined && flagIn(given, exclusive);
    return onNumbers(keyword, operand, (value) => {
      const order = compare(value, operand) * sign;
      return isOpen ? order < 0 : order <= 0;
    });
  };

/** `exclusiveMaximum` and `exclusiveMinimum` only change the keyword that they come with. */
const exclusive =
  (main: string): KeywordReader =>
  (operand, { schema }, keyword) => {
    flagIn(operand, keyword);
    if (!Object.hasOwn(schema, main))
      throw unreadable(`$jsonSchema keyword '${main}' must be a present if ${keyword} is present`);
    return undefined;
  };

const multipleOf: KeywordReader = (operand, _context, keyword) => {
  if (!isNumber(operand)) throw wrongType(keyword, 'a number', operand);
  if (!(compare(operand, 0) > 0)) throw unreadable("$jsonSchema keyword 'multipleOf' must have a positive value");
  return onNumbers(keyword, operand, (value) => isNumber(value) && isMultiple(value, operand));
};

/** The number of code points of a string. */
function lengthOf(text: string): number {
  let length = 0;
  for (let at = 0; at < text.length; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) length += 1;
  return length;
}

const textLength =
  (fits: (length: number, size: number) => boolean): KeywordReader =>
  (operand, { filter: { charge } }, keyword) => {
    const size = sizeIn(operand, keyword);
    return {
      holds: (value) => {
        if (typeof value !== 'string') return true;
        charge?.(value.length / 64);
        return fits(lengthOf(value), size);
      },
      failure: (value) =>
        failed(keyword, operand, { reason: 'specified string length was not satisfied', consideredValue: value }),
    };
  };

const pattern: KeywordReader = (operand, { filter }, keyword) => {
  if (typeof operand !== 'string') throw wrongType(keyword, 'a string', operand);
  const { holds } = regexCondition(new BSONRegExp(operand), filter);
  return {
    holds: (value) => typeof value !== 'string' || holds(value),
    failure: (value) =>
      failed(keyword, operand, { reason: 'regular expression did not match', consideredValue: value }),
  };
};

const refused: KeywordReader = (_operand, _context, keyword) => {
  throw notSupported(`the keyword '${keyword}' of $jsonSchema`);
};

/** The keywords of this file. */
export const scalarKeywords: readonly (readonly [string, KeywordReader])[] = [
  ['type', type],
  ['bsonType', bsonType],
  ['enum', oneOf],
  ['maximum', bound('exclusiveMaximum', 1)],
  ['minimum', bound('exclusiveMinimum', -1)],
  ['exclusiveMaximum', exclusive('maximum')],
  ['exclusiveMinimum', exclusive('minimum')],
  ['multipleOf', multipleOf],
  ['maxLength', textLength((length, size) => length <= size)],
  ['minLength', textLength((length, size) => length >= size)],
  ['pattern', pattern],
  ['encrypt', refused],
  ['encryptMetadata', refused],
];
