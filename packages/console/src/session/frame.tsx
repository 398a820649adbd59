/** A form in the middle of an otherwise empty page. */
import { Alert, Button, Center, Paper, Stack, Title } from '@mantine/core';
import { type ReactNode, type SyntheticEvent, useState } from 'react';
import { textOf } from '../api/client.ts';
import { useTabTitle } from '../parts/tab-title.ts';

export interface FrameParts {
  readonly title: string;
  readonly action: string;
  readonly children: ReactNode;
  /** Does what the form is for. What it throws is shown. */
  readonly submit: () => Promise<unknown>;
  readonly below?: ReactNode;
}

export function FormFrame({ title, action, children, submit, below }: FrameParts) {
  useTabTitle(action);
  const [fault, setFault] = useState('');
  const [isBusy, setBusy] = useState(false);
  const send = (event: SyntheticEvent): void => {
    event.preventDefault();
    setBusy(true);
    setFault('');
    submit()
      .catch((error: unknown) => setFault(textOf(error)))
      .finally(() => setBusy(false));
  };
  return (
    <Center mih="100dvh" p="md" component="main">
      <Paper component="form" onSubmit={send} withBorder p="xl" w="100%" maw={420} noValidate>
        <Stack>
          <Title order={1} size="h3">
            {title}
          </Title>
          {fault === '' ? null : (
            <Alert color="red" role="alert" variant="outline">
              {fault}
            </Alert>
          )}
          {children}
          <Button type="submit" loading={isBusy}>
            {action}
          </Button>
          {below}
        </Stack>
      </Paper>
    </Center>
  );
}
