/** Invites a user: one without a password, who sets it by the link of a recovery mail. */
import { Button, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { client, textOf } from '../../api/client.ts';
import { draftKey } from '../../drafts.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useDialogForm } from '../../parts/use-form.tsx';
import { go } from '../../route.ts';
import { GroupsInput } from './groups-input.tsx';

const blank = { email: '', name: '', groups: [] as string[] };

export function Invite() {
  const draft = draftKey('invitation');
  return (
    <FormDialog title="Invite" draft={draft}>
      {(close) => <InviteForm {...{ draft, close }} />}
    </FormDialog>
  );
}

function InviteForm({ draft, close }: { readonly draft: string; readonly close: () => void }) {
  const form = useDialogForm(draft, blank);
  const { groups } = form.values;
  const [email, name] = [form.values.email.trim(), form.values.name.trim()];
  const [isBusy, setBusy] = useState(false);
  const send = async (): Promise<void> => {
    const named = name === '' ? {} : { name };
    const made = await client.model('user').create({ email, ...named, groups });
    close();
    go(['users', String(made._id)]);
    await client.recover(email).then(
      () => notifications.show({ message: 'The invitation is sent.' }),
      (error: unknown) =>
        notifications.show({
          color: 'orange',
          title: 'The user is created, and the invitation was not sent',
          message: `${textOf(error)} Set a password here and hand it over, or send the recovery mail when mails work (SMTP_URL).`,
          autoClose: false,
        }),
    );
  };
  const submit = (): void => {
    setBusy(true);
    send()
      .catch((error: unknown) => form.fail(textOf(error)))
      .finally(() => setBusy(false));
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {form.notice}
      <Stack>
        <TextInput label="Email" type="email" required data-autofocus {...form.input('email')} />
        <TextInput label="Name" {...form.input('name')} />
        <GroupsInput description="Enter adds one" value={groups} onChange={(next) => form.set({ groups: next })} />
        {form.alert}
        <Button type="submit" w="fit-content" loading={isBusy} disabled={email === ''}>
          Send the invitation
        </Button>
      </Stack>
    </form>
  );
}
