/** Invites a user: one without a password, who sets it by the link of a recovery mail. */
import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { client, textOf } from '../../api/client.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useText } from '../../parts/use-text.ts';
import { go } from '../../route.ts';
import { GroupsInput } from './groups-input.tsx';

export const Invite = () => <FormDialog title="Invite">{(close) => <InviteForm close={close} />}</FormDialog>;

function InviteForm({ close }: { readonly close: () => void }) {
  const email = useText();
  const name = useText();
  const [groups, setGroups] = useState<string[]>([]);
  const [fault, setFault] = useState('');
  const [isBusy, setBusy] = useState(false);
  const send = async (): Promise<void> => {
    const named = name.value.trim() === '' ? {} : { name: name.value.trim() };
    const made = await client.model('user').create({ email: email.value.trim(), ...named, groups });
    close();
    go(['users', String(made._id)]);
    await client.recover(email.value.trim()).then(
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
      .catch((error: unknown) => setFault(textOf(error)))
      .finally(() => setBusy(false));
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack>
        <TextInput label="Email" type="email" required data-autofocus {...email.input} />
        <TextInput label="Name" {...name.input} />
        <GroupsInput description="Enter adds one" value={groups} onChange={setGroups} />
        {fault === '' ? null : (
          <Alert color="red" variant="outline" role="alert">
            {fault}
          </Alert>
        )}
        <Button type="submit" w="fit-content" loading={isBusy} disabled={email.value.trim() === ''}>
          Send the invitation
        </Button>
      </Stack>
    </form>
  );
}
