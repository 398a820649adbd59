/** `dossier user`: adds, lists and deletes users, and sets passwords. */
import type { Command } from 'commander';
import { printLine, type Terminal } from '../terminal.ts';
import type { ShownUser, Users } from '../users.ts';

interface AddFlags {
  readonly name?: string;
  readonly admin?: true;
  readonly group: readonly string[];
  readonly json?: true;
}

interface OtherFlags {
  readonly permanently?: true;
  readonly json?: true;
}

export function userCommand(program: Command, terminal: Terminal): Command {
  const user = program.command('user').description('Adds, lists and deletes users, and sets passwords');
  const json = '--json';
  const asJson = 'print the result as JSON';
  user
    .command('add')
    .description('Adds a user; the password is typed, or the first line of standard input')
    .argument('<email>')
    .option('--name <name>', 'the name')
    .option('--admin', 'an admin')
    .option('--group <name>', 'a group; may be given several times', (name, all: string[]) => [...all, name], [])
    .option(json, asJson)
    .action((email: string, flags: AddFlags) => add(email, flags, terminal));
  user
    .command('list')
    .description('Lists users')
    .option(json, asJson)
    .action((flags: OtherFlags) => list(flags, terminal));
  user
    .command('password')
    .description(
      'Sets the password of a user and ends their sessions; it is typed, or the first line of standard input',
    )
    .argument('<email>')
    .option(json, asJson)
    .action((email: string, flags: OtherFlags) => password(email, flags, terminal));
  user
    .command('delete')
    .description('Deletes a user, who can be restored')
    .argument('<email>')
    .option('--permanently', 'delete the user permanently')
    .option(json, asJson)
    .action((email: string, flags: OtherFlags) => remove(email, flags, terminal));
  return user;
}

async function withUsers<T>(terminal: Terminal, work: (users: Users) => Promise<T>): Promise<T> {
  const [{ withServices }, { Users }] = await Promise.all([import('../services.ts'), import('../users.ts')]);
  return withServices(terminal, (services) => work(new Users(services)));
}

async function passwordFrom(terminal: Terminal): Promise<string> {
  const { readPassword } = await import('../password.ts');
  return readPassword(terminal);
}

async function add(email: string, { name, admin, group, json }: AddFlags, terminal: Terminal): Promise<void> {
  const password = await passwordFrom(terminal);
  const given = { email, password, name, admin: admin === true, groups: group };
  const user = await withUsers(terminal, (users) => users.add(given));
  printLine(terminal.output, json === true ? JSON.stringify(user) : `${user.email} added with the id ${user._id}`);
}

async function list({ json }: OtherFlags, terminal: Terminal): Promise<void> {
  await withUsers(terminal, async (users) => {
    const found: ShownUser[] = [];
    for await (const user of users.list())
      if (json === true) found.push(user);
      else printLine(terminal.output, lineFor(user));
    if (json === true) printLine(terminal.output, JSON.stringify(found));
  });
}

/** The columns of a user, between tabs: id, email, name, and the rights. */
function lineFor({ _id, email, name, admin, groups }: ShownUser): string {
  const rights = [...(admin === true ? ['admin'] : []), ...(Array.isArray(groups) ? (groups as string[]) : [])];
  return [_id, email, typeof name === 'string' ? name : '', rights.join(',')].join('\t');
}

async function password(email: string, flags: OtherFlags, terminal: Terminal): Promise<void> {
  const next = await passwordFrom(terminal);
  await withUsers(terminal, (users) => users.setPassword(email, next));
  printDone(email, 'has a new password; all sessions have ended', flags, terminal);
}

async function remove(email: string, flags: OtherFlags, terminal: Terminal): Promise<void> {
  await withUsers(terminal, (users) => users.remove(email, flags.permanently === true));
  printDone(email, 'is deleted', flags, terminal);
}

const printDone = (email: string, what: string, { json }: OtherFlags, { output }: Terminal): void =>
  printLine(output, json === true ? JSON.stringify({ status: 'ok', email }) : `${email} ${what}`);
