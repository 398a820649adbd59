/** Commands that describe the server for tools: `replSetGetStatus`, `top`, `profile`, and which commands there are. */
import { notSupported, StoreError } from 'dossier-language/errors';
import { type Doc, toDouble } from 'dossier-language/values';
import type { Used } from '../engine/usage.ts';
import type { Reply } from '../protocol.ts';
import type { Command, Context } from './context.ts';
import { stableCommands } from './stable-api.ts';

const setName = 'embedded';

/** The state of a replica set with the store as its only member. */
function replSetGetStatus({ store, client }: Context): Reply {
  const now = new Date();
  const time = { ts: store.history.now, t: 1n };
  const uptime = Math.floor((now.getTime() - store.startedAt) / 1000);
  const member: Doc = {
    _id: 0,
    name: client.host,
    health: 1,
    state: 1,
    stateStr: 'PRIMARY',
    uptime,
    optime: time,
    optimeDate: now,
    configVersion: 1,
    configTerm: 1,
    self: true,
    lastHeartbeatMessage: '',
  };
  return {
    fields: {
      set: setName,
      date: now,
      myState: 1,
      term: 1n,
      syncSourceHost: '',
      syncSourceId: -1,
      heartbeatIntervalMillis: 2000n,
      majorityVoteCount: 1,
      writeMajorityCount: 1,
      votingMembersCount: 1,
      writableVotingMembersCount: 1,
      optimes: { lastCommittedOpTime: time, readConcernMajorityOpTime: time, appliedOpTime: time, durableOpTime: time },
      members: [member],
    },
  };
}

const usedShown = ({ time, count }: Used): Doc => ({ time, count });

const joined = (...parts: readonly Used[]): Used => ({
  count: parts.reduce((total, { count }) => total + count, 0),
  time: parts.reduce((total, { time }) => total + time, 0),
});

/** The commands on each collection since the start, with their time in microseconds. */
function top({ store, engine, db }: Context): Reply {
  checkAdmin(db, 'top');
  const totals = store.catalog.all.map(({ ns }): readonly [string, Doc] => {
    const { byKind, byAccess } = engine.usage.of(ns);
    const shown = Object.entries(byKind).map(([kind, used]): readonly [string, Doc] => [kind, usedShown(used)]);
    return [
      ns,
      {
        total: usedShown(joined(byAccess.reads, byAccess.writes, byAccess.commands)),
        readLock: usedShown(byAccess.reads),
        writeLock: usedShown(joined(byAccess.writes, byAccess.commands)),
        ...Object.fromEntries(shown),
      },
    ];
  });
  return { fields: { totals: { note: 'all times in microseconds', ...Object.fromEntries(totals) } } };
}

function checkAdmin(db: string, name: string): void {
  if (db !== 'admin') throw new StoreError(13, `${name} may only be run against the admin database.`);
}

/** The threshold of slow operations in milliseconds that MongoDB reports by default. */
const slowMs = 100;

/** The profiler is always off: its level can be read, and set to 0. */
function profile({ body }: Context): Reply {
  const level = toDouble(body['profile']);
  if (level === undefined) throw new StoreError(14, "BSON field 'profile.profile' is the wrong type, expected 'int'");
  if (level === 1 || level === 2) throw notSupported(`the profiler ('profile' of ${level})`);
  return { fields: { was: 0, slowms: slowMs, sampleRate: 1 } };
}

const defaultConcerns = (): Reply => ({
  fields: {
    defaultReadConcern: { level: 'local' },
    defaultWriteConcern: { w: 'majority', wtimeout: 0 },
    defaultWriteConcernSource: 'implicit',
    defaultReadConcernSource: 'implicit',
    localUpdateWallClockTime: new Date(),
  },
});

/** Lists commands. @param all the command table */
const listCommands = (all: readonly Command[]): Reply => ({
  fields: {
    commands: Object.fromEntries(
      all.map(({ name, summary, beforeLogin }): readonly [string, Doc] => [
        name,
        {
          help: summary,
          requiresAuth: beforeLogin !== true,
          secondaryOk: true,
          adminOnly: false,
          apiVersions: stableCommands.has(name) ? ['1'] : [],
          deprecatedApiVersions: [],
        },
      ]),
    ),
  },
});

/** The commands of this file. @param all the whole command table */
export const serverStateCommands = (all: () => readonly Command[]): readonly Command[] => [
  {
    name: 'replSetGetStatus',
    summary: 'Describes the store as the only member of a replica set',
    fields: ['initialSync'],
    kind: 'read',
    run: replSetGetStatus,
  },
  { name: 'top', summary: 'Reports the use of each collection', fields: [], kind: 'read', run: top },
  {
    name: 'profile',
    summary: 'Reports that the profiler is off',
    fields: ['slowms', 'sampleRate', 'filter'],
    kind: 'read',
    run: profile,
  },
  {
    name: 'getDefaultRWConcern',
    summary: 'Reports the default read and write concerns',
    fields: ['inMemory'],
    kind: 'read',
    run: defaultConcerns,
  },
  {
    name: 'listCommands',
    summary: 'Lists the commands',
    fields: [],
    kind: 'read',
    run: () => listCommands(all()),
  },
];
