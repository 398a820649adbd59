/** The interfaces of passwords for the rest of the server. */

/** The passwords of one request, hashed one at a time. */
export interface HashBudget {
  /** The number of passwords still to hash, including this one. */
  readonly left: number;
  /** The deadline of the last one, by `performance.now()`. */
  readonly until: number;
}

/** Where a new password belongs. */
export interface PasswordContext {
  /** The path of the password in an error; `password` by default. */
  readonly path?: string;
  /** The email of its user and what they sign in with, by the names of the fields: it must be neither. */
  readonly names?: Readonly<Record<string, unknown>>;
}

/** Hashes and compares passwords in worker threads. */
export interface Passwords {
  /**
   * @param by the caller, a user's id or an address: callers share the threads evenly
   * @throws Failure 400 when the password breaks a rule, 503 at once when it would take too long
   */
  hash(password: string, by: string, place?: PasswordContext, task?: HashBudget): Promise<string>;
  /**
   * Compares a password. It takes as long for a user who does not exist (`hash` undefined) as for one who does, and runs before
   * all hashing.
   * @param by the caller's address @throws 503 at once when it would take too long
   */
  matches(password: string, hash: string | undefined, by: string): Promise<boolean>;
  close(): Promise<void>;
}
