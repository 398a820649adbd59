/** The interface of the audit log for the rest of the server. Any folder may import it. */
import type { Recorder } from '../../write/contract.ts';
import type { Origin } from '../contract.ts';

/** The kinds of events in the audit log; `kinds.ts` says what each means. */
export type AuditKind =
  | 'login'
  | 'login.failed'
  | 'admin.granted'
  | 'admin.revoked'
  | 'groups.changed'
  | 'password.changed'
  | 'email.changed'
  | 'apikey.renewed'
  | 'jwt.created'
  | 'key.created'
  | 'key.rotated'
  | 'key.removed'
  | 'factor.enabled'
  | 'factor.disabled'
  | 'document.removed'
  | 'setup'
  | 'setup.data';

/** An event of the audit log (docs/audit.md). */
export interface AuditRecord extends Origin {
  readonly what: AuditKind;
  /** Id of the user who did it; undefined for an anonymous caller and for the server itself. */
  readonly who?: string | undefined;
  /** Id of the user or document concerned. */
  readonly whom?: unknown;
  /** The model of a document that is not a user. */
  readonly model?: string | undefined;
}

/** A failed login. `whom` is the id of the account, if there is one. */
export interface FailedLogin extends Origin {
  readonly whom?: string | undefined;
}

/** The audit log. */
export interface Audit extends Recorder<AuditRecord> {
  /** Records a failed login. Those of one account, address and method are counted in one record a minute. */
  failed(failure: FailedLogin): Promise<void>;
}
