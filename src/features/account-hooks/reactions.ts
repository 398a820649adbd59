/** Runs the hooks `signed_up` and `verified` in the unit of the write that creates the account, or verifies the address. */
import { runForWrite } from '../../api/for-write.ts';
import { insideServer } from '../../api/programs.ts';
import { knownUser } from '../../auth/users.ts';
import {
  type Author,
  type ModelEntry,
  operator,
  policyFor,
  principalOf,
  type Recorder,
  type Row,
  type Services,
  type States,
} from '../../core.ts';
import { ownDocumentOf } from '../../policy/model-rules.ts';
import { present } from '../../policy/present.ts';
import type { AuthorInUnit, WriteCause } from '../../write/contract.ts';
import type { SignedUpHook, VerifiedHook } from './config.ts';

/** What has happened to an account. */
interface AccountEvent {
  readonly hook: 'signed_up' | 'verified';
  readonly model: ModelEntry;
  /** The document of the user after the write. */
  readonly user: Readonly<Row>;
}

interface Hooks {
  readonly signed_up: readonly SignedUpHook[];
  readonly verified: readonly VerifiedHook[];
}

type Document = Parameters<SignedUpHook>[0]['user'];

/** How people create accounts themselves: what `createUser` records of them. */
const signUpMethods: ReadonlySet<unknown> = new Set(['signup', 'oauth']);

export class AccountReactions implements Recorder<AccountEvent> {
  readonly name = 'account hooks';
  #services: Services | undefined;

  /** @param loginField by which users sign in */
  constructor(
    private readonly hooks: Hooks,
    private readonly loginField: string,
  ) {}

  /** Hooks run from now on. */
  begin(services: Services): void {
    this.#services = services;
  }

  mayNeed({ name }: ModelEntry): boolean {
    return name === 'user';
  }

  needs(): boolean {
    return this.#services !== undefined;
  }

  needsBoth(): boolean {
    return true;
  }

  entriesOf(model: ModelEntry, states: States, author: Author): readonly AccountEvent[] {
    return states.flatMap(({ before, after }) => {
      if (after === undefined) return [];
      const hooks = [
        ...(isSignUp(before, author) ? (['signed_up'] as const) : []),
        ...(isVerification(before, after) ? (['verified'] as const) : []),
      ];
      return hooks.map((hook) => ({ hook, model, user: after }));
    });
  }

  async react(events: readonly AccountEvent[], author: AuthorInUnit): Promise<void> {
    for (const { hook, model, user } of events) {
      const account = { user: documentOf(model, user), email: String(user['email'] ?? '') };
      const by = { ...author, cause: author.cause ?? this.#themselves(model, user, author) };
      for (const run of this.hooks[hook])
        await runForWrite(this.#services as Services, by, hook, ({ api }) => run({ ...account, api }));
    }
  }

  /** The user as the caller: what authentication writes, it writes for them. */
  #themselves(model: ModelEntry, user: Readonly<Row>, { origin }: Author): WriteCause {
    const principal = principalOf(knownUser(user, this.loginField), undefined, ownDocumentOf(model, user));
    const address = origin?.address ?? insideServer;
    return { principal, address, ip: address, requestId: origin?.requestId };
  }
}

/** Only authentication itself creates users without a caller. */
const isSignUp = (before: Readonly<Row> | undefined, { cause, origin }: Author): boolean =>
  before === undefined && cause === undefined && signUpMethods.has(origin?.method);

/** Whether the address of a user counts as verified, and did not before: another address is verified by itself. */
const isVerification = (before: Readonly<Row> | undefined, after: Readonly<Row>): boolean =>
  after['email_verified'] === true &&
  typeof after['email'] === 'string' &&
  (before?.['email_verified'] !== true || before['email'] !== after['email']);

/** A copy that hooks cannot change the write by. */
const documentOf = (model: ModelEntry, user: Readonly<Row>): Document =>
  Object.freeze(JSON.parse(JSON.stringify(present(policyFor(operator, model), user))) as Document);
