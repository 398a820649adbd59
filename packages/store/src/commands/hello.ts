/** `hello` and other commands by which a driver identifies the server. */
import { arch, platform, release } from 'node:os';
import type { Timestamp } from 'bson';
import { type Doc, encode } from 'dossier-language/values';
import { maxMessageLength, type Reply } from '../protocol.ts';
import { docOf } from './arguments.ts';
import { loginFields } from './authentication.ts';
import type { Command, Context } from './context.ts';

/** The MongoDB version whose behaviour the store implements. */
export const version = '7.0.0';
const versionArray = [7, 0, 0, 0];
const wireVersion = 21;
const setName = 'embedded';

function hello(context: Context): Reply {
  const { client, store, body } = context;
  const { host } = client;
  client.metadata ??= metadataIn(body);
  const fields: Doc = {
    helloOk: true,
    isWritablePrimary: true,
    ismaster: true,
    secondary: false,
    setName,
    setVersion: 1,
    hosts: [host],
    primary: host,
    me: host,
    maxBsonObjectSize: store.limits.documentBytes,
    maxMessageSizeBytes: maxMessageLength,
    maxWriteBatchSize: 100_000,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: store.limits.sessionMinutes,
    connectionId: client.id,
    minWireVersion: 0,
    maxWireVersion: wireVersion,
    readOnly: store.isReadOnly,
    lastWrite: lastWrite(store),
    ...loginFields(context),
  };
  return { fields };
}

/** The store is the majority of its set: what is on disk. */
function lastWrite({ history }: Context['store']): Doc {
  const [latest, majority] = [history.now, history.visibleNow];
  const dateOf = ({ high }: Timestamp): Date => new Date((high >>> 0) * 1000);
  return {
    opTime: { ts: latest, t: 1n },
    lastWriteDate: dateOf(latest),
    majorityOpTime: { ts: majority, t: 1n },
    majorityWriteDate: dateOf(majority),
  };
}

/** Maximum bytes of a client's description of itself, as in MongoDB; drivers shorten a longer one. */
const maxMetadata = 512;

function metadataIn(body: Doc): Doc | undefined {
  const given = docOf(body, 'client');
  return given !== undefined && encode(given).length <= maxMetadata ? given : undefined;
}

const plain = (fields: () => Doc) => (): Reply => ({ fields: fields() });

const buildInfo = (): Doc => ({
  version,
  versionArray,
  gitVersion: '',
  modules: ['embedded'],
  storageEngines: ['embedded'],
  bits: 64,
  debug: false,
  maxBsonObjectSize: 16 * 1024 * 1024,
});

const hostInfo = (): Doc => ({
  system: { currentTime: new Date() },
  os: { type: platform(), name: release() },
  extra: { architecture: arch() },
});

const other = { kind: 'other', inTransaction: false } as const;

const greeting: Command = {
  ...other,
  name: 'hello',
  summary: 'Describes the server and its limits',
  fields: [
    'helloOk',
    'client',
    'compression',
    'saslSupportedMechs',
    'speculativeAuthenticate',
    'loadBalanced',
    'topologyVersion',
    'maxAwaitTimeMS',
    'backpressure',
  ],
  beforeLogin: true,
  run: hello,
};

/** The commands of this file. */
export const helloCommands: readonly Command[] = [
  greeting,
  { ...greeting, name: 'isMaster', aliases: ['ismaster'], summary: 'The older name of hello' },
  {
    ...other,
    name: 'ping',
    summary: 'Checks that the server responds',
    fields: [],
    beforeLogin: true,
    run: plain(() => ({})),
  },
  {
    ...other,
    name: 'buildInfo',
    aliases: ['buildinfo'],
    summary: 'Reports the version',
    fields: [],
    beforeLogin: true,
    run: plain(buildInfo),
  },
  { ...other, name: 'hostInfo', summary: 'Describes the machine', fields: [], run: plain(hostInfo) },
  {
    ...other,
    name: 'whatsmyuri',
    summary: 'Reports the address of the client',
    fields: [],
    run: ({ client }) => ({ fields: { you: client.address } }),
  },
  {
    ...other,
    name: 'getCmdLineOpts',
    summary: 'Reports how the server was started',
    fields: [],
    run: plain(() => ({ argv: [], parsed: {} })),
  },
  {
    ...other,
    name: 'getLog',
    summary: 'Returns an empty log: the store keeps none',
    fields: [],
    run: plain(() => ({ totalLinesWritten: 0, log: [] })),
  },
  {
    ...other,
    name: 'getParameter',
    summary: 'Reports settings of the server',
    fields: ['featureCompatibilityVersion', 'allParameters'],
    run: plain(() => ({ featureCompatibilityVersion: { version: '7.0' } })),
  },
];
