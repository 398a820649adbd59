/** The user who fills the server: the one that the environment names, else the first admin, created when there is no user yet. */
import { randomBytes } from 'node:crypto';
import { makeClient } from './client.ts';
import type { SampleOptions } from './options.ts';

export interface Credentials {
  readonly headers: Readonly<Record<string, string>>;
  /** The created admin, which is printed for the operator. */
  readonly made: { readonly email: string; readonly password: string } | undefined;
}

/** @throws Error when the server has users and the environment names none */
export async function credentialsFor(options: SampleOptions): Promise<Credentials> {
  const { url, apiKey, setupToken } = options;
  if (apiKey !== undefined) return { headers: { 'x-api-key': apiKey }, made: undefined };
  const client = makeClient(url, setupToken === undefined ? {} : { 'x-setup-token': setupToken });
  const { needed } = await client.get<{ needed: boolean }>('/setup');
  const email = options.email ?? 'admin@example.com';
  const password = options.password ?? (needed ? randomBytes(9).toString('base64url') : undefined);
  if (password === undefined)
    throw new Error('the server has users already: set ADMIN_EMAIL and ADMIN_PASSWORD, or API_KEY');
  if (needed) await client.post('/setup', { email, password });
  // Basic, because a login would end the admin's other session
  const basic = Buffer.from(`${email}:${password}`).toString('base64');
  return { headers: { authorization: `Basic ${basic}` }, made: needed ? { email, password } : undefined };
}
