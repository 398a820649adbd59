/** Runs the hooks `signed_up` and `verified` in the unit of the write that creates the account, or verifies the address. */
import { withTimeout } from '../../async/timeout.ts';
import { knownFrom } from '../../auth/users.ts';
import { Failure, internal, neverEnded } from '../../errors.ts';
import type { ModelEntry } from '../../models/entry.ts';
import type { Row } from '../../models/mongoose.ts';
import { fromModelCode } from '../../models/mongoose/model-code-errors.ts';
import { ownDocumentOf } from '../../policy/model-rules.ts';
import { policyFor } from '../../policy/policy.ts';
import { present } from '../../policy/present.ts';
import { operator, principalOf } from '../../policy/principal.ts';
import type { Services } from '../../services.ts';
import type { Author, AuthorInUnit, Mutation, Recorder, States } from '../../write/contract.ts';
import { makeProgress } from '../../write/progress.ts';
import type { SignedUpHook, VerifiedHook } from './config.ts';

/** What has happened to an account. */
interface AccountEvent {
  readonly hook: 'signed_up' | 'verified';
  readonly model: ModelEntry;
  /** The document of the user after the write. */
  readonly user: Readonly<Row>;
}

/** What an `api` takes over of a caller. */
type Caller = Omit<NonNullable<Author['cause']>, 'signal'>;

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

  needs({ model }: Mutation): boolean {
    return this.needsBoth(model);
  }

  needsBoth({ name }: ModelEntry): boolean {
    return name === 'user';
  }

  entriesOf({ model }: Mutation, states: States, author: Author): readonly AccountEvent[] {
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
    const services = this.#services;
    if (services === undefined) return;
    for (const event of events)
      for (const hook of this.hooks[event.hook])
        await this.#run(services, event, author, (account) =>
          hook({ ...account, email: String(event.user['email'] ?? '') }),
        );
  }

  /** @throws a Failure: that of a refusal, or a 500 */
  async #run(
    services: Services,
    { hook, model, user }: AccountEvent,
    author: AuthorInUnit,
    call: (account: Parameters<SignedUpHook>[0]) => unknown,
  ): Promise<void> {
    const { unit, cause } = author;
    const caller = cause ?? this.#themselves(model, user, author);
    const [stop, progress] = [new AbortController(), makeProgress(author.progress)];
    const api = services.apis.of({ ...requestOf(caller), headers: {}, signal: stop.signal, unit, progress });
    const limit = services.settings.query_limits.max_time_ms;
    const late = (): Error => {
      // it may write no more
      progress.end();
      stop.abort();
      return neverEnded(hook, limit);
    };
    try {
      const running = Promise.resolve().then(() => call({ user: documentOf(model, user), api }));
      await withTimeout(limit, running, late);
    } catch (thrown) {
      const known = fromModelCode(thrown);
      // an error of the database in a hook is not one of the write itself
      throw known instanceof Failure ? known : internal(known);
    }
  }

  /** The user as the caller: what authentication writes, it writes for them. */
  #themselves(model: ModelEntry, user: Readonly<Row>, { origin }: Author): Caller {
    const principal = principalOf(knownFrom(user, this.loginField), undefined, ownDocumentOf(model, user));
    const address = origin?.address ?? 'server';
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

/** What an `api` takes over of a caller, who may be a whole request with its own signal. */
const requestOf = ({ principal, address, ip, requestId, depth }: Caller): Caller => ({
  ...{ principal, address, ip, requestId, depth },
});

/** A copy that hooks cannot change the write by. */
const documentOf = (model: ModelEntry, user: Readonly<Row>): Document =>
  Object.freeze(JSON.parse(JSON.stringify(present(policyFor(operator, model), user))) as Document);
