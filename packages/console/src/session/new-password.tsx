/** Sets the password of the user to whom a link leads, that of an invitation or a recovery. It needs no session, and opening it changes nothing. */
import { PasswordInput, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { client, statusOf, textOf } from '../api/client.ts';
import { appName } from '../app-name.ts';
import { useText } from '../parts/use-text.ts';
import { hrefOf } from '../route.ts';
import { CodeInput } from './code-input.tsx';
import { FormFrame } from './frame.tsx';

/** @param jwt of the link */
export function NewPassword({ jwt }: { readonly jwt: string }) {
  const password = useText();
  const code = useText();
  const [hasFactor, setFactor] = useState(false);
  const set = async (): Promise<void> => {
    await client.reset(jwt, password.value, code.value === '' ? {} : { code: code.value }).catch((error: unknown) => {
      if (statusOf(error) === 401 && textOf(error).includes('second factor')) setFactor(true);
      throw error;
    });
    notifications.show({ message: 'The password is set. You can sign in with it.' });
    // the link has been used: the browser's history is better without it
    window.location.replace(hrefOf([]));
  };
  return (
    <FormFrame title={`Set a password for ${appName()}`} action="Set the password" submit={set}>
      <Text size="sm">The link that you have opened works once.</Text>
      <PasswordInput label="New password" autoComplete="new-password" autoFocus {...password.input} />
      {hasFactor ? <CodeInput code={code} /> : null}
    </FormFrame>
  );
}
