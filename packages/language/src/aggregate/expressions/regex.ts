/** Regular expression operators: `$regexMatch`, `$regexFind`, `$regexFindAll`. */
import { BSONRegExp } from 'bson';
import { StoreError } from '../../errors.ts';
import type { Charge } from '../../query/regex/metered-text.ts';
import type { Value } from '../../values/types.ts';
import { type Fields, fieldsOf, isNullish, optional, typeName } from './arguments.ts';
import type { Compiler, Operator } from './compiler.ts';
import { compileFinder, type Finder, type Match } from './regex-find.ts';
import type { Scope } from './scope.ts';
import { codePoints } from './strings.ts';

const regexFields: Fields = {
  notObject: 51103,
  unknown: 31024,
  required: { input: 31022, regex: 31023 },
  optional: ['options'],
};

/** Steps of compiling a short pattern: about a tenth of a millisecond. */
const stepsToCompile = 2000;

/** Steps of compiling one more character of a pattern. */
const stepsToCompileLetter = 20;

/** A string and the regular expression to find in it. */
interface Search {
  readonly text: string;
  readonly finder: Finder;
  readonly charge: Charge;
}

/** An operator on a string and a regular expression; `nothing` is its result if either is null. */
const searching =
  (nothing: Value, run: (search: Search, compiler: Compiler, name: string) => Value): Operator =>
  (operand, compiler, name) => {
    const read = searchReader(operand, compiler, name);
    return (scope) => {
      const search = read(scope);
      return search === undefined ? nothing : run(search, compiler, name);
    };
  };

function searchReader(operand: Value, compiler: Compiler, name: string): (scope: Scope) => Search | undefined {
  const given = fieldsOf(operand, name, regexFields);
  const input = compiler.compile(given['input']);
  const regex = compiler.compile(given['regex']);
  const options = optional(given['options'], compiler);
  const charge: Charge = (steps) => compiler.context.meter.charge(steps);
  let last: { readonly pattern: string; readonly flags: string; readonly finder: Finder } | undefined;
  return (scope) => {
    const text = input(scope);
    const found = patternOf(regex(scope), options?.(scope), name);
    if (!isNullish(text) && typeof text !== 'string') {
      throw new StoreError(51104, `${name} needs 'input' to be of type string, found: ${typeName(text)}`);
    }
    if (found === undefined || isNullish(text)) return undefined;
    if (last?.pattern !== found.pattern || last.flags !== found.flags) {
      charge(stepsToCompile + found.pattern.length * stepsToCompileLetter);
      last = { ...found, finder: compileFinder(found.pattern, found.flags) };
    }
    return { text, finder: last.finder, charge };
  };
}

function patternOf(regex: Value, options: Value, name: string): { pattern: string; flags: string } | undefined {
  if (!isNullish(options) && typeof options !== 'string') {
    throw new StoreError(51106, `${name} needs 'options' to be of type string, found: ${typeName(options)}`);
  }
  if (isNullish(regex)) return undefined;
  if (regex instanceof BSONRegExp) {
    if (regex.options !== '' && !isNullish(options)) {
      throw new StoreError(51107, `${name} found regex option(s) specified in both 'regex' and 'option' fields`);
    }
    return { pattern: regex.pattern, flags: regex.options === '' ? (options ?? '') : regex.options };
  }
  if (typeof regex !== 'string') {
    throw new StoreError(51105, `${name} needs 'regex' to be of type string or regex, found: ${typeName(regex)}`);
  }
  return { pattern: regex, flags: options ?? '' };
}

const found = (text: string, { match, index, captures }: Match): Value => ({
  match,
  idx: codePoints(text.slice(0, index)),
  captures: captures.map((capture) => capture ?? null),
});

function findAll({ text, finder, charge }: Search, compiler: Compiler, name: string): Value {
  const all: Value[] = [];
  let points = 0;
  let counted = 0;
  for (const match of finder.all(text, charge)) {
    compiler.work.add(1 + match.captures.length, name);
    compiler.work.text(match.index - counted, name);
    points += codePoints(text.slice(counted, match.index));
    counted = match.index;
    all.push({ match: match.match, idx: points, captures: match.captures.map((capture) => capture ?? null) });
  }
  return all;
}

/** The operators of this file. */
export const regexOperators: readonly (readonly [string, Operator])[] = [
  ['$regexMatch', searching(false, ({ text, finder, charge }) => finder.test(text, charge))],
  [
    '$regexFind',
    searching(null, ({ text, finder, charge }, compiler, name) => {
      const first = finder.first(text, charge);
      if (first === undefined) return null;
      compiler.work.text(first.index, name);
      return found(text, first);
    }),
  ],
  ['$regexFindAll', searching([], findAll)],
];
