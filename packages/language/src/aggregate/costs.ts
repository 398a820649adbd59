/**
 * What operators cost, in steps. A step is about 50 ns of processor time: a tenth of a microsecond is two. The test
 * `test/large/costs.test.ts` of the store measures each operator, and fails if its steps differ from the time that it takes.
 */

/** The steps of one operator. */
export interface Cost {
  /** For one evaluation, without those of its operands and the size of its result. */
  readonly call: number;
  /** For one member of an array, field of an object or repetition, where the operator visits them. */
  readonly member: number;
  /** For one character of a string, where it reads or writes them. */
  readonly letter: number;
}

const usual: Cost = { call: 2, member: 1, letter: 1 / 64 };

const given: Readonly<Record<string, Partial<Cost>>> = {
  // arrays
  $arrayElemAt: { call: 3 },
  $arrayToObject: { member: 2 },
  $concatArrays: { member: 1.8 },
  $in: { call: 1, member: 0.1 },
  $indexOfArray: { member: 0.4 },
  $range: { member: 0.4 },
  $reverseArray: { member: 0.1 },
  $slice: { member: 0.04 },
  $zip: { member: 1.5 },
  // sets
  $setUnion: { member: 22 },
  $setIntersection: { member: 16 },
  $setDifference: { member: 14 },
  $setEquals: { member: 12 },
  $setIsSubset: { member: 12 },
  $allElementsTrue: { member: 0.2 },
  $anyElementTrue: { member: 0.15 },
  // objects
  $setField: { member: 2 },
  $unsetField: { member: 2 },
  $mergeObjects: { call: 3, member: 2 },
  $objectToArray: { member: 16 },
  // accumulators over arrays
  $sum: { member: 0.4 },
  $avg: { member: 0.8 },
  $min: { member: 0.4 },
  $max: { member: 0.4 },
  $stdDevPop: { member: 2 },
  $stdDevSamp: { member: 2 },
  $firstN: { member: 1.6 },
  $lastN: { member: 2 },
  $minN: { member: 7 },
  $maxN: { member: 7 },
  $median: { member: 2.5 },
  $percentile: { member: 3 },
  $sortArray: { member: 1.5 },
  // strings
  $concat: { letter: 1 / 32_768 },
  $toLower: { letter: 1 / 14 },
  $toUpper: { letter: 1 / 5 },
  $strcasecmp: { letter: 1 / 8 },
  $strLenCP: { letter: 1 / 4 },
  $strLenBytes: { letter: 1 / 200 },
  $binarySize: { letter: 1 / 250 },
  $split: { member: 1.8, letter: 1 / 64 },
  $substr: { letter: 1 / 10 },
  $substrBytes: { letter: 1 / 10 },
  $substrCP: { letter: 1 / 4 },
  $indexOfCP: { letter: 1 / 2 },
  $indexOfBytes: { letter: 1 / 9 },
  $trim: { letter: 0.3 },
  $ltrim: { letter: 0.3 },
  $rtrim: { letter: 0.6 },
  $regexFind: { letter: 1 / 4 },
  $regexFindAll: { member: 20, letter: 1 / 4 },
  $replaceOne: { letter: 1 / 4096 },
  $replaceAll: { letter: 1 / 5 },
  // dates
  $dateAdd: { call: 40 },
  $dateSubtract: { call: 40 },
  $dateDiff: { call: 28 },
  $dateTrunc: { call: 28 },
  $dateFromParts: { call: 22 },
  $dateToParts: { call: 10 },
  $dateToString: { call: 50 },
  $week: { call: 9 },
  $isoWeek: { call: 6 },
  $isoWeekYear: { call: 7 },
  $dayOfYear: { call: 6 },
  $dayOfMonth: { call: 4 },
  $dayOfWeek: { call: 4 },
  $isoDayOfWeek: { call: 4 },
  $year: { call: 2.5 },
  $hour: { call: 4 },
  $month: { call: 5 },
  $minute: { call: 3 },
  $second: { call: 3 },
  $millisecond: { call: 4 },
  // numbers
  $multiply: { call: 2 },
  $divide: { call: 5 },
  $mod: { call: 4 },
  $pow: { call: 6 },
  $log: { call: 4 },
  $acos: { call: 3 },
  $atan2: { call: 3 },
  $bitAnd: { member: 2 },
  $bitXor: { member: 2 },
  $toDecimal: { call: 25 },
  $toUUID: { call: 4 },
  $add: { call: 1.5 },
  $subtract: { call: 2.5 },
  $bitOr: { member: 2 },
  $toString: { call: 6.5 },
  $acosh: { call: 5 },
  $ln: { call: 3 },
  $tan: { call: 3 },
  $rand: { call: 1.2 },
  $tanh: { call: 3 },
  $trunc: { call: 4 },
  $round: { call: 2 },
  $eq: { call: 0.8 },
  $ne: { call: 0.8 },
  $gt: { call: 0.8 },
  $gte: { call: 0.8 },
  $lt: { call: 0.8 },
  $lte: { call: 0.8 },
  $cmp: { call: 0.8 },
  $cond: { call: 0.3 },
  $not: { call: 0.3 },
  $type: { call: 0.3 },
  $isNumber: { call: 0.3 },
  $isArray: { call: 0.3 },
  $toBool: { call: 0.3 },
  $tsSecond: { call: 0.3 },
  $tsIncrement: { call: 0.3 },
  $convert: { letter: 1 / 120 },
};

const costs: ReadonlyMap<string, Cost> = new Map(
  Object.entries(given).map(([name, cost]) => [name, { ...usual, ...cost }]),
);

/** The cost of an operator. */
export const costOf = (name: string): Cost => costs.get(name) ?? usual;
