/** `listDatabases`, `dbStats`, `collStats` and `serverStatus`. */
import { hostname } from 'node:os';
import { compileFilter } from 'dossier-language/query';
import type { Doc, Value } from 'dossier-language/values';
import type { Collection } from '../engine/collection.ts';
import type { Reply } from '../protocol.ts';
import { collectionOf, countOf, docOf, flagOf } from './arguments.ts';
import type { Command, Context } from './context.ts';
import { version } from './hello.ts';
import { existingOf } from './query-context.ts';

const sum = (collections: readonly Collection[], of: (collection: Collection) => number): number =>
  collections.reduce((total, collection) => total + of(collection), 0);

const indexBytes = (collection: Collection): number =>
  collection.trees.reduce((total, tree) => total + tree.size * keyBytes, 0);

/** Estimated bytes of a key in an index. */
const keyBytes = 64;

function listDatabases({ body, store }: Context): Reply {
  const matcher = compileFilter(docOf(body, 'filter') ?? {});
  const described = store.catalog.databases.map((name): Doc => {
    const collections = store.catalog.collections(name);
    const size = sum(collections, ({ bytes }) => bytes);
    return { name, sizeOnDisk: size, empty: size === 0 };
  });
  const databases = described.filter((doc) => matcher.matches(doc));
  if (flagOf(body, 'nameOnly')) return { fields: { databases: databases.map(({ name }): Doc => ({ name })) } };
  return { fields: { databases, totalSize: sum(store.catalog.all, ({ bytes }) => bytes) } };
}

function dbStats({ body, db, store }: Context): Reply {
  const scale = countOf(body, 'scale', 1) || 1;
  const collections = store.catalog.collections(db);
  const objects = sum(collections, ({ size }) => size);
  const bytes = sum(collections, (collection) => collection.bytes);
  const indexSize = sum(collections, indexBytes);
  const disk = store.diskSize;
  return {
    fields: {
      db,
      collections: collections.length,
      views: store.catalog.views(db).length,
      objects,
      avgObjSize: objects === 0 ? 0 : bytes / objects,
      dataSize: bytes / scale,
      storageSize: bytes / scale,
      indexes: sum(collections, ({ indexes }) => indexes.length),
      indexSize: indexSize / scale,
      totalSize: (bytes + indexSize) / scale,
      scaleFactor: scale,
      ...(disk && { fsUsedSize: (disk.total - disk.free) / scale, fsTotalSize: disk.total / scale }),
    },
  };
}

/** The statistics of `collStats` and the stage `$collStats`; a missing collection is empty. */
export function storageStats(collection: Collection | undefined, scale: number): Doc {
  const count = collection?.size ?? 0;
  const cap = collection?.options.cap;
  const bytes = collection?.bytes ?? 0;
  const sizes: Record<string, Value> = {};
  for (const tree of collection?.trees ?? []) sizes[tree.spec.name] = (tree.size * keyBytes) / scale;
  const indexSize = collection ? indexBytes(collection) : 0;
  return {
    size: bytes / scale,
    count,
    avgObjSize: count === 0 ? 0 : bytes / count,
    numOrphanDocs: 0,
    storageSize: bytes / scale,
    freeStorageSize: 0,
    capped: cap !== undefined,
    ...(cap ? { max: cap.documents, maxSize: cap.bytes / scale } : {}),
    nindexes: collection?.indexes.length ?? 0,
    indexDetails: {},
    indexBuilds: [],
    totalIndexSize: indexSize / scale,
    totalSize: (bytes + indexSize) / scale,
    indexSizes: sizes,
    scaleFactor: scale,
  };
}

function collStats(context: Context): Reply {
  const { body, db } = context;
  const name = collectionOf(context);
  return {
    fields: { ns: `${db}.${name}`, ...storageStats(existingOf(context, name), countOf(body, 'scale', 1) || 1) },
  };
}

function serverStatus({ engine, store, client }: Context): Reply {
  const memory = process.memoryUsage();
  const megabyte = 1024 * 1024;
  const counts: Record<string, Value> = {};
  for (const [name, total] of engine.counts) counts[name] = { total, failed: 0 };
  return {
    fields: {
      host: hostname(),
      version,
      process: 'embedded',
      pid: process.pid,
      uptime: (Date.now() - store.startedAt) / 1000,
      localTime: new Date(),
      connections: { current: engine.connections, available: store.limits.connections - engine.connections },
      mem: { bits: 64, resident: Math.round(memory.rss / megabyte), virtual: Math.round(memory.rss / megabyte) },
      metrics: { commands: counts, cursor: { open: { total: engine.cursors.size } } },
      logicalSessionRecordCache: { activeSessionsCount: engine.sessions.size },
      storageEngine: { name: 'embedded', supportsCommittedReads: true, persistent: true },
      repl: { setName: 'embedded', isWritablePrimary: true, hosts: [client.host], me: client.host },
    },
  };
}

/** The commands of this file. */
export const statsCommands: readonly Command[] = [
  {
    name: 'listDatabases',
    summary: 'Lists the databases',
    fields: ['filter', 'nameOnly', 'authorizedDatabases'],
    kind: 'read',
    run: listDatabases,
  },
  {
    name: 'dbStats',
    aliases: ['dbstats'],
    summary: 'Reports the size of a database',
    fields: ['scale', 'freeStorage'],
    kind: 'read',
    run: dbStats,
  },
  {
    name: 'collStats',
    aliases: ['collstats'],
    summary: 'Reports the size of a collection',
    fields: ['scale', 'verbose'],
    kind: 'read',
    run: collStats,
  },
  {
    name: 'serverStatus',
    summary: 'Reports the state of the server',
    fields: ['repl', 'metrics', 'locks', 'mem', 'opLatencies', 'wiredTiger', 'tcmalloc', 'asserts'],
    kind: 'read',
    run: serverStatus,
  },
];
