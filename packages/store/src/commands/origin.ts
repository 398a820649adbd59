/** What `currentOp` reports about a command: its namespace, its client and its text. */
import type { Doc, Value } from 'dossier-language/values';
import { isDoc } from 'dossier-language/values';
import type { Origin } from '../engine/operation.ts';
import type { Client } from './context.ts';
import { commandNamed } from './index.ts';

/** The commands whose first field names no collection, although it may be a string. */
const withoutCollection: ReadonlySet<string> = new Set(['renameCollection', 'hello', 'isMaster', 'ping', 'getLog']);

/** The namespace of a command: that of its collection, or `db.$cmd`. */
function namespaceOf(body: Doc, name: string): string {
  const { $db: db } = body;
  const given = body[name];
  if (name === 'explain' && isDoc(given))
    return namespaceOf({ ...given, $db: db ?? null }, Object.keys(given)[0] ?? '');
  return `${typeof db === 'string' ? db : ''}.${collectionIn(body, name, given)}`;
}

function collectionIn({ collection }: Doc, name: string, given: Value): string {
  if (name === 'getMore') return typeof collection === 'string' ? collection : '$cmd';
  if (typeof given === 'string' && !withoutCollection.has(name)) return given;
  return name === 'aggregate' || name === 'listCollections' ? `$cmd.${name}` : '$cmd';
}

/** The description of a command. Messages of a sign-in are hidden. */
export function originOf(client: Client, body: Doc, name: string): Origin {
  const { payload, speculativeAuthenticate, ...shown } = body;
  return {
    name: commandNamed(name)?.name ?? 'unknown',
    ns: namespaceOf(body, name),
    command: payload === undefined && speculativeAuthenticate === undefined ? body : shown,
    client,
  };
}
