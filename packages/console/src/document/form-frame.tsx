/** A form with its button, which stays in sight, and what is wrong with it. */
import { Alert, Box, Button, Group, List } from '@mantine/core';
import type { Fault } from 'dossier-client';
import { type ReactNode, useEffect, useRef } from 'react';

interface FrameParts {
  readonly action: string;
  readonly isBusy: boolean;
  readonly isDisabled: boolean;
  readonly error: string;
  /** How often it was refused: each time the first fault receives the focus. */
  readonly refusals: number;
  /** Faults that no field shows. */
  readonly others: readonly Fault[];
  readonly submit: () => void;
  readonly children: ReactNode;
}

export const DocumentForm = ({ action, isBusy, isDisabled, error, refusals, others, submit, children }: FrameParts) => (
  <Box
    component="form"
    ref={useFocusOnFault(refusals)}
    noValidate
    maw={1080}
    onSubmit={(event) => {
      event.preventDefault();
      submit();
    }}
  >
    {children}
    {error === '' ? null : (
      <Alert
        color="red"
        variant="outline"
        role="alert"
        tabIndex={-1}
        mt="md"
        title="Not saved"
        className="anywhere"
        data-fault
      >
        {error}
        <List size="sm">
          {others.map(({ path, message }, at) => (
            <List.Item key={at}>{message.startsWith(path) ? message : `${path}: ${message}`}</List.Item>
          ))}
        </List>
      </Alert>
    )}
    <Group className="save-bar" mt="md">
      <Button type="submit" loading={isBusy} disabled={isDisabled} data-key="save">
        {action}
      </Button>
    </Group>
  </Box>
);

/** The inputs that a fault is shown at, and the texts of faults that have no input of their own. */
const faulty = '[aria-invalid="true"], [data-fault]';

/** @returns the reference of a form, whose first fault receives the focus after each refusal */
function useFocusOnFault(refusals: number) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (refusals === 0) return;
    const first = form.current?.querySelector<HTMLElement>(faulty);
    const input = first?.closest('fieldset')?.querySelector<HTMLElement>('input, textarea, select, button');
    const target = first?.matches('fieldset [data-fault]') === true ? input : first;
    target?.focus({ preventScroll: true });
    target?.scrollIntoView({ block: 'center' });
  }, [refusals]);
  return form;
}
