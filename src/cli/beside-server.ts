/**
 * What each command does while a server uses the embedded store of the project, which is open to one process at a time. On MongoDB, and
 * with `dossier store`, commands and servers share the database.
 */
import type { Command } from 'commander';
import { isInUse } from '../database/embedded-store.ts';

/** `copy`: works on a copy of the data, which has every write that was acknowledged before. */
type Beside = 'works' | 'copy' | { readonly instead: string };

const stop = 'stop the server first';
const serverByUrl = 'name it by --url, with an API key by --key or DOSSIER_KEY';
const indexUrl = { instead: `${serverByUrl} of an admin, or ${stop}` };
const asAdmin = (request: string): Beside => ({
  instead: `an admin does it on the page Users of the server's console, or by ${request}; or ${stop}`,
});
const another: Beside = {
  instead: 'stop it first, or set DATA_DIR to another folder; servers share data over "dossier store" or MongoDB',
};

/** By the name of the command, with a flag where that makes a difference. */
export const besideServer: Readonly<Record<string, Beside>> = {
  start: another,
  // which starts the server again when it can
  dev: another,
  check: 'copy',
  init: 'works',
  openapi: 'works',
  types: 'works',
  import: { instead: `${serverByUrl}, or ${stop}` },
  'import --url': 'works',
  export: 'copy',
  backup: 'copy',
  restore: { instead: stop },
  copy: 'copy',
  purge: { instead: `the server removes what is due by itself; --dry-run lists it. To remove it at once, ${stop}` },
  'purge --dry-run': 'copy',
  indexes: 'copy',
  'indexes --apply': indexUrl,
  'indexes --drop': indexUrl,
  'indexes --url': 'works',
  schedules: 'copy',
  jobs: 'copy',
  webhooks: 'copy',
  'user add': asAdmin('POST /api/user'),
  'user list': 'copy',
  'user password': asAdmin('PUT /api/user/{id}'),
  'user delete': asAdmin('DELETE /api/user/{id}'),
  store: { instead: 'stop it first, or name another folder by --data' },
  mcp: { instead: `${serverByUrl}, or ${stop}` },
  'mcp --url': 'works',
};

/** The name of a command in the table: that of its command line, and its first flag that has a row. */
function rowOf(command: Command): Beside | undefined {
  const names: string[] = [];
  for (let at: Command = command; at.parent !== null; at = at.parent) names.unshift(at.name());
  const name = names.join(' ');
  const flags = command.options
    .filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli')
    .map(({ long }) => `${name} ${long ?? ''}`);
  return besideServer[flags.find((flag) => Object.hasOwn(besideServer, flag)) ?? name];
}

/** What to do instead of a command that has failed because another process uses the data; undefined for any other failure. */
export function insteadOf(command: Command | undefined, error: unknown): string | undefined {
  if (command === undefined || !isInUse(error)) return undefined;
  const row = rowOf(command);
  return typeof row === 'object' ? `A server uses the data: ${row.instead}` : undefined;
}
