/** The title of the browser's tab. */
import { expect, test } from '@jest/globals';
import { titleText } from '../src/parts/tab-title.ts';

test.each<readonly [parts: readonly string[], title: string]>([
  [[], ''],
  [['', '  '], ''],
  [['Dune', 'Books', 'Dossier'], 'Dune · Books · Dossier'],
  [['', 'Books'], 'Books'],
  [['<b>&amp;</b>'], '<b>&amp;</b>'],
  [['two\nlines\u0000 and\t\u2028 blanks '], 'two lines and blanks'],
  // marks of direction would move the name of the project to the front
  [['\u202edrawkcab\u2066', 'Books'], 'drawkcab · Books'],
  // joined emoji and letters stay as they are
  [['👩‍🚀', 'می‌خواهم'], '👩‍🚀 · می‌خواهم'],
  [['x'.repeat(80)], 'x'.repeat(80)],
  [['x'.repeat(81)], `${'x'.repeat(79)}…`],
  [['😀'.repeat(1000)], `${'😀'.repeat(79)}…`],
])('%j is %j', (parts, title) => {
  expect(titleText(parts)).toBe(title);
});
