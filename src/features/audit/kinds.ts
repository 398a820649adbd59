/** The kinds of events in the audit log. `whom` is the user or document concerned. */
import type { AccountEvent, AccountEventKind, EventName } from '../../auth/events/contract.ts';
import type { AddedEvent, DocumentOperation } from '../../core.ts';
import { mergeRows } from '../../settings/merge-rows.ts';

/** Failed logins, and what the log finds in writes. */
type AuditKind =
  | 'login.failed'
  | 'admin.granted'
  | 'admin.revoked'
  | 'groups.changed'
  | 'password.changed'
  | 'email.changed'
  | 'document.removed'
  | `document.${DocumentOperation}`;

/** An event of the audit log (docs/audit.md). */
export interface AuditRecord extends Omit<AccountEvent, 'what'> {
  readonly what: CoreKind | EventName;
  /** Id of the user or document concerned. */
  readonly whom?: unknown;
  /** The id of the document, for models with `audit: true`. */
  readonly document?: unknown;
  /** The paths of it that have changed. */
  readonly paths?: readonly string[];
}

type CoreKind = AccountEventKind | AuditKind;

interface Kind {
  readonly whom: NonNullable<AddedEvent['whom']>;
  readonly meaning: string;
}

const ofCore: Readonly<Record<CoreKind, Kind>> = {
  login: { whom: 'the user', meaning: 'A login began a session' },
  'login.failed': { whom: 'the user', meaning: 'A wrong password, a forged credential, or a refused OAuth login' },
  'admin.granted': { whom: 'the user', meaning: 'A user became an admin' },
  'admin.revoked': { whom: 'the user', meaning: 'A user is no longer an admin' },
  'groups.changed': { whom: 'the user', meaning: 'A user has other groups' },
  'password.changed': { whom: 'the user', meaning: 'A user has another password' },
  'email.changed': { whom: 'the user', meaning: 'A user has another email' },
  'apikey.renewed': { whom: 'the user', meaning: 'The permanent API key of a user was replaced' },
  'jwt.created': { whom: 'the user', meaning: 'An admin created a JWT that signs in as a user' },
  'document.removed': { whom: 'the document', meaning: 'A document was deleted permanently; `model` names its model' },
  'document.create': { whom: 'the document', meaning: 'A document of a model with `audit: true` was created' },
  'document.change': { whom: 'the document', meaning: 'Such a document was changed; `paths` names what' },
  'document.delete': { whom: 'the document', meaning: 'Such a document was deleted softly' },
  'document.restore': { whom: 'the document', meaning: 'Such a document was restored' },
  'document.remove': { whom: 'the document', meaning: 'Such a document was deleted permanently' },
  setup: { whom: 'the user', meaning: 'The first admin was created' },
  'setup.data': { whom: 'the user', meaning: '`/setup/data` inserted documents; `whom` is null' },
};

/** All kinds by their names, in the order of the documentation. @param added those of other features */
export const auditKinds = (added: readonly AddedEvent[]): ReadonlyMap<string, Kind> =>
  new Map(
    mergeRows<readonly [string, Kind]>(
      Object.entries(ofCore),
      added.map(({ name, meaning, after, whom = 'the user' }) => ({ after, rows: [[name, { whom, meaning }]] })),
      ([name]) => name,
    ),
  );
