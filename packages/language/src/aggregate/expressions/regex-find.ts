/** Finds where a regular expression matches, and what its groups have caught, in a time that is bounded. */
import { MatcherInput, RE2JS } from 're2js';
import { notSupported } from '../../errors.ts';
import { compileRegex } from '../../query/regex.ts';
import { charSet } from '../../query/regex/char-set.ts';
import { stepsFor } from '../../query/regex/cost.ts';
import { foldingOf, toNative } from '../../query/regex/emit.ts';
import { MeteredText, type Charge } from '../../query/regex/metered-text.ts';
import { partsOf, type Node } from '../../query/regex/nodes.ts';
import { parsePattern } from '../../query/regex/parse.ts';

/** A match: its text, its place in UTF-16 units, and the groups in their order. */
export interface Match {
  readonly match: string;
  readonly index: number;
  readonly captures: readonly (string | undefined)[];
}

/** A regular expression that tells where it matches; `charge` counts the work on a text. */
export interface Finder {
  test(text: string, charge: Charge): boolean;
  first(text: string, charge: Charge): Match | undefined;
  /** All matches that don't overlap. */
  all(text: string, charge: Charge): Iterable<Match>;
}

type Matches = (text: string, charge: Charge) => Iterable<Match>;

/** Up to so many steps the engine that may backtrack is used. */
const mostSteps = 5_000_000;

/**
 * Makes a finder.
 * @throws StoreError 51091 or 51108 for what isn't a regular expression, 115 for what this store can't do
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

/** As in MongoDB, nothing is looked for any more when the end of the text has been reached, not even an empty match there. */
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
      : new RegExp(toNative(keepingGroups(node, groups)), `dg${folding === 'all' ? 'iu' : 'u'}`);
  let compiled: RE2JS | undefined;
  return (text, charge) => {
    if (native !== undefined && steps(text.length) <= mostSteps) return nativeMatches(native, text, groups);
    compiled ??= linear(pattern, flags);
    return linearMatches(compiled, text, charge);
  };
}

function groupsIn(node: Node): readonly number[] {
  const inner = partsOf(node).flatMap(groupsIn);
  return node.type === 'capture' ? [node.index, ...inner] : inner;
}

/** Groups are kept only where something refers to them; an alternative that never matches refers to all. */
function keepingGroups(node: Node, groups: readonly number[]): Node {
  const never: Node = { type: 'chars', set: charSet([]), fold: false };
  const references = groups.map((index): Node => ({ type: 'reference', index }));
  return { type: 'choice', options: [node, { type: 'sequence', parts: [never, ...references] }] };
}

function* nativeMatches(regex: RegExp, text: string, groups: readonly number[]): Generator<Match> {
  for (const found of text.matchAll(regex)) {
    yield {
      match: found[0],
      index: found.index,
      captures: groups.toSorted((a, b) => a - b).map((index) => found.groups?.[`g${index}`]),
    };
  }
}

function* linearMatches(regex: RE2JS, text: string, charge: Charge): Generator<Match> {
  const matcher = regex.matcher(MatcherInput.utf16(new MeteredText(text, regex.programSize(), charge)));
  while (matcher.find()) {
    const captures = Array.from({ length: matcher.groupCount() }, (_, at) => matcher.group(at + 1) ?? undefined);
    yield { match: matcher.group() ?? '', index: matcher.start(), captures };
  }
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
