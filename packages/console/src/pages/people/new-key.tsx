/** Creates a named key. */
import { Button, Stack, TextInput } from '@mantine/core';
import { textOf } from '../../api/client.ts';
import { draftKey } from '../../drafts.ts';
import { dateOf, timeZone } from '../../parts/dates.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useDialogForm } from '../../parts/use-form.tsx';

type Create = (body: object) => Promise<void>;

const blank = { name: '', scopes: '', addresses: '', expires: '' };

export function NewKey({ create }: { readonly create: Create }) {
  const draft = draftKey('key');
  return (
    <FormDialog title="New key" draft={draft}>
      {(close) => <KeyForm draft={draft} create={(body) => create(body).then(close)} />}
    </FormDialog>
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

function KeyForm({ draft, create }: { readonly draft: string; readonly create: Create }) {
  const form = useDialogForm(draft, blank);
  const { name, scopes, addresses, expires } = form.values;
  const send = (): void => {
    const body = {
      name,
      ...(scopes.trim() === '' ? {} : { scopes: scopesIn(scopes) }),
      ...(addresses.trim() === '' ? {} : { addresses: addresses.split(',').map((one) => one.trim()) }),
      ...(expires === '' ? {} : { expires_at: dateOf(expires) }),
    };
    create(body).catch((error: unknown) => form.fail(textOf(error)));
  };
  return (
    <Stack>
      {form.notice}
      <TextInput label="Name" required {...form.input('name')} />
      <TextInput
        label="Scopes"
        description="Letters by model, such as film: cr, *: r. Without them the key may do what you may."
        {...form.input('scopes')}
      />
      <TextInput label="Addresses" description="Such as 10.0.0.0/8" {...form.input('addresses')} />
      <TextInput label="Expires" description={`In ${timeZone()}`} type="datetime-local" {...form.input('expires')} />
      {form.alert}
      <Button onClick={send}>Create</Button>
    </Stack>
  );
}
