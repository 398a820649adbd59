/** The banner: the lines that a server prints for its operator when it listens. */
import { withoutBackground } from '../operations/health.ts';
import type { OperationGroup } from '../operations/operation.ts';
import { changeFeed, consolePath, requiredSetupToken } from '../ports/core.ts';
import type { Services } from '../services.ts';
import type { Settings } from '../settings/types.ts';
import type { Storage } from './storage.ts';

type BannerServices = Pick<Services, 'of' | 'registry' | 'isReplicaSet' | 'settings'>;

const conjunction = new Intl.ListFormat('en-GB');

/** What a database without transactions cannot do. */
function withoutTransactions({ groups, incomplete }: Pick<Begun, 'groups' | 'incomplete'>): string {
  const unable = groups
    .flatMap(({ operations }) => operations)
    .filter(({ failures }) => failures?.includes(501))
    .map(({ http }) => `${http.method} ${http.path}`);
  const refused =
    unable.length === 0 ? '' : `${unable.join(', ')} answers 501 unless its body has "atomic": false, and `;
  return `Transactions: this database has none, so ${refused}a crash can leave ${conjunction.format(['cascades', ...incomplete])} incomplete`;
}

interface Begun extends Pick<Storage, 'database' | 'moved'> {
  /** Where the server listens. */
  readonly url: string;
  readonly groups: readonly OperationGroup[];
  /** What features have that a crash can leave incomplete where the database has no transactions. */
  readonly incomplete: readonly string[];
  /** Whether there is no user yet. */
  readonly setupNeeded: boolean;
}

export function bannerOf(
  { url, setupNeeded, database, moved, ...begun }: Begun,
  { of, registry, isReplicaSet, settings }: BannerServices,
): string[] {
  const [path, setupToken] = [of(consolePath), of(requiredSetupToken)];
  return [
    `Dossier listens on ${url}`,
    `Database: ${database}`,
    `Models: ${registry.served.map(({ name }) => name).join(', ')}`,
    ...(path === undefined ? [] : [`Console: ${url}${path}`]),
    ...(setupNeeded
      ? [
          `There is no admin yet: create the first one ${path === undefined ? '' : 'in the console, or '}by POST ${url}/setup`,
        ]
      : []),
    ...(of(changeFeed).shared
      ? []
      : ['Realtime: this database has no change streams, so each server reports only its own writes']),
    ...(isReplicaSet ? [] : [withoutTransactions(begun)]),
    ...(setupToken === undefined
      ? []
      : [`POST /setup requires the header x-setup-token: ${shown(setupToken, settings)}`]),
    ...(settings.background ? [] : [withoutBackground]),
    ...moved,
  ];
}

/** The setup token for the banner; one that the operator has set is not printed. */
const shown = (token: string, { setup_token }: Settings): string => (setup_token === undefined ? token : 'SETUP_TOKEN');
