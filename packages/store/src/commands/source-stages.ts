/** Stages that start a pipeline and read from the store instead of a collection. */
import { hostname } from 'node:os';
import { notSupported, StoreError } from 'dossier-language/errors';
import type { Doc } from 'dossier-language/values';
import { shownSession } from '../engine/sessions.ts';
import type { CollectionUsage } from '../engine/usage.ts';
import { checkFields, countOf, docOf, docsOf, flagOf } from './arguments.ts';
import { ownerOf } from './authentication.ts';
import type { Context } from './context.ts';
import { describeOperation, operationsOf } from './operations.ts';
import { storageStats } from './stats.ts';

type SourceStage = (context: Context, collection: string, options: Doc) => readonly Doc[];

const collStatsFields: ReadonlySet<string> = new Set([
  'latencyStats',
  'storageStats',
  'count',
  'queryExecStats',
  'operationStats',
]);
const storageFields: ReadonlySet<string> = new Set(['scale', 'verbose', 'waitForLock', 'numericOnly']);
const latencyFields: ReadonlySet<string> = new Set(['histograms']);

/** An option of `$collStats`, with its own options checked. */
function statsOption(options: Doc, name: string, known: ReadonlySet<string>): Doc | undefined {
  const option = docOf(options, name);
  if (option !== undefined) checkFields(option, known, `$collStats.${name}`);
  return option;
}

const collStats: SourceStage = ({ view, db, engine }, name, options) => {
  checkFields(options, collStatsFields, '$collStats');
  for (const refused of ['queryExecStats', 'operationStats'])
    if (refused in options) throw notSupported(`the option '${refused}' of $collStats`);
  const collection = view.find(db, name);
  const ns = `${db}.${name}`;
  const latency = statsOption(options, 'latencyStats', latencyFields);
  if (latency !== undefined && flagOf(latency, 'histograms'))
    throw notSupported("the option 'histograms' of $collStats");
  const storage = statsOption(options, 'storageStats', storageFields);
  const count = statsOption(options, 'count', new Set());
  if (collection === undefined && count !== undefined) throw new StoreError(26, `Collection [${ns}] not found.`);
  return [
    {
      ns,
      host: hostname(),
      localTime: new Date(),
      ...(latency ? { latencyStats: latencyStats(engine.usage.of(ns)) } : {}),
      ...(storage ? { storageStats: storageStats(collection, countOf(storage, 'scale', 1) || 1) } : {}),
      ...(count ? { count: collection?.size ?? 0 } : {}),
    },
  ];
};

/** The number of commands on a collection since the start, and their time in microseconds. */
const latencyStats = ({ byAccess }: CollectionUsage): Doc =>
  Object.fromEntries(
    Object.entries({ ...byAccess, transactions: { count: 0, time: 0 } }).map(
      ([kind, { count, time }]): [string, Doc] => [kind, { latency: BigInt(time), ops: BigInt(count) }],
    ),
  );

const indexStats: SourceStage = ({ view, db }, name) =>
  (view.find(db, name)?.trees ?? []).map((tree) => ({
    name: tree.spec.name,
    key: tree.spec.key,
    host: hostname(),
    accesses: { ops: BigInt(tree.uses.count), since: new Date(tree.uses.since) },
    spec: tree.spec.shown,
  }));

/** The options of `$currentOp`; true for those that ask for more than running commands, which the store does not show. */
const currentOpOptions: ReadonlyMap<string, boolean> = new Map([
  ['allUsers', false],
  ['idleConnections', true],
  ['idleCursors', true],
  ['idleSessions', true],
  ['localOps', false],
  ['truncateOps', false],
  ['backtrace', true],
  ['targetAllNodes', true],
]);

const currentOp: SourceStage = (context, _name, options) => {
  checkFields(options, new Set(currentOpOptions.keys()), '$currentOp');
  for (const [name, asksForMore] of currentOpOptions)
    if (flagOf(options, name) && asksForMore) throw notSupported(`the option '${name}' of $currentOp`);
  const { client } = context;
  const isShort = flagOf(options, 'truncateOps');
  return operationsOf(context, false).map((operation) => describeOperation(operation, { isShort, client }));
};

const sessionFields: ReadonlySet<string> = new Set(['allUsers', 'users']);

/** The sessions of this process. All of them belong to the store's account. */
const listLocalSessions: SourceStage = ({ engine, client }, _name, options) => {
  checkFields(options, sessionFields, '$listLocalSessions');
  if (flagOf(options, 'allUsers') && options['users'] !== undefined)
    throw new StoreError(9, '$listLocalSessions may not specify {allUsers:true} and {users:[...]} at the same time');
  const owner = ownerOf(client.login);
  const users = docsOf(options, 'users');
  if (users?.every(({ user, db }) => `${String(user)}@${String(db)}` !== owner) === true) return [];
  return engine.sessions.all.map((session) => ({
    _id: shownSession(session, owner),
    lastUse: new Date(session.usedAt),
    ...(owner === '' ? {} : { user: owner }),
  }));
};

/** Source stages by name. */
export const sourceStages: ReadonlyMap<string, SourceStage> = new Map([
  ['$collStats', collStats],
  ['$indexStats', indexStats],
  ['$currentOp', currentOp],
  ['$listLocalSessions', listLocalSessions],
]);
