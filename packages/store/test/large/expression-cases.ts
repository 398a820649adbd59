/** For each expression operator: large operands inside one document, and a check of the result. */
/** Members of an array and fields of a document. */
const memberCount = 10_000;
/** Letters of a text. */
const textLength = 90_000;

/** An expression on the fields of `largeDocument`. */
export interface LargeCase {
  readonly expression: unknown;
  /** Whether a value is correct; not called if the store refuses or interrupts the work. */
  readonly isRight: (value: unknown) => boolean;
  /** Milliseconds after which the work ends. */
  readonly maxTimeMS?: number;
}

const numbers = Array.from({ length: memberCount }, (_, n) => (n * 7919) % memberCount);

/** The document of the expressions: each field is large, all together are below 16 MB. */
export const largeDocument = {
  _id: 1,
  n: 7,
  text: 'ab '.repeat(textLength / 3),
  same: 'a'.repeat(textLength),
  list: numbers,
  texts: numbers.map((n) => `t${n}`),
  pairs: numbers.map((n) => [`f${n}`, n]),
  truths: numbers.map(() => true),
  falsehoods: numbers.map(() => false),
  wide: Object.fromEntries(numbers.map((n) => [`w${n}`, n])),
  date: new Date('2024-02-29T10:20:30.456Z'),
};

const is =
  (expected: unknown) =>
  (value: unknown): boolean =>
    Object.is(value, expected);
const isNear =
  (expected: number) =>
  (value: unknown): boolean =>
    typeof value === 'number' && Math.abs(value - expected) <= Math.abs(expected) * 1e-9;
const hasLength =
  (length: number) =>
  (value: unknown): boolean =>
    (Array.isArray(value) || typeof value === 'string') && value.length === length;
const hasFields =
  (count: number) =>
  (value: unknown): boolean =>
    typeof value === 'object' && value !== null && Object.keys(value).length === count;
const isAnything = (): boolean => true;

const one = (expression: unknown, isRight: LargeCase['isRight']): readonly LargeCase[] => [{ expression, isRight }];

/** An operator on one number, called for each member of a long array. */
const ofEach = (name: string): readonly [string, readonly LargeCase[]] => [
  name,
  one({ $map: { input: '$list', in: { [name]: '$$this' } } }, hasLength(memberCount)),
];
/** An operator on two numbers, and with a long list of operands. */
const ofPairs = (name: string, second: unknown = 2): readonly [string, readonly LargeCase[]] => [
  name,
  one({ $map: { input: '$list', in: { [name]: [{ $add: ['$$this', 3] }, second] } } }, hasLength(memberCount)),
];
const onDate = (name: string): readonly [string, readonly LargeCase[]] => [
  name,
  one(
    { $map: { input: '$list', in: { [name]: { date: '$date', timezone: 'Europe/Berlin' } } } },
    hasLength(memberCount),
  ),
];
/** A comparison of two lists that differ only in their last members. */
const comparing = (name: string, result: unknown): readonly [string, readonly LargeCase[]] => [
  name,
  [
    {
      expression: { [name]: [{ $concatArrays: ['$texts', [1]] }, { $concatArrays: ['$texts', [2]] }] },
      isRight: is(result),
    },
    { expression: { [name]: [{ $concat: ['$text', '1'] }, { $concat: ['$text', '2'] }] }, isRight: is(result) },
    { expression: { $map: { input: '$list', in: { [name]: ['$$this', 5] } } }, isRight: hasLength(memberCount) },
  ],
];
const manyOperands = (operand: unknown): readonly unknown[] => Array.from({ length: 20_000 }, () => operand);
const letters = textLength / 3;
const sumOfNumbers = (memberCount * (memberCount - 1)) / 2;

/** Operators without large operands: they take none, or are refused by name. */
const small: readonly (readonly [string, readonly LargeCase[]])[] = [
  ['$rand', one({ $map: { input: '$list', in: { $rand: {} } } }, hasLength(memberCount))],
  ['$sampleRate', one({ $map: { input: '$list', in: { $sampleRate: 0.5 } } }, hasLength(memberCount))],
  ['$meta', []],
  ['$function', []],
  ['$toHashedIndexKey', []],
];

/** Operators on single numbers and dates. */
const scalars: readonly (readonly [string, readonly LargeCase[]])[] = [
  ...['$abs', '$ceil', '$floor', '$sqrt', '$exp', '$isNumber', '$type', '$toBool', '$toDecimal', '$toDouble'].map(
    ofEach,
  ),
  ...['$toInt', '$toLong', '$not', '$bitNot', '$sin', '$cos', '$tan', '$atan', '$sinh', '$tanh'].map(ofEach),
  ...['$asinh', '$degreesToRadians', '$radiansToDegrees', '$cosh', '$trunc', '$round', '$isArray'].map(ofEach),
  ...['$ln', '$log10', '$acosh'].map((name): readonly [string, readonly LargeCase[]] => [
    name,
    one({ $map: { input: '$list', in: { [name]: { $add: ['$$this', 1] } } } }, hasLength(memberCount)),
  ]),
  ...['$asin', '$acos', '$atanh'].map((name): readonly [string, readonly LargeCase[]] => [
    name,
    one({ $map: { input: '$list', in: { [name]: { $divide: ['$$this', memberCount] } } } }, hasLength(memberCount)),
  ]),
  ...['$subtract', '$divide', '$mod', '$pow', '$log', '$atan2'].map((name) => ofPairs(name)),
  ...['$tsSecond', '$tsIncrement'].map((name): readonly [string, readonly LargeCase[]] => [
    name,
    one({ $map: { input: '$list', in: { [name]: null } } }, hasLength(memberCount)),
  ]),
  ...['$year', '$month', '$dayOfMonth', '$dayOfWeek', '$dayOfYear', '$hour', '$minute', '$second'].map(onDate),
  ...['$millisecond', '$week', '$isoWeek', '$isoWeekYear', '$isoDayOfWeek', '$dateToParts', '$dateToString'].map(
    onDate,
  ),
  [
    '$dateFromParts',
    one(
      { $map: { input: '$list', in: { $dateFromParts: { year: 2024, day: { $mod: ['$$this', 9999] } } } } },
      hasLength(memberCount),
    ),
  ],
  ...['$dateAdd', '$dateSubtract'].map((name): readonly [string, readonly LargeCase[]] => [
    name,
    one(
      {
        $map: {
          input: '$list',
          in: {
            [name]: { startDate: '$date', unit: 'month', amount: { $mod: ['$$this', 99] }, timezone: 'Europe/Berlin' },
          },
        },
      },
      hasLength(memberCount),
    ),
  ]),
  [
    '$dateDiff',
    one(
      {
        $map: {
          input: '$list',
          in: {
            $dateDiff: {
              startDate: '$date',
              endDate: { $toDate: { $toLong: '$$this' } },
              unit: 'week',
              timezone: 'Europe/Berlin',
            },
          },
        },
      },
      hasLength(memberCount),
    ),
  ],
  [
    '$dateTrunc',
    one(
      { $map: { input: '$list', in: { $dateTrunc: { date: '$date', unit: 'week', timezone: 'Europe/Berlin' } } } },
      hasLength(memberCount),
    ),
  ],
];

/** Sums and the like, over a long array and as many operands. */
const summaries: readonly (readonly [string, readonly LargeCase[]])[] = [
  ['$add', one({ $add: manyOperands('$n') }, is(140_000))],
  ['$multiply', one({ $multiply: manyOperands({ $divide: ['$n', '$n'] }) }, is(1))],
  ['$bitAnd', one({ $bitAnd: manyOperands('$n') }, is(7))],
  ['$bitOr', one({ $bitOr: manyOperands('$n') }, is(7))],
  ['$bitXor', one({ $bitXor: manyOperands('$n') }, is(0))],
  ['$sum', one({ $sum: '$list' }, is(sumOfNumbers))],
  ['$avg', one({ $avg: '$list' }, is((memberCount - 1) / 2))],
  ['$min', one({ $min: '$texts' }, is('t0'))],
  ['$max', one({ $max: '$texts' }, is('t9999'))],
  ['$stdDevPop', one({ $stdDevPop: '$list' }, isNear(Math.sqrt((memberCount ** 2 - 1) / 12)))],
  ['$stdDevSamp', one({ $stdDevSamp: '$list' }, isNear(Math.sqrt((memberCount * (memberCount + 1)) / 12)))],
  ...['$firstN', '$lastN', '$minN', '$maxN'].map((name): readonly [string, readonly LargeCase[]] => [
    name,
    one({ [name]: { n: memberCount / 2, input: '$texts' } }, hasLength(memberCount / 2)),
  ]),
  ['$median', one({ $median: { input: '$list', method: 'approximate' } }, isAnything)],
  ['$percentile', one({ $percentile: { input: '$list', p: [0.5, 0.9], method: 'approximate' } }, hasLength(2))],
  [
    '$sortArray',
    [
      {
        expression: { $sortArray: { input: '$list', sortBy: 1 } },
        isRight: (value) => hasLength(memberCount)(value) && (value as number[])[99] === 99,
      },
      {
        expression: { $sortArray: { input: '$texts', sortBy: -1 } },
        isRight: (value) => hasLength(memberCount)(value) && (value as string[])[0] === 't9999',
      },
      {
        expression: { $sortArray: { input: { $map: { input: '$list', in: { a: '$$this' } } }, sortBy: { a: 1 } } },
        isRight: hasLength(memberCount),
      },
    ],
  ],
  ['$and', one({ $and: manyOperands('$n') }, is(true))],
  ['$or', one({ $or: manyOperands('$none') }, is(false))],
  ['$ifNull', one({ $ifNull: manyOperands('$none') }, is(undefined))],
  ['$cond', one({ $map: { input: '$list', in: { $cond: ['$$this', 1, 2] } } }, hasLength(memberCount))],
  ['$switch', one({ $switch: { branches: manyOperands({ case: '$none', then: 1 }), default: 2 } }, is(2))],
];

const arrays: readonly (readonly [string, readonly LargeCase[]])[] = [
  [
    '$arrayElemAt',
    one({ $map: { input: '$list', in: { $arrayElemAt: ['$texts', '$$this'] } } }, hasLength(memberCount)),
  ],
  ['$first', one({ $map: { input: '$list', in: { $first: '$texts' } } }, hasLength(memberCount))],
  ['$last', one({ $map: { input: '$list', in: { $last: '$texts' } } }, hasLength(memberCount))],
  [
    '$concatArrays',
    [
      { expression: { $concatArrays: ['$texts', '$list', '$texts'] }, isRight: hasLength(3 * memberCount) },
      { expression: { $concatArrays: manyOperands(['$n']) }, isRight: hasLength(20_000) },
    ],
  ],
  [
    '$in',
    [
      { expression: { $in: ['none', '$texts'] }, isRight: is(false) },
      { expression: { $map: { input: '$list', in: { $in: [-1, '$list'] } } }, isRight: hasLength(memberCount) },
    ],
  ],
  ['$indexOfArray', one({ $indexOfArray: ['$texts', 't1'] }, is(numbers.indexOf(1)))],
  ['$range', one({ $range: [0, { $size: '$list' }] }, hasLength(memberCount))],
  ['$reverseArray', one({ $reverseArray: '$texts' }, hasLength(memberCount))],
  ['$size', one({ $map: { input: '$list', in: { $size: '$texts' } } }, hasLength(memberCount))],
  [
    '$slice',
    [
      { expression: { $slice: ['$texts', 1, memberCount] }, isRight: hasLength(memberCount - 1) },
      {
        expression: { $map: { input: '$list', in: { $size: { $slice: ['$list', 1, 0.9 * memberCount] } } } },
        isRight: hasLength(memberCount),
      },
    ],
  ],
  ['$zip', one({ $zip: { inputs: ['$list', '$texts', '$pairs'] } }, hasLength(memberCount))],
  ['$arrayToObject', one({ $arrayToObject: '$pairs' }, hasFields(memberCount))],
  ['$let', one({ $let: { vars: { a: '$texts' }, in: { $size: '$$a' } } }, is(memberCount))],
  ['$map', one({ $map: { input: '$list', in: { a: '$$this', b: ['$$this'] } } }, hasLength(memberCount))],
  [
    '$filter',
    one({ $filter: { input: '$list', cond: { $gte: ['$$this', memberCount / 2] } } }, hasLength(memberCount / 2)),
  ],
  [
    '$reduce',
    [
      {
        expression: { $reduce: { input: '$list', initialValue: 0, in: { $add: ['$$this', '$$value'] } } },
        isRight: is(sumOfNumbers),
      },
      {
        expression: {
          $size: { $reduce: { input: '$list', initialValue: [], in: { $concatArrays: ['$$value', ['$$this']] } } },
        },
        isRight: is(memberCount),
      },
      {
        expression: {
          $strLenCP: { $reduce: { input: '$texts', initialValue: '', in: { $concat: ['$$value', '$$this'] } } },
        },
        isRight: isAnything,
      },
    ],
  ],
  ['$setUnion', one({ $setUnion: ['$texts', '$list'] }, hasLength(2 * memberCount))],
  ['$setIntersection', one({ $setIntersection: ['$texts', '$texts'] }, hasLength(memberCount))],
  ['$setDifference', one({ $setDifference: ['$texts', '$list'] }, hasLength(memberCount))],
  ['$setEquals', one({ $setEquals: ['$texts', { $reverseArray: '$texts' }] }, is(true))],
  ['$setIsSubset', one({ $setIsSubset: ['$texts', '$texts'] }, is(true))],
  ['$allElementsTrue', one({ $allElementsTrue: ['$truths'] }, is(true))],
  ['$anyElementTrue', one({ $anyElementTrue: ['$falsehoods'] }, is(false))],
];

const objects: readonly (readonly [string, readonly LargeCase[]])[] = [
  ['$literal', one({ $literal: 'x'.repeat(textLength) }, hasLength(textLength))],
  ['$const', one({ $const: 'x'.repeat(textLength) }, hasLength(textLength))],
  ['$expr', one({ $expr: '$texts' }, hasLength(memberCount))],
  ['$getField', one({ $getField: { field: 'w1', input: '$wide' } }, is(1))],
  ['$setField', one({ $setField: { field: 'x', input: '$wide', value: 1 } }, hasFields(memberCount + 1))],
  ['$unsetField', one({ $unsetField: { field: 'w1', input: '$wide' } }, hasFields(memberCount - 1))],
  [
    '$mergeObjects',
    [
      { expression: { $mergeObjects: ['$wide', { x: 1 }] }, isRight: hasFields(memberCount + 1) },
      { expression: { $mergeObjects: manyOperands({ a: '$n' }) }, isRight: hasFields(1) },
    ],
  ],
  ['$objectToArray', one({ $objectToArray: '$wide' }, hasLength(memberCount))],
  ['$bsonSize', one({ $bsonSize: '$wide' }, isAnything)],
  ['$binarySize', one({ $binarySize: '$text' }, is(textLength))],
];

const conversions: readonly (readonly [string, readonly LargeCase[]])[] = [
  [
    '$convert',
    [
      { expression: { $convert: { input: '$text', to: 'double', onError: 'no' } }, isRight: is('no') },
      {
        expression: { $map: { input: '$texts', in: { $convert: { input: '$$this', to: 'int', onError: 0 } } } },
        isRight: hasLength(memberCount),
      },
    ],
  ],
  ['$toDate', one({ $convert: { input: '$text', to: 'date', onError: 'no' } }, is('no'))],
  [
    '$toUUID',
    one({ $map: { input: '$list', in: { $toUUID: '0f8fad5b-d9cb-469f-a165-70867728950e' } } }, hasLength(memberCount)),
  ],
  ['$toObjectId', one({ $convert: { input: '$text', to: 'objectId', onError: 'no' } }, is('no'))],
  ['$toString', one({ $map: { input: '$list', in: { $toString: '$$this' } } }, hasLength(memberCount))],
  [
    '$dateFromString',
    [
      { expression: { $dateFromString: { dateString: '$text', onError: 'no' } }, isRight: is('no') },
      {
        expression: { $dateFromString: { dateString: '$text', format: '%Y-%m-%d', onError: 'no' } },
        isRight: is('no'),
      },
    ],
  ],
];

/** Searches that read strings to the end: each match is short, and a longer one is searched for every time. */
const patterns = [
  'b',
  '',
  'a.*c|a',
  '(a+)+c|a',
  '(?:a|b)*?c',
  'a(?=.*c)|a',
  '(a?){20}a{20}',
  '[ab ]{1,900}c',
  '(.*)(.*)(.*)c',
  '(?i)ß|a.*ſ|A',
];
const regexCases = (name: string): readonly LargeCase[] =>
  patterns.flatMap((regex) =>
    ['$text', '$same'].map((input) => {
      const search = { [name]: { input, regex } };
      // one pattern sends the list of all matches
      const isCounted = name === '$regexFindAll' && regex !== '';
      // some are never read to the end in time
      return { expression: isCounted ? { $size: search } : search, isRight: isAnything, maxTimeMS: 50 };
    }),
  );

const strings: readonly (readonly [string, readonly LargeCase[]])[] = [
  [
    '$concat',
    [
      { expression: { $concat: ['$text', '$text', '$same'] }, isRight: hasLength(3 * textLength) },
      { expression: { $concat: manyOperands('abcdefgh') }, isRight: hasLength(160_000) },
    ],
  ],
  ['$toLower', one({ $toLower: { $concat: ['$text', 'É'] } }, hasLength(textLength + 1))],
  ['$toUpper', one({ $toUpper: { $concat: ['$text', 'é'] } }, hasLength(textLength + 1))],
  ['$strcasecmp', one({ $strcasecmp: ['$text', { $concat: ['$text', 'x'] }] }, is(-1))],
  ['$strLenCP', one({ $strLenCP: '$text' }, is(textLength))],
  ['$strLenBytes', one({ $strLenBytes: '$text' }, is(textLength))],
  [
    '$split',
    [
      { expression: { $split: ['$text', ' '] }, isRight: hasLength(letters + 1) },
      { expression: { $split: ['$same', 'a'] }, isRight: hasLength(textLength + 1) },
    ],
  ],
  ['$substr', one({ $substr: ['$text', 1, textLength] }, hasLength(textLength - 1))],
  ['$substrBytes', one({ $substrBytes: ['$text', 1, textLength] }, hasLength(textLength - 1))],
  [
    '$substrCP',
    [
      { expression: { $substrCP: ['$text', 1, textLength] }, isRight: hasLength(textLength - 1) },
      {
        expression: { $map: { input: '$list', in: { $substrCP: ['$text', textLength - 20_000, 2] } } },
        isRight: hasLength(memberCount),
      },
    ],
  ],
  [
    '$indexOfCP',
    [
      { expression: { $indexOfCP: ['$text', 'x'] }, isRight: is(-1) },
      {
        expression: { $indexOfCP: ['$same', { $concat: [{ $substrCP: ['$same', 0, textLength / 2] }, 'b'] }] },
        isRight: is(-1),
      },
    ],
  ],
  [
    '$indexOfBytes',
    [
      { expression: { $indexOfBytes: ['$text', 'x'] }, isRight: is(-1) },
      {
        expression: { $indexOfBytes: ['$same', { $concat: [{ $substrCP: ['$same', 0, textLength / 2] }, 'b'] }] },
        isRight: is(-1),
      },
    ],
  ],
  ['$trim', one({ $trim: { input: '$same', chars: 'a' } }, is(''))],
  ['$ltrim', one({ $ltrim: { input: '$same', chars: 'a' } }, is(''))],
  ['$rtrim', one({ $rtrim: { input: '$same', chars: 'a' } }, is(''))],
  ['$replaceOne', one({ $replaceOne: { input: '$text', find: 'ab', replacement: '' } }, hasLength(textLength - 2))],
  [
    '$replaceAll',
    [
      { expression: { $replaceAll: { input: '$text', find: 'ab', replacement: '' } }, isRight: hasLength(letters) },
      {
        expression: { $replaceAll: { input: '$same', find: 'a', replacement: 'bcd' } },
        isRight: hasLength(3 * textLength),
      },
    ],
  ],
  ...['$regexMatch', '$regexFind', '$regexFindAll'].map((name): readonly [string, readonly LargeCase[]] => [
    name,
    regexCases(name),
  ]),
];

/** The cases by the name of the operator. */
export const largeCases: ReadonlyMap<string, readonly LargeCase[]> = new Map([
  ...small,
  ...scalars,
  ...summaries,
  ...arrays,
  ...objects,
  ...conversions,
  ...strings,
  comparing('$cmp', -1),
  comparing('$eq', false),
  comparing('$ne', true),
  comparing('$gt', false),
  comparing('$gte', false),
  comparing('$lt', true),
  comparing('$lte', true),
]);
