/** The allow-list of aggregation operators, and the reader that checks every expression against it. */
import { adminOnly, badPipeline, dangerousKey, operatorDenied, tooMany } from '../errors/errors.ts';
import { checkPathSize } from '../models/fields/path-type.ts';
import { looselyTyped } from '../models/fields/values/number-values.ts';
import { filterLimits } from './budget.ts';
import { fromExtendedJson, fromText } from './extended.ts';
import { isObject } from './json-filter.ts';
import { checkParts, isDangerous } from './key-checks.ts';
import { pattern } from './regex.ts';

/** Operators by theme, as MongoDB's manual groups them. The documentation prints this table. */
export const expressionGroups: Readonly<Record<string, string>> = {
  arithmetic:
    '$abs $add $ceil $divide $exp $floor $ln $log $log10 $mod $multiply $pow $round $sqrt $subtract $trunc $rand',
  arrays:
    '$arrayElemAt $arrayToObject $concatArrays $filter $first $firstN $in $indexOfArray $isArray $last $lastN $map $maxN $minN $objectToArray $range $reduce $reverseArray $size $slice $sortArray $zip',
  bits: '$bitAnd $bitNot $bitOr $bitXor',
  comparison: '$and $or $not $cmp $eq $gt $gte $lt $lte $ne',
  conditions: '$cond $ifNull $switch',
  sizes: '$binarySize $bsonSize',
  dates:
    '$dateAdd $dateDiff $dateFromParts $dateFromString $dateSubtract $dateToParts $dateToString $dateTrunc $dayOfMonth $dayOfWeek $dayOfYear $hour $isoDayOfWeek $isoWeek $isoWeekYear $millisecond $minute $month $second $week $year $tsIncrement $tsSecond',
  objects: '$getField $setField $unsetField $mergeObjects',
  sets: '$allElementsTrue $anyElementTrue $setDifference $setEquals $setIntersection $setIsSubset $setUnion',
  strings:
    '$concat $indexOfBytes $indexOfCP $ltrim $regexFind $regexFindAll $regexMatch $replaceAll $replaceOne $rtrim $split $strLenBytes $strLenCP $strcasecmp $substr $substrBytes $substrCP $toLower $toUpper $trim',
  trigonometry:
    '$acos $acosh $asin $asinh $atan $atan2 $atanh $cos $cosh $degreesToRadians $radiansToDegrees $sin $sinh $tan $tanh',
  types: '$convert $isNumber $toBool $toDate $toDecimal $toDouble $toInt $toLong $toObjectId $toString $toUUID $type',
  variables: '$let $literal',
  accumulators:
    '$addToSet $avg $bottom $bottomN $count $max $median $min $percentile $push $stdDevPop $stdDevSamp $sum $top $topN',
  windows:
    '$covariancePop $covarianceSamp $denseRank $derivative $documentNumber $expMovingAvg $integral $linearFill $locf $rank $shift',
  admin: '$function $accumulator',
};

const namesIn = (text: string | undefined): readonly string[] => (text ?? '').split(' ');
const allowed: ReadonlySet<string> = new Set(Object.values(expressionGroups).flatMap(namesIn));
/** Operators that run code; only admins may use them. */
export const forAdmins: ReadonlySet<string> = new Set(namesIn(expressionGroups['admin']));
const allowedToAll: readonly string[] = [...allowed].filter((name) => !forAdmins.has(name));
/** Operators that may give another result for equal operands. */
const varying: ReadonlySet<string> = new Set(['$rand', ...forAdmins]);
const patterns: ReadonlySet<string> = new Set(['$regexMatch', '$regexFind', '$regexFindAll']);
/** The allowed system variables; the others reveal data of the database and its users. */
const variables: ReadonlyMap<string, 'varies' | 'is constant'> = new Map([
  ['NOW', 'varies'],
  ['CLUSTER_TIME', 'varies'],
  ['ROOT', 'is constant'],
  ['CURRENT', 'is constant'],
  ['REMOVE', 'is constant'],
  ['DESCEND', 'is constant'],
  ['PRUNE', 'is constant'],
  ['KEEP', 'is constant'],
]);
const variableNames: readonly string[] = [...variables.keys()].map((name) => `$$${name}`);

/** The caller of a pipeline, as far as the allowed operators depend on them. */
export interface Caller {
  /** Undefined for anonymous callers. */
  readonly user: unknown;
  readonly admin: boolean;
}

/** What expressions may depend on. */
export interface ExpressionReach {
  readonly caller: Caller;
  /** Is called for what depends on the time of the request. */
  readonly now: () => Date;
  /** Is called for what gives other results each time, whatever the documents are. */
  readonly varies: () => void;
}

/** Reads the expressions of one pipeline and converts ids and dates in them. */
export class ExpressionReader {
  #patterns = 0;

  constructor(private readonly reach: ExpressionReach) {}

  /** @throws 400 for operators that are not allowed, 401 or 403 for those of admins */
  read(value: unknown): unknown {
    if (typeof value === 'string') return this.#text(value);
    if (typeof value === 'number' && !Number.isFinite(value)) throw badPipeline('a number must be finite');
    if (Array.isArray(value)) return value.map((member: unknown) => this.read(member));
    if (!isObject(value)) return looselyTyped('a number', value);
    const extended = fromExtendedJson(value);
    if (extended !== undefined) return extended;
    const keys = Object.keys(value);
    const operator = keys.find((key) => key.startsWith('$'));
    if (operator === undefined) return this.fields(value);
    this.#check(operator);
    if (keys.length > 1) throw badPipeline(`${operator} must be the only key of its object`);
    return { [operator]: this.#operand(operator, value[operator]) };
  }

  /** Reads an object: fields to compute, or the arguments of an operator. */
  fields(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    for (const [key, inner] of Object.entries(value)) {
      checkParts(key);
      result[key] = this.read(inner);
    }
    return result;
  }

  #check(operator: string): void {
    const { caller, varies } = this.reach;
    if (!allowed.has(operator)) throw operatorDenied(operator, caller.admin ? allowed : allowedToAll);
    if (forAdmins.has(operator) && !caller.admin) throw adminOnly(caller, operator);
    if (varying.has(operator)) varies();
  }

  #operand(operator: string, operand: unknown): unknown {
    if (operator === '$literal') return this.#literal(operand);
    return patterns.has(operator) ? this.#pattern(operator, operand) : this.read(operand);
  }

  /** Reads a string: `$name` is a field and `$$name` a variable; the written forms of ids and dates are converted. */
  #text(text: string): unknown {
    if (text.includes('\0')) throw badPipeline('a string must not contain a NUL character');
    const variable = /^\$\$([A-Z]\w*)/.exec(text)?.[1];
    if (variable !== undefined && !variables.has(variable)) throw operatorDenied(`$$${variable}`, variableNames);
    if (variable !== undefined && variables.get(variable) === 'varies') this.reach.varies();
    if (!text.startsWith('$')) return fromText(text, this.reach.now);
    checkPathSize(text);
    return text;
  }

  /** Reads the operand of `$literal`: its strings stay strings, and it must not contain operators. */
  #literal(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((member: unknown) => this.#literal(member));
    if (!isObject(value)) return looselyTyped('a number', value);
    const extended = fromExtendedJson(value);
    if (extended !== undefined) return extended;
    for (const key of Object.keys(value)) if (isDangerous(key)) throw dangerousKey(key);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.#literal(inner)]));
  }

  /** Reads a pattern. It must be a constant, because a computed one could not be checked. */
  #pattern(operator: string, operand: unknown): unknown {
    if (!isObject(operand)) throw badPipeline(`${operator} takes input, regex and options`);
    const { regex, options = '', ...rest } = operand;
    if (typeof regex !== 'string' || regex.startsWith('$') || typeof options !== 'string' || options.startsWith('$'))
      throw badPipeline(`the regex and the options of ${operator} must be strings`);
    this.#patterns += 1;
    if (this.#patterns > filterLimits.patterns)
      throw tooMany('regular expressions in a pipeline', filterLimits.patterns);
    const { $regex, $options } = pattern(regex, options);
    return { ...this.fields(rest), regex: $regex, ...($options === '' ? {} : { options: $options }) };
  }
}
