/** The frames of forms for signing in: a page that is otherwise empty, and a dialog. */
import { Alert, Button, Center, Modal, Paper, Stack, Title } from '@mantine/core';
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

export function FormFrame({ title, ...parts }: FrameParts) {
  useTabTitle(parts.action);
  return (
    <Center mih="100dvh" p="md" component="main">
      <Paper withBorder p="xl" w="100%" maw={420}>
        <Form {...parts}>
          <Title order={1} size="h3">
            {title}
          </Title>
          {parts.children}
        </Form>
      </Paper>
    </Center>
  );
}

/** Above all other dialogs, and notices. */
const aboveAll = 1000;

/** It closes only by what it asks for. What is below cannot be read, since its user may have left. */
export const FormOver = ({ title, ...parts }: FrameParts) => (
  <Modal
    opened
    onClose={() => undefined}
    title={title}
    zIndex={aboveAll}
    withCloseButton={false}
    closeOnClickOutside={false}
    closeOnEscape={false}
    overlayProps={{ backgroundOpacity: 0.7, blur: 8 }}
  >
    <Form {...parts} />
  </Modal>
);

function Form({ action, children, submit, below }: Omit<FrameParts, 'title'>) {
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
    <form onSubmit={send} onInput={() => setFault('')} noValidate>
      <Stack>
        {children}
        {fault === '' ? null : (
          <Alert color="red" role="alert" variant="outline">
            {fault}
          </Alert>
        )}
        <Button type="submit" loading={isBusy}>
          {action}
        </Button>
        {below}
      </Stack>
    </form>
  );
}
