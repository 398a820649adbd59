/** Backups for admins: `/server/backups`. */
import {
  actorOf,
  adminAccess,
  type Answer,
  type Context,
  json,
  type OperationGroup,
  type PlainOperation,
  recordEvent,
  shapes,
} from '../../core.ts';
import { backupsOf } from './backups.ts';
import { backupBegun } from './events.ts';

const backup = shapes.object(
  { file: shapes.text, at: shapes.date, bytes: shapes.integer, ms: shapes.integer, verified: shapes.flag },
  { error: shapes.text },
);

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
      answers: { 200: shapes.object({ data: shapes.listOf(backup), next: shapes.orNull(shapes.date) }) },
      run: list,
    },
    {
      name: 'server.backup',
      http: { method: 'POST', path: '/server/backups' },
      summary: 'Begins a backup of the embedded store',
      access: adminAccess,
      conflicts: true,
      answers: { 202: shapes.object({ ...shapes.message, file: shapes.text }) },
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
