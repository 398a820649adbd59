/** What `dossier user` does, by the operations of the API. */
import type { Row } from '../models/mongoose.ts';
import { valueOf } from '../operations/answer.ts';
import { documents } from '../operations/documents.ts';
import { prepare } from '../operations/invoke.ts';
import type { ParameterTree } from '../query/parameter-tree.ts';
import type { Services } from '../services.ts';
import { operatorCaller } from '../transfer/operator.ts';

/** A user as the API answers. */
export type ShownUser = Readonly<Row> & { readonly _id: string; readonly email: string };

export interface NewUser {
  readonly email: string;
  readonly password: string;
  readonly name?: string | undefined;
  readonly admin: boolean;
  readonly groups: readonly string[];
}

interface Sent {
  readonly id?: string;
  readonly query?: ParameterTree;
  readonly body?: Row;
}

/** The operations on users, for the operator. They fail as those of the API do. */
export class Users {
  constructor(private readonly services: Services) {}

  async add({ email, password, name, admin, groups }: NewUser): Promise<ShownUser> {
    const optional = { ...(name === undefined ? {} : { name }), ...(groups.length === 0 ? {} : { groups }) };
    const answer = await this.#invoke('documents.create', { body: { email, password, admin, ...optional } });
    return answer['data'] as ShownUser;
  }

  /** All users, by email. */
  async *list(filter?: ParameterTree): AsyncGenerator<ShownUser, void, void> {
    const narrowed = { limit: '1000', sort: 'email', ...(filter === undefined ? {} : { filter }) };
    let after: string | undefined;
    do {
      const page = { ...narrowed, ...(after === undefined ? {} : { after }) };
      const answer = await this.#invoke('documents.list', { query: page });
      yield* answer['data'] as ShownUser[];
      after = answer['next_cursor'] as string | undefined;
    } while (after !== undefined);
  }

  /** Ends all sessions of the user, as every new password does. */
  async setPassword(email: string, password: string): Promise<void> {
    await this.#invoke('documents.change', { id: await this.#idOf(email), body: { password } });
  }

  async remove(email: string, permanently: boolean): Promise<void> {
    const query: ParameterTree = permanently ? { _permaDelete: '1' } : {};
    await this.#invoke('documents.delete', { id: await this.#idOf(email), query });
  }

  async #idOf(email: string): Promise<string> {
    for await (const { _id } of this.list({ email })) return _id;
    throw new Error(`no user has the email ${email}`);
  }

  async #invoke(name: string, { id, query = {}, body = {} }: Sent): Promise<Row> {
    const operation = documents.operations.find((one) => one.name === name);
    if (operation === undefined) throw new Error(`there is no operation ${name}`);
    const params = { model: 'user', ...(id === undefined ? {} : { id }) };
    const request = { params, query, body, headers: {}, url: '' };
    const answer = await prepare(operation, this.services)(request, operatorCaller());
    const isWhole = answer?.kind === 'json' || answer?.kind === 'bytes';
    return isWhole ? ((await valueOf(answer, Infinity)) as Row) : {};
  }
}
