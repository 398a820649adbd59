/** `dossier user`: adds, lists and deletes users, and sets passwords. */
import type { Command } from 'commander';
import { printLine, type Terminal } from '../terminal.ts';
import type { UserAnswer, Users } from '../users.ts';

interface AddFlags {
  readonly email?: string;
  readonly name?: string;
  readonly admin?: true;
  readonly group: readonly string[];
  readonly json?: true;
}

interface OtherFlags {
  readonly permanently?: true;
  readonly json?: true;
}

const loginHelp = 'the email, or what the field of LOGIN_FIELD has';

export function userCommand(program: Command, terminal: Terminal): Command {
  const user = program.command('user').description('Adds, lists and deletes users, and sets passwords');
  const json = '--json';
  const asJson = 'print the result as JSON';
  user
    .command('add')
    .description('Adds a user; the password is typed, or the first line of standard input')
    .argument('<email>', loginHelp)
    .option('--email <email>', 'the email, where users sign in by another field')
    .option('--name <name>', 'the name')
    .option('--admin', 'an admin')
    .option('--group <name>', 'a group; may be given several times', (name, all: string[]) => [...all, name], [])
    .option(json, asJson)
    .action((login: string, flags: AddFlags) => add(login, flags, terminal));
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
    .argument('<email>', loginHelp)
    .option(json, asJson)
    .action((login: string, flags: OtherFlags) => password(login, flags, terminal));
  user
    .command('delete')
    .description('Deletes a user, who can be restored')
    .argument('<email>', loginHelp)
    .option('--permanently', 'delete the user permanently')
    .option(json, asJson)
    .action((login: string, flags: OtherFlags) => remove(login, flags, terminal));
  return user;
}

async function withUsers<T>(
  terminal: Terminal,
  work: (users: Users) => Promise<T>,
  use: { readonly readsOnly?: boolean } = {},
): Promise<T> {
  const [{ withServices }, { Users }] = await Promise.all([import('../services.ts'), import('../users.ts')]);
  return withServices(terminal, (services) => work(new Users(services)), use);
}

async function passwordFrom(terminal: Terminal): Promise<string> {
  const { readPassword } = await import('../users.ts');
  return readPassword(terminal);
}

async function add(login: string, { email, name, admin, group, json }: AddFlags, terminal: Terminal): Promise<void> {
  const password = await passwordFrom(terminal);
  const given = { login, email, password, name, admin: admin === true, groups: group };
  await withUsers(terminal, async (users) => {
    const user = await users.add(given);
    const text = `${String(user[users.loginField])} added with the id ${user._id}`;
    printLine(terminal.output, json === true ? JSON.stringify(user) : text);
  });
}

async function list({ json }: OtherFlags, terminal: Terminal): Promise<void> {
  const print = async (users: Users): Promise<void> => {
    const found: UserAnswer[] = [];
    for await (const user of users.list())
      if (json === true) found.push(user);
      else printLine(terminal.output, lineFor(user, users.loginField));
    if (json === true) printLine(terminal.output, JSON.stringify(found));
  };
  await withUsers(terminal, print, { readsOnly: true });
}

/** The columns of a user, between tabs: id, what signs in, name, and the rights. */
function lineFor(user: UserAnswer, loginField: string): string {
  const { _id, name, admin, groups, [loginField]: login } = user;
  const rights = [...(admin === true ? ['admin'] : []), ...(Array.isArray(groups) ? (groups as string[]) : [])];
  return [_id, String(login), typeof name === 'string' ? name : '', rights.join(',')].join('\t');
}

async function password(login: string, flags: OtherFlags, terminal: Terminal): Promise<void> {
  const next = await passwordFrom(terminal);
  const field = await withUsers(terminal, async (users) => {
    await users.setPassword(login, next);
    return users.loginField;
  });
  printDone({ [field]: login }, 'has a new password; all sessions have ended', flags, terminal);
}

async function remove(login: string, flags: OtherFlags, terminal: Terminal): Promise<void> {
  const field = await withUsers(terminal, async (users) => {
    await users.remove(login, flags.permanently === true);
    return users.loginField;
  });
  printDone({ [field]: login }, 'is deleted', flags, terminal);
}

/** @param whom what the user signs in with, by the name of the field */
const printDone = (
  whom: Readonly<Record<string, string>>,
  what: string,
  { json }: OtherFlags,
  { output }: Terminal,
): void =>
  printLine(
    output,
    json === true ? JSON.stringify({ status: 'ok', ...whom }) : `${Object.values(whom).join()} ${what}`,
  );
