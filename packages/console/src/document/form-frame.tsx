/** A form with its button, and what is wrong with it. */
import { Alert, Box, Button, Group, List } from '@mantine/core';
import type { Fault } from 'dossier-client';
import type { ReactNode } from 'react';

interface FrameParts {
  readonly action: string;
  readonly isBusy: boolean;
  readonly isDisabled: boolean;
  readonly error: string;
  /** Faults that no field shows. */
  readonly others: readonly Fault[];
  readonly submit: () => void;
  readonly children: ReactNode;
}

export const DocumentForm = ({ action, isBusy, isDisabled, error, others, submit, children }: FrameParts) => (
  <Box
    component="form"
    noValidate
    maw={720}
    onSubmit={(event) => {
      event.preventDefault();
      submit();
    }}
  >
    {children}
    {error === '' ? null : (
      <Alert color="red" variant="outline" role="alert" mt="md" title="Not saved" className="anywhere">
        {error}
        <List size="sm">
          {others.map(({ path, message }) => (
            <List.Item key={path}>
              {path}: {message}
            </List.Item>
          ))}
        </List>
      </Alert>
    )}
    <Group mt="md">
      <Button type="submit" loading={isBusy} disabled={isDisabled} data-key="save">
        {action}
      </Button>
    </Group>
  </Box>
);
