/** Events of accounts, such as logins, and those that record them. Any folder may import it. */
import type { Origin } from '../../policy/principal.ts';
import type { UnitOfWork } from '../../write/contract.ts';

/** The kinds of events of accounts that the core reports. */
export type AccountEventKind = 'login' | 'apikey.renewed' | 'jwt.created' | 'setup' | 'setup.data';

/** A kind of events of accounts that a feature reports. */
export interface AddedEvent {
  readonly name: `${string}.${string}`;
  readonly meaning: string;
  /** Whom it concerns; the user by default. */
  readonly whom?: 'the user' | 'the document' | 'the schedule' | 'the job' | 'the backup' | 'the index';
  /** The kind that it follows in the documentation (docs/audit.md); without it, it comes last. */
  readonly after?: string;
}

/** The name of a kind, as it is recorded. */
export type EventName = AccountEventKind | AddedEvent['name'];

export interface AccountEvent extends Origin {
  readonly what: AccountEventKind | AddedEvent;
  /** Id of the user who did it; undefined for an anonymous caller and for the server itself. */
  readonly who?: string | undefined;
  /** Id of the user concerned, or with `model` of the document. */
  readonly whom?: unknown;
  readonly model?: string | undefined;
}

/** A failed login. `whom` is the id of the account, if there is one. */
export interface FailedLogin extends Origin {
  readonly whom?: string | undefined;
}

/** What receives the events of accounts. Those of a server are passed to its features; without any they go nowhere. */
export interface AccountEvents {
  /** The event is recorded by the unit's commit, and not at all if the unit fails. */
  record(unit: UnitOfWork, event: AccountEvent): void;
  /** A login has failed, which no unit of work contains. */
  failed(failure: FailedLogin): Promise<void>;
}
