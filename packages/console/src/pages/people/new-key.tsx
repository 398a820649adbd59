/** Creates a named key. */
import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { textOf } from '../../api/client.ts';
import { dateOf, timeZone } from '../../parts/dates.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useText } from '../../parts/use-text.ts';

type Create = (body: object) => Promise<void>;

export const NewKey = ({ create }: { readonly create: Create }) => (
  <FormDialog title="New key">{(close) => <KeyForm create={(body) => create(body).then(close)} />}</FormDialog>
);

/** `film: cr, *: r` as an object. */
const scopesIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split(',')
      .map((part) => part.split(':').map((one) => one.trim()))
      .map(([model = '', letters = '']) => [model, letters]),
  );

function KeyForm({ create }: { readonly create: Create }) {
  const name = useText();
  const scopes = useText();
  const addresses = useText();
  const expires = useText();
  const [fault, setFault] = useState('');
  const send = (): void => {
    const body = {
      name: name.value,
      ...(scopes.value.trim() === '' ? {} : { scopes: scopesIn(scopes.value) }),
      ...(addresses.value.trim() === '' ? {} : { addresses: addresses.value.split(',').map((one) => one.trim()) }),
      ...(expires.value === '' ? {} : { expires_at: dateOf(expires.value) }),
    };
    create(body).catch((error: unknown) => setFault(textOf(error)));
  };
  return (
    <Stack>
      <TextInput label="Name" required {...name.input} />
      <TextInput
        label="Scopes"
        description="Letters by model, such as film: cr, *: r. Without them the key may do what you may."
        {...scopes.input}
      />
      <TextInput label="Addresses" description="Such as 10.0.0.0/8" {...addresses.input} />
      <TextInput label="Expires" description={`In ${timeZone()}`} type="datetime-local" {...expires.input} />
      {fault === '' ? null : (
        <Alert color="red" variant="outline" role="alert">
          {fault}
        </Alert>
      )}
      <Button onClick={send}>Create</Button>
    </Stack>
  );
}
