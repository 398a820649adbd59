/** `dossier schedules`, `dossier jobs` and `dossier webhooks`: lists of what runs by itself, also beside a server that runs. */
import type { Command } from 'commander';
import type { Services } from '../../services.ts';
import { printLine, type Terminal } from '../terminal.ts';

interface Flags {
  readonly json?: true;
  readonly status?: string;
}

interface Schedule {
  readonly name: string;
  readonly cron: string;
  readonly zone: string;
  readonly paused: boolean;
  readonly next: string | null;
  readonly last: { readonly started: string; readonly outcome: string | null; readonly error?: string } | null;
}

interface Job {
  readonly id: string;
  readonly function: string;
  readonly status: string;
  readonly attempts: number;
  readonly at: string;
  readonly error?: string;
}

interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly models: readonly string[];
  readonly active: boolean;
  readonly off_reason: string | null;
  readonly failing_since: string | null;
  readonly deliveries: { readonly pending: number; readonly dead: number };
}

interface Delivery {
  readonly id: string;
  readonly type: string;
  readonly at: string;
  readonly status: string;
  readonly tries: number;
  readonly code: number | null;
  readonly reason?: string;
}

const asJson = ['--json', 'print each one as JSON'] as const;

export const schedulesCommand = (program: Command, terminal: Terminal): Command =>
  program
    .command('schedules')
    .description('Lists the schedules, with their next and their last run')
    .option(...asJson)
    .action(async (flags: Flags) =>
      print(
        await listed<Schedule>(terminal, { operation: 'schedules.list', params: {} }),
        lineOfSchedule,
        flags,
        terminal,
      ),
    );

export const jobsCommand = (program: Command, terminal: Terminal): Command =>
  program
    .command('jobs')
    .description('Lists the newest 100 jobs')
    .option('--status <status>', 'only those that are waiting, running, ok or dead')
    .option(...asJson)
    .action(async (flags: Flags) => {
      const { status } = flags;
      const call = { operation: 'jobs.list', params: {}, parameters: newest(status) };
      print(await listed<Job>(terminal, call), lineOfJob, flags, terminal);
    });

export function webhooksCommand(program: Command, terminal: Terminal): Command {
  const command = program.command('webhooks');
  return command
    .description('Lists the webhooks, or the newest 100 deliveries of one')
    .argument('[id]', 'the webhook whose deliveries are listed')
    .option('--status <status>', 'only deliveries that are pending, ok or dead')
    .option(...asJson)
    .action(async (id: string | undefined, flags: Flags) => {
      const { status } = flags;
      if (id === undefined && status !== undefined)
        command.error('error: --status lists deliveries: name the webhook by its id', { exitCode: 2 });
      if (id === undefined)
        return print(
          await listed<Webhook>(terminal, { operation: 'webhooks.list', params: {}, parameters: newest() }),
          lineOfWebhook,
          flags,
          terminal,
        );
      const call = { operation: 'webhooks.deliveries', params: { id }, parameters: newest(status) };
      print(await listed<Delivery>(terminal, call), lineOfDelivery, flags, terminal);
    });
}

/** The newest 100. */
const newest = (status?: string): NonNullable<Asked['parameters']> => [
  [['limit'], '100'],
  ...(status === undefined ? [] : [[['status'], status] as const]),
];

type Asked = Omit<Parameters<ReturnType<Services['apis']['sender']>['json']>[0], 'repeat'>;

/** What an operation lists for an admin. @throws DossierError of the operation */
async function listed<Row>(terminal: Terminal, asked: Asked): Promise<readonly Row[]> {
  const [{ withServices }, { operator }] = await Promise.all([
    import('../services.ts'),
    import('../../policy/principal.ts'),
  ]);
  const here = { address: 'command line', ip: '127.0.0.1', headers: {}, signal: new AbortController().signal };
  const read = { readsOnly: true };
  return withServices(
    terminal,
    async ({ apis }) => {
      const sender = apis.sender({ ...here, principal: operator });
      return (await sender.json<{ data: readonly Row[] }>({ ...asked, repeat: 'safe' })).data;
    },
    read,
  );
}

function print<Row>(
  rows: readonly Row[],
  lineOf: (row: Row) => readonly string[],
  { json }: Flags,
  { output }: Terminal,
): void {
  for (const row of rows) printLine(output, json === true ? JSON.stringify(row) : lineOf(row).join('\t'));
}

/** The columns, between tabs: name, expression, zone, next run, and how the last one ended. */
const lineOfSchedule = ({ name, cron, zone, paused, next, last }: Schedule): readonly string[] => [
  ...[name, cron, zone, paused ? 'paused' : (next ?? ''), last === null ? '' : last.started],
  ...(last === null ? [] : [last.outcome ?? 'running', ...(last.error === undefined ? [] : [last.error])]),
];

/** The columns: id, function, status, tries, time, and why the last try has failed. */
const lineOfJob = ({ id, function: name, status, attempts, at, error }: Job): readonly string[] => [
  ...[id, name, status, String(attempts), at],
  ...(error === undefined ? [] : [error]),
];

/** The columns: id, whether it is on, models, address, pending and dead deliveries, and why it is off or since when it fails. */
const lineOfWebhook = ({
  id,
  active,
  models,
  url,
  off_reason,
  failing_since,
  deliveries,
}: Webhook): readonly string[] => [
  ...[id, active ? 'on' : 'off', models.join(), url, `${deliveries.pending} pending`, `${deliveries.dead} dead`],
  ...(off_reason === null ? [] : [off_reason]),
  ...(failing_since === null ? [] : [`failing since ${failing_since}`]),
];

/** The columns: id, type, status, tries, time, the status of the answer, and why the last try has failed. */
const lineOfDelivery = ({ id, type, status, tries, at, code, reason }: Delivery): readonly string[] => [
  ...[id, type, status, String(tries), at, code === null ? '' : String(code)],
  ...(reason === undefined ? [] : [reason]),
];
