/**
 * The commands in the guides: those of `dossier` have subcommands, flags and arguments that it takes, and npm scripts exist. Nothing is run
 * here: `guides.e2e.test.ts` types the commands.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from '@jest/globals';
import { makeProgram } from '../../src/cli/program.ts';
import { templateOf } from '../../src/cli/template.ts';

const files = [
  'README.md',
  'CONTRIBUTING.md',
  ...['client', 'language', 'store'].map((name) => `packages/${name}/README.md`),
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

interface Shown {
  /** What follows `dossier`. */
  readonly words: readonly string[];
  /** Whether it stands in a block, where no argument is left out. */
  readonly isWhole: boolean;
}

const ofDossier = /^\s*(?:\w+=\S*\s+)*(?:npx |docker run .*)?dossier(?:\s+(?<rest>.*?))?\s*$/;

/** The commands of a line of a shell, without comments, and with a word for each quoted text. */
const commandsIn = (line: string): readonly string[] =>
  line
    .replace(/'[^']*'|"(?:[^"\\]|\\.)*"/g, 'quoted')
    .replace(/\s#.*/, '')
    .split(/&&|[|;()<>]/);

function shownIn(text: string): readonly Shown[] {
  const blocks = [...text.matchAll(/^ *```sh\n(.*?)^ *```$/gms)].map(([, lines = '']) => lines.replaceAll('\\\n', ' '));
  const spans = [...text.replace(/^ *```.*?^ *```$/gms, '').matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  const found = (lines: readonly string[], isWhole: boolean): readonly Shown[] =>
    lines.flatMap(commandsIn).flatMap((command) => {
      const match = ofDossier.exec(command);
      return match === null ? [] : [{ words: (match.groups?.['rest'] ?? '').split(/\s+/).filter(Boolean), isWhole }];
    });
  return [
    ...found(
      blocks.flatMap((block) => block.split('\n')),
      true,
    ),
    ...found(
      spans.filter((span) => !/[<[…]/.test(span)),
      false,
    ),
  ];
}

/** Why the command refuses what is shown; undefined when it takes it. */
function faultOf({ words: [...words], isWhole }: Shown): string | undefined {
  const streams = { input: new PassThrough(), output: new PassThrough(), messages: new PassThrough() };
  let command = makeProgram({ ...streams, onStop: () => undefined });
  if (['help', '--help', '--version'].includes(words[0] ?? '')) return undefined;
  for (let next; (next = command.commands.find((one) => one.name() === words[0])) !== undefined; words.shift())
    command = next;
  if (command.commands.length > 0) return words.length > 0 || command.parent !== null ? 'no such command' : undefined;
  try {
    const { operands, unknown } = command.parseOptions(words);
    if (unknown.length > 0) return `no such flag: ${unknown.join(' ')}`;
    const { length: most } = command.registeredArguments;
    const least = command.registeredArguments.filter(({ required }) => required).length;
    const isVariadic = command.registeredArguments.some(({ variadic }) => variadic);
    if (operands.length > most && !isVariadic) return 'too many arguments';
    return isWhole && operands.length < least ? 'an argument is missing' : undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

const shown = files.flatMap((file) => shownIn(readFileSync(file, 'utf8')).map((one) => ({ file, ...one })));

test('the commands of dossier are those that it takes', () => {
  expect(shown.length).toBeGreaterThan(100);
  const faults = shown.flatMap(({ file, ...one }) => {
    const fault = faultOf(one);
    return fault === undefined ? [] : [`${file}: dossier ${one.words.join(' ')}: ${fault}`];
  });
  expect(faults).toEqual([]);
});

test.each([
  ['`dossier user create`', 'no such command'],
  ['`npx dossier indexes --aply`', 'no such flag: --aply'],
  ['```sh\ncd x && A=1 npx dossier restore\n```', 'an argument is missing'],
  ['```sh\ndossier types models.ts # the types\n```', 'too many arguments'],
  ['`dossier start --port`', expect.stringContaining('argument missing')],
  ['```sh\nnpx dossier user add \\\n  ann@example.com --admin\n```', undefined],
])('in %j', (text, fault) => {
  expect(shownIn(text).map(faultOf)).toEqual([fault]);
});

test('the npm scripts exist, in this repository or in a new project', () => {
  const { manifest } = templateOf({ name: 'new', dossier: '*', secret: '' });
  const root = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly scripts: object };
  const scripts = new Set([root, manifest].flatMap((one) => Object.keys((one as typeof root).scripts)));
  const unknown = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/npm run ([\w:-]+)/g)].flatMap(([command, name = '']) =>
      scripts.has(name) ? [] : [`${file}: ${command}`],
    ),
  );
  expect(unknown).toEqual([]);
});
