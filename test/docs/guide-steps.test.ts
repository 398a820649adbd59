/** How the guides are read: what is a command, what it shows, and that each is typed by `guides.e2e.test.ts` or excused. */
import { existsSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { exceptionFor, exceptions } from './guide-exceptions.ts';
import { type Command, guides, stepsOf, textOf, unmarkedIn } from './guide-steps.ts';

const fence = '```';
const command = (text: string, line: number, more: Partial<Command> = {}): Command => ({
  ...{ kind: 'command', text, line, isInline: false },
  ...more,
});

test.each<readonly [title: string, markdown: string, steps: readonly object[]]>([
  [
    'a block',
    `a\n\n${fence}sh\nnpx a # first\n\n# second\nnpx b\n${fence}\n`,
    [command('npx a', 4), command('npx b', 7)],
  ],
  ['a block in a list', `1. a\n\n   ${fence}bash\n   npx a\n   ${fence}\n`, [command('npx a', 4)]],
  ['a continued line', `${fence}sh\nx a \\\n  b\nx c\n${fence}\n`, [command('x a \\\n  b', 2), command('x c', 4)]],
  [
    'an open quote',
    `${fence}sh\nx 'a\n# b' # c\nx "d'"\n${fence}\n`,
    [command("x 'a\n# b'", 2), command('x "d\'"', 4)],
  ],
  [
    'what a block shows',
    `${fence}sh\nx a\nx b\n${fence}\n\n${fence}text\nc\n${fence}\n`,
    [command('x a', 2), command('x b', 3, { output: 'c\n' })],
  ],
  ['a comment that is JSON', `${fence}sh\nx a\n# {"b":1}\n${fence}\n`, [command('x a', 2, { output: '{"b":1}' })]],
  ['a sentence', 'Type `A=1 npx a`, or `npx`, or `a --b`.', [command('A=1 npx a', 1, { isInline: true })]],
  ['a file', `Save this as \`a/b.ts\`:\n\n${fence}ts\nc\n${fence}\n`, [{ kind: 'saved', path: 'a/b.ts', text: 'c\n' }]],
  ['a named file', `${fence}csv a.csv\nb\n${fence}\n`, [{ kind: 'saved', path: 'a.csv', text: 'b\n' }]],
  ['a file of a command', `${fence}json a.json\n{}\n${fence}\n`, [{ kind: 'written', path: 'a.json', text: '{}\n' }]],
  ['a request with its answer', `${fence}sh\ncurl http://a/\n${fence}\n\n${fence}json\n{}\n${fence}\n`, []],
])('%s', (_, markdown, steps) => {
  expect(stepsOf(markdown)).toEqual(steps);
});

test('a block that looks like commands is marked as such', () => {
  expect(unmarkedIn(`a\n${fence}\nmongodump --gzip\n${fence}\n`)).toEqual([2]);
  expect(guides.flatMap((guide) => unmarkedIn(textOf(guide)).map((line) => `${guide}:${line}`))).toEqual([]);
});

test('each exception excuses a command, and names tests that exist', () => {
  const excused = guides.flatMap((guide) =>
    stepsOf(textOf(guide)).map((step) => (step.kind === 'command' ? exceptionFor(guide, step.text) : undefined)),
  );
  expect(exceptions.filter((one) => !excused.includes(one))).toEqual([]);
  const named = exceptions.flatMap(({ reason }) => reason.match(/test\/\S+\.ts/g) ?? []);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});
