/** Creates the first admin of a new server. */
import { PasswordInput, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { client, statusOf } from '../api/client.ts';
import { appName, loginField } from '../app-name.ts';
import { useText } from '../parts/use-text.ts';
import { FormFrame } from './frame.tsx';
import { LoginInput } from './login-input.tsx';

export function Setup({ done }: { readonly done: () => void }) {
  const login = useText();
  const password = useText();
  const [token, setToken] = useState<string>();
  const create = async (): Promise<void> => {
    const credentials = { [loginField()]: login.value, password: password.value };
    const headers = token === undefined ? {} : { 'x-setup-token': token };
    await client.request('/setup', { method: 'POST', body: credentials, headers }).catch((error: unknown) => {
      // a server on a public address asks for the token that its log shows
      if (statusOf(error) === 403 || statusOf(error) === 401) setToken(token ?? '');
      throw error;
    });
    await client.login(credentials);
    done();
  };
  return (
    <FormFrame title={`Set up ${appName()}`} action="Create the admin" submit={create}>
      <Text size="sm">This server has no user yet. The first one is an admin.</Text>
      <LoginInput {...login.input} />
      <PasswordInput label="Password" autoComplete="new-password" {...password.input} />
      {token === undefined ? null : (
        <TextInput
          label="Setup token"
          description="The value of SETUP_TOKEN"
          value={token}
          onChange={({ currentTarget }) => setToken(currentTarget.value)}
        />
      )}
    </FormFrame>
  );
}
