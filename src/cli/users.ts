/** What `dossier user` does, as the operator, and how it reads a password. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { AnyDocument } from 'dossier-client';
import type { Api } from '../api/contract.ts';
import { passwordRepetitions } from '../models/mongoose/password-rules.ts';
import type { Services } from '../services.ts';
import type { Terminal } from './terminal.ts';

/** A user as the API answers. */
export type UserAnswer = AnyDocument;

export interface NewUser {
  /** What the user signs in with. */
  readonly login: string;
  /** Where that is not the email. */
  readonly email: string | undefined;
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

  /** The field by which users sign in. */
  readonly loginField: string;

  constructor(private readonly services: Services) {
    this.loginField = services.settings.login_field;
    this.#users = services.apis.operator('command line').model('user');
  }

  add({ login, email, password, name, admin, groups }: NewUser): Promise<UserAnswer> {
    const optional = {
      ...(email === undefined ? {} : { email }),
      ...(name === undefined ? {} : { name }),
      ...(groups.length === 0 ? {} : { groups }),
    };
    return this.#users.create({
      ...this.#repeated(password),
      [this.loginField]: login,
      password,
      admin,
      ...optional,
    });
  }

  /** All users, by what they sign in with. */
  list(filter: Readonly<Record<string, string>> = {}): AsyncGenerator<UserAnswer, void, void> {
    return this.#users.iterate({ limit, sort: this.loginField, filter });
  }

  /** Ends all sessions of the user, as every new password does. */
  async setPassword(login: string, password: string): Promise<void> {
    await this.#users.set(await this.#idOf(login), { ...this.#repeated(password), password });
  }

  async remove(login: string, permanent: boolean): Promise<void> {
    await this.#users.remove(await this.#idOf(login), { permanent });
  }

  /** The paths of the user model at which people repeat the password. */
  #repeated(password: string): Readonly<Record<string, string>> {
    return passwordRepetitions(this.services.registry.internal('user'), password);
  }

  async #idOf(login: string): Promise<string> {
    for await (const { _id } of this.list({ [this.loginField]: login })) return _id;
    throw new Error(`no user has the ${this.loginField} ${login}`);
  }
}

/** @throws Error without a password, or when the two that are typed differ */
export async function readPassword({ input, messages }: Terminal): Promise<string> {
  const isTyped = 'isTTY' in input && input.isTTY === true;
  // what is typed is shown nowhere
  const hidden = new Writable({ write: (_piece, _encoding, done) => done() });
  const lines = createInterface({ input, output: hidden, terminal: isTyped });
  try {
    if (!isTyped) {
      for await (const line of lines) return required(line);
      return required(undefined);
    }
    const ask = async (prompt: string): Promise<string> => {
      messages.write(prompt);
      const typed = await lines.question('');
      messages.write('\n');
      return typed;
    };
    const password = required(await ask('Password: '));
    if ((await ask('Again: ')) !== password) throw new Error('the two passwords differ');
    return password;
  } finally {
    lines.close();
  }
}

function required(text: string | undefined): string {
  if (text === undefined || text === '') throw new Error('no password: type one, or send it to standard input');
  return text;
}
