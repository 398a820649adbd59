/** All operations, in the order of the specification. */
import { listedOptions } from '../models/options/options.ts';
import { mergeRows } from '../settings/merge-rows.ts';
import type { SettingRow } from '../settings/row.ts';
import { documents } from './documents.ts';
import { userGroups } from './groups.ts';
import { health } from './health.ts';
import { login } from './login.ts';
import { me } from './me.ts';
import { models } from './model.ts';
import { description } from './openapi.ts';
import { isDescribed, type OperationGroup } from './operation.ts';
import { passwords } from './passwords.ts';
import { queries } from './query.ts';
import { sessions } from './sessions.ts';
import { setup } from './setup.ts';
import { interceptorsOf, type OperationSource, type ServerDescription } from './source.ts';

const others: readonly OperationGroup[] = [queries, models, login, me, sessions, passwords, userGroups, setup, health];

/**
 * All operations, those of the core and of others, in the order of the documentation.
 * @param settings those that a server with these operations has
 */
export function operationGroupsWith(
  sources: readonly OperationSource[],
  settings: readonly SettingRow[],
): readonly OperationGroup[] {
  const described: ServerDescription = {
    groups: () => groups.filter(isDescribed),
    interceptors: interceptorsOf(sources),
    settings,
    options: listedOptions(sources.flatMap(({ modelOptions = [] }) => modelOptions)),
    accountEvents: sources.flatMap(({ accountEvents = [] }) => accountEvents),
  };
  const core: readonly OperationGroup[] = [documents, ...others, description(described)];
  const added = sources.flatMap(({ operations = [] }) =>
    typeof operations === 'function' ? operations(described) : operations,
  );
  const whole = core.map((group) => withAdded(group, added));
  const rows = added
    .filter(({ after }) => !isInside(after, core))
    .map((group) => ({ after: group.after, rows: [group] }));
  const groups: readonly OperationGroup[] = mergeRows(whole, rows, ({ title }) => title);
  return groups;
}

/** Whether what is added follows an operation, and so is a part of its group. */
const isInside = (after: string | undefined, groups: readonly OperationGroup[]): boolean =>
  groups.some(({ operations }) => operations.some(({ name }) => name === after));

function withAdded(group: OperationGroup, added: readonly OperationGroup[]): OperationGroup {
  const own = added.filter(({ after }) => isInside(after, [group]));
  const rows = own.map(({ after, operations }) => ({ after, rows: operations }));
  return { ...group, operations: mergeRows(group.operations, rows, ({ name }) => name) };
}
