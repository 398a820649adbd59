/** `currentOp` and `killOp`: running commands. */
import { StoreError } from 'dossier-language/errors';
import type { Doc } from 'dossier-language/values';
import { toDouble } from 'dossier-language/values';
import type { Operation } from '../engine/operation.ts';
import type { Reply } from '../protocol.ts';
import type { Command, Context } from './context.ts';

/** An operation as `currentOp` reports it. */
export const describeOperation = (operation: Operation): Doc => ({
  type: 'op',
  active: true,
  opid: operation.id,
  op: 'command',
  ns: operation.ns,
  command: { [operation.name]: 1 },
  microsecs_running: BigInt(Date.now() - operation.startedAt) * 1000n,
  secs_running: Math.floor((Date.now() - operation.startedAt) / 1000),
});

const currentOp = ({ engine }: Context): Reply => ({ fields: { inprog: engine.operations.map(describeOperation) } });

function killOp({ engine, body }: Context): Reply {
  const id = toDouble(body['op']);
  if (id === undefined) throw new StoreError(40414, "BSON field 'killOp.op' is missing but a required field");
  engine.kill(id);
  return { fields: { info: 'attempting to kill op' } };
}

/** The commands of this file. */
export const operationCommands: readonly Command[] = [
  {
    name: 'currentOp',
    summary: 'Lists the running commands',
    fields: ['$all', '$ownOps'],
    kind: 'other',
    run: currentOp,
  },
  { name: 'killOp', summary: 'Interrupts a command', fields: ['op'], kind: 'other', run: killOp },
];
