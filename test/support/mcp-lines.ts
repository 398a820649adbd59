/** Messages of MCP as a program writes them to standard input, and the answers as it reads them. */
import { currentRevision } from './mcp.ts';

export const filmModel = `const { Schema } = require('mongoose');
module.exports = new Schema({ title: String, cost: { type: Number, perms: { admin: 'cru' } } }, { perms: { admin: 'crud', user: 'cr', all: 'r' } });`;

export const call = (id: number, name: string, given: object = {}): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: given },
});
export const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
export const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
/** The same as a client of the current revision sends it. */
export const current = (message: object): object => {
  const { params = {}, ...rest } = message as { params?: object };
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': currentRevision,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return { ...rest, params: { ...params, _meta } };
};
export const linesOf = (messages: readonly unknown[]): string =>
  messages.map((one) => `${typeof one === 'string' ? one : JSON.stringify(one)}\n`).join('');

/** The answers by their ids. */
export const answersIn = (output: string): ReadonlyMap<unknown, any> =>
  new Map(
    output
      .trim()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const answer = JSON.parse(line) as { id?: unknown };
        return [answer.id, answer];
      }),
  );
