/** Creates a named key. */
import { Alert, Button, Modal, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { textOf } from '../../api/client.ts';
import { dateOf, timeZone } from '../../parts/dates.ts';

type Create = (body: object) => Promise<void>;

export function NewKey({ create }: { readonly create: Create }) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button size="xs" onClick={open}>
        New key
      </Button>
      <Modal opened={isOpen} onClose={close} title="New key">
        <KeyForm create={(body) => create(body).then(close)} />
      </Modal>
    </>
  );
}

/** `film: cr, *: r` as an object. */
const scopesIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split(',')
      .map((part) => part.split(':').map((one) => one.trim()))
      .map(([model = '', letters = '']) => [model, letters]),
  );

function KeyForm({ create }: { readonly create: Create }) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState('');
  const [addresses, setAddresses] = useState('');
  const [expires, setExpires] = useState('');
  const [fault, setFault] = useState('');
  const send = (): void => {
    const body = {
      name,
      ...(scopes.trim() === '' ? {} : { scopes: scopesIn(scopes) }),
      ...(addresses.trim() === '' ? {} : { addresses: addresses.split(',').map((one) => one.trim()) }),
      ...(expires === '' ? {} : { expires_at: dateOf(expires) }),
    };
    create(body).catch((error: unknown) => setFault(textOf(error)));
  };
  return (
    <Stack>
      <TextInput label="Name" required value={name} onChange={({ currentTarget }) => setName(currentTarget.value)} />
      <TextInput
        label="Scopes"
        description="Letters by model, such as film: cr, *: r. Without them the key may do what you may."
        value={scopes}
        onChange={({ currentTarget }) => setScopes(currentTarget.value)}
      />
      <TextInput
        label="Addresses"
        description="Such as 10.0.0.0/8"
        value={addresses}
        onChange={({ currentTarget }) => setAddresses(currentTarget.value)}
      />
      <TextInput
        label="Expires"
        description={`In ${timeZone()}`}
        type="datetime-local"
        value={expires}
        onChange={({ currentTarget }) => setExpires(currentTarget.value)}
      />
      {fault === '' ? null : (
        <Alert color="red" variant="outline" role="alert">
          {fault}
        </Alert>
      )}
      <Button onClick={send}>Create</Button>
    </Stack>
  );
}
