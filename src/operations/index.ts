/** All operations, in the order of the specification. */
import { mergeRows } from '../merge-rows.ts';
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
import { secondFactor } from './second-factor.ts';
import { sessions } from './sessions.ts';
import { setup } from './setup.ts';
import { signUp } from './sign-up.ts';
import { type Described, interceptorsOf, type OperationSource } from './source.ts';

const others: readonly OperationGroup[] = [
  queries,
  models,
  signUp,
  login,
  me,
  sessions,
  passwords,
  secondFactor,
  userGroups,
  setup,
  health,
];

/**
 * All operations, those of the core and of others, in the order of the documentation.
 * @param settings those that a server with these operations has
 */
export function operationGroupsWith(
  sources: readonly OperationSource[],
  settings: readonly SettingRow[],
): readonly OperationGroup[] {
  const described: Described = {
    groups: () => groups.filter(isDescribed),
    interceptors: interceptorsOf(sources),
    settings,
    accountEvents: sources.flatMap(({ accountEvents = [] }) => accountEvents),
  };
  const core: readonly OperationGroup[] = [documents, ...others, description(described)];
  const added = sources.flatMap(({ operations = [] }) =>
    typeof operations === 'function' ? operations(described) : operations,
  );
  const rows = added.map((group) => ({ after: group.after, rows: [group] }));
  const groups: readonly OperationGroup[] = mergeRows(core, rows, ({ title }) => title);
  return groups;
}
