/** Finds the matches of a regular expression and their groups in bounded time. */
import { MatcherInput, RE2JS } from 're2js';
import { notSupported } from '../../errors.ts';
import { compileRegex } from '../../query/regex.ts';
import { charSet } from '../../query/regex/char-set.ts';
import { stepsFor } from '../../query/regex/cost.ts';
import { foldingOf, toNative } from '../../query/regex/emit.ts';
import { type Charge, MeteredText, timed } from '../../query/regex/metered-text.ts';
import { type Node, partsOf } from '../../query/regex/nodes.ts';
import { parsePattern } from '../../query/regex/parse.ts';

/** A match: its text, its position in UTF-16 units, and its groups in order. */
export interface Match {
  readonly match: string;
  readonly index: number;
  readonly captures: readonly (string | undefined)[];
}

/** A regular expression that locates its matches; `charge` meters the work on a string. */
export interface Finder {
  test(text: string, charge: Charge): boolean;
  first(text: string, charge: Charge): Match | undefined;
  /** All matches that do not overlap. */
  all(text: string, charge: Charge): Iterable<Match>;
}

type Matches = (text: string, charge: Charge) => Iterable<Match>;

/** Maximum steps for which the backtracking engine is used. */
const maxSteps = 5_000_000;
/** Steps of it that count as one step of a command. */
const stepsPerCharge = 40;

/**
 * Compiles a finder.
 * @throws StoreError 51091 or 51108 for an invalid regular expression, 115 for an unsupported one
 */
export function compileFinder(pattern: string, flags: string): Finder {
  const regex = compileRegex(pattern, flags);
  const matches = matchesOf(pattern, flags);
  return {
    test: (text, charge) => regex.test(text, charge),
    first: (text, charge) => {
      const [only] = regex.test(text, charge) ? matches(text, charge) : [];
      return only;
    },
    all: (text, charge) => (regex.test(text, charge) ? upToEnd(matches(text, charge), text) : []),
  };
}

/** As in MongoDB, the search stops at the end of the string, before an empty match there. */
function* upToEnd(matches: Iterable<Match>, text: string): Generator<Match> {
  for (const found of matches) {
    yield found;
    const { index, match } = found;
    const taken = match === '' ? String.fromCodePoint(text.codePointAt(index) ?? 0) : match;
    if (index + taken.length >= text.length) return;
  }
}

function matchesOf(pattern: string, flags: string): Matches {
  const node = parsePattern(pattern, {
    i: flags.includes('i'),
    m: flags.includes('m'),
    s: flags.includes('s'),
    x: flags.includes('x'),
  });
  const folding = foldingOf(node);
  const steps = stepsFor(node);
  const groups = groupsIn(node);
  const native =
    folding === 'some'
      ? undefined
      : new RegExp(toNative(keepingGroups(node, groups)), `g${folding === 'all' ? 'iu' : 'u'}`);
  let compiled: RE2JS | undefined;
  return (text, charge) => {
    if (native !== undefined && steps(text.length) <= maxSteps)
      return nativeMatches(native, text, { groups, charge, most: steps(text.length) / stepsPerCharge });
    compiled ??= linear(pattern, flags);
    return linearMatches(compiled, text, charge);
  };
}

function groupsIn(node: Node): readonly number[] {
  const inner = partsOf(node).flatMap(groupsIn);
  return node.type === 'capture' ? [node.index, ...inner] : inner;
}

/** Groups are kept only if something refers to them; an alternative that never matches refers to all. */
function keepingGroups(node: Node, groups: readonly number[]): Node {
  const never: Node = { type: 'chars', set: charSet([]), fold: false };
  const references = groups.map((index): Node => ({ type: 'reference', index }));
  return { type: 'choice', options: [node, { type: 'sequence', parts: [never, ...references] }] };
}

/** The groups of a pattern, and the meter of the work: each match is charged by itself. */
interface Search {
  readonly groups: readonly number[];
  readonly charge: Charge;
  /** Maximum steps of all matches together. */
  readonly most: number;
}

function* nativeMatches(regex: RegExp, text: string, { groups, charge, most }: Search): Generator<Match> {
  const names = groups.toSorted((a, b) => a - b).map((index) => `g${index}`);
  const matches = text.matchAll(regex);
  for (;;) {
    const next = timed(charge, most, () => matches.next());
    if (next.done === true) return;
    const { value: found } = next;
    yield { match: found[0], index: found.index, captures: names.map((name) => found.groups?.[name]) };
  }
}

function* linearMatches(regex: RE2JS, text: string, charge: Charge): Generator<Match> {
  const metered = new MeteredText(text, regex.programSize(), charge);
  const matcher = regex.matcher(MatcherInput.utf16(metered));
  while (matcher.find()) {
    metered.finish();
    const captures = Array.from({ length: matcher.groupCount() }, (_, at) => matcher.group(at + 1) ?? undefined);
    yield { match: matcher.group() ?? '', index: matcher.start(), captures };
  }
  metered.finish();
}

function linear(pattern: string, flags: string): RE2JS {
  if (flags.includes('x')) throw notSupported('finding a long match with the option x');
  const inline = [...flags].filter((flag) => 'ims'.includes(flag)).join('');
  try {
    return RE2JS.compile(inline === '' ? pattern : `(?${inline})${pattern}`);
  } catch {
    throw notSupported('finding where so costly a regular expression matches');
  }
}
