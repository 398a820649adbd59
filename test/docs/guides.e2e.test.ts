/**
 * Types every command of every guide, in the order and the folder in which a reader does, and compares what it prints with what the guide
 * shows. `guide-exceptions.ts` has those that are not typed; `examples.test.ts` sends the requests that are shown with their answers.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect } from '@jest/globals';
import type { OpenStore } from 'dossier-store';
import { onPosix } from '../support/needs.ts';
import { until } from '../support/waiting.ts';
import { newFolder } from '../transfer/folders.ts';
import { examplesOf, wordsOf } from './examples.ts';
import { exceptionFor } from './guide-exceptions.ts';
import { type Command, guides, type Step, stepsOf, textOf } from './guide-steps.ts';
import { type Outcome, serves, Terminal } from './guide-terminal.ts';
import { asTyped, databaseOf, openSample, openStore, type Places, prepare, save } from './guide-worlds.ts';

const stepsByGuide = new Map(guides.map((guide) => [guide, stepsOf(textOf(guide))]));
const isTyped = (guide: string, step: Step): step is Command =>
  step.kind === 'command' && exceptionFor(guide, step.text) === undefined;

/** What blocks ask for, and the parts between `&&`: a sentence that names one of them repeats it. */
const ofBlocks = new Set(
  [...stepsByGuide].flatMap(([guide, steps]) =>
    steps.flatMap((step) => (isTyped(guide, step) && !step.isInline ? [step.text, ...step.text.split(' && ')] : [])),
  ),
);

/** The steps of each guide; of a command in sentences, those of the first guide that has it. */
const plans = [...stepsByGuide].map(([guide, steps]) => {
  const own = steps.filter((step) => {
    if (step.kind !== 'command') return true;
    if (!isTyped(guide, step)) return false;
    if (!step.isInline) return true;
    const isNew = !ofBlocks.has(step.text);
    ofBlocks.add(step.text);
    return isNew;
  });
  return { guide, steps: own };
});

let sample: ReturnType<typeof openSample> | undefined;
let store: Promise<OpenStore> | undefined;
afterAll(async () => {
  await (await store)?.close();
});

/** Servers are started for the first guide that needs them. */
async function placesFor(guide: string, { text }: Command, terminal: Terminal): Promise<Places> {
  const isRequest = /127\.0\.0\.1:4001|api\.example\.com|\$API|^npm run sample/.test(text);
  const isOwn = terminal.address !== undefined && !text.startsWith('npm run sample');
  const own = { server: terminal.address ?? '', variables: {} };
  const { server, variables } = isRequest && !isOwn ? await (sample ??= openSample()) : own;
  if (!text.includes('mongodb://')) return { server, variables, database: '' };
  const { url } = await (store ??= openStore());
  return { server, variables, database: databaseOf(url, guide.replace(/\W/g, '-')) };
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** What a guide shows, as a pattern: ids and ports differ, a word that ends with `…` is anything, and not all machines have `::1`. */
const patternOf = (shown: string): string =>
  escaped(shown)
    .replace(/\w*…/g, '.*')
    .replace(/ and \\\[::1\\\]:\d+/, '(?:$&)?')
    .replace(/[0-9a-f]{24}/g, '[0-9a-f]{24}')
    .replaceAll('27017', '\\d+');

/** JSON with the type of each value in its place. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]));
};

/** Compares what a command prints with what the guide shows. */
async function compare(shown: string, outcome: Outcome): Promise<void> {
  const { code } = outcome;
  const output = outcome.output.replaceAll('\r\n', '\n');
  if (/^[[{]/.test(shown)) expect(shapeOf(JSON.parse(output))).toEqual(shapeOf(JSON.parse(shown)));
  else if (code !== undefined) expect(output).toMatch(new RegExp(`^${patternOf(shown)}$`));
  // the lines of a server come one by one
  else
    await until(
      () => new RegExp(`^${patternOf(shown)}`).test(outcome.output),
      () => outcome.output,
    );
}

/** Types a command. @throws when it fails, or when a request is answered with a failure */
async function type(guide: string, step: Command, terminal: Terminal): Promise<void> {
  // the servers of the blocks above a sentence are not what its command is about
  if (step.isInline) await terminal.end();
  const places = await placesFor(guide, step, terminal);
  const outcome = await terminal.type(asTyped(step.text, places), places.variables);
  const { code, output, messages } = outcome;
  // the guide says that an import with refused records ends with 1
  const expected = messages.endsWith('refused.ndjson says why\n') ? 1 : serves(step.text) ? undefined : 0;
  const [status = '200'] = [...messages.matchAll(/^[A-Z]+ (\d{3})$/gm)].map(([, each]) => each);
  const seen = { at: `${guide}:${step.line}`, typed: step.text, code, status, output: output.slice(-2000), messages };
  expect(seen).toEqual({ ...seen, code: expected, status: expect.stringMatching(/^2/) });
  if (step.output !== undefined) await compare(step.output, outcome);
}

async function follow(guide: string, steps: readonly Step[], terminal: Terminal): Promise<void> {
  await prepare(terminal, guide, steps);
  for (const step of steps) {
    if (step.kind === 'saved') save(terminal.folder, { [step.path]: step.text });
    else if (step.kind === 'command') await type(guide, step, terminal);
    else expect(JSON.parse(readFileSync(join(terminal.folder, step.path), 'utf8'))).toEqual(JSON.parse(step.text));
  }
}

/** Milliseconds: a guide starts up to a dozen processes one after the other, each in a second or two on a calm machine. */
const patience = 900_000;

for (const { guide, steps } of plans.filter((plan) => plan.steps.some(({ kind }) => kind === 'command')))
  onPosix(
    guide,
    async () => {
      const terminal = new Terminal(await newFolder());
      await follow(guide, steps, terminal).finally(() => terminal.end());
    },
    patience,
  );

/** The words of the commands as a shell reads them. */
function wordsOfShell(commands: readonly string[], variables: Readonly<Record<string, string>>): string[][] {
  const script = `curl() { printf '%s\\0' "$@"; printf '\\1\\0'; }\n${commands.join('\n')}\n`;
  const { stdout } = spawnSync('sh', ['-c', script], { env: variables, encoding: 'utf8', maxBuffer: 1e8 });
  return stdout
    .split('\u0001\0')
    .slice(0, -1)
    .map((words) => words.split('\0').slice(0, -1));
}

onPosix('a shell reads the requests of the guides as examples.test.ts does', async () => {
  const variables = Object.fromEntries(
    ['PASSWORD', 'ID', 'KEY', 'CURSOR', 'TOKEN', 'CODE', 'TICKET', 'USER'].map((name) => [name, `a-${name}`]),
  );
  const commands = guides.flatMap((guide) => examplesOf(textOf(guide), {}).map(({ command }) => command));
  expect(commands.length).toBeGreaterThan(70);
  expect(wordsOfShell(commands, variables)).toEqual(commands.map((command) => wordsOf(command, variables).slice(1)));
});
