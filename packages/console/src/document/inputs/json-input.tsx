/** An input for a value of any form, as JSON. */
import { Input } from '@mantine/core';
import { useState } from 'react';
import { Editor } from '../../parts/editor.tsx';
import { isSame } from '../edits.ts';
import { describedBy, type InputParts } from './input-parts.ts';

const shown = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, null, 2));

export function JsonInput({ label, field, value, set, fault, disabled }: InputParts) {
  const [text, setText] = useState(shown(value));
  const [own, setOwn] = useState<string>();
  const [known, setKnown] = useState(value);
  // it was changed elsewhere, such as by moving a member of the list that it is in
  if (!isSame(known, value)) {
    setKnown(value);
    setText(shown(value));
    setOwn(undefined);
  }
  const give = (next: unknown): void => {
    setKnown(next);
    set(next);
  };
  const write = (next: string): void => {
    setText(next);
    if (next.trim() === '') {
      setOwn(undefined);
      return give(null);
    }
    try {
      give(JSON.parse(next));
      setOwn(undefined);
    } catch (error) {
      setOwn(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <Input.Wrapper
      label={label}
      description={describedBy(field, 'JSON')}
      required={field.required}
      error={own ?? fault}
      labelElement="div"
    >
      <Editor label={label} value={text} set={write} isReadOnly={disabled === true} />
    </Input.Wrapper>
  );
}
