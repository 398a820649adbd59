/** SASL authentication, and the user of a connection. */
import { Binary } from 'bson';
import { StoreError } from 'dossier-language/errors';
import type { Doc, Value } from 'dossier-language/values';
import { isDoc } from 'dossier-language/values';
import { accountDatabase, type Login, type Step } from '../login/login.ts';
import { mechanism } from '../login/scram.ts';
import type { Reply } from '../protocol.ts';
import { docOf, flagOf, neededText } from './arguments.ts';
import type { Command, Context } from './context.ts';

/** A connection has one authentication conversation at a time. */
const conversationId = 1;

function payloadOf({ payload }: Doc): string {
  if (!(payload instanceof Binary))
    throw new StoreError(14, "BSON field 'payload' is the wrong type, expected 'binData'");
  return Buffer.from(payload.value()).toString('utf8');
}

const shown = ({ payload, done }: Step): Doc => ({
  conversationId,
  done,
  payload: new Binary(Buffer.from(payload, 'utf8')),
});

const begin = (login: Login, body: Doc, db: string): Doc =>
  shown(
    login.begin({
      db,
      mechanism: neededText(body, 'mechanism'),
      payload: payloadOf(body),
      skipsEmpty: flagOf(docOf(body, 'options') ?? {}, 'skipEmptyExchange'),
    }),
  );

const saslStart = ({ client, body, db }: Context): Reply => ({ fields: begin(client.login, body, db) });

const saslContinue = ({ client, body }: Context): Reply => ({
  fields: shown(client.login.proceed(payloadOf(body))),
});

/** The name of the user of a connection as sessions have it; empty without authentication. */
export const ownerOf = ({ user }: Login): string => (user === undefined ? '' : `${user}@${accountDatabase}`);

function logout({ client }: Context): Reply {
  client.login.end();
  return { fields: {} };
}

/**
 * The authentication fields of a `hello` reply: the mechanisms, which are the same for every user name, and the reply
 * to a speculative first message. An invalid speculative message gets no reply; the client then sends `saslStart`.
 */
export function loginFields({ client, body }: Context): Doc {
  const { login } = client;
  if (!login.possible) return {};
  return {
    ...(body['saslSupportedMechs'] === undefined ? {} : { saslSupportedMechs: [mechanism] }),
    ...speculation(login, body['speculativeAuthenticate']),
  };
}

function speculation(login: Login, given: Value): Doc {
  if (!isDoc(given) || typeof given['db'] !== 'string') return {};
  try {
    return { speculativeAuthenticate: begin(login, given, given['db']) };
  } catch (error) {
    if (error instanceof StoreError) return {};
    throw error;
  }
}

function connectionStatus({ client }: Context): Reply {
  const { user } = client.login;
  const users = user === undefined ? [] : [{ user, db: accountDatabase }];
  const roles = users.map(({ db }) => ({ role: 'root', db }));
  return {
    fields: {
      authInfo: { authenticatedUsers: users, authenticatedUserRoles: roles, authenticatedUserPrivileges: [] },
    },
  };
}

const other = { kind: 'other', inTransaction: false } as const;

/** The commands of this file. */
export const authenticationCommands: readonly Command[] = [
  {
    ...other,
    name: 'saslStart',
    summary: 'Starts a SASL authentication',
    fields: ['mechanism', 'payload', 'options', 'autoAuthorize'],
    beforeLogin: true,
    run: saslStart,
  },
  {
    ...other,
    name: 'saslContinue',
    summary: 'Continues a SASL authentication',
    fields: ['conversationId', 'payload'],
    beforeLogin: true,
    run: saslContinue,
  },
  { ...other, name: 'logout', summary: 'Signs out', fields: [], run: logout },
  {
    ...other,
    name: 'connectionStatus',
    summary: 'Reports the authenticated user',
    fields: ['showPrivileges'],
    run: connectionStatus,
  },
];
