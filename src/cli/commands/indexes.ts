/** `dossier indexes`: lists the indexes and the advice on them, builds the missing ones, and drops one. */
import { type Command, Option } from 'commander';
import type { Send } from '../indexes/sender.ts';
import { withProgress } from '../progress.ts';
import { FaultsFound, printLine, type Terminal } from '../terminal.ts';
import { serverAddress } from './flags.ts';

interface Flags {
  readonly apply?: true;
  readonly drop?: string;
  readonly url?: string;
  readonly key?: string;
  readonly json?: true;
}

interface StoredIndex {
  readonly model: string;
  readonly name: string;
  readonly key: object;
  readonly unique: boolean;
  readonly size?: number;
  readonly uses?: number;
  readonly since?: string;
}

interface IndexAdvice {
  readonly model: string;
  readonly index: object;
  readonly reason: 'missing' | 'unused' | 'redundant';
  readonly for: string;
  readonly name?: string;
  readonly since?: string;
}

interface Listed {
  readonly data: readonly StoredIndex[];
  readonly advice: readonly IndexAdvice[];
}

/** What was done with an index, or why nothing was. */
interface Change {
  readonly model: string;
  readonly name?: string;
  readonly index: object;
  readonly outcome: 'built' | 'present' | 'dropped' | 'failed';
  readonly error?: string;
}

export const indexesCommand = (program: Command, terminal: Terminal): Command =>
  program
    .command('indexes')
    .description('Lists the indexes with advice on them, builds those that are missing, and drops one')
    .option('--apply', 'build the indexes that are missing')
    .option('--drop <name>', 'drop an index, by its name or as <model>.<name>')
    .option('--url <address>', 'the server to ask; without it, the project in the working folder', serverAddress)
    .addOption(new Option('--key <key>', 'the API key of an admin of that server').env('DOSSIER_KEY'))
    .option('--json', 'print the result as JSON')
    .action((flags: Flags) => indexes(flags, terminal));

/** @throws FaultsFound where an index could not be built or dropped */
async function indexes({ apply, drop, url, key, json }: Flags, terminal: Terminal): Promise<void> {
  const { withSender } = await import('../indexes/sender.ts');
  const writes = apply === true || drop !== undefined;
  const begun = new Date();
  const result = await withSender({ url, key, writes, drops: drop !== undefined }, terminal, async (send) => {
    const listed = await send<Listed>('GET');
    if (!writes) return url === undefined ? known(listed, begun) : listed;
    const dropped = drop === undefined ? [] : [await dropNamed(drop, listed.data, send)];
    return { changes: [...dropped, ...(apply === true ? await buildMissing(listed, send, terminal) : [])] };
  });
  const lines = 'changes' in result ? linesOfChanges(result.changes) : linesOf(result);
  for (const line of json === true ? [JSON.stringify(result)] : lines) printLine(terminal.output, line);
  if ('changes' in result && result.changes.some(({ outcome }) => outcome === 'failed')) throw new FaultsFound();
}

/** What is known without a running server: a store that this command has opened counts uses since then alone. */
function known({ data, advice }: Listed, begun: Date): Listed {
  const isOld = (since: string | undefined): boolean => since === undefined || new Date(since) < begun;
  return {
    data: data.map(({ uses, since, ...one }) => ({
      ...one,
      ...(isOld(since) && uses !== undefined ? { uses } : {}),
      ...(isOld(since) && since !== undefined ? { since } : {}),
    })),
    advice: advice.flatMap(({ since, ...one }) => {
      if (isOld(since)) return [{ ...one, ...(since === undefined ? {} : { since }) }];
      return one.reason === 'unused' ? [] : [one];
    }),
  };
}

/** @throws Error for a name that no index has, or several have */
async function dropNamed(given: string, all: readonly StoredIndex[], send: Send): Promise<Change> {
  const found = all.filter(({ model, name }) => name === given || `${model}.${name}` === given);
  const [only, another] = found;
  if (only === undefined) throw new Error(`no index is named ${given}: dossier indexes lists them`);
  const { model, name } = only;
  if (another !== undefined)
    throw new Error(
      `several models have ${given}: name ${found.map((one) => `${one.model}.${one.name}`).join(' or ')}`,
    );
  return (await send<{ readonly data: Change }>('POST', { model, drop: name })).data;
}

/** Builds one after the other; one that fails does not keep the others from being built. */
const buildMissing = ({ advice }: Listed, send: Send, terminal: Terminal): Promise<readonly Change[]> =>
  withProgress(terminal, 'building', async (update) => {
    const { messageOf } = await import('../message.ts');
    const changes: Change[] = [];
    for (const { model, index, reason } of advice) {
      if (reason !== 'missing') continue;
      update(`building ${JSON.stringify(index)} of ${model}`);
      const built = send<{ readonly data: Change }>('POST', { model, index }).then(({ data }) => data);
      changes.push(
        await built.catch((error: unknown) => ({
          ...{ model, index, outcome: 'failed' as const },
          error: messageOf(error).replace(/^error: /, ''),
        })),
      );
    }
    return changes;
  });

const linesOf = ({ data, advice }: Listed): readonly string[] => [
  ...data.map((one) => lineOfIndex(one).join('\t')),
  ...advice.map(lineOfAdvice),
];

/** The columns, between tabs: model, name, paths, whether it is unique, size, and uses since when. */
const lineOfIndex = ({ model, name, key, unique, size, uses, since }: StoredIndex): readonly string[] => [
  ...[model, name, JSON.stringify(key), unique ? 'unique' : ''],
  size === undefined ? '' : `${size} bytes`,
  uses === undefined ? '' : `${uses} uses since ${since ?? 'the start'}`,
];

function lineOfAdvice({ model, index, reason, for: what, name, since }: IndexAdvice): string {
  const when = since === undefined ? '' : ` since ${since}`;
  if (reason === 'missing') return `Missing in ${model}: ${JSON.stringify(index)} for ${what}${when}`;
  if (reason === 'redundant') return `Redundant in ${model}: ${name ?? ''}, with which ${what} begins`;
  return `Unused in ${model}: ${name ?? ''}${when}`;
}

/** The columns, between tabs: model, name, paths, outcome, and why it has failed. */
const linesOfChanges = (changes: readonly Change[]): readonly string[] =>
  changes.length === 0
    ? ['No index is missing']
    : changes.map(({ model, name = '', index, outcome, error }) =>
        [model, name, JSON.stringify(index), outcome, ...(error === undefined ? [] : [error])].join('\t'),
      );
