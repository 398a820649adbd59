/** What `dossier user` does, as the operator. */
import type { AnyDocument } from 'dossier-client';
import type { Api } from '../api/contract.ts';
import { repeated } from '../models/mongoose/password-rules.ts';
import type { Services } from '../services.ts';

/** A user as the API answers. */
export type ShownUser = AnyDocument & { readonly email: string };

export interface NewUser {
  readonly email: string;
  readonly password: string;
  readonly name?: string | undefined;
  readonly admin: boolean;
  readonly groups: readonly string[];
}

/** Users on a page of a list. */
const limit = 1000;

/** The operations on users, for the operator. They fail as those of the API do. */
export class Users {
  readonly #users: ReturnType<Api['model']>;

  constructor(private readonly services: Services) {
    this.#users = services.apis.operator('command line').model('user');
  }

  async add({ email, password, name, admin, groups }: NewUser): Promise<ShownUser> {
    const optional = { ...(name === undefined ? {} : { name }), ...(groups.length === 0 ? {} : { groups }) };
    return (await this.#users.create({
      ...this.#repeated(password),
      email,
      password,
      admin,
      ...optional,
    })) as ShownUser;
  }

  /** All users, by email. */
  list(filter: Readonly<Record<string, string>> = {}): AsyncGenerator<ShownUser, void, void> {
    return this.#users.iterate({ limit, sort: 'email', filter }) as AsyncGenerator<ShownUser, void, void>;
  }

  /** Ends all sessions of the user, as every new password does. */
  async setPassword(email: string, password: string): Promise<void> {
    await this.#users.set(await this.#idOf(email), { ...this.#repeated(password), password });
  }

  async remove(email: string, permanent: boolean): Promise<void> {
    await this.#users.remove(await this.#idOf(email), { permanent });
  }

  /** The paths of the user model at which people repeat the password. */
  #repeated(password: string): Readonly<Record<string, string>> {
    return repeated(this.services.registry.internal('user'), password);
  }

  async #idOf(email: string): Promise<string> {
    for await (const { _id } of this.list({ email })) return _id;
    throw new Error(`no user has the email ${email}`);
  }
}
