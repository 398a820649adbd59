/**
 * A replica set of two members for the driver: two proxies in front of one store. The second one presents itself as a secondary, so that what
 * is sent to it can be observed. It is never behind.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { BSON } from '../../src/models/object-id.ts';

export interface Member {
  readonly host: string;
  /** The commands on collections that it has received, as `find films`. */
  readonly commands: string[];
  close(): Promise<void>;
}

/** @param url of a store that listens on a socket file @returns the primary and the secondary */
export async function twoMembers(url: string): Promise<readonly [Member, Member]> {
  const path = decodeURIComponent(/^mongodb:\/\/([^/]+)\//.exec(url)?.[1] ?? '');
  const hosts: string[] = [];
  const [primary, secondary] = [await memberOf(path, hosts, false), await memberOf(path, hosts, true)];
  return [primary, secondary];
}

/** @param hosts of the set, to which this one is added */
async function memberOf(path: string, hosts: string[], secondary: boolean): Promise<Member> {
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((client) => {
    const store = connect(path);
    for (const socket of [client, store]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => [client, store].forEach((one) => one.destroy()));
    }
    client.on(
      'data',
      messages((message) => {
        noteCommand(message, commands);
        store.write(message);
      }),
    );
    store.on(
      'data',
      messages((message) => client.write(presented(message, { hosts, host, secondary }))),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  hosts.push(host);
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return { host, commands, close };
}

/** Splits what arrives into messages of the wire protocol, whose length comes first. */
function messages(take: (message: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 4 && rest.length >= rest.readInt32LE(0)) {
      const length = rest.readInt32LE(0);
      take(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  };
}

/** Where the document begins in a message: OP_MSG with one section, or the reply to a legacy query. */
const bodyAt: Readonly<Record<number, number>> = { 2013: 21, 1: 36 };

function noteCommand(message: Buffer, commands: string[]): void {
  const at = bodyAt[message.readInt32LE(12)];
  if (at !== 21) return;
  const [name = '', collection] =
    Object.entries(BSON.deserialize(message.subarray(at, at + message.readInt32LE(at))))[0] ?? [];
  if (typeof collection === 'string') commands.push(`${name} ${collection}`);
}

/** A reply, in which `hello` presents this member. */
function presented(
  message: Buffer,
  { hosts, host, secondary }: { readonly hosts: readonly string[]; readonly host: string; readonly secondary: boolean },
): Buffer {
  const at = bodyAt[message.readInt32LE(12)];
  if (at === undefined) return message;
  const end = at + message.readInt32LE(at);
  const body = BSON.deserialize(message.subarray(at, end), { promoteValues: false });
  if (!('setName' in body)) return message;
  const role = { isWritablePrimary: !secondary, ismaster: !secondary, secondary };
  const reply = BSON.serialize({ ...body, ...role, hosts, primary: hosts[0], me: host });
  const whole = Buffer.concat([message.subarray(0, at), reply, message.subarray(end)]);
  whole.writeInt32LE(whole.length, 0);
  return whole;
}
