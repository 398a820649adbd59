/** A job as an entry of the outbox: which function, with which input, and on whose behalf. */
import { letters, operator, type Principal, type Services } from '../../core.ts';
import type { Entry } from '../../outbox/contract.ts';
import { anonymousPrincipal } from '../../policy/principal.ts';
import type { Scopes } from '../../policy/scopes.ts';

/** The kind of entries. */
export const jobKind = 'job';

export const defaultRetries = 3;

/** The one who has asked for a job. The scopes of a key bind its jobs, too. */
type Asker =
  | { readonly as: 'anonymous' }
  | {
      readonly as: 'system';
      /** In whose request, and which admin acted as them. */
      readonly for?: string | undefined;
      readonly by?: string | undefined;
    }
  | {
      readonly as: 'user';
      readonly user: string;
      readonly by?: string | undefined;
      /** A list, because names of models may contain dots. */
      readonly scopes?: readonly { readonly model: string; readonly letters: string }[] | undefined;
    };

/** What is stored of a job, besides its function, which is its group. */
export interface JobData {
  readonly asker: Asker;
  /** JSON; null for none. */
  readonly input: string | null;
  readonly retries: number;
  readonly request_id?: string | undefined;
  /** Why the last try has failed. */
  readonly error?: string | null;
}

export const dataOf = ({ data }: Pick<Entry, 'data'>): JobData => data as unknown as JobData;

export function askerOf({ user, admin, by, for: person, scopes }: Principal): Asker {
  if (user === undefined && admin)
    return { as: 'system', ...(person === undefined ? {} : { for: person }), ...(by === undefined ? {} : { by }) };
  if (user === undefined) return { as: 'anonymous' };
  return {
    ...{ as: 'user', user: user.id },
    ...(by === undefined ? {} : { by }),
    ...(scopes === undefined
      ? {}
      : { scopes: [...scopes].map(([model, given]) => ({ model, letters: [...given].join('') })) }),
  };
}

/** The one who has asked, with the rights that they have now; undefined for a user who is gone or locked. @throws 503 */
export async function principalOf(asker: Asker, { auth }: Pick<Services, 'auth'>): Promise<Principal | undefined> {
  if (asker.as === 'anonymous') return anonymousPrincipal;
  if (asker.as === 'system')
    return asker.for === undefined ? operator : Object.freeze({ ...operator, for: asker.for, by: asker.by });
  const principal = await auth.principalOfUser(asker.user);
  if (principal === undefined || (asker.by === undefined && asker.scopes === undefined)) return principal;
  return Object.freeze({ ...principal, by: asker.by, scopes: asker.scopes && scopesFrom(asker.scopes) });
}

const scopesFrom = (stored: readonly { readonly model: string; readonly letters: string }[]): Scopes =>
  new Map(
    stored.map(({ model, letters: given }) => [model, new Set(letters.filter((letter) => given.includes(letter)))]),
  );
