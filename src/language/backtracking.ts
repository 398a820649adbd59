/**
 * Whether a regular expression could backtrack exponentially. It errs on the safe side: a repeated group is harmless only
 * when the text says by itself where one round ends and which alternative it was.
 */
import type { AST } from '@eslint-community/regexpp';

/** From this many rounds on, a bounded repetition counts as unbounded. */
const manyRounds = 10;
/** Quantifiers without an end in one pattern; each adds a power to the worst case. */
const mostUnbounded = 6;

type Element = AST.Element;
/** The characters a single-character element matches: ASCII by code, and one place for all others. */
type Characters = readonly boolean[];

/** @param flags flags of JavaScript (i, m, s) */
export function backtracks(pattern: AST.Pattern, flags: string): boolean {
  let unbounded = 0;
  let dangerous = false;
  const visit = (alternatives: readonly AST.Alternative[]): void => {
    for (const { elements } of alternatives) for (const element of elements) look(element);
  };
  const look = (element: Element): void => {
    if (element.type === 'Quantifier') {
      if (element.max === Infinity) unbounded += 1;
      if (element.max >= manyRounds && !harmless(element.element, flags)) dangerous = true;
      look(element.element);
    } else if ('alternatives' in element) {
      visit(element.alternatives);
    } else if (element.type === 'Backreference') dangerous = true;
  };
  visit(pattern.alternatives);
  return dangerous || unbounded > mostUnbounded;
}

/** Whether many rounds of this element can be told apart in one way only. */
function harmless(element: AST.QuantifiableElement, flags: string): boolean {
  if (element.type === 'Assertion') return false;
  if (element.type !== 'Group' && element.type !== 'CapturingGroup') return true;
  const { alternatives } = element;
  if (alternatives.some(({ elements }) => elements.length === 0)) return false;
  if (alternatives.length > 1) {
    const firsts = alternatives.map(({ elements }) => firstOf(elements[0], flags));
    if (alternatives.some(({ elements }) => elements.some(isVariable))) return false;
    return firsts.every(
      (set, at) =>
        set !== undefined && firsts.slice(at + 1).every((other) => other !== undefined && disjoint(set, other)),
    );
  }
  const elements = alternatives[0]?.elements ?? [];
  return elements.every((inner) => !isVariable(inner)) || hasDelimiter(elements, flags);
}

/** Whether an element can match texts of different lengths. */
function isVariable(element: Element): boolean {
  if (element.type === 'Quantifier') return element.min !== element.max || isVariable(element.element);
  if (element.type === 'Group' || element.type === 'CapturingGroup')
    return element.alternatives.length > 1 || element.alternatives.some(({ elements }) => elements.some(isVariable));
  return element.type === 'Assertion' || element.type === 'Backreference';
}

/** One character that must stand in every round, and that nothing else in the round can be. */
function hasDelimiter(elements: readonly Element[], flags: string): boolean {
  return elements.some((candidate, at) => {
    const mark = charactersOf(candidate, flags);
    return (
      mark !== undefined &&
      elements.every((other, place) => {
        const set = charactersOf(other.type === 'Quantifier' ? other.element : other, flags);
        return place === at || (set !== undefined && disjoint(mark, set));
      })
    );
  });
}

function firstOf(element: Element | undefined, flags: string): Characters | undefined {
  if (element?.type === 'Quantifier') return element.min > 0 ? firstOf(element.element, flags) : undefined;
  return element === undefined ? undefined : charactersOf(element, flags);
}

function charactersOf(element: Element, flags: string): Characters | undefined {
  if (element.type !== 'Character' && element.type !== 'CharacterSet' && element.type !== 'CharacterClass')
    return undefined;
  const one = new RegExp(`^(?:${element.raw})$`, flags);
  const ascii = Array.from({ length: 128 }, (_, code) => one.test(String.fromCharCode(code)));
  const others =
    element.type === 'Character' ? element.value > 127 : ['é', 'ж', '字', '\u2028'].some((text) => one.test(text));
  return [...ascii, others];
}

const disjoint = (a: Characters, b: Characters): boolean => a.every((has, at) => !has || b[at] !== true);
