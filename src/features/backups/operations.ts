/** Backups for admins: `/server/backups`. */
import { recordEvent } from '../../auth/events/record-event.ts';
import type { Context } from '../../context.ts';
import { date, flag, integer, listOf, message, object, orNull, text } from '../../docs/openapi/shapes.ts';
import { type Answer, json } from '../../operations/answer.ts';
import { adminAccess, type OperationGroup, type PlainOperation } from '../../operations/operation.ts';
import { actorOf } from '../../operations/session-client.ts';
import { backupsOf } from './backups.ts';
import { backupBegun } from './events.ts';

const backup = object({ file: text, at: date, bytes: integer, ms: integer, verified: flag }, { error: text });

export const backupOperations: OperationGroup = {
  title: 'Backups',
  after: 'Server',
  secret: true,
  operations: [
    {
      name: 'server.backups',
      http: { method: 'GET', path: '/server/backups' },
      summary: 'Lists the backups that servers have made, the newest first',
      access: adminAccess,
      answers: { 200: object({ data: listOf(backup), next: orNull(date) }) },
      run: list,
    },
    {
      name: 'server.backup',
      http: { method: 'POST', path: '/server/backups' },
      summary: 'Begins a backup of the embedded store',
      access: adminAccess,
      conflicts: true,
      answers: { 202: object({ ...message, file: text }) },
      run: make,
    },
  ] satisfies readonly PlainOperation[],
};

async function list({ services }: Context): Promise<Answer> {
  const backups = services.of(backupsOf);
  const [data, next] = await Promise.all([backups.list(), backups.nextTime()]);
  return json({ data, next: next === undefined ? null : new Date(next).toISOString() });
}

async function make(context: Context): Promise<Answer> {
  const record = (whom: string): Promise<true> =>
    recordEvent(context, { what: backupBegun, whom, by: actorOf(context) }, () => Promise.resolve(true));
  const file = await context.services.of(backupsOf).make(record);
  return json({ status: 'ok', message: `${file} is being made`, file }, 202);
}
