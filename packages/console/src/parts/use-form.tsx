/** The values of a form, of which a draft is kept while they are not saved. */
import { Alert, Button, Group } from '@mantine/core';
import { type ChangeEvent, type ReactNode, useEffect, useState } from 'react';
import { draftText, dropDraft, keepDraft, leaveDraft, readDraft } from '../drafts.ts';

interface State<Values> {
  readonly key: string;
  readonly values: Values;
  /** Whether they began with a draft. */
  readonly isRestored: boolean;
}

/** Texts of a form, which begin empty, that no draft keeps: they may have a secret. */
type Secrets<Values> = readonly TextNames<Values>[];

type TextNames<Values> = { [Name in keyof Values]: Values[Name] extends string ? Name : never }[keyof Values];

interface Form<Values> {
  readonly values: Values;
  readonly set: (some: Partial<Values>) => void;
  /** What the input of a text is given: `<TextInput {...form.input('name')} />`. */
  readonly input: (name: TextNames<Values>) => {
    readonly value: string;
    readonly onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  };
  /** Shows that the form has begun with a draft, and discards it. */
  readonly notice: ReactNode;
  /** Shows what was wrong with the values, until one of them is changed. */
  readonly alert: ReactNode;
  readonly fail: (text: string) => void;
  /** Ends the draft: what it has is saved. */
  readonly end: () => void;
}

/**
 * @param key of the draft: another one begins another form
 * @param first the values of a form in which nothing was typed. JSON can write them; a draft has those of the same types
 */
export function useForm<Values extends object>(
  key: string,
  first: Values,
  secrets: Secrets<Values> = [],
): Form<Values> {
  const [state, setState] = useState(() => begun(key, first));
  const current = state.key === key ? state : begun(key, first);
  if (current !== state) setState(current);
  const { values, isRestored } = current;
  const firstOfSecrets = Object.fromEntries(secrets.map((name) => [name, first[name]] as const));
  const text = draftText({ ...values, ...firstOfSecrets });
  const isChanged = text !== draftText(first);
  useEffect(() => keepDraft(key, isChanged ? text : undefined), [key, isChanged, text]);
  const [fault, fail] = useState('');
  const set = (some: Partial<Values>): void => {
    fail('');
    setState((before) => ({ ...before, values: { ...before.values, ...some } }));
  };
  const discard = (): void => setState({ key, values: first, isRestored: false });
  return {
    values,
    set,
    input: (name) => ({
      value: String(values[name]),
      onChange: ({ currentTarget: { value } }) => set({ [name]: value } as Partial<Values>),
    }),
    notice: isRestored && isChanged ? <Restored discard={discard} /> : null,
    alert:
      fault === '' ? null : (
        <Alert color="red" variant="outline" role="alert">
          {fault}
        </Alert>
      ),
    fail,
    end: () => dropDraft(key),
  };
}

function begun<Values extends object>(key: string, first: Values): State<Values> {
  const draft = readDraft(key);
  if (typeof draft !== 'object' || draft === null) return { key, values: first, isRestored: false };
  const known = Object.entries(first).filter(
    ([name, value]) => Object.hasOwn(draft, name) && isLike(value, draft[name as keyof typeof draft]),
  );
  const values = Object.fromEntries(known.map(([name]) => [name, draft[name as keyof typeof draft]]));
  return { key, values: { ...first, ...values }, isRestored: known.length > 0 };
}

/** Whether a value of a draft may replace one of a form: another version of the console may have kept it. */
const isLike = (first: unknown, kept: unknown): boolean =>
  first === undefined || (typeof first === typeof kept && Array.isArray(first) === Array.isArray(kept));

/** The values of a form in a dialog: closing that, or leaving its view, discards the draft. Neither a reload nor the end of a session does. */
export function useDialogForm<Values extends object>(
  key: string,
  first: Values,
  secrets: Secrets<Values> = [],
): Form<Values> {
  const form = useForm(key, first, secrets);
  useEffect(() => () => leaveDraft(key), [key]);
  return form;
}

/** Shows that a form has edits that were kept of it. */
export const Restored = ({ discard }: { readonly discard: () => void }) => (
  <Alert color="blue" variant="outline" mb="md" role="status">
    <Group justify="space-between">
      Your changes that are not saved yet are here again.
      <Button size="xs" variant="default" onClick={discard}>
        Discard them
      </Button>
    </Group>
  </Alert>
);
