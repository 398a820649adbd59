import { inTime } from '../../../test/support/waiting.ts';
import { compileRegex } from '../src/query/regex.ts';
import { parsePattern } from '../src/query/regex/index.ts';
import { literalOf } from '../src/query/regex/literal.ts';
import { trimmed } from '../src/query/regex/trim.ts';

type Row = readonly [pattern: string, flags: string, text: string, matches: boolean];

/** PCRE's results. */
const rows: readonly Row[] = [
  ['abc', '', 'xabcx', true],
  ['abc', '', 'xabx', false],
  ['ABC', 'i', 'xabcx', true],
  ['^abc', '', 'abcd', true],
  ['^abc', '', 'x\nabcd', false],
  ['^abc', 'm', 'x\nabcd', true],
  ['^', 'm', '', true],
  ['abc$', '', 'xabc', true],
  ['abc$', '', 'xabc\n', true],
  ['abc$', '', 'xabc\n\n', false],
  ['abc\\z', '', 'xabc\n', false],
  ['abc\\Z', '', 'xabc\n', true],
  ['abc$', 'm', 'abc\nx', true],
  ['abc$', '', 'abc\nx', false],
  ['a.c', '', 'a\nc', false],
  ['a.c', 's', 'a\nc', true],
  ['a.c', '', 'a\rc', true],
  ['a.c', '', 'a\u2028c', true],
  ['a.c', '', 'a😀c', true],
  ['^.$', '', '😀', true],
  ['a\\Nc', 's', 'a\nc', false],
  ['a b # comment\n c', 'x', 'abc', true],
  ['a\\ b', 'x', 'a b', true],
  ['[a b]{3}', 'x', 'a b', true],
  ['a  +b', 'x', 'aab', true],
  ['(?i)abc', '', 'ABC', true],
  ['(?i)abc(?-i)D', '', 'ABCD', true],
  ['(?i)abc(?-i)D', '', 'ABCd', false],
  ['a(?i)b|c', '', 'aB', true],
  ['a(?i)b|c', '', 'C', true],
  ['(?i:a)b', '', 'Ab', true],
  ['(?i:a)b', '', 'AB', false],
  ['(?x) a b ', '', 'ab', true],
  ['(?s).', '', '\n', true],
  ['(?#comment)a', '', 'a', true],
  ['colou?r', '', 'color', true],
  ['^a{2}$', '', 'aa', true],
  ['^a{2,}$', '', 'aaaa', true],
  ['^a{2,3}$', '', 'aaaa', false],
  ['a{', '', 'a{', true],
  ['a{x}', '', 'a{x}', true],
  ['{', '', '{', true],
  ['a]', '', 'a]', true],
  ['a}', '', 'a}', true],
  ['^a{,3}$', '', 'a{,3}', true],
  ['a-b', '', 'a-b', true],
  ['a\\-b', '', 'a-b', true],
  ['a\\_b\\@', '', 'a_b@', true],
  ['a\\/b', '', 'a/b', true],
  ['\\Qa.b*\\Ec', '', 'a.b*c', true],
  ['\\Qa.b', '', 'axb', false],
  ['\\Qab\\E+$', '', 'abbb', true],
  ['[abc]', '', 'b', true],
  ['[^abc]', '', 'b', false],
  ['[^abc]', '', 'd', true],
  ['[^a]', 'i', 'A', false],
  ['[^a]', 'i', 'a', false],
  ['[^a]', 'i', 'b', true],
  ['[]]', '', ']', true],
  ['[^]]', '', ']', false],
  ['[]a]+', '', ']a', true],
  ['[a-]', '', '-', true],
  ['[-a]', '', '-', true],
  ['[\\d-z]', '', '-', true],
  ['[a\\]b]', '', ']', true],
  ['[\\b]', '', '\b', true],
  ['[a-c]', 'i', 'B', true],
  ['[[:alpha:]]+', '', 'x', true],
  ['^[[:^alpha:]]+$', '', '123', true],
  ['[[:digit:]a]', '', 'a', true],
  ['[a[:digit:]]', '', '[', false],
  ['^[\\w.]+$', '', 'a.b_1', true],
  ['^\\w+$', '', 'é', false],
  ['\\W', 'i', 's', false],
  ['\\W', 'i', 'k', false],
  ['\\d', '', '٣', false],
  ['\\s', '', '\u00a0', false],
  ['\\h', '', '\u00a0', true],
  ['\\S', '', ' ', false],
  ['\\R', '', '\r\n', true],
  ['a\\tb', '', 'a\tb', true],
  ['\\x41\\x{1F600}', '', 'A😀', true],
  ['\\o{101}', '', 'A', true],
  ['\\cA', '', '\u0001', true],
  ['\\p{L}+', '', 'é', true],
  ['\\pL', '', 'é', true],
  ['\\p{Lu}', '', 'é', false],
  ['\\P{L}', '', 'é', false],
  ['\\p{^L}', '', '1', true],
  ['\\p{Greek}', '', 'α', true],
  ['[\\p{L}\\d]+$', '', 'é1', true],
  ['[^\\p{L}]', '', 'é', false],
  ['\\bfoo\\b', '', 'a foo b', true],
  ['\\bfoo\\b', '', 'afoo', false],
  ['\\Boo', '', 'foo', true],
  ['(a|b)c', '', 'bc', true],
  ['^(?:a|ab)(?:c|bcd)$', '', 'abcd', true],
  ['(a)\\1', '', 'aa', true],
  ['(a)\\1', '', 'ab', false],
  ['(?<n>a|b)\\k<n>', '', 'bb', true],
  ['(?P<n>a|b)(?P=n)', '', 'ab', false],
  ['(a)(b)\\g{-1}', '', 'abb', true],
  ['foo(?=bar)', '', 'foobar', true],
  ['foo(?!bar)', '', 'foobar', false],
  ['(?<=a)b', '', 'ab', true],
  ['(?<!a)b', '', 'ab', false],
  ['(?>a+)ab', '', 'aaab', false],
  ['a++b', '', 'aaab', true],
  ['a++ab', '', 'aaab', false],
  ['a*?b', '', 'aab', true],
  ['.*word.*', '', 'a word here', true],
  ['.*word.*', '', 'nothing', false],
  ['.*', '', '', true],
  ['', '', 'anything', true],
  ['a|', '', 'x', true],
  ['ß', 'i', 'ß', true],
  ['É', 'i', 'é', true],
  ['Σ', 'i', 'ς', true],
  ['\\.js$', '', 'x.js', true],
  ['^\\^\\$\\*$', '', '^$*', true],
  ['__proto__', '', '__proto__', true],
];

describe('regular expressions', () => {
  test.each(rows)('%j with %j on %j: %s', (pattern, flags, text, matches) => {
    expect(compileRegex(pattern, flags).test(text)).toBe(matches);
    expect(compileRegex(pattern, flags).test(text)).toBe(matches);
  });

  /** The linear engine, which runs on long strings, has the same results. */
  test.each(rows.filter(([pattern, flags]) => !/\\z|\\Z|\$|m/.test(pattern + flags)))(
    'in a long text: %j with %j on %j',
    (pattern, flags, text, matches) => {
      const longText = `${text}${'\n'.repeat(3000)}`;
      const known = compileRegex(pattern, flags).test(text);
      expect(known).toBe(matches);
      if (matches) expect(compileRegex(pattern, flags).test(longText)).toBe(true);
    },
  );
});

describe('the text that a match needs', () => {
  const part = (text: string) => ({ text, isWhole: false });
  const whole = (text: string) => ({ text, isWhole: true });
  const literalIn = (pattern: string, flags = '') =>
    literalOf(trimmed(parsePattern(pattern, { i: flags.includes('i'), m: flags.includes('m'), s: false, x: false })));

  test.each<readonly [pattern: string, flags: string, literal: ReturnType<typeof part> | undefined]>([
    ['amber.*birch5', '', part('birch5')],
    ['amber', '', whole('amber')],
    ['(am(b)er)', '', whole('amber')],
    ['.*a😀c.*', '', whole('a😀c')],
    ['x(?:ab)+cd?', '', part('x')],
    ['x?(?:ab){2}(?=y)', '', undefined],
    ['(?!no)yes', '', part('yes')],
    ['a|b', '', undefined],
    ['a(b|c)def', '', part('def')],
    ['[a]b[^c]d', '', part('ab')],
    ['AMBER 123!', 'i', part(' 123!')],
    ['é1', 'i', part('1')],
    ['(?i)a(?-i)bc1', '', part('bc1')],
    ['^abc.*def', '', undefined],
    ['^.*def', '', part('def')],
    ['^abc', 'm', part('abc')],
    ['def$', '', part('def')],
    ['\\Qa.b\\E', '', whole('a.b')],
    ['\\d', '', undefined],
    ['', '', undefined],
    [`${'a'.repeat(40)}b`, '', part('a'.repeat(32))],
    [`${'a'.repeat(31)}😀b`, '', part(`${'a'.repeat(31)}😀`.slice(0, 32))],
  ])('of %j with %j is %j', (pattern, flags, literal) => {
    const found = literalIn(pattern, flags);
    expect(found).toEqual(literal && { ...literal, rarest: expect.any(String) });
  });

  test.each([
    ['amber.*birch5', '5'],
    ['the', 'h'],
    ['jazz', 'z'],
    ['Jazz', 'J'],
    ['a😀c', '😀'],
    ['a', 'a'],
  ])('of %j is first searched for by %j', (pattern, rarest) => {
    expect(literalIn(pattern)?.rarest).toBe(rarest);
  });

  test('is charged for when a long string is searched for it', () => {
    const steps: number[] = [];
    const regex = compileRegex('x.*y', '');
    const charge = (count: number): void => void steps.push(count);
    expect([regex.test('short', charge), steps]).toEqual([false, []]);
    expect([regex.test('a'.repeat(102_400), charge), steps]).toEqual([false, [100]]);
  });
});

describe('invalid patterns', () => {
  test.each<readonly [pattern: string, flags: string, code: number]>([
    ['(', '', 51091],
    [')', '', 51091],
    ['[', '', 51091],
    ['[z-a]', '', 51091],
    ['*a', '', 51091],
    ['a{3,2}', '', 51091],
    ['a{99999}', '', 51091],
    ['\\', '', 51091],
    ['\\p{Nothing}', '', 51091],
    ['[[:nothing:]]', '', 51091],
    ['(a)\\2', '', 51091],
    ['\\k<none>', '', 51091],
    ['\\y', '', 51091],
    ['\\x{110000}', '', 51091],
    ['a\0b', '', 2],
    ['a', 'g', 51108],
    ['a', 'y', 51108],
    ['(?R)', '', 115],
    ['(*UTF8)a', '', 115],
    ['\\X', '', 115],
    [`${'('.repeat(300)}a${')'.repeat(300)}`, '', 51091],
    ['a'.repeat(20_000), '', 51091],
  ])('%.40s with %j is refused with %i', (pattern, flags, code) => {
    expect(() => compileRegex(pattern, flags)).toThrow(expect.objectContaining({ code }));
  });
});

describe('patterns with exponential backtracking', () => {
  const letters = 'a'.repeat(5000);
  test.each([
    ['^(a+)+$', `${letters}!`],
    ['^(a|a)*$', `${letters}!`],
    ['^(a|aa)+$', `${letters}!`],
    ['(.*)*x', letters],
    ['(a*)*b', letters],
    ['a*a*a*a*a*b', letters],
    ['(?:a?){30}a{30}b', 'a'.repeat(30)],
    ['^(\\w+\\s?)*$', `${'word '.repeat(1000)}!`],
    ['([a-zA-Z]+)*@', letters],
    ['.*.*.*=.*', letters],
    // a match requires no particular character, so the engine has to run
    ['(.*)*[xy]', letters],
    ['(a*)*[bc]', letters],
    ['a*a*a*a*a*[bc]', letters],
    ['(?:a?){30}a{30}[bc]', 'a'.repeat(30)],
    ['([a-zA-Z]+)*[@#]', letters],
    ['.*.*.*[=:].*', letters],
  ])('%s', async (pattern, text) => {
    const regex = compileRegex(pattern, '');
    const search = (): Promise<{ readonly found: boolean; readonly took: number }> => {
      const begun = performance.now();
      const found = regex.test(text);
      return Promise.resolve({ found, took: performance.now() - begun });
    };
    expect(await inTime(search, ({ took }) => took < 500)).toMatchObject({ found: false });
  });

  test('patterns that require backtracking are refused on long strings', () => {
    const regex = compileRegex('^(?=(a+)+$)b', '');
    expect(() => regex.test(`${letters}b`)).toThrow(expect.objectContaining({ code: 51156 }));
    expect(regex.test(letters)).toBe(false);
  });
});
