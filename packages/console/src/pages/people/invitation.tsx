/** Mails to users with a link to set a password, and the link of an invitation where no mail is sent. */
import { Button, Stack, Text } from '@mantine/core';
import { apiUrl, send } from '../../api/client.ts';
import { loginField } from '../../app-name.ts';
import { Copied } from '../../document/raw.tsx';
import { exactText } from '../../parts/dates.ts';

export interface Invitation {
  readonly login: string;
  readonly link: string;
  readonly expires: string;
  /** The mail server has not accepted the mail. */
  readonly mail_failed?: true;
}

/** Sends the mail, as an admin. @returns the invitation where the admin has to hand it over @throws DossierError */
export async function sendLink(login: string): Promise<Invitation | undefined> {
  const body = { [loginField()]: login };
  const { data } = await send<{ readonly data?: Omit<Invitation, 'login'> }>('POST', '/login/recover', body);
  if (data === undefined) return undefined;
  // a server that does not know its address names a path
  return { ...data, login, link: data.link.startsWith('/') ? apiUrl + data.link : data.link };
}

/** @param done is called when the admin has copied it */
export const HandOver = ({
  invitation: { login, link, expires, mail_failed: hasFailed },
  done,
}: {
  readonly invitation: Invitation;
  readonly done: () => void;
}) => (
  <Stack>
    <Text size="sm" role="status">
      {hasFailed ? 'The mail server did not accept the mail.' : 'No mail is sent.'} Hand this link to {login}, who sets
      a password by it. It works once, until {exactText(expires)}, and is not shown again. Another invitation ends it.
    </Text>
    <Copied label="Link of the invitation" text={link} />
    <Button w="fit-content" onClick={done}>
      Done
    </Button>
  </Stack>
);
